"""Evidence that disagrees: one attribute of one entity with two values, and whose word counts."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gbrain.domain.answers.evidence import AUTHORITY, Evidence, label
from gbrain.domain.similarity import Claim, claim
from gbrain.domain.text import clip, collapse, sentences

MOST = 5
SENTENCES = 40
"""Sentences of one piece that are compared."""


class Side(NamedTuple):
    """One of the sayings that disagree."""

    text: str
    evidence: Evidence
    value: tuple[str, ...]


class Conflict(NamedTuple):
    """Sayings about one attribute, that which counts first: by authority, then by date."""

    attribute: str
    sides: tuple[Side, ...]


def conflicts(evidence: Sequence[Evidence], names: dict[str, tuple[str, ...]]) -> list[Conflict]:
    """The attributes that evidence about one entity gives different values.

    `names` holds what each slug is called: inside a claim those words mean the entity itself.
    """
    stated: dict[tuple[str, str, frozenset[str]], dict[tuple[str, ...], Side]] = {}
    for one in evidence:
        if one.slug is None or one.kind == "link":
            continue
        for text in _sayings(one):
            read = _read(text, names.get(one.slug, (one.title,)))
            if read.attribute is None or not read.attribute.value or read.attribute.changed:
                continue
            for name, about, value in read.attribute.values():
                key = (one.slug, name, about)
                side = Side(text, one, value)
                held = stated.setdefault(key, {}).get(side.value)
                if held is None or _order(side) < _order(held):
                    stated[key][side.value] = side
    found = [
        Conflict(key[1], tuple(sorted(sides.values(), key=_order))) for key, sides in stated.items() if len(sides) > 1
    ]
    return found[:MOST]


def told(conflict: Conflict) -> str:
    """A conflict on one line, with dates and where each side is from."""
    first, *others = conflict.sides
    against = "; ".join(_side(side) for side in others)
    return f"{conflict.attribute}: {_side(first)} counts before {against}"


def _side(side: Side) -> str:
    one = side.evidence
    origin = one.origin or AUTHORITY[one.weight]
    dated = f", {one.date}" if one.date else ""
    return f"“{clip(collapse(side.text), 120)}” ({clip(origin, 80)}{dated}) [{label(one)}]"


def _sayings(one: Evidence) -> Iterable[str]:
    if one.kind != "page":
        return (one.text,)
    return [text.lstrip("-*> ") for text in list(sentences(one.text))[:SENTENCES] if not text.startswith("#")]


def _read(text: str, names: tuple[str, ...]) -> Claim:
    return claim(text, names)


def _order(side: Side) -> tuple[int, tuple[int, ...]]:
    return side.evidence.weight, tuple(-ord(char) for char in side.evidence.date)
