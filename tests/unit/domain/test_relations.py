"""Types of links: the date of what is past, several sentences, the words shown, and long or odd texts."""

import time

import pytest

from gbrain.domain.references import by_block
from gbrain.domain.relations.kinds import settled
from gbrain.domain.relations.rules import Relation, Subject, relations
from gbrain.domain.relations.sentences import date_in

NOTE = Subject("note", "notes/n", "N")
DANA = Subject("person", "people/dana-oakes", "Dana Oakes")


def read(text: str, subject: Subject = DANA, kind: str = "company") -> list[Relation]:
    told: list[Relation] = []
    for block, references in by_block(text):
        told += relations(text, block, references, [kind] * len(references), subject)
    return told


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Dana left [[companies/acme]] in 2021.", "2021"),
        ("She left [[companies/acme]] in March 2021.", "2021-03"),
        ("She left [[companies/acme]] on 2021-03-05.", "2021-03-05"),
        ("She was CEO of [[companies/acme]] until June 2020.", "2020-06"),
        ("She worked at [[companies/acme]] from 2015 to 2018.", "2018"),
        ("- **2021-03-05** | Left [[companies/acme]]", "2021-03-05"),
        ("她于2021年3月离开[[companies/acme]]。", "2021-03"),
        ("2021年离开[[companies/acme]]。", "2021"),
        ("Dana left [[companies/acme]].", None),
    ],
)
def test_what_is_past_has_its_date(text: str, date: str | None) -> None:
    assert [(one.types, one.date) for one in read(text)] == [(("worked_at",), date)]


def test_what_goes_on_has_none() -> None:
    assert [(one.types, one.date) for one in read("She joined [[companies/acme]] in 2019.")] == [(("works_at",), None)]


def test_a_sentence_does_not_reach_into_the_next() -> None:
    told = read("CEO of [[companies/acme]]. She invested in [[companies/beta]]. Likes [[companies/gamma]].")
    assert [one.types for one in told] == [("works_at",), ("invested_in",), ("mentions",)]


def test_the_sentence_is_what_people_read() -> None:
    told = read("First. **Dana** founded [[companies/acme|Acme Labs]] with [Bob](../people/bob.md). Last.")
    assert told[0].sentence == "Dana founded Acme Labs with Bob."


def test_a_citation_is_no_part_of_it() -> None:
    assert read("Founded [[companies/acme]] [Source: chat, 2031-03-30]")[
        0
    ].sentence == "Founded [[companies/acme]]".replace("[[companies/acme]]", "companies/acme")


def test_what_a_citation_leads_to_is_a_source() -> None:
    told = read("First. She left in 2029 [Source: [[media/report]], 2029-05-01]. Last.", kind="media")
    assert told == [Relation(("source",), "She left in 2029", None)]
    assert read("She left [Source: [[people/bob]], 2029-05-01].", kind="person")[0].types == ("mentions",)


@pytest.mark.parametrize("word", ["\ue000", "\uf000", "\x00", "a" * 5000, "(" * 500, "the " * 3000, "他" * 3000])
def test_odd_texts_are_read_in_time(word: str) -> None:
    started = time.process_time()
    read(f"She {word} founded [[companies/acme]] and invested {word} in [[companies/beta]].")
    read(f"See also {word} [[meetings/a]], discussed {word} at [[meetings/b]] {word}, 讨论", NOTE, "meeting")
    assert time.process_time() - started < 2


def test_very_many_references_take_linear_time() -> None:
    started = time.process_time()
    listed = ", ".join(f"[[companies/c{number}]]" for number in range(20_000))
    assert len(read(f"She invested in {listed}.")) == 20_000
    assert len(read(f"See also {listed}.", NOTE)) == 20_000
    told = read(
        "See also " + "; discussed in ".join(f"[[meetings/c{number}]]" for number in range(200)), NOTE, "meeting"
    )
    assert told[-1].types == ("discussed_in",)
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("type", "origin", "target", "kept"),
    [
        ("works_at", "person", "company", "works_at"),
        ("works_at", "company", "person", "works_at"),
        ("works_at", "person", "person", "mentions"),
        ("works_at", "company", "company", "mentions"),
        ("founded", "person", "meeting", "mentions"),
        ("attended", "meeting", "person", "attended"),
        ("attended", "meeting", "company", "mentions"),
        ("attended", "person", "meeting", "attended"),
        ("attended", "company", "meeting", "mentions"),
        ("discussed_in", "concept", "meeting", "discussed_in"),
        ("discussed_in", "concept", "media", "mentions"),
        ("led_round", "company", "company", "led_round"),
        ("invested_in", "company", "company", "invested_in"),
        ("related_to", "note", "note", "related_to"),
    ],
)
def test_a_type_stands_between_pages_of_its_sorts(type: str, origin: str, target: str, kept: str) -> None:
    assert settled(type, origin, target) == kept


def test_dates_of_a_text() -> None:
    assert date_in("in 2019 and May 2021") == "2021-05"
    assert date_in("for $2000") is None
