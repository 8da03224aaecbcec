"""The parts of the `gbrain` command that decide without running it."""

import pytest

from gbrain.entry.main import decoded, serve_options, wants_json


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
