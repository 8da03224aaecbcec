"""Vectors of chunks and facts: which rows await one, the model they are of, and what lies nearest to a question.

A row stands in `chunk_vectors` or `fact_vectors` from the moment its text is stored, with model 0 until a vector comes.
Only the vectors of the newest model are searched; the rows of others await one of it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from gbrain.domain.chunks import READING
from gbrain.store import visibility
from gbrain.store.engine import Engine, Kept, Space
from gbrain.store.fitting import fitting
from gbrain.store.lists import slices
from gbrain.types import ALL_PAGES, PageFilter, View

if TYPE_CHECKING:
    from gbrain.arrays import Vector

What = Literal["page", "fact"]
KINDS: tuple[What, ...] = ("page", "fact")
TABLES: dict[What, str] = {"page": "chunk_vectors", "fact": "fact_vectors"}

# The rows come by their ids; a planner that starts at the pages or facts of a source would walk them all.
CHOSEN_CHUNKS = "(select c.* from chunks c where c.id in (:ids)) as c cross join pages p"
_CHOSEN_FACTS = "(select c.id from facts c where c.id in (:ids)) as chosen cross join facts f"


class Near(NamedTuple):
    """A page's chunk, or a fact, by the cosine of its vector with the question's: -1 to 1."""

    kind: What
    id: int
    """The page's id, or the fact's."""
    ordinal: int
    """Which chunk of the page; 0 for a fact."""
    chunk_id: int
    """The chunk's id; 0 for a fact."""
    cosine: float


class Waiting(NamedTuple):
    """A row that awaits a vector; `seen` changes when its text does."""

    id: int
    seen: int


class Vectors:
    """The tables of vectors, and the models they are of."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def space(self) -> Space | None:
        """The space that is searched: that of the newest model; None before the first vector."""
        rows = self._engine.rows(
            "select id, name, dimension, centre, changed from embedding_models order by id desc limit 1"
        )
        return Space(**rows[0]) if rows else None

    def begin(self, model: str, dimension: int, centre: "Vector", now: str) -> Space:
        """Begin the space of a model and of how texts are read now: from now on every vector of another one counts for
        none."""
        # A model that reads texts cut otherwise gives vectors of another meaning: to the store that is another model.
        name = f"{model}#{READING}"
        added = self._engine.rows(
            "insert into embedding_models (name, dimension, centre, changed, created_at)"
            " values (:name, :dimension, :centre, 0, :now) returning id",
            {"name": name, "dimension": dimension, "centre": centre.tobytes(), "now": now},
        )
        return Space(int(added[0]["id"]), name, dimension, centre.tobytes(), 0)

    def expect(self, kind: What, source: str, id: int, *, private: bool, anew: bool = True) -> None:
        """Note that a row awaits a vector; `anew`, whatever it had, else only where it never was heard of."""
        held = "model = 0, changed = changed + 1" if anew else "model = model"
        found = self._engine.rows(
            f"update {TABLES[kind]} set private = :private, {held} where source_id = :source and id = :id returning id",
            {"id": id, "source": source, "private": int(private)},
        )
        if not found:
            self.expect_first(kind, source, id, private=private)

    def expect_first(self, kind: What, source: str, id: int, *, private: bool) -> None:
        """Note that a row that was just made awaits a vector."""
        self._engine.rows(
            f"insert into {TABLES[kind]} (id, source_id, private, model, changed)"
            " values (:id, :source, :private, 0, 0)",
            {"id": id, "source": source, "private": int(private)},
        )

    def drop(self, kind: What, ids: Sequence[int]) -> None:
        """Take rows out whose text is gone."""
        for part in slices(ids):
            self._engine.rows(f"delete from {TABLES[kind]} where id in (:ids)", {"ids": part})

    def moved(self, source: str) -> None:
        """Let every process read the rows of a source anew, since they belonged to another."""
        self._engine.rows("update embedding_models set changed = changed + 1")
        for table in TABLES.values():
            self._engine.rows(
                f"update {table} set changed = (select m.changed from embedding_models m where m.id = {table}.model)"
                " where source_id = :source and model in (select m.id from embedding_models m)",
                {"source": source},
            )

    def waiting(self, kind: What, space: Space | None, limit: int) -> list[Waiting]:
        """Rows without a vector of this space, those that never had one first; for None, rows without any vector.

        All are of one source and of one privacy: a quantised model's vectors depend on what shares their batch.
        """
        table = TABLES[kind]
        # The newest space has the highest number, so every other vector has a lower one.
        rows = self._engine.rows(
            f"select id, changed from {table} where model < :space and (source_id, private) ="
            f" (select source_id, private from {table} where model < :space order by model, changed, id limit 1)"
            " order by model, changed, id limit :limit",
            {"space": space.id if space else 1, "limit": limit},
        )
        return [Waiting(row["id"], row["changed"]) for row in rows]

    def keep(self, kind: What, space: Space, kept: Sequence[Kept]) -> int:
        """Store vectors of this space, leaving out rows whose text has changed or gone since; how many were stored."""
        with self._engine.transaction():
            changed = self._engine.rows(
                "update embedding_models set changed = changed + 1 where id = :id returning changed", {"id": space.id}
            )
            return self._engine.keep_vectors(TABLES[kind], space, kept, int(changed[0]["changed"])) if changed else 0

    def counts(self, space: Space | None) -> tuple[int, int]:
        """(rows with a vector of this space, rows without one), whoever may see them: for the operator."""
        held = total = 0
        for table in TABLES.values():
            row = self._engine.rows(
                f"select count(*) as n, count(*) filter (where model = :space) as held from {table}",
                {"space": space.id if space else -1},
            )[0]
            held, total = held + int(row["held"]), total + int(row["n"])
        return held, total - held

    def pending(self, view: View, space: Space, kinds: Sequence[What] = KINDS) -> bool:
        """Whether any row of what this reader may look into awaits a vector of this space."""
        return any(
            self._engine.rows(
                f"select 1 as there from {TABLES[kind]} where model < :space and source_id in (:sources)"
                " and (:private = 1 or private = 0) limit 1",
                {"space": space.id, "sources": list(view.sources), "private": int(view.private)},
            )
            for kind in kinds
        )

    def nearest(
        self,
        view: View,
        space: Space,
        vector: "Vector",
        limit: int,
        kinds: Sequence[What] = KINDS,
        *,
        only: PageFilter = ALL_PAGES,
        live: bool = True,
    ) -> list[Near]:
        """What this reader may see and lies nearest to a vector of this space, best first; each hit counts only when
        it is seen. `only` is of pages, `live` of facts.

        Raises Unavailable, reason `no_vector_index`, where the database cannot compare vectors.
        """
        found = [hit for kind in kinds for hit in self._of_kind(view, space, vector, limit, kind, only, live)]
        return sorted(found, key=lambda hit: (-hit.cosine, hit.kind, hit.id, hit.ordinal))[:limit]

    def cosines(self, kind: What, space: Space, vector: "Vector", ids: Sequence[int]) -> dict[int, float]:
        """The cosines of these chunks or facts with a vector of the space. The ids are those of rows already seen."""
        return self._engine.cosines(TABLES[kind], space, vector, ids) if ids else {}

    def _of_kind(
        self,
        view: View,
        space: Space,
        vector: "Vector",
        limit: int,
        kind: What,
        only: PageFilter,
        live: bool,
    ) -> list[Near]:
        # A little more than is asked for, since most readers may see most of what is near.
        fetch = max(100, limit + limit // 4)
        while True:
            hits = self._engine.nearest(TABLES[kind], space, vector, fetch, view.sources, private=view.private)
            kept: list[Near] = []
            # Checked in parts: the first usually has enough that may be seen.
            for part in slices(hits, max(limit, 50)):
                seen = self._seen(view, kind, [hit.id for hit in part], only, live)
                kept += [Near(kind, *seen[hit.id], hit.score) for hit in part if hit.id in seen]
                if len(kept) >= limit:
                    return kept[:limit]
            if len(hits) < fetch:
                return kept
            fetch *= 4

    def _seen(
        self, view: View, kind: What, ids: Sequence[int], only: PageFilter, live: bool
    ) -> dict[int, tuple[int, int, int]]:
        """(id, ordinal, chunk id) of the rows among these that the view shows."""
        if kind == "page":
            shown = chunks_seen(self._engine, view, ids, only)
            return {id: (page, ordinal, id) for id, (page, ordinal) in shown.items()}
        rows = self._engine.rows(
            f"select f.id from {_CHOSEN_FACTS} where f.id = chosen.id and {visibility.facts(view, live=live)}",
            {**visibility.params(view), "ids": list(ids)},
        )
        return {row["id"]: (row["id"], 0, 0) for row in rows}


def chunks_seen(
    engine: Engine, view: View, ids: Sequence[int], only: PageFilter = ALL_PAGES
) -> dict[int, tuple[int, int]]:
    """(page id, ordinal) of those chunks whose page this reader may see and which the filter lets through."""
    passes, wanted = fitting(only)
    where = f"p.id = c.page_id and {visibility.pages()}{passes}"
    found: dict[int, tuple[int, int]] = {}
    for part in slices(ids):
        rows = engine.rows(
            f"select c.id, c.page_id, c.ordinal from {CHOSEN_CHUNKS} where {where}",
            {**visibility.params(view), **wanted, "ids": part},
        )
        found.update({row["id"]: (row["page_id"], row["ordinal"]) for row in rows})
    return found
