"""`gbrain bench`: the command line of the measurements, which live in `gbrain.bench`."""

import json
import os
import sys
import tempfile
from contextlib import redirect_stdout

import click

from gbrain.bench import latency
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command, Group, Option

STDOUT = "-"


def _latency(
    pages: int, calls: int, work: str | None, seed: int, only: tuple[str, ...], strict: bool, file: str | None
) -> int:
    given = [f"--pages={pages}", f"--calls={calls}", f"--seed={seed}", *(f"--only={name}" for name in only)]
    given += [f"--work={work}"] if work else []
    given += ["--strict"] if strict else []
    if file != STDOUT:
        return latency.main([*given, *([f"--json={file}"] if file else [])])
    with tempfile.TemporaryDirectory(prefix="gbrain-bench-") as folder:
        path = os.path.join(folder, "figures.json")
        # What a person reads goes to stderr, so that stdout is one document.
        with redirect_stdout(sys.stderr):
            code = latency.main([*given, f"--json={path}"])
        if os.path.exists(path):
            with open(path, encoding="utf-8") as figures:
                screen.write_json(json.load(figures))
    return code


bench = Group(
    "bench",
    help="Measure gbrain on this machine.",
    examples=("gbrain bench latency", "gbrain bench latency --pages 2000 --only operations"),
    commands=[
        Command(
            "latency",
            params=[
                Option(
                    ["--pages"],
                    type=click.IntRange(1),
                    default=20_000,
                    metavar="NUMBER",
                    help="The size of the brain; the rest scales with it. [default: 20000]",
                ),
                Option(
                    ["--calls"],
                    type=click.IntRange(1),
                    default=1000,
                    metavar="NUMBER",
                    help="Calls a series. [default: 1000]",
                ),
                Option(["--work"], metavar="FOLDER", help="Keeps generated brains. [default: a cache at home]"),
                Option(
                    ["--seed"],
                    type=int,
                    default=1,
                    metavar="NUMBER",
                    help="Another seed is another brain. [default: 1]",
                ),
                Option(["--only"], type=click.Choice(latency.GROUPS), multiple=True, help="Measure this part alone."),
                Option(["--strict"], is_flag=True, help="End with 1 when a bar is missed."),
                click.Option(
                    ["--json", "file"],
                    is_flag=False,
                    flag_value=STDOUT,
                    metavar="[FILE]",
                    help="Write the figures as JSON, to FILE or to stdout.",
                ),
            ],
            callback=_latency,
            help="Measure how long everything takes, on a generated brain.",
            examples=("gbrain bench latency", "gbrain bench latency --pages 2000 --calls 100 --json figures.json"),
        )
    ],
)
