"""Types of links from the words around them: a sentence at a time, in English and Chinese, without any model."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from gbrain.domain.references import Reference, Span
from gbrain.domain.relations import clauses, meetings, pointers, reading, rounds
from gbrain.domain.relations.kinds import MEETING, MENTIONS, person, settled, venture
from gbrain.domain.relations.sentences import FIRST, REF, Sentence, read, shown
from gbrain.domain.relations.subjects import About
from gbrain.domain.text import clip, collapse, has_cjk

MEDIA = "media"
BACKLINK = re.compile(r"\|\s*Referenced in \[")
"""What a line has that answers a mention on another page."""
_CITING = re.compile(rf"^(?:according to|as [a-z]+ in|per|based on) [\w\s'-]{{0,40}}{REF}, ", re.IGNORECASE)
"""The words that open a sentence by naming its source, which say nothing of who acts in it."""
LONGEST = 4000
"""A sentence longer than this is a list or a dump, and only mentions."""


class Subject(NamedTuple):
    """The page a text is about."""

    type: str
    slug: str
    title: str


class Relation(NamedTuple):
    """What a sentence says of one reference: one type or several, and when what is past ended."""

    types: tuple[str, ...]
    sentence: str
    date: str | None


def relations(
    text: str, block: Span, references: Sequence[Reference], kinds: Sequence[str], subject: Subject
) -> list[Relation]:
    """The relation of each reference of a block to the page the text is about.

    `kinds` are the types of the pages the references lead to, empty where they are not known.
    """
    about = About(subject.type, _names(subject))
    whole = Relation((MENTIONS,), clip(collapse(text[block.start : block.start + 400]), 240), None)
    found = [whole] * len(references)
    if BACKLINK.search(text, block.start, block.end):
        # What it quotes was said on another page, of that page.
        return found
    for sentence in read(text, block, references):
        told = shown(sentence, references)
        by_character = {chr(FIRST + number): kinds[number] for number in sentence.references}
        said = [] if len(sentence.text) > LONGEST else _said(sentence, about, by_character)
        for number in sentence.references:
            mine = [one for one in said if one.reference == chr(FIRST + number)]
            types = [settled(one.type, about.type, kinds[number]) for one in mine]
            dates = [one.date or sentence.date for one in mine if one.ended]
            if any(one.type == "led_round" for one in mine):
                types = [type for type in types if type != "invested_in"]
            kept = tuple(dict.fromkeys(type for type in types if type != MENTIONS)) or (MENTIONS,)
            if "worked_at" in kept:
                kept = tuple(type for type in kept if type != "works_at")
            found[number] = Relation(kept, told, next((date for date in dates if date), None))
    return found


def _said(sentence: Sentence, about: About, kinds: dict[str, str]) -> list[reading.Said]:
    if sentence.cited:
        return [
            reading.Said(reference, "source", False, None)
            for reference, kind in kinds.items()
            if not person(kind) and not venture(kind)
        ]
    pointed = pointers.read(sentence.text, about, kinds)
    taken = {one.reference for one in pointed}
    text = _CITING.sub("", sentence.text) if pointed else sentence.text
    return [*pointed, *(one for one in _told(text, about, kinds) if one.reference not in taken)]


def _told(text: str, about: About, kinds: dict[str, str]) -> list[reading.Said]:
    """What a sentence tells of people and organisations."""
    if about.type == MEDIA:
        return []
    if about.type == MEETING:
        return meetings.read(text, kinds)
    if not (person(about.type) or venture(about.type) or about.type == ""):
        return []  # such a page founds, joins and advises nothing, nor is it founded
    joined = rounds.read(text, about)
    known = {one.reference for one in joined}
    said = [
        one
        for one in reading.read(text, about, kinds)
        if one.reference not in known or one.type not in ("works_at", "worked_at")
    ]
    said += joined
    if has_cjk(text):
        said += clauses.read(text, about, kinds)
    return said


def _names(subject: Subject) -> frozenset[str]:
    """The words a page is called by: those of its title and of its slug's end, but not the small ones."""
    words = re.findall(r"[\w-]+", f"{subject.title} {subject.slug.rpartition('/')[2].replace('-', ' ')}".lower())
    whole = {subject.title.lower()} if subject.title else set()
    return frozenset({word for word in words if len(word) > 2 and word not in _SMALL} | whole)


_SMALL = frozenset(
    [
        "the",
        "and",
        "for",
        "inc",
        "llc",
        "ltd",
        "corp",
        "company",
        "group",
        "labs",
        "capital",
        "ventures",
        "partners",
        "example",
        "sample",
    ]
)
