"""Which brain a command is for: the host's own, or one that is mounted in it under a name.

A mount is a name for another home: a folder of this machine, or one below the host's `mounts/` that says where the
brain lies. They are listed in the host's `mounts.json`:
`{"version": 1, "mounts": {"team": {"home": "/srv/team/.gbrain", "path": "/work/team"}}}`, `path` being the folder it
covers, or null.
"""

import json
import os
import re
import stat
from typing import Literal, NamedTuple, NotRequired, TypedDict

from gbrain import home as homes, locks, plain
from gbrain.errors import InvalidParams, Unavailable

HOST = "host"
ENV_BRAIN = "GBRAIN_BRAIN_ID"
DOTFILE = ".gbrain-mount"
FILE = "mounts.json"
FOLDER = "mounts"
NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")

_LEVELS = 50
_LONGEST = 256

By = Literal["flag", "env", "dotfile", "mounted_path", "host", "given"]


class Mount(NamedTuple):
    """Another brain. `home` is the folder that leads to it, `path` the folder that it covers, None for none."""

    name: str
    home: str
    path: str | None


class Choice(NamedTuple):
    """The brain that was chosen: its name, its home, what chose it, and where that was said ("" for nowhere)."""

    name: str
    home: str
    by: By
    said_in: str = ""


class BrainInUse(TypedDict):
    """Which brain answers, how it is kept, and what chose it.

    `place` is where it lies, with what is secret taken out; `said_in` is the folder, file or variable that chose it.
    """

    name: str
    kind: homes.Kind
    selected_by: By
    place: NotRequired[str]
    said_in: NotRequired[str]


def in_use(chosen: Choice, *, places: bool = True) -> BrainInUse:
    """A choice as it is shown; without `places` nothing tells of the folders of this machine."""
    shown: BrainInUse = {"name": chosen.name, "kind": homes.kind(chosen.home), "selected_by": chosen.by}
    if places:
        shown["place"] = homes.place(chosen.home)
        if chosen.said_in:
            shown["said_in"] = chosen.said_in
    return shown


_REASONS: dict[By, str] = {
    "flag": "chosen by --brain",
    "env": "chosen by the variable {}",
    "dotfile": "chosen by the file {}",
    "mounted_path": "chosen for all that is below {}",
    "host": "the brain of this home",
    "given": "the one that was asked for",
}


def reason(by: By, said_in: str) -> str:
    """What chose a brain, in words."""
    return _REASONS[by].format(said_in)


def choose(brain: str | None, host: str) -> Choice:
    """The brain to use, for a host's home: `brain`, `GBRAIN_BRAIN_ID`, `.gbrain-mount`, the mounted path, or the host.

    Raises InvalidParams for a name that is not mounted and a dotfile that cannot be trusted, Unavailable where the
    mounts cannot be read: another brain is never used in place of the one that was meant.
    """
    if brain is not None:
        return _named(host, brain, "flag", "--brain")
    # The nearer to the person who types, the stronger: option, variable, file, folder.
    told = os.environ.get(ENV_BRAIN, "")
    if told:
        return _named(host, told, "env", ENV_BRAIN)
    try:
        here = os.getcwd()
    except OSError:
        # A folder that was removed covers nothing.
        return Choice(HOST, host, "host")
    found = _dotfile(here)
    if found is not None:
        path, name = found
        return _named(host, name, "dotfile", path)
    covering = [mount for mount in mounted(host).values() if mount.path is not None and _within(here, mount.path)]
    if not covering:
        return Choice(HOST, host, "host")
    # All of them cover this folder, so that the longest path is the innermost.
    best = max(covering, key=lambda mount: len(mount.path or ""))
    return Choice(best.name, best.home, "mounted_path", best.path or "")


def _named(host: str, name: str, by: By, said_in: str) -> Choice:
    if name == HOST:
        return Choice(HOST, host, by, said_in)
    mount = mounted(host).get(name)
    if mount is None:
        where = "" if by == "flag" else f", which {said_in} names"
        raise InvalidParams(
            f"there is no brain {name[:64]!r} here{where}",
            "run: gbrain mounts list",
            detail={"reason": "no_such_brain", "brain": name[:64], "selected_by": by},
        )
    return Choice(name, mount.home, by, said_in)


def _dotfile(folder: str) -> tuple[str, str] | None:
    """The nearest dotfile from a folder upwards, and the name in it. Raises InvalidParams when it is not to be trusted.

    Whoever may write it decides where facts go, so it has to be a plain file of the person who runs this.
    """
    for _ in range(_LEVELS):
        path = os.path.join(folder, DOTFILE)
        try:
            # Not `stat`: a link would let another user's file decide.
            seen = os.lstat(path)
        except OSError:
            parent = os.path.dirname(folder)
            if parent == folder:
                return None
            folder = parent
            continue
        wrong = (
            "is not a plain file"
            if not stat.S_ISREG(seen.st_mode)
            else None
            if plain.trusted(seen)
            else "can be written by every user"
            if seen.st_uid == os.getuid()
            else "belongs to another user"
        )
        try:
            name = _first_line(path) if wrong is None else ""
        except OSError as error:
            wrong = f"cannot be read: {error.strerror or error}"
        if wrong is not None or not name:
            raise InvalidParams(
                f"{path} {wrong or 'names no brain'}, so it does not decide which brain is used",
                f"say which: gbrain --brain NAME COMMAND, or {ENV_BRAIN}=NAME; `gbrain mounts list` shows the names",
                detail={"reason": "dotfile", "path": path},
            )
        return path, name
    return None


def _first_line(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read(_LONGEST).strip().partition("\n")[0].strip()


def _within(folder: str, place: str) -> bool:
    # With the separator: /work/team does not cover /work/team-b.
    return folder == place or folder.startswith(place.rstrip(os.sep) + os.sep)


def mounted(host: str) -> dict[str, Mount]:
    """The mounts of a host by name. Raises Unavailable when their file cannot be read or understood."""
    path = os.path.join(host, FILE)
    try:
        with open(path, encoding="utf-8") as file:
            said = json.load(file)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError, RecursionError):
        said = None
    rows = said.get("mounts") if isinstance(said, dict) else None
    found = [_understood(name, row) for name, row in rows.items()] if isinstance(rows, dict) else [None]
    # One bad row spoils the list: whatever it named would else go to the host's brain without a word.
    if None in found:
        raise Unavailable(
            f"the list of mounts, {path}, is damaged",
            f"move it away (mv {path} {path}.damaged) and add them again: gbrain mounts add NAME PLACE; until then:"
            " gbrain --brain host COMMAND",
            detail={"reason": "mounts", "path": path},
        )
    return {mount.name: mount for mount in found if mount is not None}


def _understood(name: str, row: object) -> Mount | None:
    if not isinstance(row, dict) or name == HOST or not NAME.fullmatch(name):
        return None
    home, path = row.get("home"), row.get("path")
    if not isinstance(home, str) or not os.path.isabs(home):
        return None
    if path is not None and not (isinstance(path, str) and os.path.isabs(path)):
        return None
    return Mount(name, home, path)


def check_name(name: str) -> None:
    """Raise InvalidParams for a name that no mount can have."""
    if name == HOST or not NAME.fullmatch(name):
        raise InvalidParams(
            f"{name[:64]!r} cannot be the name of a mount",
            "choose 1 to 32 lower-case letters, digits and inner hyphens, other than host",
        )


def own_home(host: str, name: str) -> str:
    """The home that a mount gets inside its host, when its brain is no folder of this machine."""
    return os.path.join(host, FOLDER, name)


def add(host: str, mount: Mount) -> None:
    """Keep a mount. Raises InvalidParams when its name or its path is taken, Unavailable for a damaged list."""
    check_name(mount.name)
    with locks.alone(os.path.join(host, FILE + ".lock")):
        held = mounted(host)
        if mount.name in held:
            raise InvalidParams(
                f"there is a mount {mount.name!r} already", f"run: gbrain mounts remove {mount.name}, or take another"
            )
        other = next((old for old in held.values() if mount.path is not None and old.path == mount.path), None)
        if other is not None:
            raise InvalidParams(
                f"{mount.path} is covered by the mount {other.name!r} already",
                f"name another folder, or run: gbrain mounts remove {other.name}",
            )
        _write(host, {**held, mount.name: mount})


def remove(host: str, name: str) -> Mount:
    """Forget a mount; its brain is left alone. Raises InvalidParams for an unknown name, Unavailable for damage."""
    with locks.alone(os.path.join(host, FILE + ".lock")):
        held = mounted(host)
        if name not in held:
            raise InvalidParams(f"there is no mount {name[:64]!r}", "run: gbrain mounts list")
        _write(host, {other: mount for other, mount in held.items() if other != name})
        return held[name]


def _write(host: str, held: dict[str, Mount]) -> None:
    rows = {mount.name: {"home": mount.home, "path": mount.path} for mount in held.values()}
    text = json.dumps({"version": 1, "mounts": rows}, indent=2, ensure_ascii=False) + "\n"
    homes.write_private(os.path.join(host, FILE), text)
