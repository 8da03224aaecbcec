"""What the rows of a facts fence change."""

from gbrain.domain.facts_fence import Row, read_fence, render_fence
from gbrain.domain.fence_changes import Change, Known, changes

TEA = Row("likes tea", 1, "aa11", valid_from="2031-05-04T22:10:00.000000Z")
ROWS = Row("rows at dawn", 2, "bb22")
HELD = [Known(7, "aa11", TEA, True), Known(8, "bb22", ROWS, True)]


def test_what_is_known_changes_nothing() -> None:
    fence = read_fence(render_fence([TEA, ROWS]))
    assert fence is not None
    assert changes(fence.facts, HELD) == []
    assert changes([ROWS, TEA._replace(number=9, context="seen", source="mail")], HELD) == []


def test_a_new_row_is_added_and_a_struck_one_forgotten() -> None:
    new = Row("swims")
    struck = TEA._replace(struck=True)
    assert changes([struck, ROWS, new], HELD) == [Change("forget", struck, 7), Change("add", new)]


def test_a_row_that_says_something_else_replaces_its_fact() -> None:
    for other in (TEA._replace(claim="likes coffee"), TEA._replace(valid_until="2031-06-01T00:00:00.000000Z")):
        assert changes([other, ROWS], HELD) == [Change("replace", other, 7)]


def test_a_row_typed_again_without_its_key_is_the_same_fact() -> None:
    assert changes([TEA._replace(key=None), ROWS], HELD) == []
    copy = TEA._replace(key=None, number=None)
    assert changes([TEA, copy, ROWS], HELD) == [Change("add", copy)], "the row with the key has the fact"


def test_what_ended_stays_ended() -> None:
    ended = [Known(7, "aa11", TEA, False)]
    assert changes([TEA], ended) == []
    assert changes([TEA._replace(claim="likes coffee")], ended) == []
    assert changes([TEA._replace(struck=True)], ended) == []


def test_a_lost_row_forgets_nothing() -> None:
    assert changes([ROWS], HELD) == []


def test_an_index_built_from_files_knows_what_was_forgotten() -> None:
    struck = TEA._replace(struck=True)
    assert changes([struck, ROWS], []) == [Change("add", struck), Change("add", ROWS)]


def test_two_rows_of_one_key_are_one_fact() -> None:
    assert changes([TEA, TEA._replace(claim="likes coffee"), ROWS], HELD) == []
