"""Search by meaning, measured: the vector arm alone, embedding, and what a first question costs a new process.

Vectors are made, not embedded: noise around a few thousand topics, which is harder than text, where what is near is
nearer. The recall is against a comparison with every stored vector.
"""

import os
import shutil
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from gbrain import neighbour
from gbrain.bench.figures import Bar, Figure, timed, told
from gbrain.bench.machine import Failed, described, environment, middle, once
from gbrain.bench.wire import Server
from gbrain.brain import Brain, open_brain
from gbrain.errors import BrainError
from gbrain.models.choice import BUNDLED, BUNDLED_DIMENSION, bundled
from gbrain.models.embedder import EmbedFailed
from gbrain.store.engine import Kept
from gbrain.store.facts import NewFact
from gbrain.types import View

if TYPE_CHECKING:
    from gbrain.arrays import Vectors

TOP, RUNS, AT_ONCE, TOPICS = 10, 5, 2_000, 4_000
_PATIENCE = 30.0
_LOOK = "import sys; from gbrain.bench.vectors import look; sys.exit(look(sys.argv[1]))"
_WORDS = ("harbour", "board", "survey", "pier", "crane", "lantern", "river", "chart", "budget", "tea", "oboe", "ferry")


class Options(NamedTuple):
    """What is measured, on what, and where the figures go; see `gbrain bench vectors --help`."""

    rows: int
    calls: int
    seed: int
    work: str | None
    json: str | None = None
    strict: bool = False


def main(asked: Options) -> int:
    """Measure and print the table; returns 0, or 1 when something failed or, if strict, a bar was missed."""
    work = os.path.abspath(asked.work) if asked.work else None
    if work:
        os.makedirs(work, exist_ok=True)
    base = tempfile.mkdtemp(prefix="gbrain-bench-", dir=work)
    try:
        figures = _measured(os.path.join(base, ".gbrain"), asked.rows, asked.calls, asked.seed)
    except (Failed, BrainError, OSError) as error:
        print(f"The measurement failed: {error}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(base, ignore_errors=True)
    head = {**described(), "rows": asked.rows, "seed": asked.seed}
    return told(head, figures, asked.json, strict=asked.strict)


def _measured(home: str, rows: int, calls: int, seed: int) -> list[Figure]:
    with open_brain(home, create=True) as brain:
        if not isinstance(brain, Brain):
            raise Failed("another machine keeps this brain")
        print(f"A brain of {rows:,} facts, each with a vector", flush=True)
        stored, questions = _fill(brain, rows, calls, seed)
        figures = [_arm(brain, stored, questions)]
    del stored
    try:
        figures.append(_speed())
    except EmbedFailed as failed:
        print(f"The rest needs the bundled model: {failed.message}")
        return figures
    return [*figures, *_processes(home)]


def _fill(brain: Brain, rows: int, calls: int, seed: int) -> "tuple[Vectors, Vectors]":
    """The vectors as they are stored, and those of the questions."""
    from gbrain.arrays import np  # the command line of the benches loads this module
    from gbrain.store.sketch import packed

    rng = np.random.default_rng(seed)
    topics = rng.normal(size=(TOPICS, BUNDLED_DIMENSION)).astype(np.float32)

    def some(count: int) -> "Vectors":
        noise = rng.normal(size=(count, BUNDLED_DIMENSION)).astype(np.float32)
        found = topics[rng.integers(0, TOPICS, count)] + noise * rng.uniform(0.5, 1.5, (count, 1)).astype(np.float32)
        made: Vectors = (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)
        return made

    store, now = brain.store, brain.store.config.now()
    vectors, questions = some(rows), some(calls)
    with store.transaction():
        space = store.vectors.begin(BUNDLED, BUNDLED_DIMENSION, np.zeros(BUNDLED_DIMENSION, np.float32), now)
    for start in range(0, rows, AT_ONCE):
        part = vectors[start : start + AT_ONCE]
        with store.transaction():
            ids = [
                store.facts.insert(
                    NewFact(
                        "default", f"item {start + at} of the list", "fact", None, None, "", "world", now, None, "bench"
                    ),
                    now,
                )
                for at in range(len(part))
            ]
            store.vectors.keep("fact", space, [Kept(id, 0, row) for id, row in zip(ids, part, strict=True)])
    scales, codes = packed(vectors)
    stored: Vectors = (codes * scales[:, None].astype(np.float32)).astype(np.float32)
    return stored, questions


def _arm(brain: Brain, stored: "Vectors", questions: "Vectors") -> Figure:
    """The best ten by the engine, against the best ten of all."""
    from gbrain.arrays import np  # as above

    space = brain.store.vectors.space()
    if space is None:
        raise Failed("the brain has no vectors")
    engine = brain.store.engine

    def nearest(question: Any) -> set[int]:
        return {hit.id for hit in engine.nearest("fact_vectors", space, question, TOP, ["default"], private=True)}

    began = time.thread_time()
    nearest(questions[0])
    first = (time.thread_time() - began) * 1000
    numbers = timed(nearest, questions)
    right = 0
    for question in questions:
        best = np.argpartition(-(stored @ question), TOP)[:TOP] + 1
        right += len(nearest(question) & set(best.tolist()))
    numbers |= {"first": first, "lost %": 100 - 100 * right / (TOP * len(questions))}
    bars = (Bar("cpu", 4.0), Bar("lost %", 0.5))
    return Figure("vector arm", f"best {TOP} of {len(stored):,}", "ms", len(questions), numbers, bars)


def _speed() -> Figure:
    """Processor time for what the model reads, in texts as long as a chunk and as short as a turn."""
    from gbrain.models.onnx import OnnxEmbedder  # as above

    model = bundled()
    if not isinstance(model, OnnxEmbedder):
        raise Failed("the bundled model is another kind of model")
    texts = [
        " ".join(_WORDS[(at * 7 + word * (at % 5 + 1)) % len(_WORDS)] for word in range(at % 140 + 12))
        for at in range(96)
    ]
    tokens = model.tokens(texts)
    began = time.process_time()
    model.passages(texts)
    spent = time.process_time() - began
    return Figure(
        "model",
        "embedding",
        "s",
        len(texts),
        {"cpu per 6,000 tokens": spent * 6_000 / tokens},
        (Bar("cpu per 6,000 tokens", 1.0),),
    )


def _processes(home: str) -> list[Figure]:
    """A question as the first thing a process does: alone, and beside a server, whose memory is then looked at."""
    env = environment(os.path.dirname(home))
    command = [sys.executable, "-c", _LOOK, home]
    alone = middle([once(command, env) for _ in range(RUNS)])
    server = Server(env)
    try:
        server.greet()
        server.call("entity", {"name": "x"})
        until = time.monotonic() + _PATIENCE
        while not neighbour.is_heard(home):
            if time.monotonic() > until:
                raise Failed("the server does not listen on its socket")
            time.sleep(0.05)
        once(command, env)
        beside = middle([once(command, env) for _ in range(RUNS)])
        held, peak = server.memory()
    finally:
        server.close()
    return [
        Figure("first question", "alone", "s", RUNS, {"cpu s": alone.cpu, "wall s": alone.wall}, (Bar("cpu s", 1.0),)),
        Figure(
            "first question",
            "beside a server",
            "s",
            RUNS,
            {"cpu s": beside.cpu, "wall s": beside.wall},
            (Bar("cpu s", 0.2),),
        ),
        Figure("server", "memory", "MB", 1, {"held": held, "peak": peak}, (Bar("held", 300.0),)),
    ]


def look(home: str) -> int:
    """Ask one question and end; 1 when nothing was found."""
    with open_brain(home) as brain:
        if not isinstance(brain, Brain):
            return 1
        view = View(("default",), True, brain.store.config.now())
        return 0 if brain.meaning.nearest(view, "who plays the oboe?", TOP, ("fact",)).hits else 1
