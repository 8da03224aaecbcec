"""What shared SQL relies on: lists in slices, and texts taken literally in a `like`."""

import pytest

from gbrain.store.engine import LIST_LIMIT, expand, like, slices


@pytest.mark.parametrize(
    ("count", "lengths"), [(0, []), (1, [1]), (LIST_LIMIT, [500]), (501, [500, 1]), (1_200, [500, 500, 200])]
)
def test_slices_hold_every_value_once(count: int, lengths: list[int]) -> None:
    parts = slices(iter(range(count)))
    assert [len(part) for part in parts] == lengths
    assert [value for part in parts for value in part] == list(range(count))


@pytest.mark.parametrize(
    ("text", "escaped"), [("a", "a"), ("50%", "50\\%"), ("a_b", "a\\_b"), ("\\", "\\\\"), ("\\%", "\\\\\\%"), ("", "")]
)
def test_like_takes_a_text_literally(text: str, escaped: str) -> None:
    assert like(text) == escaped


class TestLists:
    def test_a_list_becomes_one_slot_a_value(self) -> None:
        sql, params = expand("x in (:ids) and y = :y", {"ids": ["a", "b"], "y": 1})
        assert sql == "x in (:ids_0, :ids_1) and y = :y"
        assert params == {"ids_0": "a", "ids_1": "b", "y": 1}

    def test_an_empty_one_matches_nothing(self) -> None:
        assert expand("x in (:ids)", {"ids": ()}) == ("x in (null)", {})
