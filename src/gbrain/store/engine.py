"""The engine contract: what a database must do for the store. Everything else is shared SQL.

Shared SQL uses named parameters (`:name`); a list or tuple parameter stands inside `in (:names)`.
"""

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from gbrain.errors import Unavailable
from gbrain.types import Hit

if TYPE_CHECKING:
    from gbrain.arrays import Vector

Row = dict[str, Any]
Params = Mapping[str, Any]

T = TypeVar("T")

SPELLINGS = "|"
"""Stands between the spellings of a term; a word holds no such sign."""

DERIVED = ("chunks", "chunk_vectors", "embedding_models", "fact_vectors", "leases", "model_places")
"""Tables that are made from others, or for a moment: a copy of a brain makes its own."""


class Space(NamedTuple):
    """The vectors of one model over texts read in one way: `id` tags their rows. Vectors of two spaces are never
    compared.

    `name` is the model's and, behind a `#`, the number of the reading (`domain.chunks.READING`). `centre` is what the
    model gives on average, as float32 bytes: every vector of a space leans that way, so what tells them apart
    is on which side of it they lie.
    """

    id: int
    name: str
    dimension: int
    centre: bytes
    changed: int
    """The number of the last change of its vectors; it only grows."""

    @property
    def model(self) -> str:
        """The name of the model alone."""
        name, mark, _ = self.name.rpartition("#")
        return name if mark else self.name

    @property
    def reading(self) -> str:
        """The number of the reading; empty where none is told."""
        _, mark, number = self.name.rpartition("#")
        return number if mark else ""


class Kept(NamedTuple):
    """A vector to be kept for a row, float32 of length 1, if the row has not changed since it was `seen`."""

    id: int
    seen: int
    vector: "Vector"


class Terms(NamedTuple):
    """One unit of a keyword query: the unit matches when every term does.

    A term may have several spellings, joined by `SPELLINGS`, of which any will do. `column` restricts it to one
    indexed column; `prefix` lets the last term match as a prefix.
    """

    terms: tuple[str, ...]
    column: str = ""
    prefix: bool = False


class Match(NamedTuple):
    """A keyword query: every unit of `must`, and at least one of `should` when there is any."""

    must: tuple[Terms, ...] = ()
    should: tuple[Terms, ...] = ()


class Frequencies(NamedTuple):
    """How common words are in an index: `total` texts with `length` terms on average, `held` of them with each unit.

    Exact for small indexes; of a large one the counts of common words are estimated.
    """

    total: int
    length: float
    held: tuple[int, ...]

    def __add__(self, other: "Frequencies") -> "Frequencies":  # type: ignore[override]
        """Those of two indexes together, asked for the same units."""
        total = self.total + other.total
        length = (self.total * self.length + other.total * other.length) / total if total else 0.0
        return Frequencies(total, length, tuple(map(int.__add__, self.held, other.held)))


class Reach(NamedTuple):
    """What a caller may read at most, for a database that holds a second wall: None is every source, every slug."""

    sources: tuple[str, ...] | None
    private: bool
    slugs: tuple[str, ...] | None = None


class Shape(NamedTuple):
    """A table as it is: the names of its columns, and those of its primary key in their order."""

    columns: tuple[str, ...]
    key: tuple[str, ...]


class Engine(Protocol):
    """A database dialect."""

    name: str

    def rows(self, sql: str, params: Params = ...) -> list[Row]:
        """Run one statement and return its rows. Raises Unavailable when the store cannot answer."""

    def many(self, sql: str, params: Iterable[Params]) -> None:
        """Run one statement that returns nothing once for each of these parameters, none of which is a list."""

    def transaction(self) -> AbstractContextManager[None]:
        """A short write transaction; a nested one joins the outer. Rolled back when the block raises."""

    def in_transaction(self) -> bool:
        """Whether a transaction of this thread is under way."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Let the reads of this thread see the brain as it is at one moment, whatever others write. It is no time to
        write in, and within no transaction."""

    def within(self, reach: Reach | None) -> AbstractContextManager[None]:
        """Let the statements of this thread see no more than a caller may; None is for the store's own book-keeping.

        Where the database has no second wall this does nothing.
        """

    def unveiled(self) -> AbstractContextManager[None]:
        """Within the caller's sources, let statements see private rows too: a write must know what is there."""

    def keyword(
        self,
        index: str,
        match: Match,
        limit: int,
        weights: Sequence[float] = ...,
        sources: Sequence[str] = ...,
        *,
        ranked: bool = ...,
    ) -> list[Hit]:
        """Ids of rows of these sources whose text matches, best first by BM25 (larger is better).

        Rows of other sources count for nothing, not even for how rare a word is. When not `ranked`, the highest ids
        come first, all with one score, and no other row counts at all. No text can make it raise.
        """

    def frequencies(self, index: str, units: Sequence[Terms], sources: Sequence[str]) -> Frequencies:
        """How many texts of these sources hold each unit. Texts of other sources count for nothing."""

    def index(self, index: str, id: int, columns: Sequence[str] | None, source: str = ..., *, new: bool = ...) -> None:
        """Put the terms of one row (space-separated, one text a column) into a text index; None takes the row out.

        `source` is the row's own. A `new` row is not looked for first.
        """

    def index_rows(self, index: str, rows: Sequence[tuple[int, Sequence[str] | None, str]]) -> None:
        """Put many rows (id, columns, source) into a text index, or take them out."""

    def nearest(
        self, table: str, space: Space, vector: "Vector", limit: int, sources: Sequence[str], *, private: bool
    ) -> list[Hit]:
        """The rows of a table of vectors whose cosine with `vector` is highest, best first, with that cosine.

        Of other sources, and private rows unless `private`, none is looked at. A row may be gone meanwhile, and may be
        one that a reader's view leaves out for another reason. Raises Unavailable, reason `no_vector_index`, where the
        database cannot compare vectors.
        """

    def cosines(self, table: str, space: Space, vector: "Vector", ids: Sequence[int]) -> dict[int, float]:
        """How alike the vectors of these rows are to one of the same space; rows without one are left out."""

    def keep_vectors(self, table: str, space: Space, kept: Sequence[Kept], changed: int) -> int:
        """Store vectors with the change number `changed`, within a transaction; how many. Raises as `nearest`."""

    def migrate(self) -> None:
        """Bring the schema to the newest step. Raises Unavailable for a newer, damaged or foreign store, unchanged."""

    def shapes(self) -> dict[str, Shape]:
        """Every table that holds rows of the brain, by name; empty where no brain was made. Nothing is changed."""

    def sourced(self) -> list[str]:
        """Every table whose rows belong to a source by their column `source_id`, those of the text indexes too."""

    def drop_texts(self, source: str) -> None:
        """Drop the text indexes of a source, where it has tables of its own for them."""

    def merge_texts(self, source: str) -> None:
        """Write the text indexes of a source together after very many texts came at once, where that saves room."""

    def deferred(self) -> None:
        """Until the transaction under way ends, rows may refer to rows that are not there."""

    def renumber(self) -> None:
        """Give new rows ids above all that were put in with ids of their own."""

    def afresh(self) -> None:
        """Let this thread read from the store what comes next, not from what it keeps in memory of it."""

    def close(self) -> None:
        """Close every connection of this process."""


def like(text: str) -> str:
    """The text with `%`, `_` and the escape character taken literally in a `like ... escape '\\'`."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def steps(folder: str) -> list[tuple[int, str]]:
    """The migrations of a dialect in order: number and file."""
    names = sorted(name for name in os.listdir(folder) if name.endswith(".sql"))
    return [(int(name[:4]), os.path.join(folder, name)) for name in names]


class Interrupted(Unavailable):
    """The store broke off before anything was acknowledged: doing the same again is safe.

    Where the connection was lost during a commit, the work may have been done; asked for again it is found done.
    """


TRIES, FIRST_PAUSE = 8, 0.1
"""How often work that was interrupted is begun, and the first pause in seconds; each further one is twice as long."""


def persistently(work: Callable[[], T], tries: int = TRIES) -> T:
    """Do the work, again when it was interrupted: a restart of the database is waited for, some 13 s by default."""
    for left in reversed(range(tries)):
        try:
            return work()
        except Interrupted:
            if not left:
                raise
            time.sleep(FIRST_PAUSE * 2 ** (tries - left - 1))
    raise AssertionError("unreachable")
