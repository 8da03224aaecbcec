"""Texts of pages as they stood at an earlier moment, of those pages that were written since."""

from collections.abc import Iterator
from typing import NamedTuple

from gbrain.store import visibility
from gbrain.store.engine import Engine
from gbrain.store.pages import page_of_row
from gbrain.types import Page, PageVersion, View

BATCH = 100


class Stood(NamedTuple):
    """A page with the header that it has now and the text that it had then."""

    page: Page
    version: PageVersion


class Past:
    """Reads of `page_versions` as of the moment of a view."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def written_since(self, view: View) -> Iterator[Stood]:
        """The visible pages that were there at the moment of the view and were written, renamed, deleted or brought
        back since, by their ids; a version that this reader may not see is none."""
        after = 0
        while True:
            rows = self._engine.rows(
                "select p.*, v.content, v.body_start as body_from, v.version as version_then, v.content_hash as"
                " hash_then, v.modified_at, v.modified_by as written_by, v.reason from pages p cross join page_versions"
                " v where v.source_id = p.source_id and v.page_id = p.id and v.version = (select max(w.version) from"
                " page_versions w where w.source_id = p.source_id and w.page_id = p.id and w.modified_at <= :v_now)"
                f" and p.id > :after and p.last_modified > :v_now and p.created_at <= :v_now and {visibility.pages()}"
                " and (:v_private = 1 or v.private = 0) order by p.id limit :limit",
                {**visibility.params(view), "after": after, "limit": BATCH},
            )
            for row in rows:
                version = PageVersion(
                    row["version_then"],
                    row["content"],
                    row["hash_then"],
                    row["modified_at"],
                    row["written_by"],
                    row["reason"],
                )
                yield Stood(page_of_row({**row, "body_start": row["body_from"]}, ()), version)
            if len(rows) < BATCH:
                return
            after = rows[-1]["id"]
