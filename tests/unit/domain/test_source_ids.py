"""Which texts can be the id of a source."""

import pytest

from gbrain.domain.source_ids import checked_id
from gbrain.errors import InvalidParams


@pytest.mark.parametrize("text", ["a", "7", "work", "team-notes", "a-1-b", "x" * 32])
def test_an_id_is_taken_as_it_is(text: str) -> None:
    assert checked_id(text) == text


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("", "harbour"),
        (" ", "harbour"),
        ("*", "harbour"),
        ("__all__", "all"),
        ("../x", "x"),
        ("Work", "work"),
        ("-work", "work"),
        ("work-", "work"),
        ("work\n", "work"),
        ("Team Notes", "team-notes"),
        ("x" * 200, "x" * 32),
        ("灯塔", "harbour"),
        ("a%_'; drop table sources", "a-drop-table-sources"),
    ],
)
def test_another_text_is_refused_with_one_that_would_do(text: str, near: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        checked_id(text)
    assert refused.value.suggestion == f"use for example: {near}"
    assert checked_id(near) == near
    assert len(refused.value.message) < 200
