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
    heads = {name: queue[0] for name, queue in queues.items()}
    order: list[Typed] = []
    while heads:
        best = max(heads.values(), key=_score)
        order.append(best)
        seen[best.type] += 1
        rest = queues[best.type]
        if (place := seen[best.type]) == len(rest):
            del heads[best.type]
        else:
            again = min(max(place + 1 - FREE, 0), MOST)
            heads[best.type] = rest[place]._replace(score=rest[place].score + cost * again)
    return order


def _score(one: Typed) -> float:
    return one.score
