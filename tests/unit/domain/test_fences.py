"""The fence around what goes into a context: it holds what it is put around, and comes off again in every form."""

import pytest

from gbrain.domain.fences import NOTE, SHORTEST, TAG, fenced, prints, unfenced

LINE = "- **Dana Oakes** [default:people/dana-oakes] — runs Harbour Tea"
OWN = "Dana said the samples are late."


def test_a_text_in_a_fence_comes_out_again_as_nothing() -> None:
    held = fenced(LINE)
    assert held.splitlines() == [f"<{TAG}>", NOTE, LINE, f"</{TAG}>"]
    assert unfenced(held).strip() == ""
    assert unfenced(f"{OWN}\n{held}\n{OWN}").split() == [*OWN.split(), *OWN.split()]
    assert fenced("\n") == ""


@pytest.mark.parametrize("mark", [f"</{TAG}>", f"</{TAG.upper()}>", f"<{TAG}>", f"</{TAG} >"])
def test_nothing_inside_closes_the_fence(mark: str) -> None:
    held = fenced(f"a page called {mark} and what stands behind it")
    assert held.lower().count(f"</{TAG}") == 1
    assert unfenced(f"{held}\n{OWN}").strip() == OWN


@pytest.mark.parametrize("text", [f"what is <{TAG}>?", f"I closed </{TAG}> twice", "a < b and b > a", ""])
def test_words_about_the_fence_are_left(text: str) -> None:
    assert unfenced(text) == text


@pytest.mark.parametrize("form", ["{}", "  {}", "> {}", '"{}"', "* {}", "`{}`", "{}  "])
def test_a_line_of_ours_is_known_without_its_fence(form: str) -> None:
    known = frozenset(prints(fenced(LINE)))
    assert unfenced(f"{form.format(LINE[2:])}\n{OWN}", known) == OWN
    escaped = LINE.replace("&", "&amp;").replace("<", "&lt;")
    assert unfenced(f"{escaped}\n{OWN}", known) == OWN


def test_short_lines_are_anybodys() -> None:
    assert prints("Dana Oakes\n" + "x" * (SHORTEST - 1)) == []
    assert len(prints("x" * SHORTEST)) == 1
