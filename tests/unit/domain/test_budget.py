"""Packing: the longest prefix that fits, nothing cleverer."""

import math

import pytest
from hypothesis import given, strategies as st

from gbrain.domain.budget import pack
from gbrain.errors import InvalidParams


def same(cost: int) -> int:
    return cost


@pytest.mark.parametrize(
    ("budget", "kept", "used"),
    [(5, [3], 3), (7, [3, 4], 7), (7.9, [3, 4], 7), (1, [], 0), (8, [3, 4, 1], 8), (100, [3, 4, 1, 2], 10)],
)
def test_the_longest_prefix_that_fits_is_kept(budget: float, kept: list[int], used: int) -> None:
    packed = pack([3, 4, 1, 2], same, budget)
    assert packed == (kept, used, 4 - len(kept))


def test_packing_stops_at_the_first_item_that_does_not_fit() -> None:
    assert pack([3, 9, 1], same, 5) == ([3], 3, 2)


@pytest.mark.parametrize("budget", [None, 0, -1, -0.5, math.inf])
def test_no_budget_packs_nothing_away(budget: float | None) -> None:
    assert pack([3, 4], same, budget) == ([3, 4], 7, 0)


def test_a_fraction_below_one_token_holds_nothing() -> None:
    assert pack([1], same, 0.5) == ([], 0, 1)


def test_a_budget_that_is_no_number_is_refused() -> None:
    with pytest.raises(InvalidParams):
        pack([1], same, math.nan)


@given(st.lists(st.integers(0, 50)), st.integers(1, 300))
def test_a_packed_prefix_is_within_budget_and_as_long_as_can_be(costs: list[int], budget: int) -> None:
    kept, used, dropped = pack(costs, same, budget)
    assert used == sum(kept) <= budget
    assert kept == costs[: len(kept)]
    assert dropped == len(costs) - len(kept)
    assert not dropped or used + costs[len(kept)] > budget
