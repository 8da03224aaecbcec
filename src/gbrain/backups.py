"""What a backup of a brain is, and the list of those that were made.

A backup is a folder, named by its moment: `brain.db`, the brain as one SQLite file whichever engine keeps it; below
`home/` what lies beside the brain in its home (banked turns, journals, `config.json`); and `manifest.json`, which is
written last. A person's words are in it, so a home keeps a list of those made of its brain, wherever they were put:
`backups.json`, `{"version": 1, "backups": [{"path": ..., "partial": ..., "created": ..., "whole": true}]}`.
"""

import json
import os
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple

from gbrain import home as homes, locks
from gbrain.errors import InvalidParams, NotFound, Unavailable

FOLDER, LIST, MANIFEST, BESIDE = "backups", "backups.json", "manifest.json", "home"
FORMAT = 1
PARTIAL = ".partial-"
LATEST = "latest"
LONGEST = 64 * 1024 * 1024
"""Bytes of the longest manifest that is read."""


class Made(NamedTuple):
    """A backup of a home's brain: its folder, when it was begun (wire time), whether the folder is there, and whether
    it was finished: one that was broken off has words in it all the same."""

    path: str
    created: str
    there: bool
    whole: bool


class File(NamedTuple):
    """A file of a backup: its size in bytes, and the SHA-256 of it in hexadecimal."""

    size: int
    hash: str


class Table(NamedTuple):
    """A table of the brain: how many rows, and the sum of their hashes, as `store.copy` makes it."""

    rows: int
    hash: str


class Manifest(NamedTuple):
    """What a backup says of itself. `created` is a wire time, `schema` the schema step of its `brain.db`.

    `ended` is how many of the pages are deleted, and of the facts forgotten or replaced: a table has those too.
    """

    created: str
    gbrain: str
    engine: str
    schema: int
    brain: str
    tables: dict[str, Table]
    files: dict[str, File]
    ended: dict[str, int]


def made(home: str) -> list[Made]:
    """Every backup of a home's brain that was made and not deleted by gbrain, wherever it was put, oldest first.

    Raises Unavailable where the list cannot be read, since nobody knows then where a person's words are.
    """
    found = {}
    for row in _rows(home):
        # A process may have died between the renaming of the folder and the note that it is whole: the folder tells.
        path = row["path"] if row["whole"] or os.path.isdir(row["path"]) else row["partial"]
        there = os.path.isdir(path)
        if there or row["whole"]:
            found[path] = Made(path, row["created"], there, row["whole"] or path == row["path"])
    # A home that was copied or restored brings backups along that its list does not name.
    own = os.path.join(home, FOLDER)
    for name in _listed(own):
        path = os.path.join(own, name)
        if path not in found and os.path.isfile(os.path.join(path, MANIFEST)):
            found[path] = Made(path, _moment(path), True, not name.startswith(PARTIAL))
    return sorted(found.values(), key=lambda one: (one.created, one.path))


def contents(path: str) -> Iterator[str]:
    """Every file that lies in the folder of a backup."""
    for at, folders, names in os.walk(path):
        folders.sort()
        yield from (os.path.join(at, name) for name in sorted(names))


def begin(home: str, path: str, partial: str, created: str) -> None:
    """Note that a backup is about to be made in `partial`, and to become `path`.

    Raises Unavailable while another process has the list, as `finish` and `forget` do.
    """
    with _alone(home):
        # Before a word is copied, so that no copy lies anywhere that this home does not know. Broken ones that somebody
        # deleted are dropped on the way.
        rows = [row for row in _rows(home) if row["whole"] or os.path.isdir(row["partial"])]
        _keep(home, [*rows, {"path": path, "partial": partial, "created": created, "whole": False}])


def finish(home: str, path: str) -> None:
    """Note that a backup is whole."""
    with _alone(home):
        _keep(home, [{**row, "whole": row["whole"] or row["path"] == path} for row in _rows(home)])


def forget(home: str, path: str) -> None:
    """Take a backup that was deleted off the list."""
    with _alone(home):
        _keep(home, [row for row in _rows(home) if row["path"] != path])


def find(home: str, named: str) -> str:
    """The folder of a backup: a path, the name of one of this home's, or `latest`. Raises NotFound."""
    there = [one for one in made(home) if one.there and one.whole]
    if named == LATEST and there:
        return there[-1].path
    for one in reversed(there):
        if os.path.basename(one.path) == named:
            return one.path
    path = os.path.abspath(os.path.expanduser(named))
    if os.path.isdir(path):
        return path
    raise NotFound(f"there is no backup {named[:200]!r}", "run: gbrain backup list, or name the folder of one")


def write(folder: str, manifest: Manifest) -> None:
    """Put the manifest of a backup into its folder. Raises OSError."""
    said = _said(manifest)
    text = json.dumps({**said, "seal": _seal(said)}, indent=1, ensure_ascii=False) + "\n"
    homes.write_private(os.path.join(folder, MANIFEST), text)


def read(path: str) -> Manifest:
    """The manifest of a backup.

    Raises NotFound where there is none, InvalidParams for one that is not what gbrain wrote: its seal is the SHA-256 of
    all else it says, which finds what was changed by mistake, not what somebody forged.
    """
    try:
        with open(os.path.join(path, MANIFEST), encoding="utf-8") as file:
            said = json.loads(file.read(LONGEST))
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"{path} is no backup: it has no {MANIFEST}", "run: gbrain backup list") from None
    except OSError as error:
        raise _refused(path, f"cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise _refused(path, "is no JSON") from None
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise _refused(path, "is none that this gbrain reads")
    if said.pop("seal", None) != _seal(said):
        raise _refused(path, "was changed after it was written")
    try:
        manifest = Manifest(
            **{name: said[name] for name in ("created", "gbrain", "engine", "schema", "brain")},
            tables={name: Table(row["rows"], row["hash"]) for name, row in said["tables"].items()},
            files={name: File(row["size"], row["sha256"]) for name, row in said["files"].items()},
            ended={name: int(rows) for name, rows in said["ended"].items()},
        )
        whole = homes.DATABASE in manifest.files and all(map(_plain, manifest.files))
    except (KeyError, TypeError, ValueError, AttributeError):
        whole = False
    if not whole:
        raise _refused(path, "lacks what a manifest says")
    return manifest


def _plain(name: str) -> bool:
    """Whether a file of a manifest is one that belongs into a backup, and not a way out of its folder."""
    parts = name.split("/")
    inside = all(part not in ("", ".", "..") and "\\" not in part and ":" not in part for part in parts)
    # The manifest comes with a folder that anybody may have made; a restore writes where it says.
    return inside and (name == homes.DATABASE or (parts[0] == BESIDE and len(parts) > 1))


def _said(manifest: Manifest) -> dict[str, Any]:
    return {
        "format": FORMAT,
        **manifest._asdict(),
        "tables": {name: table._asdict() for name, table in manifest.tables.items()},
        "files": {name: {"size": file.size, "sha256": file.hash} for name, file in manifest.files.items()},
    }


def _seal(said: dict[str, Any]) -> str:
    # Without spaces and sorted: the seal is that of what is said, however it is laid out.
    text = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return sha256(text.encode()).hexdigest()


def _refused(path: str, why: str) -> InvalidParams:
    return InvalidParams(
        f"the manifest of {path} {why}",
        "use another backup: gbrain backup list",
        detail={"reason": "manifest", "path": path},
    )


def _rows(home: str) -> list[dict[str, Any]]:
    path = os.path.join(home, LIST)
    try:
        with open(path, encoding="utf-8") as file:
            said = json.load(file)
        rows = [{**row, "whole": bool(row["whole"])} for row in said["backups"]]
        if all(isinstance(row[name], str) for row in rows for name in ("path", "partial", "created")):
            return rows
    except (FileNotFoundError, NotADirectoryError):
        return []
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass
    raise Unavailable(
        f"the list of backups, {path}, is damaged",
        f"move it away: mv {path} {path}.damaged; backups outside {os.path.join(home, FOLDER)} are not known then",
        detail={"reason": "backups", "path": path},
    )


def _keep(home: str, rows: list[dict[str, Any]]) -> None:
    text = json.dumps({"version": 1, "backups": rows}, indent=2, ensure_ascii=False) + "\n"
    homes.write_private(os.path.join(home, LIST), text)


def _alone(home: str) -> Any:
    return locks.alone(os.path.join(home, LIST + ".lock"))


def _listed(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _moment(path: str) -> str:
    """When a backup was made that is on no list, "" where its manifest does not say."""
    try:
        return read(path).created
    except (InvalidParams, NotFound):
        return ""
