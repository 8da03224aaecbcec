"""`gbrain bench retrieval`: how often what answers a question is found, on data beside the project.

The folder holds `NAME.units.jsonl.gz` (`c` collection, `id`, `s` session or page, `who`, `date`, `text`, `title`) and
`NAME.queries.jsonl.gz` (`c`, `q`, `cat`, `rel`). A session becomes a page of dated turns, a titled unit a page as it
is; links are what the product finds in the text. Recall at k is the share of the right ids among the first k, averaged
over questions; MRR is the mean of one through the rank of the first right one; nDCG at 10 is the sum of 1 / log2(rank
+ 1) over the right ones, through the most it could be (Järvelin and Kekäläinen, 2002).
"""

import gzip
import json
import math
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from time import process_time
from typing import Any, NamedTuple

from gbrain import registry
from gbrain.bench.figures import quantile
from gbrain.bench.machine import memory
from gbrain.bench.plot import Point, scatter
from gbrain.brain import open_home
from gbrain.errors import BrainError
from gbrain.ops.retrieval import Source, find_pages, find_passages
from gbrain.types import Caller

DEVELOPMENT = frozenset({"conv-26", "conv-30", "conv-41"})
"""The conversations of LoCoMo that weights are chosen on."""
DEPTH = 10
LEFT_OUT: tuple[Source, ...] = ("exact", "keyword", "vector", "graph", "date")


class Asked(NamedTuple):
    """One question's outcome: the ranks (from 1) of the right ids that were found, of how many. `arms` is `all`, or
    which one was left out."""

    arms: str
    set_name: str
    category: str
    split: str
    ranks: tuple[int, ...]
    wanted: int
    ms: float


class Options(NamedTuple):
    """What is measured, on what, and where the figures go; see `gbrain bench retrieval --help`."""

    data: str
    only: tuple[str, ...] = ()
    no_vectors: bool = False
    whole: bool = False
    arms: bool = False
    questions: int | None = None
    plot: str | None = None
    json: str | None = None


def main(asked: Options) -> int:
    """Measure and print the table; returns 0, or 1 when something failed."""
    try:
        names = sorted(name.split(".")[0] for name in os.listdir(asked.data) if name.endswith(".units.jsonl.gz"))
        outcomes = [one for name in names if not asked.only or name in asked.only for one in _measured(asked, name)]
    except (BrainError, OSError, ValueError, KeyError) as error:
        print(f"The measurement failed: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    rows = [_row(*group) for group in _groups(outcomes)]
    print(_table(rows))
    resident = round(memory(os.getpid())[0], 1)
    print(f"resident: {resident} MB")
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump({"resident_mb": resident, "rows": rows}, file, indent=2)
    if asked.plot:
        drawn = [Point(f"{row['set']}, {row['arms']}", row["ms p50"], row["recall@5"]) for row in rows if _whole(row)]
        with open(asked.plot, "w", encoding="utf-8") as file:
            file.write(scatter(drawn, "CPU a question, p50, ms", "recall at 5, %"))
    return 0


def _whole(row: dict[str, Any]) -> bool:
    return bool(row["part"] == "all")


def _measured(asked: Options, name: str) -> Iterator[Asked]:
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
                some = [query for collection in group for query in _of(queries, collection)[: asked.questions or None]]
                for left_out in (None, *(LEFT_OUT if asked.arms else ())):
                    for query in some:
                        yield from _answered(ctx, name, query, ids, left_out)


def _of(queries: Sequence[dict[str, Any]], collection: str) -> list[dict[str, Any]]:
    return [query for query in queries if query["c"] == collection]


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


def _answered(
    ctx: Any, name: str, query: dict[str, Any], ids: dict[tuple[str, int], str], left_out: Source | None
) -> Iterator[Asked]:
    without = frozenset({left_out}) if left_out else frozenset[Source]()
    wanted = list(dict.fromkeys(query["rel"]))
    started = process_time()
    pages = find_pages(ctx, query["q"], DEPTH, without=without).matches
    ms = (process_time() - started) * 1000
    if all(place < 0 for _, place in ids):
        found = [ids.get((match.page.slug, -1), "") for match in pages]
        yield _outcome(name, query, left_out, found, wanted, ms)
        return
    of_unit = {unit: slug for (slug, _), unit in ids.items()}
    rights = [f"{query['c']}/{right}" for right in wanted]
    sessions = list(dict.fromkeys(of_unit[right] for right in rights if right in of_unit))
    yield _outcome(f"{name} sessions", query, left_out, [match.page.slug for match in pages], sessions, ms)
    started = process_time()
    passages = find_passages(ctx, query["q"], DEPTH, without=without)
    ms = (process_time() - started) * 1000
    of_pages = ctx.store.pages.by_ids(ctx.view, list({one.place[0] for one, _ in passages}))
    slugs = {page.id: page.slug for page in of_pages}
    turns = [ids.get((slugs[one.place[0]], one.place[1]), "") for one, _ in passages]
    yield _outcome(f"{name} turns", query, left_out, turns, rights, ms)


def _outcome(
    name: str, query: dict[str, Any], left_out: str | None, found: Sequence[str], wanted: Sequence[str], ms: float
) -> Asked:
    split = "development" if query["c"] in DEVELOPMENT else "test"
    ranks = tuple(found.index(right) + 1 for right in wanted if right in found)
    arms = f"without {left_out}" if left_out else "all"
    return Asked(arms, name, query["cat"], split, ranks, len(wanted), ms)


def _groups(outcomes: Sequence[Asked]) -> Iterator[tuple[str, str, str, list[Asked]]]:
    for name, arms in dict.fromkeys((one.set_name, one.arms) for one in outcomes):
        own = [one for one in outcomes if (one.set_name, one.arms) == (name, arms) and one.wanted]
        yield name, arms, "all", own
        if arms != "all":
            continue
        if len({one.split for one in own}) > 1:
            for split in ("development", "test"):
                yield name, arms, split, [one for one in own if one.split == split]
        for category in sorted({one.category for one in own}):
            yield name, arms, category, [one for one in own if one.category == category]


def _row(name: str, arms: str, part: str, own: Sequence[Asked]) -> dict[str, Any]:
    def recall(most: int) -> float:
        return _percent([sum(1 for rank in one.ranks if rank <= most) / one.wanted for one in own])

    return {
        "set": name,
        "arms": arms,
        "part": part,
        "questions": len(own),
        "recall@5": recall(5),
        "recall@10": recall(10),
        "mrr": _percent([1 / min(one.ranks) if one.ranks else 0.0 for one in own]),
        "ndcg@10": _percent([_gain(one.ranks) / _gain(range(1, min(one.wanted, DEPTH) + 1)) for one in own]),
        "precision@5": _percent([sum(1 for rank in one.ranks if rank <= 5) / 5 for one in own]),
        "ms p50": round(quantile([one.ms for one in own], 0.5), 1),
        "ms p99": round(quantile([one.ms for one in own], 0.99), 1),
    }


def _percent(shares: Sequence[float]) -> float:
    return round(100 * sum(shares) / len(shares), 1)


def _gain(ranks: Iterable[int]) -> float:
    return sum(1 / math.log2(rank + 1) for rank in ranks if rank <= DEPTH)


def _table(rows: Sequence[dict[str, Any]]) -> str:
    names = list(rows[0]) if rows else []
    cells = [names, *([str(row[name]) for name in names] for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(names))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in cells)
