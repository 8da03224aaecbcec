"""The time that a question states, in the words that a passage of that time holds."""

import re
from datetime import date, timedelta
from typing import NamedTuple

from gbrain.domain.periods import MONTHS, Period, periods, relative

TIMES, DAYS = 3, 7
"""At most so many times of a question count; a stretch of at most so many days is that many times."""
_WHOLE = frozenset({28, 29, 30, 31, 365, 366})
"""Days of a month or a year."""


class Stated(NamedTuple):
    """A day, a month or a year. Its parts are the ways to write each of month, day and year: a passage of that time
    holds one of each. `period` is None where the question leaves the year open."""

    parts: tuple[tuple[str, ...], ...]
    day: bool
    period: Period | None


def stated(text: str, today: date) -> tuple[Stated, ...]:
    """The times that a question states. `today` is what `yesterday` is counted from."""
    found: dict[Stated, None] = {}
    for period in periods(text, today)[:TIMES]:
        words = text.casefold()[period.start : period.end]
        known = relative(words) or re.search(r"[0-9]{4}", words) is not None
        for part in _narrowed(period):
            found[_written(part, known=known)] = None
    return tuple(found)


def _narrowed(period: Period) -> list[Period]:
    """A day, a month or a year as it is; of a stretch of a few days each, and of a longer one nothing."""
    days = (period.last - period.first).days + 1
    if days == 1 or (period.first.day == 1 and days in _WHOLE):
        return [period._replace(start=0, end=0)]
    if days > DAYS:
        return []
    each = [period.first + timedelta(days=step) for step in range(days)]
    return [Period(day, day) for day in each]


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
