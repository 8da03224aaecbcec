"""The bullets of a memory page."""

import pytest

from gbrain.domain.entries import Entry, entry, find_entry, least, merged_tags, read_entries, with_line

TEA = Entry("tea", "black, no sugar", "chat", "2031-05-04")


@pytest.mark.parametrize(
    "made",
    [
        TEA,
        TEA._replace(confidence=0.7),
        Entry(None, "Tide tables: https://tides.example/a?b=[1]", "agent-example/s 1", "2031-05-04"),
        entry(
            "t*e*a", "a\n b [Source: x, 2031-01-01] (confidence 0.2) <!-- timeline -->", "a, [b]", "2031-05-04", 0.333
        ),
    ],
)
def test_a_bullet_reads_as_it_was_written(made: Entry) -> None:
    assert read_entries(f"# T\n\n{made.line}\n\nText.\n") == [(2, made)]


def test_a_bullet_of_a_person_counts() -> None:
    assert read_entries("- **tea**: black\n- plain\n* other\n  - inner\n") == [
        (0, Entry("tea", "black", "", "")),
        (1, Entry(None, "plain", "", "")),
    ]


def test_lines_are_put_below_the_last_entry() -> None:
    body = f"# T\n\nIntro.\n\n{TEA.line}\n\nOutro.\n"
    new = TEA._replace(key="milk", text="none")
    assert with_line(body, None, new.line) == body.replace(TEA.line, f"{TEA.line}\n{new.line}")
    found = find_entry(body, " TEA ")
    assert found == (4, TEA)
    assert with_line(body, 4, new.line) == body.replace(TEA.line, new.line)
    assert with_line(body, 4, None) == body.replace(TEA.line + "\n", "")


@pytest.mark.parametrize(
    ("body", "whole"),
    [
        ("", "X\n"),
        ("# T\n", "# T\n\nX\n"),
        ("# T\n\n\n", "# T\n\nX\n"),
        ("# T\n\n<!-- timeline -->\n\n1. x\n", "# T\n\nX\n\n<!-- timeline -->\n\n1. x\n"),
    ],
)
def test_the_first_entry_has_a_place(body: str, whole: str) -> None:
    assert with_line(body, None, "X") == whole


def test_a_page_is_as_sure_as_its_least_sure_entry() -> None:
    assert least("# T\n") == 1
    assert least(f"{TEA.line}\n{TEA._replace(confidence=0.35).line}\n") == 0.35


def test_tags_are_added_once() -> None:
    assert merged_tags(["a", "b"], ["#b", " c  d ", "", "c d"]) == ["a", "b", "c d"]
