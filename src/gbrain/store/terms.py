"""The one tokeniser of both engines: words stemmed, CJK as character pairs, as space-separated terms.

Words are stemmed in the language of their source, by Snowball (https://snowballstem.org), English ones after their
irregular forms (`domain/forms.py`). A question to sources in
several languages asks for each of its words in every one of them.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import Stemmer

from gbrain.domain.forms import irregular
from gbrain.domain.ranking.scoring import Rarity
from gbrain.domain.text import STOP_WORDS, Unit, query_units, raw_terms
from gbrain.store.engine import SPELLINGS, Match, Terms

CJK_PHRASE = 4
"""A run of up to this many character pairs is a word or a name, and must occur whole."""

ENGLISH, UNSTEMMED = "english", "none"
_ENGLISH = (ENGLISH,)


def languages() -> tuple[str, ...]:
    """The names of the languages that words can be stemmed in, and `none`."""
    return (*Stemmer.algorithms(), UNSTEMMED)


def index_terms(text: str, language: str = ENGLISH) -> str:
    """The terms of a text as an index column holds them."""
    return " ".join(_stemmed(raw_terms(text), language))


def stems(terms: Iterable[str], spoken: Sequence[str] = _ENGLISH) -> list[str]:
    """Terms of `raw_terms` as the index holds them; a term may have several spellings, see `Terms`."""
    words = list(terms)
    if len(spoken) == 1:
        return _stemmed(words, spoken[0])
    return [
        SPELLINGS.join(dict.fromkeys(spelled))
        for spelled in zip(*(_stemmed(words, language) for language in spoken), strict=True)
    ]


def query_terms(text: str, spoken: Sequence[str] = _ENGLISH) -> list[Terms]:
    """The units of a question. The stop words of English are left out where it is spoken, unless there is nothing
    else."""
    units = query_units(text)
    if ENGLISH in spoken:
        units = [unit for unit in units if unit.kind != "word" or unit.terms[0] not in STOP_WORDS] or units
    return [terms for unit in units for terms in _unit_terms(unit, spoken)]


def any_of(text: str, column: str = "", spoken: Sequence[str] = _ENGLISH) -> Match:
    """A query that any unit of the text satisfies."""
    return Match(should=tuple(unit._replace(column=column) for unit in query_terms(text, spoken)))


def coverage(units: list[Terms], text: str, spoken: Sequence[str] = _ENGLISH) -> int:
    """How many units of a question stand in a text."""
    raw = raw_terms(text)
    held = [term for language in spoken for term in _stemmed(raw, language)]
    whole = set(held)
    return sum(_stands(unit, whole, held) for unit in units)


def held_share(units: list[Terms], words: Rarity, text: str, spoken: Sequence[str] = _ENGLISH) -> float:
    """How much of the weight of a question stands in a short text, 0 to 1."""
    raw = raw_terms(text)
    held = [term for language in spoken for term in _stemmed(raw, language)]
    whole = set(held)
    found = sum(weight for unit, weight in zip(units, words.words, strict=True) if _stands(unit, whole, held))
    return found / words.most if words.most else 0.0


def _unit_terms(unit: Unit, spoken: Sequence[str]) -> list[Terms]:
    """A short run of CJK must stand as a whole; a sentence is asked for pair by pair, as words are."""
    if unit.kind == "word":
        return [Terms(tuple(stems(unit.terms, spoken)))]
    if len(unit.terms) > CJK_PHRASE:
        return [Terms((pair,)) for pair in unit.terms]
    return [Terms(unit.terms, prefix=unit.kind == "cjk_char")]


def _stands(unit: Terms, whole: set[str], held: list[str]) -> bool:
    if unit.prefix:
        return any(term.startswith(unit.terms[-1]) for term in held)
    return whole.issuperset(unit.terms) or all(not whole.isdisjoint(term.split(SPELLINGS)) for term in unit.terms)


def _stemmed(words: list[str], language: str) -> list[str]:
    if language == UNSTEMMED:
        return words
    if language == ENGLISH:
        forms = irregular()
        words = [forms.get(word, word) for word in words]
    return list(_stemmer(language).stemWords(words))


@cache
def _stemmer(language: str) -> Any:
    return Stemmer.Stemmer(language)
