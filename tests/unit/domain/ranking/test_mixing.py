"""Answers of several types, where several answer nearly as well."""

from gbrain.domain.ranking.mixing import Typed, mixed


def test_another_type_that_answers_nearly_as_well_comes_after_three_of_one() -> None:
    meetings = [Typed(id, "meeting", 0.9 - id / 100) for id in range(6)]
    person = Typed(9, "person", 0.86)
    assert [one.id for one in mixed([*meetings, person], -0.02)] == [0, 1, 2, 9, 3, 4, 5]
    assert [one.id for one in mixed([*meetings, person._replace(score=0.4)], -0.02)] == [0, 1, 2, 3, 4, 5, 9]


def test_scores_fall_in_the_order_that_is_given() -> None:
    found = mixed([Typed(id, "ab"[id % 2], 1 - id / 40) for id in range(20)], -0.02)
    assert sorted(one.id for one in found) == list(range(20))
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_one_type_alone_stays_as_it_is() -> None:
    found = [Typed(id, "note", 1 - id / 10) for id in range(9)]
    assert mixed(found, -0.02) == found
    assert mixed([], -0.02) == []
