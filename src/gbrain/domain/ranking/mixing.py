"""Answers of several types, where several answer nearly as well."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

FREE, MOST = 3, 5
"""So many of a type cost nothing; what one more costs is counted at most so many times."""


class Typed(NamedTuple):
    """A page that answers: what it is, and how well it does."""

    id: int
    type: str
    score: float


def mixed(found: Sequence[Typed], cost: float) -> list[Typed]:
    """The pages, best first, where each after the first three of its type has `cost` (0 or less) added to its score
    for every one of them before it. Pages of one type alone keep their scores."""
    queues: dict[str, list[Typed]] = {}
    for one in found:
        queues.setdefault(one.type, []).append(one)
    if len(queues) < 2:
        return list(found)
    seen: Counter[str] = Counter()
    order: list[Typed] = []
    while queues:
        heads = [
            queue[0]._replace(score=queue[0].score + cost * min(max(seen[name] + 1 - FREE, 0), MOST))
            for name, queue in queues.items()
        ]
        best = max(heads, key=lambda one: one.score)
        order.append(best)
        seen[best.type] += 1
        del queues[best.type][0]
        if not queues[best.type]:
            del queues[best.type]
    return order
