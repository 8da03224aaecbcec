"""A look into a SQLite brain, read-only and with nothing but the standard library, for a hook that runs alone.

It makes no file, holds up no writer, and gives up within a moment. The standard library's SQLite may be too old for
the text indexes, so these are not asked.
"""

import sqlite3
from collections.abc import Mapping
from typing import Any

from gbrain.store.lists import expand

BUSY_SECONDS = 0.2
APPLICATION_ID = 0x67627261


class Glance:
    """One read-only connection. Raises OSError where there is no brain that can be read just now."""

    def __init__(self, path: str) -> None:
        # In a URI of SQLite these three signs end the path or stand for another.
        quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        try:
            self._connection = sqlite3.connect(
                f"file:{quoted}?mode=ro", uri=True, timeout=BUSY_SECONDS, isolation_level=None
            )
            self._connection.execute("pragma query_only = on")
            (mark,) = self._connection.execute("pragma application_id").fetchone()
        except sqlite3.Error as error:
            raise OSError(str(error)) from error
        if mark != APPLICATION_ID:
            raise OSError("the file is no brain")

    def rows(self, sql: str, params: Mapping[str, Any] = {}) -> list[dict[str, Any]]:
        """Run one statement and return its rows; lists stand in `in (:names)`. Raises OSError when it cannot."""
        sql, params = expand(sql, params)
        try:
            cursor = self._connection.execute(sql, params)
            names = [column[0] for column in cursor.description or ()]
            return [dict(zip(names, row, strict=True)) for row in cursor]
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise OSError(str(error)) from error

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
