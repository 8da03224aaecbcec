"""One connection to a SQLite file: which SQLite may, how it is set up, and how it waits for others."""

import errno
import os
import random
import time

import apsw

from gbrain.errors import Unavailable
from gbrain.store.sqlite_copy import make

BUSY_SECONDS = 10.0
"""How long a statement waits for other processes, in all."""
CACHE_KIB = 2048
_NO_ROOM = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))
"""SQLite calls the first of these a full disk, and a quota or a limit on files an I/O error."""
_WAL_RESET_FIXED = (3, 51, 3)


def connected(path: str) -> apsw.Connection:
    """A connection to a database file, set up as all of ours are; the file is made where there is none.

    Raises Unavailable for a SQLite that is too old, a file that was cut to nothing and a full disk, apsw.Error for
    the rest.
    """
    # Before this version a log that was begun anew could lose commits of another process.
    if tuple(int(part) for part in apsw.sqlite_lib_version().split(".")[:3]) < _WAL_RESET_FIXED:
        raise Unavailable(
            f"SQLite {apsw.sqlite_lib_version()} can corrupt a shared database",
            "run: pip install --upgrade apsw; then run: gbrain doctor",
        )
    # SQLite takes an empty file for a new database and deletes the log, which may hold all that was ever committed.
    if os.path.exists(path + "-wal") and (not os.path.exists(path) or os.path.getsize(path) == 0):
        raise damaged(path, "its main file is empty while a write-ahead log stands beside it")
    make(path)
    connection = apsw.Connection(path)
    # Before the first statement, which waits for a lock already.
    connection.set_busy_handler(Patience())
    # Else a statement is planned anew at every call where a value might lead to another plan.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    try:
        connection.execute(
            "pragma synchronous = full; pragma foreign_keys = on; pragma cache_size ="
            f" -{CACHE_KIB}; pragma trusted_schema = off; pragma temp_store = memory"
        ).fetchall()
    except apsw.IOError as error:
        if lacks_room(connection):
            raise full() from error
        raise
    return connection


def lacks_room(connection: apsw.Connection) -> bool:
    """Whether what the system last refused to a connection was room."""
    return connection.system_errno in _NO_ROOM


class Patience:
    """Waits in short random sleeps, up to BUSY_SECONDS a wait: SQLite's own back-off starves one of several writers."""

    def __init__(self) -> None:
        self._until = 0.0

    def __call__(self, tries: int) -> bool:
        now = time.monotonic()
        if tries == 0:
            self._until = now + BUSY_SECONDS
        if now >= self._until:
            return False
        time.sleep(random.uniform(0.0005, 0.0035))
        return True


def damaged(path: str, why: str) -> Unavailable:
    """The error for a file that is not what SQLite wrote; nothing is changed."""
    return Unavailable(
        f"the store at {path} is damaged ({why}); nothing was changed",
        "run: gbrain doctor for the way back; keep the file and its -wal as they are",
        detail={"reason": "damaged", "path": path},
    )


def full() -> Unavailable:
    """The error for what there was no room for."""
    return Unavailable(
        "the disk is full, or a quota is; nothing was written",
        "free some space, then run: gbrain doctor",
        detail={"reason": "disk_full"},
    )


def busy() -> Unavailable:
    """The error for a file that others kept locked for longer than anybody waits."""
    return Unavailable(
        f"another process kept the store locked for {BUSY_SECONDS:g} seconds",
        "try again; gbrain doctor names the process",
        detail={"reason": "busy"},
    )
