"""The tables of conformance: every test they name is there and runs, and no row of the contract is left out."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from gbrain.entry import pinned

ROOT = Path(__file__).parents[2]
TABLES = pinned.tables(str(ROOT))
NAMED = sorted({test for table in TABLES.values() for row in table.rows for test in row.tests})

SPEC, CASES = os.environ.get("SHARED_SPEC", ""), os.environ.get("SHARED_CASES", "")


def marks(node: ast.FunctionDef | ast.ClassDef) -> list[str]:
    return [ast.unparse(item) for item in node.decorator_list]


@cache
def defined(path: str) -> dict[str, list[str]]:
    """Every test function of a file as pytest names it, with the marks of it and of its class."""
    found: dict[str, list[str]] = {}

    def walk(body: list[ast.stmt], before: str, above: list[str]) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef):
                found[before + node.name] = [*above, *marks(node)]
            elif isinstance(node, ast.ClassDef):
                walk(node.body, f"{before}{node.name}::", [*above, *marks(node)])

    walk(ast.parse((ROOT / "tests" / path).read_text(encoding="utf-8")).body, "", [])
    return found


@pytest.mark.guard
def test_every_test_that_is_named_is_there_and_is_never_skipped_always() -> None:
    wrong = []
    for test in NAMED:
        path, _, name = test.partition("::")
        found = defined(path).get(name.partition("[")[0]) if (ROOT / "tests" / path).exists() else None
        if found is None or any(re.search(r"mark\.(skip\b|xfail)", mark) for mark in found):
            wrong.append(test)
    assert wrong == [], "tests/conformance/*.toml name these: write the name that the test has now"


def test_every_case_of_a_test_that_is_named_is_there() -> None:
    """A `*` in a case stands for what its fixtures add, such as the engine."""
    cases = [test for test in NAMED if test.endswith("]")]
    files = sorted({f"tests/{test.partition('::')[0]}" for test in cases})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *files]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    missing = []
    for test in cases:
        pattern = re.escape(f"tests/{test}").replace(r"\*", ".*")
        missing += [] if re.search(f"^{pattern}$", ran.stdout, re.M) else [test]
    assert missing == []


@pytest.mark.guard
def test_every_row_is_whole() -> None:
    for name, table in TABLES.items():
        for row in table.rows:
            assert row.case, (name, row.id)
            assert row.does, (name, row.id)
            assert bool(row.tests) != bool(row.missing), (name, row.id, "its tests, or why there are none")
            assert len(set(row.tests)) == len(row.tests), (name, row.id)
            assert not re.search(r"\n|(?<!\\)\|", row.case + row.does + row.missing), (name, row.id)


@pytest.mark.guard
def test_every_short_name_of_a_file_is_used() -> None:
    for name in pinned.ORDER:
        text = (ROOT / "tests" / "conformance" / f"{name}.toml").read_text(encoding="utf-8")
        assert [short for short in tomllib.loads(text)["files"] if f'"{short}::' not in text] == [], name


def sections(path: Path) -> Iterator[tuple[str, str]]:
    """(number of its section, line) of a numbered document, without what stands before the first section."""
    number = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"#{2,3} (\d+(?:\.\d+)?)\b", line):
            number = heading[1]
        if number:
            yield number, line


@pytest.mark.skipif(not SPEC, reason="SHARED_SPEC names no folder of the contract")
def test_every_weakness_that_the_contract_marks_is_in_the_table() -> None:
    counts: dict[str, int] = {}
    wanted = []
    for number, line in sections(Path(SPEC) / "operations.md"):
        for _ in range(line.count("\N{BALLOT X}")):
            counts[number] = counts.get(number, 0) + 1
            wanted.append(f"{number}/{counts[number]}")
    # A row of several faults has a letter for each: 2.3/5a, 2.3/5b.
    have = {row.id.rstrip("abcdefgh") for row in TABLES["operations"].rows}
    assert len(wanted) > 80
    assert [key for key in wanted if key not in have] == []


@pytest.mark.skipif(not SPEC, reason="SHARED_SPEC names no folder of the contract")
def test_every_row_of_the_contract_of_writeback_is_in_the_table() -> None:
    text = "\n".join(line for number, line in sections(Path(SPEC) / "ambient-writeback.md") if number == "27")
    wanted = re.findall(r"^\| ([A-N]\d+b?)\b", text, re.M) + [f"O{number}" for number in range(1, 9)]
    assert len(wanted) > 150
    assert [row.id for row in TABLES["writeback"].rows if row.id not in wanted] == []
    assert [key for key in wanted if key not in {row.id for row in TABLES["writeback"].rows}] == []


@pytest.mark.skipif(not CASES, reason="SHARED_CASES names no folder of the given cases")
def test_every_given_case_and_known_fault_is_in_the_table() -> None:
    given = re.findall(r"^### (G\d+)\.", (Path(CASES) / "given.md").read_text(encoding="utf-8"), re.M)
    group, faults = "", []
    for line in (Path(CASES) / "known-faults.md").read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"### ([A-Z])\. ", line):
            group = heading[1]
        elif row := re.match(r"\| (\d+) \|", line):
            faults.append(group + row[1])
    assert (len(given) > 12, len(faults) > 20) == (True, True)
    assert given == [row.id for row in TABLES["cases"].rows]
    assert faults == [row.id for row in TABLES["faults"].rows]
