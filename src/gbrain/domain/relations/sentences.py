"""The sentences of a block with its references as single characters, and the dates that stand in them."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from gbrain.domain.references import Reference, Span
from gbrain.domain.relations.english import MONTHS
from gbrain.domain.text import collapse, sentences

FIRST, MOST = 0xE000, 6000
"""References are characters of the private use area: the n-th of a block is the n-th of them."""
REF = f"[{chr(FIRST)}-{chr(FIRST + MOST)}]"


class Sentence(NamedTuple):
    """One sentence: its words with references as characters, the references in order, the date its line bears."""

    text: str
    references: tuple[int, ...]
    date: str | None
    cited: bool = False
    """Whether the references stand in a citation behind the sentence."""


def read(text: str, block: Span, references: Sequence[Reference]) -> list[Sentence]:
    """The sentences of a block that hold references."""
    parts: list[str] = []
    at = block.start
    for number, reference in enumerate(references[:MOST]):
        parts += [_private(text[at : reference.start]), chr(FIRST + number)]
        at = reference.end
    parts.append(_private(text[at : block.end]))
    line, date = _dated("".join(parts))
    found = []
    for citation in _pattern("citation").finditer(line):
        inside = tuple(ord(character) - FIRST for character in _pattern("reference").findall(citation[0]))
        if inside:
            before = list(sentences(_plain(line[: citation.start()])))
            found.append(Sentence(before[-1] if before else _plain(citation[0][1:-1]), inside, date, True))
    for sentence in sentences(_plain(line)):
        inside = tuple(ord(character) - FIRST for character in _pattern("reference").findall(sentence))
        if inside:
            found.append(Sentence(sentence, inside, date))
    return found


def is_reference(character: str) -> bool:
    """Whether a character stands for a reference."""
    return FIRST <= ord(character) < FIRST + MOST


def shown(sentence: Sentence, references: Sequence[Reference]) -> str:
    """The sentence as people read it: each reference by its name, else by what it leads to."""

    def named(found: re.Match[str]) -> str:
        reference = references[ord(found[0]) - FIRST]
        return reference.label or reference.target

    return collapse(_pattern("reference").sub(named, sentence.text).replace("series_", "Series "))


def date_in(text: str) -> str | None:
    """The last date a text names, at its precision: 2031, 2031-03 or 2031-03-30; the end of a period."""
    last = None
    for found in _pattern("date").finditer(text):
        last = found
    if last is None:
        return None
    if last["cyear"]:
        month = f"-{int(last['cmonth']):02}" if last["cmonth"] else ""
        return f"{last['cyear']}{month}" + (f"-{int(last['cday']):02}" if month and last["cday"] else "")
    if last["iso"]:
        return str(last["iso"])
    if last["month"]:
        number = [name[:3] for name in MONTHS.split("|")[:12]].index(last["month"][:3].lower()) + 1
        return f"{last['myear']}-{number:02}"
    return str(last["year"])


def _dated(line: str) -> tuple[str, str | None]:
    """A line without its marks, and the date of a dated bullet."""
    line = re.sub(r"^[ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?#*[ \t]*", "", line)
    found = _pattern("bullet").match(line)
    return (line[found.end() :], date_in(found[1])) if found is not None else (line, None)


def _plain(line: str) -> str:
    line = _pattern("citation").sub(" ", line)
    line = re.sub(r"!?\[([^\[\]]*)\]\([^()]*\)", r"\1", line)
    line = re.sub(r"\*+|~~|`+|(?<!\w)_+|_+(?!\w)|<[^<>]{1,200}>", "", line)
    line = line.replace("|", " ; ").replace("\u2019", "'").replace("\u2018", "'")
    line = re.sub(r"\b([Ss])eries ([A-Ha-h])\b", lambda found: f"series_{found[2].lower()}", line)
    return collapse(line)


def _private(text: str) -> str:
    """A text without characters that would be taken for references."""
    return re.sub(REF, " ", text)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    year = "(?:19|20)[0-9]{2}"
    return re.compile(
        {
            "reference": REF,
            "citation": r"\[(?:Sources?|来源)\s*[:：][^\[\]]*\]",
            "bullet": rf"\*\*\s*([^*]{{4,20}}?)\s*\*\*\s*(?:\||--|-|–|—)\s*(?=\S)|"
            rf"({year}(?:-[0-9]{{2}}){{0,2}})\s*(?::|\||–|—|--)\s+",
            "date": (
                rf"(?P<cyear>{year})\s*年(?:\s*(?P<cmonth>[0-9]{{1,2}})\s*月(?:\s*(?P<cday>[0-9]{{1,2}})\s*日)?)?"
                rf"|(?P<iso>\b{year}-[0-9]{{2}}(?:-[0-9]{{2}})?\b)"
                rf"|\b(?P<month>{MONTHS})\.?(?: [0-9]{{1,2}}(?:st|nd|rd|th)?,?)?,? (?P<myear>{year})\b"
                rf"|(?<![0-9$€£.-])(?P<year>{year})(?![0-9%])"
            ),
        }[name],
        re.IGNORECASE,
    )
