"""The one tokeniser of both engines: words stemmed, CJK as character pairs, as space-separated terms.

Words are stemmed in the language of their source, by Snowball (https://snowballstem.org), English ones after their
irregular forms (`domain/forms.py`). A question to sources in
several languages asks for each of its words in every one of them.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache

import Stemmer

from gbrain.domain.forms import irregular
from gbrain.domain.ranking.scoring import Rarity
from gbrain.domain.text import STOP_WORDS, Unit, query_units, raw_terms
from gbrain.store.engine import SPELLINGS, Match, Terms

CJK_PHRASE = 4
"""A run of up to this many character pairs is a word or a name, and must occur whole."""

STEMS_KEPT = 20_000
"""So many words of a language are kept with their stems: 3 MB."""
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
    return words if language == UNSTEMMED else list(map(_stems(language).__getitem__, words))


class _Stems(dict[str, str]):
    """The words of a language met so far, each with its stem: most words of a text were met before."""

    def __init__(self, language: str) -> None:
        self._stem: Callable[[str], str] = Stemmer.Stemmer(language, 0).stemWord
        self._forms = irregular() if language == ENGLISH else {}

    def __missing__(self, word: str) -> str:
        if len(self) >= STEMS_KEPT:
            self.clear()
        stem = self[word] = self._stem(self._forms.get(word, word))
        return stem


@cache
def _stems(language: str) -> _Stems:
    return _Stems(language)
