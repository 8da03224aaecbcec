"""Instants, spans and dates: every row of the contract's TTL table, and what must never raise."""

import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, strategies as st

from gbrain.domain.times import (
    decayed_confidence,
    iso_instant,
    parse_clock,
    parse_duration,
    parse_instant,
    parse_partial_date,
    parse_since,
    parse_store,
    parse_ttl,
    store_time,
    wire_time,
)
from gbrain.errors import InvalidParams

NOW = datetime(2026, 11, 29, 20, 10, 45, 708_123, tzinfo=UTC)
MOMENTS = st.datetimes(timezones=st.just(UTC))


def outcome(read: Callable[[str, datetime], datetime | None], text: str) -> datetime | InvalidParams | None:
    """What reading gives: an instant, nothing, or the refusal itself."""
    try:
        return read(text, NOW)
    except InvalidParams as error:
        return error


def refused(value: object) -> InvalidParams:
    with pytest.raises(InvalidParams) as caught:
        parse_ttl(value, NOW)
    assert caught.value.suggestion
    return caught.value


@pytest.mark.parametrize(
    ("ttl", "until"),
    [
        pytest.param(None, None, id="B1-nothing"),
        pytest.param("", None, id="B1-empty"),
        pytest.param(" \t", None, id="B1-blank"),
        pytest.param("3d", NOW + timedelta(days=3), id="B2"),
        pytest.param("2030-01-02T00:00:00Z", datetime(2030, 1, 2, tzinfo=UTC), id="B3"),
    ],
)
def test_table_of_ends(ttl: object, until: datetime | None) -> None:
    assert parse_ttl(ttl, NOW) == until


@pytest.mark.parametrize(
    ("ttl", "detail"),
    [
        pytest.param(30, "not_string", id="B4"),
        pytest.param("P30D", "iso_duration", id="B5-days"),
        pytest.param("PT12H", "iso_duration", id="B5-hours"),
        pytest.param("soonish", "unparseable", id="B6"),
    ],
)
def test_table_of_refusals(ttl: object, detail: str) -> None:
    assert refused(ttl).detail == detail


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        pytest.param("90s", 90_000, id="B7-seconds"),
        pytest.param("45m", 2_700_000, id="B7-minutes"),
        pytest.param("12h", 43_200_000, id="B7-hours"),
        pytest.param("30 days", 2_592_000_000, id="B7-days"),
        pytest.param("2030-01-01", None, id="B8"),
    ],
)
def test_table_of_spans(text: str, milliseconds: int | None) -> None:
    span = parse_duration(text)
    assert (None if span is None else span / timedelta(milliseconds=1)) == milliseconds


def test_stored_text_has_one_width_and_the_wire_has_milliseconds() -> None:
    stored = store_time(NOW)
    assert stored == "2026-11-29T20:10:45.708123Z"
    assert store_time(NOW.replace(microsecond=0)) == "2026-11-29T20:10:45.000000Z"
    assert wire_time(stored) == "2026-11-29T20:10:45.708Z"
    assert wire_time(None) is None
    assert parse_store("2026-11-29T20:10:45.708Z") == NOW.replace(microsecond=708_000)


def test_a_naive_time_is_not_stored() -> None:
    with pytest.raises(ValueError, match="zone"):
        store_time(datetime(2026, 1, 1))


@given(MOMENTS, st.integers(-23, 23))
def test_stored_text_reads_back_and_sorts_as_time_does(moment: datetime, hours: int) -> None:
    try:
        elsewhere = moment.astimezone(timezone(timedelta(hours=hours)))
    except OverflowError:
        return
    stored = store_time(elsewhere)
    assert len(stored) == 27
    assert parse_store(stored) == moment
    assert (stored < store_time(NOW)) == (moment < NOW)


@pytest.mark.parametrize(
    ("ttl", "seconds"),
    [
        ("30d", 2_592_000),
        ("12h", 43_200),
        ("45m", 2_700),
        ("90s", 90),
        ("1s", 1),
        ("30 days", 2_592_000),
        ("1 day", 86_400),
        ("12 hours", 43_200),
        ("1 hour", 3_600),
        ("1 hr", 3_600),
        ("5 min", 300),
        ("2 minutes", 120),
        ("10 sec", 10),
        ("3 seconds", 3),
        ("30D", 2_592_000),
        ("30 d", 2_592_000),
        ("\t30\u00a0d\n", 2_592_000),
        (" 30d \ufeff", 2_592_000),
        ("366d", 31_622_400),
        ("0030d", 2_592_000),
    ],
)
def test_ttl_shorthand(ttl: str, seconds: int) -> None:
    assert parse_ttl(ttl, NOW) == NOW + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("ttl", "until"),
    [
        ("2026-12-31", datetime(2026, 12, 31, tzinfo=UTC)),
        ("2027-01-15T10:00:00Z", datetime(2027, 1, 15, 10, tzinfo=UTC)),
        ("2027-01-15t10:00:00z", datetime(2027, 1, 15, 10, tzinfo=UTC)),
        ("2027-01-15T10:00:00+02:00", datetime(2027, 1, 15, 8, tzinfo=UTC)),
        ("2027-01-15T10:00:00-0530", datetime(2027, 1, 15, 15, 30, tzinfo=UTC)),
        ("2027-01-15T10:00:00+02", datetime(2027, 1, 15, 8, tzinfo=UTC)),
        ("2027-01-15 10:00", datetime(2027, 1, 15, 10, tzinfo=UTC)),
        ("2027-01-15T10:00:00.123456789Z", datetime(2027, 1, 15, 10, 0, 0, 123_456, tzinfo=UTC)),
        ("12/31/2027", datetime(2027, 12, 31, tzinfo=UTC)),
        ("1/2/2030", datetime(2030, 1, 2, tzinfo=UTC)),
        ("Dec 31 2027", datetime(2027, 12, 31, tzinfo=UTC)),
        ("december 31, 2027", datetime(2027, 12, 31, tzinfo=UTC)),
        ("Sept. 5 2027", datetime(2027, 9, 5, tzinfo=UTC)),
        ("31 Dec 2027", datetime(2027, 12, 31, tzinfo=UTC)),
        ("9999-12-31T23:59:59.999999Z", datetime.max.replace(tzinfo=UTC)),
    ],
)
def test_ttl_absolute(ttl: str, until: datetime) -> None:
    assert parse_ttl(ttl, NOW) == until


@pytest.mark.parametrize("ttl", [None, "", " ", "\n\t", "\ufeff"])
def test_blank_ttl_never_lapses(ttl: str | None) -> None:
    assert parse_ttl(ttl, NOW) is None


@pytest.mark.parametrize(
    "ttl",
    [
        *("2w", "1mo", "1y", "1.5h", "-5d", "-30 days", "+5d", "30", "tomorrow", "next week", "garbage"),
        *("P", "PT", "T1H", "soonish", "2026-13-45", "2027-02-29", "2027-01-15T25:00", "2027-01-15T10:60:00Z"),
        *("2027-01-15T10:00:00+25:00", "31/12/2027", "Feb 30 2027", "2027", "2027-01", "1d12h", "5 d d"),
        *("٣d", "３０d", "30ſ", "30d;", "d", "1e3d", "0x10d", "9" * 5_000 + "x", "a" * 100_000),
    ],
)
def test_ttl_that_is_neither_span_nor_date(ttl: str) -> None:
    error = refused(ttl)
    assert error.detail == "unparseable"
    assert len(error.message) < 200
    assert 'ttl: "' in error.suggestion


@pytest.mark.parametrize(
    ("ttl", "instead"),
    [
        *(("2w", "14d"), ("1mo", "30d"), ("1y", "365d"), ("1.5h", "90m"), ("-5d", "5d"), ("-30 days", "30d")),
        *(("+5d", "5d"), ("30", "30d"), ("tomorrow", "1d"), ("next week", "7d"), ("0.5 d", "12h")),
    ],
)
def test_a_near_miss_is_answered_with_the_form_that_works(ttl: str, instead: str) -> None:
    assert f'ttl: "{instead}"' in refused(ttl).suggestion
    assert parse_ttl(instead, NOW) is not None


@pytest.mark.parametrize(
    ("ttl", "instead"),
    [
        *(("P30D", "30d"), ("PT12H", "12h"), ("p30d", "30d"), ("P1W", "7d"), ("P1Y2M3DT4H", "428d")),
        *(("PT90S", "90s"), ("PT1H30M", "90m"), ("P0D", "30d"), (f"P{'9' * 400}D", "365d"), (" P1D ", "1d")),
    ],
)
def test_an_iso_duration_has_its_own_answer(ttl: str, instead: str) -> None:
    error = refused(ttl)
    assert error.detail == "iso_duration"
    assert f'ttl: "{instead}"' in error.suggestion
    assert parse_ttl(instead, NOW) is not None


@pytest.mark.parametrize(
    ("ttl", "named"),
    [(30, "a number"), (1.5, "a number"), (True, "a boolean"), (["30d"], "a list"), ({"d": 30}, "an object")],
)
def test_a_ttl_that_is_not_text_names_its_type(ttl: object, named: str) -> None:
    error = refused(ttl)
    assert error.detail == "not_string"
    assert named in error.message


def test_b13_the_refusals_have_three_distinct_messages() -> None:
    assert len({refused(ttl).message.replace(str(ttl), "X") for ttl in (30, "P30D", "soonish")}) == 3


@pytest.mark.parametrize("ttl", ["0d", "0s", "2020-01-01", "2026-11-29", "2026-11-29T20:10:45.708123Z", "1/1/2001"])
def test_a_fact_is_never_born_lapsed(ttl: str) -> None:
    assert refused(ttl).detail == "past"


@pytest.mark.parametrize(
    "ttl", ["9999999999d", "9" * 4_400 + "d", "9" * 20 + "s", "3000000d", "9999-12-31T23:00:00-05:00"]
)
def test_a_ttl_beyond_the_calendar_is_refused(ttl: str) -> None:
    assert refused(ttl).detail == "out_of_range"


@given(st.one_of(st.text(max_size=40), st.from_regex(r"[-+0-9TPZ:. dhms/]{1,24}", fullmatch=True)))
def test_ttl_gives_a_future_instant_nothing_or_a_typed_refusal(text: str) -> None:
    until = outcome(parse_ttl, text)
    if isinstance(until, InvalidParams):
        assert until.detail in ("unparseable", "iso_duration", "past", "out_of_range")
    else:
        assert until is None or until > NOW


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("30 days", timedelta(days=30)),
        ("12H", timedelta(hours=12)),
        ("0d", timedelta()),
        ("9999999999d", timedelta.max),
        ("9" * 5_000 + "s", timedelta.max),
        ("2030-01-01", None),
        ("P3D", None),
        ("1w", None),
        ("", None),
    ],
)
def test_duration(text: str, span: timedelta | None) -> None:
    assert parse_duration(text) == span


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("2d", NOW - timedelta(days=2)),
        ("2 days ago", NOW - timedelta(days=2)),
        ("90 min AGO", NOW - timedelta(minutes=90)),
        ("1 week", NOW - timedelta(weeks=1)),
        ("2w ago", NOW - timedelta(weeks=2)),
        ("0s", NOW),
        ("1970-01-01T00:00:00Z", datetime(1970, 1, 1, tzinfo=UTC)),
        ("2026-11-01", datetime(2026, 11, 1, tzinfo=UTC)),
        ("now", NOW),
    ],
)
def test_since(text: str, start: datetime) -> None:
    assert parse_since(text, NOW) == start


@pytest.mark.parametrize(
    "text",
    ["", "garbage", "-2d", "2d from now", "yesterday", "999999d", "9" * 400 + "d ago", "2026-02-30", "12/31/2027"],
)
def test_a_since_that_names_no_start_is_refused(text: str) -> None:
    with pytest.raises(InvalidParams, match=r".") as caught:
        parse_since(text, NOW)
    assert "since:" in caught.value.suggestion


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026",
        "2026-1-1",
        "2026-02-30",
        "0000-01-01",
        "2026-01-01T24:00",
        "2026-01-01T10:00:60Z",
        "0001-01-01T00:00+01:00",
        "２０２６-01-01",
    ],
)
def test_an_instant_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(InvalidParams):
        parse_instant(text, NOW)


def test_an_instant_keeps_its_offset_and_its_space() -> None:
    assert parse_instant("2031-05-05 00:10 +02:00", NOW) == datetime(2031, 5, 4, 22, 10, tzinfo=UTC)
    assert parse_instant(" 2031-05-05 ", NOW).utcoffset() == timedelta()
    assert parse_instant("NOW", NOW) == NOW
    assert iso_instant("someday") is None


@given(MOMENTS)
def test_an_instant_reads_what_the_wire_wrote(moment: datetime) -> None:
    cut = moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    assert parse_instant(wire_time(store_time(moment)) or "", NOW) == cut


@given(st.text())
def test_reading_time_refuses_or_answers_but_never_breaks(text: str) -> None:
    for read in (parse_instant, parse_since):
        found = outcome(read, text)
        assert found
        assert found.suggestion if isinstance(found, InvalidParams) else found.tzinfo is UTC


@pytest.mark.parametrize("text", ["2031", "2031-03", "2031-03-30", "2028-02-29", "0001"])
def test_a_partial_date_keeps_its_precision(text: str) -> None:
    assert parse_partial_date(f" {text}\n") == text


@pytest.mark.parametrize(
    "text", ["", "31", "2031-3", "2031-13", "2031-00", "2031-02-29", "2031-03-30T00:00", "0000", "٢٠٣١", "2031-03-"]
)
def test_a_partial_date_is_real(text: str) -> None:
    with pytest.raises(InvalidParams, match=r"real date|not a date"):
        parse_partial_date(text)


@pytest.mark.parametrize(
    ("kind", "half"), [("event", 7), ("commitment", 90), ("preference", 90), ("belief", 365), ("fact", 365)]
)
def test_confidence_decays_by_kind(kind: str, half: float) -> None:
    assert decayed_confidence(0.8, kind, half) == pytest.approx(0.8 / math.e)
    assert decayed_confidence(0.8, kind, 0) == 0.8
    assert decayed_confidence(0.8, kind, -5) == 0.8


def test_a_clock_stands_still_or_runs_elsewhere() -> None:
    assert parse_clock("2031-05-04T22:10:00Z", lambda: NOW)() == datetime(2031, 5, 4, 22, 10, tzinfo=UTC)
    assert parse_clock("+3d", lambda: NOW)() == NOW + timedelta(days=3)
    assert parse_clock("-2h", lambda: NOW)() == NOW - timedelta(hours=2)


NO_CLOCKS = ["", "3d", "+", "+3", "later", "2031-02-30", "+9999999999d", "-999999d", "-30000d", "+2900000d"]


@pytest.mark.parametrize("text", [*NO_CLOCKS, "0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59Z"])
def test_a_clock_that_cannot_run_is_refused(text: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        parse_clock(text, lambda: NOW)
    assert "GBRAIN_CLOCK" in caught.value.suggestion
