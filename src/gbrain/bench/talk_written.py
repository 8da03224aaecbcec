"""Conversations written by hand, as developers talk to their agents, in several languages and scripts.

`talk_written.jsonl` beside this module holds them: an object a line, either a page of the brain (`page` is its slug)
or a `talk`, a list of turns. A turn that is a `trap` must call nothing to mind; `gold` names the pages that it must.
"""

import json
import os

from gbrain.bench.talk import Corpus, Entry, Turn

_FILE = os.path.splitext(__file__)[0] + ".jsonl"


def corpus(_seed: int, talks: int) -> Corpus:
    """The first so many of the conversations, the same for every seed."""
    with open(_FILE, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    entries = [_entry(row) for row in rows if "page" in row]
    places = {entry.slug: entry.place for entry in entries}
    told = [[_turn(turn, places) for turn in row["talk"]] for row in rows if "talk" in row]
    return Corpus(entries, [], told[:talks])


def _entry(row: dict[str, object]) -> Entry:
    read = {**row, "slug": row["page"], "aliases": tuple(row["aliases"])}  # type: ignore[arg-type]
    return Entry(**{name: read[name] for name in Entry._fields})  # type: ignore[arg-type]


def _turn(row: dict[str, object], places: dict[str, tuple[str, str]]) -> Turn:
    gold = frozenset(places[slug] for slug in row.get("gold", ()))  # type: ignore[attr-defined]
    return Turn(str(row["said"]), gold, str(row["reply"]), str(row["kind"]), bool(row.get("trap")))
