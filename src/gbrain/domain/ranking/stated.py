"""The time that a question states: in the words that a passage of that time holds, and as days; and whether it asks for
anything beside it."""

import re
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from gbrain.domain.periods import MONTHS, Period
from gbrain.domain.stretches import Stretch, stretches
from gbrain.domain.text import STOP_WORDS, raw_terms

TIMES, DAYS, HALF_YEAR = 3, 7, 184
"""At most so many times of a question count; a stretch of at most so many days is that many times, and one of at most
so many the months that it touches."""
_WHOLE = frozenset({28, 29, 30, 31, 365, 366})
"""Days of a month or a year."""


class Stated(NamedTuple):
    """A day, a month or a year. Its parts are the ways to write each of month, day and year: a passage of that time
    holds one of each; without parts none does. `period` is None where the question leaves the year open."""

    parts: tuple[tuple[str, ...], ...]
    day: bool
    period: Period | None


class When(NamedTuple):
    """What a question says of time. `days` are the stretches, with the latest that is meant where the year is left
    open; `words` is what names them.

    `alone`: it asks for nothing beside the time. `types` are the page types that it then asks for (empty: any).
    """

    times: tuple[Stated, ...] = ()
    days: tuple[Period, ...] = ()
    words: str = ""
    alone: bool = False
    types: tuple[str, ...] = ()


def stated(text: str, today: date) -> When:
    """What a question says of time. `today` is what `yesterday` is counted from."""
    named = stretches(text, today)[:TIMES]
    if not named:
        return When()
    folded = text.casefold()
    found: dict[Stated, None] = {}
    for one in named:
        period = Period(one.first, one.last)
        parts = [] if one.open else _narrowed(period)
        for part in parts:
            found[_written(part, known=one.known)] = None
        if not parts:
            found[Stated((), False, period)] = None
    ends = [0, *(one.end for one in named)]
    starts = [*(one.start for one in named), len(folded)]
    rest = " ".join(folded[end:start] for end, start in zip(ends, starts, strict=True))
    words = " ".join(folded[one.start : one.end] for one in named)
    alone, types = _alone(rest)
    return When(tuple(found), _days(named), words, alone, types)


def _days(named: list[Stretch]) -> tuple[Period, ...]:
    return tuple(dict.fromkeys(Period(one.first, one.last) for one in named))


def _alone(rest: str) -> tuple[bool, tuple[str, ...]]:
    """Whether what a question says beside a time asks for nothing more, and the page types that it names."""
    kinds, nothing = _patterns()
    types = [type for pattern, named in kinds if pattern.search(rest) for type in named]
    for pattern, _ in kinds:
        rest = pattern.sub(" ", rest)
    alone = all(term in STOP_WORDS for term in raw_terms(nothing.sub(" ", rest)))
    return alone, tuple(dict.fromkeys(types)) if alone else ()


_KINDS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("meetings?|calls?|syncs?|met", "会议|开会|开了会", ("meeting",)),
    ("e-?mails?", "邮件", ("email",)),
    ("articles?", "文章", ("article", "source")),
    ("journals?|diary|diaries", "日记", ("journal", "diary", "daily")),
    ("events?", "活动", ("event", "meeting")),
)
"""Words that say which pages of a time are asked for, in English and Chinese, by the page types that hold them."""
_NOTHING = (
    "happen(?:ed|s|ing)?|went on|going on|took place|take place|occur(?:red|s)?|news|notes?|entry|entries|pages?"
    "|things?|anything|everything|something|stuff|done|doing|tell|show|list|find|give|get|know|known|please|new|recorded"
    "|written|dated|dates?|days?|weeks?|months?|years?|summar(?:y|ies|i[sz]e)|recap|overview|activity|activities|timeline|logs?"
    "|decided?|discuss(?:ed)?|talk(?:ed)?|said|say|see|saw|learn(?:ed|t)?|changed?|working|worked|work|during|between"
    "|around|since|until|there|been|being|up|with me|held"
)
_NOTHING_CN = (
    "发生|什么|哪些|事情?|有过?|没有|过|了|的|在|吗|呢|我们?|你们?|都|做|干|是|里|中|新闻|消息|记录|笔记|那天|当天|内容"
)
"""Words of a question that ask for nothing by themselves; where it says no others, it asks for what is of the time."""


@cache
def _patterns() -> tuple[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...], re.Pattern[str]]:
    kinds = tuple((re.compile(rf"\b(?:{english})\b|{chinese}"), types) for english, chinese, types in _KINDS)
    return kinds, re.compile(rf"\b(?:{_NOTHING})\b|{_NOTHING_CN}")


def _narrowed(period: Period) -> list[Period]:
    """A day, a month or a year as it is; of a stretch of a few days each, of a longer one its months, and of what is
    longer than half a year nothing."""
    days = (period.last - period.first).days + 1
    if days == 1 or (period.first.day == 1 and days in _WHOLE):
        return [period]
    if days <= DAYS:
        each = [period.first + timedelta(days=step) for step in range(days)]
        return [Period(day, day) for day in each]
    if days > HALF_YEAR:
        return []
    places = range(period.first.year * 12 + period.first.month - 1, period.last.year * 12 + period.last.month)
    return [_month(place) for place in places]


def _month(place: int) -> Period:
    first = date(place // 12, place % 12 + 1, 1)
    return Period(first, date((place + 1) // 12, (place + 1) % 12 + 1, 1) - timedelta(days=1))


def _written(period: Period, *, known: bool) -> Stated:
    first, day = period.first, period.first == period.last
    parts: list[tuple[str, ...]] = []
    if day or period.last.month == first.month:
        name = MONTHS[first.month - 1]
        figures = (f"{first.month:02}",) if known else ()
        parts.append(tuple(dict.fromkeys((name, name[:3], *figures))))
    if day:
        ending = "th" if first.day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(first.day % 10, "th")
        parts.append(tuple(dict.fromkeys((str(first.day), f"{first.day:02}", f"{first.day}{ending}"))))
    if known:
        parts.append((str(first.year),))
    return Stated(tuple(parts), day, period if known else None)
