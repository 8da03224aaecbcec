"""A brain as one SQLite file, whichever engine keeps it: written at one moment, read through, and poured back."""

import re
from collections.abc import Callable
from typing import NamedTuple

import apsw

from gbrain.backups import Table
from gbrain.errors import Unavailable
from gbrain.store.copy import brain_of, copy, digest
from gbrain.store.engine import Engine, steps
from gbrain.store.opening import database
from gbrain.store.postgres_tables import TABLES
from gbrain.store.probe import Probe, Trouble
from gbrain.store.sqlite import SQLiteEngine
from gbrain.store.sqlite_copy import settled, used_elsewhere

Say = Callable[[str], None]


class Held(NamedTuple):
    """What a file holds: its schema step, the id of its brain, its tables by name, and how many rows of `pages` are
    deleted and of `facts` forgotten or replaced."""

    schema: int
    brain: str
    tables: dict[str, Table]
    ended: dict[str, int]


def write(engine: Engine, path: str, say: Say) -> None:
    """Write the brain of an engine to a new file, as it is at one moment, while others write.

    SQLite copies its pages. From PostgreSQL the rows are read in one repeatable transaction and compared; the vectors,
    which are made from the texts, stay behind. Raises Unavailable.
    """
    if isinstance(engine, SQLiteEngine):
        engine.copy_to(path)
        return
    target = SQLiteEngine(path)
    try:
        with engine.snapshot():
            copy(engine, target, say)
    finally:
        target.close()
    try:
        settled(path)
    except apsw.Error as error:
        raise Unavailable(
            f"{path} could not be written ({type(error).__name__})", "run: gbrain doctor", detail={"reason": "io"}
        ) from error


def held(path: str) -> Held:
    """What a file holds. Raises Unavailable for one that is damaged, or no brain."""
    engine = SQLiteEngine(path)
    try:
        schema = engine.rows("pragma user_version")[0]["user_version"]
        return Held(schema, brain_of(engine) or "", tables(engine), _ended(engine))
    finally:
        engine.close()


def _ended(engine: Engine) -> dict[str, int]:
    pages = engine.rows("select count(*) as n from pages where deleted_at is not null")[0]["n"]
    facts = engine.rows("select count(*) as n from facts where expired_at is not null")[0]["n"]
    return {"pages": pages, "facts": facts}


def tables(engine: Engine) -> dict[str, Table]:
    """Every table of a brain, but for what it knows of itself, which changes when a version opens it."""
    shapes = {name: shape for name, shape in engine.shapes().items() if name != "meta"}
    return {name: Table(*digest(engine, name, shape)) for name, shape in shapes.items()}


def problems(path: str) -> list[str]:
    """What is wrong with a file of a brain; nothing is changed."""
    try:
        probe = Probe(path)
        try:
            probe.identify()
            return probe.problems(full=True)
        finally:
            probe.close()
    except Trouble as trouble:
        return [trouble.words or trouble.reason]


def upgraded(path: str) -> Held:
    """Bring a file to the newest schema; what it holds then."""
    engine = SQLiteEngine(path)
    try:
        engine.migrate()
    finally:
        engine.close()
    return held(path)


def in_use(path: str) -> bool:
    """Whether another process has a database file open; one that nobody has is whole by itself afterwards."""
    return used_elsewhere(path)


def pour(path: str, url: str, say: Say) -> dict[str, Table]:
    """Copy the brain in a file, which is of the newest schema, into an empty PostgreSQL database; its tables there.

    Raises InvalidParams where there is another brain, Unavailable.
    """
    origin, target = SQLiteEngine(path), database(url)
    try:
        copy(origin, target, say)
        return tables(target)
    finally:
        target.close()
        origin.close()


def has_brain(url: str) -> bool:
    """Whether there is a whole brain in a PostgreSQL database. Raises Unavailable."""
    engine = database(url)
    try:
        return brain_of(engine) is not None
    finally:
        engine.close()


def empty(url: str) -> None:
    """Take every row out of the tables of the brain in a PostgreSQL database; what guards them stays."""
    engine = database(url)
    try:
        there = {row["name"] for row in engine.rows(TABLES)}
        with engine.transaction():
            engine.rows(f"truncate {', '.join(name for name in _ours() if name in there)} restart identity")
    finally:
        engine.close()


def others(url: str) -> int:
    """How many connections of other gbrain processes a PostgreSQL database has, as far as this role is told."""
    engine = database(url)
    try:
        found = engine.rows(
            "select count(*) as n from pg_stat_activity where datname = current_database()"
            # Behind the name stands the number of the process; see the pool.
            " and application_name like 'gbrain %' and pid <> pg_backend_pid()"
        )
        return int(found[0]["n"])
    finally:
        engine.close()


def _ours() -> list[str]:
    # Only a brain on PostgreSQL needs the driver.
    from gbrain.store.postgres import SQL_FOLDER

    made: list[str] = []
    for _, file in steps(SQL_FOLDER):
        with open(file, encoding="utf-8") as script:
            made += re.findall(r"^create table (\w+)", script.read(), re.MULTILINE)
    return made
