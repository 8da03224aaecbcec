"""Backups made while the brain is in use, and looked through again."""

import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import NamedTuple

from gbrain import __version__, backups, home as homes, locks, plain
from gbrain.backups import BESIDE, MANIFEST, PARTIAL, File, Made, Manifest
from gbrain.brain import Brain
from gbrain.domain.times import store_time, wire_time
from gbrain.errors import BrainError, InvalidParams, Unavailable
from gbrain.store import backup as stored

KEPT_BESIDE = ("transcripts", "integrations", "config.json")
"""What of a home belongs to its brain. Keys, addresses, mounts and receipts belong to the machine."""
KEEP = "backup.keep"
ALL = "all"
PIECE = 1024 * 1024

Say = Callable[[str], None]


class Done(NamedTuple):
    """A backup that was made, and the folders of older ones that were deleted for it."""

    path: str
    manifest: Manifest
    dropped: list[str]


def create(brain: Brain, to: str | None, keep: int | None, say: Say) -> Done:
    """Back a brain up into a new folder below `to`, or below `backups/` of its home; others write on meanwhile.

    It is there whole or not at all. Then all but the newest `keep` backups of this brain in that folder are deleted;
    None keeps as many as the setting `backup.keep` says. Raises Unavailable where it cannot be written.
    """
    folder = os.path.abspath(os.path.expanduser(to)) if to is not None else os.path.join(brain.home, backups.FOLDER)
    most = keep if keep is not None else _most(brain)
    if most is not None and most < 1:
        raise InvalidParams("at least one backup is kept", "run: gbrain backup create --keep 1")
    with _writing(folder):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        # On the folder, not the home: two brains may be backed up to one disk.
        with locks.alone(os.path.join(folder, ".lock")):
            path, manifest = _create(brain, folder, say)
            return Done(path, manifest, _thin(brain, folder, path, most))


def _create(brain: Brain, folder: str, say: Say) -> tuple[str, Manifest]:
    """Make one backup in a folder that no other is being made in."""
    created = str(wire_time(store_time(brain.clock())))
    path = _free(folder, created)
    partial = os.path.join(folder, PARTIAL + os.path.basename(path))
    for name in os.listdir(folder):
        if name.startswith(PARTIAL):
            # Whoever began it is gone: the lock says so.
            shutil.rmtree(os.path.join(folder, name))
    # Noted before the first byte, so that whoever must forget a person's words finds them in a half-made one too.
    backups.begin(brain.home, path, partial, created)
    try:
        os.mkdir(partial, 0o700)
        # Turns first: one that becomes a fact meanwhile is then in both, and its second reading finds the fact.
        files = _beside(brain.home, partial)
        target = os.path.join(partial, homes.DATABASE)
        stored.write(brain.store.engine, target, say)
        # Counted in the copy: the brain itself goes on changing.
        found = stored.held(target)
        files[homes.DATABASE] = _synced(target)
        manifest = Manifest(
            created, __version__, brain.store.engine.name, found.schema, found.brain, found.tables, files, found.ended
        )
        backups.write(partial, manifest)
        # All is on the disk before the name says that it is whole.
        sync_folders(partial)
        os.rename(partial, path)
        plain.sync_folder(folder)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    backups.finish(brain.home, path)
    return path, manifest


def verify(path: str) -> tuple[Manifest | None, list[str]]:
    """What a backup says of itself, and everything that is wrong with it; nothing is changed.

    Every file is read and compared with its hash; then the database is checked as the doctor does it, and its rows are
    compared with the counts and hashes that were taken when it was made.
    """
    try:
        manifest = backups.read(path)
    except BrainError as error:
        return None, [error.message]
    wrong = list(_differing(path, manifest))
    if wrong:
        return manifest, wrong
    database = os.path.join(path, homes.DATABASE)
    wrong = stored.problems(database)
    if wrong:
        return manifest, [f"{homes.DATABASE}: {line}" for line in wrong]
    try:
        found = stored.held(database)
    except BrainError as error:
        return manifest, [f"{homes.DATABASE}: {error.message}"]
    if found.brain != manifest.brain or found.schema != manifest.schema:
        wrong.append(f"{homes.DATABASE} is of another brain or schema than {MANIFEST} says")
    return manifest, wrong + compared(manifest, found.tables)


def compared(manifest: Manifest, found: dict[str, backups.Table]) -> list[str]:
    """The tables that are not what a manifest says, each with how many rows it should have and has."""
    none = backups.Table(0, "")
    return [
        f"table {name}: {found.get(name, none).rows:,} rows, {manifest.tables.get(name, none).rows:,} when it was made"
        + (", and not the same ones" if found.get(name, none).rows == manifest.tables.get(name, none).rows else "")
        for name in sorted({*found, *manifest.tables})
        if found.get(name) != manifest.tables.get(name)
    ]


def own(home: str, folder: str, brain: str) -> list[Made]:
    """The whole backups of a brain in a folder, oldest first."""
    found = []
    for one in backups.made(home):
        if one.there and one.whole and os.path.dirname(one.path) == folder:
            try:
                mine = backups.read(one.path).brain == brain
            except BrainError:
                # What cannot be told to be this brain's is left alone.
                continue
            if mine:
                found.append(one)
    return found


def fingerprint(path: str) -> File:
    """The size and the hash of a file. Raises OSError."""
    size, hash = 0, sha256()
    with open(path, "rb") as file:
        while piece := file.read(PIECE):
            size += len(piece)
            hash.update(piece)
    return File(size, hash.hexdigest())


def copy_file(source: str, target: str) -> File | None:
    """Copy a plain file for its owner alone, safe on the disk; None where it is none, or has gone. Raises OSError."""
    try:
        handle = os.open(source, plain.READ_ITSELF)
    except OSError as error:
        # Gone, a link (which is never followed), or a socket.
        if error.errno in (errno.ENOENT, errno.ELOOP, errno.ENXIO):
            return None
        raise
    with open(handle, "rb") as reading:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        _private(os.path.dirname(target))
        with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | plain.CLOEXEC, 0o600), "wb") as writing:
            shutil.copyfileobj(reading, writing, PIECE)
            writing.flush()
            os.fsync(writing.fileno())
    return fingerprint(target)


def _private(folder: str) -> None:
    """Make a folder and those above it, each for its owner alone; `os.makedirs` does so for the last alone."""
    if not os.path.isdir(folder):
        _private(os.path.dirname(folder))
        os.mkdir(folder, 0o700)


def sync_folders(folder: str) -> None:
    """Make sure that the names in a folder and in all below it are on the disk. Raises OSError."""
    for at, _, _ in os.walk(folder, topdown=False):
        plain.sync_folder(at)


@contextmanager
def _writing(folder: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        raise Unavailable(
            f"the backup in {folder} could not be written: {error.strerror or error}; nothing of it is left",
            "free some space, or name another folder: gbrain backup create --to FOLDER"
            if full
            else "name a folder you may write to: gbrain backup create --to FOLDER",
            detail={"reason": "disk_full" if full else "io", "path": folder},
        ) from error


def _most(brain: Brain) -> int | None:
    said = brain.settings.get(KEEP)
    return None if said == ALL else int(said)


def _free(folder: str, created: str) -> str:
    """A name for the backup of a moment that no other has: 20310504T221000Z, then -2 and so on."""
    name = created.partition(".")[0].replace("-", "").replace(":", "").removesuffix("Z") + "Z"
    # No colons: a backup may be copied to a disk whose file system has none in names.
    path, number = os.path.join(folder, name), 1
    while os.path.lexists(path):
        number += 1
        path = os.path.join(folder, f"{name}-{number}")
    return path


def _beside(home: str, partial: str) -> dict[str, File]:
    """Copy what lies beside the brain and belongs to it; what was copied, by its name in the backup."""
    found: dict[str, File] = {}
    for name in KEPT_BESIDE:
        place = os.path.join(home, name)
        for source in [place] if os.path.isfile(place) else backups.contents(place):
            inside = os.path.relpath(source, home).replace(os.sep, "/")
            file = copy_file(source, os.path.join(partial, BESIDE, *inside.split("/")))
            if file is not None:
                found[f"{BESIDE}/{inside}"] = file
    return found


def _synced(path: str) -> File:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    return fingerprint(path)


def _differing(path: str, manifest: Manifest) -> Iterator[str]:
    """The files that are missing, other than they were, or not of this backup."""
    there = {os.path.relpath(file, path).replace(os.sep, "/") for file in backups.contents(path)} - {MANIFEST}
    for name in sorted(there - set(manifest.files)):
        # SQLite would take a journal beside the database for a change to be finished or undone.
        yield f"{name} is no file of this backup"
    for name, said in sorted(manifest.files.items()):
        file = os.path.join(path, *name.split("/"))
        if os.path.islink(file) or not os.path.isfile(file):
            yield f"{name} is missing"
            continue
        try:
            found = fingerprint(file)
        except OSError as error:
            yield f"{name} cannot be read: {error.strerror or error}"
            continue
        if found.size != said.size:
            yield f"{name} has {found.size:,} bytes, {said.size:,} when it was made"
        elif found.hash != said.hash:
            yield f"{name} is not what it was when it was made"


def _thin(brain: Brain, folder: str, made: str, most: int | None) -> list[str]:
    """Delete all but the newest backups of this brain in a folder; those that were deleted.

    The one that was just made stays, also where a clock that was put back makes it look the oldest.
    """
    if most is None:
        return []
    dropped = []
    others = [one for one in own(brain.home, folder, brain.id) if one.path != made]
    for one in others[: max(0, len(others) - most + 1)]:
        # The manifest goes first: what is left of one that is deleted halfway is no backup.
        os.unlink(os.path.join(one.path, MANIFEST))
        shutil.rmtree(one.path)
        backups.forget(brain.home, one.path)
        dropped.append(one.path)
    return dropped
