"""Types of links against sentences with the right answers: those written with the rules, and judged ones.

The format is told in `tests/data/README.md`.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gbrain.domain.references import aim, by_block
from gbrain.domain.relations.rules import Subject, relations
from gbrain.domain.slugs import page_type, title_from_slug

DATA = Path(__file__).parents[2] / "data"
FILES = [name for name in ("relations_examples.jsonl", "relations_judged.jsonl") if (DATA / name).exists()]
ROLE = re.compile(r"\b(?:C[A-Z]O|chief|president|director|chair)\b|首席|总裁|总经理|董事长", re.IGNORECASE)
PRECISION, RECALL = 0.95, 0.85

Types = set[tuple[str, str]]


def rows(name: str) -> Iterator[dict[str, Any]]:
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def found(row: dict[str, Any]) -> Types:
    """The types that the page gets for each target, as its links would bear them."""
    slug = row["page_slug"]
    subject = Subject(row["page_type"], slug, row.get("page_title") or title_from_slug(slug))
    types: dict[str, set[str]] = {}
    for block, references in by_block(row["text"]):
        aims = [aim(reference, slug) for reference in references]
        kinds = [page_type(aimed.slug) if aimed else "" for aimed in aims]
        for aimed, relation in zip(aims, relations(row["text"], block, references, kinds, subject), strict=True):
            if aimed is not None:
                types.setdefault(aimed.slug, set()).update(relation.types)
    for told in types.values():
        if len(told) > 1:
            told.discard("mentions")
        if "worked_at" in told:
            told.discard("works_at")
    return {(target, type) for target, told in types.items() for type in told}


def expected(row: dict[str, Any]) -> Types:
    return {(one["target"], one["type"]) for one in row["expected"]}


def beside(row: dict[str, Any], ours: Types, theirs: Types) -> Types:
    """What we say of a founder's role where the answer names the founding alone: no fault, if the sentence says it."""
    if ROLE.search(row["text"]) is None:
        return set()
    return {(target, "works_at") for target, type in theirs if type == "founded"} & (ours - theirs)


@pytest.mark.parametrize("name", FILES)
def test_types_are_right(name: str) -> None:
    right: Counter[str] = Counter()
    said: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    wrong = []
    for row in rows(name):
        ours, theirs = found(row), expected(row)
        ours -= beside(row, ours, theirs)
        right.update(type for _, type in ours & theirs)
        said.update(type for _, type in ours)
        asked.update(type for _, type in theirs)
        if ours != theirs:
            wrong.append(f"{row['page_slug']}: {row['text']!r}: {sorted(ours - theirs)}, not {sorted(theirs - ours)}")
    figures = {
        type: (round(right[type] / max(1, said[type]), 3), round(right[type] / max(1, asked[type]), 3))
        for type in sorted(asked)
    }
    bad = {type: pair for type, pair in figures.items() if pair[0] < PRECISION or pair[1] < RECALL}
    assert not bad, f"{figures}\n" + "\n".join(wrong)


def test_enough_is_asked() -> None:
    texts = [row["text"] for row in rows("relations_examples.jsonl")]
    assert len(texts) >= 200
    assert sum(any("\u4e00" <= character <= "\u9fff" for character in text) for text in texts) >= 70
