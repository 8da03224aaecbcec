"""The passage of a page that answers a query, and the text of a page as the keyword index reads it."""

from collections.abc import Callable
from typing import NamedTuple

from gbrain.domain.markdown import plain_text, strip_facts_fence

SIZE = 800
"""Characters of a passage: about 200 tokens."""

LOOKED_AT = 100_000
"""Characters of a page that are searched for its best passage."""


class Passage(NamedTuple):
    """A stretch of a body: its number among the passages, where it begins, its text, how many units it holds."""

    number: int
    start: int
    text: str
    hits: int


def index_text(body: str, summary: str) -> str:
    """The words a page is found by beside its names: its body, and the summary of its front matter.

    Rows of the facts fence are facts, which have an index of their own and may be private.
    """
    text = plain_text(strip_facts_fence(body))
    return text if not summary or summary in text else f"{summary}\n{text}"


def best_passage(body: str, held: Callable[[str], int], units: int) -> Passage:
    """The passage of `body` that holds most of a query's `units`, the earlier of equals.

    `held` counts the units that stand in a text. Only the beginning of a very long body is looked at.
    """
    if len(body) <= SIZE:
        text = body.strip()
        return Passage(0, body.find(text) if text else 0, text, held(text) if units else 0)
    best = Passage(0, 0, "", -1)
    for number, (start, text) in enumerate(split(body[:LOOKED_AT])):
        hits = held(text) if units else 0
        if hits > best.hits:
            best = Passage(number, start, text, hits)
        if hits >= units:
            break
    return best


def split(body: str) -> list[tuple[int, str]]:
    """The body in passages of about SIZE characters, each with where it begins, cut between paragraphs.

    A heading stays with what follows it; only a paragraph longer than a passage is cut inside, at a line or a word.
    """
    passages: list[tuple[int, str]] = []
    start = end = None
    for at, upto in _paragraphs(body):
        if start is not None and end is not None and upto - start > SIZE and not _only_heading(body[start:end]):
            passages.append((start, body[start:end]))
            start = None
        start = at if start is None else start
        end = upto
    if start is not None and end is not None:
        passages.append((start, body[start:end]))
    return passages or [(0, "")]


def clip_passage(text: str, limit: int, slug: str) -> str:
    """At most `limit` characters of a passage, with a mark that says how to read the rest."""
    if len(text) <= limit:
        return text
    kept = text[:limit]
    at_word = kept.rfind(" ")
    return f"{(kept[:at_word] if at_word > limit * 0.6 else kept).rstrip()}… [cut; get_page {slug}]"


def _paragraphs(body: str) -> list[tuple[int, int]]:
    """Where each paragraph begins and ends; one longer than a passage comes in pieces."""
    found: list[tuple[int, int]] = []
    at = 0
    start: int | None = None
    for line in body.split("\n"):
        if line.strip():
            start = at if start is None else start
        elif start is not None:
            found += _pieces(body, start, at - 1)
            start = None
        at += len(line) + 1
    return found if start is None else found + _pieces(body, start, len(body))


def _pieces(body: str, start: int, end: int) -> list[tuple[int, int]]:
    pieces = []
    while end - start > SIZE:
        cut = max(body.rfind("\n", start, start + SIZE), body.rfind(" ", start, start + SIZE))
        cut = cut if cut > start + SIZE // 2 else start + SIZE
        pieces.append((start, cut))
        start = cut + (body[cut] in "\n ")
    return [*pieces, (start, end)]


def _only_heading(text: str) -> bool:
    return text.startswith("#") and "\n" not in text.strip()
