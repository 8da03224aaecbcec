"""Other ways to ask: abbreviations and the questions inside a question, from the wording alone."""

import time

import pytest

from gbrain.domain.ranking.expansion import abbreviations, fused, initials, parts, rewritten, written_out


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Model Context Protocol", "mcp"),
        ("Bank of Example", "be"),
        ("North-West Harbour Trust", "nwht"),
        ("Harbour", ""),
        ("", ""),
    ],
)
def test_initials(name: str, letters: str) -> None:
    assert initials(name) == letters


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("how does MCP handle errors in the long run?", ["MCP"]),
        ("what is mcp?", ["mcp"]),
        ("harbour pilot boats at the north quay", []),
        ("I am A", []),
        ("", []),
    ],
)
def test_abbreviations(text: str, found: list[str]) -> None:
    assert abbreviations(text) == found


def test_a_name_has_an_abbreviation() -> None:
    found = written_out("who maintains the Model Context Protocol?")
    assert found["Model Context Protocol"] == "mcp"
    assert "the Model Context Protocol" not in found


def test_a_question_is_rewritten_where_the_words_stand() -> None:
    forms = {"MCP": ["Model Context Protocol"], "Dana": ["D"]}
    assert rewritten("Is MCP, or mcp, in MCPX?", forms) == (
        "Is Model Context Protocol, or Model Context Protocol, in MCPX?",
    )
    assert rewritten("nothing of it", forms) == ()
    assert rewritten("a MCP", {"MCP": [r"\1 (x)"]}) == (r"a \1 (x)",)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("compare the lantern with the harbour bell", ("the lantern", "the harbour bell")),
        ("What is the difference between Dana and Reed?", ("Dana", "Reed")),
        ("tea vs. coffee", ("tea", "coffee")),
        ("Who keeps the budget? When is it due?", ("Who keeps the budget", "When is it due")),
        ("who advises Acme and what did they invest in?", ("who advises Acme", "what did they invest in")),
        ("Dana Oakes and Reed Sample", ("Dana Oakes", "Reed Sample")),
        ("tea and coffee?", ("tea", "coffee")),
        ("比较灯塔和倉庫", ("灯塔", "倉庫")),
        ("research and development budget of the harbour", ()),
        ("who keeps the lantern budget?", ()),
        ("???", ()),
        ("", ()),
    ],
)
def test_parts(text: str, found: tuple[str, ...]) -> None:
    assert parts(text) == found


@pytest.mark.parametrize("text", ["compare " + "a " * 5000, "A and " * 1500, "? " * 4000, " " * 9000, "x vs " * 2000])
def test_long_nonsense_takes_no_time(text: str) -> None:
    begun = time.process_time()
    parts(text[:8000])
    written_out(text[:8000])
    abbreviations(text[:8000])
    assert time.process_time() - begun < 2


def test_fusion_adds_reciprocal_ranks() -> None:
    assert fused([[1, 2, 3], [3, 4]]) == [3, 1, 2, 4]
    assert fused([]) == []
