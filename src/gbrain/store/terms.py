"""The one tokeniser of both engines: words stemmed, CJK as character pairs, as space-separated terms."""

from collections.abc import Iterable

import Stemmer

from gbrain.domain.text import STOP_WORDS, Unit, query_units, raw_terms
from gbrain.store.engine import Match, Terms

CJK_PHRASE = 4
"""A run of up to this many character pairs is a word or a name, and must occur whole."""

_STEMMER = Stemmer.Stemmer("english")


def index_terms(text: str) -> str:
    """The terms of a text as an index column holds them."""
    return " ".join(_STEMMER.stemWords(raw_terms(text)))


def stems(terms: Iterable[str]) -> list[str]:
    """Terms of `raw_terms` as the index holds them."""
    return list(_STEMMER.stemWords(list(terms)))


def query_terms(text: str) -> list[Terms]:
    """The units of a question. Stop words are left out unless there is nothing else."""
    units = query_units(text)
    kept = [unit for unit in units if unit.kind != "word" or unit.terms[0] not in STOP_WORDS] or units
    return [terms for unit in kept for terms in _stemmed(unit)]


def any_of(text: str, column: str = "") -> Match:
    """A query that any unit of the text satisfies."""
    return Match(should=tuple(unit._replace(column=column) for unit in query_terms(text)))


def _stemmed(unit: Unit) -> list[Terms]:
    """A short run of CJK must stand as a whole; a sentence is asked for pair by pair, as words are."""
    if unit.kind == "word":
        return [Terms(tuple(_STEMMER.stemWords(list(unit.terms))))]
    if len(unit.terms) > CJK_PHRASE:
        return [Terms((pair,)) for pair in unit.terms]
    return [Terms(unit.terms, prefix=unit.kind == "cjk_char")]


def coverage(units: list[Terms], text: str) -> int:
    """How many units of a question stand in a text."""
    held = index_terms(text).split()
    whole = set(held)
    return sum(_stands(unit, whole, held) for unit in units)


def _stands(unit: Terms, whole: set[str], held: list[str]) -> bool:
    if unit.prefix:
        return any(term.startswith(unit.terms[-1]) for term in held)
    return whole.issuperset(unit.terms)
