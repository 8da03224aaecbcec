"""The end of a transcript, read backwards: a person's newest turns, however long the file and what came after them."""

import json
import os
import stat
from collections import namedtuple

# Not from typing, which takes as long to load as the rest of a hook.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

WINDOWS = (128 * 1024, 2 * 1024 * 1024, 16 * 1024 * 1024)
"""How many bytes of the end are read, and then, where they hold no turn of a person, read anew."""
LONGEST_LINE = 4 * 1024 * 1024
LONGEST_SAID = 64 * 1024
"""Bytes of a line that is read as part of a conversation: what is longer holds the results of tools."""
MOST_TURNS = 50
"""So many turns before a compaction or the end of a session are banked, if they were missed."""

Refused = namedtuple("Refused", "reason")
Refused.__doc__ = """Why a transcript is not read: missing_path, not_jsonl, unreadable, symlink, not_file,
outside_projects_dir."""


def refusal(path: object, folders: "Sequence[str]") -> "Refused | None":
    """Why a path is not read, None for a transcript inside one of these folders."""
    if not isinstance(path, str) or not path or "\0" in path:
        return Refused("missing_path")
    if not path.endswith(".jsonl"):
        return Refused("not_jsonl")
    try:
        seen = os.lstat(path)
    except (OSError, ValueError):
        return Refused("unreadable")
    if stat.S_ISLNK(seen.st_mode):
        return Refused("symlink")
    if not stat.S_ISREG(seen.st_mode):
        return Refused("not_file")
    real = os.path.realpath(path)
    if not any(real.startswith(os.path.realpath(folder) + os.sep) for folder in folders):
        return Refused("outside_projects_dir")
    return None


def newest(
    path: str, marks: "Sequence[bytes]", turn: "Callable[[dict[str, Any]], str | None]", most: int = 1
) -> list[str]:
    """The newest turns of a person, the newest first, at most `most`; more of the file is read where there are fewer.

    Torn lines and lines of other kinds are passed over. Raises OSError when the file cannot be read.
    """
    found: list[str] = []
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        head = file.read(2)
        wide = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}.get(head)
        for window in WINDOWS:
            start = max(0, size - window)
            start -= start % 2 if wide else 0
            file.seek(start)
            data = file.read(window + 1)
            if wide:
                data = data.decode(wide, "replace").encode("utf-8", "replace")
            found = _turns(data, marks, turn, most)
            if len(found) >= most or start == 0:
                break
    return found


def conversation(path: str, reader: "Any", most: int) -> "list[tuple[str, str]]":
    """The newest turns at the end of a transcript, the oldest first: `user` or `assistant`, and what was said.

    Only the last window is read, and lines that follow one another from one side are one turn. Raises OSError when the
    file cannot be read.
    """
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        wide = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}.get(file.read(2))
        start = max(0, size - WINDOWS[0])
        file.seek(start - start % 2 if wide else start)
        data = file.read(WINDOWS[0] + 2)
    if wide:
        data = data.decode(wide, "replace").encode("utf-8", "replace")
    found: list[tuple[str, str]] = []
    end = len(data)
    while end > 0:
        start = data.rfind(b"\n", 0, end) + 1
        line, end = data[start:end], start - 1
        role, text = _spoken(line, reader)
        if not text:
            continue
        if found and found[-1][0] == role:
            found[-1] = (role, f"{text}\n{found[-1][1]}")
        elif len(found) == most:
            break
        else:
            found.append((role, text))
    return found[::-1]


def _spoken(line: bytes, reader: "Any") -> "tuple[str, str]":
    """Who speaks in a line and what is said; nothing for a line in which nobody does."""
    if not line or len(line) > LONGEST_SAID:
        return "", ""
    roles = [("user", reader.MARKS, reader.turn), ("assistant", reader.ANSWERS, reader.answer)]
    likely = [(role, said) for role, marks, said in roles if any(mark in line for mark in marks)]
    try:
        row = json.loads(line.decode("utf-8", "replace").lstrip("\ufeff")) if likely else None
        for role, said in likely if isinstance(row, dict) else ():
            text = said(row)
            if text is not None and text.strip():
                return role, text
    except (ValueError, TypeError, AttributeError, RecursionError):
        pass
    return "", ""


def _turns(
    data: bytes, marks: "Sequence[bytes]", turn: "Callable[[dict[str, Any]], str | None]", most: int
) -> list[str]:
    found: list[str] = []
    end = len(data)
    while end > 0 and len(found) < most:
        start = data.rfind(b"\n", 0, end) + 1
        line, end = data[start:end], start - 1
        if not line or len(line) > LONGEST_LINE or not any(mark in line for mark in marks):
            continue
        try:
            row = json.loads(line.decode("utf-8", "replace").lstrip("\ufeff"))
            text = turn(row) if isinstance(row, dict) else None
        except (ValueError, TypeError, AttributeError, RecursionError):
            continue
        if text is not None and text.strip():
            found.append(text)
    return found


def text_of(content: object, kinds: "Sequence[str]" = ("text",)) -> "str | None":
    """The text of a message's content: a string, or the text of its parts of these kinds; None when it has none."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    parts = [
        part["text"]
        for part in content
        if isinstance(part, dict) and part.get("type", "text") in kinds and isinstance(part.get("text"), str)
    ]
    return "\n".join(parts) if parts else None
