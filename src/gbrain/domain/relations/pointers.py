"""What a page says of other pages by pointing at them: who attended, where it was discussed, sources, related pages."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gbrain.domain.relations import chinese, english
from gbrain.domain.relations.clauses import acts
from gbrain.domain.relations.kinds import MEETING, person, venture
from gbrain.domain.relations.pointing import pattern
from gbrain.domain.relations.reading import Said
from gbrain.domain.relations.sentences import REF, is_reference
from gbrain.domain.relations.subjects import About


class _Run(NamedTuple):
    """Some references in a row: them, what stands before them in their clause, and what behind."""

    references: str
    before: str
    after: str


def read(text: str, about: About, kinds: dict[str, str]) -> list[Said]:
    """What one sentence says of the pages it points at."""
    if re.search(r"[?？]\s*$", text):
        return []
    low = text.lower() if len(text.lower()) == len(text) else text
    low = re.sub(rf"^({pattern('heading').pattern}) [—–-] ", r"\1:  ", low)
    low = re.sub(r", but not [^,]{1,30},", lambda aside: " " * len(aside[0]), low)
    meets = MEETING in kinds.values()
    if not meets and pattern("any").search(low) is None:
        return []
    said = []
    for run in _runs(low, kinds):
        type = _related(run, about, kinds) or _source(run, kinds)
        for reference in run.references:
            kind = kinds.get(reference, "")
            mine = type
            if kind == MEETING and type != "related_to":
                mine = _met(run, about) or type
            if mine == "source" and (person(kind) or venture(kind)):
                continue
            if mine:
                said.append(Said(reference, mine, False, None))
    return said


def _runs(low: str, kinds: dict[str, str]) -> Iterator[_Run]:
    """The references of a sentence, those that are listed together as one; behind a heading all of them."""
    since = 0
    label = pattern("label").match(low)
    for found in pattern("labelled" if label else "list").finditer(low):
        barrier = max((cut.end() for cut in pattern("barrier").finditer(low, since, found.start())), default=since)
        rest = low[found.end() :]
        behind = pattern("barrier").search(rest)
        following = re.search(REF, rest)
        ends = [behind.start() if behind else len(rest), following.start() if following else len(rest)]
        references = re.findall(REF, found[0])
        yield _Run("".join(references), low[barrier : found.start()], rest[: min(ends)])
        if any(kinds.get(reference) == MEETING for reference in references):
            since = found.end()


def _denied(words: str) -> bool:
    """Whether words deny, or speak of what is only possible or planned."""
    return (
        pattern("denied").search(words) is not None
        or re.search(chinese.NEGATION, words) is not None
        or re.search(chinese.UNREAL, words.replace("讨论", "")) is not None
    )


def _related(run: _Run, about: About, kinds: dict[str, str]) -> str:
    """`See also [[a]]`, `Related: [[a]]`, `与 [[a]] 相关`."""
    if pattern("also").match(run.after):
        return "" if _denied(run.before) else "related_to"
    found = pattern("related").search(run.before)
    if found is None and pattern("with").search(run.before) and pattern("akin").match(run.after):
        found = pattern("with").search(run.before)
    if found is None and not any(person(kind) or venture(kind) for kind in map(kinds.get, run.references) if kind):
        found = pattern("alike").search(run.before)
    if found is None or _denied(run.before[: found.start()]) or pattern("apart").search(run.before[: found.start()]):
        return ""
    kin = person(about.type) and all(person(kinds.get(reference, "")) for reference in run.references)
    return "" if kin and found.re is pattern("related") and "related to" in found[0] else "related_to"


def _source(run: _Run, kinds: dict[str, str]) -> str:
    """`According to [[a]]`, `Source: [[a]]`, `[[a]] reports that`, `根据 [[a]]`; a meeting only behind a heading."""
    if pattern("cited").search(run.before):
        return "source"
    if any(kinds.get(reference) == MEETING for reference in run.references):
        return ""
    found = pattern("source").search(run.before)
    if found is None and pattern("opens").search(run.before) and pattern("reports").match(run.after):
        return "source"
    return "" if found is None or _denied(run.before[: found.start()]) else "source"


def _met(run: _Run, about: About) -> str:
    """What is said of a meeting: that the page's person was there, or that the page was a subject of it."""
    before, after = run.before, run.after
    mine = person(about.type)
    if (pattern("at").search(before) or pattern("aside").search(before)) and not pattern("fronted").fullmatch(before):
        talked = pattern("passive").search(before)
        if talked is None and not (mine and (_acts(before, about) or re.search(r"\bwe\b", before) is None)):
            talked = pattern("strong").search(before)
        if talked is not None:
            denied = _denied(before[: talked.start()]) or pattern("neither").search(before[talked.start() :])
            return "" if denied else "discussed_in"
    if _denied(before) or pattern("absent").search(before):
        return ""
    if pattern("covers").match(after) or pattern("minutes").search(before):
        return "discussed_in"
    if pattern("fronted").fullmatch(before):
        if _denied(after):
            return ""
        if pattern("passive").search(after) or (pattern("strong").search(after) and not (mine and _acts(after, about))):
            return "discussed_in"
        return "attended" if mine and _acts(after, about) else _met_in_chinese(run, about)
    if mine and pattern("attendance").fullmatch(before):
        return "attended"
    if mine and pattern("at").search(before) and _acts(before, about):
        return "attended"
    if mine and pattern("attends").search(before) and _acts(before, about):
        return "attended"
    return _met_in_chinese(run, about)


def _met_in_chinese(run: _Run, about: About) -> str:
    left = run.before
    mine = person(about.type) and acts(left, about)
    if mine and pattern("出席").search(left):
        return "attended"
    if re.search(r"(?:在|于)\s*$", left) is None and mine and left.strip():
        return ""
    if _denied(run.after[:12]):
        return ""
    opened = pattern("他").match(run.after) if person(about.type) else None
    if opened is not None and left.strip() in ("在", "于") and acts(opened["who"] + "说", about):
        return "attended"
    if pattern("讨论").match(run.after):
        return "attended" if mine and left.strip() and not pattern("被").search(run.after) else "discussed_in"
    return "attended" if mine and left.strip() and pattern("发言").match(run.after) else ""


def _acts(clause: str, about: About) -> bool:
    """Whether the page's person is who acts in an English clause, be it unnamed: `Met [[bob]] at`."""
    clause = pattern("opening").sub("", clause, count=1).lstrip(" ,")
    words = re.findall(rf"{REF}|[\w'-]+", clause)
    while words and (words[0] in _ADVERBS or words[0].isdigit() or words[0].endswith("ly")):
        words.pop(0)
    if not words:
        return False
    first = words[0]
    if first in about.names or first in ("she", "he", "they", "i"):
        return True
    if is_reference(first[0]):
        joined = words[1:3]
        return len(joined) == 2 and joined[0] == "and" and (joined[1] in about.names or joined[1] in ("she", "he", "i"))
    return first.endswith("ed") or first in _VERBS


_ADVERBS = (english.AUXILIARIES | english.OPENERS | {"and", "too", "there"}) - frozenset(
    """
    she he they i her his their our my its the a an this that these those no joined worked was were what which who
    where
    """.split()  # noqa: SIM905
)
"""Words that may stand before who acts."""
_VERBS = frozenset(
    """
    met was were spoke went came took ran led sat gave heard saw had made got told said taught brought sent held
    dialed dialled tuned dropped among attendee participant speaker guest host
    """.split()  # noqa: SIM905
)
"""Words that open a clause that leaves out who acts, beside those that end in `ed`."""
