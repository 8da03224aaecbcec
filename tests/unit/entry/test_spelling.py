"""Suggestions in the spelling of the command line."""

import shlex

import pytest
from hypothesis import given, strategies as st

from gbrain.entry.cli.derive import spellings
from gbrain.entry.cli.spelling import shell_word, spelled
from gbrain.registry import find

OPTIONS = {"ttl": "--ttl", "since": "--since", "link_type": "--link-type", "allow_empty": "--allow-empty"}


@pytest.mark.parametrize(
    ("suggestion", "told"),
    [
        ('write a span such as `ttl: "30d"` (s, m, h)', "write a span such as `--ttl 30d` (s, m, h)"),
        (
            '`since: "3d"` or a date such as `since: "2031-03-30"`',
            "`--since 3d` or a date such as `--since 2031-03-30`",
        ),
        ('pass since: "2 days ago", or', 'pass --since "2 days ago", or'),
        ('pass since: "$HOME"', "pass --since '$HOME'"),
        ("pass link_type: works_at", "pass --link-type works_at"),
        ("pass ttl: 3; on the command line: gbrain", "pass --ttl 3; on the command line: gbrain"),
        ("pass allow_empty: true to empty it", "pass --allow-empty to empty it"),
        ("pass allow_empty: false.", "pass --no-allow-empty."),
        ('put it in quotes, such as `title: "A: B"`', 'put it in quotes, such as `title: "A: B"`'),
        (
            'remove ttl from the front matter, or write `ttl: "x"`',
            'remove ttl from the front matter, or write `ttl: "x"`',
        ),
        ("--ttl: 3 my.ttl: 3 myttl: 3 ttl:3", "--ttl: 3 my.ttl: 3 myttl: 3 ttl:3"),
        ("run: gbrain doctor", "run: gbrain doctor"),
    ],
)
def test_parameters_become_options(suggestion: str, told: str) -> None:
    assert spelled(suggestion, OPTIONS) == told


def test_nothing_changes_for_a_command_without_options() -> None:
    assert spelled('ttl: "3d"', {}) == 'ttl: "3d"'


@given(st.text())
def test_a_word_reaches_the_command_as_it_is(text: str) -> None:
    assert shlex.split(shell_word(text)) == [text]


def test_only_parameters_that_have_an_option_are_spelled_so() -> None:
    link, remember = find("add_link"), find("remember")
    assert link is not None
    assert remember is not None
    assert "from" not in spellings(link)
    assert spellings(link)["link_type"] == "--link-type"
    assert spellings(remember)["fact"] == "--fact"
