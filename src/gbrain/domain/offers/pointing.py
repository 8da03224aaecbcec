"""What the newest turn points back at without naming it: `she`, `the company`, or a go-ahead to what was just said."""

import re
from collections.abc import Sequence
from functools import cache

from gbrain.domain.offers.choosing import Named
from gbrain.domain.offers.common import AUXILIARY, CALENDAR, GIVEN, ROLES, SPEAKING, TOWARDS, common, plain
from gbrain.domain.offers.evidence import WEIGHTS
from gbrain.domain.offers.reading import Reading, starts_sentence
from gbrain.domain.offers.words import bag

LESS = 0.05
"""How much less sure it is that a pronoun means a page than that its name does."""
BACK = 4
"""So many turns back an antecedent may stand."""
GO_AHEAD = 8
"""Words a go-ahead has at most."""


def pointed_at(readings: Sequence[Reading], found: Sequence[Named], news: int) -> list[Named]:
    """The pages that the newest turn means by a pronoun or by agreeing, each from the last turn that names one alone.

    Two people named there, or one beside a name nobody knows, leave a pronoun unclear.
    """
    newest = readings[-1]
    here = [named for named in found if named.turn == len(readings) - 1]
    made: list[Named] = []
    for kind, types in (("person", ("person",)), ("company", ("company", "organisation", "organization")),
                        ("project", ("project", "deal", "product"))):  # fmt: skip
        said = _pattern(kind).search(newest.text) if _may_stand(kind, newest) else None
        if said is None or any(named.bearer.type in types and named.at < said.start() for named in here):
            continue
        one = _last_alone(readings, found, types, kind == "person")
        if one is not None and one.turn < news:
            made.append(_pointing(one, said[0].strip()))
    agreed = not made and not here and len(newest.words) <= GO_AHEAD and _may_stand("agreed", newest)
    if agreed and _pattern("agreed").match(newest.text.strip()):
        last = len(readings) - 2
        made = [_pointing(named, newest.text.strip()[:20]) for named in found if named.turn == last and last < news]
    return made


def _last_alone(
    readings: Sequence[Reading], found: Sequence[Named], types: tuple[str, ...], people: bool
) -> Named | None:
    for turn in range(len(readings) - 2, max(-1, len(readings) - 2 - BACK), -1):
        named = [one for one in found if one.turn == turn]
        fitting = {one.bearer.place: one for one in named if one.bearer.type in types}
        if people and _strangers(readings[turn], named):
            return None
        if fitting:
            return next(iter(fitting.values())) if len(fitting) == 1 else None
    return None


def _strangers(reading: Reading, named: Sequence[Named]) -> bool:
    """Whether somebody is named here whom no page is of: words with capitals where no sentence begins."""
    if not reading.cased:
        return False
    for place, word in enumerate(reading.words):
        if not word.raw[0].isupper() or word.raw.isupper() or word.unspaced or word.key in CALENDAR:
            continue
        if any(one.at <= word.start < one.end for one in named) or word.key in ROLES:
            continue
        name = word.key in GIVEN or not common(word.key)
        if name and _in_pair(reading, place, named):
            return True
        inside = not starts_sentence(reading.text, word.start)
        if inside and not plain(word.key) and word.key not in AUXILIARY and _as_somebody(reading, place):
            return True
    return False


def _in_pair(reading: Reading, place: int, named: Sequence[Named]) -> bool:
    """Whether another word with a capital follows that belongs to no name that is known."""
    word, behind = reading.words[place], reading.words[place + 1 : place + 2]
    return any(
        after.raw[0].isupper()
        and after.start == word.end + 1
        and not any(one.at <= after.start < one.end for one in named)
        for after in behind
    )


def _as_somebody(reading: Reading, place: int) -> bool:
    """Whether the words around it are those of a person: `met X`, `X said`, `and X`."""
    before = reading.words[place - 1].key if place else ""
    after = reading.words[place + 1].key if place + 1 < len(reading.words) else ""
    return before in TOWARDS or after in SPEAKING


def _may_stand(kind: str, reading: Reading) -> bool:
    """Whether it is worth looking for such words: their pattern costs more to compile than all of the rest."""
    alone, within = _SIGNS[kind]
    if any(word.raw.lower() in alone for word in reading.words):
        return True
    low = "" if reading.text.isascii() else reading.text.lower()
    return any(sign in low for sign in within)


def _pointing(named: Named, word: str) -> Named:
    sure = min(named.confidence, WEIGHTS["alias"]) - LESS
    return named._replace(arm="pronoun", confidence=sure, why=f"“{word}” means who was named before, by {named.why}")


_SIGNS = {
    "person": (
        bag(
            "she he her him his hers herself himself er ihn ihm elle lui ella ele ela lei"
            " он она его ему ей ее её ним ней нему"
        ),
        ("他", "她", "彼", "그녀", "그분"),
    ),
    "company": (
        bag("they them their company firm startup vendor client customer fund agency"),
        ("公司", "их", "они", "компани"),
    ),
    "project": (bag("project deal product launch initiative"), ("项目", "проект")),
    "agreed": (
        bag(
            "yes yep yeah ok okay sure sounds go do please perfect great да давай хорошо ладно ja gut mach oui d sí si"
            " vale sim"
        ),
        ("好", "可以", "行", "嗯", "はい", "お願い", "네", "좋아"),
    ),
}
"""For each pattern the words of which one stands in whatever it finds, else one of these stretches of small letters."""


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(
        {
            "person": r"\b(?:she|he|her|him|his|hers|herself|himself|er|ihn|ihm|elle|lui|ella|ele|ela|lei"
            r"|он|она|его|ему|ей|ее|её|ним|ней|нему)\b|(?<!其)[他她](?!们)|彼女|彼(?!ら)|그녀|그분",
            "company": r"\b(?:they|them|their|the (?:company|firm|startup|vendor|client|customer|fund|agency))\b"
            r"|那家公司|这家公司|该公司|их|они|этой? компани\w+",
            "project": r"\b(?:the|that|this) (?:project|deal|product|launch|initiative)\b"
            r"|这个项目|那个项目|该项目|этот проект",
            "agreed": r"(?:yes|yep|yeah|ok|okay|sure|sounds good|go ahead|do it|do that|please do|perfect|great"
            r"|да|давай|хорошо|ладно|好的?|可以|行|嗯|はい|お願い|네|좋아|ja|gut|mach das"
            r"|oui|d'accord|sí|vale|sim)\b",
        }[name],
        re.IGNORECASE,
    )
