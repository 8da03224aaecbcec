"""Tags: those written in a page's front matter, and those a person or agent put on it."""

from collections.abc import Iterable

from gbrain.store import visibility
from gbrain.store.engine import Engine, slices
from gbrain.types import View

FROM_TEXT, BY_HAND = "text", "hand"


class Tags:
    """The `tags` table. A rewrite of the page replaces the tags of its text; the others stay."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, page_ids: Iterable[int]) -> dict[int, tuple[str, ...]]:
        """The tags of each page, sorted."""
        found: dict[int, list[str]] = {}
        for ids in slices(page_ids):
            for row in self._engine.rows(
                "select page_id, tag from tags where page_id in (:ids) order by tag", {"ids": ids}
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
        for tag in tags:
            self.add(source, page_id, tag, FROM_TEXT)

    def add(self, source: str, page_id: int, tag: str, origin: str = BY_HAND) -> None:
        """Put a tag on a page. One that is there stays, and counts as put on by hand once it was."""
        again = "update set origin = excluded.origin" if origin == BY_HAND else "nothing"
        self._engine.rows(
            "insert into tags (source_id, page_id, tag, origin) values (:source, :page, :tag, :origin)"
            f" on conflict (source_id, page_id, tag) do {again}",
            {"source": source, "page": page_id, "tag": tag, "origin": origin},
        )

    def remove(self, page_id: int, tag: str) -> bool:
        """Take a tag off a page; whether it was there."""
        return bool(
            self._engine.rows(
                "delete from tags where page_id = :page and tag = :tag returning tag",
                {"page": page_id, "tag": tag},
            )
        )

    def count(self, view: View) -> int:
        """How many tags the pages bear that the reader may see."""
        found = self._engine.rows(
            f"select count(*) as n from tags t join pages p on p.id = t.page_id where {visibility.pages()}",
            visibility.params(view),
        )
        return int(found[0]["n"])
