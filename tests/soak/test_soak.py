"""A brain torn on purpose: servers, hooks, a sweep and a sync on it at once, while they are killed, the disk is full or
read-only, clocks leap and the database falls. What was acknowledged is there, what is private was shown to nobody, and
nothing grows without bound.

Eight seconds on each engine; `SOAK_SECONDS=1200` is the whole of it (`make soak`).
"""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import databases
from soak.actors import Actor, OverHttp, OverStdio, Talker, Writer
from soak.ledger import Ledger
from soak.world import World

SECONDS = float(os.environ.get("SOAK_SECONDS", "8"))
SEED = int(os.environ.get("SOAK_SEED", "1"))
LONG = SECONDS >= 120
GROWTH = 1.5
SPARE = 8 * 2**20


@pytest.fixture(params=["sqlite", "postgres"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    database = databases.started() if request.param == "postgres" else None
    made = World(tmp_path, Ledger(), SEED, database)
    try:
        made.prepare()
        yield made
    finally:
        made.end()
        made.remove()
        if database:
            database.end()


def test_nothing_acknowledged_is_lost_nothing_leaks_nothing_stays(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    steady = OverStdio(world, "steady")
    actors: list[Actor] = [steady, OverStdio(world, "window"), OverHttp(world, "team"), Talker(world, "talker")]
    actors.append(Writer(world, "writer"))
    for actor in actors:
        actor.start()
    held = torn(world, steady)
    world.end()
    for actor in actors:
        actor.join(120)
        assert not actor.is_alive(), f"{actor.name} never ended"
    settle(world)
    with capsys.disabled():
        ledger = world.ledger
        print(f"\n{len(ledger.facts)} facts, {len(ledger.pages)} pages, {len(ledger.turns)} turns", dict(ledger.counts))
    assert world.ledger.wrong == []
    kept(world)
    nothing_stays(world)
    if LONG:
        # A server that never began would lose nothing either.
        heard = {fact.split()[0].rstrip("0123456789") for fact in world.ledger.facts.values()}
        assert heard == {"steady", "window", "team"}
        assert held[-1] <= GROWTH * held[len(held) // 4] + SPARE, f"the server grew: {held}"


def torn(world: World, steady: OverStdio) -> list[int]:
    """Strike again and again for as long as it lasts; the bytes that the steady server held."""
    held = list[int]()
    until = time.monotonic() + SECONDS * 0.8
    while time.monotonic() < until and not world.ledger.wrong:
        world.ended.wait(0.4)
        world.strike(world.random.choice(world.blows()))
        held.append(steady.resident())
    if world.mounted:
        world.strike("read-only")
        world.ended.wait(SECONDS * 0.1)
    return [size for size in held if size]


def settle(world: World) -> None:
    """What a person does afterwards: sync, and sweep until no turn waits."""
    assert world.gbrain.run("sync", "--source", "notes").code == 0
    for _ in range(40):
        world.gbrain("sweep", "--once", "--json", "--budget-ms", "60000")
        if not list((world.gbrain.home / "transcripts").rglob("*.part")):
            break


def kept(world: World) -> None:
    """All that was acknowledged, and a sound store."""
    ledger = world.ledger
    with world.open() as brain:
        facts = {row["id"]: row["fact"] for row in brain.store.engine.rows("select id, fact from facts")}
        if world.database is None:
            assert brain.store.engine.rows("pragma integrity_check") == [{"integrity_check": "ok"}]
        for slug, text in ledger.pages.items():
            # A later one may have been kept without an answer, so any version will do.
            versions = brain.call("get_versions", {"slug": slug, "include_content": True, "limit": 50})
            assert any(text.split() == version["content"].split() for version in versions), slug
        for path, lines in ledger.lines.items():
            page = brain.call("get_page", {"slug": Path(path).stem, "source_id": "notes"})
            assert lines <= set(page["compiled_truth"].splitlines())
    assert ledger.facts.items() <= facts.items()
    said = [path.read_text() for path in (world.gbrain.home / "transcripts").rglob("*.txt*")]
    everything = " ".join([*facts.values(), *said])
    found = [turn for turn in ledger.turns.values() if turn.split()[2] in everything]
    # A line that a full disk cut off stands torn in the log.
    log = (world.gbrain.home / "integrations" / "hooks" / "heartbeat.jsonl").read_text()
    assert len(found) >= log.count('"reason":"wb_banked"')
    checks = world.gbrain.run("doctor", "--json").json["checks"]
    assert [check for check in checks if check["status"] == "fail"] == []


def nothing_stays(world: World) -> None:
    """No process, no partial file, no log beside the store that grew without end."""
    found = subprocess.run(["pgrep", "-f", str(world.base)], capture_output=True, text=True, check=False).stdout.split()
    assert found == []
    partial = [path for path in world.gbrain.home.rglob("*") if ".tmp" in path.name or path.name.endswith(".part")]
    # What a killed hook had half written goes with the first sweep after an hour.
    assert len(partial) <= 2 + world.ledger.counts["blow: kill"], partial
    logs = [path for path in world.gbrain.home.rglob("*-wal") if path.stat().st_size > 8 * 2**20]
    assert logs == []
