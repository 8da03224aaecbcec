"""The end of a transcript, read backwards: a person's newest turns, however long the file and what came after them."""

import json
import os
import stat
from collections import namedtuple
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

WINDOWS = (128 * 1024, 2 * 1024 * 1024, 16 * 1024 * 1024)
"""How many bytes of the end are read, and then, where they hold no turn of a person, read anew."""
LONGEST_LINE = 4 * 1024 * 1024
MOST_TURNS = 50

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
