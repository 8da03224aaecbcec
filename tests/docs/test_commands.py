"""The commands that texts name are there, with their options: in every document, and in what gbrain itself says."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_lines import mentions, stale_words

pytestmark = pytest.mark.guard

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("changelog.d/*.md"))]
SOURCES = sorted((ROOT / "src" / "gbrain").rglob("*.py"))


def said(path: Path) -> Iterator[tuple[int, str]]:
    """(line, text) of each text of a module that is no docstring; what is put in later is a word."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(str(p.value) if isinstance(p, ast.Constant) else "X" for p in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs | parts:
            yield node.lineno, node.value


def test_every_command_in_a_document_is_there() -> None:
    stale = [
        f"{path.relative_to(ROOT)}: gbrain {words}: {wrong}"
        for path in DOCUMENTS
        for words, meant in mentions(path.read_text(encoding="utf-8"))
        if (wrong := stale_words(words, meant))
    ]
    assert stale == []


def test_every_command_that_gbrain_names_is_there() -> None:
    stale = [
        f"{path.relative_to(ROOT)}:{line}: gbrain {words}: {wrong}"
        for path in SOURCES
        for line, text in said(path)
        for words, meant in mentions(text)
        if (wrong := stale_words(words, meant))
    ]
    assert stale == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("run: gbrain nothing", ["nothing"]),
        ("`gbrain sources lists`", ["lists"]),
        ("gbrain recall --qeury x; gbrain list", ["--qeury"]),
        ("gbrain knows that, and gbrain config set KEY VALUE too", []),
        ("run: gbrain recall --since 3d, or gbrain doctor --fast", []),
    ],
)
def test_a_stale_one_is_seen(text: str, wrong: list[str]) -> None:
    assert [word for words, meant in mentions(text) for word in stale_words(words, meant)] == wrong
