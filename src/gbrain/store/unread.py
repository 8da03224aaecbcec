"""The mark that a sync leaves for each source: which files of its folder it could not read."""

import json
from collections.abc import Iterable
from typing import NamedTuple

UNREAD = "unread "
"""The beginning of such a mark's name; the id of the source follows."""


class Unread(NamedTuple):
    """A file that the last sync could not read: its path in the folder, why, and what to do about it."""

    path: str
    message: str
    hint: str


def unread_files(mark: str | None) -> list[Unread]:
    """The files that a mark names, by path."""
    return [Unread(*one) for one in json.loads(mark)] if mark else []


def written(files: Iterable[Unread]) -> str:
    """The mark that names these files: a JSON list of lists."""
    return json.dumps(list(files), ensure_ascii=False)
