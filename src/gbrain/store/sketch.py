"""The vectors of one table in memory, for a database that cannot compare them itself.

Up to EXACT rows the vectors themselves are there, as bytes with a scale a row, and every one is compared. Beyond, one
bit a dimension is kept: on which side of the model's average it lies. How many bits two vectors share follows the angle
between them (Charikar, 2002), so the rows with most bits of the question are looked at closer: each bit counts as much
as the question's number there. The best of those are candidates, whose vectors decide: up to HELD rows they are in
memory too, beyond they are read from the store. Nothing here is the truth: rows that another process changed are read
by their change number before each look.
"""

from collections.abc import Iterable, Iterator, Sequence
from threading import Lock
from typing import Any

import apsw

from gbrain.arrays import NDArray, Vector, np
from gbrain.store.engine import Kept, Space
from gbrain.types import Hit

EXACT, HELD = 20_000, 60_000
"""To read the candidates' vectors takes 1.5 ms, to hold those of 60,000 rows 23 MB."""
CLOSER, CANDIDATES = 2_500, 400
"""How many rows are looked at closer, and the fewest candidates of them: of 200,000 rows 99.6 % of the best ten."""
SPARE = 200
"""Candidates beyond the hits that are asked for: to read a stored vector takes 4 us."""
READ_AT_ONCE = 4_096
_BLOCK = 4_096
_SIDES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32) * 2 - 1
"""The eight signs that each byte stands for."""

Connect = Any
"""Gives the connection of the thread."""


def packed(vectors: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """Vectors as bytes: the scale of each row, and its numbers divided by it; off by half of it at most."""
    scales = np.abs(vectors).max(axis=1).astype(np.float64) / 127
    return scales, np.rint(vectors / scales[:, None]).astype(np.int8)


def keep(connection: apsw.Connection, table: str, space: Space, kept: Sequence[Kept], changed: int) -> int:
    """See Engine.keep_vectors."""
    if not kept:
        return 0
    before = connection.total_changes()
    scales, codes = packed(np.stack([one.vector for one in kept]))
    connection.executemany(
        f"update {table} set model = :model, changed = :changed, scale = :scale, code = :code"
        " where id = :id and changed = :seen",
        [
            {
                "model": space.id,
                "changed": changed,
                "scale": scale,
                "code": code.tobytes(),
                "id": one.id,
                "seen": one.seen,
            }
            for one, scale, code in zip(kept, scales.tolist(), codes, strict=True)
        ],
    )
    return connection.total_changes() - before


class Sketch:
    """One table's vectors of one space, as this process last saw them. Threads take turns."""

    def __init__(self, table: str, space: Space) -> None:
        self._table = table
        self._space = space
        self._centre: Vector = np.frombuffer(space.centre, dtype=np.float32)
        self._words = -(-space.dimension // 64)
        self._sources: dict[str, int] = {}
        self._guard = Lock()
        self._empty()

    def nearest(
        self,
        connection: apsw.Connection,
        space: Space,
        vector: Vector,
        limit: int,
        sources: Sequence[str],
        private: bool,
    ) -> list[Hit]:
        """See Engine.nearest."""
        with self._guard:
            # One number tells whether any other process stored a vector; without a change nothing is read.
            if space.changed > self._seen:
                self._refresh(connection, space.changed)
            shown = self._shown(sources, private)
            if self._count <= EXACT:
                return self._exact(vector, limit, shown)
            places = self._candidates(vector, max(CANDIDATES, limit + SPARE), shown)
            ids = self._ids[places]
            if self._codes is not None:
                scores = self._codes[places].astype(np.float32) @ vector * self._scales[places]
                return _best(ids, scores, limit)
        return self._rescored(connection, ids, vector, limit)

    def _empty(self) -> None:
        self._seen = self._count = self._gone = self._looked = 0
        self._ids: NDArray[np.int64] = np.zeros(0, np.int64)
        self._owner: NDArray[np.int32] = np.zeros(0, np.int32)
        """Twice the number of the row's source, and one more for a private row; -1 for one that was replaced."""
        # By columns: all rows of one word lie together, which counts 200,000 rows in 0.8 ms and not in 9.
        self._bits: NDArray[np.uint64] = np.zeros((self._words, 0), np.uint64)
        self._scales: NDArray[np.float32] = np.zeros(0, np.float32)
        self._room: tuple[NDArray[np.uint64], NDArray[np.uint8]] = (np.zeros(0, np.uint64), np.zeros(0, np.uint8))
        self._codes: NDArray[np.int8] | None = np.zeros((0, self._space.dimension), np.int8)

    def _refresh(self, connection: apsw.Connection, changed: int) -> None:
        """Take over what was stored since the last look; begin anew when much of what is held is stale."""
        self._load(connection, changed)
        # Deleted rows are not in the change log; they are dropped with the next sketch, once they are many.
        if self._count > self._looked * 5 // 4 + 1_000:
            self._looked = self._count
            held = connection.execute(f"select count(*) from {self._table} where model = ?", (self._space.id,)).get
            if self._count > int(held) * 5 // 4 + 1_000:
                self._empty()
                self._load(connection, changed)

    def _load(self, connection: apsw.Connection, changed: int) -> None:
        """Read the rows that were changed since the last look; `changed` is the space's number, read before them."""
        cursor = connection.execute(
            f"select id, source_id, private, scale, code, changed from {self._table}"
            " where model = ? and changed > ? order by changed",
            (self._space.id, self._seen),
        )
        last = self._seen
        for rows in _parts(cursor):
            self._add(rows, replaces=self._seen > 0)
            last = rows[-1][5]
        # What was stored of the other kind, or before this moment, is not looked for again.
        self._seen = max(last, changed)

    def _add(self, rows: list[Any], *, replaces: bool) -> None:
        ids = np.array([row[0] for row in rows], np.int64)
        if replaces and self._count:
            # Marked and not moved: taking rows out of the middle would copy all that follow.
            replaced = np.isin(self._ids[: self._count], ids)
            self._owner[: self._count][replaced] = -1
            self._gone += int(replaced.sum())
        start, end = self._count, self._count + len(rows)
        if end > len(self._ids):
            # By a quarter, so that a brain that grows row by row is not copied at each.
            self._grow(max(end, len(self._ids) * 5 // 4, 1_024))
        number = self._sources
        self._ids[start:end] = ids
        self._owner[start:end] = [2 * number.setdefault(row[1], len(number)) + row[2] for row in rows]
        self._scales[start:end] = [row[3] for row in rows]
        codes = np.frombuffer(b"".join([row[4] for row in rows]), np.int8).reshape(len(rows), -1)
        self._bits[:, start:end] = self._sides(codes * self._scales[start:end, None]).T
        if end > HELD:
            self._codes = None
        elif self._codes is not None:
            self._codes[start:end] = codes
        self._count = end

    def _grow(self, size: int) -> None:
        def grown(array: Any, shape: tuple[int, ...]) -> Any:
            made = np.zeros(shape, array.dtype)
            made[tuple(slice(0, length) for length in array.shape)] = array
            return made

        self._ids, self._owner = grown(self._ids, (size,)), grown(self._owner, (size,))
        self._scales = grown(self._scales, (size,))
        self._bits = grown(self._bits, (self._words, size))
        if self._codes is not None:
            self._codes = grown(self._codes, (min(size, HELD), self._space.dimension))

    def _sides(self, vectors: NDArray[np.float32]) -> NDArray[np.uint64]:
        # By the centre of the model: all its vectors lean one way, and sides of zero would be nearly the same.
        sides = np.packbits(vectors > self._centre, axis=1)
        whole = np.zeros((len(vectors), self._words * 8), np.uint8)
        whole[:, : sides.shape[1]] = sides
        return whole.view(np.uint64)

    def _shown(self, sources: Sequence[str], private: bool) -> NDArray[np.bool_] | None:
        """Which rows count for a reader; None for all."""
        owners = np.zeros(2 * len(self._sources) + 1, np.bool_)
        for source in sources:
            if (number := self._sources.get(source)) is not None:
                owners[2 * number] = True
                owners[2 * number + 1] = private
        if not self._gone and owners[:-1].all():
            return None
        # The last one stands for -1.
        return owners[self._owner[: self._count]]

    def _exact(self, vector: Vector, limit: int, shown: NDArray[np.bool_] | None) -> list[Hit]:
        assert self._codes is not None
        scores = np.empty(self._count, np.float32)
        # In blocks, which stay in the processor's cache once they are floats.
        for start in range(0, self._count, _BLOCK):
            scores[start : start + _BLOCK] = (
                self._codes[start : min(start + _BLOCK, self._count)].astype(np.float32) @ vector
            )
        scores *= self._scales[: self._count]
        if shown is not None:
            # Below every cosine.
            scores[~shown] = -2
        return _best(self._ids[: self._count], scores, limit)

    def _candidates(self, vector: Vector, most: int, shown: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        count = self._count
        asked = self._sides(vector[None])[0]
        apart = np.zeros(count, np.uint16)
        # Room that is used again: memory fresh from the system costs more than the counting.
        if len(self._room[0]) < count:
            self._room = np.empty(len(self._ids), np.uint64), np.empty(len(self._ids), np.uint8)
        unlike, number = self._room[0][:count], self._room[1][:count]
        for word in range(self._words):
            np.bitwise_xor(self._bits[word, :count], asked[word], out=unlike)
            apart += np.bitwise_count(unlike, out=number)
        if shown is not None:
            # Farther than any row can be, and left out of the histogram that follows.
            apart[~shown] = self._words * 64 + 1
        total = np.cumsum(np.bincount(apart, minlength=self._words * 64 + 2)[:-1])
        closer = min(max(CLOSER, most * 4), int(total[-1]))
        places = np.nonzero(apart <= int(np.searchsorted(total, closer)))[0] if closer else np.zeros(0, np.int64)
        if len(places) > most:
            places = places[np.argpartition(-self._closer(places, vector), most)[:most]]
        return places

    def _closer(self, places: NDArray[np.int64], vector: Vector) -> NDArray[np.float32]:
        """How well the sides of some rows agree with a vector: a byte of them is looked up in its sums."""
        whole = np.zeros(self._words * 64, np.float32)
        whole[: len(vector)] = vector
        sums = whole.reshape(-1, 8) @ _SIDES.T
        bytes_of = np.ascontiguousarray(self._bits[:, places].T).view(np.uint8)
        # The product with ones is the sum of each row, sooner.
        found: NDArray[np.float32] = sums.take(bytes_of + np.arange(len(sums)) * 256) @ np.ones(len(sums), np.float32)
        return found

    def _rescored(self, connection: apsw.Connection, ids: NDArray[np.int64], vector: Vector, limit: int) -> list[Hit]:
        """The candidates by their stored vectors; those that are gone, or of another model by now, are left out."""
        found = cosines(connection, self._table, self._space, vector, ids.tolist()) if len(ids) else {}
        return [Hit(id, score) for id, score in sorted(found.items(), key=lambda one: (-one[1], one[0]))[:limit]]


def cosines(
    connection: apsw.Connection, table: str, space: Space, vector: Vector, ids: Sequence[int]
) -> dict[int, float]:
    """See Engine.cosines."""
    rows: list[Any] = connection.execute(
        # One statement for any number of rows, which is planned once.
        f"select id, scale, code from {table} where model = ? and id in carray(?)",
        (space.id, apsw.carray(np.array(ids, np.int64))),
    ).fetchall()
    if not rows:
        return {}
    codes = np.frombuffer(b"".join([row[2] for row in rows]), np.int8).reshape(len(rows), -1)
    scores = codes.astype(np.float32) @ vector * np.array([row[1] for row in rows], np.float32)
    return dict(zip([row[0] for row in rows], scores.tolist(), strict=True))


def _best(ids: NDArray[np.int64], scores: NDArray[np.float32], limit: int) -> list[Hit]:
    if len(scores) > limit:
        chosen = np.argpartition(-scores, limit - 1)[:limit]
        ids, scores = ids[chosen], scores[chosen]
    order = np.lexsort((ids, -scores))
    pairs = zip(ids[order].tolist(), scores[order].tolist(), strict=True)
    return [Hit(id, score) for id, score in pairs if score > -2]


def _parts(rows: Iterable[Any]) -> Iterator[list[Any]]:
    part: list[Any] = []
    for row in rows:
        part.append(row)
        if len(part) == READ_AT_ONCE:
            yield part
            part = []
    if part:
        yield part
