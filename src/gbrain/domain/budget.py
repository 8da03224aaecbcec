"""Fitting a reply into a token budget."""

import math
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

from gbrain.errors import InvalidParams

T = TypeVar("T")


class Packed(NamedTuple, Generic[T]):
    """What fits: the kept prefix, the tokens it costs, how many items were left out."""

    kept: list[T]
    used: int
    dropped: int


def pack(items: Sequence[T], cost: Callable[[T], int], budget: float | None) -> Packed[T]:
    """Keep the longest prefix of `items` whose summed `cost` is within `budget` tokens.

    Packing stops at the first item that does not fit, so a smaller one behind it is dropped too: the order
    is the caller's promise about importance. A fraction is floored; None, zero or less means no packing.
    Several lists are packed as one by joining them first. Raises InvalidParams when the budget is no number
    (NaN).
    """
    limit = _limit(budget)
    used = 0
    for position, item in enumerate(items):
        after = used + cost(item)
        if limit is not None and after > limit:
            return Packed(list(items[:position]), used, len(items) - position)
        used = after
    return Packed(list(items), used, 0)


def _limit(budget: float | None) -> int | None:
    if budget is None or budget <= 0 or budget == math.inf:
        return None
    if budget != budget:
        raise InvalidParams("budget_tokens is not a number", "give a whole number, such as `budget_tokens: 400`")
    return math.floor(budget)
