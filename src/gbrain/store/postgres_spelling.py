"""Shared SQL as psycopg reads it."""

import re
from functools import lru_cache

# Quoted text, comments and `::` are matched so that a colon in them is passed over.
_NAMED = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|::|:([a-z_][a-z0-9_]*)", re.IGNORECASE)


@lru_cache(maxsize=1024)
def spelled(sql: str) -> str:
    """Shared SQL in psycopg's spelling: `:name` becomes `%(name)s` and `%` is doubled, outside quotes and comments."""

    def one(found: re.Match[str]) -> str:
        name = found.group(1)
        return f"%({name})s" if name else found.group(0)

    return _NAMED.sub(one, sql.replace("%", "%%"))
