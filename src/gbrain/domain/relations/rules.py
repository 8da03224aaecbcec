"""Types of links from sentences."""

from collections.abc import Sequence
from typing import NamedTuple

from gbrain.domain.references import Reference, Span
from gbrain.domain.text import collapse

MENTIONS = "mentions"


class Subject(NamedTuple):
    """The page a text is about."""

    type: str
    slug: str
    title: str


class Relation(NamedTuple):
    """What a sentence says of one reference."""

    link_type: str
    sentence: str
    date: str | None


def relations(
    text: str, block: Span, references: Sequence[Reference], kinds: Sequence[str], subject: Subject
) -> list[Relation]:
    """The relation of each reference of a block to the page the text is about."""
    sentence = collapse(text[block.start : block.end])
    return [Relation(MENTIONS, sentence, None) for _ in references]


def settled(link_type: str, origin_type: str, target_type: str) -> str:
    """The type a link keeps once it is known what sort of page it leads to."""
    return link_type
