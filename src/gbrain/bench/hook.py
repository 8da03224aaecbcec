"""`gbrain bench hook`: what the capture hook costs after each turn, as whole processes beside a bare interpreter.

Bars are processor time, median: 35 ms, and 60 ms with a transcript of 50 MB; and that each run leaves within its
deadline of two seconds, also beside eight busy processes.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import gbrain
from gbrain.bench.figures import Bar, Figure, quantile, told
from gbrain.bench.machine import Cost, Failed, described, once

CPU_MS, LARGE_CPU_MS, DEADLINE_MS = 35.0, 60.0, 2000.0
LARGE = 50 * 1024 * 1024
BUSY = 8
SAID = "I prefer dark mode in every editor, number {}."
_HOOK = os.path.join(os.path.dirname(os.path.abspath(gbrain.__file__)), "ambient", "hook.py")
_BARE = "python -I -S -c pass"


class Case(NamedTuple):
    """One thing that is run: its command, what it is given on stdin, and the most processor time it may take."""

    name: str
    command: tuple[str, ...]
    given: str
    most: float | None = CPU_MS


class Options(NamedTuple):
    """What is measured, on what, and where the figures go; see `gbrain bench hook --help`."""

    calls: int
    busy: int
    large: int = LARGE
    json: str | None = None
    strict: bool = False


def main(asked: Options) -> int:
    """Measure and print the table; returns 0, or 1 when something failed or, if strict, a bar was missed."""
    try:
        with tempfile.TemporaryDirectory(prefix="gbrain-bench-") as folder:
            place = Place(folder, asked.large)
            figures = [_figure("alone", case, costs) for case, costs in _runs(place, asked.calls)]
            with _busy(asked.busy):
                some = max(3, asked.calls // 5)
                figures += [
                    _figure(f"beside {asked.busy} busy processes", case, costs, wall=True)
                    for case, costs in _runs(place, some)
                ]
    except (Failed, OSError) as error:
        print(f"The measurement failed: {error}", file=sys.stderr)
        return 1
    return told(described(), figures, asked.json, strict=asked.strict)


class Place:
    """A home with memory on, and transcripts of Claude Code: a short one, one of no worth, a large one."""

    def __init__(self, folder: str, large: int) -> None:
        self.folder = folder
        self.env = {"HOME": folder, "PATH": os.environ.get("PATH", "")}
        self._number = 0
        self._transcripts = os.path.join(folder, ".claude", "projects", "p")
        os.makedirs(self._transcripts)
        for name, mode in ((".gbrain", "salient"), (".off", "off")):
            os.makedirs(os.path.join(folder, name), mode=0o700)
            with open(os.path.join(folder, name, "config.json"), "w", encoding="utf-8") as file:
                json.dump({"memory": {"auto_writeback": mode}}, file)
        self._write("known", [SAID.format(0)])
        self._write("short", ["thanks"])
        self._write("large", [SAID.format(0)], large)
        self._large = large

    def cases(self) -> list[Case]:
        """Everything that is run once in a round; what is banked is new in each."""
        self._number += 1
        self._write(f"new{self._number}", [SAID.format(self._number)])
        python = (os.path.realpath(sys.executable), "-I", "-S")
        off = os.path.join(self.folder, ".off")
        size = f"a transcript of {self._large // (1024 * 1024)} MB"
        return [
            Case(_BARE, (*python, "-c", "pass"), "", None),
            Case("a new turn", self._hook(python), self._payload(f"new{self._number}")),
            Case("a known turn", self._hook(python), self._payload("known")),
            Case("a turn of no worth", self._hook(python), self._payload("short")),
            Case("memory is off", (*self._hook(python), "--home", off), self._payload("known")),
            Case(size, self._hook(python), self._payload("large"), LARGE_CPU_MS),
        ]

    @staticmethod
    def _hook(python: Sequence[str]) -> tuple[str, ...]:
        return (*python, _HOOK, "stop", "claude-code")

    def _path(self, name: str) -> str:
        return os.path.join(self._transcripts, f"{name}.jsonl")

    def _payload(self, name: str) -> str:
        path = os.path.join(self.folder, f"{name}.json")
        if not os.path.exists(path):
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"session_id": name, "transcript_path": self._path(name), "cwd": self.folder}, file)
        return path

    def _write(self, name: str, turns: Sequence[str], size: int = 0) -> None:
        """A transcript; a large one is answers before the turn, and the result of a tool of 140,000 bytes after it."""
        answer = {"role": "assistant", "content": [{"type": "text", "text": "an answer of some length " * 200}]}
        result = {"role": "user", "content": [{"type": "tool_result", "content": "x" * 140_000}]}
        with open(self._path(name), "w", encoding="utf-8") as file:
            while file.tell() < size:
                file.write(json.dumps({"type": "assistant", "message": answer}) + "\n")
            for text in turns:
                file.write(json.dumps({"type": "user", "message": {"role": "user", "content": text}}) + "\n")
            if size:
                file.write(json.dumps({"type": "user", "message": result}) + "\n")


def _runs(place: Place, rounds: int) -> list[tuple[Case, list[Cost]]]:
    """Each case once a round, in turn, so that a busy moment of the machine meets them all."""
    cases, costs = list[Case](), dict[str, list[Cost]]()
    for _ in range(rounds):
        cases = place.cases()
        for case in cases:
            costs.setdefault(case.name, []).append(once(case.command, place.env, case.given or os.devnull))
    return [(case, costs[case.name]) for case in cases]


def _figure(group: str, case: Case, costs: Sequence[Cost], *, wall: bool = False) -> Figure:
    walls = [cost.wall * 1000 for cost in costs]
    numbers = {
        "cpu": statistics.median(cost.cpu * 1000 for cost in costs),
        "p50": quantile(walls, 0.5),
        "max": max(walls),
    }
    bars: tuple[Bar, ...] = ()
    if case.most is not None:
        bars = (Bar("max", DEADLINE_MS),) if wall else (Bar("cpu", case.most), Bar("max", DEADLINE_MS))
    return Figure(group, case.name, "ms", len(costs), numbers, bars)


@contextmanager
def _busy(count: int) -> Iterator[None]:
    """So many processes that do nothing but keep the processors busy."""
    processes = [subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()
