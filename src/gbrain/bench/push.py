"""`gbrain bench push`: whether invented conversations are offered what they call to mind, and nothing else.

Know-to-ask failures are turns that were not offered all they called for, among those that called for something; false
offers are turns that were offered something else, among all. Precision and recall are of offers. Leaks are offers from
a source that is none of the project's, or of a private page. Tokens are those of the offers, over all turns.
"""

import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from gbrain.bench import push_hooks, push_plugins, talk, talk_held, talk_written
from gbrain.bench.figures import quantile
from gbrain.bench.machine import Failed
from gbrain.bench.talk import APART, HOME, SHARED, Corpus, Entry, Turn
from gbrain.brain import Brain, open_home
from gbrain.domain.offers.core import Said, offers, text
from gbrain.domain.text import estimate_tokens
from gbrain.errors import BrainError
from gbrain.store.offering import Offering
from gbrain.types import View

Place = tuple[str, str]
BARS = {"know-to-ask failures": 0.02, "false offers": 0.01, "precision": 0.98, "recall": 0.95, "leaks": 0, "tokens": 60}
SETS: dict[str, Callable[[int, int], Corpus]] = {
    "made": talk.corpus,
    "held": talk_held.corpus,
    "written": talk_written.corpus,
}
"""The conversations one can measure on, from a seed and how many."""
NOW = "2031-05-04T22:10:00.000000Z"


class Outcome(NamedTuple):
    """One turn: what it called for, what was offered, and what that cost."""

    turn: Turn
    offered: frozenset[Place]
    tokens: int
    ms: float


class Options(NamedTuple):
    """What is measured, on what, and where the figures go; see `gbrain bench push --help`."""

    talks: int
    seed: int
    set: str = "made"
    harness: str | None = None
    misses: bool = False
    json: str | None = None
    strict: bool = False


def main(asked: Options) -> int:
    """Measure and print the table; returns 0, or 1 when something failed or, if strict, a bar was missed."""
    corpus = SETS[asked.set](asked.seed, asked.talks)
    try:
        with tempfile.TemporaryDirectory(prefix="gbrain-bench-") as base:
            outcomes = _outcomes(asked.harness, base, corpus)
    except (BrainError, Failed, OSError, ValueError) as error:
        print(f"The measurement failed: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    private = {entry.place for entry in corpus.entries if entry.private or entry.source == APART}
    found = figures(outcomes, private)
    print(table(found, outcomes))
    if asked.misses:
        print("\n".join(misses(outcomes)))
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump(
                {
                    "seed": asked.seed,
                    "talks": asked.talks,
                    "set": asked.set,
                    "harness": asked.harness,
                    "figures": found,
                },
                file,
                indent=2,
            )
    return 1 if asked.strict and missed(found) else 0


def _outcomes(harness: str | None, base: str, corpus: Corpus) -> list[Outcome]:
    with open_home(os.path.join(base, ".gbrain"), create=True) as brain:
        fill(brain, corpus)
        hook, way = (None, in_process(brain)) if harness is None else by_hook(harness, base)
        outcomes = [one for number, said in enumerate(corpus.talks) for one in measured(said, way, f"s{number}")]
    if hook is not None:
        hook.close()
        print(f"{hook.late} runs of the hook left because their time was over, and were run again")
    return outcomes


def fill(brain: Brain, corpus: Corpus) -> None:
    """Write the pages and facts of a corpus into an empty brain."""
    brain.call("config_set", {"key": "offers.across", "value": f"{HOME}=federated"})
    for source, federated in ((HOME, None), (SHARED, True), (APART, None)):
        brain.call("sources_add", {"id": source, "federated": federated})
    for entry in corpus.entries:
        brain.call("put_page", {"slug": entry.slug, "content": _page(entry), "source_id": entry.source})
    for source, slug, fact, kind in corpus.facts:
        told = {"fact": fact, "entity": slug, "kind": kind, "provenance": "invented", "visibility": "world"}
        brain.call("remember", {**told, "source_id": source})


def _page(entry: Entry) -> str:
    lines = [f"title: {json.dumps(entry.title, ensure_ascii=False)}", f"type: {entry.type}"]
    lines += [f"aliases: {json.dumps(entry.aliases, ensure_ascii=False)}"] if entry.aliases else []
    lines += ["visibility: private"] if entry.private else []
    return "\n".join(("---", *lines, "---", entry.summary, ""))


class Made(NamedTuple):
    """What was offered for a turn, and the whole text that goes into the context for it."""

    places: frozenset[Place]
    text: str


Way = Callable[[Sequence[Said], frozenset[Place], str], Made]
"""A way to be made offers: from the turns so far, what was offered before, and the session."""


def in_process(brain: Brain) -> Way:
    """Offers by the core itself, on the store of a brain."""
    lookup = Offering(brain.store.engine, View((HOME, SHARED), False, NOW))

    def way(turns: Sequence[Said], told: frozenset[Place], session: str) -> Made:
        made = offers(turns, lookup, offered=told)
        return Made(frozenset((offer.source_id, offer.slug) for offer in made), text(made))

    return way


def by_hook(harness: str, base: str) -> tuple[push_hooks.Hook | push_plugins.Plugin, Way]:
    """The recall hook of an agent, through its plugin where it has one and Node is there, and offers by it.

    It keeps what a session was offered by itself.
    """
    folder = os.path.join(base, "project")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, ".gbrain-source"), "w", encoding="utf-8") as file:
        file.write(f"{HOME}\n")

    node = push_plugins.node() if harness in push_plugins.HARNESSES else None
    if harness in push_plugins.HARNESSES and node is None:
        print(f"skipped the plugin of {harness}, since there is no node: its hook alone, with what a plugin brings")
    if node:
        print(f"through the plugin of {harness}; what Node costs is not in the milliseconds")
    hook = push_plugins.Plugin(harness, base, folder, node) if node else push_hooks.Hook(harness, base, folder)
    return hook, lambda turns, told, session: Made(*hook.ask(session, turns))


def measured(turns: Sequence[Turn], way: Way, session: str = "s") -> list[Outcome]:
    """What a conversation is offered, turn by turn."""
    said: list[Said] = []
    told: frozenset[Place] = frozenset()
    outcomes: list[Outcome] = []
    for turn in turns:
        said.append(Said("user", turn.said))
        began = _spent()
        made = way(said, told, session)
        took = (_spent() - began) * 1000
        outcomes.append(Outcome(turn, made.places, estimate_tokens(made.text), took))
        told |= made.places
        said.append(Said("assistant", turn.reply))
    return outcomes


def _spent() -> float:
    """Seconds of CPU of this process and of those it has waited for."""
    spent = os.times()
    return time.process_time() + spent.children_user + spent.children_system


def figures(outcomes: Sequence[Outcome], apart: set[Place]) -> dict[str, float]:
    """The figures that have bars, and the milliseconds of CPU a turn."""
    wanting = [one for one in outcomes if one.turn.gold]
    given = sum(len(one.offered) for one in outcomes)
    right = sum(len(one.offered & one.turn.gold) for one in outcomes)
    return {
        "know-to-ask failures": _share(sum(not one.turn.gold <= one.offered for one in wanting), len(wanting)),
        "false offers": _share(sum(not one.offered <= one.turn.gold for one in outcomes), len(outcomes)),
        "precision": _share(right, given),
        "recall": _share(right, sum(len(one.turn.gold) for one in wanting)),
        "leaks": sum(len(one.offered & apart) for one in outcomes),
        "tokens": round(sum(one.tokens for one in outcomes) / len(outcomes), 1),
        "ms p50": round(quantile([one.ms for one in outcomes], 0.5), 2),
        "ms p99": round(quantile([one.ms for one in outcomes], 0.99), 2),
    }


def missed(found: dict[str, float]) -> list[str]:
    """The bars that these figures miss."""
    return [
        name
        for name, bar in BARS.items()
        if (found[name] < bar if name in ("precision", "recall") else found[name] > bar)
    ]


def table(found: dict[str, float], outcomes: Sequence[Outcome]) -> str:
    """The figures beside their bars, and how each kind of turn went."""
    wrong = set(missed(found))
    lines = [f"{len(outcomes)} turns, {sum(one.turn.trap for one in outcomes)} of them traps"]
    for name, value in found.items():
        bar = f"  bar {BARS[name]:g}{'  MISSED' if name in wrong else ''}" if name in BARS else ""
        lines.append(f"  {name:22}{value:8g}{bar}")
    all_turns = Counter(one.turn.kind for one in outcomes)
    bad = Counter(one.turn.kind for one in outcomes if one.offered != one.turn.gold)
    lines += [f"  {kind:22}{count - bad[kind]:6} of {count:<6}right" for kind, count in sorted(all_turns.items())]
    return "\n".join(lines)


def misses(outcomes: Sequence[Outcome]) -> list[str]:
    """The turns that went wrong, and how."""
    lines = []
    for one in outcomes:
        if one.offered != one.turn.gold:
            lacking = sorted(slug for _, slug in one.turn.gold - one.offered)
            wrong = sorted(f"{source}:{slug}" for source, slug in one.offered - one.turn.gold)
            lines.append(f"{one.turn.kind}: {one.turn.said!r}: lacks {lacking}, false {wrong}")
    return lines


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
