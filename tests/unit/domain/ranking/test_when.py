import pytest

from gbrain.domain.ranking.when import says_when


@pytest.mark.parametrize(
    "text",
    [
        "Dana: I signed up for the pottery class yesterday",
        "We moved here in May",
        "that was three weeks ago",
        "We have been married since 2011",
        "next month we are off to Lisbon",
        "I ran it last Saturday",
        "the few weeks before the fair",
        "我上周去了杭州",
        "我们2019年搬到这里",
    ],
)
def test_it_says_when(text: str) -> None:
    assert says_when(text)


@pytest.mark.parametrize(
    "text",
    [
        "May I ask how you are?",
        "May Chen runs the bakery",
        "The last thing I want is a quarrel",
        "It has 20 rooms and 19 baths",
        "That is so kind of you!",
        "我很喜欢这家店",
    ],
)
def test_it_does_not(text: str) -> None:
    assert not says_when(text)
