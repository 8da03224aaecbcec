"""What each session was told: offers that are not to be repeated, and fingerprints of the lines that are ours.

One file a session in `integrations/hooks/sessions` of the home, which only grows: `offer SOURCE:SLUG`, `line PRINT`,
`standing SOURCE:SLUG` and `start TIME`, a line each; after `forget KIND` those of a kind before it count no more. There
is no text of anybody in it. Ten days unused and it goes. `.last-HASH` holds when a session last began in a folder.
"""

import os
import time
from collections import namedtuple

from gbrain import plain
from gbrain.ambient import bank

FOLDER = os.path.join("integrations", "hooks", "sessions")
LARGEST = 1024 * 1024
DAYS = 10
MOST_LOOKED_AT = 500

# Not typing's NamedTuple, as in the other modules of hooks.
Told = namedtuple("Told", "offered prints standing started")
Told.__doc__ = """What a session was told: the places (`SOURCE:SLUG`) it was offered, the oldest first, the fingerprints
of the lines, the places that stood in it before its last compaction, and when it was last given a pack ("" for never).
"""


def read(home: str, session: str) -> Told:
    """What a session was told so far; nothing for a new one, and where it cannot be read."""
    found: dict[str, list[str]] = {"offer": [], "line": [], "standing": [], "start": []}
    try:
        handle = os.open(_path(home, session), plain.READ_ITSELF)
        with open(handle, "rb") as file:
            text = file.read(LARGEST).decode("utf-8", "replace")
    except OSError:
        text = ""
    for line in text.split("\n"):
        kind, _, value = line.partition(" ")
        if kind == "forget":
            found[value] = []
        elif kind in found and value:
            found[kind].append(value)
    started = found["start"][-1] if found["start"] else ""
    offered, standing = (tuple(dict.fromkeys(found[kind])) for kind in ("offer", "standing"))
    return Told(offered, frozenset(found["line"]), standing, started)


def note(home: str, session: str, lines: "list[str]") -> None:
    """Add lines to what a session was told, all or none of them. Raises OSError."""
    if not lines:
        return
    path = _path(home, session)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | plain.NOFOLLOW | plain.CLOEXEC
    try:
        handle = os.open(path, flags, 0o600)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        handle = os.open(path, flags, 0o600)
    try:
        # One write in append mode: the lines of two hooks of a session do not mix.
        os.write(handle, "".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    finally:
        os.close(handle)


def last(home: str, where: str) -> str:
    """When a session last began in a folder, as the store writes times; "" where none did."""
    try:
        with open(_last(home, where), encoding="ascii", errors="replace") as file:
            return file.read(64).strip()
    except OSError:
        return ""


def set_last(home: str, where: str, moment: str) -> None:
    """A session began in a folder. Raises OSError."""
    path = _last(home, where)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    plain.put(path, moment.encode(), lasting=False)


def prune(home: str) -> None:
    """Drop what was told to sessions that nobody has used for ten days. Never raises."""
    folder = os.path.join(home, FOLDER)
    try:
        names = os.listdir(folder)[:MOST_LOOKED_AT]
        for name in names:
            path = os.path.join(folder, name)
            if time.time() - os.lstat(path).st_mtime > DAYS * 86400:
                os.unlink(path)
    except OSError:
        return


def _last(home: str, where: str) -> str:
    # Only a session's start asks.
    from gbrain.digests import sha256

    return os.path.join(home, FOLDER, f".last-{sha256(where.encode('utf-8', 'surrogateescape')).hexdigest()[:12]}")


def _path(home: str, session: str) -> str:
    return os.path.join(home, FOLDER, bank.plain_id(session))
