"""Limits and prices as settings write them, and what they make of tokens."""

import pytest
from hypothesis import given, strategies as st

from gbrain.domain.spending import (
    Amount,
    Limit,
    Price,
    are_prices,
    dollars,
    is_tokens,
    is_usd,
    limit,
    micro,
    most_tokens,
    parse_prices,
    price_of,
    written_prices,
)
from gbrain.models.prices import LISTED

NAMES = st.text("abc-:./", min_size=1).map(lambda text: f"p:{text}")
AMOUNTS = st.integers(0, 10**12 - 1)


@pytest.mark.parametrize("text", ["", "-1", "1.5", "1e3", "007", "٣", "10 ", "all", "9" * 13, "0x1", "nan"])
def test_what_is_no_limit_in_tokens(text: str) -> None:
    assert not is_tokens(text)


@pytest.mark.parametrize("text", ["", "-1", "1.", ".5", "1e3", "01", "٣", "1,5", "$1", "1.0000001", "9" * 7, "inf"])
def test_what_is_no_amount_of_dollars(text: str) -> None:
    assert not is_usd(text)


def test_a_limit_is_what_its_settings_say() -> None:
    assert limit("day", "1000", "2.50") == ("day", 1000, 2_500_000)
    assert limit("day", "none", "0.000001") == ("day", None, 1)
    assert limit("turn", "0", "none") == ("turn", 0, None)


def test_a_limit_may_be_reached_and_not_passed() -> None:
    both = Limit("day", 100, 10)
    assert both.passed(Amount(60, 5), Amount(40, 5)) is None
    assert both.passed(Amount(60, 5), Amount(41, 5)) == "tokens"
    assert both.passed(Amount(60, 5), Amount(40, 6)) == "usd"
    assert Limit("day", None, None).passed(Amount(10**12, 10**12), Amount(1, 1)) is None
    assert Limit("day", 0, None).passed(Amount(0, 0), Amount(0, 0)) == "tokens"
    assert Limit("day", None, 0).passed(Amount(0, 0), Amount(0, 0)) == "usd"


def test_what_tokens_cost_is_rounded_up() -> None:
    mini = Price(micro("0.25"), micro("2"))
    assert mini.of(1_000_000, 1_000_000) == 2_250_000
    assert mini.of(1, 0) == mini.of(0, 0) + 1 == 1


@given(AMOUNTS)
def test_an_amount_and_back(amount: int) -> None:
    assert is_usd(dollars(amount))
    assert micro(dollars(amount)) == amount


@given(st.dictionaries(NAMES, st.builds(Price, AMOUNTS, AMOUNTS), max_size=4))
def test_prices_and_back(prices: dict[str, Price]) -> None:
    assert parse_prices(written_prices(prices)) == prices


@pytest.mark.parametrize(
    "text", ["m=1/2", "p:m", "p:m=1", "p:m=1/", "p:m=none/0", "p:m=-1/2", "p:m=1/2,q:m=1/2", "\x00"]
)
def test_what_are_no_prices(text: str) -> None:
    assert not are_prices(text)


def test_ones_own_price_comes_first_and_a_date_may_be_missing() -> None:
    own = {"openai:gpt-5-mini": Price(1, 2)}
    assert price_of("openai:gpt-5-mini-2025-08-07", own, LISTED) == Price(1, 2)
    assert price_of("anthropic:claude-sonnet-4-5-20250929", own, LISTED) == Price(micro("3"), micro("15"))
    assert price_of("openai:gpt-5-maxi", own, LISTED) is None
    assert price_of("endpoint:gpt-5-mini", own, LISTED) is None


@given(st.text(max_size=300))
def test_more_is_reserved_than_words_can_be(text: str) -> None:
    assert most_tokens(text) > len(text.split())
