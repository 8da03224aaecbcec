"""The instructions (table F): what they hold, how long they are, and that off says nothing."""

from itertools import product

import pytest

from gbrain.ambient import contract
from gbrain.ambient.contract import BASE, BASE_CHARS, ENABLE, WHOLE_CHARS, Options, instructions, section, workspace

ALL = [
    Options(mode, "365 days", seen, there)  # type: ignore[arg-type]
    for mode, seen, there in product(("salient", "all"), ("world", "private"), (True, False, None))
]


@pytest.mark.parametrize("told", ALL, ids=lambda told: f"{told.mode}-{told.visibility}-{told.extract_facts}")
def test_f6_f7_eleven_points_that_fit(told: Options) -> None:
    lines = section(told).splitlines()
    assert len(lines) <= 15
    assert [line.split(".")[0] for line in lines[1:]] == [str(number) for number in range(1, 12)]
    assert len(instructions(told)) <= WHOLE_CHARS
    assert "Never secrets" in lines[1]
    assert 'ttl: "365 days"' in lines[6]


def test_f1_f2_each_mode_has_its_policy() -> None:
    salient, everything = (section(Options(mode, "3d", "world")) for mode in ("salient", "all"))  # type: ignore[arg-type]
    assert "every fact they state" not in salient
    assert "preferences, corrections, decisions" in salient
    assert "every fact they state" in everything


def test_f3_f4_extract_facts_is_named_only_where_it_is() -> None:
    there, gone = (section(Options("salient", "12h", "world", has)) for has in (True, False))
    assert "never in a batch" in there
    assert "extract_facts" not in gone
    assert 'ttl: "12h"' in there
    assert 'ttl: "12h"' in gone


def test_f5_visibility_is_passed_every_time() -> None:
    assert 'visibility: "world"' in section(Options("salient", "3d", "world"))
    private = section(Options("salient", "3d", "private"))
    assert 'visibility: "private"' in private
    assert "remote sessions never see it" in private


def test_f8_f9_off_is_the_base_and_on_adds_to_it() -> None:
    assert instructions(None) == instructions(None, "  ") == BASE
    told = Options("salient", "3d", "world")
    assert instructions(told) == f"{BASE}\n\n{section(told)}"
    assert len(BASE) <= BASE_CHARS


@pytest.mark.parametrize("seen", ["world", "private"])
def test_every_rendering_has_the_same_rules_word_for_word(seen: str) -> None:
    unasked, standing = section(Options("salient", "3d", seen)), workspace(seen)  # type: ignore[arg-type]
    rules = (contract.SECRETS, contract.PROVENANCE, contract.SKIP, contract.OWN, contract.PLACE, contract.VISIBLE[seen])
    for rule in rules:
        assert rule in unasked
        assert rule in standing


def test_how_to_turn_it_on_is_said_whenever_it_is_off_and_never_as_a_thing_to_do_unasked() -> None:
    for text in (BASE, workspace("world")):
        (line,) = [line for line in text.splitlines() if ENABLE[0] in line]
        assert ENABLE[1] in line
        assert "only if" in line.lower()
    for phrase in ("turn on ambient memory writeback", "remember things I tell you without being asked"):
        assert phrase in BASE


def test_f12_identity_is_last_and_cut_before_the_contract() -> None:
    assert instructions(None, " the brain of Acme ").endswith("\nthe brain of Acme")
    whole = instructions(ALL[0], "x" * 5000)
    assert whole.startswith(instructions(ALL[0]))
    assert len(whole) <= WHOLE_CHARS
