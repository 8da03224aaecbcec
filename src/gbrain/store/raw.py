"""The bytes of a database's files, read through SQLite.

A process that uses a database must not open its files by other means: closing such a descriptor drops the locks it
holds. SQLite knows of them and closes its own later.
"""

from collections.abc import Iterator

import apsw

PIECE = 4 * 1024 * 1024


def pieces(path: str, overlap: int) -> Iterator[bytes]:
    """The bytes of a database or of its write-ahead log in pieces; each begins with the last `overlap` bytes before it.

    Raises OSError when the file cannot be read.
    """
    kind = apsw.SQLITE_OPEN_WAL if path.endswith("-wal") else apsw.SQLITE_OPEN_MAIN_DB
    try:
        file = apsw.VFSFile("", path, [apsw.SQLITE_OPEN_READONLY | kind, 0])
        try:
            size, last = file.xFileSize(), b""
            for at in range(0, size, PIECE):
                last = last[-overlap:] + file.xRead(min(PIECE, size - at), at)
                yield last
        finally:
            file.xClose()
    except apsw.Error as error:
        raise OSError(0, str(error)) from error
