"""Which sources offers are taken from."""

import pytest

from gbrain.domain.offers.scope import reach, renamed, rules
from gbrain.types import Source

SOURCES = [
    Source(id, id, None, federated, False, "")
    for id, federated in (("default", True), ("notes", True), ("plans", None), ("work", False))
]


@pytest.mark.parametrize(
    ("said", "home", "found"),
    [
        ("", "work", ("work",)),
        ("", "notes", ("notes", "default")),
        ("notes=own", "notes", ("notes",)),
        ("notes=own", "work", ("work",)),
        ("work=federated", "work", ("work", "default", "notes")),
        ("plans=plans, work; work=own", "plans", ("plans", "work")),
        ("plans=work", "plans", ("plans", "work")),
        ("plans=gone", "plans", ("plans",)),
    ],
)
def test_each_source_has_its_rule(said: str, home: str, found: tuple[str, ...]) -> None:
    reads = ("notes", "default") if home == "notes" else (home,)
    assert reach(said, home, reads, SOURCES) == found


def test_nothing_is_reached_that_is_not_granted() -> None:
    assert reach("work=federated,plans", "work", ("work",), SOURCES, ("work", "plans")) == ("work", "plans")
    assert reach("work=notes", "work", ("work",), SOURCES, ("work",)) == ("work",)
    assert reach("", "", ("notes",), SOURCES, ("notes",)) == ("notes",)
    assert reach("work=own", "work", ("notes",), SOURCES, ("notes",)) == ()


@pytest.mark.parametrize("said", ["work", "work=", "Work=own", "work=own,", "=own", "work=a b"])
def test_what_is_no_rule_is_told(said: str) -> None:
    assert rules(said) is None


def test_rules_follow_a_renamed_source() -> None:
    assert renamed("work=own; notes=work,plans", "work", "office") == "office=own; notes=office,plans"
    assert rules("") == {}
