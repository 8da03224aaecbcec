"""Full names in Latin script that took an ending: `Zapytaj Jana Nowaka`, `Mikko Virtaselle`, `Anna Bergs Laptop`.

Where names are bent, both words of a name may be, or the last alone. An ending is only taken off where the whole of
what is left is a name that is known, so a list of the endings of several languages does.
"""

from collections.abc import Iterator
from itertools import pairwise, product

from gbrain.domain.offers.common import plain
from gbrain.domain.offers.words import Span, Word, bag

MOST_PAIRS = 8
"""So many pairs of words with capitals are looked at: a text with more is a list, not talk."""
SHORTEST = 3
_ENDINGS = bag(
    "a u y i e em om owi ovi ie iem ego emu im ej iej ou m"
    " n lle lta lla ssa sta ksi ta t et at ot nak nek val vel tol hoz hez rol ert s"
)
"""Polish, Czech, Slovak, Croatian; Finnish, Estonian, Hungarian; German and Swedish. Without accents, as keys are."""
_CHANGED = (
    *((ending, "nen") for ending in ("sen", "selle", "selta", "sella", "sesta", "sessa", "seen", "sta")),
    *(("cie", "ta"), ("dzie", "da"), ("rze", "ra"), ("re", "ra"), ("ce", "ka"), ("dze", "ga"), ("ze", "ha")),
)
"""Endings before which a sound changes, and what stood there: of Finnish, then of Polish and Czech."""


def bent(text: str, said: list[Word]) -> Iterator[Span]:
    """Two words that both have a capital, with the keys of the names that they could be forms of."""
    pairs = 0
    for first, (one, other) in enumerate(pairwise(said)):
        if pairs == MOST_PAIRS:
            return
        if text[one.end : other.start] != " " or not (_name_like(one) and _name_like(other)):
            continue
        pairs += 1
        # The first is what stands there, which has been asked for.
        for before, base in list(product((one.key, *_bases(one.key)), (other.key, *_bases(other.key))))[1:]:
            yield Span(first, first + 1, one.start, other.end, f"{before} {base}")


def _name_like(word: Word) -> bool:
    raw = word.raw
    return len(raw) > SHORTEST and raw[0].isupper() and not raw.isupper() and raw[0] < "\u0370" and not plain(word.key)


def _bases(key: str) -> dict[str, None]:
    """What a word could be a form of."""
    found: dict[str, None] = {}
    for size in range(1, 4):
        base, ending = key[:-size], key[-size:]
        if ending not in _ENDINGS or len(base) < SHORTEST:
            continue
        found |= dict.fromkeys((base, f"{base}a"))
        if base[-1] not in "aeiouy" and base[-2] not in "aeiouy":
            # Marek, Marka: the vowel before the last sound comes and goes.
            found[f"{base[:-1]}e{base[-1]}"] = None
    for ending, whole in _CHANGED:
        if key.endswith(ending) and len(key) - len(ending) >= SHORTEST - 1:
            found[key.removesuffix(ending) + whole] = None
    return found
