"""Lists as parameters: shared SQL has `in (:names)`, and a database takes so many of its own."""

from collections.abc import Iterable, Mapping
from typing import Any

# Both databases take far more parameters; what grows beyond this is the time to plan the statement.
LIST_LIMIT = 500
"""The most values one `in (...)` takes; a caller with more asks in slices (`slices`)."""


def slices(values: Iterable[Any], size: int = LIST_LIMIT) -> list[list[Any]]:
    """The values in lists of at most `size`."""
    items = list(values)
    return [items[start : start + size] for start in range(0, len(items), size)]


def expand(sql: str, params: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """`in (:ids)` with a list becomes `in (:ids_0, :ids_1)`; an empty list matches nothing."""
    flat: dict[str, Any] = {}
    for name, value in params.items():
        if type(value) in (list, tuple):
            slots = [f"{name}_{position}" for position in range(len(value))]
            # `in ()` is an error on PostgreSQL, and no value equals null.
            listed = "(" + ", ".join(":" + slot for slot in slots) + ")" if slots else "(null)"
            # Only names of ours get into the statement; the values stay parameters.
            sql = sql.replace(f"(:{name})", listed)
            flat.update(zip(slots, value, strict=True))
        else:
            flat[name] = value
    return sql, flat
