"""What an answer may stand on: facts, pages, dated entries and links, each with where it is from and what it weighs."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal, NamedTuple

from gbrain.domain.extraction.said import as_data
from gbrain.domain.text import clip, collapse

Kind = Literal["fact", "page", "entry", "link"]

USER, COMPILED, TIMELINE, EXTERNAL = range(4)
"""Whose word counts first: what the person said, the text of a page, a dated entry, what comes from outside."""
AUTHORITY = ("said by the user", "page", "timeline", "from outside")
LONGEST = 600
HEADER = "From the brain, without a model's words:"


class Evidence(NamedTuple):
    """One piece. `slug` is its page, or the entity a fact is about; `row` the id of a fact. `date` is as precise as it
    is known, empty where it is not; `weight` is one of USER, COMPILED, TIMELINE, EXTERNAL."""

    kind: Kind
    source_id: str
    slug: str | None
    title: str
    text: str
    date: str
    weight: int
    origin: str = ""
    row: int | None = None
    fact_kind: str = ""

    @property
    def id(self) -> str:
        """What a model cites it by: source and slug, with the number of a fact."""
        number = f"#{self.row}" if self.row is not None else ""
        return f"{self.source_id}:{self.slug or 'fact'}{number}"

    @property
    def belief(self) -> bool:
        """Whether it is a take: a belief or a commitment."""
        return self.fact_kind in ("belief", "commitment")


def fact_weight(provenance: str) -> int:
    """Whether a fact's origin is the person or something from outside."""
    return EXTERNAL if _outside().search(provenance) else USER


def fenced(evidence: Sequence[Evidence]) -> str:
    """The evidence as a prompt carries it: data, one piece a line, the most authoritative first."""
    ordered = sorted(evidence, key=lambda one: one.weight)
    lines = [
        f"[{one.id}] ({AUTHORITY[one.weight]}{', ' + one.date if one.date else ''}) {_told(one)}" for one in ordered
    ]
    return "\n".join(["<evidence>", *lines, "</evidence>"])


def _told(one: Evidence) -> str:
    """A piece on one line; a bracket inside cannot look like a citation."""
    text = clip(collapse(as_data(one.text)), LONGEST).replace("[", "(").replace("]", ")")
    return f"{collapse(as_data(one.title))}: {text}" if one.title and one.kind != "link" else text


def plain(text: str) -> str:
    """A text of a page as an answer shows it: links as their words, so that no bracket looks like a citation."""
    linked = _links().sub(lambda found: found["shown"] or found["name"] or found["words"] or "", text)
    return re.sub(r"(?m)^\s*[-*>#]+\s+|\*\*", "", linked).strip()


def labels(evidence: Iterable[Evidence]) -> dict[str, str]:
    """What each piece is cited as in an answer, by its id: the slug, with its source where there are several."""
    several = len({one.source_id for one in evidence}) > 1
    return {one.id: label(one, several=several) for one in evidence}


def label(one: Evidence, *, several: bool = False) -> str:
    """What a reader sees of an id: its slug, with its source where there are `several`, or the number of a fact."""
    if one.slug is None:
        return f"fact #{one.row}"
    return f"{one.source_id}:{one.slug}" if several else one.slug


def extract(evidence: Sequence[Evidence], most: int = 8) -> tuple[str, list[Evidence]]:
    """An answer of nothing but the evidence: one line a piece, and the pieces it shows."""
    told = labels(evidence)
    shown: dict[str, Evidence] = {}
    lines = [HEADER]
    for one in evidence:
        if len(shown) < most and one.id not in shown:
            shown[one.id] = one
            text = clip(collapse(plain(one.text)), 240)
            lines.append(f"- {one.title or 'Fact'} [{told[one.id]}]: {text}")
    return "\n".join(lines), list(shown.values())


@cache
def _links() -> re.Pattern[str]:
    return re.compile(r"\[\[(?P<name>[^\]|]+)(?:\|(?P<shown>[^\]]*))?\]\]|\[(?P<words>[^\]\n]*)\]\([^)\s]*\)")


@cache
def _outside() -> re.Pattern[str]:
    return re.compile(
        r"(?i)https?://|\b(?:web(?:site)?|e-?mails?|articles?|news|newsletter|imported?|scrap\w+|linkedin|twitter|crm"
        r"|wikipedia|press|rss|api|blog|report|crunchbase|research|search)\b"
    )
