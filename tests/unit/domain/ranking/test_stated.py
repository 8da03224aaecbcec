"""The time that a question states, as the words a passage of that time holds and as days."""

from datetime import date

import pytest

from gbrain.domain.ranking.stated import When, stated

TODAY = date(2031, 5, 4)
JUNE, DAY = ("june", "jun", "06"), ("3", "03", "3rd")


@pytest.mark.parametrize(
    ("text", "parts", "day"),
    [
        ("what was said on 3 June 2030?", (JUNE, DAY, ("2030",)), True),
        ("what was said on June 3rd, 2030?", (JUNE, DAY, ("2030",)), True),
        ("notes of 2030-06-03", (JUNE, DAY, ("2030",)), True),
        ("who met whom in June 2030?", (JUNE, ("2030",)), False),
        ("who met whom in 2030?", (("2030",),), False),
        ("where did they camp in June?", (("june", "jun"),), False),
        ("who called yesterday?", (("may", "05"), ("3", "03", "3rd"), ("2031",)), True),
        ("what happened last month?", (("april", "apr", "04"), ("2031",)), False),
        ("notes of 12 June 2030", (JUNE, ("12", "12th"), ("2030",)), True),
        ("what happened since June 2030?", (), False),
        ("meetings before 2030", (), False),
    ],
)
def test_a_time_is_told_by_its_parts(text: str, parts: tuple[tuple[str, ...], ...], day: bool) -> None:
    assert [(time.parts, time.day) for time in stated(text, TODAY).times] == [(parts, day)]


def test_a_week_is_its_days_and_a_longer_stretch_its_months() -> None:
    week = stated("what did we decide last week?", TODAY)
    assert [time.parts[1][0] for time in week.times] == ["21", "22", "23", "24", "25", "26", "27"]
    quarter = stated("what did we decide in Q3 2030?", TODAY)
    assert [time.parts[0][0] for time in quarter.times] == ["july", "august", "september"]
    assert [time.parts[0][0] for time in stated("last winter", TODAY).times] == ["december", "january", "february"]
    assert [time.parts for time in stated("from March 2029 to May 2030", TODAY).times] == [()]
    assert stated("what may they decide?", TODAY) == When()


def test_the_days_are_known_where_the_year_is() -> None:
    open_year = stated("in June", TODAY)
    assert open_year.times[0].period is None
    assert [(one.first, one.last) for one in open_year.days] == [(date(2030, 6, 1), date(2030, 6, 30))]
    period = stated("in June 2030", TODAY).times[0].period
    assert period is not None
    assert (period.first, period.last) == (date(2030, 6, 1), date(2030, 6, 30))


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("2030-06-03", ()),
        ("what happened on 3 June 2030?", ()),
        ("In March", ()),
        ("what did we do last week", ()),
        ("show me everything from last summer", ()),
        ("meetings of 2031-05-04", ("meeting",)),
        ("which calls did I have yesterday?", ("meeting",)),
        ("去年夏天发生了什么？", ()),
        ("上个月的会议", ("meeting",)),
    ],
)
def test_a_question_that_asks_for_nothing_but_a_time(text: str, types: tuple[str, ...]) -> None:
    when = stated(text, TODAY)
    assert (when.alone, when.types) == (True, types)


@pytest.mark.parametrize(
    "text",
    [
        "what did Dana say on 3 June 2030?",
        "the harbour budget of last summer",
        "who moved to Lisbon in March?",
        "meetings with Acme last week",
        "上个月的预算",
        "what happened?",
        "since May Chen joined",
    ],
)
def test_a_question_that_asks_for_more(text: str) -> None:
    assert not stated(text, TODAY).alone


def test_what_names_the_time_is_told_from_the_rest() -> None:
    when = stated("the harbour budget of last summer and Q1 2031", TODAY)
    assert when.words == "last summer q1 2031"
    assert len(when.days) == 2
