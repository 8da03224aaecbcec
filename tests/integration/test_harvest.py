"""What a hook banked is a fact after a sweep: real hook, real command, real model server, nobody else about."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from commandline import Gbrain
from gbrain import Brain, open_brain
from integration.hooks import ANSWER, hook, reader, remembering
from model_server import ModelServer, Told, completion

SECONDS = 30.0


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with reader() as server:
        yield server


@pytest.fixture
def gbrain(tmp_path: Path, model: ModelServer) -> Gbrain:
    return remembering(tmp_path, model)


def banked(gbrain: Gbrain) -> list[str]:
    return sorted(path.name for path in (gbrain.home / "transcripts" / "corpus").iterdir())


def sweep(gbrain: Gbrain, clock: str = "") -> Any:
    ran = gbrain.run("sweep", "--once", "--json", "--budget-ms", "60000", env={"GBRAIN_CLOCK": clock})
    assert ran.code == 0, ran
    return ran.json


def facts(gbrain: Gbrain) -> list[str]:
    return [row["fact"] for row in gbrain("recall", "--json").json["facts"]]


def begin(gbrain: Gbrain) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "gbrain", "sweep", "--once", "--json"]
    return subprocess.Popen(command, env=gbrain.environment(), stdout=subprocess.PIPE)


def until(true: Callable[[], object]) -> None:
    """Wait for something to come true."""
    end = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < end
        os.sched_yield()


def lapse(gbrain: Gbrain) -> None:
    """Let what a killed process held run out."""
    with open_brain(str(gbrain.home)) as brain:
        assert isinstance(brain, Brain)
        with brain.store.engine.transaction():
            brain.store.engine.rows("update leases set expires_at = '2020-01-01T00:00:00.000000Z'", {})
            brain.store.engine.rows("update turns set held_until = '2020-01-01T00:00:00.000000Z'", {})


def test_a_turn_banked_while_nobody_serves_is_taken_in_once_later(gbrain: Gbrain, model: ModelServer) -> None:
    hook(gbrain)
    hook(gbrain)
    assert len(banked(gbrain)) == 1
    assert (sweep(gbrain)["corpusIngested"], facts(gbrain)) == (1, ["prefers dark mode"])
    hook(gbrain)
    assert (sweep(gbrain)["corpusIngested"], facts(gbrain), len(model.asked)) == (0, ["prefers dark mode"], 1)


def test_what_was_captured_before_anybody_decided_is_taken_in(gbrain: Gbrain) -> None:
    gbrain("config", "unset", "memory.auto_writeback")
    hook(gbrain, "--capture")
    assert [".cap-" in name for name in banked(gbrain)] == [True]
    assert (sweep(gbrain)["corpusIngested"], facts(gbrain)) == (1, ["prefers dark mode"])


def test_a_sweep_killed_while_the_model_thinks_loses_nothing(gbrain: Gbrain, model: ModelServer) -> None:
    hook(gbrain)
    model.go.clear()
    running = begin(gbrain)
    until(lambda: model.asked)
    running.kill()
    running.communicate()
    model.go.set()
    assert len(banked(gbrain)) == 1
    lapse(gbrain)
    assert (sweep(gbrain)["corpusIngested"], facts(gbrain)) == (1, ["prefers dark mode"])


def test_a_sweep_killed_after_it_saved_asks_no_model_again(gbrain: Gbrain, model: ModelServer) -> None:
    hook(gbrain)
    sweep(gbrain)
    # Broken off between the store and the sidecar, with half a sidecar left.
    corpus = gbrain.home / "transcripts" / "corpus"
    (done,) = corpus.glob("*.ingested")
    done.rename(f"{done}.tmp-1")
    assert (sweep(gbrain)["corpusIngested"], facts(gbrain), len(model.asked)) == (1, ["prefers dark mode"], 1)


def test_two_sweepers_at_once_ask_once(gbrain: Gbrain, model: ModelServer) -> None:
    hook(gbrain)
    model.go.clear()

    def answer(body: dict[str, Any]) -> Told:
        return completion(ANSWER)

    model.script = answer
    first = begin(gbrain)
    until(lambda: model.asked)
    with open_brain(str(gbrain.home)) as brain:
        assert isinstance(brain, Brain)
        with brain.store.engine.transaction():
            # As if the model took longer than the lease lasts: then only the claim of the turn is in the way.
            brain.store.engine.rows("update leases set expires_at = '2020-01-01T00:00:00.000000Z'", {})
    second = sweep(gbrain)
    assert [one["reason"] for one in second["skipped"]] == ["corpus_in_progress"]
    model.go.set()
    assert json.loads(first.communicate()[0])["corpusIngested"] == 1
    assert (len(model.asked), facts(gbrain)) == (1, ["prefers dark mode"])


@pytest.mark.parametrize("clock", ["+400d", "2020-01-01T00:00:00Z"])
def test_a_clock_that_leaps_loses_no_turn(gbrain: Gbrain, clock: str) -> None:
    hook(gbrain)
    assert sweep(gbrain, clock)["corpusIngested"] == 1
    assert facts(gbrain) == ["prefers dark mode"]
