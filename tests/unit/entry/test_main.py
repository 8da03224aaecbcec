"""The parts of the `gbrain` command that decide without running it."""

import pytest

from gbrain.entry.main import decoded, named_brain, serve_options, wants_json
from gbrain.errors import InvalidParams


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ([], {}),
        (["--surface", "verbs"], {"surface": "verbs"}),
        (["--surface=verbs", "--source", "team"], {"surface": "verbs", "source": "team"}),
    ],
)
def test_serve_reads_its_plain_options_itself(given: list[str], options: dict[str, str]) -> None:
    assert serve_options(given) == options


@pytest.mark.parametrize(
    "given",
    [["--help"], ["--surface"], ["--surface="], ["--surface", "--source"], ["verbs"], ["--port", "1"], ["--json"]],
)
def test_serve_leaves_everything_else_to_the_parser(given: list[str]) -> None:
    assert serve_options(given) is None


@pytest.mark.parametrize(
    ("given", "wanted"),
    [(["recall", "--json"], True), (["remember", "--", "--json"], False), (["recall"], False), ([], False)],
)
def test_json_is_seen_however_little_else_can_be_understood(given: list[str], wanted: bool) -> None:
    assert wants_json(given) is wanted


@pytest.mark.parametrize("word", ["tea", "茶", "naïve", "caf\udce9", "\ud800"])
def test_a_word_stays_what_it_is(word: str) -> None:
    assert decoded(word) == word


def test_a_word_read_in_another_encoding_is_read_again() -> None:
    assert decoded("茶".encode().decode("ascii", "surrogateescape")) == "茶"


@pytest.mark.parametrize(
    ("given", "brain", "rest"),
    [
        ("recall dana", None, "recall dana"),
        ("--brain team recall dana", "team", "recall dana"),
        ("recall --brain team dana", "team", "recall dana"),
        ("serve --brain=team --surface verbs", "team", "serve --surface verbs"),
        ("--brain a recall --brain b", "b", "recall"),
        ("remember -- --brain team", None, "remember -- --brain team"),
        ("--brain team remember -- --brain x", "team", "remember -- --brain x"),
    ],
)
def test_the_brain_may_be_named_anywhere(given: str, brain: str | None, rest: str) -> None:
    assert named_brain(given.split()) == (brain, rest.split())


@pytest.mark.parametrize("given", [["recall", "--brain"], ["--brain="], ["--brain", "", "x"], ["--brain", "--json"]])
def test_a_brain_without_a_name_is_refused(given: list[str]) -> None:
    with pytest.raises(InvalidParams, match="needs the name"):
        named_brain(given)
