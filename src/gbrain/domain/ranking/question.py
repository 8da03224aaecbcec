"""What a question is about, from its wording alone: a relation to walk, a time, an idea, or words in general."""

import re
from functools import cache
from typing import Literal, NamedTuple

Intent = Literal["entity", "temporal", "event", "concept", "general"]

SPAN_WORDS = 12
"""A name in a question has at most this many words."""
SPANS = 120
"""At most so many stretches of a question are looked up as names."""


class Relation(NamedTuple):
    """Edges that answer a question: their types, and the page types an answer may have (empty: any). `cue` is what
    the question was known by."""

    link_types: tuple[str, ...]
    answers: tuple[str, ...]
    cue: tuple[str, ...] = ()

    def said(self, text: str) -> bool:
        """Whether a text speaks of the relation in such words as the question does."""
        return bool(self.cue) and _pattern(self.cue).search(text.casefold()) is not None


class Question(NamedTuple):
    """What a question asks. `relation` is set when its wording names one, whoever it is about."""

    intent: Intent
    relation: Relation | None


_GATHERING = r"\b(?:meeting|call|session|summit|workshop|dinner|sync|review)\b"

# What a question says when it asks for an edge, one phrase a string; Chinese has no word ends. A founder and a former
# employee are answers to who works or worked somewhere, and whoever led a round invested.
_CUES: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (
        ("attended",),
        (
            r"\b(?:attend|participa)\w+",
            r"\b(?:took part|present at|in the room|sat in on|showed up)",
            rf"\b(?:was|were|who's|been) (?:\w+ )?(?:at|in) [^?]*{_GATHERING}",
            rf"\bjoin(?:ed)?\b[^?]*{_GATHERING}",
            "参加|出席|与会|到场",
        ),
    ),
    (
        ("invested_in", "led_round"),
        (
            r"\binvest\w*",
            r"\b(?:back(?:ed|s|ers?|ing)|fund(?:ed|s|ers?))\b",
            r"\bput (?:any |some )?money|\bwrote (?:a |the )?che(?:ck|que)",
            r"\bled the (?:\w+ )?round|\bportfolio|\bshareholders?\b|\bstake in",
            "投资|领投|出资|跟投",
        ),
    ),
    (
        ("advises",),
        (r"\b(?:advis|mentor|counsel)\w*", r"\bgives? (?:\w+ )?advice|\bguid(?:es|ing|ed)\b", "顾问|指导|辅导"),
    ),
    (
        ("founded",),
        (
            r"\b(?:co-?)?found(?:ed|ers?|ing)\b",
            r"\bwho (?:started|created|launched|set up|built)\b",
            r"\b(?:started|created) by|\bbehind the (?:company|startup)",
            "创立|创办|创始|成立",
        ),
    ),
    (
        ("works_at", "founded", "worked_at"),
        (
            r"\bwork\w*\b(?: \w+)? (?:at|for|with)\b|\bwork(?:s|ed|ing)? there|\bwhere does .* work",
            r"\bemploy\w*|\bstaff\b|\bhired (?:at|by)|\bjob at",
            r"\bon the (?:team|payroll)\b|\bteam (?:at|of|members?)\b",
            r"\bwho(?:'s| is| are) at\b|\b(?:ceo|cto|cfo|coo|runs)\b",
            "任职|就职|工作|上班|员工",
        ),
    ),
)
_WHO = (
    r"\bwho(?:m|se)?\b|\bpeople\b|\bperson\b|\bnames? of\b",
    r"\bwhich (?:investors?|advis[eo]rs?|founders?|employees?)",
    "谁|哪些人|哪位",
)
_WHAT = (r"\b(?:what|which) (?:compan(?:y|ies)|startups?|firms?)|\bwhere does\b", "哪些公司|哪家|什么公司")
_WHEN = (
    r"\bwhen\b|\bwhat (?:date|day|month|year|time)\b|\bhow long ago\b|\bsince when\b",
    "什么时候|何时|哪一年|几月|几号",
)
_EVENT = (r"\bwhat happened\b|\bmeetings?\b|\bcalls? with\b|\bdiscussed\b", "发生了什么|会议|讨论")
_SELF = (r"\b(?:i|me|my|mine|we|us|our|you|your)\b", "我|你")


def understood(text: str) -> Question:
    """What a question asks. Nothing is looked up: whether the names in it exist is the caller's to find out."""
    folded = text.casefold()
    relation = _relation(folded)
    if _pattern(_WHEN).search(folded):
        return Question("temporal", relation)
    if relation is not None:
        return Question("entity", relation)
    if _pattern(_EVENT).search(folded):
        return Question("event", None)
    return Question("concept" if _is_idea(text) else "general", None)


def spans(text: str) -> list[str]:
    """Stretches of a question that may be a name, the longest first."""
    words = [word.strip("\"'“”‘’`([{<>}]),;:!?？。，、") for word in text.split()]
    words = [re.sub(r"['’]s$", "", word) for word in words]
    found: dict[str, None] = {}
    for size in range(min(SPAN_WORDS, len(words)), 0, -1):
        for start in range(len(words) - size + 1):
            name = " ".join(words[start : start + size]).strip(" -–—")
            if len(name) > 1:
                found[name] = None
                if len(found) == SPANS:
                    return list(found)
    return list(found)


def _relation(folded: str) -> Relation | None:
    for link_types, cue in _CUES:
        if _pattern(cue).search(folded):
            who = _pattern(_WHO).search(folded) is not None
            what = _pattern(_WHAT).search(folded) is not None
            return Relation(link_types, ("person",) if who and not what else ("company",) if what else (), cue)
    return None


def _is_idea(text: str) -> bool:
    """Whether a question names nobody and no date: a description of something, to be met by what a page is about."""
    words = text.split()
    if not 2 <= len(words) <= 16 or any(char.isdigit() for char in text) or _pattern(_SELF).search(text.casefold()):
        return False
    # A capital letter inside a sentence is a name; several in one word are an abbreviation.
    return not any(word[:1].isupper() and sum(map(str.isupper, word)) == 1 for word in words[1:])


@cache
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(phrases))
