"""Who led a round and who else took part, from sentences that say no more of it: `[[a]] led, [[b]] followed`."""

import re
from functools import cache

from gbrain.domain.relations import chinese, english
from gbrain.domain.relations.kinds import venture
from gbrain.domain.relations.reading import Said
from gbrain.domain.relations.sentences import REF
from gbrain.domain.relations.subjects import About


def read(text: str, about: About) -> list[Said]:
    """Who of these references led the page's round, and who joined it.

    On a deal's page there is a round to lead; elsewhere a sentence has to say first that somebody led it.
    """
    low = text.lower() if len(text.lower()) == len(text) else text
    deal = about.type == "deal"
    if not venture(about.type) or re.search(r"[?？]\s*$", low):
        return []
    if not deal and _pattern("led").search(low) is None:
        return []
    said = []
    for found in _pattern("list").finditer(low):
        before = re.split(r"[;；。]|, but | but ", low[: found.start()])[-1]
        after = re.split(rf"[;；。]|, (?!which|who|also|not )| but |{REF}", low[found.end() :])[0]
        type = ""
        if _pattern("lead is").search(before) or (deal and _pattern("leads").match(after)):
            type = "led_round"
        elif _pattern("joins").match(after) or (_pattern("from").search(before)):
            type = "invested_in"
        near = re.split(REF, before)[-1]
        if type and not _denied(near) and not _denied(after[:40]):
            said += [Said(reference, type, False, None) for reference in re.findall(REF, found[0])]
    return said


def _denied(words: str) -> bool:
    return (
        re.search(rf"(?<![a-z])(?:{english.NEGATIONS}|{english.UNREAL})(?![a-z])|n't\b", words) is not None
        or re.search(chinese.NEGATION, words) is not None
        or re.search(chinese.UNREAL, words) is not None
    )


@cache
def _pattern(name: str) -> re.Pattern[str]:
    """A pattern of the module's table, compiled at first use."""
    adverbs = r"(?:,? (?:which|who|that|has|have|also|both|is|are|was|then|each|all|jointly|ultimately|again|later))*"
    return re.compile(
        {
            "list": rf"{REF}(?:\s*(?:,\s*and\b|,|\band\b|&|、|和|与|及)\s*{REF})*",
            "led": (
                rf"{REF}{adverbs} {english.LED} [^.,;]{{0,40}}{english.ROUND}|"
                rf"{english.ROUND}[^.;]{{0,40}}\bled by {REF}|"
                rf"{REF}[^，。]{{0,4}}领投"
            ),
            "lead is": r"(?:^|\bthe |\b(?:as|with) )(?:co-?)?leads?(?: investors?)?(?:\s*:|,| (?:is|are|was|were))? *$",
            "leads": (
                rf"{adverbs} ?(?:(?:co-?)?(?:led|leads|leading|lead)(?! to\b)|(?:took|takes|taking) the lead|"
                rf"the (?:co-)?leads?)\b|[^，。]{{0,4}}领投"
            ),
            "joins": (
                rf"{adverbs} ?(?:(?:participat|join|follow|invest|re-?invest)(?:ed|s|es|ing)?|took part|came in|"
                r"(?:put|chipped|came|threw|kicked) in|wrote)\b"
                r"(?! (?:as|in (?!the |this |our |its |it\b|[$€£0-9])|from|on the|by|us as))|[^，。]{0,4}(?:跟投|参投)"
            ),
            "from": rf"\bled by {REF}[^.;]{{0,20}},? (?:with|alongside)(?: participation (?:from|by))? *$|"
            r"\b(?:participation|investments?|money|cheques?|checks?|support|contributions) (?:came |also "
            r")?from *$",
        }[name]
    )
