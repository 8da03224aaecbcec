import math

import pytest
from hypothesis import given, strategies as st

from gbrain.domain.ranking.scoring import Means, Passage, Rarity, Text, rarity, score, share
from gbrain.domain.ranking.weights import CHOSEN, LEXICAL

MEANS = Means(10.0, 30.0, 100.0)


def passage(*counts: float, asks: bool = False, cosine: float | None = None) -> Passage:
    return Passage(Text(counts, 10.0), asks=asks, cosine=cosine)


def scored(passages: dict[tuple[int, int], Passage], at: tuple[int, int], words: Rarity) -> float:
    page = Text([sum(one.text.counts[place] for one in passages.values()) for place in range(len(words.words))], 100.0)
    return score(at, passages, page, None, words, words, MEANS, LEXICAL).score


def test_a_rarer_word_weighs_more_and_an_unknown_one_takes_its_half_of_the_rarest():
    words = rarity((1, 50, 0), 100)
    assert words.words[0] > words.words[1] > 0
    assert words.words[2] == 0
    assert words.most == pytest.approx(words.words[0] + words.words[1] + 0.5 * math.log(1 + 100.5 / 0.5))


def test_a_share_is_part_of_what_can_be_reached():
    words = rarity((1, 50), 100)
    assert share(Text((0, 0), 5), words, 10, 0.9, 0.3) == 0
    assert 0 < share(Text((1, 0), 10), words, 10, 0.9, 0.3) < share(Text((1, 1), 10), words, 10, 0.9, 0.3) < 1
    assert share(Text((1, 1), 5), words, 10, 0.9, 0.3) > share(Text((1, 1), 50), words, 10, 0.9, 0.3)


@given(
    st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 9)), min_size=1, max_size=6),
    st.integers(1, 500),
    st.integers(1, 500),
)
def test_a_share_is_never_more_than_all(words, length, mean):
    weights = rarity([frequency for frequency, _ in words], 1000)
    assert 0 <= share(Text([count for _, count in words], length), weights, mean, 0.9, 0.3) <= 1


def test_what_follows_a_question_answers_it():
    words = rarity((3, 3), 50)
    asked = {(1, 0): passage(1, 1, asks=True), (1, 1): passage(0, 0), (1, 2): passage(0, 0)}
    told = {**asked, (1, 0): passage(1, 1)}
    assert scored(asked, (1, 1), words) > scored(told, (1, 1), words)
    assert scored(asked, (1, 0), words) < scored(told, (1, 0), words)
    assert scored(asked, (1, 1), words) > scored(asked, (1, 2), words)


def test_neighbours_of_another_page_count_for_nothing():
    words = rarity((3,), 50)
    near = {(1, 0): passage(1), (1, 1): passage(0)}
    apart = {(2, 0): passage(1), (1, 1): passage(0)}
    assert scored(near, (1, 1), words) > scored(apart, (1, 1), words)


def test_a_vector_counts_only_where_there_is_one():
    words = rarity((3,), 50)
    with_one = {(1, 0): passage(0, cosine=0.8), (1, 1): passage(0, cosine=None)}
    page = Text((0,), 20)
    parts = score((1, 0), with_one, page, 0.8, words, words, MEANS, CHOSEN)
    assert parts.vector == pytest.approx((CHOSEN.cosine + CHOSEN.pooled + CHOSEN.page_cosine) * 0.8)
    assert score((1, 1), with_one, page, 0.8, words, words, MEANS, CHOSEN).vector == 0


def test_a_passage_that_waits_for_its_vector_is_ranked_by_its_words():
    words = rarity((3, 3), 50)
    all_words, one_word = Text((1, 1), 20), Text((1, 0), 20)
    waiting = score((1, 0), {(1, 0): passage(1, 1)}, all_words, None, words, words, MEANS, CHOSEN)
    compared = score((2, 0), {(2, 0): passage(1, 0, cosine=0.5)}, one_word, 0.5, words, words, MEANS, CHOSEN)
    assert waiting.score > compared.score
    assert 0 < waiting.vector < compared.vector
