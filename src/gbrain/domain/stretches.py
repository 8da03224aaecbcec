"""Stretches of time that a question names: what `periods` reads, and seasons, quarters, weekends, parts of a year, and
stretches with an open end.

A rule is a row: a pattern, and what it means on the day it is said. What may as well be something else (`May Chen`,
`summer intern`, `the March of Dimes`) is no time. Seasons are those of the northern hemisphere, by whole months.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from functools import cache
from typing import Literal, NamedTuple

from gbrain.domain.periods import DAYS, MONTHS, NUMBERS, Period, dated, periods, quarter, relative, weekday

SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "春": 3, "夏": 6, "秋": 9, "冬": 12}
"""The month in which each begins."""
BEGINNING = date(1, 1, 1)
"""Where a stretch begins whose beginning is left open."""


class Stretch(NamedTuple):
    """Days from `first` to `last`, both included, named between `start` and `end` of the folded text.

    `known`: its year is said, or follows from the day it is said on. `open`: it has one end only ("since May").
    """

    first: date
    last: date
    start: int
    end: int
    known: bool = True
    open: bool = False


def stretches(text: str, said: date) -> list[Stretch]:
    """The stretches that a text names, in order. A month, day or quarter without a year is the latest not after
    `said`; a stretch that begins later has no open end."""
    folded = text.casefold()
    if not _cue().search(folded):
        return []
    # Where folding changes the length, letters cannot be told from capitals by their place.
    written = text if len(text) == len(folded) else folded
    found = [_narrowed(folded, one) for one in _named(folded, written, said)]
    return [_open(folded, one, said) for one in _ranges(folded, found)]


def _named(folded: str, written: str, said: date) -> list[Stretch]:
    """What the rules and `periods` find, the longest where several overlap, without what may be something else."""
    found: list[Stretch] = []
    for pattern, known, read in _rules():
        for match in pattern.finditer(folded):
            try:
                period = read(match, said)
            except (ValueError, OverflowError):
                continue
            if period is not None:
                found.append(_stretch(folded, period, match.start(), match.end(), known=known))
    found += [_stretch(folded, one, one.start, one.end, known=False) for one in periods(folded, said)]
    kept: list[Stretch] = []
    for one in sorted(found, key=lambda one: (one.start - one.end, one.start)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    kept.sort(key=lambda one: one.start)
    ends = [0, *(one.end for one in kept)]
    return [one for one, end in zip(kept, ends, strict=False) if not _other(written, one, folded[end : one.start])]


def _stretch(folded: str, period: Period, start: int, end: int, *, known: bool) -> Stretch:
    words = folded[start:end]
    known = known or relative(words) or re.search(r"[0-9]{4}", words) is not None
    return Stretch(period.first, period.last, start, end, known)


def _other(written: str, one: Stretch, between: str) -> bool:
    """Whether the name of a month is likelier a person's, a verb or a part of a name. `between` is what stands between
    it and the time before it."""
    word = written[one.start : one.end].casefold()
    if word not in _NAMES:
        return False
    before, after = written[: one.start].casefold().split(), written[one.end :]
    lead = before[-1] if before else ""
    if word == "march" and re.match(r" of (?![0-9]|(?:last|this|next) year)", after):
        return True
    if re.match(r" [^\W\d_a-z]", after) and lead != "in":
        return True
    small = written[one.start : one.end].islower()
    return word in ("may", "march") and small and lead in ("and", "to") and between.strip() not in ("and", "to")


def _narrowed(folded: str, one: Stretch) -> Stretch:
    """A month, a year and what is longer, cut to its beginning, middle or end where that is said."""
    days = (one.last - one.first).days + 1
    for before, after, third in _THIRDS:
        found, tail = re.search(before, folded[: one.start]), re.match(after, folded[one.end :])
        if days < 28 or not (found or tail):
            continue
        start, end = found.start() if found else one.start, one.end + (tail.end() if tail else 0)
        if days in (365, 366):
            first = date(one.first.year, 1 + 4 * third, 1)
            last = date(one.first.year, 12, 31) if third == 2 else date(one.first.year, 5 + 4 * third, 1) - _DAY
        else:
            first = one.first + timedelta(days=days * third // 3)
            last = one.first + timedelta(days=days * (third + 1) // 3 - 1)
        return one._replace(first=first, last=last, start=start, end=end)
    return one


def _ranges(folded: str, found: Iterable[Stretch]) -> Iterator[Stretch]:
    """The stretches, those that are joined ("from March to May") as one."""
    held: Stretch | None = None
    for one in found:
        if held is None:
            held = one
            continue
        lead, joint = folded[: held.start], folded[held.end : one.start]
        between = re.search(r"\bbetween\s+(?:the\s+)?$", lead)
        if re.fullmatch(r"\s*(?:to|until|till|through|thru|[-–—~]|到|至)\s*(?:the\s+)?", joint) or (
            between and re.fullmatch(r"\s*and\s+(?:the\s+)?", joint)
        ):
            begin = re.search(r"(?:\b(?:from|between)\s+(?:the\s+)?|[从自])$", lead)
            held = _joined(held, one)._replace(start=begin.start() if begin else held.start)
            continue
        yield held
        held = one
    if held is not None:
        yield held


def _joined(left: Stretch, right: Stretch) -> Stretch:
    """From one to the other; the one whose year was not said is of the year that puts it before or behind."""
    first, last = left.first, right.last
    if right.known and not left.known:
        first = _year(first, right.first.year)
        first = first if first <= last else _year(first, right.first.year - 1)
    elif last < first:
        if left.known and not right.known:
            last = _year(last, first.year)
            last = last if first <= last else _year(last, first.year + 1)
        elif not left.known:
            first = _year(first, first.year - 1)
    known = left.known or right.known
    if last < first:
        return right
    return Stretch(first, last, left.start, right.end, known)


def _year(day: date, year: int) -> date:
    return day.replace(year=year, day=28 if (day.month, day.day) == (2, 29) else day.day)


def _open(folded: str, one: Stretch, said: date) -> Stretch:
    """The stretch since, after, before or until what is named, where that is said."""
    for way, before, after in _ENDS:
        found, tail = re.search(before, folded[: one.start]), re.match(after, folded[one.end :])
        if not (found or tail):
            continue
        start, end = found.start() if found else one.start, one.end + (tail.end() if tail else 0)
        first, last = one.first, one.last
        if way in ("since", "after"):
            first, last = (first if way == "since" else last + _DAY), said
        elif first == BEGINNING:
            return one
        else:
            first, last = BEGINNING, (first - _DAY if way == "before" else last)
        return one if last < first else one._replace(first=first, last=last, start=start, end=end, open=True)
    return one


_DAY = timedelta(days=1)
_NAMES = frozenset({"may", "april", "june", "jan", "august", "march"})
"""Months that are names of people or words too."""
_NEVER = r"(?!x)x"
_THIRDS: tuple[tuple[str, str, int], ...] = (
    (r"(?:\bearly|\b(?:the\s+)?(?:beginning|start)\s+of)(?:\s+in)?[\s-]+(?:the\s+)?$", r"年?(?:的)?初", 0),
    (r"(?:\bmid|\b(?:the\s+)?middle\s+of)[\s-]*(?:the\s+)?$", r"年中(?!国)", 1),
    (r"(?:\blate|\b(?:the\s+)?end\s+of)(?:\s+in)?[\s-]+(?:the\s+)?$", r"年?(?:的)?[底末]", 2),
)
"""What stands before a month or a year, or behind it, and which third of it that means."""
_ENDS: tuple[tuple[Literal["since", "after", "before", "until"], str, str], ...] = (
    ("since", r"\bsince\s+(?:the\s+)?$|自从?$", r"年?份?以来|年?份?至今|\s+onwards?\b"),
    ("after", r"\bafter\s+(?:the\s+)?$", r"年?份?(?:之后|以后)"),
    ("before", r"\b(?:before|prior\s+to|earlier\s+than)\s+(?:the\s+)?$", r"年?份?(?:之前|以前)"),
    ("until", r"\b(?:until|till|up\s+to)\s+(?:the\s+)?$", _NEVER),
)
"""What stands before or behind the end of a stretch that has one end only."""
_NOUNS = (
    "interns?|internships?|frameworks?|boot|mvc|cloud|security|batch|data|school|camps?|sale|sales|collection|cleaning|"
    "rolls?|onions?|water|break|holidays?|project|plan|edition|trip|home|house|time|hat|moon|guy|semester|party|"
    "street|tires?|tyres?|coat|jackets?|olympics|games"
)
"""Behind a season or the weekend these make it a kind of thing."""
_NO_NOUN = rf"(?!['’]s)(?![\s-]+(?:{_NOUNS})\b)"
_YEAR = r"(?:19|20|21)[0-9]{2}"
_OF_YEAR = rf"(?:,?\s+(?:of\s+|in\s+)?(?:the\s+)?(?:(?P<year>{_YEAR})\b|(?P<which>last|this|next)\s+year\b))"
_CN_YEAR = r"(?:(?:(?P<year>[0-9]{4})年|(?P<which>去年|今年|明年|前年))的?)"
_MONTH = (
    r"jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?|july?|aug(?:ust|\.)?"
    r"|sept?(?:ember|\.)?|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?"
)
_CN_FIGURES = "一二三四五六七八九十"
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "final": 4}
_STEPS = {"last": -1, "previous": -1, "past": -1, "去年": -1, "上": -1, "next": 1, "coming": 1, "明年": 1, "下": 1,
          "前年": -2}  # fmt: skip
_UNITS = {"month": 1, "个月": 1, "quarter": 3, "year": 12, "年": 12}
"""The months of each."""
_Read = Callable[["re.Match[str]", date], Period | None]


@cache
def _cue() -> re.Pattern[str]:
    """What every rule and `periods` need, at least one of it: most questions have none, and need no more."""
    return re.compile(
        r"[0-9年月天周日晚早季]|星期|礼拜|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tues|wednes|thurs|fri"
        r"|satur|sun|last|this|next|past|previous|coming|yesterday|today|tonight|tomorrow|days?|weeks?|weekend|months?"
        r"|years?|quarter)"
    )


@cache
def _rules() -> tuple[tuple[re.Pattern[str], bool, _Read], ...]:
    """Each rule: its pattern, whether the year of what it means is always known, and what it means."""
    days = "|".join(DAYS)
    number = "|".join(word for word in NUMBERS if word.isascii())
    rows: tuple[tuple[str, bool, _Read], ...] = (
        (rf"\b(?P<which>last|past|this|next|coming)\s+(?P<season>spring|summer|autumn|fall|winter)\b{_NO_NOUN}", True,
         _season_near),
        (rf"\b(?P<season>spring|summer|autumn|fall|winter){_OF_YEAR}", True, _season),
        (rf"{_CN_YEAR}(?P<season>[春夏秋冬])[天季]", True, _season),
        (rf"\b(?:q(?P<number>[1-4])|(?P<nth>first|second|third|fourth|1st|2nd|3rd|4th)[\s-]+quarter){_OF_YEAR}?"
         r"(?!\s+of\b)(?!\s+(?:moon|mile|final|back)\b)(?!\w)", False, _quarter),
        (rf"\b(?:last|(?P<nth>final))\s+quarter{_OF_YEAR}", True, _quarter),
        (rf"{_CN_YEAR}?第?(?P<cn>[一二三四1-4])季度", False, _quarter),
        (r"(?P<which>上|这|本|下)一?个?季度", True, _quarter_near),
        (rf"\b(?:h(?P<number>[12])|(?P<nth>first|second)\s+half){_OF_YEAR}", True, _half),
        (rf"{_CN_YEAR}?(?P<half>上|下)半年", True, _half),
        (rf"\b(?:(?:on|over|at|during|for)\s+the\s+weekend\b{_NO_NOUN}(?!\s+of)|the\s+weekend(?=\W*$)"
         rf"|(?P<which>past)\s+weekend\b{_NO_NOUN})", True, _weekend),
        (r"(?<!每)(?<!每个)(?P<which>上|这|本|下)?个?周末", True, _weekend),
        (rf"\b(?P<day>{days})\s+(?:of\s+)?(?P<which>last|this|next)\s+week\b", True, _day_of_week),
        (r"(?P<which>上|这|本|下)个?(?:周|星期|礼拜)(?P<day>[一二三四五六日天])", True, _day_of_week),
        (rf"\b(?:this\s+)?past\s+(?P<day>{days})\b", True, lambda match, said: _past_day(match["day"], said)),
        (r"(?P<which>上|这|本|下)个?(?:星期|礼拜)(?![一二三四五六日天])", True, _week),
        (rf"\b(?:last|past|previous)\s+(?P<count>[0-9]{{1,3}}|{number}|few|couple\s+of)\s+"
         r"(?P<unit>days?|weeks?|months?|quarters?|years?)\b", True, _rolling),
        (rf"(?:过去|最近|近)(?P<count>[0-9]{{1,3}}|[两{_CN_FIGURES}]|几)"
         r"(?P<unit>天|周|个?星期|个月|年)", True, _rolling),
        (r"\b(?:past|previous)\s+(?P<unit>week|month|quarter|year)\b(?!-)", True, _last),
        (r"前年(?![春夏秋冬])", True, lambda match, said: _whole_year(said.year - 2)),
        (rf"\b(?P<month>{_MONTH})(?![a-z])\s+(?:of\s+)?(?P<which>last|this|next)\s+year\b", True, _month),
        (r"(?:(?<=\bbetween )|(?<=\bbefore )|(?<=\bafter )|(?<=\bearly )|(?<=\blate )|(?<=\bmid )|(?<=\bmid-)"
         rf"|(?<=\bthrough ))(?P<month>{_MONTH})(?![a-z0-9])(?!\s+[0-9])", False, _month),
        (rf"(?<=\bmid-)(?P<year>{_YEAR})\b", True, lambda match, said: _whole_year(int(match["year"]))),
        (rf"(?P<which>去年|今年|明年|前年)的?(?P<cmonth>[0-9]{{1,2}}|十[一二]?|[{_CN_FIGURES}])月份?", True, _month),
        (rf"(?:(?P<year>[0-9]{{4}})年)?(?<![{_CN_FIGURES}])(?P<cmonth>十[一二]?|[{_CN_FIGURES}])月份?", False, _month),
    )  # fmt: skip
    return tuple((re.compile(pattern), known, read) for pattern, known, read in rows)


def _group(match: "re.Match[str]", name: str) -> str:
    return match.groupdict().get(name) or ""


def _year_of(match: "re.Match[str]", said: date) -> int:
    """The year that is said; that of the day where none is."""
    year = _group(match, "year")
    return int(year) if year else said.year + _STEPS.get(_group(match, "which"), 0)


def _months(year: int, month: int, count: int) -> Period:
    """So many months from one on."""
    end = year * 12 + month - 1 + count
    return Period(date(year, month, 1), date(end // 12, end % 12 + 1, 1) - _DAY)


def _whole_year(year: int) -> Period:
    return _months(year, 1, 12)


def _season(match: "re.Match[str]", said: date) -> Period:
    return _months(_year_of(match, said), SEASONS[match["season"]], 3)


def _season_near(match: "re.Match[str]", said: date) -> Period:
    """The last one that is over, the next one to begin, or that of this year: in January and February the winter that
    has not ended."""
    month, which = SEASONS[match["season"]], match["which"]
    around = [_months(year, month, 3) for year in range(said.year - 2, said.year + 2)]
    if which in ("last", "past"):
        return [one for one in around if one.last < said][-1]
    if which in ("next", "coming"):
        return next(one for one in around if one.first > said)
    return next((one for one in around if one.first <= said <= one.last), around[2])


def _quarter(match: "re.Match[str]", said: date) -> Period:
    nth, cn = _group(match, "nth"), _group(match, "cn")
    number = int(_group(match, "number") or 0) or (_NTH[nth] if nth else 0)
    if cn:
        number = NUMBERS.get(cn) or int(cn)
    return quarter(number or 4, _year_of(match, said))


def _quarter_near(match: "re.Match[str]", said: date) -> Period:
    place = said.year * 4 + (said.month - 1) // 3 + _STEPS.get(match["which"], 0)
    return quarter(place % 4 + 1, place // 4)


def _half(match: "re.Match[str]", said: date) -> Period:
    second = "2" in (_group(match, "number"), str(_NTH.get(_group(match, "nth"), 0))) or _group(match, "half") == "下"
    return _months(_year_of(match, said), 7 if second else 1, 6)


def _monday(said: date, which: str) -> date:
    return said - timedelta(days=said.weekday()) + timedelta(weeks=_STEPS.get(which, 0))


def _weekend(match: "re.Match[str]", said: date) -> Period:
    """That of the week that is named; else the latest one that has begun."""
    which = _group(match, "which")
    saturday = _monday(said, "" if which == "past" else which) + timedelta(days=5)
    if saturday > said and which in ("", "past"):
        saturday -= timedelta(weeks=1)
    return Period(saturday, saturday + _DAY)


def _day_of_week(match: "re.Match[str]", said: date) -> Period:
    name = match["day"]
    place = DAYS.index(name) if name in DAYS else "一二三四五六日".index(name.replace("天", "日"))
    day = _monday(said, match["which"]) + timedelta(days=place)
    return Period(day, day)


def _past_day(name: str, said: date) -> Period:
    return weekday("last", DAYS.index(name), said)


def _week(match: "re.Match[str]", said: date) -> Period:
    monday = _monday(said, match["which"])
    return Period(monday, monday + timedelta(days=6))


def _rolling(match: "re.Match[str]", said: date) -> Period:
    """So many days, weeks, months or years until today."""
    word, unit = " ".join(match["count"].split()), match["unit"]
    count = int(word) if word.isdigit() else {"few": 3, "几": 3, "couple of": 2}.get(word) or NUMBERS[word]
    months = next((months for name, months in _UNITS.items() if unit.startswith(name)), 0)
    if months:
        place = said.year * 12 + said.month - 1 - count * months
        month = date(place // 12, place % 12 + 1, 1)
        return Period(month + timedelta(days=min(said.day, 28) - 1), said)
    return Period(said - timedelta(days=count * (1 if unit.startswith(("day", "天")) else 7)), said)


def _last(match: "re.Match[str]", said: date) -> Period | None:
    return next(iter(periods(f"last {match['unit']}", said)), None)


def _month(match: "re.Match[str]", said: date) -> Period:
    name, figures = _group(match, "month"), _group(match, "cmonth")
    if name:
        number = next(place for place, month in enumerate(MONTHS, 1) if month.startswith(name[:3]))
    elif figures.isdecimal():
        number = int(figures)
    else:
        number = sum(NUMBERS[figure] for figure in figures)
    known = _group(match, "year") or _group(match, "which")
    return dated(number, None, _year_of(match, said) if known else None, said)
