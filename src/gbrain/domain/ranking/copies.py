"""Passages that say the same as one before them, so that a reader is shown it once."""

import re
from collections.abc import Sequence

from gbrain.domain.text import raw_terms

LEAST, LEAST_ALIKE = 12, 30
"""Different words that a passage has at least to be a copy of an equal one, and of one that is nearly so: short ones
are alike by chance."""
ALIKE = 0.85
"""The share of their runs of three words that two copies have in common at least (Jaccard)."""
_RUN = 3
_TELLING = re.compile(r"\b[A-Z]\w*|\w*\d\w*")


def copies(texts: Sequence[str]) -> list[int]:
    """For each text the place of the first one that it is a copy of: its own where there is none.

    Copies have the same words, or nearly so and then exactly the same names and figures.
    """
    firsts: list[int] = []
    equal: dict[str, int] = {}
    alike: dict[frozenset[str], list[tuple[int, set[tuple[str, ...]]]]] = {}
    for place, text in enumerate(texts):
        words = raw_terms(text)
        first = place if len(set(words)) < LEAST else equal.setdefault(" ".join(words), place)
        if first == place and len(set(words)) >= LEAST_ALIKE:
            runs = set(zip(*(words[start:] for start in range(_RUN)), strict=False))
            group = alike.setdefault(frozenset(_TELLING.findall(text)), [])
            first = next((other for other, held in group if _shared(runs, held) >= ALIKE), place)
            if first == place:
                group.append((place, runs))
        firsts.append(first)
    return firsts


def _shared(one: set[tuple[str, ...]], other: set[tuple[str, ...]]) -> float:
    return len(one & other) / len(one | other)
