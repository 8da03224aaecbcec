"""Changes to a text, piece by piece, so that each can be taken back to the last character."""

from collections.abc import Iterable
from typing import NamedTuple


class Splice(NamedTuple):
    """At the offset `at`, in characters, `gone` makes way for `put`."""

    at: int
    gone: str
    put: str


class Undo(NamedTuple):
    """The way back from a splice: at `at`, `length` characters make way for `gone`."""

    at: int
    length: int
    gone: str


def applied(text: str, splices: Iterable[Splice]) -> str:
    """The text after splices, each of which speaks of the text that those before it left."""
    for at, gone, put in splices:
        assert text.startswith(gone, at)
        text = text[:at] + put + text[at + len(gone) :]
    return text


def undo_of(splices: list[Splice]) -> list[Undo]:
    """How to take splices back; it holds what they removed and nothing of what they put."""
    return [Undo(at, len(put), gone) for at, gone, put in reversed(splices)]


def undone(text: str, undo: Iterable[Undo]) -> str:
    """The text before the splices, given exactly the text after them."""
    for at, length, gone in undo:
        text = text[:at] + gone + text[at + length :]
    return text


def line_end(text: str) -> str:
    """How the lines of a text end: as its first does."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"
