"""`gbrain bench all`: every measurement one after another, in one table beside the bars and the original.

Each is a process of its own, whose figures are kept as a file in a folder, so that a run that was stopped goes on
where it was. The table replaces what stands between two marks in a document.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gbrain.bench.figures import Bar, Figure, as_json, from_json, shown, table
from gbrain.bench.machine import described, kept
from gbrain.bench.originals import ORIGINALS
from gbrain.bench.push import BARS as PUSH_BARS

BEGIN, END = "<!-- figures: written by gbrain bench all -->", "<!-- end of figures -->"


class Part(NamedTuple):
    """One measurement: its name, the words after `gbrain bench`, and whether it needs data beside the project."""

    name: str
    words: tuple[str, ...]
    data: bool = False


PARTS = (
    Part("latency", ("latency",)),
    Part("large", ("latency", "--pages", "200000", "--only", "operations", "--only", "searching")),
    Part("pages", ("pages",)),
    Part("viewer", ("viewer",)),
    Part("hook", ("hook",)),
    Part("push", ("push",)),
    Part("push-held", ("push", "--set", "held")),
    Part("push-written", ("push", "--set", "written")),
    Part("push-hook", ("push", "--harness", "claude-code", "--talks", "40")),
    Part("vectors", ("vectors",)),
    Part("load", ("load",)),
    Part("retrieval", ("retrieval",), data=True),
    Part("retrieval-words", ("retrieval", "--no-vectors"), data=True),
    Part("retrieval-global", ("retrieval", "--global", "--only", "locomo"), data=True),
)
RETRIEVAL_BARS: dict[tuple[str, str], dict[str, float]] = {
    ("retrieval", "locomo turns"): {"recall@5": 75, "recall@10": 84},
    ("retrieval", "locomo sessions"): {"recall@5": 91.5, "recall@10": 96},
    ("retrieval", "world_relational"): {"recall@5": 97.5, "mrr": 98, "precision@5": 34},
    ("retrieval", "world_conceptual"): {"recall@5": 90},
    ("retrieval-words", "locomo turns"): {"recall@5": 72, "recall@10": 81},
    ("retrieval-global", "locomo turns"): {"recall@5": 72, "recall@10": 81},
}
RETRIEVAL_GROUPS = {
    "retrieval": "retrieval, with vectors",
    "retrieval-words": "retrieval, no vectors",
    "retrieval-global": "retrieval, one index of all",
}


class Options(NamedTuple):
    """What is measured, on what, and where the figures go; see `gbrain bench all --help`."""

    work: str | None
    data: str | None = None
    only: tuple[str, ...] = ()
    again: bool = False
    write: str | None = None
    json: str | None = None
    strict: bool = False


def main(asked: Options) -> int:
    """Measure and print the table; returns 0, or 1 when a part failed or, with --strict, a bar was missed."""
    work = kept(asked.work)
    figures: dict[str, list[Figure]] = {}
    failed: list[str] = []
    for part in PARTS:
        if (asked.only and part.name not in asked.only) or (part.data and not asked.data):
            continue
        path = os.path.join(work, f"all-{part.name}.json")
        if asked.again or not os.path.exists(path):
            print(f"gbrain bench {' '.join(part.words)}", flush=True)
            if not _ran(part, path, asked.data):
                failed.append(part.name)
                continue
        with open(path, encoding="utf-8") as file:
            figures[part.name] = list(read(part.name, json.load(file)))
    every = [figure for found in figures.values() for figure in found]
    print(table(every))
    missed = [figure for figure in every if figure.missed]
    print(f"\n{sum(bool(one.bars) for one in every) - len(missed)} of {sum(bool(one.bars) for one in every)} reach it")
    if failed:
        print(f"Not measured: {', '.join(failed)}", file=sys.stderr)
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            told = {name: [as_json(figure) for figure in found] for name, found in figures.items()}
            json.dump({"head": described(), "parts": told}, file, indent=2)
    if asked.write:
        try:
            _write(asked.write, figures)
        except (OSError, ValueError) as error:
            print(f"The table was not written: {error}", file=sys.stderr)
            return 1
    return 1 if failed or (asked.strict and missed) else 0


def _ran(part: Part, path: str, data: str | None) -> bool:
    """Measure one part into a file, which is there only when it was measured whole."""
    words = [*part.words, *(["--data", data] if part.data and data else []), "--json", f"{path}.part"]
    done = subprocess.run([sys.executable, "-m", "gbrain", "bench", *words], check=False)
    if done.returncode == 0:
        os.replace(f"{path}.part", path)
    return done.returncode == 0


def read(name: str, told: Any) -> Iterator[Figure]:
    """The figures in a part's file, whatever its shape. Raises KeyError where it is none of a part."""
    if "rows" in told:
        yield from _retrieved(name, told["rows"])
    elif isinstance(told["figures"], dict):
        numbers = {key: float(value) for key, value in told["figures"].items()}
        bars = tuple(
            Bar(key, least=bar) if key in ("precision", "recall") else Bar(key, bar) for key, bar in PUSH_BARS.items()
        )
        what = "offers, through the hook" if told.get("harness") else "offers"
        yield Figure(what, f"{told['talks']} conversations, {told['set']}", "", told["talks"], numbers, bars)
    else:
        pages = told["head"].get("pages")
        for figure in map(from_json, told["figures"]):
            more = f" at {pages:,} pages" if name == "large" and pages else ""
            yield figure._replace(group=f"{figure.group}{more}")


def _retrieved(name: str, rows: Sequence[dict[str, Any]]) -> Iterator[Figure]:
    keys = ("recall@5", "recall@10", "mrr", "ndcg@10", "precision@5", "ms p50", "ms p99")
    for row in rows:
        if row["arms"] == "all" and row["part"] in ("all", "development", "test"):
            of = RETRIEVAL_BARS.get((name, row["set"]), {}) if row["part"] == "all" else {}
            bars = tuple(Bar(key, least=bar) for key, bar in of.items())
            title = row["set"] if row["part"] == "all" else f"{row['set']}, {row['part']}"
            numbers = {key: float(row[key]) for key in keys}
            yield Figure(RETRIEVAL_GROUPS[name], title, "", row["questions"], numbers, bars)


def _write(path: str, figures: dict[str, list[Figure]]) -> None:
    """Put the table where the marks of a document are. Raises ValueError where it has none."""
    with open(path, encoding="utf-8") as file:
        before, mark, rest = file.read().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise ValueError(f"{path} does not hold the two lines `{BEGIN}` and `{END}`")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{before}{BEGIN}\n\n{document(figures)}\n\n{END}{after}")


def document(figures: dict[str, list[Figure]]) -> str:
    """The figures that have a bar or a like in the original, as a Markdown table."""
    head = described()
    lines = [
        f"gbrain {head['gbrain']}, Python {head['python']}, {head['system']}, {head['cores']} cores.{_speed(figures)}",
        "",
        "| what | measured | bar | the original |",
        "|---|---|---|---|",
    ]
    for figure in (figure for found in figures.values() for figure in found):
        original = ORIGINALS.get((figure.group, figure.name), "")
        if figure.bars or original:
            lines.append(f"| {figure.group}: {figure.name} | {_numbers(figure)} | {_bars(figure)} | {original} |")
    return "\n".join(lines)


def _speed(figures: dict[str, list[Figure]]) -> str:
    """How fast the machine was while it was measured, which every time below depends on."""
    bare = [one.numbers["cpu s"] for one in figures.get("latency", ()) if one.name == "python -c pass"]
    return f" An interpreter that does nothing took {bare[0] * 1000:.1f} ms of processor time." if bare else ""


def _numbers(figure: Figure) -> str:
    barred = {bar.of for bar in figure.bars}
    twins = {"cpu", "cpu99"} if barred & {"p50", "p99"} else set[str]()
    kept = {name: value for name, value in figure.numbers.items() if not barred or name in barred | twins}
    return f"{', '.join(f'{name} {shown(value)}' for name, value in kept.items())} {figure.unit}".strip()


def _bars(figure: Figure) -> str:
    if not figure.bars:
        return ""
    missed = ", ".join(bar.of for bar in figure.missed)
    return f"{', '.join(bar.told for bar in figure.bars)}{f': **missed {missed}**' if missed else ''}"
