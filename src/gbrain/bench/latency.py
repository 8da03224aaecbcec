"""`gbrain bench latency`: how long everything takes on a brain of a given size, beside the bars it must reach."""

import json
import os
import random
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable
from typing import Any, NamedTuple

from gbrain import registry
from gbrain.ambient import recall_hook
from gbrain.bench import contention
from gbrain.bench.figures import Bar, Figure, timed, told
from gbrain.bench.generate import NOW, borrowed, prepared, standing_clock
from gbrain.bench.machine import (
    Cost,
    Failed,
    described,
    disk_bytes,
    environment,
    fsync_ms,
    gbrain_command,
    interleaved,
    kept,
    middle,
    once,
)
from gbrain.bench.requests import Series, reads, writes
from gbrain.bench.searching import searching
from gbrain.bench.wire import Server
from gbrain.bench.world import Size, World
from gbrain.brain import open_home
from gbrain.errors import BrainError
from gbrain.types import Caller

GROUPS = ("operations", "searching", "stdio", "processes", "writers")
RUNS = 15
"""How often each whole process is run; its median counts."""

CALLS_BEFORE_MEMORY = 1000

_MB = 1_000_000


class Options(NamedTuple):
    """What is measured, on what, and where the figures go; see `gbrain bench latency --help`."""

    pages: int
    calls: int
    seed: int
    work: str | None
    only: tuple[str, ...] = ()
    json: str | None = None
    strict: bool = False


def main(asked: Options) -> int:
    """Measure and print the table; returns 0, or 1 when something failed or, if strict, a bar was missed."""
    work = kept(asked.work)
    size = Size.of(asked.pages)
    print(f"A brain of {size.pages:,} pages, {size.links:,} links, {size.aliases:,} aliases, {size.facts:,} facts")
    try:
        home, world = prepared(work, size, asked.seed, lambda line: print(line, flush=True))
        figures = _measured(asked, work, home, world)
    except (Failed, BrainError, OSError) as error:
        print(f"The measurement failed: {error}", file=sys.stderr)
        return 1
    head = {**described(), "pages": size.pages, "seed": asked.seed, "fsync_ms": round(fsync_ms(work), 3)}
    return told(head, figures, asked.json, strict=asked.strict)


def _measured(asked: Options, work: str, home: str, world: World) -> list[Figure]:
    parts: dict[str, Callable[[str], list[Figure]]] = {
        "operations": lambda base: operations(base, world, asked.calls),
        "searching": lambda base: searching(base, world, asked.calls),
        "stdio": lambda base: over_stdio(base, world, asked.calls),
        "processes": lambda base: processes(base, world),
        "writers": lambda base: contention.measured(base, [being.slug for being in world.beings[:20]]),
    }
    figures: list[Figure] = []
    for name in GROUPS:
        if not asked.only or name in asked.only:
            print(f"  measuring: {name}", flush=True)
            with borrowed(home, work, name) as base:
                figures += parts[name](base)
    return figures


def operations(base: str, world: World, calls: int) -> list[Figure]:
    """Each series through `registry.call` in this process, as an agent over stdio would be answered."""
    rng = random.Random(f"{world.seed}:calls")
    caller = Caller.stdio("full", "bench")
    figures = []
    with open_home(os.path.join(base, ".gbrain"), clock=standing_clock, source="default") as brain:
        for series in (*reads(world, rng, calls), *writes(world, rng, max(calls // 2, 1), "direct")):

            def call(arguments: dict[str, Any], name: str = series.operation) -> object:
                return registry.call(brain, caller, name, arguments)

            _warm(call, series)
            numbers = timed(call, series.arguments)
            figures.append(Figure("operation", series.name, "ms", len(series.arguments), numbers, series.bars))
    return figures


def _warm(call: Callable[[dict[str, Any]], object], series: Series) -> None:
    """A first call loads its module, which belongs to the start of a process and is measured there."""
    if series.operation in ("remember", "put_page"):
        return
    for arguments in series.arguments[:3]:
        call(arguments)


def over_stdio(base: str, world: World, calls: int, *, runs: int = RUNS) -> list[Figure]:
    """The same series through a server, its memory after 1,000 calls, and its start.

    Words alone: what a server with the model holds is measured by `bench vectors`, and giving vectors to the texts of
    a brain that has none would be measured as the start of the server.
    """
    rng = random.Random(f"{world.seed}:calls")
    figures = []
    env = environment(base, GBRAIN_CLOCK=NOW.isoformat(), GBRAIN_EMBEDDING_PROVIDER="off")
    server = Server(env)
    try:
        server.greet()
        fewer = max(calls // 4, 1)
        for series in (*reads(world, rng, fewer), *writes(world, rng, max(fewer // 2, 1), "stdio")):

            def call(arguments: dict[str, Any], name: str = series.operation) -> object:
                return server.call(name, arguments)

            _warm(call, series)
            figures.append(Figure("stdio", series.name, "ms", len(series.arguments), _wall(call, series)))
        done = sum(figure.n for figure in figures)
        for at in range(done, CALLS_BEFORE_MEMORY):
            server.call("recall", {"entity": world.beings[at % world.size.pages].slug})
        now, peak = server.memory()
    finally:
        server.close()
    done = max(done, CALLS_BEFORE_MEMORY)
    figures.append(
        Figure("server", f"memory after {done:,} calls", "MB", 1, {"rss": now, "peak": peak}, (Bar("rss", 40),))
    )
    return [*figures, *starts(environment(base, GBRAIN_EMBEDDING_PROVIDER="off"), runs)]


def _wall(call: Callable[[dict[str, Any]], object], series: Series) -> dict[str, float]:
    numbers = timed(call, series.arguments)
    return {name: numbers[name] for name in ("p50", "p99", "max")}


def starts(env: dict[str, str], runs: int) -> list[Figure]:
    """From the spawn of a server to the answered `tools/list`; its processor time includes its end."""
    bare, costs, waits = [], [], []
    for _ in range(runs):
        bare.append(once([sys.executable, "-c", "pass"], env))
        server = Server(env)
        try:
            server.greet()
            server.request("tools/list", {})
            waits.append(server.age())
        finally:
            costs.append(server.close())
    numbers = _against(middle(costs), middle(bare))
    numbers["wall s"] = statistics.median(waits)
    return [Figure("server", "spawn to tools/list", "s", runs, numbers, (Bar("x pass", 8.0), Bar("cpu s", 0.10)))]


def processes(base: str, world: World, *, runs: int = RUNS) -> list[Figure]:
    """Commands as whole processes against `python -c pass`, the recall hook, and what `init` costs and leaves."""
    gbrain, env = gbrain_command(), environment(base)
    rng = random.Random(f"{world.seed}:commands")
    names = [world.beings[world.known(rng)].slug for _ in range(runs)]
    bars = (Bar("x pass", 12.0), Bar("cpu s", 0.15))
    fast: dict[str, Callable[[int], list[str]]] = {
        "remember": lambda at: ["remember", f"logged crate {at}", "--provenance", "bench", "--entity", names[at]],
        "recall": lambda at: ["recall", names[at]],
        "entity": lambda at: ["entity", names[at]],
    }
    other: dict[str, Callable[[int], list[str]]] = {
        "--version": lambda at: ["--version"],
        "--help": lambda at: ["--help"],
        "search": lambda at: ["search", *world.words(rng, 2)[:1]],
        "get": lambda at: ["get", names[at]],
        "list": lambda at: ["list"],
        "stats": lambda at: ["stats"],
        "doctor --fast": lambda at: ["doctor", "--fast"],
    }
    costs: dict[str, list[Cost]] = {name: [] for name in ("python -c pass", *fast, *other)}
    for at in range(runs):
        lines = {name: [*gbrain, *make(at)] for name, make in (fast | other).items()}
        for name, found in interleaved({"python -c pass": [sys.executable, "-c", "pass"], **lines}, env, 1).items():
            costs[name] += found
    bare = middle(costs["python -c pass"])
    figures = [
        Figure("command", name, "s", runs, _against(middle(found), bare), bars if name in fast else ())
        for name, found in costs.items()
    ]
    return [*figures, *_hook(base, world, rng, runs), *_init(runs)]


def _hook(base: str, world: World, rng: random.Random, runs: int) -> list[Figure]:
    """The recall hook before a prompt where no server runs, against the bare interpreter that agents run it with."""
    bare = (os.path.realpath(sys.executable), "-I", "-S")
    ask = (*bare, recall_hook.__file__, "prompt", "claude-code")
    costs: dict[str, list[Cost]] = {}
    for at in range(runs):
        someone = world.beings[world.known(rng)].title
        prompts = {"names somebody": f"What did {someone} promise us?", "names nobody": "Run the tests again, please."}
        costs.setdefault("", []).append(once((*bare, "-c", "pass"), {}))
        for name, prompt in prompts.items():
            given = os.path.join(base, "prompt.json")
            with open(given, "w", encoding="utf-8") as file:
                json.dump({"session_id": f"{name}-{at}", "cwd": base, "prompt": prompt}, file)
            costs.setdefault(f"a prompt that {name}", []).append(once(ask, environment(base), given))
    alone = middle(costs.pop(""))
    return [
        Figure("recall hook", name, "s", runs, _against(middle(found), alone), (Bar("cpu s", 0.06),))
        for name, found in costs.items()
    ]


def _against(cost: Cost, bare: Cost) -> dict[str, float]:
    return {"cpu s": cost.cpu, "x pass": cost.cpu / bare.cpu, "wall s": cost.wall}


def _init(runs: int) -> list[Figure]:
    costs, left = [], 0
    for _ in range(runs // 2):
        folder = tempfile.mkdtemp(prefix="gbrain-bench-")
        try:
            costs.append(once([*gbrain_command(), "init"], environment(folder)))
            left = disk_bytes(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    cost = middle(costs)
    return [
        Figure("command", "init", "s", len(costs), {"cpu s": cost.cpu, "wall s": cost.wall}, (Bar("cpu s", 0.3),)),
        Figure("disk", "an empty brain", "MB", 1, {"size": left / _MB}, (Bar("size", 1.0),)),
    ]
