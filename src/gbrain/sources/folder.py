"""A folder of Markdown files: what is in it, what a file holds, and a file replaced as a whole.

Paths are relative to the folder, their parts joined by `/`. What begins with a dot is not looked at. A link counts
where it leads to a file inside the folder; one that leads out could show what nobody meant to share.
"""

import hashlib
import os
import stat
import time
from collections.abc import Iterable
from typing import NamedTuple

from gbrain import plain
from gbrain.domain.slugs import path_slug
from gbrain.errors import InvalidParams, Unavailable

ENDINGS = (".md", ".mdx")
MOST_BYTES = 4 * 1024 * 1024
STRAY_SECONDS = 3600
"""A hidden file that no write is known to be about is a dead one's after this time."""
NO_FILE = "it is not a file"
"""Why a pipe or a device with a page's name is left."""

_HIDDEN, _TEMPORARY = ".gbrain-", ".tmp"


class Trouble(NamedTuple):
    """Why a file is not read, or read with a doubt: its line (from 1, if there is one), and what to do."""

    path: str
    line: int | None
    message: str
    hint: str


class Seen(NamedTuple):
    """A file as the disk has it: nanoseconds, bytes, and what tells this very file from another of its name."""

    mtime: int
    size: int
    inode: int
    ctime: int


class Listing(NamedTuple):
    """The Markdown files of a folder, each with (mtime, size); what is left out with a reason; folders not read.

    `strays` are hidden files of writes that were broken off.
    """

    files: dict[str, tuple[int, int]]
    left_out: list[Trouble]
    unread: list[str]
    strays: list[str]


class Taken(NamedTuple):
    """The bytes of a file, their hash, and the file they were read from."""

    data: bytes
    hash: str
    seen: Seen


class Staged(NamedTuple):
    """A file's next bytes, lying hidden beside it until `land` puts them in its place."""

    path: str
    hidden: str
    hash: str
    mtime: int
    size: int
    before: str
    seen: Seen | None


class Unreadable(Exception):
    """A file that cannot be read as text; `trouble` says why."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.message)
        self.trouble = trouble


def listing(root: str, below: Iterable[str] = ("",)) -> Listing:
    """Everything in the folder, or at and below some paths of it. Raises Unavailable when the folder is not there."""
    found = Listing({}, [], [], [])
    open_root(root)
    home = os.path.realpath(root)
    todo: list[str] = []
    for path in below:
        # A link to a folder is looked at as a link, or a circle of them would never end.
        if path == "" or (os.path.isdir(os.path.join(root, path)) and not os.path.islink(os.path.join(root, path))):
            todo.append(path)
        elif is_markdown(path):
            _look_at(root, home, path, found)
    while todo:
        path = todo.pop()
        try:
            # A folder may be opened and still not be listed.
            with os.scandir(os.path.join(root, path)) as opened:
                entries = list(opened)
        except FileNotFoundError:
            continue
        except OSError as error:
            found.unread.append(path)
            found.left_out.append(
                Trouble(path, None, f"the folder cannot be read: {error.strerror}", "let gbrain read it")
            )
            continue
        # `/` on every system: paths are stored, and a brain may be read on another one.
        before = f"{path}/" if path else ""
        for entry in entries:
            _sort_in(entry, before + entry.name, root, home, found, todo)
    return found


def open_root(root: str) -> None:
    """Raise Unavailable unless the folder is there: an empty place is not taken for a folder without pages."""
    try:
        os.scandir(root).close()
    except OSError as error:
        raise Unavailable(
            f"the folder {root} cannot be read: {error.strerror}",
            "bring it back (is its disk mounted?), or give the source another one; run: gbrain sources list",
            detail={"reason": "folder", "path": root},
        ) from None


def is_markdown(path: str) -> bool:
    """Whether a path is that of a page: by its ending, and not hidden in any part."""
    return path.lower().endswith(ENDINGS) and not any(part.startswith(".") for part in path.split("/"))


def placed(root: str, slug: str) -> str:
    """The path of a new file for a page: in the folders that are there for the parts of its slug, however they spell
    it (`Notes` for `notes`); where none is, or several are, in one of the slug's own name."""
    *parts, name = slug.split("/")
    path = ""
    for part in parts:
        below = os.path.join(root, path)
        if not os.path.isdir(os.path.join(below, part)):
            part = _alike(below, part) or part
        path = f"{path}{part}/"
    return f"{path}{name}.md"


def _alike(folder: str, part: str) -> str | None:
    """The one folder in another whose name makes this part of a slug."""
    found: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False) and _is_text(entry.name):
                    try:
                        found += [entry.name] if path_slug(entry.name) == part else []
                    except InvalidParams:
                        continue
    except OSError:
        return None
    return found[0] if len(found) == 1 else None


def look(root: str, path: str) -> Seen | None:
    """A file as the disk has it now; None when there is none."""
    try:
        return _seen(os.stat(os.path.join(root, path)))
    except OSError:
        return None


def take(root: str, path: str) -> Taken:
    """Read a file whole. Raises Unreadable, and FileNotFoundError when it has vanished."""
    try:
        # A pipe under such a name must not hold up the sync: opened so, it is seen for what it is.
        handle = os.open(os.path.join(root, path), plain.READ)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise Unreadable(Trouble(path, None, f"it cannot be read: {error.strerror}", "let gbrain read it")) from None
    with os.fdopen(handle, "rb") as file:
        seen = _seen(os.fstat(handle))
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise Unreadable(Trouble(path, None, NO_FILE, "keep only Markdown files under such a name"))
        if seen.size > MOST_BYTES:
            what = f"it is too long for one page: {seen.size:,} bytes, {MOST_BYTES:,} at most"
            raise Unreadable(Trouble(path, None, what, "split it into several files that link to each other"))
        data = file.read(MOST_BYTES + 1)
        # What grew meanwhile is still being written: the state before that is looked at again.
        return Taken(data, hashed(data), seen)


def hashed(data: bytes) -> str:
    """The SHA-256 of a file's bytes."""
    return hashlib.sha256(data).hexdigest()


def decoded(path: str, data: bytes) -> str:
    """The text of a file, every byte of it. Raises Unreadable with the line that is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        hint = "convert it: iconv -f latin1 -t utf-8"
        raise Unreadable(Trouble(path, line, "it is not UTF-8", hint)) from None


def stage(root: str, path: str, data: bytes, before: Taken | None) -> Staged:
    """Write a file's next bytes to a hidden file beside it, durably. `before` is what they are to replace.

    A link's target is written, not the link; the file's mode is kept. Raises Unavailable where that cannot be done.
    """
    target = _target(root, path)
    parent, mode = os.path.dirname(target), None
    # In the same folder: only within one file system a file is put in its place in one step.
    hidden = os.path.join(parent, f"{_HIDDEN}{os.urandom(8).hex()}{_TEMPORARY}")
    try:
        os.makedirs(parent, exist_ok=True)
        if before is not None:
            mode = stat.S_IMODE(os.stat(target).st_mode)
            # Replacing needs no right to write the file itself, and a person who made it read-only meant it.
            if not os.access(target, os.W_OK):
                raise PermissionError(13, "the file is read-only")
        # Not 0600: the file becomes the person's own, with what their umask gives.
        handle = os.open(hidden, os.O_WRONLY | os.O_CREAT | os.O_EXCL | plain.CLOEXEC, 0o666)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if mode is not None:
                os.chmod(handle if os.chmod in os.supports_fd else hidden, mode)
            # Its time is known before the store is told of it: a landed file needs no second look.
            moment = time.time_ns()
            os.utime(handle if os.utime in os.supports_fd else hidden, ns=(moment, moment))
            os.fsync(handle)
            made = os.fstat(handle)
        # Else a loss of power may lose the name of a file whose bytes are safe.
        plain.sync_folder(parent)
    except OSError as error:
        raise Unavailable(
            f"the file {os.path.join(root, path)} cannot be written: {error.strerror}; nothing was changed",
            "let gbrain write there, or keep the page in another source: gbrain sources list",
            detail={"reason": "file", "path": path},
        ) from None
    relative = os.path.relpath(hidden, os.path.realpath(root))
    was = before.hash if before is not None else ""
    return Staged(path, relative, hashed(data), made.st_mtime_ns, made.st_size, was, before.seen if before else None)


def land(root: str, staged: Staged) -> bool:
    """Put the hidden file in its place; False when the place is not as it was, and then nothing was moved.

    Raises Unavailable as `settle` does.
    """
    return settle(root, staged.path, staged.hidden, staged.seen)


def settle(root: str, path: str, hidden: str, seen: Seen | None) -> bool:
    """Put a hidden file in a place that is as it was `seen`; False when it is not, or cannot be written.

    Where the system can, the two change places, so that a save between the look and the move is noticed and put back.
    """
    from gbrain.sources.exchange import exchanged, moved_to_nothing  # ctypes takes 5 ms, and most writes have no file

    if look(root, path) != seen:
        return False
    source, target = os.path.join(os.path.realpath(root), hidden), _target(root, path)
    try:
        if seen is None:
            # A file that appeared since the look is somebody's, and stays.
            if not moved_to_nothing(source, target):
                return False
        elif exchanged(source, target):
            old = _seen(os.stat(source))
            # The change of place itself is the one thing that ctime tells.
            if old._replace(ctime=seen.ctime) != seen:
                exchanged(source, target)
                return False
            os.unlink(source)
        else:
            # Where names cannot be exchanged a save in this very moment is lost; there is no way to see it.
            os.replace(source, target)
    except OSError:
        return False
    return True


def discard(root: str, hidden: str) -> None:
    """Take a hidden file away, if it is there."""
    try:
        os.unlink(os.path.join(os.path.realpath(root), hidden))
    except OSError:
        pass


def is_there(root: str, hidden: str) -> bool:
    """Whether a hidden file still waits."""
    return os.path.lexists(os.path.join(os.path.realpath(root), hidden))


def check_removable(root: str, path: str) -> None:
    """Raise Unavailable when a file cannot be taken away because of where it lies."""
    full = os.path.join(root, path)
    if not os.access(os.path.dirname(full), os.W_OK | os.X_OK):
        raise Unavailable(
            f"the file {full} cannot be removed: its folder is read-only; nothing was changed",
            "let gbrain write there, or remove the file yourself and run: gbrain sync",
            detail={"reason": "file", "path": path},
        )


def remove(root: str, path: str, seen: Seen) -> bool:
    """Take a file away that is still the one that was looked at; False when it is another, or cannot be removed."""
    if look(root, path) != seen:
        return False
    try:
        os.unlink(os.path.join(root, path))
    except OSError:
        return False
    return True


def sweep(root: str, strays: Iterable[str], kept: Iterable[str]) -> None:
    """Take away hidden files of writes that were broken off before the store knew of them."""
    known, now = set(kept), time.time()
    for hidden in strays:
        try:
            old = now - os.lstat(os.path.join(root, hidden)).st_mtime > STRAY_SECONDS
        except OSError:
            continue
        # Young ones may belong to a writer that is between its file and its commit.
        if old and hidden not in known:
            discard(root, hidden)


def _sort_in(entry: os.DirEntry[str], path: str, root: str, home: str, found: Listing, todo: list[str]) -> None:
    name = entry.name
    if name[0] == ".":
        if name.startswith(_HIDDEN) and name.endswith(_TEMPORARY):
            found.strays.append(path)
        return
    try:
        if entry.is_dir(follow_symlinks=False):
            if _is_text(path):
                todo.append(path)
            else:
                found.left_out.append(_misnamed(path))
        elif entry.is_symlink():
            if name.lower().endswith(ENDINGS) or entry.is_dir():
                _look_at(root, home, path, found)
        elif name.lower().endswith(".markdown"):
            shown = path.encode("utf-8", "replace").decode()
            found.left_out.append(Trouble(shown, None, "its name does not end in .md", "rename it so that it does"))
        elif name.lower().endswith(ENDINGS):
            if not entry.is_file(follow_symlinks=False):
                shown = path.encode("utf-8", "replace").decode()
                found.left_out.append(Trouble(shown, None, NO_FILE, "keep only Markdown files under such a name"))
                return
            if not _is_text(path):
                found.left_out.append(_misnamed(path))
                return
            held = entry.stat(follow_symlinks=False)
            found.files[path] = held.st_mtime_ns, held.st_size
    except OSError:
        # It vanished between being listed and being looked at.
        return


def _look_at(root: str, home: str, path: str, found: Listing) -> None:
    """One file by its path, or a link wherever it leads."""
    full = os.path.join(root, path)
    try:
        held = os.stat(full)
    except FileNotFoundError:
        if os.path.islink(full):
            found.left_out.append(Trouble(path, None, "the link leads nowhere", "mend or remove it"))
        return
    except OSError as error:
        found.left_out.append(Trouble(path, None, f"it cannot be read: {error.strerror}", "mend or remove it"))
        return
    if not _inside(home, os.path.realpath(full)):
        hint = "make what it leads to a source of its own: gbrain sources add ID --path FOLDER"
        found.left_out.append(Trouble(path, None, "it leads out of the folder", hint))
    elif stat.S_ISREG(held.st_mode):
        found.files[path] = held.st_mtime_ns, held.st_size


def _inside(home: str, path: str) -> bool:
    # With the slash, or /notes-private would lie within /notes.
    return path == home or path.startswith(home.rstrip("/") + "/")


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _misnamed(path: str) -> Trouble:
    shown = path.encode("utf-8", "replace").decode()
    return Trouble(shown, None, "its name is not UTF-8", "rename it: convmv -f latin1 -t utf8 does so")


def _seen(held: os.stat_result) -> Seen:
    return Seen(held.st_mtime_ns, held.st_size, held.st_ino, held.st_ctime_ns)


def _target(root: str, path: str) -> str:
    """Where the bytes of a path lie. Raises Unavailable when that is outside of the folder."""
    target = os.path.realpath(os.path.join(root, path))
    if not _inside(os.path.realpath(root), target):
        raise Unavailable(
            f"{path} leads out of the folder {root}; nothing was changed",
            "replace the link by the file it leads to, or keep the page in another source: gbrain sources list",
            detail={"reason": "file", "path": path},
        )
    return target
