"""When something was, out of words: dates of any precision, and words that mean one from where they are said.

A date keeps its precision (`2031`, `2031-05`, `2031-05-03`). Relative words are read from the moment the sentence was
said, never from the clock of the machine that reads it.
"""

import re
from calendar import monthrange
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
          "november", "december")  # fmt: skip
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
            "nine": 9, "ten": 10, "a couple of": 2, "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6,
            "七": 7, "八": 8, "九": 9, "十": 10}  # fmt: skip
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


class Period(NamedTuple):
    """Days from `first` to `last`, both included; `start` and `end` are where in the text it is named."""

    first: date
    last: date
    start: int = 0
    end: int = 0

    @property
    def date(self) -> str:
        """The narrowest date that takes all of it in: a day, a month or a year."""
        if self.first == self.last:
            return self.first.isoformat()
        if (self.first.year, self.first.month) == (self.last.year, self.last.month):
            return self.first.isoformat()[:7]
        return self.first.isoformat()[:4]

    def holds(self, when: str) -> bool:
        """Whether a date of any precision, or a stored time, may lie in it."""
        other = of_date(when[:10])
        return other is not None and other.first <= self.last and other.last >= self.first


def of_date(text: str) -> Period | None:
    """The days of a date of any precision; None for what is no date."""
    found = re.fullmatch(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?", text)
    if found is None:
        return None
    try:
        return _of(int(found[1]), int(found[2]) if found[2] else None, int(found[3]) if found[3] else None)
    except ValueError:
        return None


def periods(text: str, said: date) -> list[Period]:
    """Every period that a text names, in order. A month or day without a year is the latest one not after `said`."""
    found: list[Period] = []
    for match in _pattern().finditer(text.casefold()):
        period = _read(match, said)
        if period is not None:
            found.append(period._replace(start=match.start(), end=match.end()))
    return found


def resolve(text: str, said: date) -> str | None:
    """The date, at its precision, that a text means when it was said on a day; None when it names none, or several."""
    found = {period.date for period in periods(text, said)}
    return found.pop() if len(found) == 1 else None


def relative(text: str) -> bool:
    """Whether a text has a word whose meaning depends on the day it is said."""
    return any(match["rel"] or match["ago"] or match["cn"] or match["weekday"] or match["in"] for match in
               _pattern().finditer(text.casefold()))  # fmt: skip


def _read(match: re.Match[str], said: date) -> Period | None:
    try:
        if match["iso"]:
            return of_date(match["iso"])
        if match["quarter"]:
            return quarter(int(match["quarter"]), int(match["qyear"] or said.year))
        if match["month"] or match["month2"]:
            month = _month(match["month"] or match["month2"])
            year = match["year"] or match["year2"]
            day = match["day"] or match["day2"]
            return dated(month, int(day) if day else None, int(year) if year else None, said)
        if match["cmonth"]:
            of_year = int(match["cyear"]) if match["cyear"] else None
            return dated(int(match["cmonth"]), int(match["cday"]) if match["cday"] else None, of_year, said)
        if match["plain"]:
            return _of(int(match["plain"]), None, None)
        return _from_here(match, said)
    except (ValueError, OverflowError):
        return None


def _from_here(match: re.Match[str], said: date) -> Period | None:
    if match["ago"]:
        return _away(-_number(match["ago"]), match["agounit"], said)
    if match["in"]:
        return _away(_number(match["in"]), match["inunit"], said)
    if match["weekday"]:
        return weekday(match["which"] or "", DAYS.index(match["weekday"]), said)
    word = " ".join((match["rel"] or match["cn"]).split())
    for words, days in _DAY_WORDS.items():
        if word in words.split("|"):
            day = said + timedelta(days=days)
            return Period(day, day)
    return _span_word(word, said)


_DAY_WORDS = {
    "today|tonight|this morning|this afternoon|this evening|今天|今晚|今早": 0,
    "yesterday|last night|昨天|昨晚": -1,
    "tomorrow|明天": 1,
    "the day before yesterday|前天": -2,
    "the day after tomorrow|后天": 2,
}


def _span_word(word: str, said: date) -> Period:
    step = -1 if word.startswith(("last", "上", "去")) else 1 if word.startswith(("next", "下", "明")) else 0
    if word.endswith(("week", "周", "星期")):
        monday = said - timedelta(days=said.weekday()) + timedelta(weeks=step)
        return Period(monday, monday + timedelta(days=6))
    if word.endswith("weekend"):
        saturday = said - timedelta(days=said.weekday()) + timedelta(weeks=step, days=5)
        return Period(saturday, saturday + timedelta(days=1))
    if word.endswith("quarter"):
        place = said.year * 4 + (said.month - 1) // 3 + step
        return quarter(place % 4 + 1, place // 4)
    if word.endswith(("month", "月")):
        place = said.year * 12 + said.month - 1 + step
        return _of(place // 12, place % 12 + 1, None)
    return _of(said.year + step, None, None)


def _away(count: int, unit: str, said: date) -> Period:
    if unit.startswith(("day", "天")):
        day = said + timedelta(days=count)
        return Period(day, day)
    if unit.startswith(("week", "周", "星期")):
        day = said + timedelta(weeks=count)
        return Period(day - timedelta(days=day.weekday()), day + timedelta(days=6 - day.weekday()))
    if unit.startswith(("month", "个月")):
        place = said.year * 12 + said.month - 1 + count
        return _of(place // 12, place % 12 + 1, None)
    return _of(said.year + count, None, None)


def weekday(which: str, day: int, said: date) -> Period:
    """`last` is the latest such day before today, `next` and a bare one the first after it, `on` as it stands."""
    ahead = (day - said.weekday()) % 7 or 7
    found = said + timedelta(days=ahead if which.strip() in ("next", "this", "") else ahead - 7)
    if found == said and which.strip() == "last":
        found -= timedelta(days=7)
    return Period(found, found)


def dated(month: int, day: int | None, year: int | None, said: date) -> Period:
    """A month, or a day of it; without a year the latest not after `said`. Raises ValueError for none that exists."""
    if year is None:
        later = (month, day or 1) > (said.month, said.day)
        year = said.year - 1 if later else said.year
    return _of(year, month, day)


def _of(year: int, month: int | None, day: int | None) -> Period:
    if month is None:
        return Period(date(year, 1, 1), date(year, 12, 31))
    if day is None:
        return Period(date(year, month, 1), date(year, month, monthrange(year, month)[1]))
    return Period(date(year, month, day), date(year, month, day))


def quarter(number: int, year: int) -> Period:
    """A quarter, 1 to 4, of a year."""
    return Period(date(year, number * 3 - 2, 1), _of(year, number * 3, None).last)


def _month(name: str) -> int:
    return next(place for place, month in enumerate(MONTHS, 1) if month.startswith(name[:3]))


def _number(text: str) -> int:
    word = " ".join(text.split())
    return NUMBERS[word] if word in NUMBERS else int(word)


@cache
def _pattern() -> re.Pattern[str]:
    month = (
        r"jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?|july?|aug(?:ust|\.)?"
        r"|sept?(?:ember|\.)?|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?"
    )
    number = r"[0-9]{1,3}|a couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten|[一两二三四五六七八九十]"
    unit = r"days?|weeks?|months?|years?|天|周|个?星期|个月|年"
    return re.compile(
        r"(?P<iso>(?<![0-9-])[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?(?![0-9-]))"
        r"|\bq(?P<quarter>[1-4])\b(?:\s*(?:of\s*)?(?P<qyear>[0-9]{4})\b)?"
        rf"|\b(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{month})(?![a-z])"
        r"(?:,?\s+(?P<year>[0-9]{4})\b)?"
        rf"|(?:(?<=\bin )|(?<=\bof )|(?<=\bsince )|(?<=\buntil )|(?<=\bby )|(?<=\bfrom )|(?<=\bto )|(?<=\bduring )"
        rf"|(?<=\band )|(?<=\blast )|\b(?!may\b(?!\s+[0-9])|mar\b|march\b(?!\s+[0-9])))"
        rf"(?P<month2>{month})(?![a-z])(?:\s+(?P<day2>[0-9]{{1,2}})(?:st|nd|rd|th)?(?![0-9]))?"
        r"(?:,?\s+(?:of\s+)?(?P<year2>[0-9]{4})\b)?"
        r"|(?:(?P<cyear>[0-9]{4})年)?(?P<cmonth>[0-9]{1,2})月(?:(?P<cday>[0-9]{1,2})[日号])?"
        rf"|(?P<ago>{number})\s*(?P<agounit>{unit})\s*(?:ago\b|之?前|以前)"
        rf"|\bin\s+(?P<in>{number})\s+(?P<inunit>days?|weeks?|months?|years?)\b"
        r"|\b(?P<rel>the day before yesterday|the day after tomorrow|yesterday|today|tonight|tomorrow|last night"
        r"|this (?:morning|afternoon|evening)|(?:last|this|next) (?:weekend|week|month|quarter|year))\b"
        r"|(?P<which>\b(?:last|next|this|on)\s+)(?P<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
        r"|(?P<cn>前天|昨天|昨晚|今天|今晚|今早|明天|后天|上周|这周|下周|上个?月|这个月|下个?月|去年|今年|明年)"
        r"|(?<![0-9$€£.,-])(?P<plain>(?:19|20|21)[0-9]{2})(?![0-9a-z])(?!\s*(?:[%$€£]|usd|eur|employees|people|users|customers))"
    )
