"""A backup put back: into a home without a brain, or in place of the one that is there, which is kept."""

import os
import shutil
from collections.abc import Callable
from typing import NamedTuple

from gbrain import backups, home as homes, locks, neighbour, plain
from gbrain.backing_up import KEPT_BESIDE, compared, copy_file, create, verify
from gbrain.backups import BESIDE, Manifest
from gbrain.brain import open_home, utc_now
from gbrain.errors import InvalidParams, Unavailable
from gbrain.store import backup as stored

STAGED, REPLACED = homes.RESTORING, "replaced"
# The backup of what is replaced must not make room by deleting another one.
_KEEP_ALL = 10_000
_FILES = (homes.DATABASE, f"{homes.DATABASE}-wal", f"{homes.DATABASE}-shm")

Say = Callable[[str], None]


class PutBack(NamedTuple):
    """A brain that was put back: its home, where it lies, and what its backup says of it.

    `kept` is where the brain is that was there before: a folder, or a backup of it; None where there was none.
    """

    home: str
    place: str
    manifest: Manifest
    kept: str | None


def restore(path: str, home: str, url: str | None, force: bool, say: Say) -> PutBack:
    """Put a backup back into a home, or into the PostgreSQL database at `url` that becomes the home's; then compare.

    The backup is verified first and only read. Raises InvalidParams for one that is damaged, and, without `force`,
    where a brain is there; Unavailable while a server or another process uses the brain that is there.
    """
    say("verifying the backup")
    # Before anything is touched.
    manifest, wrong = verify(path)
    if manifest is None or wrong:
        raise InvalidParams(
            f"the backup {path} is damaged, so nothing was restored: {wrong[0]}",
            f"see all of it: gbrain backup verify {path}; use another: gbrain backup list",
            detail={"reason": "damaged", "problems": wrong},
        )
    homes.refuse_foreign(home)
    homes.prepare(home)
    try:
        # Two at once would stage in one place, and one would put back what the other had half copied.
        with locks.alone(os.path.join(home, f"{STAGED}.lock")):
            return _restored(path, home, _database(home, url), manifest, force, say)
    except OSError as error:
        raise Unavailable(
            f"the backup could not be restored into {home}: {error.strerror or error}",
            "make room or mend the permissions, then run the same command again",
            detail={"reason": "io", "path": error.filename},
        ) from error


def _restored(path: str, home: str, url: str | None, manifest: Manifest, force: bool, say: Say) -> PutBack:
    there = homes.has_brain(home) if url is None else stored.has_brain(url)
    if there and not force:
        raise InvalidParams(
            f"there is a brain at {_place(home, url)}, which this would take the place of",
            "choose another home: gbrain backup restore BACKUP --path FOLDER; or keep the old one beside: add --force",
            detail={"reason": "brain_there"},
        )
    _refuse_used(home, url)
    staged = os.path.join(home, STAGED)
    say("copying")
    _stage(path, staged, manifest)
    # A server may have started while that was copied.
    _refuse_used(home, url)
    kept = None
    if url is None:
        # The old -wal and -shm go along: beside another database SQLite would play the log into it.
        kept = _swap(home, staged, (*_FILES, *KEPT_BESIDE))
        held = stored.upgraded(homes.database_path(home))
    else:
        if there:
            # A database cannot be renamed away as a file can, so a backup of it takes its place.
            with open_home(home) as brain:
                kept = create(brain, None, _KEEP_ALL, say).path
            stored.empty(url)
        held = stored.upgraded(os.path.join(staged, homes.DATABASE))
        held = held._replace(tables=stored.pour(os.path.join(staged, homes.DATABASE), url, say))
        for name in _FILES:
            if os.path.lexists(os.path.join(staged, name)):
                os.unlink(os.path.join(staged, name))
        _swap(home, staged, KEPT_BESIDE)
    shutil.rmtree(staged)
    say("comparing")
    wrong = compared(manifest, held.tables) if held.schema == manifest.schema else _fewer(manifest, held.tables)
    if wrong:
        raise Unavailable(
            f"what was restored is not what was backed up: {wrong[0]}",
            f"the brain that was there is in {kept}" if kept else "run: gbrain doctor",
            detail={"reason": "not_equal", "problems": wrong},
        )
    return PutBack(home, _place(home, url), manifest, kept if there else None)


def _database(home: str, url: str | None) -> str | None:
    """The database to restore into, None for the home's own file; a home gets the address of the one it is told of."""
    address = homes.address(home)
    if address is not None and address.kind == "remote":
        raise InvalidParams(
            f"the brain of {home} is kept at {address.url}",
            "run it on the machine of that brain, or into another home: gbrain backup restore BACKUP --path FOLDER",
            detail={"reason": "remote"},
        )
    held = address.url if address is not None else None
    if url is None or url == held:
        return held
    if not homes.is_url(url):
        raise InvalidParams(
            "the value of --postgres is not the URL of a PostgreSQL database",
            "write it as: gbrain backup restore BACKUP --postgres postgresql://USER@HOST/DATABASE",
        )
    if homes.has_brain(home):
        raise InvalidParams(
            f"{home} has a brain of its own ({homes.place(home)})",
            "choose another home: gbrain backup restore BACKUP --postgres URL --path FOLDER",
            detail={"reason": "another_brain"},
        )
    if stored.has_brain(url):
        raise InvalidParams(
            f"there is a brain at {homes.redacted(url)}, and it is not the one of this home",
            "join it first: gbrain init --postgres URL; then: gbrain backup restore BACKUP --force",
            detail={"reason": "another_brain"},
        )
    homes.prepare(home)
    homes.set_database_url(home, url)
    return url


def _place(home: str, url: str | None) -> str:
    return homes.database_path(home) if url is None else homes.redacted(url)


def _refuse_used(home: str, url: str | None) -> None:
    """Raise Unavailable while a process uses the brain that is about to be replaced."""
    path = homes.database_path(home)
    if _served(home):
        who = "a server is running on it"
    elif url is None and os.path.isfile(path) and stored.in_use(path):
        who = "another process has it open"
    elif url is not None and stored.others(url):
        who = "other processes are connected to it"
    else:
        return
    raise Unavailable(
        f"the brain at {_place(home, url)} cannot be replaced while {who}",
        "stop the servers and agents that use it, which gbrain doctor names; then run the same command again",
        detail={"reason": "in_use"},
    )


def _served(home: str) -> bool:
    """Whether a server of this brain listens: one that does holds a lock, which ends with it however it ends."""
    path = neighbour.socket_path(home)
    lock = path.removesuffix(".sock") + ".lock" if path is not None else ""
    if not os.path.exists(lock):
        return False
    handle = locks.opened(lock)
    try:
        return not locks.taken(handle)
    finally:
        os.close(handle)


def _stage(path: str, staged: str, manifest: Manifest) -> None:
    """Copy the files of a backup beside the brain they are for. Raises OSError, and Unavailable for other bytes."""
    if os.path.lexists(staged):
        shutil.rmtree(staged)
    os.mkdir(staged, 0o700)
    for name, said in manifest.files.items():
        parts = name.split("/")
        inside = parts[1:] if parts[0] == BESIDE else parts
        if parts[0] == BESIDE and inside[0] not in KEPT_BESIDE:
            continue
        if copy_file(os.path.join(path, *parts), os.path.join(staged, *inside)) != said:
            raise Unavailable(
                f"{name} was changed in {path} while it was read", "run the same command again, or use another backup"
            )


def _swap(home: str, staged: str, names: tuple[str, ...]) -> str | None:
    """Give what was staged the place of what is there, which goes into a folder of its own; that folder, if any.

    The database goes first and comes last, so that there is either a whole brain or none.
    """
    old = [name for name in names if os.path.lexists(os.path.join(home, name))]
    kept = _room(home) if old else None
    for name in old:
        os.rename(os.path.join(home, name), os.path.join(str(kept), name))
    for name in reversed(names):
        if os.path.lexists(os.path.join(staged, name)):
            os.rename(os.path.join(staged, name), os.path.join(home, name))
    if kept is not None:
        plain.sync_folder(kept)
    plain.sync_folder(home)
    return kept


def _room(home: str) -> str:
    """A new folder for what is replaced, named by the moment."""
    name = utc_now().strftime("%Y%m%dT%H%M%SZ")
    number, path = 1, os.path.join(home, REPLACED, name)
    while os.path.lexists(path):
        number += 1
        path = os.path.join(home, REPLACED, f"{name}-{number}")
    os.makedirs(path, mode=0o700)
    return path


def _fewer(manifest: Manifest, found: dict[str, backups.Table]) -> list[str]:
    """The tables of another schema step that have not as many rows as before."""
    return [
        f"table {name}: {found[name].rows:,} rows, {table.rows:,} when it was made"
        for name, table in manifest.tables.items()
        if name in found and found[name].rows != table.rows
    ]
