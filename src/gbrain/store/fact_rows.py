"""Facts as rows of the fences in pages: the key that says which row a fact is, and whether a file is up to date."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gbrain.store.engine import Engine, Row
from gbrain.store.lists import slices


class KeptFact(NamedTuple):
    """A fact of a page, with the key of its row (None: it has none yet)."""

    id: int
    row_key: str | None
    fact: str
    kind: str
    confidence: float
    visibility: str
    notability: str
    valid_from: str
    valid_until: str | None
    expired_at: str | None
    superseded_by: int | None
    provenance: str
    context: str | None


class FactRows:
    """The columns `row_key` and `mirrored` of the `facts` table.

    A key means a fact together with the page it is about. `mirrored` is 0 while the page's file may not say what the
    fact says; whatever changes a fact sets it so.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, source: str, slug: str) -> list[KeptFact]:
        """The facts of a page, private ones too, in the order in which they were made: those that have not ended, and
        the ended ones that have a row."""
        rows = self._engine.rows(
            f"select {', '.join(KeptFact._fields)} from facts where source_id = :source and entity_key = :slug and"
            " entity_slug = :slug and (expired_at is null or row_key is not null) order by id",
            {"source": source, "slug": slug},
        )
        return [KeptFact(**row) for row in rows]

    def set_key(self, id: int, key: str | None) -> None:
        """Say which row a fact is."""
        self._engine.rows("update facts set row_key = :key, mirrored = 0 where id = :id", {"id": id, "key": key})

    def end(self, id: int, now: str, reason: str, by: int | None) -> None:
        """End a fact that comes from a row that holds no more; `by` is the fact that came in its place."""
        self._engine.rows(
            # `mirrored` stays: the file is where this end came from.
            "update facts set expired_at = :now, expired_reason = :reason, superseded_by = :by where id = :id",
            {"id": id, "now": now, "reason": reason, "by": by},
        )

    def look_again(self, source: str, slug: str) -> None:
        """The page's text has changed: its file may not say what its facts say."""
        self._engine.rows(
            "update facts set mirrored = 0 where source_id = :source and entity_key = :slug and mirrored = 1",
            {"source": source, "slug": slug},
        )

    def set_unread(self, source: str, slug: str, *, unread: bool) -> None:
        """Note whether rows of the page's text wait to become facts."""
        self._engine.rows(
            "update pages set unread = :unread where source_id = :source and slug = :slug and unread <> :unread",
            {"source": source, "slug": slug, "unread": int(unread)},
        )

    def unread(self, sources: Sequence[str], slug: str | None = None, limit: int = 1) -> list[Row]:
        """Living pages (source_id, slug, version) of which rows wait to become facts; `slug` asks for one of them."""
        return self._engine.rows(
            "select source_id, slug, version from pages where source_id in (:sources) and unread = 1"
            " and deleted_at is null and (cast(:slug as text) is null or slug = :slug)"
            " order by source_id, slug limit :limit",
            {"sources": list(sources), "slug": slug, "limit": limit},
        )

    def due(self, sources: Sequence[str], after: int, limit: int) -> list[Row]:
        """Pages (id, source_id, slug) above the id `after` whose files may be behind: they may lack a fact that
        everybody may read, or hold, unstruck, the row of one that has ended."""
        return self._engine.rows(
            f"select distinct p.id, p.source_id, p.slug {_DUE} and p.id > :after order by p.id limit :limit",
            {"sources": list(sources), "after": after, "limit": limit},
        )

    def count_due(self, sources: Sequence[str]) -> int:
        """How many such pages there are."""
        rows = self._engine.rows(f"select count(distinct p.id) as n {_DUE}", {"sources": list(sources)})
        return int(rows[0]["n"])

    def without_page(self, sources: Sequence[str], after: int, limit: int) -> list[Row]:
        """Entities in a folder (id, source_id, slug) that no page was ever of and of which everybody may read a fact.

        The id is that of the first such fact, above `after`; a page that is deleted or private is a page too.
        """
        return self._engine.rows(
            "select min(f.id) as id, f.source_id, f.entity_key as slug from facts f where f.source_id in (:sources)"
            " and f.mirrored = 0 and f.visibility = 'world' and f.entity_slug = f.entity_key and f.expired_at is null"
            " and f.entity_key like '%/%' and not exists"
            " (select 1 from pages p where p.source_id = f.source_id and p.slug = f.entity_key)"
            " group by f.source_id, f.entity_key having min(f.id) > :after order by id limit :limit",
            {"sources": list(sources), "after": after, "limit": limit},
        )

    def unstruck(self, ids: Iterable[int]) -> list[tuple[str, str]]:
        """Pages (source, slug) that may hold, unstruck, the row of one of these facts that has ended."""
        found: dict[tuple[str, str], None] = {}
        for some in slices(ids):
            rows = self._engine.rows(
                "select f.source_id, f.entity_key as slug from facts f where f.id in (:ids) and f.row_key is not null"
                " and f.mirrored = 0 and f.expired_at is not null and f.entity_slug = f.entity_key order by f.id",
                {"ids": list(some)},
            )
            found |= {(row["source_id"], row["slug"]): None for row in rows}
        return list(found)

    def mark_mirrored(self, facts: Iterable[KeptFact]) -> None:
        """Note that files say what these facts say; one that has changed since it was read is left."""
        self._engine.many(
            "update facts set mirrored = 1 where id = :id and mirrored = 0 and coalesce(expired_at, '') = :ended"
            " and coalesce(valid_until, '') = :until",
            [{"id": fact.id, "ended": fact.expired_at or "", "until": fact.valid_until or ""} for fact in facts],
        )


_DUE = (
    "from facts f join pages p on p.source_id = f.source_id and p.slug = f.entity_key where f.source_id in (:sources)"
    # This term is that of the index, in its words.
    " and f.mirrored = 0 and (f.visibility = 'world' or f.row_key is not null) and f.entity_slug = f.entity_key"
    " and (f.expired_at is not null and f.row_key is not null"
    " or f.expired_at is null and f.visibility = 'world' and p.private = 0) and p.deleted_at is null"
)

__all__ = ["FactRows", "KeptFact"]
