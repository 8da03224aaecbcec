"""Files: which file of a source's folder each page came from, and what it held when it was last looked at."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from gbrain.store.engine import Engine, Row
from gbrain.store.lists import slices

_COLUMNS = "path, page_id, version, hash, mtime, size, readable, doubts, pending"


class File(NamedTuple):
    """A file as it was last seen, or as it is about to be.

    `path` is relative to the folder, its parts joined by `/`. `version` is that of the page which holds these bytes,
    `hash` their SHA-256, `mtime` nanoseconds, `size` bytes. A file that is no page has `readable` False; `doubts` are
    (line, message, hint). `pending` is what a writer set out to do to it: `("write", hidden file, hash before)` or
    `("gone", inode, ctime)`.
    """

    path: str
    page_id: int | None
    version: int | None
    hash: str
    mtime: int
    size: int
    readable: bool = True
    doubts: tuple[tuple[int | None, str, str], ...] = ()
    pending: tuple[Any, ...] | None = None


class Files:
    """The `files` table: what lies in the folders of the sources, by source and path."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def all(self, source: str) -> dict[str, File]:
        """Every known file of a source by its path."""
        rows = self._engine.rows(f"select {_COLUMNS} from files where source_id = :source", {"source": source})
        return {row["path"]: _file(row) for row in rows}

    def under(self, source: str, paths: Iterable[str]) -> dict[str, File]:
        """The known files at these paths and below them."""
        found: dict[str, File] = {}
        for path in paths:
            rows = self._engine.rows(
                f"select {_COLUMNS} from files where source_id = :source"
                " and (path = :path or path >= :first and path < :past)",
                # `0` is the character after `/`.
                {"source": source, "path": path, "first": path + "/", "past": path + "0"},
            )
            found.update({row["path"]: _file(row) for row in rows})
        return found

    def at(self, source: str, paths: Sequence[str]) -> dict[str, File]:
        """The known files at exactly these paths."""
        found: dict[str, File] = {}
        for some in slices(paths):
            rows = self._engine.rows(
                f"select {_COLUMNS} from files where source_id = :source and path in (:paths)",
                {"source": source, "paths": some},
            )
            found.update({row["path"]: _file(row) for row in rows})
        return found

    def of_pages(self, source: str, page_ids: Iterable[int]) -> dict[int, File]:
        """The file of each of these pages that has one and was not removed with it."""
        found: dict[int, File] = {}
        for some in slices(page_ids):
            rows = self._engine.rows(
                f"select {_COLUMNS} from files where source_id = :source and page_id in (:ids) order by path desc",
                {"source": source, "ids": some},
            )
            found.update({row["page_id"]: _file(row) for row in rows})
        return found

    def of_slug(self, source: str, slug: str) -> File | None:
        """The file of the page of this slug, deleted or not; None where it has none."""
        rows = self._engine.rows(
            f"select {_COLUMNS} from files where source_id = :source and page_id in (select p.id from pages p where"
            " p.source_id = :source and p.slug = :slug) order by path limit 1",
            {"source": source, "slug": slug},
        )
        return _file(rows[0]) if rows else None

    def slugs(self, source: str, page_ids: Iterable[int]) -> dict[int, str]:
        """The slugs of pages that are not deleted, whoever may read them."""
        found: dict[int, str] = {}
        for some in slices(page_ids):
            rows = self._engine.rows(
                "select p.id, p.slug from pages p where p.source_id = :source and p.id in (:ids) and p.deleted_at is"
                " null",
                {"source": source, "ids": some},
            )
            found.update({row["id"]: row["slug"] for row in rows})
        return found

    def taken(self, source: str, slugs: Sequence[str]) -> set[str]:
        """Those of the slugs that a page of the source has, deleted or not."""
        found: set[str] = set()
        for some in slices(slugs):
            rows = self._engine.rows(
                "select p.slug from pages p where p.source_id = :source and p.slug in (:slugs)",
                {"source": source, "slugs": some},
            )
            found.update(row["slug"] for row in rows)
        return found

    def is_private(self, source: str, slug: str) -> bool:
        """Whether the page of this slug is private."""
        rows = self._engine.rows(
            "select p.private from pages p where p.source_id = :source and p.slug = :slug",
            {"source": source, "slug": slug},
        )
        return bool(rows and rows[0]["private"])

    def count(self, source: str) -> int:
        """How many files of a source are pages."""
        rows = self._engine.rows(
            "select count(*) as n from files where source_id = :source and page_id is not null", {"source": source}
        )
        return int(rows[0]["n"])

    def put(self, source: str, *files: File) -> None:
        """Note files as they are now, whatever was known of them."""
        values = [
            file._asdict()
            | {
                "source": source,
                "readable": int(file.readable),
                "doubts": json.dumps(file.doubts, ensure_ascii=False) if file.doubts else None,
                "pending": json.dumps(file.pending, ensure_ascii=False) if file.pending else None,
            }
            for file in files
        ]
        sets = ", ".join(f"{name} = excluded.{name}" for name in File._fields if name != "path")
        self._engine.many(
            f"insert into files (source_id, {_COLUMNS}) values (:source, :path, :page_id, :version, :hash, :mtime,"
            f" :size, :readable, :doubts, :pending) on conflict (source_id, path) do update set {sets}",
            values,
        )

    def remove(self, source: str, path: str) -> None:
        """Forget a file; its page is not touched."""
        self._engine.rows(
            "delete from files where source_id = :source and path = :path", {"source": source, "path": path}
        )


def _file(row: Row) -> File:
    doubts, pending = row["doubts"], row["pending"]
    return File(
        row["path"],
        row["page_id"],
        row["version"],
        row["hash"],
        row["mtime"],
        row["size"],
        row["readable"] == 1,
        tuple((line, message, hint) for line, message, hint in json.loads(doubts)) if doubts else (),
        tuple(json.loads(pending)) if pending else None,
    )
