"""The page of the architecture: what is drawn is what the code has. That it is up to date is `make check`'s to say."""

import ast
import re
from pathlib import Path

import pytest

from gbrain.entry import architecture
from gbrain.entry.architecture import Room, filled, layers, picture, reduced, rooms, sizes, ways

ROOT = Path(__file__).parents[3]


MODULES = {
    "__init__": "",
    "low": '"""Low."""\nx = 1\n',
    "high/__init__": '"""High: the whole."""\n',
    "high/one": "from pack.low import x\nfrom pack.high import two\ndef f():\n    import pack.side\n",
    "high/two": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pack.top import y\n",
    "side": "import os\n",
    "top": "y = 1\n",
}


def test_a_room_is_all_its_modules_and_what_they_import(tmp_path: Path) -> None:
    for name, text in MODULES.items():
        path = tmp_path / "pack" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    found = rooms(str(tmp_path / "pack"))
    assert found["high"] == Room(1 + 4 + 3, "High: the whole.", frozenset({"low", "side"}))
    assert found["low"] == Room(2, "Low.", frozenset())


def test_only_what_no_longer_way_implies_is_drawn() -> None:
    imports = {"a": frozenset("bcd"), "b": frozenset("c"), "c": frozenset(), "d": frozenset("c")}
    assert reduced(imports) == {"a": ["b", "d"], "b": ["c"], "c": [], "d": ["c"]}


def test_a_circle_is_not_drawn() -> None:
    with pytest.raises(ValueError, match="cycle"):
        reduced({"a": frozenset("b"), "b": frozenset("a")})


def test_every_room_stands_in_one_layer_and_every_arrow_is_an_import() -> None:
    found, drawn = rooms(), layers(str(ROOT))
    named = [name for layer in drawn for name in layer]
    assert sorted(named) == sorted(set(found) - {"gbrain", "__main__"})
    arrows = re.findall(r"(\w+) --> (\w+)", "\n".join(picture(found, drawn)))
    assert len(arrows) > len(named)
    for above, below in arrows:
        imported = re.compile(
            rf"^\s*(from gbrain\.{below}\b|from gbrain import .*\b{below}\b|import gbrain\.{below}\b)"
        )
        files = [ROOT / "src" / "gbrain" / f"{above}.py", *(ROOT / "src" / "gbrain" / above).rglob("*.py")]
        lines = [line for path in files if path.exists() for line in path.read_text(encoding="utf-8").splitlines()]
        assert any(imported.match(line) for line in lines), (above, below)


def test_a_size_stays_while_it_is_about_right() -> None:
    found = {"one": Room(1234, "One.", frozenset()), "two": Room(88, "Two.", frozenset({"one", "gbrain"}))}
    drawn = [["two"], ["one"]]
    fresh = sizes(found, drawn, "")
    assert fresh[2:] == ["| `two` | 90 | Two. | `one` |", "| `one` | 1,200 | One. | – |"]
    former = "| `one` | 1,300 | One. | – |\n| `two` | 70 | Two. | – |\n"
    assert sizes(found, drawn, former)[2:] == ["| `two` | 90 | Two. | `one` |", "| `one` | 1,300 | One. | – |"]


def test_a_way_names_functions_that_are_there() -> None:
    found = ways()
    for name, begin, through in (
        ("remember", "registry/calling.py", "store/facts.py"),
        ("put_page", "registry/calling.py", "store/pages.py"),
        ("turn", "ambient/capture.py", "ops/extraction.py"),
        ("search", "registry/calling.py", "ops/retrieval.py"),
    ):
        files = [step.file for step in found[name]]
        assert files[0] == begin
        assert through in files
        assert len(files) == len(set(files))
    for step in {step for way in found.values() for step in way}:
        tree = ast.parse((ROOT / "src" / "gbrain" / step.file).read_text(encoding="utf-8"))
        defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert {name.rpartition(".")[2] for name in step.functions} <= defined, step


def test_a_part_stands_between_its_marks() -> None:
    text = "One.\n<!-- imports -->\nold\n<!-- end -->\nTwo.\n"
    assert filled(text, {"imports": ["new"]}) == "One.\n<!-- imports -->\n\nnew\n\n<!-- end -->\nTwo.\n"
    with pytest.raises(ValueError, match="no place for rooms"):
        filled(text, {"rooms": ["new"]})


@pytest.mark.guard
def test_the_guide_of_contributors_names_every_room() -> None:
    told = (ROOT / "AGENTS.md").read_text(encoding="utf-8").partition("src/gbrain/")[2].partition("##")[0]
    named = [path.stem for path in (ROOT / "src" / "gbrain").iterdir() if path.suffix == ".py" or path.is_dir()]
    missing = [name for name in named if not name.startswith("__") and not re.search(rf"\b{name}\b", told)]
    assert not missing
    assert architecture.PAGE in (ROOT / "AGENTS.md").read_text(encoding="utf-8")
