"""The clauses of a text that only say that something is said (`One more thing to note:`, `The user mentioned that`)."""

import re
from functools import cache

from gbrain.domain.similarity import lexicon
from gbrain.domain.similarity.lexicon import listed


def without_preamble(text: str) -> str:
    """Text without such clauses at its edges, and between commas."""
    if text[:5].lower() in ("user ", "the u") or text[:2] in ("I ", "We") or text[:3] == "As ":
        text = _by_user().sub("", text)
    words = text.split(" ", 9)
    size = 0
    while size < len(words) - 2 and words[size].lower() in lexicon.META:
        size += 1
    if size > 1 and (words[size][:1].isupper() or words[size] in ("she", "he", "they")):
        lead = [word.lower() for word in words[:size]]
        if (not _TELLING.isdisjoint(lead) or lead[-2:] == ["you", "know"]) and _HEARD.isdisjoint(lead):
            text = " ".join(words[size:])
    head, colon, rest = text.partition(": ")
    if colon and rest and _is_meta(head):
        text = rest
    head, that, rest = text.partition(" that ")
    if (
        that
        and " " in head
        and " " in rest
        and _is_meta(head)
        and (_HEARD.isdisjoint(head.lower().split()) or _restated(head.lower().split()))
    ):
        text = rest
    if ", " in text:
        parts = text.split(", ")
        kept = [part for part in parts if not _is_meta(part)]
        if kept and len(kept) < len(parts):
            text = ", ".join(kept) if len(parts) < 3 or _is_meta(parts[0]) or _is_meta(parts[-1]) else " ".join(kept)
    return text


@cache
def _by_user() -> re.Pattern[str]:
    """What the user said is a claim of the user's: no hearsay, and nothing that it adds."""
    adverbs = r"(?:(?:also|already|just|recently|once|has|have|previously|earlier) )*"
    when = (
        r"(?: (?:in|on|at|during|last|this|the|a|our|yesterday|today|earlier|before|once|again|call|chat|meeting|week"
        r"|month|passing|session))*"
    )
    sure = rf"(?:said|says|told (?:us|me|you)|tells (?:us|me))(?: (?:to )?(?:us|me|you))?{when}(?: that|:|,)?"
    verbs = (
        r"(?:mention(?:ed|s)?|note[ds]?|state[ds]?|add(?:ed|s)?|confirm(?:ed|s)?|report(?:ed|s)?|explain(?:ed|s)?"
        rf"|point(?:ed|s)? out|clarified)(?: to (?:us|me|you))?{when}(?: that|:|,)"
    )
    return re.compile(rf"^(?:as )?(?:the user|user|i|we) {adverbs}(?:{sure}|{verbs}) (?=\S+ \S)", re.IGNORECASE)


_TELLING = listed("mention fyi btw way remind record information turns out")
_HEARD = frozenset(("said", "told", "read", "saw"))


def _restated(words: list[str]) -> bool:
    """Whether it is the speaker who said it before, so that nothing is hearsay."""
    return "i" in words and {"read", "saw", "was", "been", "were"}.isdisjoint(words)


def _is_meta(clause: str) -> bool:
    words = clause.lower().rstrip(".").split()
    return lexicon.META.issuperset(words) and not lexicon.SAYING.isdisjoint(words)
