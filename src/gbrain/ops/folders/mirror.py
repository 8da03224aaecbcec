"""A page written through to its file: the file is looked at first, and store and disk change so that neither is lost.

A write takes four steps, of which any may be the last one a process lives to do:

1. `look`: what the file says that the store does not know yet becomes a version of the page.
2. `stage`: the new bytes are written to a hidden file beside it.
3. `note`, in the transaction that stores the new version: the file's row says what it is about to be, and names the
   hidden file.
4. `land`: the hidden file takes the place of the other. The two change places, so that a save in that very moment is
   not lost: it lies hidden then, and comes back.

Broken off before 3, nothing has happened, and the hidden file is swept away some day. After 3, the row names a hidden
file that is still there: `recovered` puts it in its place. After 4 there is none. Removing a file works alike: the row
remembers which very file is to go, so that one that is put back later is never taken for it.
"""

import os

from gbrain.domain.facts_fence import Row, read_fence
from gbrain.domain.markdown import unix_lines
from gbrain.domain.slugs import path_slug
from gbrain.errors import BrainError, InvalidParams, VersionConflict
from gbrain.ops.fenced import take_in, take_in_rest
from gbrain.ops.folders.sync import BY_FILE, Folder
from gbrain.ops.wiring import make
from gbrain.ops.writing import read_text
from gbrain.registry import Context
from gbrain.sources import folder
from gbrain.sources.editing import with_header
from gbrain.sources.folder import Staged, Taken, Trouble
from gbrain.sources.frontmatter import parse
from gbrain.sources.merge import merge
from gbrain.sources.pages import PROVENANCE, world_body
from gbrain.store.files import File
from gbrain.types import Caller, Draft, Page, View, Written


class Mirror:
    """The file of one page of a source with a folder, for one write of that page."""

    def __init__(self, ctx: Context, source: str, root: str, slug: str) -> None:
        # What the file says is the operator's word, whoever it is that writes now.
        self.ctx = ctx._replace(caller=Caller.local(BY_FILE), warnings=[])
        self.source = source
        self.root = root
        self.slug = slug
        self._told = ctx
        self._at = ""
        self._file: File | None = None
        self._taken: Taken | None = None
        self._staged: Staged | None = None

    def look(self) -> None:
        """Take in what the file says, so that the page in the store is no older than the one on disk.

        Raises Unavailable when the folder is not there, VersionConflict when the file cannot be read as a page.
        """
        # A disk that is not mounted must not look like a file that was deleted.
        folder.open_root(self.root)
        # The file's row is the store's own book-keeping, whatever this caller may read.
        with self.ctx.store.engine.within(None):
            self._look()

    def _look(self) -> None:
        path = self._path()
        # A file may be saved again while it is taken in.
        for _ in range(3):
            self._file, self._taken = self.ctx.store.files.at(self.source, [path]).get(path), None
            seen = folder.look(self.root, path)
            if seen is None and self._file is not None and self._file.page_id is not None and not self._is_gone():
                # It may be elsewhere by now; only the whole folder tells.
                Folder(self.ctx, self.source, self.root).sync()
                path = self._path()
            elif seen is not None:
                self._taken = self._take(path)
                if self._taken is None or not self._known(self._taken):
                    Folder(self.ctx, self.source, self.root).sync([path])
                    continue
            break
        self._at = path
        self._refuse_unreadable(path)

    def text(self, draft: Draft, held: Page | None) -> str:
        """The text as the file is to hold it: where nothing was changed, byte for byte what it holds already.

        Raises InvalidParams where that would put private facts into a file.
        """
        content = draft.content
        if held is not None and held.deleted_at is None:
            # A merge over equal base and ours: it gives the new text in the line endings and with the untouched bytes
            # of the old.
            content = merge(draft.slug, held.content, held.content, content).content or content
            # Where a page came from was printed with it, and was never in the file.
            printed = set(PROVENANCE) - set(parse(held.content).frontmatter)
            content = with_header(content, dict.fromkeys(printed))
        self._refuse_private_rows(content)
        if path_slug(self._at) != draft.slug:
            # The path alone would lead to another slug, since accents are no part of one that is made from a path.
            content = with_header(content, {"slug": draft.slug})
        return content

    def stage(self, content: str, *, private: bool) -> None:
        """Write the page's text to a hidden file beside its own; a private page is given no file it does not have."""
        self._staged = None
        if not private or self._taken is not None:
            self._staged = folder.stage(self.root, self._at, content.encode(), self._taken)

    def note(self, written: Written) -> None:
        """In the transaction that stores the page: say what the file is about to be."""
        staged = self._staged
        if staged is None:
            return
        pending = ("write", staged.hidden, staged.before)
        self.ctx.store.files.put(
            self.source,
            File(
                staged.path, written.page_id, written.version, staged.hash, staged.mtime, staged.size, pending=pending
            ),
        )

    def note_removal(self, page_id: int) -> bool:
        """In the transaction that deletes the page: say that its file is about to go. Whether it has one.

        Raises Unavailable when the file cannot be removed: a page must not come back from a file that was left.
        """
        if self._file is None or self._taken is None or self._file.page_id != page_id:
            return False
        # Within the transaction: another process may have taken in a later save since the look.
        self._refuse_overtaken()
        folder.check_removable(self.root, self._file.path)
        # The inode and its time name this very file: one that a person puts back later has others, and stays.
        seen = self._taken.seen
        self.ctx.store.files.put(self.source, self._file._replace(pending=("gone", seen.inode, seen.ctime)))
        return True

    def land(self) -> str | None:
        """After the commit: put the file in its place. Its path, None where the page has no file.

        Only the person at this machine is told where the folder is.
        """
        staged = self._staged
        if staged is None:
            return None
        if not folder.land(self.root, staged):
            # Somebody saved it just now: theirs is joined with what was written.
            troubles: list[Trouble] = []
            with self.ctx.store.engine.within(None):
                row = self.ctx.store.files.at(self.source, [staged.path]).get(staged.path)
                if row is not None and row.pending is not None and row.pending[1] == staged.hidden:
                    recovered(self.ctx, self.source, self.root, row, troubles)
            for trouble in troubles:
                self._told.warn("file", f"{trouble.path}: {trouble.message}", suggestion=trouble.hint)
        return staged.path if self._told.caller.remote else os.path.join(self.root, staged.path)

    def take_away(self) -> None:
        """After the commit: remove the file, unless somebody saved it just now."""
        if self._file is not None and self._taken is not None:
            folder.remove(self.root, self._file.path, self._taken.seen)

    def drop(self) -> None:
        """The page was not stored: leave nothing behind."""
        if self._staged is not None:
            folder.discard(self.root, self._staged.hidden)
            self._staged = None

    def _path(self) -> str:
        """The path of the page's file, or the one it would have."""
        file = self.ctx.store.files.of_slug(self.source, self.slug)
        return file.path if file is not None else folder.placed(self.root, self.slug)

    def _take(self, path: str) -> Taken | None:
        try:
            return folder.take(self.root, path)
        except (folder.Unreadable, FileNotFoundError):
            return None

    def _known(self, taken: Taken) -> bool:
        file = self._file
        return file is not None and file.hash == taken.hash and not (self._is_gone() or self._waits())

    def _is_gone(self) -> bool:
        return self._file is not None and self._file.pending is not None and self._file.pending[0] == "gone"

    def _waits(self) -> bool:
        pending = self._file.pending if self._file is not None else None
        return pending is not None and pending[0] == "write" and folder.is_there(self.root, pending[1])

    def _refuse_private_rows(self, content: str) -> None:
        """Raise InvalidParams for private rows of a facts fence that the file does not hold already."""
        held = self._taken.data.decode("utf-8", "replace") if self._taken is not None else ""
        if _private_rows(content) - _private_rows(held) - _told_already(content, held):
            raise InvalidParams(
                "the facts fence holds a private row, and the page is a file that others may read; nothing was written",
                "take the row out, and keep it with: gbrain remember FACT --provenance P --visibility private",
                detail={"slug": self.slug, "reason": "private_fact"},
            )

    def _refuse_overtaken(self) -> None:
        """Raise VersionConflict when what is known of the file is not what it was when it was looked at."""
        if self.ctx.store.files.at(self.source, [self._at]).get(self._at) == self._file:
            return
        raise VersionConflict(
            f"the file of {self.slug!r} was changed in this moment; nothing was written",
            f"read it again, then write again: gbrain get {self.slug}",
            detail={"slug": self.slug, "path": self._at, "current_version": None, "reason": "file_changed"},
        )

    def _refuse_unreadable(self, path: str) -> None:
        there = folder.look(self.root, path) is not None
        if not self._told.view.private and self.ctx.store.files.is_private(self.source, self.slug):
            # The write is refused later, with a word that tells nothing of the page.
            return
        file = self.ctx.store.files.at(self.source, [path]).get(path) if there else None
        if not there or (file is not None and file.readable and file.page_id is not None):
            self._file = file if there else self._file
            return
        line, what, hint = (
            file.doubts[0] if file is not None and file.doubts else (None, "it cannot be read", "mend it")
        )
        place = f"line {line}: " if line else ""
        raise VersionConflict(
            f"the file {path} of {self.slug!r} was changed and is no page now ({place}{what}); nothing was written",
            f"{hint}; then run: gbrain sync --source {self.source}",
            detail={
                "slug": self.slug,
                "path": path,
                "line": line,
                "current_version": None,
                "reason": "file_unreadable",
            },
        )


def _told_already(content: str, held: str) -> set[str]:
    """Lines of private rows whose claims the file has as private rows too: numbered, keyed or struck since."""
    now, before = read_fence(unix_lines(content)), read_fence(unix_lines(held))
    if now is None or before is None:
        return set()
    claims = {row.claim for row in before.facts if row.visibility == "private"}
    rows = zip(now.rows, now.texts, strict=True)
    return {text for row, text in rows if isinstance(row, Row) and row.visibility == "private" and row.claim in claims}


def _private_rows(text: str) -> set[str]:
    return set(text.splitlines()) - set(world_body(text).splitlines())


def recovered(ctx: Context, source: str, root: str, file: File, troubles: list[Trouble]) -> None:
    """Finish what a writer set out to do with a file, as far as nobody has changed the file since."""
    assert file.pending is not None
    there = folder.look(root, file.path)
    if file.pending[0] == "gone":
        if there is not None and [there.inode, there.ctime] == list(file.pending[1:]):
            folder.remove(root, file.path, there)
        elif there is not None:
            with ctx.store.transaction():
                if ctx.store.files.at(source, [file.path]).get(file.path) == file:
                    ctx.store.files.remove(source, file.path)
        return
    _, hidden, before = file.pending
    if not folder.is_there(root, hidden):
        return
    try:
        held = folder.take(root, file.path).hash if there is not None else ""
    except (folder.Unreadable, FileNotFoundError):
        return
    # The names were exchanged before the writer died, so the hidden one is the old file.
    if held == file.hash and _was(root, hidden) in (before, file.hash):
        # It is in its place, and what lies hidden is the file that was there.
        folder.discard(root, hidden)
    elif held == file.hash:
        # Somebody had saved the file in the moment before it was moved away: theirs comes back, and is joined.
        if folder.settle(root, file.path, hidden, there):
            _join(ctx, source, root, file, troubles)
    elif held == before:
        settled = folder.settle(root, file.path, hidden, there)
        # Whoever else recovers it, or saves it, in this moment is in no trouble.
        if not settled and folder.is_there(root, hidden) and folder.look(root, file.path) == there:
            what = f"version {file.version} of its page cannot be written to it"
            troubles.append(Trouble(file.path, None, what, "let gbrain write there"))
    elif held == "":
        # It was there and somebody took it away: that is the later word.
        folder.discard(root, hidden)
    else:
        _join(ctx, source, root, file, troubles)


def _was(root: str, hidden: str) -> str:
    """The hash of a hidden file; empty when it cannot be read."""
    try:
        return folder.take(os.path.realpath(root), hidden).hash
    except (folder.Unreadable, FileNotFoundError):
        return ""


def _join(ctx: Context, source: str, root: str, file: File, troubles: list[Trouble]) -> None:
    """Join a version that never reached its file with what the file was changed to meanwhile.

    Where both changed the same lines the file's text is the page, the other is kept as the version before it.
    """
    # git takes 8 ms to load, and two writers in one moment are few.
    from gbrain.sources.merge import merge

    assert file.page_id is not None
    assert file.version is not None
    assert file.pending is not None
    view = View((source,), True, ctx.now_text)
    slug = ctx.store.files.slugs(source, [file.page_id]).get(file.page_id)
    if slug is None:
        folder.discard(root, file.pending[1])
        return
    try:
        taken = folder.take(root, file.path)
        theirs = folder.decoded(file.path, taken.data)
        read_text(ctx, slug, theirs)
    except (folder.Unreadable, FileNotFoundError, BrainError):
        what = f"it is no page now, and version {file.version} was written meanwhile"
        troubles.append(Trouble(file.path, None, what, f"mend it; gbrain diff {slug} shows what was written"))
        return
    # The version before the one that never reached its file is what both sides began from.
    ours, base = (ctx.store.pages.version(view, slug, number) for number in (file.version, file.version - 1))
    content = merge(slug, base.content, ours.content, theirs).content if base and ours else None
    if content is None:
        hint = f"gbrain diff {slug} {file.version} shows what was written; put both into one text"
        what = f"it was changed while version {file.version} was written; the file's text is the page now"
        troubles.append(Trouble(file.path, None, what, hint))
        content = theirs
    draft = read_text(ctx, slug, content).draft
    staged = folder.stage(root, file.path, content.encode(), taken) if content != theirs else None
    with ctx.store.transaction():
        held = ctx.store.pages.get(view, slug, deleted=True)
        # Another process recovered it meanwhile, and its outcome stands.
        if ctx.store.files.at(source, [file.path]).get(file.path) != file:
            written = None
        else:
            reason = f"the file, joined with version {file.version}"
            written = ctx.store.pages.write(
                view, source, draft, by=BY_FILE, reason=reason, expected=file.version, blind=True, exact=True
            )
            make(ctx, source, written.page_id, draft, None)
            take_in(ctx, source, draft, held)
            row = File(file.path, written.page_id, written.version, taken.hash, taken.seen.mtime, taken.seen.size)
            if staged is not None:
                pending = ("write", staged.hidden, staged.before)
                row = row._replace(hash=staged.hash, mtime=staged.mtime, size=staged.size, pending=pending)
            ctx.store.files.put(source, row)
    take_in_rest(ctx, source, draft)
    folder.discard(root, file.pending[1])
    if staged is not None and written is None:
        folder.discard(root, staged.hidden)
    elif staged is not None:
        folder.land(root, staged)


__all__ = ["Mirror", "recovered"]
