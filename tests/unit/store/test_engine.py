"""What shared SQL relies on: lists in slices, texts taken literally in a `like`, work that is begun again."""

import pytest

from gbrain.errors import Unavailable
from gbrain.store.engine import Interrupted, like, persistently
from gbrain.store.lists import LIST_LIMIT, expand, slices


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


class TestPersistently:
    def test_what_was_interrupted_is_done_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pauses: list[float] = []
        monkeypatch.setattr("gbrain.store.engine.time.sleep", pauses.append)
        left = [2]

        def work() -> str:
            if left[0]:
                left[0] -= 1
                raise Interrupted("gone", "try again")
            return "done"

        assert persistently(work) == "done"
        assert pauses == [0.1, 0.2]

    def test_it_ends(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pauses: list[float] = []
        monkeypatch.setattr("gbrain.store.engine.time.sleep", pauses.append)

        def work() -> None:
            raise Interrupted("gone", "try again")

        with pytest.raises(Interrupted):
            persistently(work, 3)
        assert len(pauses) == 2

    @pytest.mark.parametrize("error", [Unavailable("busy", "later"), ValueError(), KeyboardInterrupt()])
    def test_no_other_error_is_tried_again(self, error: BaseException) -> None:
        tries: list[int] = []

        def work() -> None:
            tries.append(1)
            raise error

        with pytest.raises(type(error)):
            persistently(work)
        assert tries == [1]
