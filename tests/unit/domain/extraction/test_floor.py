"""What is kept word for word where there is no model."""

import pytest

from gbrain.domain.extraction.floor import asked_to_keep


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Hi. Please remember that Dana eats no nuts. Bye!", ["Please remember that Dana eats no nuts."]),
        ("Remember this: the gate code changes on Mondays.", ["Remember this: the gate code changes on Mondays."]),
        ("Please remember this. My locker is the blue one.", ["My locker is the blue one."]),
        ("My locker is the blue one. Please remember that.", ["My locker is the blue one."]),
        ("记住我对花生过敏。", ["记住我对花生过敏。"]),
        ("I moved to Porto.", []),
        ("Do you remember my name?", []),
        ("Don't remember me for this.", []),
    ],
)  # fmt: skip
def test_only_what_asks_to_be_kept(text: str, kept: list[str]) -> None:
    assert asked_to_keep(text) == kept


def test_a_long_sentence_is_cut() -> None:
    (kept,) = asked_to_keep("Remember that my code is " + "x" * 600)
    assert len(kept) == 500
