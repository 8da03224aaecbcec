"""How long a search takes on a brain of a given size, by words alone and by meaning too.

Vectors are made, not embedded: those of like topics lie near each other. The question's own is the bundled model's.
"""

import os
import random
from functools import partial
from typing import TYPE_CHECKING, Any

from gbrain import registry
from gbrain.bench.figures import Bar, Figure, timed
from gbrain.bench.generate import standing_clock
from gbrain.bench.machine import memory
from gbrain.bench.requests import SMALL
from gbrain.bench.world import GLUE, World
from gbrain.brain import Brain, open_home
from gbrain.models.choice import BUNDLED, BUNDLED_DIMENSION, bundled
from gbrain.models.embedder import EmbedFailed
from gbrain.store.engine import Kept
from gbrain.types import Caller

if TYPE_CHECKING:
    from gbrain.arrays import Vectors

AT_ONCE, TOPICS = 2_000, 4_000


def searching(base: str, world: World, calls: int) -> list[Figure]:
    """`search` through `registry.call` in this process: by words, then with a vector for every passage and fact."""
    small = world.size.pages <= SMALL
    bars = (Bar("cpu", 12.0 if small else 30.0), Bar("cpu99", 25.0 if small else 80.0))
    asked = questions(world, calls)
    home = os.path.join(base, ".gbrain")
    figures = []
    for name, provider in (("words alone", "off"), ("with vectors", "auto")):
        os.environ["GBRAIN_EMBEDDING_PROVIDER"] = provider
        with open_home(home, clock=standing_clock, source="default") as brain:
            if provider == "auto":
                try:
                    bundled()
                except EmbedFailed as failed:
                    print(f"  with vectors: needs the bundled model: {failed.message}", flush=True)
                    break
                _plant(brain, world.seed)
            for arguments in asked[:3]:
                _search(brain, arguments)
            numbers = timed(partial(_search, brain), asked)
            numbers["rss"] = memory(os.getpid())[0]
            figures.append(Figure("search", name, "ms", len(asked), numbers, bars))
    return figures


def questions(world: World, calls: int) -> list[dict[str, Any]]:
    """Half of two to four words, half of eight of which half are the commonest there are."""
    rng = random.Random(f"{world.seed}:searches")
    found = []
    for at in range(calls):
        words = world.words(rng, 4 if at % 2 else rng.randint(2, 4))
        if at % 2:
            words = [word for pair in zip(rng.sample(GLUE, 4), words, strict=True) for word in pair]
        found.append({"query": " ".join(words)})
    return found


def _search(brain: Brain, arguments: dict[str, Any]) -> object:
    return registry.call(brain, Caller.stdio("full", "bench"), "search", arguments)


def _plant(brain: Brain, seed: int) -> None:
    """Give every passage and fact a vector: noise around some topics, which is harder than text."""
    from gbrain.arrays import np  # the command line of the benches loads this module

    rng = np.random.default_rng(seed)
    topics = rng.normal(size=(TOPICS, BUNDLED_DIMENSION)).astype(np.float32)

    def some(count: int) -> "Vectors":
        noise = rng.normal(size=(count, BUNDLED_DIMENSION)).astype(np.float32)
        found = topics[rng.integers(0, TOPICS, count)] + noise
        made: Vectors = (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)
        return made

    vectors = brain.store.vectors
    with brain.store.transaction():
        centre = np.zeros(BUNDLED_DIMENSION, np.float32)
        space = vectors.begin(BUNDLED, BUNDLED_DIMENSION, centre, brain.store.config.now())
    for kind in ("page", "fact"):
        while waiting := vectors.waiting(kind, space, AT_ONCE):
            rows = some(len(waiting))
            vectors.keep(
                kind, space, [Kept(row.id, row.seen, vector) for row, vector in zip(waiting, rows, strict=True)]
            )
