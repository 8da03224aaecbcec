"""Words of a conversation and of names, folded alike, so that a name is found by one look into an index.

A name's key is its words in lower case without accents, joined by one space; parts in scripts without spaces are
joined by nothing (`田中 太郎` is `田中太郎`). Cyrillic and Greek words are cut to their stem, because names there take
endings (`Анной Петровой` is `Анна Петрова`).
"""

import re
from collections.abc import Container, Iterator
from functools import cache
from typing import NamedTuple

from gbrain.domain.text import fold, words_at

MOST_WORDS = 6
"""A longer name is not looked for."""
LONGEST_RUN = 6
"""So many characters of a run without spaces may be one name, unless the run itself is one."""
LONGEST_KEY = 120


class Word(NamedTuple):
    """A word of a text: where it stands, how it is written, its key, and whether its script knows no spaces."""

    start: int
    end: int
    raw: str
    key: str
    unspaced: bool


class Span(NamedTuple):
    """A stretch of a text that could be a name: its first and last word, where it stands, and its key."""

    first: int
    last: int
    start: int
    end: int
    key: str


def bag(listed: str) -> frozenset[str]:
    """The words of a list written as one text."""
    return frozenset(listed.split())


def words(text: str) -> list[Word]:
    """The words of a text in order; a run of a script without spaces is one."""
    return [
        Word(start, end, text[start:end], folded(text[start:end]), unspaced) for start, end, unspaced in words_at(text)
    ]


def name_key(name: str) -> str:
    """The key of a name; empty when no letter or digit is in it."""
    return _joined(words(name[: 2 * LONGEST_KEY]))[:LONGEST_KEY]


def folded(word: str) -> str:
    """One word as keys hold it."""
    if word.isascii():
        return word.lower()
    low = fold(word)
    if "\u0400" <= low[0] <= "\u04ff":
        return _cyrillic(low)
    return _pattern("greek").sub("", low.translate(_GREEK)) if "\u0370" <= low[0] <= "\u03ff" else low


def spans(text: str, said: list[Word], heard: Container[str] | None = None) -> Iterator[Span]:
    """Every stretch of up to MOST_WORDS words that could be a name, and within runs without spaces every one of up to
    LONGEST_RUN characters.

    Where it is told which words are `heard` in names, plain small words that are not end a stretch.
    """
    for first, word in enumerate(said):
        if heard is not None and not (word.key in heard or not is_small(word)):
            continue
        if word.unspaced:
            yield from _within(first, word)
        for begun in (word.key, *_bare(word.key)):
            yield from _from(text, said, first, begun, heard)


def is_small(word: Word) -> bool:
    """Whether a word is of small ASCII letters and digits alone, as the words of names are kept."""
    return word.raw == word.key and word.key.isascii()


def _from(text: str, said: list[Word], first: int, begun: str, heard: Container[str] | None) -> Iterator[Span]:
    """The stretches that begin with a word, which is taken for `begun`."""
    word = before = said[first]
    key = begun
    yield Span(first, first, word.start, word.end, key)
    for last in range(first + 1, min(first + MOST_WORDS, len(said))):
        after = said[last]
        if not _goes_on(text, before, after) or (heard is not None and is_small(after) and after.key not in heard):
            break
        key += after.key if before.unspaced and after.unspaced else " " + after.key
        if len(key) > LONGEST_KEY:
            break
        yield Span(first, last, word.start, after.end, key)
        before = after


def _bare(key: str) -> tuple[str, ...]:
    """A word without the particle that Arabic and Hebrew write before it: `and`, `to`, `from`, `the`."""
    if len(key) > 3 and (key[0] in "وفبلك" or key[0] in "והבלמשכ"):
        return (key[1:],)
    return ()


def paths(text: str, said: list[Word]) -> Iterator[Span]:
    """The slugs that are written out in a text, `people/dana-oakes`; the key of one is the slug."""
    if "/" not in text:
        return
    for found in _pattern("path").finditer(text):
        inside = [place for place, word in enumerate(said) if found.start() <= word.start < found.end()]
        if inside:
            yield Span(inside[0], inside[-1], found.start(), found.end(), found[0].casefold())


def _within(place: int, run: Word) -> Iterator[Span]:
    """The parts of a run. Only folding that keeps its length lets one tell where a part stands."""
    size = len(run.key)
    if size != run.end - run.start:
        return
    for start in range(size):
        for end in range(start + 2, min(start + LONGEST_RUN, size) + 1):
            if end - start < size:
                yield Span(place, place, run.start + start, run.start + end, run.key[start:end])
    for found in _pattern("katakana").finditer(run.key):
        if LONGEST_RUN < found.end() - found.start() < size:
            yield Span(place, place, run.start + found.start(), run.start + found.end(), found[0])


def _goes_on(text: str, before: Word, after: Word) -> bool:
    """Whether what stands between two words may stand inside a name."""
    between = text[before.end : after.start]
    if between in (" ", "-", "'", "’", "", "·", "・"):
        return True
    if between[0] == ".":
        # An initial, `Dr. ` and `St. `, or `node.js`: any other full stop ends a sentence.
        return between == "." or (len(between) == 2 and before.end - before.start <= 2)
    return _pattern("between").fullmatch(between) is not None


def _joined(said: list[Word]) -> str:
    parts: list[str] = []
    for place, word in enumerate(said):
        if place and not (word.unspaced and said[place - 1].unspaced):
            parts.append(" ")
        parts.append(word.key)
    return "".join(parts)


_GREEK = str.maketrans("άέήίόύώϊϋΐΰ", "αεηιουωιυιυ")
_WHOLE = bag("вадим максим ефим трофим артем аким никодим серафим ибрагим карим рахим салим хаким рустем ислам адам")
"""Names that only look as if they ended in a case."""


def _cyrillic(word: str) -> str:
    """The stem of a word whose ending tells its case, the same for every case of nearly every name."""
    stem = word.replace("ё", "е")
    if len(stem) > 4 and stem not in _WHOLE:
        stem = _pattern("case").sub("", stem)
    if len(stem) == 3 and stem[-1] in "аеиоуыюяй":
        # Оля, Оли, Олей.
        return stem[:-1]
    while len(stem) > 3 and stem[-1] in "аеиоуыьэюяй":
        stem = stem[:-1]
    # Павел, Павла: the vowel before the last sound comes and goes.
    return stem[:-2] + stem[-1] if len(stem) > 4 and stem[-2:] in ("ел", "ек", "ец", "ок") else stem


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(
        {
            "path": r"(?<![\w/.])[^\W_][\w-]*(?:/[\w-][\w.-]*)+(?<!\.)(?![\w/])",
            "katakana": "[\u30a1-\u30fa\u30fc-\u30ff]+",
            "between": r"[ \t\u00a0\u3000]+|[ \t]*\r?\n[ \t]*|[ \t]*&[ \t]*",
            "greek": "(?<=...)(?:ουσ|ου|οσ|ον|ο|ων|ησ|ην|η|ασ|αν|α|εσ|ε|ισ|ι)$",
            "case": "(?<=..)(?:ого|его|ому|ему|ыми|ими|ами|ями|ой|ою|ей|ею|ом|ем|ым|им|ую|юю|ая|яя|ый|ий|ых|их|ах|ях)$",
        }[name]
    )
