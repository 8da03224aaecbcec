"""Evidence that disagrees, and whose word counts."""

from gbrain.domain.answers.conflicts import conflicts, told
from gbrain.domain.answers.evidence import COMPILED, TIMELINE, USER, Evidence

NAMES = {"people/dana": ("Dana Oakes", "dana")}


def said(text: str, when: str, weight: int = USER, kind: str = "fact", slug: str = "people/dana") -> Evidence:
    return Evidence(kind, "default", slug, "Dana Oakes", text, when, weight, "chat")  # type: ignore[arg-type]


def test_two_values_of_one_attribute_disagree_and_authority_orders_them() -> None:
    page = said("Dana Oakes lives in Lisbon. She rows.", "2031-05-01", COMPILED, "page")
    old, new = said("lives in Porto", "2030-01-01"), said("lives in Faro", "2031-01-01")
    (found,) = conflicts([page, old, new], NAMES)
    assert [side.evidence for side in found.sides] == [new, old, page]
    text = told(found)
    assert text.index("Faro") < text.index("counts before") < text.index("Porto") < text.index("Lisbon")
    assert "2031-01-01" in text


def test_what_agrees_or_is_of_another_is_no_conflict() -> None:
    assert conflicts([said("lives in Porto", "2030"), said("Dana lives in Porto", "2031", TIMELINE)], NAMES) == []
    assert conflicts([said("lives in Porto", "2030"), said("lives in Faro", "2030", slug="people/reed")], NAMES) == []
    assert conflicts([said("likes tea", "2030"), said("likes milk", "2031")], NAMES) == []
