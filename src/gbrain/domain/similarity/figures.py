"""Numbers, amounts, dates and times in English text, each in one form for each value."""

import re
from functools import cache

from gbrain.domain.similarity import hanzi, lexicon
from gbrain.domain.similarity.vocabulary import words

Units = list[tuple[str, str]]
"""Meanings of the words of a text with their kinds (see `wording.Item`), links and commas still among them."""
MONTHS = {name: f"{order:02}" for order, names in enumerate(lexicon.MONTHS.split("|"), 1) for name in names.split()}
_UNITS = dict(pair.split(":") for pair in lexicon.UNITS.split())


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(
        r"([-+]?\d+(?:,\d{3})*(?:\.\d+)?)([a-z]*)(%?)|(\d{1,2}):(\d\d)(am|pm)?|(\d{4})-(\d\d?)-(\d\d?)", re.ASCII
    )


@cache
def _half_past() -> re.Pattern[str]:
    return re.compile(r"\b(half|quarter|a quarter) past (\w+)", re.IGNORECASE)


def hours_in_digits(text: str) -> str:
    """Text with `half past seven` as `7:30`."""
    return _half_past().sub(_past_hour, text) if " past " in text else text


def _past_hour(found: re.Match[str]) -> str:
    hour = words().get(found[2].lower(), found[2])
    return f"{hour}:{30 if found[1].lower() == 'half' else 15}" if hour.isdecimal() else found[0]


def number(low: str, token: str, tokens: list[str], place: int, units: Units) -> int:
    """Append a number in one form for each value; returns how many of the tokens behind it went into it."""
    found = _pattern().fullmatch(low)
    after = tokens[place].lower() if place < len(tokens) else ""
    if found is None:
        units.append((_slashed(low), "t" if low.count("/") == 2 else "n"))
        return 0
    count, letters, percent, hour, minute, half, year, of_year, day = found.groups()
    if year:
        units.append((f"{year}-{int(of_year):02}-{int(day):02}", "t"))
        return 0
    behind = after in ("am", "pm", "a.m", "p.m") and not letters and not half
    if hour or behind or letters in ("am", "pm"):
        period = (half or letters or (after if behind else "") or "")[:1]
        hours = int(hour) if hour else int(count) if count.isdigit() else 99
        if hours > 24 or (period and not 1 <= hours <= 12):
            units.append((low, "n"))
            return 0
        units.append((f"{hours % 12 + 12 * (period == 'p') if period else hours}:{minute or '00'}", "t"))
        return int(behind)
    count = count.replace(",", "")
    if letters in ("st", "nd", "rd", "th") or (not letters and count.isdigit()):
        taken = _day_month(count, tokens, place, units)
        if taken or letters:
            if not taken:
                units.append((count + letters, "n"))
            return taken
    return _amount(count, letters, percent, token, after, units)


def _slashed(text: str) -> str:
    """`31/12/2026` and `12/31/2026` as a date where only one reading is one, else as it stands."""
    parts = text.split("/")
    if len(parts) == 3 and len(parts[2]) == 4 and all(part.isdecimal() and part.isascii() for part in parts):
        first, second = int(parts[0]), int(parts[1])
        if 12 < first < 32 and 0 < second < 13:
            first, second = second, first
        if 0 < first < 13 and (12 < second < 32 or first == second):
            return f"{parts[2]}-{first:02}-{second:02}"
    return text


_DATED = frozenset(("<L", "<since", "<from", "<until", "<before", "<after", "<by"))


def _amount(count: str, letters: str, percent: str, token: str, after: str, units: Units) -> int:
    """Append a count or a measure: scale multiplied in, the unit and then the currency behind the count."""
    used, unit = 0, ""
    scale = lexicon.SCALES.get(letters or after, 0)
    # 5m are metres, 5M and €5m are millions.
    if letters == "m" and (token.endswith("M") or (units and units[-1][1] == "c")):
        scale = 6
    if scale and (whole := hanzi.scaled(count, scale)):
        count, used = whole, int(not letters)
    elif letters:
        unit = _UNITS.get(letters, "")
        if not unit:
            units.append((token.lower(), "n"))
            return 0
    elif after in _UNITS:
        unit, used = _UNITS[after], 1
    currency = units.pop()[0] if units and units[-1][1] == "c" else ""
    # `in 2019` is a time, 2019 alone a number.
    dated = (
        len(count) == 4 and count[:2] in ("19", "20") and not (unit or currency) and units and units[-1][0] in _DATED
    )
    units.append((count, "t" if dated else "n"))
    units.extend((extra, "w") for extra in (unit, currency, "percent" if percent else "") if extra)
    return used


def _day_month(count: str, tokens: list[str], place: int, units: Units) -> int:
    start = place
    if place < len(tokens) and tokens[place].lower() == "of":
        place += 1
    of_year = MONTHS.get(tokens[place].lower(), "") if place < len(tokens) else ""
    if not of_year or len(count) > 2 or not 1 <= int(count) <= 31:
        return 0
    return place + 1 - start + _dated(of_year, count, tokens, place + 1, units)


def month(low: str, tokens: list[str], place: int, units: Units) -> int:
    """Append the date or the month that begins with `low`; returns how many of the tokens behind it went into it."""
    dot = int(place + 1 < len(tokens) and tokens[place] == ".")
    place += dot
    day = tokens[place].lower() if place < len(tokens) else ""
    day = day[:-2] if day[-2:] in ("st", "nd", "rd", "th") else day
    if len(day) < 3 and day.isdecimal() and day.isascii() and 1 <= int(day) <= 31:
        return 1 + dot + _dated(MONTHS[low], day, tokens, place + 1, units)
    units.append(("m" + MONTHS[low], "t"))
    return 0


def _dated(of_year: str, day: str, tokens: list[str], place: int, units: Units) -> int:
    comma = int(place + 1 < len(tokens) and tokens[place] == ",")
    year = tokens[place + comma] if place + comma < len(tokens) else ""
    if len(year) == 4 and year.isdecimal() and year.isascii() and year[0] in "12":
        units.append((f"{year}-{of_year}-{int(day):02}", "t"))
        return 1 + comma
    units.append((f"{of_year}-{int(day):02}", "t"))
    return 0


_TENS = frozenset(str(value) for value in range(20, 100, 10))


def summed(count: str, units: Units) -> str:
    """A spelt count with the part of it before: `twenty` `five`, `hundred` `and` `twenty`."""
    if count.isdecimal() and units:
        if units[-1][1] == "n" and units[-1][0] in _TENS and len(count) == 1:
            return units.pop()[0][0] + count
        joined = units[-1][0] == "<&"
        place = -2 if joined and len(units) > 1 else -1
        before, kind = units[place]
        if kind == "n" and before.isdecimal() and before[-2:] == "00" and len(count) < 3:
            del units[place:]
            return str(int(before) + int(count))
    return count
