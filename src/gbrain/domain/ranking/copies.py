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
_TELLING = re.compile(r"\b(?:[A-Z]\w*|[^\W\d_]*+[\d_]\w*)")
_ASCII_WORDS = "".join(chr(code) if chr(code).isalnum() or code == ord("_") else " " for code in range(128))


def copies(texts: Sequence[str]) -> list[int]:
    """For each text the place of the first one that it is a copy of: its own where there is none.

    Copies have the same words, or nearly so and then exactly the same names and figures.
    """
    firsts: list[int] = []
    equal: dict[str, int] = {}
    alike: dict[frozenset[str], list[tuple[int, list[str]]]] = {}
    for place, text in enumerate(texts):
        words = raw_terms(text)
        different = len(set(words))
        first = place if different < LEAST else equal.setdefault(" ".join(words), place)
        if first == place and different >= LEAST_ALIKE:
            group = alike.setdefault(_telling(text), [])
            first = next((other for other, held in group if _shared(_runs(words), _runs(held)) >= ALIKE), place)
            if first == place:
                group.append((place, words))
        firsts.append(first)
    return firsts


def _telling(text: str) -> frozenset[str]:
    """The names and figures of a text: words that begin with a capital, or hold something that is no letter."""
    if text.isascii():
        # The same words without a pattern, which takes three times as long.
        return frozenset(word for word in text.translate(_ASCII_WORDS).split() if word[0] <= "Z" or not word.isalpha())
    return frozenset(_TELLING.findall(text))


def _runs(words: Sequence[str]) -> set[tuple[str, ...]]:
    return set(zip(*(words[start:] for start in range(_RUN)), strict=False))


def _shared(one: set[tuple[str, ...]], other: set[tuple[str, ...]]) -> float:
    return len(one & other) / len(one | other)
