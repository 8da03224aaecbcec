"""Dates out of words, from the day they were said."""

from datetime import date

import pytest

from gbrain.domain.periods import of_date, periods, relative, resolve

SAID = date(2031, 5, 4)
"""A Sunday."""


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("yesterday", "2031-05-03"),
        ("it was the day before yesterday", "2031-05-02"),
        ("two months ago", "2031-03"),
        ("three years ago", "2028"),
        ("in 3 days", "2031-05-07"),
        ("last month", "2031-04"),
        ("next year", "2032"),
        ("last Sunday", "2031-04-27"),
        ("next friday", "2031-05-09"),
        ("on 3 May 2031", "2031-05-03"),
        ("May 3rd, 2030", "2030-05-03"),
        ("in November", "2030-11"),
        ("in march 2029", "2029-03"),
        ("since 2029", "2029"),
        ("2031-04", "2031-04"),
        ("昨天", "2031-05-03"),
        ("上个月", "2031-04"),
        ("2030年3月5日", "2030-03-05"),
        ("2030年", "2030"),
        ("三个月前", "2031-02"),
        ("last week", "2031-04"),
        ("Q1 2031", "2031"),
    ],
)
def test_a_date_is_as_precise_as_its_words(text: str, when: str) -> None:
    assert resolve(text, SAID) == when


@pytest.mark.parametrize(
    "text", ["", "soon", "may I ask", "march on", "2031-13-40", "version 3.2030", "two of 2031 or 2030"]
)
def test_what_names_no_date_or_two_means_none(text: str) -> None:
    assert resolve(text, SAID) is None


def test_a_week_and_a_quarter_keep_their_days() -> None:
    (week,) = periods("last week", SAID)
    (quarter,) = periods("Q1 2031", SAID)
    assert (week.first, week.last) == (date(2031, 4, 21), date(2031, 4, 27))
    assert (quarter.first, quarter.last) == (date(2031, 1, 1), date(2031, 3, 31))


def test_words_that_depend_on_the_day_are_told_from_dates() -> None:
    assert relative("I leave tomorrow")
    assert relative("两天前")
    assert not relative("I leave on 3 May 2031")


def test_the_day_they_are_said_decides_not_today() -> None:
    assert resolve("yesterday", date(2024, 3, 1)) == "2024-02-29"
    assert resolve("one month ago", date(2031, 1, 31)) == "2030-12"


def test_a_period_holds_dates_of_any_precision() -> None:
    may = of_date("2031-05")
    assert may is not None
    assert [may.holds(when) for when in ("2031", "2031-05-31", "2031-05-04T22:10:00Z", "2031-06", "x")] == [
        True, True, True, False, False,
    ]  # fmt: skip
