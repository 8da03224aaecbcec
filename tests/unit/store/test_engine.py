"""What shared SQL relies on: lists in slices, and texts taken literally in a `like`."""

import pytest

from gbrain.store.engine import LIST_LIMIT, like, slices


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
