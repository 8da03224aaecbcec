"""A source brought up to its folder: what was added, changed, renamed and removed there since it was last looked at.

What is known of each file (`store.files`) is compared with the disk, by time and size and then by hash. Files are read
outside of transactions; inside one, a file whose row has changed meanwhile is left to whoever changed it. So any number
of these may run at once, beside writers too.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from gbrain.domain.slugs import path_slug, title_from_slug
from gbrain.domain.times import BEGINNING
from gbrain.domain.undated import undated
from gbrain.errors import BrainError, InvalidParams
from gbrain.ops.adopting import adopt
from gbrain.ops.fenced import take_in, take_in_left, take_in_rest
from gbrain.ops.folders import unread
from gbrain.ops.folders.doubts import doubts
from gbrain.ops.wiring import appeared, make, reconcile_all
from gbrain.registry import Context
from gbrain.sources import folder, git
from gbrain.sources.folder import Listing, Taken, Trouble
from gbrain.sources.likeness import likeness
from gbrain.sources.pages import other_slugs, read_file
from gbrain.store.files import File
from gbrain.types import Draft, Page, View

if TYPE_CHECKING:
    from gbrain.sources.pages import Reading

BATCH = 50
"""Files read, and then written in one short transaction."""
STALE_HINTS = 64
"""So many files that only look changed are noted as what they are; fewer are read again each time."""
A_FEW, MANY, SHARE = 5, 50, 0.2
"""Removals: up to A_FEW are never many; more than MANY, or than this SHARE of all files, are held back."""
ALIKE = 0.5
"""So much of a text is in the new file that a renamed and edited one is told by, as git does by default."""
COMPARED = 10_000
"""Pairs of new and vanished files that are compared by their texts at most; beyond, files are new and gone."""
BY_FILE = "file"
"""Who a version is by that was found on disk."""


class Change(NamedTuple):
    """One file that is not as it was: `added`, `changed`, `renamed` (then `before` is its old path) or `removed`.

    `slug_before` is the slug of a renamed one that has another now.
    """

    kind: str
    path: str
    slug: str | None
    before: str | None = None
    slug_before: str | None = None


class Report:
    """What one look at a folder found and did."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.troubles: list[Trouble] = []
        self.unchanged = 0
        self.held_back = 0
        self.undated = 0
        """How many items of the timelines that were taken in are no entries, since they begin in another way."""
        self.pulled = git.Pulled("none")
        self._skipped: set[str] = set()

    @property
    def skipped(self) -> int:
        """How many files are not read, or were left out."""
        return len(self._skipped)

    def tell(self, troubles: Iterable[Trouble], *, skipped: bool) -> None:
        """Add what is wrong with files; `skipped` ones are not read at all."""
        for trouble in troubles:
            self.troubles.append(trouble)
            if skipped:
                self._skipped.add(trouble.path)

    @property
    def unread(self) -> dict[str, Trouble]:
        """Each file that is not read, or was left out, with the first reason."""
        return {one.path: one for one in reversed(self.troubles) if one.path in self._skipped}

    @property
    def partial(self) -> bool:
        """Whether something of the folder is not in the brain as it should be."""
        return bool(self.troubles or self.held_back or self.pulled.status == "failed")

    def count(self, kind: str) -> int:
        """How many changes of one kind there were."""
        return sum(change.kind == kind for change in self.changes)


class _Found(NamedTuple):
    """A file that is not as it was known: its bytes, what they are read as, and what it was renamed from."""

    path: str
    taken: Taken
    reading: "Reading | None"
    troubles: tuple[Trouble, ...]
    known: File | None
    renamed: File | None = None


class Folder:
    """The folder of one source, and what is known of it."""

    def __init__(self, ctx: Context, source: str, root: str, *, dry_run: bool = False) -> None:
        self.ctx = ctx
        self.source = source
        self.root = root
        self.report = Report()
        self._dry_run = dry_run
        self._view = View((source,), True, ctx.now_text)
        self._files = ctx.store.files
        self._links_last = False
        self._led = f"led {source}"
        self._there: set[str] = set()
        self._noted: list[File] = []
        self._were: dict[str, str] = {}

    def sync(self, paths: Sequence[str] | None = None, *, full: bool = False, removals: bool = False) -> Report:
        """Bring the source up to its folder, or to some paths of it; the brain is what changes, never a file.

        `full` reads every file; `removals` lets many pages go at once. Raises Unavailable when the folder is not there.
        """
        # Before the listing: a file that comes in between is new then, and not one that vanished.
        known = self._files.all(self.source) if paths is None else self._files.under(self.source, paths)
        listed = folder.listing(self.root, ("",) if paths is None else paths)
        self.report.tell(listed.left_out, skipped=True)
        if not self._dry_run:
            self._recover(known, listed)
        if not self._dry_run and paths is None:
            # Only when the whole folder is read, since only then every writer's hidden file is known.
            folder.sweep(self.root, listed.strays, _hidden(known.values()))
        gone = {path: file for path, file in known.items() if _is_gone(path, file, listed)}
        # Size and time first: of 20,000 files that nobody touched none is opened.
        differing = [path for path, there in listed.files.items() if full or _differs(known.get(path), there)]
        self.report.unchanged = len(listed.files) - len(differing)
        for path, file in known.items():
            if file.doubts and not full and path in listed.files and not _differs(file, listed.files[path]):
                self.report.tell(_doubts(file), skipped=not file.readable)
        self._take_in(sorted(differing), known, gone)
        if paths is None and not self._dry_run and (not known or self.ctx.store.config.mark(self._led) is None):
            # Before the links are made, so that they fill the room that this gives back.
            self.ctx.store.engine.merge_texts(self.source)
            self._lead_on()
            self.ctx.store.config.set_mark(self._led, self.ctx.now_text)
        # Last: what looked gone may have turned out to be renamed.
        self._let_go(gone, removals=removals, of=len(known) if paths is None else self._files.count(self.source))
        # A sync that was broken off may have left pages without links.
        if not self._dry_run and (self._links_last or paths is None):
            reconcile_all(self.ctx, self.source)
            take_in_left(self.ctx, self.source)
        if not self._dry_run:
            unread.note(self.ctx, self.source, self.report.unread, paths)
        return self.report

    def _take_in(self, paths: Sequence[str], known: dict[str, File], gone: dict[str, File]) -> None:
        """Read files in batches and store what they are; what looks new last, since each may be a lost one."""
        stale: list[File] = []
        # Links of many new pages are looked for once all are there, and not at each page that may be meant.
        self._links_last = len(paths) > BATCH
        new: list[str] = []
        for start in range(0, len(paths), BATCH):
            self.ctx.progress("reading", start, len(paths))
            found = [one for path in paths[start : start + BATCH] if (one := self._read(path, known.get(path), stale))]
            found = [self._renamed(one, gone) for one in found]
            if gone:
                # Put off until every vanished file is known; only paths are kept, since all texts would not fit in
                # memory.
                new += [one.path for one in found if _is_new(one)]
                found = [one for one in found if not _is_new(one)]
            if found:
                self._store(found, gone)
        like = self._alike(new, gone)
        for start in range(0, len(new), BATCH):
            again = [one for path in new[start : start + BATCH] if (one := self._read(path, known.get(path), stale))]
            self._store([one._replace(renamed=like.get(one.path)) for one in again], gone)
        # A checkout touches every file: noting the new times is a write, and only worth it for many.
        if len(stale) > STALE_HINTS and not self._dry_run:
            for start in range(0, len(stale), 10 * BATCH):
                with self.ctx.store.transaction():
                    for file in stale[start : start + 10 * BATCH]:
                        if self._files.at(self.source, [file.path]).get(file.path) == known[file.path]:
                            self._files.put(self.source, file)
        self.ctx.progress("reading", len(paths), len(paths))

    def _lead_on(self) -> None:
        """A folder that is new here was moved about before: let what git knows its files were called lead to them.

        It is new until a sync of all of it has come to here.
        """
        moved = git.renames(self.root)
        ids = {path: file.page_id for path, file in self._files.all(self.source).items()} if moved else {}
        now: dict[str, str] = {}
        with self.ctx.store.transaction():
            for old, new in moved:
                # Renames come newest first, so a file that moved twice leads to where it is now.
                path = now.setdefault(old, now.get(new, new))
                id = ids.get(path)
                slug = _slug_of(old)
                if id is not None and slug is not None and self.ctx.store.former.lead(self.source, [slug], id):
                    appeared(self.ctx, id)

    def _read(self, path: str, known: File | None, stale: list[File]) -> _Found | None:
        """A file's bytes and what they say; None for one that holds what is known, or has vanished."""
        try:
            taken = folder.take(self.root, path)
        except FileNotFoundError:
            return None
        except folder.Unreadable as unreadable:
            self.report.tell([unreadable.trouble], skipped=True)
            return None
        seen = taken.seen
        # Touched, checked out again, or saved unchanged.
        if known is not None and known.hash == taken.hash and known.page_id is not None:
            self.report.unchanged += 1
            self.report.tell(_doubts(known), skipped=not known.readable)
            stale.append(known._replace(mtime=seen.mtime, size=seen.size))
            return None
        try:
            reading = read_file(path, folder.decoded(path, taken.data), self.ctx.now)
        except folder.Unreadable as unreadable:
            return _Found(path, taken, None, (unreadable.trouble,), known)
        except BrainError as error:
            line = error.detail.get("line") if isinstance(error.detail, dict) else None
            what = error.message.removeprefix(f"line {line} of the text: ")
            return _Found(path, taken, None, (Trouble(path, line, what, error.suggestion),), known)
        return _Found(path, taken, reading, doubts(path, reading), known)

    def _renamed(self, one: _Found, gone: dict[str, File]) -> _Found:
        """A new file that holds just what a vanished one held is that one under another name."""
        if one.known is not None and one.known.page_id is not None:
            return one
        name = one.path.rpartition("/")[2]
        alike = [file for file in gone.values() if file.hash == one.taken.hash and file.page_id is not None]
        # Several empty or equal files may have vanished: one that kept its name is the likeliest.
        alike.sort(key=lambda file: (file.path.rpartition("/")[2] != name, file.path))
        if not alike or (not one.taken.data and not alike[0].path.endswith(name)):
            return one
        return one._replace(renamed=gone.pop(alike[0].path))

    def _alike(self, paths: Sequence[str], gone: dict[str, File]) -> dict[str, File]:
        """The vanished file that each new one is by its text, where it is that of no other; taken out of `gone`."""
        texts = self._last_texts(gone) if len(paths) * len(gone) <= COMPARED else {}
        pairs: list[tuple[str, str]] = []
        for path in paths if texts else ():
            one = self._read(path, None, [])
            if one is not None and one.reading is not None:
                said = one.reading.draft
                pairs += [(path, old) for old, page in texts.items() if _is_like(said, page)]
        found: dict[str, File] = {}
        for path, old in pairs:
            # Two that could be the same lost file are neither: a wrong guess would join two histories.
            if [new for new, _ in pairs].count(path) == [lost for _, lost in pairs].count(old) == 1:
                found[path] = gone.pop(old)
        return found

    def _last_texts(self, gone: dict[str, File]) -> dict[str, Page]:
        """The pages of vanished files, by path."""
        files = {file.page_id: path for path, file in gone.items() if file.page_id is not None}
        pages = self.ctx.store.pages.by_ids(self._view._replace(now=BEGINNING), list(files))
        return {files[page.id]: page for page in pages}

    def _store(self, found: Sequence[_Found], gone: dict[str, File]) -> None:
        if self._dry_run:
            for one in found:
                self._tell(one, one.reading.draft.slug if one.reading else None)
            return
        with self.ctx.store.transaction():
            paths = [path for one in found for path in (one.path, *([one.renamed.path] if one.renamed else []))]
            now = self._files.at(self.source, paths)
            slugs = [one.reading.draft.slug for one in found if one.reading is not None]
            self._there = self._files.taken(self.source, slugs)
            for one in found:
                # Whoever has changed the row since it was read knows the file better.
                if now.get(one.path) != one.known or (one.renamed and now.get(one.renamed.path) != one.renamed):
                    continue
                self._store_one(one, gone)
            self._put_noted()
        for one in found:
            if one.reading is not None:
                take_in_rest(self.ctx, self.source, one.reading.draft)

    def _put_noted(self) -> None:
        """Keep what files are now: a batch at once is half the work."""
        self._files.put(self.source, *self._noted)
        self._noted.clear()

    def _store_one(self, one: _Found, gone: dict[str, File]) -> None:
        if one.reading is None:
            self._note(one, one.known.page_id if one.known else None, one.known.version if one.known else None)
            return
        draft = one.reading.draft
        if one.renamed is not None:
            self._rename(one, draft)
        # One query a batch says which slugs exist, so that a first import asks nothing of each page.
        there = draft.slug in self._there or one.renamed is not None
        held = self.ctx.store.pages.get(self._view, draft.slug, deleted=True) if there else None
        self._there.add(draft.slug)
        other = self._other_file(one.path, held, gone)
        if other is not None:
            what = f"it has the same slug as {other}: {draft.slug}"
            self._note(one, None, None, (Trouble(one.path, None, what, "rename one of the two files"),))
            return
        said = (held.content, held.content_hash) if held is not None and held.deleted_at is None else None
        if said != (draft.content, draft.content_hash):
            written = self._write(one, draft, held)
            self._note(one, *written)
        else:
            assert held is not None
            if one.renamed is not None:
                make(self.ctx, self.source, held.id, draft, None)
            self._note(one, held.id, held.version)

    def _write(self, one: _Found, draft: Draft, held: Page | None) -> tuple[int, int]:
        """Store the text of a file as the next version of its page: the page and the version."""
        if held is not None and draft.effective_date_source == "fallback":
            draft = draft._replace(effective_date=held.created_at[:10])
        # Below what the text says: a page that an export wrote names its true origin.
        origin = {"source_kind": BY_FILE, "source_uri": one.path}
        reason = f"renamed from {one.renamed.path}" if one.renamed else None
        written = self.ctx.store.pages.write(
            self._view, self.source, draft._replace(frontmatter={**origin, **draft.frontmatter}), by=BY_FILE,
            reason=reason, expected=None, blind=True, exact=True,
        )  # fmt: skip
        if "timeline" in draft.content.lower():
            self.report.undated += sum(1 for _ in undated(draft.content, draft.body_start))
        led = self.ctx.store.former.lead(self.source, other_slugs(one.path, draft), written.page_id)
        adopt(self.ctx, self.source, written.page_id, draft)
        take_in(self.ctx._replace(warnings=[]), self.source, draft, held)
        if not self._links_last:
            make(self.ctx, self.source, written.page_id, draft, None if one.renamed else held)
        if led and not self._links_last:
            appeared(self.ctx, written.page_id)
        return written.page_id, written.version

    def _rename(self, one: _Found, draft: Draft) -> None:
        """Give the page of a renamed file its new slug, unless a page has it, or had it, already."""
        assert one.renamed is not None
        assert one.renamed.page_id is not None
        self._files.remove(self.source, one.renamed.path)
        pages = self.ctx.store.pages
        old = self._files.slugs(self.source, [one.renamed.page_id]).get(one.renamed.page_id)
        if old is None or old == draft.slug:
            return
        self._were[one.path] = old
        # Never two histories in one page: the one of the old name ends, and can be brought back.
        if pages.get(self._view, draft.slug, deleted=True) is not None:
            self._delete(old)
            return
        pages.rename(self._view, one.renamed.page_id, draft.slug, by=BY_FILE)
        for visibility in ("world", "private"):
            self.ctx.store.facts.adopt(self.source, draft.slug, [old], visibility)

    def _other_file(self, path: str, held: Page | None, gone: dict[str, File]) -> str | None:
        """Another file that the page of this slug already comes from."""
        if held is None:
            return None
        self._put_noted()
        file = self._files.of_pages(self.source, [held.id]).get(held.id)
        if file is None or file.path == path or file.path in gone or held.deleted_at is not None:
            return None
        # The row may be behind the disk: a file renamed a moment ago is no rival.
        return file.path if folder.look(self.root, file.path) is not None else None

    def _note(self, one: _Found, page_id: int | None, version: int | None, more: tuple[Trouble, ...] = ()) -> None:
        """Keep what the file is now, and tell of it."""
        troubles = (*one.troubles, *more)
        doubts = tuple((trouble.line, trouble.message, trouble.hint) for trouble in troubles)
        seen = one.taken.seen
        file = File(one.path, page_id, version, one.taken.hash, seen.mtime, seen.size, one.reading is not None, doubts)
        if file != one.known:
            self._noted.append(file)
        slug = one.reading.draft.slug if one.reading is not None and not more else None
        self._tell(one._replace(troubles=troubles), slug)

    def _tell(self, one: _Found, slug: str | None) -> None:
        self.report.tell(one.troubles, skipped=slug is None)
        if slug is None:
            return
        kind = "renamed" if one.renamed else "added" if one.known is None or one.known.page_id is None else "changed"
        before = one.renamed.path if one.renamed else None
        self.report.changes.append(Change(kind, one.path, slug, before, self._were.get(one.path)))

    def _let_go(self, gone: dict[str, File], *, removals: bool, of: int) -> None:
        """Delete, so that they can be restored, the pages whose files are gone; many at once are held back."""
        with_page = [file for _, file in sorted(gone.items()) if file.page_id is not None]
        # A disk that is not mounted, or a branch that was switched, looks like everything being deleted.
        many = len(with_page) > MANY or (len(with_page) > A_FEW and len(with_page) > SHARE * of)
        if many and not removals:
            self.report.held_back = len(with_page)
            return
        slugs = self._files.slugs(self.source, [file.page_id for file in with_page if file.page_id is not None])
        if self._dry_run:
            self.report.changes += [Change("removed", file.path, slugs.get(file.page_id or 0)) for file in with_page]
            return
        files = [file for _, file in sorted(gone.items())]
        for start in range(0, len(files), BATCH):
            with self.ctx.store.transaction():
                some = files[start : start + BATCH]
                now = self._files.at(self.source, [file.path for file in some])
                for file in some:
                    # Looked at once more in the transaction: a file may be back since the folder was listed.
                    if now.get(file.path) == file and folder.look(self.root, file.path) is None:
                        self._remove(file, slugs.get(file.page_id or 0))

    def _remove(self, file: File, slug: str | None) -> None:
        self._files.remove(self.source, file.path)
        elsewhere = file.page_id is None or self._files.of_pages(self.source, [file.page_id])
        if slug is None or elsewhere:
            return
        self._delete(slug)
        self.report.changes.append(Change("removed", file.path, slug))

    def _delete(self, slug: str) -> None:
        page = self.ctx.store.pages.get(self._view, slug)
        self.ctx.store.pages.set_deleted(self._view, slug, deleted=True, by=BY_FILE)
        if page is not None:
            appeared(self.ctx, page.id)

    def _recover(self, known: dict[str, File], listed: Listing) -> None:
        """Finish what a writer that was broken off had set out to do."""
        for path, file in list(known.items()):
            there = listed.files.get(path)
            if file.pending is None or (_writes(file) and there == (file.mtime, file.size)):
                continue
            if not _writes(file) and there is None:
                continue
            from gbrain.ops.folders.mirror import recovered  # it needs this module too, and few files are left so

            recovered(self.ctx, self.source, self.root, file, self.report.troubles)
            again = self._files.at(self.source, [path])
            seen = folder.look(self.root, path)
            known.pop(path)
            known.update(again)
            listed.files.pop(path, None)
            if seen is not None:
                listed.files[path] = seen.mtime, seen.size


def _slug_of(path: str) -> str | None:
    try:
        return path_slug(path)
    except InvalidParams:
        return None


def _is_new(one: _Found) -> bool:
    return one.reading is not None and one.renamed is None and (one.known is None or one.known.page_id is None)


def _is_like(said: Draft, page: Page) -> bool:
    """Whether a text is that of a page, changed. Two made to one pattern are alike, but their titles say that they are
    about two things; a page without one is called as its file is."""
    titled = (one.title for one in (said, page) if one.title != title_from_slug(one.slug))
    return len(set(titled)) < 2 and likeness(said.content, page.content) >= ALIKE


def _hidden(files: Iterable[File]) -> Iterator[str]:
    """The hidden files that writers have left in the hands of whoever comes next."""
    for file in files:
        if file.pending is not None and file.pending[0] == "write":
            yield file.pending[1]


def _writes(file: File) -> bool:
    return file.pending is not None and file.pending[0] == "write"


def _is_gone(path: str, file: File, listed: Listing) -> bool:
    if path in listed.files or any(not below or path.startswith(f"{below}/") for below in listed.unread):
        return False
    return not (file.pending is not None and file.pending[0] == "gone")


def _differs(known: File | None, there: tuple[int, int]) -> bool:
    if known is None or known.mtime != there[0] or known.size != there[1]:
        return True
    # A good file that became no page is read again each time: the other file of its slug may be gone.
    return known.page_id is None and known.readable


def _doubts(file: File) -> Iterator[Trouble]:
    for line, message, hint in file.doubts:
        yield Trouble(file.path, line, message, hint)


__all__ = ["Change", "Folder", "Report"]
