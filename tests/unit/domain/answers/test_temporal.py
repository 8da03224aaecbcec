"""What a question asks of time, and which date answers it."""

from datetime import date

import pytest

from gbrain.domain.answers.evidence import TIMELINE, USER, Evidence
from gbrain.domain.answers.temporal import ago, asked_of_time, best, newest, subject

TODAY = date(2031, 5, 4)


def entry(text: str, when: str, slug: str = "people/dana", weight: int = TIMELINE) -> Evidence:
    return Evidence("entry", "default", slug, "Dana", text, when, weight)


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("When did Dana join?", "when"),
        ("What year was it?", "when"),
        ("How long since we met?", "since"),
        ("How many days ago did she leave?", "since"),
        ("What was the ARR in March?", "value"),
        ("How did the ARR change?", "course"),
        ("Has headcount grown?", "course"),
        ("What happened in May 2031?", "during"),
        ("Where did Reed live in 2029?", "then"),
        ("什么时候搬家?", "when"),
        ("Who is Dana?", None),
        ("What does whenever mean?", None),
        ("What is the ARR?", None),
    ],
)
def test_the_form_of_a_question(question: str, form: str | None) -> None:
    asked = asked_of_time(question, TODAY)
    assert (asked and asked.form) == form


@pytest.mark.parametrize(
    ("question", "first", "last", "open_end"),
    [
        ("What happened to Dana last summer?", "2030-06-01", "2030-08-31", False),
        ("What happened between March and May 2030?", "2030-03-01", "2030-05-31", False),
        ("How did the ARR change since March 2030?", "2030-03-01", "2030-03-31", True),
        ("What was the ARR in the third quarter of 2030?", "2030-07-01", "2030-09-30", False),
        ("去年夏天发生了什么", "2030-06-01", "2030-08-31", False),
    ],
)
def test_the_period_of_a_question(question: str, first: str, last: str, open_end: bool) -> None:
    asked = asked_of_time(question, TODAY)
    assert asked is not None
    assert asked.period is not None
    assert (asked.period.first.isoformat(), asked.period.last.isoformat()) == (first, last)
    assert asked.open_end is open_end


def test_what_answers_is_about_every_name_and_most_words() -> None:
    dana, acme = subject("people/dana", ["Dana Oakes"]), subject("companies/acme", ["Acme"])
    asked = asked_of_time("When did Dana join Acme?", TODAY)
    assert asked is not None
    right = entry("Joined Acme as an engineer", "2031-03-30")
    assert best(asked, [entry("Joined the choir", "2030-01-01"), right], [dana, acme], TODAY) == right
    assert best(asked, [entry("Joined the choir", "2030-01-01")], [dana, acme], TODAY) is None
    other = asked_of_time("When did Zed join Acme?", TODAY)
    assert other is not None
    assert best(other, [entry("Dana joined", "2031-03-30", "companies/acme")], [acme], TODAY) is None


def test_of_several_the_question_says_which() -> None:
    dana = subject("people/dana", ["Dana"])
    met = [entry("Met Reed", "2030-01-01"), entry("Met Reed", "2031-02-01"), entry("Met Reed", "2032-01-01")]
    for question, when in (
        ("When did Dana first meet Reed?", "2030-01-01"),
        ("When did Dana last meet Reed?", "2032-01-01"),
        ("How long since Dana met Reed?", "2031-02-01"),
        ("When did Dana meet Reed in 2031?", "2031-02-01"),
    ):
        asked = asked_of_time(question, TODAY)
        assert asked is not None
        found = best(asked, met, [dana], TODAY)
        assert found is not None
        assert found.date == when, question
    asked = asked_of_time("When did Dana meet Reed?", TODAY)
    assert asked is not None
    own = entry("met Reed", "2029-01-01", weight=USER)
    assert best(asked, [*met, own], [dana], TODAY) == own


@pytest.mark.parametrize(
    ("when", "told"),
    [
        ("2031-05-04", "today"),
        ("2031-05-03", "1 day"),
        ("2031-04-12", "22 days"),
        ("2030-05-04", "365 days (12 months)"),
        ("2031-02", "about 2 months"),
        ("2028", "about 2 years"),
        ("x", ""),
    ],
)
def test_how_long_ago_is_no_finer_than_the_date(when: str, told: str) -> None:
    assert ago(when, TODAY) == told


def test_the_newest_date() -> None:
    assert newest([entry("a", "2030"), entry("b", "2031-02-01"), entry("c", "")]) == "2031-02-01"
    assert newest([]) == ""
