"""Several processes that write and read one brain at once. Run as a module it is one of them."""

import json
import os
import random
import select
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from gbrain import doctor
from gbrain.bench.figures import Bar, Figure, quantile
from gbrain.bench.machine import environment
from gbrain.brain import Brain, open_home
from gbrain.errors import BrainError
from gbrain.types import Caller, View

WRITERS, READERS, CLAIMS = 4, 4, 500
LONGEST_WAIT = 1.0
_EVERYTHING = View(("default",), True, "9999-01-01T00:00:00.000000Z")


class Outcome(NamedTuple):
    """What one process went through: its calls in seconds, and how many were refused."""

    calls: list[float]
    errors: int
    first_error: str


def measured(base: str, slugs: list[str], claims: int = CLAIMS) -> list[Figure]:
    """Let the processes loose on the brain under `base`; `slugs` are pages to talk and ask about."""
    home = os.path.join(base, ".gbrain")
    before = _facts(home)
    writers = [_spawn("write", base, number, claims, slugs) for number in range(WRITERS)]
    readers = [_spawn("read", base, number, claims, slugs) for number in range(READERS)]
    for process in writers + readers:
        _line(process)
    began = time.perf_counter()
    for process in writers + readers:
        _tell(process, "go\n")
    wrote = [_outcome(process) for process in writers]
    seconds = time.perf_counter() - began
    read = [_outcome(process) for process in readers]
    added = _facts(home) - before
    health = {row["name"]: row["status"] for row in doctor.report(home)["checks"]}
    expected = WRITERS * claims
    return [
        _of(f"{WRITERS} writers, remember", wrote),
        _of(f"{READERS} readers beside them", read),
        Figure(
            "many processes",
            "the store afterwards",
            "",
            expected,
            {
                "lost": float(expected - added),
                "unsound": float(health.get("store.integrity") != "ok"),
                "a second": expected / seconds,
            },
            (Bar("lost", 0), Bar("unsound", 0)),
        ),
    ]


def _of(name: str, outcomes: list[Outcome]) -> Figure:
    calls = [second * 1000 for outcome in outcomes for second in outcome.calls]
    errors = sum(outcome.errors for outcome in outcomes)
    for outcome in outcomes:
        if outcome.first_error:
            print(f"  {name}: {outcome.first_error}", file=sys.stderr)
    numbers = {"p50": quantile(calls, 0.5), "p99": quantile(calls, 0.99), "max": max(calls), "errors": float(errors)}
    return Figure(
        "many processes", name, "ms", len(calls), numbers, (Bar("errors", 0), Bar("max", LONGEST_WAIT * 1000))
    )


def _facts(home: str) -> int:
    with open_home(home) as brain:
        return int(brain.store.facts.totals(_EVERYTHING)["total"])


def _spawn(role: str, base: str, number: int, claims: int, slugs: list[str]) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "gbrain.bench.contention", role, base, str(number), str(claims), *slugs]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(base))


def _line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def _tell(process: "subprocess.Popen[str]", text: str) -> None:
    assert process.stdin is not None
    process.stdin.write(text)
    process.stdin.flush()


def _outcome(process: "subprocess.Popen[str]") -> Outcome:
    """What a process says at its end; a reader ends when its input does."""
    answer, _ = process.communicate()
    try:
        return Outcome(*json.loads(answer))
    except ValueError:
        return Outcome([0.0], 1, f"a process ended with {process.returncode} and no answer")


def _work(role: str, base: str, number: int, claims: int, slugs: list[str]) -> Outcome:
    """One process: opens the brain, says so, waits for the start, then calls."""
    rng = random.Random(number)
    calls: list[float] = []
    errors, first = 0, ""
    with open_home(os.path.join(base, ".gbrain")) as brain:
        print("ready", flush=True)
        sys.stdin.readline()
        step = _writing(brain, rng, number, slugs) if role == "write" else _reading(brain, rng, slugs)
        while len(calls) < claims if role == "write" else not _ended():
            began = time.perf_counter()
            try:
                step(len(calls))
            except BrainError as error:
                errors, first = errors + 1, first or f"{error.code}: {error.message}"
            calls.append(time.perf_counter() - began)
    return Outcome(calls or [0.0], errors, first)


def _writing(brain: Brain, rng: random.Random, number: int, slugs: list[str]) -> Callable[[int], Any]:
    def step(at: int) -> Any:
        fact = f"logged crate {number:02d}{at:04d} at dock {rng.randrange(90)}"
        arguments = {"fact": fact, "provenance": f"writer {number}", "entity": rng.choice(slugs), "kind": "event"}
        return brain.call("remember", arguments, caller=Caller.stdio("full", f"writer-{number}"))

    return step


def _reading(brain: Brain, rng: random.Random, slugs: list[str]) -> Callable[[int], Any]:
    def step(at: int) -> Any:
        name, key = (("recall", "entity"), ("entity", "name"))[at % 2]
        return brain.call(name, {key: rng.choice(slugs)}, caller=Caller.stdio())

    return step


def _ended() -> bool:
    return bool(select.select([sys.stdin], [], [], 0)[0])


if __name__ == "__main__":
    _role, _base, _number, _claims, *_slugs = sys.argv[1:]
    print(json.dumps(_work(_role, _base, int(_number), int(_claims), _slugs)))
