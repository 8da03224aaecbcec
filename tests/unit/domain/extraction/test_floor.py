"""What is kept word for word where there is no model."""

import pytest

from gbrain.domain.extraction.floor import about_self, asked_to_keep


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Hi. Please remember that Dana eats no nuts. Bye!", ["Dana eats no nuts."]),
        ("Remember this: the gate code changes on Mondays.", ["the gate code changes on Mondays."]),
        ("Please remember this. My locker is the blue one.", ["My locker is the blue one."]),
        ("My locker is the blue one. Please remember that.", ["My locker is the blue one."]),
        ("记住我对花生过敏。", ["我对花生过敏。"]),
        ("Please remember: 我更喜欢深色模式", ["我更喜欢深色模式"]),
        ("请记住：王小明在上海工作。", ["王小明在上海工作。"]),
        ("Hey Claude, could you please remember that I moved to Porto?", ["I moved to Porto"]),
        ("Don't forget that Sam is vegan.", ["Sam is vegan."]),
        ("Keep in mind my standup is at nine.", ["my standup is at nine."]),
        ("I am vegan, please remember that.", ["I am vegan"]),
        ("Remember to call the landlord tomorrow.", ["Remember to call the landlord tomorrow."]),
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


@pytest.mark.parametrize(
    ("claim", "own"),
    [
        ("I moved to Porto", True), ("I'm vegan", True), ("my dentist is Ana", True), ("我对花生过敏", True),
        ("Iris moved", False), ("mylar is a film", False), ("我们搬家了", False), ("Dana said I am late", False),
    ],
)  # fmt: skip
def test_whether_a_claim_speaks_of_whoever_says_it(claim: str, own: bool) -> None:
    assert about_self(claim) is own
