"""What gbrain holds itself to, and the tests that pin it: `docs/reference/conformance.md`.

The tables are `tests/conformance/*.toml`, kept by hand: a table is a title, a note, short names of test files and
rows. A row has an id, the case in a few words, what gbrain does, and the tests; `missing` says why nothing pins it.
"""

import os
import re
import tomllib
from typing import NamedTuple

ORDER = ("operations", "writeback", "faults", "cases", "clients")
"""The tables in the order of the page."""


class Row(NamedTuple):
    """One row: `tests` are node ids below `tests/`, `missing` is empty or the reason why there are none."""

    id: str
    case: str
    does: str
    tests: tuple[str, ...]
    missing: str


class Table(NamedTuple):
    """One table. `groups` gives a heading to each beginning of an id that has one, such as the letter of `A1`."""

    title: str
    note: str
    groups: dict[str, str]
    rows: tuple[Row, ...]


def tables(root: str) -> dict[str, Table]:
    """Every table by name, from a checkout of the project.

    Raises OSError without one, `tomllib.TOMLDecodeError` or KeyError for a table that is not one.
    """
    found = {}
    for name in ORDER:
        with open(os.path.join(root, "tests", "conformance", f"{name}.toml"), "rb") as file:
            found[name] = _table(tomllib.load(file))
    return found


def _table(told: dict[str, dict[str, str]]) -> Table:
    head, files = told.pop("table"), told.pop("files")
    groups = told.pop("groups", {})
    rows = []
    for key, row in told.items():
        # A test is written as `file::name`, where the file has its short name: rows stay readable.
        named = (test.partition("::") for test in row.get("tests", ()))
        tests = tuple(f"{files[short]}::{name}" for short, _, name in named)
        rows.append(Row(key, row["case"], row["does"], tests, row.get("missing", "")))
    return Table(head["title"], head["note"], groups, tuple(rows))


def page(root: str) -> str:
    """`docs/reference/conformance.md`, from the tables of a checkout. Raises as `tables` does."""
    lines = ["# Conformance", "", "Generated from `tests/conformance/` by `make docs`; edits here are lost.", ""]
    lines += [
        "Each row is a case that systems of this kind get wrong, or that the contract names, with what gbrain does and",
        "the tests that hold it to that. Tests are named below `tests/`; run one with `pytest tests/NAME`. A test that",
        "needs something which is not on every machine, such as an agent's own client, skips itself with the reason.",
        "",
    ]
    found = tables(root)
    lines += ["| table | rows | pinned by | without a test |", "|---|---|---|---|"]
    for table in found.values():
        tests = {test for row in table.rows for test in row.tests}
        open_rows = sum(not row.tests for row in table.rows)
        place = re.sub(r"[^a-z0-9 -]", "", table.title.lower()).replace(" ", "-")
        lines.append(f"| [{table.title}](#{place}) | {len(table.rows)} | {len(tests)} tests | {open_rows or '–'} |")
    for table in found.values():
        lines += ["", f"## {table.title}", "", table.note, *_rows(table)]
    return "\n".join(lines) + "\n"


def _rows(table: Table) -> list[str]:
    lines: list[str] = []
    group = None
    for row in table.rows:
        begins = re.match(r"[A-Z]+|\d+", row.id)
        here = begins[0] if begins and table.groups else ""
        if here != group:
            group = here
            lines += ["", *([f"### {here}. {table.groups[here]}", ""] if here else [])]
            lines += ["| | case | what gbrain does | tests |", "|---|---|---|---|"]
        tests = "<br>".join(f"`{test}`".replace("|", "\\|") for test in row.tests)
        pinned = "<br>".join(part for part in (tests, row.missing and f"not reached: {row.missing}") if part)
        lines.append(f"| {row.id} | {row.case} | {row.does} | {pinned} |")
    return lines
