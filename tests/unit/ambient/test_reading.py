"""Turns read at once, as a server does when a hook has told of them. One test a row of the table of the harvest."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from clocks import Clock
from gbrain import registry
from gbrain.ambient.reading import Reading, gate_of
from gbrain.errors import Unavailable
from gbrain.types import Caller
from model_server import ModelServer, completion
from unit.ambient.test_harvest import HASH, SAID, Bank, banked, model  # noqa: F401


class Tally:
    """Why the last turn was left, and how many were done with."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self.done = 0

    def skip(self, reason: str, count: int = 1) -> None:
        self.reason = reason

    def ingested(self) -> None:
        self.done += 1


def read(bank: Bank, name: str, ending: Callable[[], bool] = lambda: False) -> Tally:
    """Read a turn at once."""
    tally, ctx = Tally(), registry.context(bank.brain, Caller.local("harvest"))
    Reading(ctx, tally, "at_once", ending).file(name, gate_of(ctx))
    return tally


def told(bank: Bank) -> list[tuple[str, str | None, int | None]]:
    """Outcome, reason and facts of each line that was written down."""
    lines = bank.brain.journal.read("integrations/hooks/heartbeat.jsonl")
    assert {line["event"] for line in lines} <= {"writeback"}
    return [(line["outcome"], line.get("reason"), line.get("inserted")) for line in lines]


@pytest.fixture
def on(banked: Bank) -> Bank:  # noqa: F811
    banked.mode("salient", "salient")
    return banked


def test_j1_a_turn_becomes_a_fact(on: Bank, model: ModelServer) -> None:  # noqa: F811
    path = on.put()
    assert read(on, path.name).done == 1
    (fact,) = on.facts()
    assert (fact["provenance"], fact["session"], fact["fact"]) == ("hook:writeback", "s1", "prefers dark mode")
    assert told(on) == [("ok", None, 1)]
    assert (on.sidecar(path)["lane"], on.sidecar(path)["facts_inserted"]) == ("writeback", 1)
    assert {file.name for file in path.parent.iterdir()} == {path.name, f"{path.name}.ingested"}
    rows = on.brain.store.engine.rows("select saved_by from facts")
    assert [row["saved_by"] for row in rows] == ["hook"], "whoever reads a banked turn did not say it"


@pytest.mark.parametrize("keyless", [False, True], ids=["j2-off", "j3-off-and-keyless"])
def test_off_retires_a_turn(banked: Bank, request: pytest.FixtureRequest, keyless: bool) -> None:  # noqa: F811
    if not keyless:
        request.getfixturevalue("model")
    banked.mode("off", "off")
    path = banked.put()
    read(banked, path.name)
    assert (banked.sidecar(path)["skipped"], banked.facts()) == ("writeback_off", [])
    assert told(banked) == [("ok", "writeback_off", None)]


def test_j4_planes_that_disagree_hold_a_turn(banked: Bank, model: ModelServer) -> None:  # noqa: F811
    banked.mode(None, "salient")
    path = banked.put()
    assert read(banked, path.name).reason == "writeback_plane_drift"
    assert (banked.sidecar(path), path.exists(), model.asked) == (None, True, [])
    assert told(banked) == [("degraded", "writeback_plane_drift", None)]


def test_j5_a_model_that_answers_prose_gets_another_try(on: Bank, model: ModelServer) -> None:  # noqa: F811
    model.script = lambda body: completion("I think so.")
    path = on.put()
    read(on, path.name)
    assert (on.sidecar(path), on.facts()) == (None, [])
    assert told(on) == [("degraded", "extract_skipped_malformed_output", None)]


def test_j6_what_was_read_is_not_read_again(on: Bank, model: ModelServer) -> None:  # noqa: F811
    path = on.put()
    read(on, path.name)
    assert read(on, path.name).reason == "already_ingested"
    assert (len(on.facts()), len(model.asked)) == (1, 1)
    assert told(on)[1:] == [("ok", "already_ingested", None)]
    other = on.put(hash24="1" * 24)
    other.with_name(f"{other.name}.ingested").write_text('{"skipped": "writeback_off"}\n')
    assert read(on, other.name).reason == "already_ingested"
    assert len(model.asked) == 1


@pytest.mark.parametrize("warm", [False, True], ids=["j9-cold", "o6-warm"])
def test_settings_that_cannot_be_read_hold_a_turn(
    on: Bank,
    model: ModelServer,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    warm: bool,
) -> None:
    path = on.put()
    ctx = registry.context(on.brain, Caller.local("harvest"))
    if warm:
        assert gate_of(ctx).bundle.enabled

    def away() -> Any:
        raise Unavailable("the store is away", "run: gbrain doctor")

    # The one fault that cannot be brought about from outside at the right moment.
    monkeypatch.setattr(ctx.store.config, "all", away)
    tally = Tally()
    Reading(ctx, tally, "at_once").file(path.name, gate_of(ctx))
    assert tally.reason == "writeback_gate_unreadable"
    assert (on.sidecar(path), path.exists(), model.asked) == (None, True, [])


def test_j10_without_a_model_and_with_the_switch_off_a_turn_waits(on: Bank) -> None:
    path = on.put()
    read(on, path.name)
    on.brain.store.config.set("facts.extraction_enabled", "off")
    read(on, path.name)
    assert (on.sidecar(path), on.facts()) == (None, [])
    assert told(on) == [("degraded", "keyless", None), ("degraded", "extraction_disabled", None)]


def test_j11_only_the_lane_of_turns_is_told_of(on: Bank, model: ModelServer) -> None:  # noqa: F811
    read(on, on.put().name)
    # `told` holds that no other event was written.
    assert len(told(on)) == 1


def test_j12_agents_that_gbrain_runs_are_not_listened_to(on: Bank, model: ModelServer) -> None:  # noqa: F811
    path = on.put()
    own = path.with_name(path.name.replace("s1", "gbrain-claude-cli-cwd-1"))
    path.rename(own)
    read(on, own.name)
    assert (on.sidecar(own)["skipped"], on.facts(), model.asked) == ("self_capture", [], [])
    assert told(on) == [("ok", "self_capture", None)]


def test_a_turn_said_again_is_read_again_once_its_facts_lapsed(
    on: Bank,
    model: ModelServer,  # noqa: F811
    clock: Clock,
) -> None:
    fact = {"fact": "is in Lisbon", "kind": "fact", "notability": "medium", "transience": "transient"}
    model.script = lambda body: completion(json.dumps({"facts": [fact]}))
    path = on.put("I am in Lisbon for a few days.")
    read(on, path.name)
    clock.move(days=2)
    assert read(on, path.name).reason == "already_ingested"
    clock.move(days=2)
    again = read(on, path.name)
    assert (again.done, again.reason) == (1, None)
    first, second = on.facts()
    assert (first["fact"], second["fact"]) == ("is in Lisbon", "is in Lisbon")
    # What it says holds from when it was said again, and runs out after that.
    assert (first["valid_until"][:10], second["valid_from"][:10], second["valid_until"][:10]) == (
        "2031-05-07",
        "2031-05-08",
        "2031-05-11",
    )
    assert len(model.asked) == 2


@pytest.mark.parametrize("why", ["off", "ending"])
def test_what_a_model_says_too_late_is_not_kept(on: Bank, model: ModelServer, why: str) -> None:  # noqa: F811
    path = on.put()
    answer, ended = model.script, []

    def late(body: dict[str, Any]) -> Any:
        if why == "off":
            on.mode("off", "off")
        ended.append(why)
        return answer(body)

    model.script = late
    read(on, path.name, lambda: why == "ending" and bool(ended))
    assert (on.facts(), on.sidecar(path)) == ([], None)
    assert told(on) == [("degraded", "writeback_off_inflight" if why == "off" else "aborted", None)]
    # Nothing is lost: with consent it is read another time.
    on.mode("salient", "salient")
    model.script = answer
    assert read(on, path.name).done == 1
    assert (len(on.facts()), HASH in path.name, SAID in path.read_text()) == (1, True, True)
