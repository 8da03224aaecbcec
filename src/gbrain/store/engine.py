"""The engine contract: what a database must do for the store. Everything else is shared SQL.

Shared SQL uses named parameters (`:name`); a list or tuple parameter stands inside `in (:names)`.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

from gbrain.types import Hit

Row = dict[str, Any]
Params = Mapping[str, Any]

LIST_LIMIT = 500
"""The most values one `in (...)` takes; a caller with more asks in slices (`slices`)."""


class Terms(NamedTuple):
    """One unit of a keyword query: the unit matches when every term does.

    `column` restricts it to one indexed column; `prefix` lets the last term match as a prefix.
    """

    terms: tuple[str, ...]
    column: str = ""
    prefix: bool = False


class Match(NamedTuple):
    """A keyword query: every unit of `must`, and at least one of `should` when there is any."""

    must: tuple[Terms, ...] = ()
    should: tuple[Terms, ...] = ()


class Engine(Protocol):
    """A database dialect."""

    name: str

    def rows(self, sql: str, params: Params = ...) -> list[Row]:
        """Run one statement and return its rows. Raises Unavailable when the store cannot answer."""

    def transaction(self) -> AbstractContextManager[None]:
        """A short write transaction; a nested one joins the outer. Rolled back when the block raises."""

    def keyword(self, index: str, match: Match, limit: int, weights: Sequence[float] = ...) -> list[Hit]:
        """Ids whose text matches, best first by BM25 (larger is better). No text can make it raise."""

    def index(self, index: str, id: int, columns: Sequence[str] | None) -> None:
        """Put the terms of one row (space-separated, one text a column) into a text index; None takes the row out."""

    def migrate(self) -> None:
        """Bring the schema to the newest step. Raises Unavailable for a newer, damaged or foreign store, unchanged."""

    def close(self) -> None:
        """Close every connection of this process."""


def slices(values: Iterable[Any], size: int = LIST_LIMIT) -> list[list[Any]]:
    """The values in lists of at most `size`."""
    items = list(values)
    return [items[start : start + size] for start in range(0, len(items), size)]


def like(text: str) -> str:
    """The text with `%`, `_` and the escape character taken literally in a `like ... escape '\\'`."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
