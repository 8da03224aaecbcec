"""JSON as people read it: the text of `json.dumps(value, indent=2)`, sooner.

With an indent the standard library leaves its encoder in C for one in Python. Most of what we say is records of
plain values, and their line breaks are separators that the one in C can write.
"""

import json
from functools import cache
from typing import Any

_HELD = (dict, list, tuple)
_PLAIN = frozenset((str, int, float, bool, type(None)))


def pretty(value: Any, depth: int = 0) -> str:
    """The text of a value with string keys, indented by two spaces. Raises ValueError for what JSON cannot say."""
    if not isinstance(value, _HELD) or not value:
        return _encoder(0).encode(value)
    encode = _encoder(0).encode
    if _PLAIN.issuperset(map(type, value.values() if isinstance(value, dict) else value)):
        inner = _encoder(depth + 1).encode(value)[1:-1]
    elif isinstance(value, dict):
        inner = _lines(depth).join(f"{encode(key)}: {pretty(item, depth + 1)}" for key, item in value.items())
    else:
        inner = _lines(depth).join(pretty(item, depth + 1) for item in value)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}{_lines(depth)[1:]}{inner}{_lines(depth - 1)[1:]}{closing}"


@cache
def _lines(depth: int) -> str:
    return ",\n" + "  " * (depth + 1)


@cache
def _encoder(depth: int) -> json.JSONEncoder:
    return json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(_lines(depth - 1), ": "))
