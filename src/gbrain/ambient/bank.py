"""Banked turns: one file a turn, named after its session and its words, so that a turn is banked once.

`<session>.wb-<hash24>[.src-<source>].txt` in `transcripts/corpus` of the home; `.cap-` in place of `.wb-` for what was
banked while no mode was set, because the hook was told to capture. `.ingested` beside it says that it is done with.
"""

import os
import re

from gbrain import plain

FOLDER = os.path.join("transcripts", "corpus")
INGESTED = ".ingested"
WRITEBACK, CAPTURE, SHADOW = "wb", "cap", "shadow"
"""Why a turn was banked: the mode was on; or it was not set, and the hook was told to capture. A shadow is banked
nowhere: it goes to a spool of its own."""
UNKNOWN = "unknown"
LONGEST_ID = 120
DEFAULT_SOURCE = "default"


def folder(home: str) -> str:
    """Where the banked turns of a home lie."""
    return os.path.join(home, FOLDER)


def plain_id(text: object) -> str:
    """A session's or source's id as it may stand in a file name; `unknown` where nothing of it is left."""
    # An id comes from an agent: nothing of it may lead out of the folder or hide the file.
    told = _plain(text)[:LONGEST_ID] if isinstance(text, str) else ""
    return told if told.strip(".") else UNKNOWN


def _plain(text: str) -> str:
    # A pattern costs more to compile than to look whether there is anything for it.
    if text.isascii() and text.replace("-", "").isalnum():
        return text
    return re.sub(r"[^A-Za-z0-9._-]", "-", text)


def name(session: str, hash24: str, source: "str | None", why: str = WRITEBACK) -> str:
    """The name of a turn's file; the default source leaves no mark in it."""
    marked = f".src-{plain_id(source)}" if source and source != DEFAULT_SOURCE else ""
    return f"{plain_id(session)}.{why}-{hash24}{marked}.txt"


def parse(file: str) -> "tuple[str, str, str, str | None] | None":
    """Session, why (`wb`, `cap`), hash and source (as written, to be checked) of a file's name; None for any other."""
    found = re.fullmatch(r"(.+)\.(wb|cap)-([0-9a-f]{12,64})(?:\.src-([A-Za-z0-9._-]+))?\.txt", file)
    return (found[1], found[2], found[3], found[4]) if found else None


def waiting(home: str, source: str) -> int:
    """How many turns of a source are banked and not done with; 0 where that cannot be seen."""
    try:
        names = set(os.listdir(folder(home)))
    except OSError:
        return 0
    turns = [name for name in names if name.endswith(".txt") and name + INGESTED not in names]
    return sum(1 for name in turns if (found := parse(name)) is not None and (found[3] or DEFAULT_SOURCE) == source)


def bank(
    home: str, session: str, hash24: str, source: "str | None", text: str, why: str = WRITEBACK
) -> "tuple[str, str]":
    """Put a turn on disk for good: `wb_banked`, or `wb_dup` for one that was banked before; and its file's name.

    Raises OSError when it cannot be written; then nothing of it is left.
    """
    where = folder(home)
    # The same turn under the other reason is the same turn: it is not to be read twice.
    for either in (WRITEBACK, CAPTURE):
        known = name(session, hash24, source, either)
        there = os.path.join(where, known)
        # The sidecar outlives the words, so a turn whose words were dropped is not banked again.
        if os.path.lexists(there) or os.path.lexists(there + INGESTED):
            return "wb_dup", known
    made = name(session, hash24, source, why)
    path = os.path.join(where, made)
    if not os.path.isdir(where):
        os.makedirs(where, mode=0o700, exist_ok=True)
    plain.put(path, text.encode("utf-8", "replace") + b"\n")
    return "wb_banked", made
