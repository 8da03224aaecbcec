"""Two brains of one script: one holds hidden things, in the other they were never there.

Both are planted side by side, and before each step the ids of both stand at the same number. So everything a caller
may see bears the same ids and times in both, and replies can be compared as they stand.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import databases
from gbrain import Brain, Caller, home as homes, open_brain, registry
from gbrain.brain import join_database
from gbrain.domain.places import Selection
from sweep.things import STEPS, Hidden

EngineName = Literal["sqlite", "postgres"]

NOW = "2031-05-04T22:10:00Z"
START = datetime(2031, 5, 4, 8, tzinfo=UTC)
ROLE = "swept"
TOKEN_NAME = "swept-example"
NUMBERED = ("pages", "facts", "links", "timeline")
"""The tables whose rows have numbers that count up."""


class Clock:
    """A clock that every step of the script moves by a minute, and that then stands still."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


def plant(brains: list[tuple[Brain, frozenset[Hidden]]], clock: Clock) -> None:
    """Run the script on brains that lack these kinds of hidden things; the first lacks none."""
    full = brains[0][0]
    assert not brains[0][1], "the first brain holds everything"
    for brain, lacks in brains:
        if "payroll" not in lacks:
            brain.store.sources.ensure("payroll", "2031-05-04T08:00:00.000000Z")
    for step in STEPS:
        clock.now += timedelta(minutes=1)
        numbers = _numbers(full)
        for brain, lacks in brains:
            arguments = step.instead if step.hidden_from(lacks) else step.arguments
            if arguments is None:
                continue
            if brain is not full:
                _set_numbers(brain, numbers)
            brain.selection = Selection(flag=step.source)
            registry.call(brain, Caller.local(), step.name, arguments, session=step.session)
    numbers = _numbers(full)
    full.selection = Selection()
    for brain, _ in brains[1:]:
        brain.selection = Selection()
        _set_numbers(brain, numbers)
        brain.store.engine.rows(
            "update meta set value = :id where key = 'brain_id'", {"id": full.store.config.brain_id()}
        )


def identify(brains: list[Brain]) -> str:
    """Make a client granted one source, the same in every brain; its token."""
    made = brains[0].auth_create(name=TOKEN_NAME, scopes=["read", "write", "admin"])
    columns = brains[0].store.engine.shapes()["clients"].columns
    row = brains[0].store.engine.rows("select * from clients")[0]
    slots = ", ".join(f":{name}" for name in columns)
    for brain in brains[1:]:
        brain.store.engine.rows(f"insert into clients ({', '.join(columns)}) values ({slots})", row)
    return str(made["token"])


def _numbers(brain: Brain) -> dict[str, int]:
    """The number each table has given out last."""
    engine = brain.store.engine
    if engine.name == "sqlite":
        held = {row["name"]: row["seq"] for row in engine.rows("select name, seq from sqlite_sequence")}
        return {table: held.get(table, 0) for table in NUMBERED}
    return {
        table: int(engine.rows(f"select last_value * cast(is_called as int) as n from {table}_id_seq")[0]["n"])
        for table in NUMBERED
    }


def _set_numbers(brain: Brain, numbers: dict[str, int]) -> None:
    engine = brain.store.engine
    for table, number in numbers.items():
        if not number:
            continue
        if engine.name == "sqlite":
            engine.rows("delete from sqlite_sequence where name = :table", {"table": table})
            engine.rows(
                "insert into sqlite_sequence (name, seq) values (:table, :seq)", {"table": table, "seq": number}
            )
        else:
            engine.rows(f"select setval('{table}_id_seq', {number})")


LACKS: dict[str, frozenset[Hidden]] = {
    "full": frozenset(),
    "world": frozenset({"private"}),
    "own": frozenset({"private", "payroll"}),
    "bound": frozenset({"private", "payroll", "others"}),
}
"""The brains of the sweep by what they lack: of `full` stdio is shown what is in `world`, an HTTP client `own`."""


class Planted(NamedTuple):
    """The brains on one engine, closed, as they are before anybody asks; and the client's token."""

    engine: EngineName
    folder: Path
    databases: dict[str, str]
    token: str


@cache
def _role() -> str:
    databases.shared().sql(f"create role {ROLE} login")
    return ROLE


def planted(engine: EngineName, folder: Path, model: str = "") -> Planted:
    """Make the three brains below `folder`, whose answers this model composes."""
    clock, held = Clock(), dict[str, str]()
    brains: list[tuple[Brain, frozenset[Hidden]]] = []
    for name, lacks in LACKS.items():
        home = str(folder / name)
        if engine == "postgres":
            server = databases.shared()
            held[name] = server.create(owner=_role())
            join_database(home, server.url(held[name], user=ROLE)).close()
        brains.append((open_brain(home, create=engine == "sqlite", clock=clock), lacks))
    plant(brains, clock)
    token = identify([brain for brain, _ in brains])
    for brain, _ in brains:
        brain.store.config.set("models.compose", model)
        brain.close()
    return Planted(engine, folder, held, token)


def copied(made: Planted, name: str, folder: Path) -> Path:
    """A copy of one of the brains below `folder`, as the home of a server."""
    home = folder / name / ".gbrain"
    shutil.copytree(made.folder / name, home)
    if made.engine == "postgres":
        server = databases.shared()
        database = server.create(owner=ROLE, like=f"template {made.databases[name]}")
        homes.set_database_url(str(home), server.url(database, user=ROLE))
    return folder / name


KEPT = {
    "pages": "source_id, id, slug, title, version, content_hash, private, deleted_at, modified_by",
    "page_versions": "source_id, page_id, version, content_hash, modified_by",
    "tags": "source_id, page_id, tag",
    "links": "source_id, from_id, to_id, link_type, context",
    "timeline": "source_id, page_id, date, summary",
    "facts": "source_id, id, fact, visibility, expired_at, superseded_by",
}
"""What nobody may change who may not see it, by table."""


def rows(home: Path) -> set[str]:
    """Everything a brain keeps for good, a text a row."""
    with opened(home) as brain:
        engine = brain.store.engine
        return {
            f"{table} {tuple(row.values())}"
            for table, columns in KEPT.items()
            for row in engine.rows(f"select {columns} from {table}")
        }


def clock() -> Callable[[], datetime]:
    """The moment at which everybody asks."""
    moment = datetime.fromisoformat(NOW)
    return lambda: moment


@contextmanager
def opened(home: Path) -> Iterator[Brain]:
    """A copy, opened in this process at the moment at which everybody asks."""
    with open_brain(str(home / ".gbrain"), clock=clock()) as brain:
        yield brain


def embedded(home: Path) -> None:
    """Give every text of a brain its vector, from the model that the environment names."""
    url = homes.database_url(str(home / ".gbrain"))
    if url:
        database = url.partition("?")[0].rpartition("/")[2]
        databases.shared().sql("create extension if not exists vector", database=database)
    with opened(home) as brain:
        assert brain.embed()["waiting"] == 0
