"""The bank's turns in a sweep: what each state of the settings, of the model and of a file makes of them."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clocks import Clock
from gbrain import Brain, mirror_writing
from gbrain.ambient import bank
from model_server import ModelServer, completion, model_server, status
from unit.ops.conftest import Asker

SAID = "I prefer dark mode in every editor."
HASH = "5cb11b7d8b240810e3b1d38f"
FACT = {"fact": "prefers dark mode", "kind": "preference", "notability": "medium"}
LOW = {"fact": "ordered lunch", "kind": "event", "notability": "low"}


@pytest.fixture
def model(brain: Brain) -> Iterator[ModelServer]:
    """A scripted model, set as the brain's."""
    with model_server() as server:
        brain.store.config.set("models.default", f"endpoint:scripted-1 url={server.url}")
        server.script = lambda body: completion(json.dumps({"facts": [FACT, LOW]}))
        yield server


class Bank:
    """The bank of a brain, with a clock to date its files by."""

    def __init__(self, brain: Brain, clock: Clock) -> None:
        self.brain = brain
        self.clock = clock
        self.folder = Path(bank.folder(brain.home))

    def put(self, text: str = SAID, hash24: str = HASH, source: str | None = None, why: str = "wb") -> Path:
        status, name = bank.bank(self.brain.home, "s1", hash24, source, text, why)
        assert status == "wb_banked"
        path = self.folder / name
        os.utime(path, (self.clock.now.timestamp(),) * 2)
        return path

    def sidecar(self, path: Path) -> Any:
        beside = Path(f"{path}.ingested")
        return json.loads(beside.read_text()) if beside.exists() else None

    def facts(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.brain.store.engine.rows("select * from facts order by id")
        return rows

    def mode(self, stored: str | None, file: str | None) -> None:
        if stored is not None:
            self.brain.store.config.set("memory.auto_writeback", stored)
        mirror_writing.edit(self.brain.home, {"memory.auto_writeback": file})


@pytest.fixture
def banked(brain: Brain, clock: Clock) -> Bank:
    return Bank(brain, clock)


def swept(local: Asker) -> tuple[int, dict[str, int]]:
    told = local("sweep")
    return told["corpusIngested"], {one["reason"]: one["count"] for one in told["skipped"]}


def test_k2_a_turn_becomes_facts_once(banked: Bank, local: Asker, model: ModelServer) -> None:
    banked.mode("salient", "salient")
    path = banked.put()
    assert swept(local) == (1, {})
    (fact,) = banked.facts()
    assert (fact["fact"], fact["session"], fact["provenance"]) == ("prefers dark mode", "s1", "hook:writeback")
    assert (fact["source_id"], fact["visibility"]) == ("default", "private")
    told = banked.sidecar(path)
    assert (told["facts_inserted"], told["lane"], "skipped" in told) == (1, "writeback", False)
    assert swept(local) == (0, {"already_ingested": 1})
    os.unlink(f"{path}.ingested")
    assert swept(local) == (1, {})
    assert (len(model.asked), len(banked.facts())) == (1, 1)


def test_all_takes_what_is_of_little_note_too(banked: Bank, local: Asker, model: ModelServer) -> None:
    banked.mode("all", "all")
    banked.put()
    swept(local)
    assert [row["fact"] for row in banked.facts()] == ["prefers dark mode", "ordered lunch"]


GATE = [
    (None, None, "writeback_off", "extract"),
    ("off", None, "writeback_off", "writeback_off"),
    ("off", "all", "writeback_off", "writeback_off"),
    ("salient", "salient", "extract", "extract"),
    ("all", None, "extract", "extract"),
    ("always", None, "writeback_mode_invalid", "writeback_mode_invalid"),
    (None, "salient", "writeback_plane_drift", "writeback_plane_drift"),
    (None, "off", "writeback_off", "writeback_off_unsynced"),
]
HELD = ("writeback_mode_invalid", "writeback_plane_drift", "writeback_off_unsynced")


@pytest.mark.parametrize(
    ("stored", "file", "writeback", "capture"),
    GATE,
    ids=["unset", "k1-off", "off-all", "on", "all", "invalid", "k5-drift", "unsynced"],
)
def test_the_gate_decides_by_why_a_turn_was_banked(
    banked: Bank, local: Asker, model: ModelServer, stored: Any, file: Any, writeback: str, capture: str
) -> None:
    banked.mode(stored, file)
    for why, expected, hash24 in (("wb", writeback, HASH), ("cap", capture, "0" * 24)):
        path = banked.put(f"{SAID} ({why})", hash24, why=why)
        asked = len(model.asked)
        _, skipped = swept(local)
        told = banked.sidecar(path)
        if expected == "extract":
            assert (told["lane"], len(model.asked)) == ("writeback", asked + 1)
        else:
            assert (skipped[expected], len(model.asked)) == (1, asked)
            assert (told is None) == (expected in HELD)
            assert told is None or told["skipped"] == expected
        assert path.exists()
        path.unlink()


def test_k3_off_retires_without_a_model(banked: Bank, local: Asker) -> None:
    banked.mode("off", "off")
    path = banked.put()
    assert swept(local) == (0, {"writeback_off": 1})
    assert banked.sidecar(path)["skipped"] == "writeback_off"


def test_without_a_model_only_what_was_asked_for_is_kept(banked: Bank, local: Asker) -> None:
    banked.mode("salient", "salient")
    waits = banked.put()
    asked = banked.put("Please remember that my sister Ruta is allergic to nuts.", "1" * 24)
    assert swept(local) == (1, {"keyless": 2})
    assert (banked.sidecar(waits), banked.sidecar(asked)["skipped"]) == (None, "keyless")
    assert ["Ruta" in row["fact"] for row in banked.facts()] == [True]


def test_k4_facts_go_to_the_source_of_the_turn_or_nowhere(banked: Bank, local: Asker, model: ModelServer) -> None:
    banked.mode("salient", "salient")
    local("sources_add", id="wiki")
    known = banked.put(source="wiki")
    other = banked.put(hash24="2" * 24, source="elsewhere")
    assert swept(local) == (1, {"unknown_source": 1})
    assert [row["source_id"] for row in banked.facts()] == ["wiki"]
    assert (banked.sidecar(known) is None, banked.sidecar(other)) == (False, None)


@pytest.mark.parametrize(
    ("text", "reason", "final"),
    [("I think so.", "malformed_output", True), (None, "provider_error", False)],
    ids=["k6-prose", "failed"],
)
def test_a_model_that_fails(
    banked: Bank, local: Asker, model: ModelServer, text: str | None, reason: str, final: bool
) -> None:
    banked.mode("salient", "salient")
    path = banked.put()
    model.script = lambda body: completion(text) if text else status(400)
    assert swept(local) == (int(final), {f"extract_skipped_{reason}": 1})
    told = banked.sidecar(path)
    assert (told["skipped"], told["facts_inserted"]) == (reason, 0) if final else told is None


def test_the_switch_of_extraction_holds(banked: Bank, local: Asker, model: ModelServer) -> None:
    banked.mode("salient", "salient")
    brain = banked.brain
    brain.store.config.set("facts.extraction_enabled", "off")
    path = banked.put()
    assert swept(local) == (0, {"extraction_disabled": 1})
    assert banked.sidecar(path) is None


def test_a_secret_goes_nowhere_and_its_text_goes(banked: Bank, local: Asker, model: ModelServer) -> None:
    banked.mode("salient", "salient")
    path = banked.put("my password is hunter22x!")
    assert swept(local) == (0, {"secret_found": 1})
    assert (path.exists(), model.asked, banked.facts()) == (False, [], [])


def test_thirty_days_after_banking_a_turn_goes(banked: Bank, local: Asker, clock: Clock) -> None:
    banked.mode("salient", "salient")
    path = banked.put()
    clock.move(days=30)
    assert swept(local) == (0, {"keyless": 1})
    clock.move(seconds=1)
    assert swept(local) == (0, {"keyless": 1, "retention": 1})
    assert not path.exists()


def test_a_clock_that_leaps_costs_no_turn_that_can_be_read(
    banked: Bank, local: Asker, clock: Clock, model: ModelServer
) -> None:
    banked.mode("salient", "salient")
    banked.put()
    clock.move(days=400)
    assert swept(local) == (1, {})
    assert [row["valid_from"][:10] for row in banked.facts()] == ["2031-05-04"]


def test_agents_that_gbrain_runs_are_not_listened_to(banked: Bank, local: Asker, model: ModelServer) -> None:
    banked.mode("salient", "salient")
    path = banked.put()
    own = path.with_name(path.name.replace("s1", "gbrain-claude-cli-cwd-1"))
    path.rename(own)
    assert swept(local) == (0, {"self_capture": 1})
    assert banked.sidecar(own)["skipped"] == "self_capture"
