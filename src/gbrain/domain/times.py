"""Instants, spans and dates as text, and back.

Inside the code time is an aware `datetime`. The store keeps fixed-width UTC text with microseconds, so that
comparing text compares time; the wire carries milliseconds. Every function here takes `now` as an argument.
"""

import math
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone

from gbrain.domain.text import clip, collapse
from gbrain.errors import InvalidParams

BEGINNING = "0000-01-01T00:00:00.000000Z"
"""A moment before every other, as the store writes times."""
HALF_LIFE_DAYS = {"event": 7.0, "commitment": 90.0, "preference": 90.0, "belief": 365.0, "fact": 365.0}

# Without ASCII, ignoring case would take the long s and the Kelvin sign for letters of a unit.
_FLAGS = re.IGNORECASE | re.ASCII
_UNIT_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_UNITS = r"s|sec|seconds?|m|min|minutes?|h|hr|hours?|d|days?"
_SHORTHAND = rf"([0-9]+)\s*({_UNITS})"
_AGO = rf"([0-9]+)\s*({_UNITS}|w|weeks?)(?:\s+ago)?"
_INSTANT = (
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[T ]\s*([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?"
    r"\s*(Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)
_ISO_DURATION = (
    r"P(?=.*[0-9])(?:([0-9]+)Y)?(?:([0-9]+)M)?(?:([0-9]+)W)?(?:([0-9]+)D)?"
    r"(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)S)?)?"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_NAME = "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
_MONTH_NAME += "|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_TTL_FORMS = 'a span such as `ttl: "30d"` (s, m, h, d) or a date such as `ttl: "2031-12-31"`'


def store_time(moment: datetime) -> str:
    """The store's text for an aware datetime: `YYYY-MM-DDTHH:MM:SS.ffffffZ`, UTC.

    Raises ValueError for a naive datetime: its meaning would depend on the machine.
    """
    if moment.tzinfo is None:
        raise ValueError("a stored time needs a zone")
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def wire_time(stored: str | None) -> str | None:
    """Store text cut to milliseconds (`...123Z`), as replies carry it; None stays None."""
    # Cut and not rounded: a time on the wire must never lie after the one in the store.
    return None if stored is None else stored[:23] + "Z"


def parse_store(text: str) -> datetime:
    """The aware datetime of a text written by `store_time` (wire text is read too)."""
    return datetime.fromisoformat(text)


def iso_instant(text: str) -> datetime | None:
    """The instant an ISO 8601 date (UTC midnight) or datetime (UTC unless it has an offset) names.

    None when the text has another shape. Raises ValueError, with the reason, when it has the shape but no
    such date or time exists, and OverflowError when its UTC instant is outside the years 1 to 9999.
    """
    found = re.fullmatch(_INSTANT, collapse(text), _FLAGS)
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    micro = int(fraction[:6].ljust(6, "0")) if fraction else 0
    # Finer than microseconds is cut: the store has no room for it.
    local = datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0), micro)
    return local.replace(tzinfo=_offset(zone)).astimezone(UTC)


def parse_instant(text: str, now: datetime) -> datetime:
    """The instant named by an ISO 8601 date or datetime, or by the word `now`.

    A date means its midnight in UTC; a time without an offset is UTC; a space may stand for the `T`.
    Raises InvalidParams for everything else, impossible dates included.
    """
    suggestion = "give a date such as `2031-03-30` or an instant such as `2031-03-30T09:00:00Z`"
    if collapse(text).lower() == "now":
        return now.astimezone(UTC)
    try:
        found = iso_instant(text)
    except (ValueError, OverflowError) as error:
        raise InvalidParams(f"`{_shown(text)}` is not a real date: {error}", suggestion) from None
    if found is None:
        raise InvalidParams(f"`{_shown(text)}` is not an ISO 8601 date or time", suggestion)
    return found


def parse_duration(text: str) -> timedelta | None:
    """The span of a shorthand such as `30d`, `12 hours`, `45m`, `90s`; None when it is not one.

    Spans too long for a timedelta come back as `timedelta.max`, so that any bound refuses them.
    """
    found = re.fullmatch(_SHORTHAND, collapse(text), _FLAGS)
    return None if found is None else _span(found[1], found[2])


def parse_since(text: str, now: datetime) -> datetime:
    """The start of a period: an ISO 8601 date or datetime, or `N unit` with or without `ago` (s, m, h, d, w).

    Raises InvalidParams otherwise, and for a span that reaches back before the year 1.
    """
    found = re.fullmatch(_AGO, collapse(text), _FLAGS)
    suggestion = 'give a span such as `since: "3d"` or a date such as `since: "2031-03-30"`'
    if found is not None:
        try:
            return now.astimezone(UTC) - _span(found[1], found[2])
        except OverflowError:
            raise InvalidParams(f"`{_shown(text)}` reaches back before the year 1", suggestion) from None
    try:
        return parse_instant(text, now)
    except InvalidParams as error:
        raise InvalidParams(str(error), suggestion) from None


def parse_ttl(value: object, now: datetime) -> datetime | None:
    """The instant at which a fact lapses, or None when it never does (null or blank).

    Accepts the shorthand of `parse_duration`, ISO 8601 dates and datetimes, and `Dec 31 2031`, `31 Dec
    2031` and `12/31/2031` (month first). Raises InvalidParams whose `detail` is `not_string`,
    `iso_duration`, `unparseable`, `past` (it would be born lapsed) or `out_of_range`.
    """
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidParams(f"ttl must be text, not {_json_type(value)}", f"write {_TTL_FORMS}", detail="not_string")
    text = collapse(value)
    if not text:
        return None
    duration = re.fullmatch(_ISO_DURATION, text, _FLAGS)
    if duration is not None:
        raise InvalidParams(
            f"ttl does not take ISO 8601 durations such as `{_shown(text)}`",
            f'use the shorthand instead: `ttl: "{_as_shorthand(duration)}"`',
            detail="iso_duration",
        )
    try:
        span = parse_duration(text)
        until = _absolute(text) if span is None else now.astimezone(UTC) + span
    except OverflowError:
        raise InvalidParams(
            f"ttl `{_shown(text)}` lies beyond the year 9999",
            'use a nearer end such as `ttl: "365d"`, or leave ttl out for a fact that does not lapse',
            detail="out_of_range",
        ) from None
    except ValueError as error:
        raise _unparseable(text, f": {error}") from None
    if until is None:
        raise _unparseable(text, "")
    if until <= now:
        raise InvalidParams(
            f"ttl `{_shown(text)}` ends at {wire_time(store_time(until))}, which is not in the future: "
            "the fact would be saved already lapsed",
            'use a later end such as `ttl: "1d"`; a date alone means its first moment in UTC',
            detail="past",
        )
    return until


def parse_partial_date(text: str) -> str:
    """A date kept at its own precision: `2031`, `2031-03` or `2031-03-30`, trimmed.

    Raises InvalidParams when the text has another form or names no real date.
    """
    kept = collapse(text)
    found = re.fullmatch(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?", kept)
    suggestion = "give a year, a month or a day: `2031`, `2031-03` or `2031-03-30`"
    if found is None:
        raise InvalidParams(f"`{_shown(text)}` is not a date", suggestion)
    try:
        date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    except ValueError as error:
        raise InvalidParams(f"`{_shown(text)}` is not a real date: {error}", suggestion) from None
    return kept


def parse_bound(text: str, now: datetime) -> str:
    """One end of a period as a date at its own precision: a year, a month, a day, or the day of an instant or span.

    Raises InvalidParams otherwise.
    """
    try:
        return parse_partial_date(text)
    except InvalidParams:
        return store_time(parse_since(text, now))[:10]


def decayed_confidence(confidence: float, kind: str, age_days: float) -> float:
    """How far a fact is still believed: `confidence * exp(-age / half)`, with HALF_LIFE_DAYS by kind.

    A fact dated in the future counts as fresh. The caller gives 0 to lapsed and expired facts.
    """
    return confidence * math.exp(-max(age_days, 0.0) / HALF_LIFE_DAYS.get(kind, 365.0))


CLOCK_YEARS = range(1970, 9900)
"""The years a clock may show: weeks before and years after such a moment are dates too, as every question needs."""


def parse_clock(text: str, real: Callable[[], datetime]) -> Callable[[], datetime]:
    """A clock for rehearsals: an ISO instant that stands still, or `+3d` / `-2h` away from the `real` clock.

    Raises InvalidParams for any other text, and for a moment outside CLOCK_YEARS.
    """
    trimmed = collapse(text)
    shift = parse_duration(trimmed[1:]) if trimmed[:1] in ("+", "-") else None
    if shift is not None:
        signed = shift if trimmed[0] == "+" else -shift
        try:
            far = (real() + signed).year not in CLOCK_YEARS
        except OverflowError:
            far = True
        if far:
            raise InvalidParams(
                f"the clock cannot move by `{_shown(text)}`", "use a smaller shift such as `GBRAIN_CLOCK=+3d`"
            )
        return lambda: real() + signed
    try:
        still = iso_instant(trimmed)
    except (ValueError, OverflowError):
        still = None
    if still is None or still.year not in CLOCK_YEARS:
        raise InvalidParams(
            f"`{_shown(text)}` is not a clock",
            "use an instant, `GBRAIN_CLOCK=2031-05-04T22:10:00Z`, or a shift, `GBRAIN_CLOCK=+3d`",
        )
    return lambda: still


def _shown(text: str) -> str:
    return clip(collapse(text), 60)


def _span(digits: str, unit: str) -> timedelta:
    # More digits than this cannot be a timedelta, and int() refuses very long ones.
    significant = digits.lstrip("0")
    if len(significant) > 15:
        return timedelta.max
    try:
        return timedelta(seconds=int(significant or 0) * _UNIT_SECONDS[unit[0].lower()])
    except OverflowError:
        return timedelta.max


def _offset(zone: str | None) -> timezone:
    if zone is None or zone in "Zz":
        return UTC
    hours, minutes = int(zone[1:3]), int(zone[3:].lstrip(":") or 0)
    if hours > 23 or minutes > 59:
        raise ValueError("no such offset from UTC")
    away = timedelta(hours=hours, minutes=minutes)
    return timezone(-away if zone[0] == "-" else away)


def _absolute(text: str) -> datetime | None:
    iso = iso_instant(text)
    if iso is not None:
        return iso
    american = re.fullmatch(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})", text)
    if american is not None:
        return datetime(int(american[3]), int(american[1]), int(american[2]), tzinfo=UTC)
    named = re.fullmatch(rf"{_MONTH_NAME}\.?\s+([0-9]{{1,2}})(?:,\s*|\s+)([0-9]{{4}})", text, _FLAGS)
    if named is not None:
        return datetime(int(named[3]), _month(named[1]), int(named[2]), tzinfo=UTC)
    named = re.fullmatch(rf"([0-9]{{1,2}})\s+{_MONTH_NAME}\.?,?\s+([0-9]{{4}})", text, _FLAGS)
    if named is not None:
        return datetime(int(named[3]), _month(named[2]), int(named[1]), tzinfo=UTC)
    return None


def _month(name: str) -> int:
    return _MONTHS.index(name[:3].lower()) + 1


def _json_type(value: object) -> str:
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    return "a list" if isinstance(value, list | tuple) else "an object"


def _as_shorthand(duration: re.Match[str]) -> str:
    if any(part is not None and len(part) > 6 for part in duration.groups()):
        return "365d"
    years, months, weeks, days, hours, minutes, seconds = (int(part or 0) for part in duration.groups())
    total_days = years * 365 + months * 30 + weeks * 7 + days
    seconds += hours * 3_600 + minutes * 60
    # Years and months have no fixed length; the proposal only has to be close.
    if years or months:
        return f"{total_days + round(seconds / 86_400)}d"
    return _in_shorthand(seconds + total_days * 86_400) or "30d"


def _in_shorthand(seconds: int) -> str | None:
    if not seconds:
        return None
    unit = next((unit for unit in "dhm" if seconds % _UNIT_SECONDS[unit] == 0), "s")
    return f"{seconds // _UNIT_SECONDS[unit]}{unit}"


def _unparseable(text: str, reason: str) -> InvalidParams:
    nearest = _nearest_shorthand(text)
    write = f'write `ttl: "{nearest}"`, or' if nearest else "write"
    return InvalidParams(
        f"ttl `{_shown(text)}` is neither a span nor a date{reason}",
        f"{write} {_TTL_FORMS}",
        detail="unparseable",
    )


def _nearest_shorthand(text: str) -> str | None:
    words = {"tomorrow": "1d", "next week": "7d", "next month": "30d", "next year": "365d", "tonight": "12h"}
    if text.lower() in words:
        return words[text.lower()]
    found = re.fullmatch(r"[+-]?\s*([0-9]{1,6})(?:\.([0-9]{1,2}))?\s*([a-z]*)", text, _FLAGS)
    if found is None:
        return None
    unit = found[3].lower()
    amount = float(f"{found[1]}.{found[2] or 0}")
    days = {"": 1, "w": 7, "week": 7, "weeks": 7, "mo": 30, "month": 30, "months": 30, "y": 365, "yr": 365}
    days |= {"year": 365, "years": 365}
    if re.fullmatch(_UNITS, unit):
        return _in_shorthand(round(amount * _UNIT_SECONDS[unit[0]]))
    return _in_shorthand(round(amount * days[unit] * 86_400)) if unit in days else None
