"""The time that a question states, as the words a passage of that time holds."""

from datetime import date

import pytest

from gbrain.domain.ranking.stated import stated

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
    ],
)
def test_a_time_is_told_by_its_parts(text: str, parts: tuple[tuple[str, ...], ...], day: bool) -> None:
    assert [(time.parts, time.day) for time in stated(text, TODAY)] == [(parts, day)]


def test_a_week_is_its_days_and_a_longer_stretch_is_none() -> None:
    week = stated("what did we decide last week?", TODAY)
    assert [time.parts[1][0] for time in week] == ["21", "22", "23", "24", "25", "26", "27"]
    assert stated("what did we decide in Q3 2030?", TODAY) == ()
    assert stated("what may they decide?", TODAY) == ()


def test_the_days_are_known_where_the_year_is() -> None:
    assert stated("in June", TODAY)[0].period is None
    period = stated("in June 2030", TODAY)[0].period
    assert period is not None
    assert (period.first, period.last) == (date(2030, 6, 1), date(2030, 6, 30))
