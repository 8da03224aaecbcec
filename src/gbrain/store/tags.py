"""Tags: those written in a page's front matter, and those a person or agent put on it."""

from collections.abc import Iterable

from gbrain.store import visibility
from gbrain.store.engine import Engine
from gbrain.store.lists import slices
from gbrain.types import View

FROM_TEXT, BY_HAND = "text", "hand"
ABOVE = "above"
"""The origin of `a` where a page bears `a/b`: a filter for `a` finds the page, and nothing tells of the tag."""


class Tags:
    """The `tags` table. A rewrite of the page replaces the tags of its text; the others stay."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, page_ids: Iterable[int]) -> dict[int, tuple[str, ...]]:
        """The tags of each page, sorted."""
        found: dict[int, list[str]] = {}
        for ids in slices(page_ids):
            for row in self._engine.rows(
                "select page_id, tag from tags where page_id in (:ids) and origin <> :above order by tag",
                {"ids": ids, "above": ABOVE},
            ):
                found.setdefault(row["page_id"], []).append(row["tag"])
        return {page: tuple(tags) for page, tags in found.items()}

    def replace_text(self, source: str, page_id: int, tags: Iterable[str], *, new: bool) -> None:
        """Make the tags of the text of a page, which has none if it is `new`, exactly these."""
        if not new:
            self._engine.rows(
                "delete from tags where page_id = :page and origin = :origin",
                {"page": page_id, "origin": FROM_TEXT},
            )
            self._nest(page_id)
        for tag in tags:
            self.add(source, page_id, tag, FROM_TEXT)

    def add(self, source: str, page_id: int, tag: str, origin: str = BY_HAND) -> None:
        """Put a tag on a page. One that is there stays, and counts as put on by hand once it was."""
        self._put(source, page_id, tag, origin)
        for one in _above(tag):
            self._put(source, page_id, one, ABOVE)

    def _put(self, source: str, page_id: int, tag: str, origin: str) -> None:
        ranks = {BY_HAND: "", FROM_TEXT: " where tags.origin = 'above'", ABOVE: " where false"}
        self._engine.rows(
            "insert into tags (source_id, page_id, tag, origin) values (:source, :page, :tag, :origin)"
            f" on conflict (source_id, page_id, tag) do update set origin = excluded.origin{ranks[origin]}",
            {"source": source, "page": page_id, "tag": tag, "origin": origin},
        )

    def _nest(self, page_id: int) -> None:
        """Make the tags that others of the page stand below exactly those that do."""
        self._engine.rows(
            "delete from tags where page_id = :page and origin = :above", {"page": page_id, "above": ABOVE}
        )
        for row in self._engine.rows(
            "select source_id, tag from tags where page_id = :page and tag like '%/%'", {"page": page_id}
        ):
            for one in _above(row["tag"]):
                self._put(row["source_id"], page_id, one, ABOVE)

    def remove(self, page_id: int, tag: str) -> bool:
        """Take a tag off a page; whether it was there."""
        removed = self._engine.rows(
            "delete from tags where page_id = :page and tag = :tag and origin <> :above returning tag",
            {"page": page_id, "tag": tag, "above": ABOVE},
        )
        if removed:
            self._nest(page_id)
        return bool(removed)

    def count(self, view: View) -> int:
        """How many tags the pages bear that the reader may see."""
        found = self._engine.rows(
            f"select count(*) as n from tags t join pages p on p.id = t.page_id where {visibility.pages()}"
            " and t.origin <> :above",
            {**visibility.params(view), "above": ABOVE},
        )
        return int(found[0]["n"])


def _above(tag: str) -> list[str]:
    """The tags that a nested one stands below: `a` and `a/b` of `a/b/c`."""
    parts = tag.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts)) if all(parts[:end])]
