"""Figures in claims, and how they go over time."""

from datetime import date

import pytest

from gbrain.domain.measures import Measure, Point, asked_metric, at, change, course, measure, named_figure, shown

SAID = date(2031, 5, 4)


@pytest.mark.parametrize(
    ("claim", "read"),
    [
        ("ARR reached $2.1M in May 2031", Measure("arr", 2_100_000, "usd", "2031-05")),
        ("ARR was 1.2 million USD in January 2031", Measure("arr", 1_200_000, "usd", "2031-01")),
        ("Acme has 45 employees", Measure("headcount", 45, "", None)),
        ("headcount grew from 30 to 45 last month", Measure("headcount", 45, "", "2031-04")),
        ("churn fell to 3.5% in 2030", Measure("churn", 3.5, "%", "2030")),
        ("weight is 72 kg", Measure("weight", 72, "kg", None)),
        ("has 1,200 paying customers as of 2031-04-01", Measure("customers", 1200, "", "2031-04-01")),
        ("营收达到3亿元", Measure("revenue", 300_000_000, "cny", None)),
    ],
)
def test_a_figure_is_read_with_unit_and_date(claim: str, read: Measure) -> None:
    assert measure(claim, SAID) == read


@pytest.mark.parametrize(
    "claim",
    [
        "likes tea",
        "the ARR target is $5M",
        "revenue will be $3M",
        "ARR is between 1M and 2M",
        "signed 3 contracts",
        "price?",
    ],
)
def test_what_is_no_measured_value_is_none(claim: str) -> None:
    assert measure(claim, SAID) is None


def test_a_course_is_in_the_order_of_its_dates_and_the_latest_word_counts() -> None:
    points = [Point("2031-05", 3, "", 1), Point("2031-01", 1, "", 2), Point("2031-05", 2, "", 3)]
    assert course(points) == [points[1], points[2]]
    assert at(course(points), date(2031, 1, 1), date(2031, 1, 31)) == points[1]
    assert at(course(points), date(2030, 1, 1), date(2030, 1, 31)) is None


def test_how_a_course_went_is_told_in_words() -> None:
    assert change(Point("a", 100, "", 1), Point("b", 175, "", 2)) == "up 75%"
    assert change(Point("a", 2, "", 1), Point("b", 1, "", 2)) == "down 50%"
    assert change(Point("a", 2, "", 1), Point("b", 2, "", 2)) == "did not change"
    assert change(Point("a", 2, "usd", 1), Point("b", 1, "eur", 2)) == "changed its unit"
    assert change(Point("a", 0, "", 1), Point("b", 1, "", 2)) == "up"


def test_values_are_shown_as_people_write_them() -> None:
    assert [shown(*pair) for pair in ((2_100_000, "usd"), (45, ""), (3.5, "%"), (72, "kg"), (1_200, "usd"))] == [
        "2.1M USD", "45", "3.5%", "72 kg", "1,200 USD",
    ]  # fmt: skip


def test_the_metric_of_a_question() -> None:
    assert asked_metric("How did annual recurring revenue change?") == "arr"
    assert asked_metric("how many employees does Acme have") == "headcount"
    assert asked_metric("who is Dana") is None


@pytest.mark.parametrize(
    ("claim", "figure"),
    [
        ("plant output: 1,200 m3", ("plant output", 1200, "m3", None)),
        ("the test coverage of the code is 61%", ("test coverage", 61, "%", None)),
        ("my blood pressure was 135 in March 2031", ("blood pressure", 135, "", "2031-03")),
        ("queue depth reached 40 jobs", ("queue depth", 40, "jobs", None)),
        ("water level rose to 2.4 m on 2031-04-02", ("water level", 2.4, "m", "2031-04-02")),
    ],
)
def test_a_figure_may_be_called_anything(claim: str, figure: tuple[str, float, str, str | None]) -> None:
    assert named_figure(claim, date(2031, 5, 4)) == figure


@pytest.mark.parametrize(
    "claim",
    [
        "the plant output should be 1,200 m3",
        "target coverage is 90%",
        "the meeting is on 2031-05-04",
        "Dana has 3 boats",
        "coverage went from 61% to 78%",
        "the room is 12 and the hall is 14",
        "the code is 4711-22",
        "she met 12 people",
        "the version is 2.1.4",
    ],
)
def test_what_is_no_figure_of_its_own(claim: str) -> None:
    assert named_figure(claim, date(2031, 5, 4)) is None
