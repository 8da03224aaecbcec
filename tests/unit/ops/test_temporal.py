"""When something was, told by the lines of a page: with the date they open with, and without it twice."""

from typing import Any

RUI = "people/rui-costa"
PAGE = "---\ntype: person\ntitle: Rui Costa\n---\nRui Costa keeps bees.\n\n## Notes\n\n{}\n"
ASKED = "When did Rui Costa join Acme?"


def answer(local: Any, line: str) -> str:
    local("put_page", slug=RUI, content=PAGE.format(line))
    told: str = local("think", question=ASKED)["answer"]
    return told


def test_a_line_is_told_without_the_date_that_it_opens_with(local: Any) -> None:
    for opening, day in (
        ("- 2024-03-01 ", "2024-03-01"),
        ("- 2024-03-01: ", "2024-03-01"),
        ("2024-03-01 – ", "2024-03-01"),
        ("- 2024-03-01：", "2024-03-01"),
        ("- **2024-03-01**: ", "2024-03-01"),
        ("- 2024-03 ", "2024-03"),
        ("- 2024-03: ", "2024-03"),
        ("- 2024 - ", "2024"),
        ("- 2024年3月1日：", "2024-03-01"),
        ("- 2024年3月 ", "2024-03"),
        ("- March 2024: ", "2024-03"),
    ):
        assert answer(local, f"{opening}joined Acme") == f"{day}: joined Acme. [{RUI}]", opening


def test_a_date_that_belongs_to_the_sentence_stays_in_it(local: Any) -> None:
    for line in ("2024 was the year he joined Acme", "March 2024 saw him join Acme", "2024年3月1日加入 join Acme"):
        assert line in answer(local, line)


def test_a_span_is_no_date(local: Any) -> None:
    assert "03-05" not in answer(local, "- 2024-03 – 2024-05: joined Acme for a while").partition(":")[0]


def test_an_entry_of_the_timeline_is_told_once(local: Any) -> None:
    lines = "- **2024-03-01** | Mail — joined [[companies/acme|Acme]]\n- 2024-03-01: bought bees"
    local("put_page", slug=RUI, content=PAGE.format(lines))
    told = local("think", question="What happened with Rui Costa in March 2024?")["answer"]
    assert told.count("joined") == 1
    assert "- 2024-03-01: bought bees" in told


def test_a_line_outside_of_the_days_asked_for_is_left_out(local: Any) -> None:
    local("put_page", slug=RUI, content=PAGE.format("- 2024-03-01 joined Acme\n- 2026-03-01 joined Windlab"))
    told = local("think", question="Where does Rui Costa work?", since="2025-01-01")["answer"]
    assert "Acme" not in told
