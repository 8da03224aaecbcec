"""`gbrain bench answers`: how many questions a named model answers rightly from the brain, as a named judge sees it.

The folder holds `locomo.units.jsonl.gz` and `locomo.queries.jsonl.gz` as `gbrain bench retrieval` reads them, each
question with its right answer `a`. A judge is asked whether the answer says what the right one says. Without a folder
the CPU that gathering takes is measured, on a generated brain: no model is called.
"""

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from time import process_time
from typing import Any, NamedTuple

from gbrain import registry
from gbrain.bench.figures import quantile
from gbrain.bench.generate import prepared, standing_clock
from gbrain.bench.machine import kept
from gbrain.bench.retrieval import filled, lines
from gbrain.bench.world import Size
from gbrain.brain import Brain, open_home
from gbrain.domain.answers.citing import EMPTY
from gbrain.domain.answers.evidence import fenced
from gbrain.domain.extraction.answer import objects
from gbrain.domain.extraction.said import as_data
from gbrain.errors import BrainError, Unavailable
from gbrain.models.chat import Ask
from gbrain.models.prompts import prompt
from gbrain.ops.composing import NOTHING, extractive
from gbrain.ops.gathering import Within, gather
from gbrain.types import Caller

SET = "locomo"
BAR_MS = 60.0
"""The CPU of our own that gathering may take on 20,000 pages."""


class Marked(NamedTuple):
    """One question's outcome. `right` is None where the judge gave no verdict that can be read."""

    category: str
    status: str
    right: bool | None
    tokens: int


class Options(NamedTuple):
    """What is measured, on what, and where the figures go; see `gbrain bench answers --help`."""

    pages: int
    calls: int
    seed: int
    work: str | None
    data: str | None = None
    model: str | None = None
    judge: str | None = None
    questions: int | None = None
    json: str | None = None


def main(asked: Options) -> int:
    """Measure and print; returns 0, or 1 when something failed or nothing was answered."""
    try:
        told = _answers(asked, asked.data) if asked.data else _gathering(asked)
    except (BrainError, OSError, ValueError, KeyError) as error:
        print(f"The measurement failed: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump(told, file, indent=2)
    return 0


def _answers(asked: Options, data: str) -> dict[str, Any]:
    if not asked.model or not asked.judge:
        raise ValueError("name both: --model PROVIDER:MODEL --judge PROVIDER:MODEL")
    units = lines(os.path.join(data, f"{SET}.units.jsonl.gz"))
    queries = [one for one in lines(os.path.join(data, f"{SET}.queries.jsonl.gz")) if one.get("a") is not None]
    marked: list[Marked] = []
    for collection in dict.fromkeys(unit["c"] for unit in units):
        some = [query for query in queries if query["c"] == collection][: asked.questions or None]
        with tempfile.TemporaryDirectory(prefix="gbrain-bench-") as home, open_home(home, create=True) as brain:
            brain.call("config_set", {"key": "models.compose", "value": asked.model})
            brain.call("config_set", {"key": "models.judge", "value": asked.judge})
            filled(brain, [unit for unit in units if unit["c"] == collection])
            marked += [_marked(brain, query) for query in some]
    rows = [_row("all", marked)]
    for name in sorted({one.category for one in marked}):
        rows.append(_row(name, [one for one in marked if one.category == name]))
    print(f"answered by {asked.model}, judged by {asked.judge}")
    for row in rows:
        print("  ".join(f"{name} {value}" for name, value in row.items()))
    if "scripted" in asked.model:
        print("A scripted model shows that the wires hold together; these figures say nothing about answers.")
    return {"model": asked.model, "judge": asked.judge, "rows": rows}


def _marked(brain: Brain, query: dict[str, Any]) -> Marked:
    given, status, tokens = _answered(brain, query["q"])
    ctx = registry.context(brain, Caller.local())
    text = "\n".join(
        f"<{name}>\n{as_data(str(said))}\n</{name}>"
        for name, said in (("asked", query["q"]), ("right", query["a"]), ("given", given))
    )
    answer = ctx.models.ask(Ask("judge", prompt("judge").text, text, 100, want_json=True))
    verdict = next((found["right"] for found in objects(answer.text) if isinstance(found.get("right"), bool)), None)
    return Marked(query["cat"], status, verdict, tokens)


def _answered(brain: Brain, question: str) -> tuple[str, str, int]:
    """The answer, its status and what it took; where nothing was gathered that is said, without a call."""
    try:
        reply = brain.call("synthesize", {"question": question})
    except Unavailable as refused:
        if refused.detail.get("reason") != EMPTY:
            raise
        return NOTHING, "nothing_gathered", 0
    cost = reply["cost"]
    return reply["answer"], reply["synthesis_status"], (cost["input_tokens"] or 0) + (cost["output_tokens"] or 0)


def _row(part: str, marked: Sequence[Marked]) -> dict[str, Any]:
    judged = [one for one in marked if one.right is not None]
    return {
        "part": part,
        "questions": len(marked),
        "judged": len(judged),
        "right %": round(100 * sum(1 for one in judged if one.right) / len(judged), 1) if judged else None,
        "composed %": round(100 * sum(1 for one in marked if one.status == "ok") / len(marked), 1) if marked else None,
        "tokens a query": round(sum(one.tokens for one in marked) / len(marked)) if marked else None,
    }


def _gathering(asked: Options) -> dict[str, Any]:
    work = kept(asked.work)
    home, world = prepared(work, Size.of(asked.pages), asked.seed, lambda line: print(line, flush=True))
    with open_home(home, clock=standing_clock) as brain:
        ctx = registry.context(brain, Caller.stdio())
        questions = [
            f"What is known of {being.title} and what did they decide?" for being in world.beings[: asked.calls]
        ]
        spent = []
        for question in questions:
            started = process_time()
            gathered = gather(ctx, question, Within(None, None))
            extractive(ctx, gathered)
            fenced(gathered.evidence)
            spent.append((process_time() - started) * 1000)
    figures = {name: round(quantile(spent, share), 1) for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))}
    print(f"CPU of gathering and fencing, ms, {asked.pages:,} pages: {figures}, bar {BAR_MS:g}")
    return {"pages": asked.pages, "cpu_ms": figures, "bar_ms": BAR_MS}
