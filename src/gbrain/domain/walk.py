"""A walk over typed edges, breadth first: every node once, at its least distance from the start."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

Direction = Literal["out", "in", "both"]


class Edge(NamedTuple):
    """A typed edge between two nodes, by their ids."""

    id: int
    from_id: int
    to_id: int
    link_type: str
    context: str | None


class Around(NamedTuple):
    """The edges that touch some nodes, and whether all of them are there."""

    edges: Sequence[Edge]
    complete: bool


class Walk(NamedTuple):
    """What a walk met.

    `depths` maps every node to its distance, nearest first; `steps` holds every edge walked with the distance of the
    walk at it (1: it touches the start). `truncated` says that a bound cut the walk short.
    """

    depths: dict[int, int]
    steps: list[tuple[Edge, int]]
    truncated: bool


def walk(
    start: int,
    around: Callable[[Sequence[int]], Around],
    *,
    direction: Direction,
    depth: int,
    most: int,
) -> Walk:
    """Walk from `start` along `direction`, at most `depth` edges far and at most `most` nodes wide.

    `around` gives the edges that touch the nodes of one distance. Edges between nodes already met are kept, so that a
    cycle shows; an edge to a node past the bound is not.
    """
    depths, steps, seen = {start: 0}, list[tuple[Edge, int]](), set[int]()
    frontier, truncated = [start], False
    for distance in range(1, depth + 1):
        if not frontier:
            break
        found = around(frontier)
        truncated = truncated or not found.complete
        held, reached = set(frontier), list[int]()
        for edge in found.edges:
            ends = _far_ends(edge, held, direction)
            if not ends or edge.id in seen:
                continue
            fresh = [end for end in ends if end not in depths]
            if fresh and len(depths) >= most:
                truncated = True
                continue
            seen.add(edge.id)
            steps.append((edge, distance))
            for end in fresh:
                depths[end] = distance
                reached.append(end)
        frontier = reached
    return Walk(depths, steps, truncated)


def _far_ends(edge: Edge, held: set[int], direction: Direction) -> list[int]:
    """The ends that a walk standing on `held` comes to by this edge."""
    ends = []
    if direction != "in" and edge.from_id in held:
        ends.append(edge.to_id)
    if direction != "out" and edge.to_id in held:
        ends.append(edge.from_id)
    return ends
