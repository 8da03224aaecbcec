"""What `docs/explanation/architecture.md` shows of the code: rooms, their imports, and the ways of four calls.

Rooms and imports are read from the source text. A way is watched: the call runs on a scratch brain, and every function
that one file calls in another is written down in the order in which it is first entered. The prose is the page's own;
what stands between `<!-- NAME -->` and `<!-- end -->` is drawn here.
"""

import ast
import json
import os
import re
import shlex
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from graphlib import TopologicalSorter
from types import FrameType
from typing import Any, NamedTuple

from gbrain import registry
from gbrain.ambient import bank, capture
from gbrain.brain import open_home
from gbrain.types import Caller

PAGE = "docs/explanation/architecture.md"
STEADY = 0.1
"""A size stays as it is written until it is off by more than this share, so that not every change touches the page."""

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_SOURCE = "../../src/gbrain/"
_FIRST = (
    ("put_page", {"slug": "companies/harbour-tea", "content": "---\ntype: company\n---\nA tea importer.\n"}),
    (
        "put_page",
        {"slug": "people/dana-oakes", "content": "---\ntype: person\naliases: [dana]\n---\nRuns the launch.\n"},
    ),
)
_PLAN = "Dana will send the {} plan on Friday"
_TURN = "I prefer the {} train to any flight."


class Room(NamedTuple):
    """A package or module right below `gbrain`: how much it is, what it is for, and the rooms that it imports."""

    lines: int
    summary: str
    imports: frozenset[str]


class Step(NamedTuple):
    """One file on the way of a call, with the functions that other files called in it, in order."""

    file: str
    functions: tuple[str, ...]


def steady(written: int, size: float) -> bool:
    """Whether a size may stay as it is written."""
    return abs(written - size) <= STEADY * size


# The rooms


def rooms(package: str = _PACKAGE) -> dict[str, Room]:
    """Every room by its name. What is imported for the type checker alone does not count."""
    texts = dict(_modules(package))
    found: dict[str, Room] = {}
    for module, text in texts.items():
        name = _room(module)
        tree = ast.parse(text)
        lines, summary, imports = found.get(name, Room(0, "", frozenset()))
        if module.count(".") < 2:
            summary = _summary(tree)
        others = {_room(other) for other in _imported(tree, texts)} - {name}
        found[name] = Room(lines + text.count("\n"), summary, imports | others)
    return found


def _modules(package: str) -> Iterator[tuple[str, str]]:
    """(dotted name, source text) of every module of a package; a package's own is that of its `__init__`."""
    for folder, folders, files in os.walk(package):
        folders.sort()
        for file in sorted(files):
            if file.endswith(".py"):
                path = os.path.join(folder, file)
                inner = os.path.relpath(path, os.path.dirname(package)).removesuffix(".py")
                with open(path, encoding="utf-8") as source:
                    yield inner.replace(os.sep, ".").removesuffix(".__init__"), source.read()


def _room(module: str) -> str:
    return module.split(".")[1] if "." in module else module


def _imported(tree: ast.Module, known: Mapping[str, str]) -> Iterator[str]:
    checked = {
        id(node)
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and ast.unparse(branch.test).endswith("TYPE_CHECKING")
        for node in ast.walk(branch)
    }
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names if id(node) not in checked else ():
            # `from gbrain.domain import text` names a module, `from gbrain.errors import NotFound` what is in one.
            for module in (name, name.rpartition(".")[0]):
                if module in known:
                    yield module
                    break


def layers(project: str) -> list[list[str]]:
    """The rooms of each layer, the top one first, as import-linter's contract in `pyproject.toml` has them.

    `__main__` is left out, which is nothing but a way into `entry`.
    """
    with open(os.path.join(project, "pyproject.toml"), "rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    named = [re.findall(r"\b[a-z]\w*", layer) for layer in contracts[0]["layers"]]
    return [layer for layer in named if layer]


def reduced(imports: Mapping[str, frozenset[str]]) -> dict[str, list[str]]:
    """The imports that no longer way implies: if A imports B and B imports C, A's own import of C is left out.

    Raises graphlib.CycleError, a ValueError, where they form a circle.
    """
    below: dict[str, frozenset[str]] = {}
    for name in TopologicalSorter(imports).static_order():
        direct = imports.get(name, frozenset())
        below[name] = direct.union(*(below[other] for other in direct))
    return {name: sorted(direct.difference(*(below[other] for other in direct))) for name, direct in imports.items()}


def picture(found: Mapping[str, Room], drawn: list[list[str]]) -> list[str]:
    """The rooms as a flowchart of Mermaid, one box a layer, an arrow from each room to what it imports itself."""
    shown = {name for layer in drawn for name in layer}
    lines = ["```mermaid", "flowchart TB"]
    for number, layer in enumerate(drawn):
        if len(layer) > 1:
            lines += [f"  subgraph layer{number}[ ]", *(f"    {name}" for name in layer), "  end"]
        else:
            lines += [f"  {name}" for name in layer]
    direct = reduced({name: room.imports & shown for name, room in found.items() if name in shown})
    lines += [f"  {name} --> {other}" for layer in drawn for name in layer for other in direct.get(name, ())]
    return [*lines, "```"]


def sizes(found: Mapping[str, Room], drawn: list[list[str]], former: str) -> list[str]:
    """A table of the rooms, from the top layer down; `former` is the page: its sizes stay while about right."""
    written = {
        name: int(size.replace(",", "")) for name, size in re.findall(r"^\| `(\w+)` \| ([\d,]+) \|", former, re.M)
    }
    lines = ["| room | lines | what it is for | imports |", "|---|---|---|---|"]
    for name in (name for layer in drawn for name in layer):
        room = found[name]
        size = written.get(name, 0)
        if not steady(size, room.lines):
            size = round(room.lines, -1 if room.lines < 1000 else -2)
        imports = ", ".join(f"`{other}`" for other in sorted(room.imports - {"gbrain"})) or "–"
        lines.append(f"| `{name}` | {size:,} | {room.summary} | {imports} |")
    return lines


# The ways


def ways() -> dict[str, list[Step]]:
    """The way of four calls, by name: file by file, in the order in which they are first entered.

    Each is made twice before it is watched, so that nothing is seen that is only done once in a process or a brain.
    """
    agent, owner = Caller.stdio("full"), Caller.local()
    folder = tempfile.TemporaryDirectory(prefix="gbrain-docs-")
    with folder as home, open_home(home, create=True, source="default") as brain:
        answer = os.path.join(home, "answer.json")
        for name, arguments in _FIRST:
            registry.call(brain, agent, name, arguments)
        for key, value in (("models.default", f"command:cat {shlex.quote(answer)}"), ("memory.auto_writeback", "all")):
            registry.call(brain, owner, "config_set", {"key": key, "value": value})

        def tell(word: str) -> None:
            told = {"fact": _PLAN.format(word), "provenance": "chat with Dana", "entity": "dana", "kind": "commitment"}
            registry.call(brain, agent, "remember", told)

        def write(word: str) -> None:
            page = f"---\ntype: person\n---\nRob paints the {word} [[companies/harbour-tea]] van.\n"
            registry.call(brain, agent, "put_page", {"slug": f"people/rob-{word}", "content": page})

        def turn(word: str) -> None:
            with open(answer, "w", encoding="utf-8") as file:
                json.dump({"facts": [{"fact": f"prefers the {word} train", "kind": "preference"}]}, file)
            place = (home, None, bank.WRITEBACK)
            _, name = capture.bank_one(_TURN.format(word), f"session-{word}", place, frozenset())
            registry.call(brain, owner, "turns_retry", {"turn": name})

        def find(word: str) -> None:
            registry.call(brain, agent, "search", {"query": f"who runs the {word}"})

        calls: dict[str, Callable[[str], None]] = {"remember": tell, "put_page": write, "turn": turn, "search": find}
        return {name: _watched(run) for name, run in calls.items()}


def _watched(run: Callable[[str], None]) -> list[Step]:
    entered: dict[str, dict[str, None]] = {}

    def watch(frame: FrameType, event: str, _: Any) -> None:
        file, name = frame.f_code.co_filename, frame.f_code.co_qualname
        # Lambdas and comprehensions belong to the function around them; what an object is made by says nothing.
        if event != "call" or not file.startswith(_PACKAGE) or file == __file__ or "<" in name or name.endswith("__"):
            return
        above = frame.f_back
        # Whatever the standard library does in between, such as sorting by a key.
        while above is not None and not above.f_code.co_filename.startswith(_PACKAGE):
            above = above.f_back
        if above is not None and above.f_code.co_filename != file:
            entered.setdefault(file, {})[name] = None

    for word in ("spring", "summer"):
        run(word)
    sys.setprofile(watch)
    try:
        run("autumn")
    finally:
        sys.setprofile(None)
    return [Step(os.path.relpath(file, _PACKAGE).replace(os.sep, "/"), tuple(names)) for file, names in entered.items()]


def _way(steps: list[Step]) -> list[str]:
    lines = ["| file | entered by | what it is |", "|---|---|---|"]
    for step in steps:
        functions = ", ".join(f"`{name}`" for name in step.functions)
        with open(os.path.join(_PACKAGE, step.file), encoding="utf-8") as file:
            summary = _summary(ast.parse(file.read()))
        lines.append(f"| [{step.file}]({_SOURCE}{step.file}) | {functions} | {summary} |")
    return lines


def _summary(tree: ast.Module) -> str:
    return (ast.get_docstring(tree) or "").split("\n")[0].replace("|", "\\|")


# The page


def page(project: str, text: str) -> str:
    """The page with everything drawn anew; `text` is the page as it stands. Raises as `filled` does."""
    found, drawn = rooms(), layers(project)
    parts = {"rooms": sizes(found, drawn, text), "imports": picture(found, drawn)}
    return filled(text, parts | {name: _way(steps) for name, steps in ways().items()})


def filled(text: str, parts: Mapping[str, list[str]], path: str = PAGE) -> str:
    """The text of a page with these lines between its marks. Raises ValueError for a part that has no place in it."""
    for name, lines in parts.items():
        begin, end = f"<!-- {name} -->", "<!-- end -->"
        before, mark, rest = text.partition(begin)
        if not mark or end not in rest:
            raise ValueError(f"there is no place for {name} in {path}: {begin} ... {end}")
        text = "\n".join([before + begin, "", *lines, "", end + rest.partition(end)[2]])
    return text
