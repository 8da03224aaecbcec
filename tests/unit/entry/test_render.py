"""Text functions stand where they are looked for."""

import ast
from pathlib import Path

import pytest

from gbrain.catalogue import OPERATIONS
from gbrain.entry.cli.render import subject

CLI = Path(__file__).parents[3] / "src" / "gbrain" / "entry" / "cli"


def text_functions() -> list[tuple[str, str]]:
    """(subject, name) of every public function that is called as text functions are."""
    return [
        (path.stem.removesuffix("_texts"), node.name)
        for path in sorted(CLI.glob("*_texts.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and [arg.arg for arg in node.args.args] == ["value", "given", "paint"]
    ]


@pytest.mark.guard
def test_every_text_is_of_an_operation_and_is_found() -> None:
    found = text_functions()
    assert len(found) > 60
    assert [name for _, name in found if name not in OPERATIONS] == [], "a text function has the name of an operation"
    astray = [
        f"{name}: src/gbrain/entry/cli/{subject(name)}_texts.py, not {where}_texts.py"
        for where, name in found
        if subject(name) != where
    ]
    assert astray == [], "never used: move it there, or say in _SUBJECTS of src/gbrain/entry/cli/render.py where it is"
