"""`gbrain import` and `gbrain export`: their operations, with a bar for people and an exit code that tells of gaps."""

from typing import Any

from gbrain import registry
from gbrain.bars import bar
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command
from gbrain.entry.cli.derive import arguments_of, command_of
from gbrain.entry.cli.screen import Paint
from gbrain.types import Caller

PARTIAL = 1
SHOWN = 20
"""Skipped files that a person is shown; `--json` lists them all."""


def _reply(name: str, words: str, given: dict[str, Any]) -> Any:
    operation = registry.find(name)
    assert operation is not None
    as_json = given.pop("as_json")
    arguments = arguments_of(operation, given, words)
    with screen.opened(None, as_json=as_json) as brain, bar(shown=not as_json) as progress:
        reply = brain.ask(Caller.local("cli"), name, arguments, progress=progress)
    return reply.value


def _import(given: dict[str, Any]) -> int:
    as_json = given["as_json"]
    value = _reply("import_brain", "import", given)
    if as_json:
        screen.write_json(value)
    else:
        screen.write(_imported(screen.on_one_line(value), screen.paint()))
    return 0 if value["status"] == "ok" else PARTIAL


def _imported(value: Any, paint: Paint) -> str:
    would, were = ("would come in", "are there") if value["dry_run"] else ("came in", "were there")
    pages, facts = screen.counted(value["pages"], "page"), screen.counted(value["facts"], "fact")
    lines = [f"{pages} {would}, {value['unchanged']:,} {were}, {value['skipped']:,} skipped"]
    if value["facts"] or value["known_facts"]:
        lines.append(f"{facts} {would}, {value['known_facts']:,} {were}")
    for one in [*value["skipped_files"][:SHOWN], *value["doubts"][:SHOWN]]:
        place = ":".join(str(part) for part in (one["path"], one["line"]) if part)
        lines.append(paint.warning(f"  {place}: {one['message']}"))
        lines.append(f"    Fix: {one['hint']}")
    more = max(0, value["skipped"] - SHOWN) + max(0, len(value["doubts"]) - SHOWN)
    lines += [f"  and {more:,} more; --json lists them"] if more > 0 else []
    lines += ["nothing was changed"] if value["dry_run"] else []
    return "\n".join(lines)


def _export(given: dict[str, Any]) -> int:
    as_json = given["as_json"]
    value = _reply("export_brain", "export", given)
    if as_json:
        screen.write_json(value)
        return 0
    whose = "private ones too" if value["private"] else "world ones alone"
    pages, facts = screen.counted(value["pages"], "page"), screen.counted(value["facts"], "fact")
    screen.write(f"{pages} and {facts} are in {value['dir']} ({whose})")
    return 0


def _command(name: str, path: str, run: Any) -> Command:
    operation = registry.find(name)
    assert operation is not None
    return command_of(operation, run, path=path, sourced=False)


import_ = _command("import_brain", "import", _import)
export = _command("export_brain", "export", _export)
