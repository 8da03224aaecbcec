"""Where a brain lives on this machine: `$GBRAIN_HOME/.gbrain`, else `~/.gbrain`.

The home of a brain that lies elsewhere holds `brain.json` instead of a database: `{"engine": "postgres", "url": "..."}`
for one on PostgreSQL, `{"engine": "remote", "url": "...", "token": "..."}` for one that a server over HTTP keeps.
"""

import json
import os
import stat
import sys
from typing import Literal, NamedTuple

from gbrain import plain
from gbrain.errors import InvalidParams, NotFound, Unavailable

Kind = Literal["sqlite", "postgres", "remote"]

DATABASE = "brain.db"
ADDRESS = "brain.json"
SCHEMES = ("postgresql", "postgres")
RESTORING = ".restoring"
"""The folder of a home that a backup is copied to before it takes its place; it is there until that is done."""
ENV_HOME = "GBRAIN_HOME"
LONGEST = 480
"""Bytes of the longest path of a home: SQLite opens none above 512 (MAX_PATHNAME in its os_unix.c)."""


def resolve(override: str | None = None) -> str:
    """The absolute path of the home folder; nothing is created.

    `override` is a folder to use as it is. Raises InvalidParams when `GBRAIN_HOME` is relative or has `..`, and for a
    path that is no UTF-8 or longer than LONGEST.
    """
    return _fit(_resolved(override))


def _resolved(override: str | None) -> str:
    if override is not None:
        return os.path.abspath(override)
    base = os.environ.get(ENV_HOME, "")
    if base:
        if not os.path.isabs(base) or ".." in base.split(os.sep):
            raise InvalidParams(
                f"{ENV_HOME} must be an absolute path without '..'",
                f"run: export {ENV_HOME}=/absolute/folder",
            )
        return os.path.join(base, ".gbrain")
    return os.path.join(os.path.expanduser("~"), ".gbrain")


def _fit(path: str) -> str:
    """The path of a home, unless SQLite could not open a file in it."""
    try:
        size = len(path.encode())
        readable = os.fsencode(path) == path.encode()
    except UnicodeError:
        size, readable = 0, False
    if not readable:
        raise InvalidParams(
            f"the path of the home is no UTF-8: {path!a}",
            f"name it in UTF-8: export {ENV_HOME}=/absolute/folder; in Python of another locale: export PYTHONUTF8=1",
            detail={"reason": "home_path"},
        )
    if size > LONGEST:
        raise InvalidParams(
            f"the path of the home has {size:,} bytes; no database can be opened in one of more than {LONGEST}",
            f"choose a shorter one: export {ENV_HOME}=/absolute/folder",
            detail={"reason": "home_path"},
        )
    return path


def database_path(home: str) -> str:
    """The embedded store's file inside a home."""
    return os.path.join(home, DATABASE)


class Address(NamedTuple):
    """Where a brain lies that is not in its home. `token` is what its server is shown, None where it wants none."""

    kind: Literal["postgres", "remote"]
    url: str
    token: str | None = None


def address(home: str) -> Address | None:
    """Where the brain of a home lies; None for one in the embedded store of the home itself.

    Raises Unavailable when the file that says so cannot be read or understood.
    """
    path = os.path.join(home, ADDRESS)
    if _seen(home, path) is None:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            said = json.load(file)
    except (OSError, ValueError):
        said = None
    found = _understood(said) if isinstance(said, dict) else None
    if found is None:
        raise Unavailable(
            f"{path} does not say where this brain is",
            "write it anew: gbrain init --postgres URL, or: gbrain init --remote URL --token-file FILE",
            detail={"reason": "address", "path": path},
        )
    return found


def _understood(said: dict[str, object]) -> Address | None:
    kind, url, token = said.get("engine"), said.get("url"), said.get("token")
    if not isinstance(url, str) or not (token is None or isinstance(token, str)):
        return None
    if kind == "postgres" and is_url(url):
        return Address("postgres", url)
    sendable = all(text.isascii() and text.isprintable() and " " not in text for text in (url, token or ""))
    if kind == "remote" and url.partition("://")[0] in ("http", "https") and sendable:
        return Address("remote", url, token)
    return None


def has_address(home: str) -> bool:
    """Whether a home says that its brain lies elsewhere, however well it does."""
    return os.path.lexists(os.path.join(home, ADDRESS))


def set_address(home: str, address: Address) -> None:
    """Note in a home where its brain lies, for its owner's eyes only."""
    said = {"engine": address.kind, "url": address.url}
    if address.token is not None:
        said["token"] = address.token
    write_private(os.path.join(home, ADDRESS), json.dumps(said, indent=2) + "\n")


def database_url(home: str) -> str | None:
    """The URL of the brain's PostgreSQL database; None for a brain elsewhere. Raises Unavailable, as `address` does."""
    found = address(home)
    return found.url if found is not None and found.kind == "postgres" else None


def set_database_url(home: str, url: str) -> None:
    """Note the URL of the brain's database in a home, for its owner's eyes only."""
    set_address(home, Address("postgres", url))


def kind(home: str) -> Kind:
    """How the brain of a home is kept. Raises Unavailable, as `address` does."""
    found = address(home)
    return found.kind if found is not None else "sqlite"


def place(home: str) -> str:
    """Where the brain of a home lies, as it may be shown. Raises Unavailable, as `address` does."""
    found = address(home)
    if found is None:
        return database_path(home)
    return redacted(found.url) if found.kind == "postgres" else found.url


def write_private(path: str, text: str) -> None:
    """Put a text in place whole, readable by its owner alone. Raises OSError, with what was there as it was."""
    plain.put(path, text.encode())


def driver_install() -> str:
    """The command that adds the driver for PostgreSQL to this gbrain, run in the clone it was installed from."""
    return f"{sys.executable} -m pip install '.[postgres]'"


def is_url(text: str) -> bool:
    """Whether a text is meant as the URL of a PostgreSQL database."""
    return text.partition("://")[0].lower() in SCHEMES and "://" in text


def redacted(url: str, hidden: str = "***") -> str:
    """A database URL as it may be shown: without its password, wherever it stands; `hidden` stands in for it."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        return "***"
    # A password that was not escaped may hold any of the signs that divide a URL, so the last @ counts.
    user, at, place = rest.rpartition("@")
    if ":" in user:
        user = user.partition(":")[0] + (f":{hidden}" if hidden else "")
    path, _, query = place.partition("?")
    parts = [part for part in query.split("&") if part and (hidden or "password" not in part.lower())]
    shown = [f"{part.partition('=')[0]}={hidden}" if "password" in part.lower() else part for part in parts]
    return f"{scheme}://{user}{at}{path}" + (f"?{'&'.join(shown)}" if shown else "")


def has_brain(home: str) -> bool:
    """Whether a home has a brain: the address of one, or a brain's file; an empty one is none.

    Raises Unavailable when that cannot be told.
    """
    if address(home) is not None:
        return True
    path = database_path(home)
    seen = _seen(home, path)
    # An empty file with a log beside it is a damaged brain, and not none.
    return seen is not None and (seen.st_size > 0 or os.path.exists(path + "-wal"))


def _seen(home: str, path: str) -> os.stat_result | None:
    """What a file of a home is like, None when it is not there."""
    try:
        return os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Unavailable(
            f"the home {home} cannot be read: {error.strerror or error}",
            "check its permissions, then run: gbrain doctor",
            detail={"reason": "home_unreadable", "home": home},
        ) from None


def foreign_marks(home: str) -> list[str]:
    """Files that the TypeScript gbrain leaves in a home, by name; empty for ours or a fresh one."""
    marks = [name for name in ("brain.pglite", "pglite") if os.path.isdir(os.path.join(home, name))]
    config = os.path.join(home, "config.json")
    try:
        with open(config, encoding="utf-8", errors="replace") as file:
            text = file.read(65536)
    except OSError:
        return marks
    if '"database_path"' in text or '"database_url"' in text or '"engine"' in text:
        marks.append("config.json")
    return marks


def refuse_foreign(home: str) -> None:
    """Raise Unavailable when this home belongs to the TypeScript gbrain. Nothing in it is touched."""
    marks = foreign_marks(home)
    if marks:
        raise Unavailable(
            f"{home} was written by the TypeScript gbrain ({', '.join(marks)}); this gbrain leaves it untouched",
            f"choose another home: {ENV_HOME}=$HOME/gbrain-py gbrain init",
            detail={"reason": "foreign_home", "home": home, "marks": marks},
        )


def refuse_broken_off(home: str) -> None:
    """Raise NotFound where a restore was broken off before its brain was in place: a new one there would hide it."""
    if os.path.isdir(os.path.join(home, RESTORING)) and not has_brain(home):
        raise NotFound(
            f"a restore into {home} was broken off, and no brain is there yet",
            "run the same restore again: gbrain backup restore BACKUP; what was there before is kept below"
            f" {os.path.join(home, 'replaced')}",
            detail={"reason": "restore_broken_off", "home": home},
        )


def prepare(home: str) -> None:
    """Create the home with mode 0700, after making sure that it is nobody else's.

    Raises Unavailable when it cannot be created or belongs to the TypeScript gbrain.
    """
    refuse_foreign(home)
    try:
        os.makedirs(home, mode=0o700, exist_ok=True)
        # A folder that was there already has what mode its maker's umask gave it.
        if os.name == "posix" and stat.S_IMODE(os.stat(home).st_mode) & 0o077:
            os.chmod(home, 0o700)
    except OSError as error:
        raise Unavailable(
            f"the home {home} cannot be prepared: {error.strerror or error}",
            f"choose a folder you may write to: {ENV_HOME}=/absolute/folder gbrain init",
            detail={"reason": "home_unwritable", "home": home},
        ) from None
