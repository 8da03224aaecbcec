"""A managed block goes in, changes and comes out, and the text around it stays as it was."""

import pytest

from gbrain.errors import InvalidParams
from gbrain.harnesses import blocks
from gbrain.harnesses.splices import applied, undo_of, undone

NAME = "gbrain:test"
BEGIN, END = "<!-- gbrain:test:begin -->", "<!-- gbrain:test:end -->"
TEXTS = ["", "own words\n", "own words", "a\r\nb\r\n", "a\r\nb", "\ufeffwith a mark\n", "\n\n", "x\n\n\n"]


def spliced(text: str, body: str = "one\ntwo") -> str:
    return blocks.spliced(text, NAME, body, "FILE")


def stripped(text: str) -> str:
    return applied(text, blocks.strip(text, NAME, "FILE"))


def test_g1_an_empty_file_becomes_the_block() -> None:
    assert spliced("") == f"{BEGIN}\none\ntwo\n{END}\n"


@pytest.mark.parametrize(("text", "head"), [("a\n", "a\n"), ("a", "a\n"), ("a\r\nb", "a\r\nb\r\n")])
def test_g2_it_is_appended_on_a_line_of_its_own(text: str, head: str) -> None:
    end = "\r\n" if "\r" in text else "\n"
    assert spliced(text) == head + end.join([BEGIN, "one", "two", END, ""])


@pytest.mark.parametrize("text", TEXTS)
def test_g3_g8_g9_twice_is_as_once_and_back_is_as_before(text: str) -> None:
    splices = blocks.put(text, NAME, "one\ntwo\n", "FILE")
    once = applied(text, splices)
    assert once.endswith("\n")
    assert spliced(once) == once
    assert undone(once, undo_of(splices)) == text
    if text.endswith("\n") or not text:
        assert stripped(once) == text


def test_g4_a_new_body_takes_the_place_of_the_old() -> None:
    text = f"before\n{BEGIN}\nold\n{END}\n\nafter\n"
    assert spliced(text, "new") == f"before\n{BEGIN}\nnew\n{END}\n\nafter\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{BEGIN}\n{BEGIN}\n{END}\n", "2 begin and 1 end"),
        (f"x\n{END}\n", "0 begin and 1 end"),
        (f"{END}\n{BEGIN}\n", "out of order"),
    ],
)
def test_g5_g11_a_damaged_block_is_refused_with_what_is_wrong(text: str, why: str) -> None:
    assert blocks.scan(text, NAME).state == "damaged"
    for change in (spliced, stripped):
        with pytest.raises(InvalidParams, match=why) as refused:
            change(text)
        assert BEGIN in refused.value.suggestion
        assert "FILE" in refused.value.message


def test_g6_a_body_that_names_the_sentinels_does_not_end_its_block() -> None:
    text = spliced("", f"one\n{END}\ntwo")
    assert blocks.scan(text, NAME).interior == f"one\n {END}\ntwo"
    assert spliced(text, f"one\n{END}\ntwo") == text
    assert spliced(text, "three") == f"{BEGIN}\nthree\n{END}\n"


def test_g7_g12_what_has_no_block_stays() -> None:
    assert blocks.strip("own\n", NAME, "FILE") == []
    assert blocks.scan(f" {BEGIN}\n {END}\n", NAME).state == "absent"


@pytest.mark.parametrize(("blank", "left"), [("\n", ""), ("\n\n", "\n"), ("", ""), ("\r\n", "")])
def test_g10_one_blank_line_goes_with_it(blank: str, left: str) -> None:
    assert stripped(f"a\n{BEGIN}\nx\n{END}\n{blank}") == f"a\n{left}"


def test_a_block_at_the_very_end_without_a_line_end() -> None:
    text = f"a\n{BEGIN}\nx\n{END}"
    assert blocks.scan(text, NAME).state == "present"
    assert stripped(text) == "a\n"
    assert spliced(text, "y") == f"a\n{BEGIN}\ny\n{END}\n"


def test_cut_takes_no_blank_line() -> None:
    text = f"a\n{BEGIN}\nx\n{END}\n\nb\n"
    assert applied(text, blocks.cut(text, NAME, "FILE")) == "a\n\nb\n"
