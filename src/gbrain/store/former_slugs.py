"""Slugs that pages are found by and do not have: those from before they were renamed, and other spellings."""

from collections.abc import Iterable

from gbrain.store import visibility
from gbrain.store.engine import Engine, Row
from gbrain.store.lists import slices
from gbrain.types import View


class FormerSlugs:
    """The `former_slugs` table: a slug in it is that of no page of its source."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def page(self, view: View, slug: str) -> Row | None:
        """The visible page (slug, source_id) that had this slug until it was renamed; None where no page had it."""
        rows = self._engine.rows(
            "select p.slug, p.source_id from former_slugs m join pages p on p.id = m.page_id where m.slug = :slug"
            f" and m.source_id in (:v_sources) and {visibility.pages()}",
            {**visibility.params(view), "slug": slug},
        )
        order = {source: place for place, source in enumerate(view.sources)}
        return min(rows, key=lambda row: order.get(row["source_id"], len(order)), default=None)

    def of(self, page_ids: Iterable[int]) -> dict[int, list[str]]:
        """The former slugs of each page that has some, sorted."""
        found: dict[int, list[str]] = {}
        for ids in slices(page_ids):
            for row in self._engine.rows(
                "select page_id, slug from former_slugs where page_id in (:ids) order by slug", {"ids": ids}
            ):
                found.setdefault(row["page_id"], []).append(row["slug"])
        return found

    def lead(self, source: str, slugs: Iterable[str], page_id: int) -> bool:
        """Let slugs lead to a page from now on, except those that a page has or had already; whether any is new."""
        with self._engine.unveiled():
            led = [
                self._engine.rows(
                    "insert into former_slugs (source_id, slug, page_id) select :source, :slug, p.id from pages p"
                    " where p.id = :page and not exists"
                    " (select 1 from pages o where o.source_id = :source and o.slug = :slug)"
                    " on conflict (source_id, slug) do nothing returning slug",
                    {"source": source, "slug": slug, "page": page_id},
                )
                for slug in slugs
            ]
        return any(led)

    def replace(self, source: str, slug: str, page_id: int) -> None:
        """Let a slug that a page has just given up lead to it, whichever page had it before."""
        self.forget(source, slug)
        self._engine.rows(
            "insert into former_slugs (source_id, slug, page_id) values (:source, :slug, :page)",
            {"source": source, "slug": slug, "page": page_id},
        )

    def forget(self, source: str, slug: str) -> None:
        """A page has this slug now: it leads to no other any more."""
        self._engine.rows(
            "delete from former_slugs where source_id = :source and slug = :slug", {"source": source, "slug": slug}
        )
