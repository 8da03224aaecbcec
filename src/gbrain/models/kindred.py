"""Words of like meaning: how nearly the words of a passage mean what each word of a question means.

The package `gbrain-minilm` holds a short vector of each common English word, made once by its model
(`packages/gbrain-minilm/make_words.py`). A word of the question is met as well as the passage's nearest word meets it,
and by 1 where it stands there itself; this is the sum of the greatest likenesses of "ColBERT" (Khattab and Zaharia,
2020), with words read alone in place of words in their sentence, so that nothing but the words themselves is kept of a
passage.
"""

import os
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec

from gbrain.arrays import NDArray, np
from gbrain.domain.ranking.weights import CHOSEN
from gbrain.domain.ranking.words import digests_of

FILE = "words.npy"
DIMENSIONS = 64
ROW = np.dtype([("digest", "<u4"), ("vector", "i1", (DIMENSIONS,))])
"""A word as the file holds it: the CRC-32 of its stem, and its vector in any length."""


Read = tuple[int, int, bytes]
"""A passage: its page, its ordinal there, and its words as `domain.ranking.words` packs them."""


def shares(passages: Sequence[Read], asked: Sequence[Sequence[int]], worth: Sequence[float]) -> list[float]:
    """For each passage how much of a question it and its neighbours meet, 0 to 1, each word of the question counting
    what it is worth (1 in all). Empty where no vectors of words are installed."""
    order = sorted(range(len(passages)), key=lambda place: passages[place][:2])
    own = met([passages[place][2] for place in order], asked)
    if own is None:
        return []
    pages = np.array([passages[place][0] for place in order])
    ordinals = np.array([passages[place][1] for place in order])
    best = own.copy()
    for step, counts in (
        (-1, CHOSEN.kin_before),
        (-2, CHOSEN.kin_two_before),
        (1, CHOSEN.kin_after),
        (2, CHOSEN.kin_two_after),
    ):
        # In order, a neighbour that is known stands as many rows away as its ordinal, unless one between is not known.
        for row in range(1, abs(step) + 1):
            here, there = (slice(row, None), slice(None, -row)) if step < 0 else (slice(None, -row), slice(row, None))
            near = (pages[here] == pages[there]) & (ordinals[there] - ordinals[here] == step)
            best[here] = np.maximum(best[here], np.where(near[:, None], counts * own[there], 0.0))
    found = [0.0] * len(passages)
    for place, share in zip(order, (best @ np.array(worth, np.float32)).tolist(), strict=True):
        found[place] = share
    return found


def met(blocks: Sequence[bytes], asked: Sequence[Sequence[int]]) -> "NDArray[np.float32] | None":
    """For each passage (a row, its words as `domain.ranking.words` packs them) how well each word of a question, given
    by the digests of its spellings, is met there: 1 by itself, else the likeness of the nearest word, about 0 to 0.9. A
    word that has no vector is met by itself alone. None where no vectors of words are installed."""
    table = _table()
    if table is None or not blocks or not asked:
        return None
    known, vectors = table
    parts = [digests_of(block) for block in blocks]
    lengths = np.array([len(part) // 4 for part in parts])
    words = np.frombuffer(b"".join(parts), "<u4")
    places = _places(known, words)
    beside = vectors[places]
    found = np.zeros((len(blocks), len(asked)), np.float32)
    # A passage without words has no part of `words` to look at.
    filled = np.flatnonzero(lengths)
    starts = (np.cumsum(lengths) - lengths)[filled]
    for column, digests in enumerate(asked):
        own = np.array(digests, np.uint32)
        spelled = _places(known, own)
        spelled = spelled[spelled < len(known)]
        likeness = beside @ vectors[spelled[0]] if len(spelled) else np.zeros(len(words), np.float32)
        likeness[np.isin(words, own)] = 1.0
        if len(filled):
            found[filled, column] = np.maximum.reduceat(likeness, starts)
    return found


def _places(known: "NDArray[np.uint32]", digests: "NDArray[np.uint32]") -> "NDArray[np.intp]":
    """Where each digest stands in the table; for one that does not, the row of zeros behind the last."""
    places = np.searchsorted(known, digests)
    places[places == len(known)] = 0
    places[known[places] != digests] = len(known)
    return places


@cache
def _table() -> "tuple[NDArray[np.uint32], NDArray[np.float32]] | None":
    """The digests in rising order, and vectors of length 1 with a row of zeros behind them (3.6 MB)."""
    package = find_spec("gbrain_minilm")
    if package is None or not package.submodule_search_locations:
        return None
    path = os.path.join(package.submodule_search_locations[0], FILE)
    if not os.path.exists(path):
        return None
    rows = np.load(path, allow_pickle=False)
    vectors = rows["vector"].astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.ascontiguousarray(rows["digest"]), np.vstack([vectors, np.zeros(DIMENSIONS, np.float32)])
