"""Pages: the current version, every version kept, and the indexes that follow from them."""

import json
from collections.abc import Sequence

from gbrain.domain.slugs import alias_key, tail
from gbrain.domain.times import wire_time
from gbrain.errors import NotFound, ScopeDenied, VersionConflict
from gbrain.store import visibility
from gbrain.store.chunks import Chunks
from gbrain.store.engine import Engine, Row
from gbrain.store.fitting import fitting
from gbrain.store.former_slugs import FormerSlugs
from gbrain.store.languages import Languages
from gbrain.store.links import Links
from gbrain.store.lists import slices
from gbrain.store.names import CHOSEN, Names, name_words
from gbrain.store.tags import Tags
from gbrain.store.terms import index_terms
from gbrain.types import ALL_PAGES, Draft, Page, PageFilter, PageVersion, View, Written

BEGINNING = 4000
"""How many characters of a version's body a list of versions tells."""

_VERSION = "page_versions v on v.source_id = p.source_id and v.page_id = p.id and v.version = p.version"
_OF_PAGE = "page_versions v join pages p on p.id = v.page_id and p.source_id = v.source_id"
_CURRENT = f"select p.*, v.content from pages p join {_VERSION}"
_CHANGE = "p.slug, p.source_id, p.title, p.last_modified, p.changed"
_HEADER = (
    *("slug", "type", "title", "frontmatter", "body_start", "summary", "content_hash", "private", "confidence"),
    *("expiry", "effective_date", "effective_date_source"),
)


class Pages:
    """The `pages` and `page_versions` tables."""

    def __init__(self, engine: Engine, names: Names, links: Links, tags: Tags, chunks: Chunks) -> None:
        self._engine = engine
        self._chunks = chunks
        self._names = names
        self._links = links
        self._tags = tags
        self._languages = Languages(engine)
        self._former = FormerSlugs(engine)

    def get(self, view: View, slug: str, *, deleted: bool = False) -> Page | None:
        """The page of this exact slug, None when this reader may not see one. Of several, that of the first source."""
        rows = self._engine.rows(
            f"{_CURRENT} where p.slug = :slug and {visibility.pages(deleted=deleted)}",
            {**visibility.params(view), "slug": slug},
        )
        order = {source: place for place, source in enumerate(view.sources)}
        # Here and not in SQL: the order of the caller's sources is no column.
        rows.sort(key=lambda row: order.get(row["source_id"], len(order)))
        return self._pages(rows[:1])[0] if rows else None

    def by_ids(self, view: View, ids: Sequence[int]) -> list[Page]:
        """The visible pages among these ids, in the order of the ids."""
        found: dict[int, Page] = {}
        for part in slices(ids):
            rows = self._engine.rows(
                f"select p.*, v.content from {CHOSEN} join {_VERSION} where p.id = chosen.id and {visibility.pages()}",
                {**visibility.params(view), "ids": part},
            )
            found.update({page.id: page for page in self._pages(rows)})
        return [found[id] for id in ids if id in found]

    def fitting(self, view: View, ids: Sequence[int], only: PageFilter) -> set[int]:
        """Which of the visible pages among these a filter lets through."""
        if only == ALL_PAGES:
            return set(ids)
        passes, wanted = fitting(only)
        found: set[int] = set()
        for part in slices(ids):
            rows = self._engine.rows(
                f"select p.id from {CHOSEN} where p.id = chosen.id and {visibility.pages()}{passes}",
                {**visibility.params(view), **wanted, "ids": part},
            )
            found.update(row["id"] for row in rows)
        return found

    def headers(
        self,
        view: View,
        *,
        type: str | None,
        tag: str | None,
        updated_after: str | None,
        deleted: bool,
        order: str,
        limit: int,
        offset: int,
    ) -> list[Row]:
        """Headers of visible pages. `order` is one of the keys of `ORDERS`."""
        return self._engine.rows(
            "select p.slug, p.source_id, p.type, p.title, p.last_modified, p.deleted_at from pages p"
            f" where {visibility.pages(deleted=deleted)} and (cast(:type as text) is null or p.type = :type)"
            " and (cast(:tag as text) is null or exists (select 1 from tags t where t.page_id = p.id and t.tag = :tag))"
            " and (cast(:after as text) is null or p.last_modified > :after)"
            f" order by {ORDERS[order]} limit :limit offset :offset",
            {
                **visibility.params(view),
                "type": type,
                "tag": tag,
                "after": updated_after,
                "limit": limit,
                "offset": offset,
            },
        )

    def changed(self, view: View, since: str, since_slug: str, limit: int) -> list[Row]:
        """Visible pages changed after (`since`, `since_slug`), oldest first."""
        return self._engine.rows(
            f"select {_CHANGE} from pages p where {visibility.pages()}"
            " and (p.last_modified > :since or (p.last_modified = :since and p.slug > :slug))"
            " order by p.last_modified, p.slug limit :limit",
            {**visibility.params(view), "since": since, "slug": since_slug, "limit": limit},
        )

    def changed_after(self, view: View, number: int, limit: int) -> list[Row]:
        """Visible pages with a change number above `number`, in the order of their commits."""
        return self._engine.rows(
            f"select {_CHANGE} from pages p where {visibility.pages()} and p.changed > :number order by p.changed"
            " limit :limit",
            {**visibility.params(view), "number": number, "limit": limit},
        )

    def change_before(self, since: str) -> int:
        """The highest change number at a moment: everything above it came later."""
        with self._engine.within(None):
            rows = self._engine.rows(
                "select min(changed) - 1 as n from pages where last_modified > :since", {"since": since}
            )
        return int(rows[0]["n"]) if rows[0]["n"] is not None else self.last_change()

    def last_change(self) -> int:
        """The highest change number given out so far."""
        with self._engine.within(None):
            return int(self._engine.rows("select coalesce(max(changed), 0) as n from pages")[0]["n"])

    def write(
        self,
        view: View,
        source: str,
        draft: Draft,
        *,
        by: str,
        reason: str | None,
        expected: int | None,
        blind: bool,
        exact: bool = False,
    ) -> Written:
        """Store a draft as the next version of its page, in one transaction with every index.

        `expected` is the version the write was based on (0: the page must not exist); a blind write over an
        existing page is refused unless `blind`. The same content again is skipped, unless every byte of it counts
        (`exact`). Raises VersionConflict with the current version, ScopeDenied for a private page this caller may not
        see.
        """
        with self._engine.transaction(), self._engine.unveiled():
            # Unveiled, whoever writes: a page that the caller may not see must not be written over as if it were new.
            held = self._engine.rows(
                "select * from pages where source_id = :source and slug = :slug",
                {"source": source, "slug": draft.slug},
            )
            row = held[0] if held else None
            if row is not None:
                _refuse_hidden(view, row, expected)
            # Over a deleted page a write makes the next version, so that its history stays one.
            if row is None or row["deleted_at"] is not None:
                if expected:
                    moved = self._former.page(view._replace(sources=(source,)), draft.slug)
                    raise _gone(draft.slug, expected, moved["slug"] if moved else None)
            else:
                # The hash is of what the text says; bytes that only look different are no new version unless a file
                # holds them.
                if not exact and row["content_hash"] == draft.content_hash and expected in (None, row["version"]):
                    return Written(row["id"], row["version"], "skipped")
                _check_version(row, expected, blind)
            written = self._store(source, draft, row, view.now, by, reason)
            return written

    def rename(self, view: View, page_id: int, slug: str, *, by: str) -> None:
        """Give a page another slug, which no page of its source has or had; its versions and links go with it.

        Under the slug it had it is still found, until another page takes that one.
        """
        with self._engine.transaction(), self._engine.unveiled():
            row = self._engine.rows("select * from pages where id = :id", {"id": page_id})[0]
            self._unindex(row)
            self._engine.rows(
                "update pages set slug = :slug, tail = :tail, last_modified = :now, modified_by = :by,"
                " changed = :number where id = :id",
                {
                    "slug": slug,
                    "tail": tail(slug),
                    "now": view.now,
                    "by": by,
                    "number": self.last_change() + 1,
                    "id": page_id,
                },
            )
            # First, for the new slug may be one that this very page had before.
            self._former.forget(row["source_id"], slug)
            self._former.replace(row["source_id"], row["slug"], page_id)
            if row["deleted_at"] is None:
                self._reindex(page_id)

    def set_deleted(self, view: View, slug: str, *, deleted: bool, by: str) -> tuple[Row, bool]:
        """Delete a page softly, or bring it back: its row as it is now, and whether that changed anything.

        Raises NotFound when this caller sees no such page.
        """
        with self._engine.transaction():
            rows = self._engine.rows(
                f"select * from pages p where p.slug = :slug and {visibility.pages(deleted=True)}",
                {**visibility.params(view), "slug": slug},
            )
            if not rows:
                raise missing(slug)
            row = rows[0]
            if (row["deleted_at"] is not None) == deleted:
                return row, False
            changed = {"deleted": view.now if deleted else None, "number": self.last_change() + 1}
            with self._engine.unveiled():
                self._unindex(row)
                self._chunks.remove(row["source_id"], row["id"])
                self._engine.rows(
                    "update pages set deleted_at = :deleted, last_modified = :now, modified_by = :by, changed = :number"
                    " where id = :id",
                    {**changed, "now": view.now, "by": by, "id": row["id"]},
                )
                # Links know whether their origin may be seen, so that counting backlinks needs no join.
                self._links.set_origin(row["id"])
                if not deleted:
                    self._reindex(row["id"])
                return self._engine.rows("select * from pages where id = :id", {"id": row["id"]})[0], True

    def versions(self, view: View, slug: str, limit: int, before: int | None = None) -> list[Row]:
        """Headers of the versions of a visible page that this reader may see, newest first, those below `before`.

        `beginning` is how the body begins, `characters` the length of the whole text; `fenced` ones hold rows of facts.
        """
        return self._engine.rows(
            "select v.version, v.content_hash, v.modified_at, v.modified_by, v.reason, length(v.content) as characters,"
            f" substr(v.content, v.body_start + 1, {BEGINNING}) as beginning,"
            f" case when v.content like '%gbrain:facts:%' then 1 else 0 end as fenced from {_OF_PAGE}"
            f" where p.slug = :slug and {visibility.pages()} and (:v_private = 1 or v.private = 0)"
            " and (cast(:before as bigint) is null or v.version < :before) order by v.version desc limit :limit",
            {**visibility.params(view), "slug": slug, "before": before, "limit": limit},
        )

    def version(self, view: View, slug: str, number: int) -> PageVersion | None:
        """One version of a visible page, None when there is none that this reader may see."""
        rows = self._engine.rows(
            "select v.version, v.content, v.content_hash, v.modified_at, v.modified_by, v.reason"
            f" from {_OF_PAGE} where p.slug = :slug and v.version = :number and {visibility.pages()}"
            " and (:v_private = 1 or v.private = 0)",
            {**visibility.params(view), "slug": slug, "number": number},
        )
        return PageVersion(**rows[0]) if rows else None

    def version_at(self, page_id: int, moment: str, *, private: bool) -> PageVersion | None:
        """The version of a page that was current at a moment; None for one before the first, and where a reader who
        sees nothing `private` may not see that version."""
        rows = self._engine.rows(
            "select v.version, v.content, v.content_hash, v.modified_at, v.modified_by, v.reason, v.private"
            " from page_versions v where v.page_id = :page and v.modified_at <= :moment"
            " order by v.version desc limit 1",
            {"page": page_id, "moment": moment},
        )
        if not rows or (rows[0].pop("private") and not private):
            return None
        return PageVersion(**rows[0])

    def count_by_type(self, view: View) -> dict[str, int]:
        """How many visible pages there are of each type."""
        rows = self._engine.rows(
            f"select p.type, count(*) as n from pages p where {visibility.pages()} group by p.type order by p.type",
            visibility.params(view),
        )
        return {row["type"]: row["n"] for row in rows}

    def coverage(self, view: View) -> Row:
        """How many visible pages there are, and of them with a summary, a timeline entry, and a link either way."""
        # The same predicate for the page at the other end.
        other = visibility.pages().replace("p.", "q.")
        linked = (
            f"exists (select 1 from links l join pages q on q.id = l.to_id where l.from_id = p.id and {other})"
            f" or exists (select 1 from links l where l.to_id = p.id and {visibility.links_in()})"
        )
        dated = "exists (select 1 from timeline t where t.page_id = p.id)"
        return self._engine.rows(
            "select count(*) as pages, count(*) filter (where p.summary <> '') as summarised,"
            f" count(*) filter (where {dated}) as dated, count(*) filter (where {linked}) as linked"
            f" from pages p where {visibility.pages()}",
            visibility.params(view),
        )[0]

    def index_again(self, ids: Sequence[int]) -> None:
        """Put these pages, as they are stored, into the text indexes once more; a deleted one has no place in them."""
        aliases = self._names.aliases(ids)
        named: list[tuple[str, int, Sequence[str] | None, bool]] = []
        rows = self._engine.rows(f"{_CURRENT} where p.id in (:ids)", {"ids": list(ids)})
        written = self._languages.written({row["source_id"] for row in rows})
        for row in rows:
            place, language = (row["source_id"], row["id"]), written[row["source_id"]]
            names = index_terms(" ".join((row["title"], row["slug"], *aliases.get(row["id"], ()))), language)
            there, private = row["deleted_at"] is None, bool(row["private"])
            if there:
                self._chunks.put(row, aliases.get(row["id"], ()), language, again=True)
            named.append((*place, (names,) if there else None, private))
        self._names.texts.put_again(named)

    def _pages(self, rows: Sequence[Row]) -> list[Page]:
        tags = self._tags.of([row["id"] for row in rows])
        return [page_of_row(row, tags.get(row["id"], ())) for row in rows]

    def _store(self, source: str, draft: Draft, row: Row | None, now: str, by: str, reason: str | None) -> Written:
        values = {**{name: getattr(draft, name) for name in _HEADER}, "source": source, "now": now, "by": by}
        # Given inside the transaction, whose writers queue: the order of the numbers is the order of the commits.
        values["number"] = self.last_change() + 1
        values.update(
            frontmatter=json.dumps(draft.frontmatter, ensure_ascii=False),
            private=int(draft.private),
            tail=tail(draft.slug),
            title_key=alias_key(draft.title),
        )
        if row is None:
            columns: tuple[str, ...] = (*_HEADER, "tail", "title_key")
            page_id = self._engine.rows(
                f"insert into pages (source_id, {', '.join(columns)}, version, created_at, last_modified,"
                " modified_by, changed)"
                f" values (:source, {', '.join(':' + name for name in columns)}, 1, :now, :now, :by, :number)"
                " returning id",
                values,
            )[0]["id"]
            version = 1
            self._former.forget(source, draft.slug)
        else:
            page_id, version = row["id"], row["version"] + 1
            self._unindex(row)
            columns = (*_HEADER[1:], "tail", "title_key")
            self._engine.rows(
                f"update pages set {', '.join(f'{name} = :{name}' for name in columns)}, version = :version,"
                " last_modified = :now,"
                " modified_by = :by, deleted_at = null, changed = :number where id = :id",
                {**values, "version": version, "id": page_id},
            )
        self._engine.rows(
            "insert into page_versions (source_id, page_id, version, content, body_start, private, content_hash,"
            " modified_at, modified_by, reason) values (:source, :page, :version, :content, :body_start, :private,"
            " :content_hash, :now, :by, :reason)",
            {**values, "page": page_id, "version": version, "content": draft.content, "reason": reason},
        )
        keys = [alias_key(alias) for alias in draft.aliases]
        self._names.replace_aliases(source, page_id, keys, new=row is None)
        self._tags.replace_text(source, page_id, draft.tags, new=row is None)
        if row is not None:
            self._links.set_origin(page_id)
        stored = {**values, "id": page_id, "source_id": source, "content": draft.content}
        self._index(stored, keys, new=row is None)
        return Written(page_id, version, "created" if row is None else "updated")

    def _index(self, row: Row, aliases: Sequence[str], *, new: bool = False) -> None:
        """Put a page, from its row with its current content, into the name words and the text indexes."""
        source, private = row["source_id"], bool(row["private"])
        language = self._languages.of(source).written
        names = index_terms(" ".join((row["title"], row["slug"], *aliases)), language)
        self._names.texts.put(source, row["id"], (names,), private=private, new=new)
        self._names.count_words(source, name_words(row["title"], row["slug"], aliases), private=private, step=1)
        self._names.call(row, aliases)
        self._chunks.put(row, aliases, language, new=new)

    def _unindex(self, row: Row) -> None:
        """Take a page that is about to change out of the name words and the text index."""
        if row["deleted_at"] is not None:
            return
        aliases = self._names.aliases([row["id"]]).get(row["id"], [])
        self._names.count_words(
            row["source_id"],
            name_words(row["title"], row["slug"], aliases),
            private=bool(row["private"]),
            step=-1,
        )
        self._names.uncall(row, aliases)
        self._names.texts.remove(row["source_id"], row["id"])

    def _reindex(self, page_id: int) -> None:
        row = self._engine.rows(f"{_CURRENT} where p.id = :id", {"id": page_id})[0]
        aliases = self._names.aliases([page_id]).get(page_id, [])
        self._index(row, aliases)


ORDERS = {
    "updated_desc": "p.last_modified desc, p.slug",
    "updated_asc": "p.last_modified, p.slug",
    "created_desc": "p.created_at desc, p.slug",
    "slug": "p.slug, p.source_id",
}


def missing(slug: str) -> NotFound:
    """The error for a page that is not there for this caller."""
    return NotFound(
        f"there is no page {slug[:255]!r}",
        "run: gbrain search WORDS, or gbrain list, to find its slug",
        detail="page_not_found",
    )


def page_of_row(row: Row, tags: tuple[str, ...]) -> Page:
    """A page from its row with the `content` of a version, and its tags."""
    content: str = row["content"]
    return Page(
        row["id"],
        row["source_id"],
        row["slug"],
        row["type"],
        row["title"],
        json.loads(row["frontmatter"]),
        content,
        content[row["body_start"] :],
        row["summary"],
        row["version"],
        row["content_hash"],
        bool(row["private"]),
        row["confidence"],
        row["expiry"],
        row["effective_date"],
        row["effective_date_source"],
        row["created_at"],
        row["last_modified"],
        row["modified_by"],
        row["deleted_at"],
        tags,
    )


def _refuse_hidden(view: View, row: Row, expected: int | None) -> None:
    """Refuse a write over a private page by whom it is hidden from, whatever becomes of that page.

    Based on a version it is answered like any other write to a page that is not there.
    """
    if row["private"] and not view.private:
        if expected:
            raise _gone(row["slug"], expected)
        raise ScopeDenied(
            f"{row['slug']!r} cannot be written by this caller",
            "choose another slug; the owner can write it: gbrain put SLUG",
        )


def _check_version(row: Row, expected: int | None, blind: bool) -> None:
    current = row["version"]
    if expected == current or (expected is None and blind):
        return
    detail = {
        "slug": row["slug"],
        "current_version": current,
        "expected_version": expected,
        "last_modified": wire_time(row["last_modified"]),
        "modified_by": row["modified_by"],
    }
    if expected is None:
        raise VersionConflict(
            f"{row['slug']!r} exists (version {current}) and the write does not say which version it is based on",
            f"read it first, then pass expected_version: {current}; on the command line: gbrain get {row['slug']}",
            detail=detail,
        )
    raise VersionConflict(
        f"{row['slug']!r} is at version {current}, not {expected}; nothing was written",
        f"read it again, join your change to it, then pass expected_version: {current}; on the command line: gbrain"
        f" get {row['slug']}",
        detail=detail,
    )


def _gone(slug: str, expected: int, now: str | None = None) -> VersionConflict:
    if now is not None:
        return VersionConflict(
            f"the page {slug!r} is called {now!r} now; nothing was written",
            f"read it, then write it by that slug; on the command line: gbrain get {now}",
            detail={"slug": slug, "current_version": None, "expected_version": expected, "moved_to": now},
        )
    return VersionConflict(
        f"there is no page {slug!r}, so it has no version {expected}",
        "leave out expected_version to create it; a deleted page comes back with: gbrain restore SLUG",
        detail={"slug": slug, "current_version": None, "expected_version": expected},
    )
