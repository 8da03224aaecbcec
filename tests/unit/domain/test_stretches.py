"""Stretches of time out of a question, from the day it is asked, and words that look like one."""

from datetime import date

import pytest

from gbrain.domain.stretches import BEGINNING, stretches

SAID = date(2031, 5, 4)
"""A Sunday in spring."""
BEGUN = BEGINNING.isoformat()


def named(text: str, said: date = SAID) -> list[str]:
    found = stretches(text, said)
    return [" ".join(dict.fromkeys((one.first.isoformat(), one.last.isoformat()))) for one in found]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        # Seasons.
        ("what happened last summer?", "2030-06-01 2030-08-31"),
        ("plans for this spring", "2031-03-01 2031-05-31"),
        ("this summer", "2031-06-01 2031-08-31"),
        ("next winter", "2031-12-01 2032-02-29"),
        ("last winter", "2030-12-01 2031-02-28"),
        ("last fall", "2030-09-01 2030-11-30"),
        ("in the autumn of 2029", "2029-09-01 2029-11-30"),
        ("Summer 2030", "2030-06-01 2030-08-31"),
        ("summer of last year", "2030-06-01 2030-08-31"),
        ("去年夏天发生了什么", "2030-06-01 2030-08-31"),
        ("2029年的冬天", "2029-12-01 2030-02-28"),
        ("今年春季", "2031-03-01 2031-05-31"),
        # Quarters and halves.
        ("Q3 2030", "2030-07-01 2030-09-30"),
        ("results of the third quarter", "2031-07-01 2031-09-30"),
        ("the third quarter of 2030", "2030-07-01 2030-09-30"),
        ("2nd quarter of last year", "2030-04-01 2030-06-30"),
        ("q4 last year", "2030-10-01 2030-12-31"),
        ("the last quarter of 2030", "2030-10-01 2030-12-31"),
        ("last quarter", "2031-01-01 2031-03-31"),
        ("第三季度", "2031-07-01 2031-09-30"),
        ("去年第三季度的会议", "2030-07-01 2030-09-30"),
        ("2030年第二季度", "2030-04-01 2030-06-30"),
        ("上个季度", "2031-01-01 2031-03-31"),
        ("first half of 2030", "2030-01-01 2030-06-30"),
        ("H2 2030", "2030-07-01 2030-12-31"),
        ("去年下半年", "2030-07-01 2030-12-31"),
        # Weekends and weekdays.
        ("what did we do over the weekend?", "2031-05-03 2031-05-04"),
        ("how was the weekend?", "2031-05-03 2031-05-04"),
        ("last weekend", "2031-04-26 2031-04-27"),
        ("上周末", "2031-04-26 2031-04-27"),
        ("last Tuesday", "2031-04-29"),
        ("on Monday", "2031-04-28"),
        ("this past Friday", "2031-05-02"),
        ("Tuesday last week", "2031-04-22"),
        ("上周二", "2031-04-22"),
        ("这个星期三", "2031-04-30"),
        ("上个星期", "2031-04-21 2031-04-27"),
        # Months, and what is counted back.
        ("上个月", "2031-04-01 2031-04-30"),
        ("May last year", "2030-05-01 2030-05-31"),
        ("去年五月", "2030-05-01 2030-05-31"),
        ("去年11月", "2030-11-01 2030-11-30"),
        ("十二月的会议", "2030-12-01 2030-12-31"),
        ("in the last 3 days", "2031-05-01 2031-05-04"),
        ("the past two weeks", "2031-04-20 2031-05-04"),
        ("the last two quarters", "2030-11-04 2031-05-04"),
        ("the past month", "2031-04-01 2031-04-30"),
        ("过去三个月", "2031-02-04 2031-05-04"),
        ("前年", "2029-01-01 2029-12-31"),
        # Parts.
        ("early 2031", "2031-01-01 2031-04-30"),
        ("in mid-2030", "2030-05-01 2030-08-31"),
        ("late last year", "2030-09-01 2030-12-31"),
        ("at the end of June 2030", "2030-06-21 2030-06-30"),
        ("early March", "2031-03-01 2031-03-10"),
        ("2030年底", "2030-09-01 2030-12-31"),
        ("去年年初", "2030-01-01 2030-04-30"),
        # An open end.
        ("since May", "2031-05-01 2031-05-04"),
        ("what changed since last summer?", "2030-06-01 2031-05-04"),
        ("after 3 June 2030", "2030-06-04 2031-05-04"),
        ("before 2030", f"{BEGUN} 2029-12-31"),
        ("until June 2030", f"{BEGUN} 2030-06-30"),
        ("2029年以来", "2029-01-01 2031-05-04"),
        ("2030年之前", f"{BEGUN} 2029-12-31"),
        # From one to the other.
        ("between March and May", "2031-03-01 2031-05-31"),
        ("between March and April", "2031-03-01 2031-04-30"),
        ("from March to May 2030", "2030-03-01 2030-05-31"),
        ("between March and June", "2030-03-01 2030-06-30"),
        ("from November to February", "2030-11-01 2031-02-28"),
        ("between November and February 2030", "2029-11-01 2030-02-28"),
        ("2029 to 2030", "2029-01-01 2030-12-31"),
        ("between 3 June 2030 and 5 June 2030", "2030-06-03 2030-06-05"),
        ("从三月到四月", "2031-03-01 2031-04-30"),
        # As `periods` reads it.
        ("meetings of 2031-05-04", "2031-05-04"),
        ("what happened on 3 June 2030", "2030-06-03"),
        ("in March", "2031-03-01 2031-03-31"),
        ("last week", "2031-04-21 2031-04-27"),
    ],
)
def test_a_stretch_is_its_days(text: str, days: str) -> None:
    assert named(text) == [days]


@pytest.mark.parametrize(
    "text",
    [
        "May Chen",
        "since May Chen joined the board",
        "a note from April Jones",
        "Alice and June Park",
        "what did Theresa May say?",
        "you can and may use it",
        "they want to march on",
        "the March of Dimes",
        "who gave to March of Dimes?",
        "may I ask",
        "spring framework",
        "this spring framework release",
        "the next Spring Boot upgrade",
        "summer intern",
        "our last summer intern",
        "this summer's interns",
        "Summer Tran",
        "the winter coat",
        "the weekend project",
        "a weekend trip",
        "the third quarter of the game",
        "a quarter of the budget",
        "first half of the talk",
        "每周一的例会",
        "三个人",
        "Friday Harbor",
        "early adopters",
        "before lunch",
        "since the merger",
        "q5",
        "fall back",
        "",
    ],
)
def test_what_may_be_something_else_is_no_time(text: str) -> None:
    assert named(text) == []


@pytest.mark.parametrize(
    ("said", "text", "days"),
    [
        ("2031-01-15", "this winter", "2030-12-01 2031-02-28"),
        ("2031-01-15", "last winter", "2029-12-01 2030-02-28"),
        ("2031-10-01", "last summer", "2031-06-01 2031-08-31"),
        ("2031-07-01", "last summer", "2030-06-01 2030-08-31"),
        ("2031-07-01", "next summer", "2032-06-01 2032-08-31"),
        ("2031-05-07", "the weekend", "2031-05-03 2031-05-04"),
        ("2032-02-29", "the past year", "2031-01-01 2031-12-31"),
        ("2032-02-29", "the past two years", "2030-02-28 2032-02-29"),
        ("2031-02-10", "last quarter", "2030-10-01 2030-12-31"),
    ],
)
def test_the_day_it_is_asked_decides(said: str, text: str, days: str) -> None:
    assert named(text, date.fromisoformat(said)) == [days]


def test_several_are_told_apart_and_where_they_stand() -> None:
    text = "compare last summer with Q1 2031 and 3 June 2030"
    assert [text.casefold()[one.start : one.end] for one in stretches(text, SAID)] == [
        "last summer", "q1 2031", "3 june 2030",
    ]  # fmt: skip
    assert [one.known for one in stretches("in March, last summer, in June 2030", SAID)] == [False, True, True]
    assert [one.open for one in stretches("since May 2030, in June 2030", SAID)] == [True, False]


@pytest.mark.parametrize(
    "text", ["İ since May Chen", "ß in June 2030 ß", "二月三十日", "q3 0000", "31 June 2030", "9999"]
)
def test_hard_texts_do_not_make_it_fail(text: str) -> None:
    for said in (SAID, date(1, 1, 1), date(9999, 12, 31)):
        for one in stretches(text, said):
            assert one.first <= one.last
            assert 0 <= one.start < one.end <= len(text.casefold())
