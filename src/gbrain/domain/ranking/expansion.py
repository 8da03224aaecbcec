"""Other ways to ask a question, with no model: abbreviations written out and back, and the questions inside one."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from gbrain.domain.ranking.question import spans
from gbrain.domain.text import STOP_WORDS

ABBREVIATIONS, WAYS, PARTS = 4, 3, 4
"""At most so many abbreviations of a question are looked up, so many ways asked beside it, so many parts of it."""
SHORT_QUESTION = 2
"""In a question of so few words that say anything, one in small letters may be an abbreviation too."""
RANK_CONSTANT = 60
"""Of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): how little the first places stand out."""
_SMALL = frozenset({"and", "for", "in", "of", "on", "the", "to"})
_LETTERS = range(2, 7)


class Expansion(NamedTuple):
    """What is asked beside a question: `ways` say the same in other words, `parts` are questions inside it."""

    ways: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()


def initials(name: str) -> str:
    """The initials of a name of two words or more, in small letters, without its small words; else empty."""
    words = [word for word in re.findall(r"[^\W_]+", name.casefold()) if word not in _SMALL]
    return "".join(word[0] for word in words) if len(words) > 1 else ""


def abbreviations(text: str) -> list[str]:
    """Words of a question that may stand for several, as they are written there."""
    words = re.findall(r"[A-Za-z]+", text)
    said = [word for word in words if word.casefold() not in STOP_WORDS]
    short = len(said) <= SHORT_QUESTION
    found = [word for word in said if len(word) in _LETTERS and (word.isupper() or short)]
    return list(dict.fromkeys(found))[:ABBREVIATIONS]


def written_out(text: str) -> dict[str, str]:
    """Stretches of a question that an abbreviation may stand for, the longest first, with that abbreviation."""
    found = {span: initials(span) for span in spans(text) if len(span.split()) > 1}
    return {
        span: letters
        for span, letters in found.items()
        if len(letters) in _LETTERS and span.split()[0].casefold() not in STOP_WORDS
    }


def rewritten(text: str, forms: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The question with each stretch in its other forms, one change a time; nothing where none stands in it."""
    ways: dict[str, None] = {}
    for said, others in forms.items():
        pattern = re.compile(rf"(?<!\w){re.escape(said)}(?!\w)", re.IGNORECASE)
        for other in others:
            way = pattern.sub(lambda _, other=other: other, text)  # type: ignore[misc]
            if way != text:
                ways[way] = None
    return tuple(ways)[:WAYS]


def parts(text: str) -> tuple[str, ...]:
    """The questions inside a question: of a comparison both sides, of several questions each; empty for one alone."""
    text = text.strip()
    for pattern in _comparisons():
        found = pattern.fullmatch(text)
        if found:
            return tuple(side for side in (one.strip(" ,.?!？") for one in found.groups()) if side)[:PARTS]
    asked = [one.strip(" ,.?!？") for one in re.split(r"[?？]\s*(?=\S)", text)]
    if len(asked) == 1:
        asked = [one.strip(" ,.?!？") for one in _joint().split(text)]
    asked = [one for one in asked if one]
    return tuple(asked[:PARTS]) if len(asked) > 1 else ()


@cache
def _comparisons() -> tuple[re.Pattern[str], ...]:
    end = r"[\s.?!？]*"
    return (
        re.compile(rf"(?is)compare\s+(.{{2,80}}?)\s+(?:with|to|and|against)\s+(.{{2,80}}?){end}"),
        re.compile(
            r"(?is)(?:what(?:'s| is| are)\s+)?(?:the\s+)?differences?\s+between"
            rf"\s+(.{{2,80}}?)\s+and\s+(.{{2,80}}?){end}"
        ),
        re.compile(rf"(?is)(.{{2,60}}?)\s+(?:vs\.?|versus)\s+(.{{2,60}}?){end}"),
        # Two names, or a few words that end as a question: not every "and" joins two things that are asked for.
        re.compile(rf"(?s)([A-Z]\S*(?: \S+){{0,3}}) and ([A-Z]\S*(?: \S+){{0,3}}?){end}"),
        re.compile(r"(?is)(\S+(?: \S+){0,2}) and (\S+(?: \S+){0,2}?)\s*\?"),
        re.compile(rf"(?s)(?:比较|对比)\s*(.{{1,40}}?)(?:和|与|跟)(.{{1,40}}?){end}"),
    )


@cache
def _joint() -> re.Pattern[str]:
    """Where a second question begins inside a sentence."""
    asks = r"(?:who|whom|whose|what|when|where|which|why|how|did|does|do|is|are|was|were|has|have)\b"
    return re.compile(rf"(?i)(?:,\s*|\s+)and\s+(?={asks})")


def fused(lists: Sequence[Sequence[int]]) -> list[int]:
    """Ids in the order of their reciprocal ranks, summed over the lists; of equals the earlier list's first."""
    scores: dict[int, float] = {}
    for ids in lists:
        for rank, id in enumerate(ids):
            scores[id] = scores.get(id, 0.0) + 1 / (RANK_CONSTANT + rank + 1)
    return sorted(scores, key=lambda id: -scores[id])
