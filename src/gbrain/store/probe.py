"""A look at a store's file that neither makes, migrates nor repairs it, for the doctor."""

import os
import random
import time
from typing import Any, Literal, NamedTuple

import apsw

from gbrain.store.engine import Params, Row
from gbrain.store.layout import differences, shapes
from gbrain.store.lists import expand
from gbrain.store.sqlite import APPLICATION_ID, SQL_FOLDER
from gbrain.store.sqlite_terms import text_tables
from gbrain.store.unread import UNREAD, Unread, unread_files

Reason = Literal["missing", "empty", "damaged", "foreign", "busy", "unreadable", "read_only", "full"]

WAIT_SECONDS = 1.0
PROBLEMS_SHOWN = 20


class Trouble(Exception):
    """Why the file could not be read or written: a reason and, when there are any, SQLite's own words."""

    def __init__(self, reason: Reason, words: str = "") -> None:
        super().__init__(words or reason)
        self.reason: Reason = reason
        self.words = words


class Schema(NamedTuple):
    """The schema step of the file, the newest one that is known, and what it lacks: tables, columns and indexes."""

    step: int
    newest: int
    missing: tuple[str, ...]


class Probe:
    """A connection that waits at most WAIT_SECONDS for a lock. Raises Trouble from every method.

    Closing it leaves a write-ahead log as it was, since a checkpoint would change a damaged file. The file is
    never opened by other means: closing such a descriptor would drop the locks this process holds on it.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._refuse_unfit()
        logged = _length(path + "-wal") > 0
        try:
            self._connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
            self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(logged))
            self._connection.set_busy_handler(_Wait())
        except apsw.Error as error:
            raise _trouble(error) from None

    def identify(self) -> None:
        """Read the header and the schema; raises Trouble when they are damaged, or another program's."""
        tables = self._rows("select count(*) from sqlite_schema")[0][0]
        application = self._rows("pragma application_id")[0][0]
        if application != APPLICATION_ID and (tables or application):
            raise Trouble("foreign")
        if not tables:
            raise Trouble("empty")

    def problems(self, *, full: bool) -> list[str]:
        """What SQLite finds wrong, at most PROBLEMS_SHOWN lines; `full` compares every index with its table too."""
        check = "integrity_check" if full else "quick_check"
        try:
            found = [str(row[0]) for row in self._rows(f"pragma {check}({PROBLEMS_SHOWN})")]
            orphans = self._rows("pragma foreign_key_check") if full and found == ["ok"] else []
        except Trouble as trouble:
            if trouble.reason != "damaged":
                raise
            return [trouble.words]
        lines = [line for text in found if text != "ok" for line in text.splitlines()]
        lines += [f"row {row[1]} of {row[0]} points to a row of {row[2]} that is not there" for row in orphans]
        return lines[:PROBLEMS_SHOWN]

    def schema(self) -> Schema:
        """How the schema of the file compares with the one this version makes."""
        step = int(self._rows("pragma user_version")[0][0])
        scripts = sorted(name for name in os.listdir(SQL_FOLDER) if name.endswith(".sql"))
        newest = int(scripts[-1][:4])
        there = {row[0] for row in self._rows("select name from sqlite_schema")}
        wanted = _made_by(scripts[: max(step, 0)])
        if "text_places" in there:
            for (place,) in self._rows("select place from text_places order by place"):
                wanted += text_tables(place)
        missing = [name for name in wanted if name not in there]
        missing += [name for name in differences(shapes(self._named), step) if "." in name and name[0] != "+"]
        return Schema(step, newest, tuple(missing))

    def write(self) -> None:
        """Write a row and roll it back: raises Trouble when a person's next write would fail."""
        self._rows("begin immediate")
        try:
            self._rows("insert into meta (key, value) values ('doctor', '') on conflict (key) do nothing")
        finally:
            if self._connection.in_transaction:
                self._rows("rollback")

    def settings(self) -> dict[str, str]:
        """Every stored setting, known or not."""
        return {row[0]: row[1] for row in self._rows("select key, value from config order by key")}

    def languages(self) -> dict[str, tuple[str, str]]:
        """Of each source its language, and those that may stand in its text indexes, joined by spaces."""
        return {
            row[0]: (row[1], row[2]) for row in self._rows("select id, language, indexed_in from sources order by id")
        }

    def unread(self) -> dict[str, list[Unread]]:
        """Of each source with a folder of which the last sync could not read everything: those files."""
        rows = self._rows(
            f"select s.id, m.value from sources s join meta m on m.key = '{UNREAD}' || s.id"
            " where s.local_path is not null order by s.id"
        )
        return {row[0]: files for row in rows if (files := unread_files(row[1]))}

    def unwired(self) -> int:
        """How many pages have a text that is newer than the links and entries made from it."""
        return int(self._rows("select count(*) from pages where wired < version and deleted_at is null")[0][0])

    def born(self) -> str | None:
        """When the brain was made, as store text; None when that is not written."""
        found = self._rows("select min(created_at) from sources")
        return found[0][0] if found else None

    def close(self) -> None:
        """Close the connection, whatever statement is under way."""
        self._connection.close(True)

    def _refuse_unfit(self) -> None:
        # SQLite would throw away the log of a main file that was cut to nothing.
        if not os.path.lexists(self.path):
            raise Trouble("missing")
        if not os.path.isfile(self.path):
            raise Trouble("unreadable", "it is not a file")
        if os.path.getsize(self.path) == 0:
            orphaned = os.path.exists(self.path + "-wal") and os.path.getsize(self.path + "-wal") > 0
            raise (
                Trouble("damaged", "the file is empty and its write-ahead log is not") if orphaned else Trouble("empty")
            )

    def _named(self, sql: str, params: Params = {}) -> list[Row]:  # noqa: B006 - never changed
        try:
            cursor = self._connection.execute(*expand(sql, params))
            names = [column[0] for column in cursor.getdescription()]
            return [dict(zip(names, row, strict=True)) for row in cursor]
        except apsw.Error as error:
            raise _trouble(error) from None

    def _rows(self, sql: str) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(sql).fetchall()
        except apsw.Error as error:
            raise _trouble(error) from None


class _Wait:
    """A busy handler with short random sleeps, bounded by WAIT_SECONDS."""

    def __init__(self) -> None:
        self._until = 0.0

    def __call__(self, tries: int) -> bool:
        if tries == 0:
            self._until = time.monotonic() + WAIT_SECONDS
        time.sleep(random.uniform(0.001, 0.01))
        return time.monotonic() < self._until


def _length(path: str) -> int:
    """The size of a file in bytes, 0 when it is not there."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _made_by(scripts: list[str]) -> list[str]:
    """The tables and indexes that these migrations leave, made in memory."""
    # Made, and not read out of the scripts: only SQLite knows what they leave.
    with apsw.Connection(":memory:") as scratch:
        for name in scripts:
            with open(os.path.join(SQL_FOLDER, name), encoding="utf-8") as script:
                scratch.execute(script.read())
        names = [str(row[0]) for row in scratch.execute("select name from sqlite_schema order by rowid")]
    scratch.close()
    return names


_REASONS: tuple[tuple[type[apsw.Error], Reason], ...] = (
    (apsw.BusyError, "busy"),
    (apsw.LockedError, "busy"),
    (apsw.CorruptError, "damaged"),
    (apsw.NotADBError, "damaged"),
    (apsw.FullError, "full"),
    (apsw.ReadOnlyError, "read_only"),
    (apsw.CantOpenError, "unreadable"),
    (apsw.IOError, "unreadable"),
    (apsw.PermissionsError, "unreadable"),
)


def _trouble(error: apsw.Error) -> Trouble:
    reason: Reason = next((reason for kind, reason in _REASONS if isinstance(error, kind)), "unreadable")
    return Trouble(reason, str(error))
