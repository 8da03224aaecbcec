"""A block that gbrain keeps in a file of someone else, between two sentinel lines; all around it stays as it is."""

from typing import Literal, NamedTuple

from gbrain.errors import InvalidParams
from gbrain.harnesses.splices import Splice, applied, line_end

AMBIENT = "gbrain:ambient-writeback"
BASE = "gbrain:base"
"""For agents that are not given the server's own words."""


class Scan(NamedTuple):
    """Where a block stands: `begin` is the offset of its first sentinel, `end` the one after its last line.

    `interior` is its text without the final line end; `why` says what is wrong with a damaged one.
    """

    state: Literal["absent", "present", "damaged"]
    begin: int = 0
    end: int = 0
    interior: str = ""
    why: str = ""


def scan(text: str, name: str) -> Scan:
    """The block of this name. A sentinel counts only as a whole line from its first column on."""
    first, last = _sentinels(name)
    begins: list[tuple[int, int]] = []
    ends: list[tuple[int, int]] = []
    at = 0
    for line in text.split("\n"):
        # Whole lines alone: a text that quotes a sentinel is not one.
        if line.removesuffix("\r") in (first, last):
            (begins if line.startswith(first) else ends).append((at, at + len(line) + 1))
        at += len(line) + 1
    if not begins and not ends:
        return Scan("absent")
    if len(begins) != 1 or len(ends) != 1:
        return Scan("damaged", why=f"{len(begins)} begin and {len(ends)} end lines of {name}")
    (begin, inside), (stop, end) = begins[0], ends[0]
    if stop < begin:
        return Scan("damaged", why=f"1 begin and 1 end line of {name}, out of order")
    interior = text[inside:stop]
    inner = interior[: -len(line_end(interior))] if interior else ""
    return Scan("present", begin, min(end, len(text)), inner)


def found(text: str, name: str, path: str) -> Scan:
    """The block, which may be absent. Raises InvalidParams for a damaged one."""
    seen = scan(text, name)
    if seen.state == "damaged":
        first, last = _sentinels(name)
        raise InvalidParams(
            f"{path} has {seen.why}, so nothing was changed in it",
            f"leave one line {first} above one line {last}, or neither; then run the command again",
            detail={"reason": "damaged_block", "path": path},
        )
    return seen


def put(text: str, name: str, body: str, path: str) -> list[Splice]:
    """Bring the block to this body: in its place, or at the end of the text. Raises InvalidParams for a damaged one."""
    seen = found(text, name, path)
    if seen.state == "present":
        old = text[seen.begin : seen.end]
        return [Splice(seen.begin, old, _block(name, body, line_end(text)))]
    return add(text, name, body, len(text))


def add(text: str, name: str, body: str, at: int) -> list[Splice]:
    """Put the block at an offset where a line begins, or at the end of the text."""
    end = line_end(text)
    # A file whose last line does not end would swallow the sentinel.
    joint = end if at == len(text) and text.strip("\ufeff") and not text.endswith("\n") else ""
    return [Splice(at, "", joint + _block(name, body, end))]


def cut(text: str, name: str, path: str) -> list[Splice]:
    """Take out the block and nothing else; nothing where there is none. Raises InvalidParams for a damaged one."""
    seen = found(text, name, path)
    return [Splice(seen.begin, text[seen.begin : seen.end], "")] if seen.state == "present" else []


def strip(text: str, name: str, path: str) -> list[Splice]:
    """Take out the block and at most one blank line after it. Raises InvalidParams for a damaged one."""
    seen = found(text, name, path)
    if seen.state != "present":
        return []
    end = seen.end
    blank = next((blank for blank in ("\n", "\r\n") if text.startswith(blank, end)), "")
    return [Splice(seen.begin, text[seen.begin : end + len(blank)], "")]


def spliced(text: str, name: str, body: str, path: str) -> str:
    """The text with the block brought to this body; see `put`."""
    return applied(text, put(text, name, body, path))


def _sentinels(name: str) -> tuple[str, str]:
    return f"<!-- {name}:begin -->", f"<!-- {name}:end -->"


def _block(name: str, body: str, end: str) -> str:
    first, last = _sentinels(name)
    lines = body.removesuffix("\n").split("\n")
    # A body that names the sentinels must not end its own block.
    kept = [f" {line}" if line.removesuffix("\r") in (first, last) else line.removesuffix("\r") for line in lines]
    return "".join(line + end for line in (first, *kept, last))
