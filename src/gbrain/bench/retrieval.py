"""`gbrain bench retrieval`: how often what answers a question is found, on data beside the project.

The folder holds `NAME.units.jsonl.gz` (`c` collection, `id`, `s` session or page, `who`, `date`, `text`, `title`) and
`NAME.queries.jsonl.gz` (`c`, `q`, `cat`, `rel`). A session becomes a page of dated turns, a titled unit a page as it
is; links are what the product finds in the text. Recall at k is the share of the right ids among the first k, averaged
over questions; MRR is the mean of one through the rank of the first right one.
"""

import argparse
import gzip
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from time import process_time
from typing import Any, NamedTuple

from gbrain import registry
from gbrain.bench.figures import quantile
from gbrain.brain import open_home
from gbrain.errors import BrainError
from gbrain.ops.retrieval import find_pages, find_passages
from gbrain.types import Caller

DEVELOPMENT = frozenset({"conv-26", "conv-30", "conv-41"})
"""The conversations of LoCoMo that weights are chosen on."""
DEPTH = 10


class Asked(NamedTuple):
    """One question's outcome: the ranks (from 1) of the right ids that were found, of how many."""

    set_name: str
    category: str
    split: str
    ranks: tuple[int, ...]
    wanted: int
    ms: float


def main(argv: list[str]) -> int:
    """Measure and print the table; returns 0, or 1 when something failed."""
    asked = _parser().parse_args(argv)
    try:
        names = sorted(name.split(".")[0] for name in os.listdir(asked.data) if name.endswith(".units.jsonl.gz"))
        outcomes = [one for name in names if not asked.only or name in asked.only for one in _measured(asked, name)]
    except (BrainError, OSError, ValueError, KeyError) as error:
        print(f"The measurement failed: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    rows = [_row(*group) for group in _groups(outcomes)]
    print(_table(rows))
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump({"rows": rows}, file, indent=2)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("gbrain bench retrieval", description=(main.__doc__ or "").split(";")[0])
    parser.add_argument("--data", required=True, help="the folder with the questions and what answers them")
    parser.add_argument("--only", action="append", help="measure this set alone; may be repeated")
    parser.add_argument("--no-vectors", action="store_true", help="words, names and edges alone")
    parser.add_argument("--global", dest="whole", action="store_true", help="search all collections of a set at once")
    parser.add_argument("--questions", type=int, default=0, help="at most so many of each collection [all]")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    return parser


def _measured(asked: argparse.Namespace, name: str) -> Iterator[Asked]:
    units = lines(os.path.join(asked.data, f"{name}.units.jsonl.gz"))
    queries = lines(os.path.join(asked.data, f"{name}.queries.jsonl.gz"))
    collections = list(dict.fromkeys(unit["c"] for unit in units))
    groups = [collections] if asked.whole else [[collection] for collection in collections]
    for group in groups:
        with tempfile.TemporaryDirectory(prefix="gbrain-bench-") as home:
            if asked.no_vectors:
                os.environ["GBRAIN_EMBEDDING_PROVIDER"] = "off"
            with open_home(home, create=True) as brain:
                ctx = registry.context(brain, Caller.local())
                ids = filled(brain, [unit for unit in units if unit["c"] in group])
                if not asked.no_vectors:
                    brain.call("embed")
                for collection in group:
                    some = [query for query in queries if query["c"] == collection]
                    for query in some[: asked.questions or None]:
                        yield from _answered(ctx, name, query, ids)


def lines(path: str) -> list[dict[str, Any]]:
    """The records of a file of JSON lines. Raises OSError or ValueError."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def filled(brain: Any, units: Sequence[dict[str, Any]]) -> dict[tuple[str, int], str]:
    """Write the pages; which unit each passage is, by the page's slug and its number there."""
    pages: dict[str, list[dict[str, Any]]] = {}
    for unit in units:
        slug = unit["s"] if unit.get("title") else f"chats/{unit['c']}-{unit['s']}".replace("_", "-")
        pages.setdefault(slug, []).append(unit)
    ids: dict[tuple[str, int], str] = {}
    for slug, held in pages.items():
        if held[0].get("title"):
            text = f"---\ntitle: {json.dumps(held[0]['title'])}\n---\n\n{held[0]['text'].partition(chr(10))[2]}\n"
            ids[slug, -1] = held[0]["id"]
        else:
            turns = [f"**{unit['who']}** ({unit['date']}): {' '.join(unit['text'].split())}" for unit in held]
            text = f"---\ntitle: {json.dumps('Chat of ' + held[0]['date'])}\n---\n\n" + "\n\n".join(turns) + "\n"
            ids.update({(slug, number): f"{unit['c']}/{unit['id']}" for number, unit in enumerate(held)})
        brain.call("put_page", {"slug": slug, "content": text})
    return ids


def _answered(ctx: Any, name: str, query: dict[str, Any], ids: dict[tuple[str, int], str]) -> Iterator[Asked]:
    split = "development" if query["c"] in DEVELOPMENT else "test"
    wanted = list(dict.fromkeys(query["rel"]))
    started = process_time()
    pages = find_pages(ctx, query["q"], DEPTH).matches
    ms = (process_time() - started) * 1000
    if (pages and (pages[0].page.slug, -1) in ids) or all((slug, -1) in ids for slug, _ in ids):
        found = [ids.get((match.page.slug, -1), "") for match in pages]
        yield _outcome(name, query["cat"], split, found, wanted, ms)
        return
    of_unit = {unit: slug for (slug, _), unit in ids.items()}
    rights = [f"{query['c']}/{right}" for right in wanted]
    sessions = list(dict.fromkeys(of_unit[right] for right in rights if right in of_unit))
    yield _outcome(f"{name} sessions", query["cat"], split, [match.page.slug for match in pages], sessions, ms)
    slugs = {page.id: page.slug for page in ctx.store.pages.by_ids(ctx.view, [])}
    started = process_time()
    passages = find_passages(ctx, query["q"], DEPTH)
    ms = (process_time() - started) * 1000
    of_pages = ctx.store.pages.by_ids(ctx.view, list({one.place[0] for one, _ in passages}))
    slugs = {page.id: page.slug for page in of_pages}
    turns = [ids.get((slugs[one.place[0]], one.place[1]), "") for one, _ in passages]
    yield _outcome(f"{name} turns", query["cat"], split, turns, rights, ms)


def _outcome(name: str, category: str, split: str, found: Sequence[str], wanted: Sequence[str], ms: float) -> Asked:
    ranks = tuple(found.index(right) + 1 for right in wanted if right in found)
    return Asked(name, category, split, ranks, len(wanted), ms)


def _groups(outcomes: Sequence[Asked]) -> Iterator[tuple[str, str, list[Asked]]]:
    for name in dict.fromkeys(one.set_name for one in outcomes):
        own = [one for one in outcomes if one.set_name == name and one.wanted]
        yield name, "all", own
        if len({one.split for one in own}) > 1:
            for split in ("development", "test"):
                yield name, split, [one for one in own if one.split == split]
        for category in sorted({one.category for one in own}):
            yield name, category, [one for one in own if one.category == category]


def _row(name: str, part: str, own: Sequence[Asked]) -> dict[str, Any]:
    def recall(most: int) -> float:
        shares = [sum(1 for rank in one.ranks if rank <= most) / one.wanted for one in own]
        return round(100 * sum(shares) / len(own), 1)

    return {
        "set": name,
        "part": part,
        "questions": len(own),
        "recall@5": recall(5),
        "recall@10": recall(10),
        "mrr": round(100 * sum(1 / min(one.ranks) for one in own if one.ranks) / len(own), 1),
        "precision@5": round(100 * sum(sum(1 for rank in one.ranks if rank <= 5) / 5 for one in own) / len(own), 1),
        "ms p50": round(quantile([one.ms for one in own], 0.5), 1),
        "ms p99": round(quantile([one.ms for one in own], 0.99), 1),
    }


def _table(rows: Sequence[dict[str, Any]]) -> str:
    names = list(rows[0]) if rows else []
    cells = [names, *([str(row[name]) for name in names] for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(names))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in cells)
