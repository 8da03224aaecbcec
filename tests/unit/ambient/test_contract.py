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
class TestEach:
    def test_f6_eleven_points(self, told: Options) -> None:
        lines = section(told).splitlines()
        assert [line.split(".")[0] for line in lines[1:]] == [str(number) for number in range(1, 12)]
        assert "Never secrets" in lines[1]
        assert 'ttl: "365 days"' in lines[6]

    def test_f7_they_fit(self, told: Options) -> None:
        assert len(section(told).splitlines()) <= 15
        assert len(instructions(told)) <= WHOLE_CHARS


def test_f1_salient_keeps_what_lasts() -> None:
    salient = section(Options("salient", "3d", "world"))
    assert "every fact they state" not in salient
    assert "preferences, corrections, decisions" in salient


def test_f2_all_keeps_every_statement_but_four_kinds() -> None:
    everything = section(Options("all", "3d", "world"))
    for part in ("every fact they state", "no operational chatter", "nothing an assistant made", "secrets", "quoted"):
        assert part in everything


def test_f3_with_extract_facts_what_passes_is_never_batched() -> None:
    there = section(Options("salient", "12h", "world", True))
    assert 'ttl: "12h"' in there
    assert "never in a batch" in there


def test_f4_without_it_nothing_names_it() -> None:
    gone = section(Options("salient", "12h", "world", False))
    assert 'ttl: "12h"' in gone
    assert "extract_facts" not in gone


def test_f5_visibility_is_passed_every_time() -> None:
    assert 'visibility: "world"' in section(Options("salient", "3d", "world"))
    private = section(Options("salient", "3d", "private"))
    assert 'visibility: "private"' in private
    assert "remote sessions never see it" in private


def test_f8_off_is_the_base() -> None:
    assert instructions(None) == instructions(None, "  ") == BASE
    assert len(BASE) <= BASE_CHARS


def test_f9_on_adds_the_section_to_it() -> None:
    told = Options("salient", "3d", "world")
    assert instructions(told) == f"{BASE}\n\n{section(told)}"


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
