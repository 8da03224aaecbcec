"""What passes over the pages ask: which are past their expiry, which mentions are not answered."""

from collections.abc import Sequence

from gbrain.store.engine import Engine, Row


class Upkeep:
    """Questions for the operator's own passes, about whole sources."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def expired(self, sources: Sequence[str], now: str, limit: int = 1000) -> list[Row]:
        """The pages of these sources that are past their expiry and not deleted, the earliest first."""
        return self._engine.rows(
            "select source_id, slug, title, expiry, version from pages where source_id in (:sources) and expiry <= :now"
            " and deleted_at is null order by expiry, id limit :limit",
            {"sources": list(sources), "now": now, "limit": limit},
        )

    def unanswered(self, page_id: int, types: Sequence[str]) -> int:
        """How many pages of these types, of the same source and as open, a page links to that do not link back."""
        rows = self._engine.rows(
            "select count(distinct q.id) as n from links l join pages p on p.id = l.from_id join pages q on"
            " q.id = l.to_id where l.from_id = :page and q.id <> :page and q.source_id = p.source_id"
            " and q.type in (:types) and q.deleted_at is null and q.private >= p.private and not exists"
            " (select 1 from links b where b.from_id = l.to_id and b.to_id = :page)",
            {"page": page_id, "types": list(types)},
        )
        return int(rows[0]["n"])
