"""A SQLite database copied as a whole while others write to it, and made a file that needs no other beside it."""

import os

import apsw

STEP = 2_000
"""Pages between two looks: 8 MB."""


def copied(connection: apsw.Connection, path: str) -> int:
    """Copy what a connection sees to a new file; the schema step of the copy.

    Within a read transaction of the connection the copy is of one moment, and is never begun again however much others
    write meanwhile (https://www.sqlite.org/backup.html).
    """
    copy = apsw.Connection(path)
    try:
        with copy.backup("main", connection, "main") as backup:
            while not backup.done:
                # In steps, so that Ctrl-C is answered before gigabytes are copied.
                backup.step(STEP)
        return int(next(copy.execute("pragma user_version"))[0])
    finally:
        copy.close()


def settled(path: str) -> None:
    """Let a file do without a write-ahead log, so that it is whole by itself. Raises apsw.Error while it is in use."""
    connection = apsw.Connection(path)
    try:
        connection.execute("pragma journal_mode = delete").fetchall()
    finally:
        connection.close()


def make(path: str) -> None:
    """Make the file for its owner alone, if it is not there; SQLite gives its log the same mode."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        # It is there, or cannot be made: opening it says which.
        pass


def used_elsewhere(path: str) -> bool:
    """Whether another process has the file open: only who is alone with it may leave the write-ahead log.

    A file that nobody has open is whole by itself afterwards; one that cannot be read is left as it is.
    """
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        connection.execute("pragma journal_mode = delete").fetchall()
    except (apsw.BusyError, apsw.LockedError):
        return True
    except apsw.Error:
        # What cannot be read must not be changed by closing it either.
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    finally:
        connection.close()
    return False
