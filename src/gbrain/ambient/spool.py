"""The spool of shadow mode: what hooks would have banked, and what they passed over, for seven days. Nothing reads it
but `gbrain writeback preview`, and no fact comes of it.

One JSON file a turn in `transcripts/shadow`: `{at, session, source, reason, text, facts, failed}`. `reason` is why the
turn would have been left, null for one that would be banked. Of what somebody wanted left alone, and of what holds a
secret, no word is kept; of what was passed over for another reason the beginning is.
"""

import json
import os
import time
from typing import TYPE_CHECKING

from gbrain import plain
from gbrain.digests import sha256

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

FOLDER = os.path.join("transcripts", "shadow")
DAYS = 7
MOST = 2000
"""Files in the spool; beyond that the oldest go."""
EXCERPT = 80
_LATEST = 32_503_680_000
"""The year 3000: what says that it is of a later time is no file of ours."""
UNSPOKEN = ("secret_found", "chat_only", "user_skip")
"""Reasons for which not even the beginning of a turn is kept."""


def folder(home: str) -> str:
    """Where the spool of a home lies."""
    return os.path.join(home, FOLDER)


def put(home: str, session: str, source: "str | None", reason: str, text: str) -> None:
    """Note a turn, once in its session. Raises OSError when it cannot be written."""
    where = folder(home)
    words = text[:EXCERPT] if reason else text
    if reason in UNSPOKEN:
        words = ""
    # A turn without words is one of its kind: how often it came is not worth a file each.
    name = sha256("\0".join((session, source or "", reason, words)).encode("utf-8", "replace")).hexdigest()[:24]
    path = os.path.join(where, f"{name}.json")
    if os.path.lexists(path):
        return
    os.makedirs(where, mode=0o700, exist_ok=True)
    said = {"at": time.time(), "session": session, "source": source, "reason": reason or None, "text": words}
    write(path, {**said, "facts": None, "failed": None})


def write(path: str, said: "dict[str, Any]") -> None:
    """Put a file of the spool in place, whole, for its owner's eyes only. Raises OSError."""
    plain.put(path, json.dumps(said, ensure_ascii=False).encode("utf-8", "replace") + b"\n", lasting=False)


def entries(home: str) -> "Iterator[tuple[str, dict[str, Any]]]":
    """Every file of the spool with what it says, the latest first; what cannot be read is passed over."""
    try:
        names = os.listdir(folder(home))
    except OSError:
        return
    found = []
    for name in names:
        path = os.path.join(folder(home), name)
        try:
            # A pipe in its place must not hold the reader up.
            with open(os.open(path, plain.READ_ITSELF), encoding="utf-8") as file:
                said = json.loads(file.read(256 * 1024))
        except (OSError, ValueError, RecursionError):
            continue
        at = said.get("at") if isinstance(said, dict) else None
        if isinstance(at, int | float) and 0 <= at < _LATEST and name.endswith(".json"):
            found.append((path, said))
    yield from sorted(found, key=lambda one: -one[1]["at"])


def prune(home: str, now: float, days: float = DAYS) -> int:
    """Delete what is older than so many days, and what there is too much of; how many files went."""
    try:
        names = os.listdir(folder(home))
    except OSError:
        return 0
    aged = []
    for name in names:
        path = os.path.join(folder(home), name)
        try:
            aged.append((now - os.lstat(path).st_mtime, path))
        except OSError:
            continue
    gone = 0
    # The youngest first, so that the rank says which ones are too many.
    for rank, (age, path) in enumerate(sorted(aged)):
        if age > days * 86_400 or rank >= MOST:
            try:
                os.unlink(path)
                gone += 1
            except OSError:
                continue
    return gone
