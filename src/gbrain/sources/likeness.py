"""How much of one text is in another, by which a file that was moved and edited is known again."""

import re
from collections import Counter

_ENDS = re.compile(r"\n|(?<=[.!?])\s+|(?<=[。！？])")


def likeness(one: str, other: str) -> float:
    """The share of the longer text that both have, 0 to 1: lines and sentences, wherever they stand.

    As git counts it for renames (gitdiffcore, "detecting renames"), with sentences beside its lines, since many people
    write a paragraph on one line.
    """
    first, second = _pieces(one), _pieces(other)
    size = max(first.total(), second.total())
    return (first & second).total() / size if size else 0.0


def _pieces(text: str) -> "Counter[str]":
    """The lines and sentences of a text, each counted by its characters."""
    sizes: Counter[str] = Counter()
    for piece in _ENDS.split(text):
        if said := piece.strip():
            sizes[said] += len(said)
    return sizes


__all__ = ["likeness"]
