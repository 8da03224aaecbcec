"""The rehearsal of the verbs, and that it touches nothing but its scratch brain."""

import os
from pathlib import Path
from typing import Any

import pytest

from gbrain import open_brain
from gbrain.doctor.protocol import VERBS, misdeclared, rehearse


def test_the_seven_verbs_keep_their_protocol(home: Path, examined: Any) -> None:
    found = examined(home, fast=False)["protocol"]
    assert found["status"] == "ok"
    assert "details" not in found


def test_the_persons_own_brain_takes_no_part(home: Path, examined: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GBRAIN_SOURCE", "nowhere")
    monkeypatch.setenv("GBRAIN_CLOCK", "1999-01-01T00:00:00Z")
    before = (home / "brain.db").read_bytes()
    assert examined(home, fast=False).status("protocol") == "ok"
    assert (home / "brain.db").read_bytes() == before
    assert os.listdir(home) == ["brain.db"]


def test_it_is_not_run_in_the_fast_form(home: Path, examined: Any) -> None:
    found = examined(home, fast=True)
    assert found.status("protocol") == "skipped"
    assert not found.found["complete"]


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_is_declared_well(verb: str) -> None:
    assert misdeclared(verb) == []


def test_what_is_no_verb_is_told() -> None:
    assert misdeclared("get_stats") == ["get_stats is missing"]
    assert misdeclared("recal") == ["recal is missing"]


def test_a_brain_that_answers_otherwise_is_told(tmp_path: Path) -> None:
    """A claim that is there already is no new one, so the rehearsal notices."""
    with open_brain(str(tmp_path), create=True) as brain:
        brain.remember(fact="prefers tea to coffee", provenance="before", entity="Scratch Person", kind="preference")
        problems = rehearse(brain)
    assert "remember: a new claim was not inserted" in problems
