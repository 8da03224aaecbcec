"""The triggers of an English sentence, and the patterns around them."""

import re
from functools import cache
from typing import NamedTuple

from gbrain.domain.relations import english
from gbrain.domain.relations.sentences import REF


class Hit(NamedTuple):
    """A trigger in a sentence, and where it stands."""

    rule: english.Rule
    start: int
    end: int


def hits(low: str) -> list[Hit]:
    """The triggers of a sentence, in order: of overlapping ones the first, of those the longest.

    None where all are neutral: such a sentence says nothing of its references.
    """
    # That holds for most sentences, and one pattern for all tells it in a fraction of the time.
    if _telling().search(low) is None:
        return []
    found = [Hit(rule, match.start(), match.end()) for rule, pattern in _compiled() for match in pattern.finditer(low)]
    found.sort(key=lambda hit: (hit.start, -(hit.end - hit.start), hit.rule.shape == "neutral"))
    kept: list[Hit] = []
    for hit in found:
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
    return kept


@cache
def _compiled() -> list[tuple[english.Rule, re.Pattern[str]]]:
    return [(rule, _bounded(rule.pattern)) for rule in english.RULES]


@cache
def _telling() -> re.Pattern[str]:
    return _bounded("|".join(f"(?:{rule.pattern})" for rule in english.RULES if rule.shape != "neutral"))


def _bounded(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{pattern.replace('REF', REF)})(?![a-z])")


@cache
def pattern(name: str) -> re.Pattern[str]:
    """A pattern of the module's table, compiled at first use."""
    return re.compile(
        {
            "barriers": english.BARRIERS.replace("REF", REF),
            "breakers": english.BREAKERS.replace("REF", REF),
            "negation": rf"(?<![a-z]){english.NEGATIONS}(?![a-z])|n't\b",
            "unreal": rf"(?<![a-z]){english.UNREAL}(?![a-z])",
            "ended": rf"(?<![a-z]){english.ENDED}(?![a-z])[\w\s{REF[1:-1]}-]*$",
            "anew": r"\b(?:named|appointed|elected|made|promoted|hired|recruited|became|joined|has been|"
            r"have been|brought in)\b",
            "was": r"\b(?:was|were|had been|served|worked|used to be)\b(?! (?:named|appointed|hired))",
            "verbs": r"\b(?:our|its|their|his|her|is|was|are|were|as|and|became|the|a|an|of|at)\b",
            "joint": r",|\band\b|\bis\b|\bwas\b|\bas\b|;",
            "or": r"[^,;]*\b(?:or|nor)\s*(?:even |ever |to )*",
            "label": r"([a-z][a-z -]{1,30}?)(?: \([^()]*\))?\s*(?::|-(?= )|–|—|;)\s*(?=\S)",
            "self": rf"(?<![a-z]){english.COMPANY_NOUNS}(?![a-z])",
            "period": (
                rf"\b{english.UNTIL}\s+(?:early |late |mid-?|(?:{english.MONTHS})\.? ?)*(?:19|20)\d\d"
                r"|(?:19|20)\d\d\s*(?:-|–|—|to|until|through|and)\s*(?:early |late )?(?:[a-z]+ )?(?:19|20)?\d\d\b"
                r"|\b(?:back in|in the) (?:19|20)\d\ds"
            ),
        }[name]
    )
