"""Walks over edges: every node once, at its least distance."""

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from gbrain.domain.walk import Around, Direction, Edge, Walk, walk

NAMES = "abcdefgh"


def graph(*edges: str) -> list[Edge]:
    return [
        Edge(number, NAMES.index(start), NAMES.index(end), "", None) for number, (start, end) in enumerate(edges, 1)
    ]


def walked(edges: list[Edge], direction: Direction = "out", depth: int = 9, most: int = 100) -> Walk:
    def around(ids: Sequence[int]) -> Around:
        held = set(ids)
        ends = {"out": lambda e: {e.from_id}, "in": lambda e: {e.to_id}, "both": lambda e: {e.from_id, e.to_id}}
        return Around([edge for edge in edges if ends[direction](edge) & held], True)

    return walk(0, around, direction=direction, depth=depth, most=most)


def test_least_distances_though_longer_ways_exist() -> None:
    found = walked(graph("ab", "bc", "ac", "cd", "da"))
    assert found.depths == {0: 0, 1: 1, 2: 1, 3: 2}
    assert not found.truncated
    assert [(edge.from_id, edge.to_id, distance) for edge, distance in found.steps] == [
        (0, 1, 1),
        (0, 2, 1),
        (1, 2, 2),
        (2, 3, 2),
        (3, 0, 3),
    ]


@pytest.mark.parametrize(
    ("direction", "depths"), [("out", {0: 0, 1: 1}), ("in", {0: 0, 2: 1}), ("both", {0: 0, 1: 1, 2: 1})]
)
def test_directions(direction: Direction, depths: dict[int, int]) -> None:
    assert walked(graph("ab", "ca"), direction).depths == depths


def test_a_depth_of_nothing_is_the_start_alone() -> None:
    assert walked(graph("ab"), depth=0) == Walk({0: 0}, [], False)


def test_a_bound_on_nodes_says_that_it_cut() -> None:
    found = walked(graph("ab", "ac", "ad", "bc"), most=3)
    assert found.depths == {0: 0, 1: 1, 2: 1}
    assert found.truncated
    assert len(found.steps) == 3


def test_edges_that_were_not_all_given_count_as_cut() -> None:
    assert walk(0, lambda ids: Around([], False), direction="out", depth=1, most=9).truncated


@given(st.lists(st.text("abcdefgh", min_size=2, max_size=2), max_size=20), st.sampled_from(["out", "in", "both"]))
def test_every_depth_is_one_step_from_a_nearer_node(pairs: list[str], direction: Direction) -> None:
    edges = graph(*pairs)
    found = walked(edges, direction)
    assert len({edge.id for edge, _ in found.steps}) == len(found.steps)
    for node, depth in found.depths.items():
        near = {edge.from_id for edge in edges if edge.to_id == node and direction != "in"}
        near |= {edge.to_id for edge in edges if edge.from_id == node and direction != "out"}
        nearest = min((found.depths[other] for other in near if other in found.depths), default=None)
        assert node == 0 or nearest == depth - 1
