"""Scores of passages: the share of the BM25 a question could reach, at three grains, and cosines beside it.

BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) is divided by the sum of the question's
word weights, which is the most any text can reach. So a score says how much of the question is answered, and scores of
different questions, and cosines, are on one scale.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gbrain.domain.ranking.weights import Weights

UNKNOWN = 0.5
"""A word that stands nowhere takes this share of the weight of the rarest possible word: it may be misspelt."""


LIKENESS = 0.5
"""The cosine that a passage without a vector is taken to have if it holds all of the question, else its share of it: a
text that waits for its vector does not sink below those that have one."""


class Rarity(NamedTuple):
    """The weight of each word of a question, and the sum of them with those that stand nowhere."""

    words: tuple[float, ...]
    most: float

    def worth(self) -> list[float]:
        """The share of each word in the whole, where those that stand nowhere share what is left over alike."""
        if not self.most:
            return [0.0] * len(self.words)
        absent = self.words.count(0.0)
        left = max(0.0, self.most - sum(self.words)) / absent if absent else 0.0
        return [(weight or left) / self.most for weight in self.words]


class Text(NamedTuple):
    """How often each word of the question stands in a text (in the order of the question), and its words in all."""

    counts: Sequence[float]
    length: float


class Passage(NamedTuple):
    """A passage as it is ranked. `cosine` is None where no vector is at hand; `dated` is what it is worth that it is of
    the time that the question states; `kin` how much of the question's weight in words a turn and its neighbours meet
    by words of like meaning, 0 to 1; `when` says that it tells a time where the question asks for one."""

    text: Text
    asks: bool = False
    opens: bool = False
    cosine: float | None = None
    dated: float = 0.0
    kin: float = 0.0
    when: bool = False


class Means(NamedTuple):
    """Mean lengths in words: of a passage, of a passage with its neighbours, of a page."""

    unit: float
    window: float
    page: float


class Parts(NamedTuple):
    """What a score is made of, each already weighted."""

    unit: float
    window: float
    page: float
    vector: float
    form: float
    time: float = 0.0
    kin: float = 0.0

    @property
    def score(self) -> float:
        """The whole score, about 0 to 2."""
        return self.unit + self.window + self.page + self.vector + self.form + self.time + self.kin


Place = tuple[int, int]
"""A page and the ordinal of a passage in it."""


def rarity(frequencies: Sequence[int], total: int, worth: Sequence[float] = ()) -> Rarity:
    """The weights of words that stand in so many of `total` texts: ln(1 + (total - f + 0.5) / (f + 0.5)), each times
    its `worth` where that is given."""
    worth = worth or [1.0] * len(frequencies)
    unknown = UNKNOWN * math.log(1 + (total + 0.5) / 0.5)
    words = tuple(
        share * math.log(1 + (max(total - f, 0) + 0.5) / (f + 0.5)) if f else 0.0
        for f, share in zip(frequencies, worth, strict=True)
    )
    return Rarity(
        words, sum(words) + sum(share * unknown for f, share in zip(frequencies, worth, strict=True) if not f)
    )


def share(text: Text, words: Rarity, mean: float, k1: float, b: float) -> float:
    """How much of the attainable BM25 a text reaches, 0 to 1."""
    if not words.most:
        return 0.0
    norm = k1 * (1 - b + b * text.length / mean) if mean else k1
    return sum(w * n / (n + norm) for w, n in zip(words.words, text.counts, strict=True) if n) / words.most


def score(
    at: Place,
    passages: Mapping[Place, Passage],
    page: Text,
    page_cosine: float | None,
    unit_words: Rarity,
    page_words: Rarity,
    means: Means,
    weights: Weights,
) -> Parts:
    """The score of the passage at a place, given those that stand near it (where they are known) and its page."""
    own = passages[at]
    window = _window(at, passages, weights)
    words = (
        weights.unit * share(own.text, unit_words, means.unit, weights.k1, weights.b),
        weights.window * share(window, unit_words, means.window, weights.k1, weights.window_b),
        weights.page * share(page, page_words, means.page, weights.page_k1, weights.page_b),
    )
    attainable = weights.unit + weights.window + weights.page
    if own.cosine is not None and page_cosine is not None:
        pooled = _pooled(at, own.cosine, passages, weights)
        vector = weights.cosine * own.cosine + weights.pooled * pooled + weights.page_cosine * page_cosine
    else:
        vector = (weights.cosine + weights.pooled + weights.page_cosine) * LIKENESS
        vector *= sum(words) / attainable if attainable else 0.0
    form = weights.opens * own.opens + weights.asks * own.asks + weights.when * own.when
    return Parts(*words, vector, form, own.dated, weights.kin * own.kin)


def _window(at: Place, passages: Mapping[Place, Passage], weights: Weights) -> Text:
    """A passage with the weighted words of its neighbours."""
    own = passages[at].text
    counts, length = list(own.counts), own.length
    for step, weight in (
        (-1, weights.before),
        (-2, weights.two_before),
        (1, weights.after),
        (2, weights.two_after),
    ):
        near = passages.get((at[0], at[1] + step))
        if near is None:
            continue
        if step == -1 and near.asks:
            weight *= weights.answers
        length += weight * near.text.length
        for place, count in enumerate(near.text.counts):
            if count:
                counts[place] += weight * count
    return Text(counts, length)


def _pooled(at: Place, own: float, passages: Mapping[Place, Passage], weights: Weights) -> float:
    """The mean cosine of a passage and those of its neighbours that have one."""
    total, parts = own, 1.0
    for step, weight in (
        (-1, weights.pool_before),
        (-2, weights.pool_two_before),
        (1, weights.pool_after),
        (2, weights.pool_two_after),
    ):
        near = passages.get((at[0], at[1] + step))
        if near is not None and near.cosine is not None:
            total += weight * near.cosine
            parts += weight
    return total / parts
