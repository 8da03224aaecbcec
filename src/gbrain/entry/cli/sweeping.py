"""`gbrain sweep` and `gbrain purge`: upkeep that a person starts."""

import sys
from typing import Any

import click

from gbrain import registry
from gbrain.bars import bar
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command, Option
from gbrain.entry.cli.derive import arguments_of, command_of
from gbrain.errors import InvalidParams
from gbrain.registry import Reply
from gbrain.types import Caller

FAILED = 1
_DONE = (
    ("banked turns done with", "corpusIngested"),
    ("pages whose files got their facts", "factsReconciled"),
    ("links made", "linksExtracted"),
    ("links taken away", "linksRemoved"),
    ("dated entries made", "timelineExtracted"),
    ("dated entries taken away", "timelineRemoved"),
    ("pages checked", "pagesChecked"),
)
_FOUND = (
    ("lines without a source", "uncited"),
    ("mentions not answered", "unanswered"),
    ("references to no page", "unresolved"),
)


def _ask(name: str, given: dict[str, Any], **more: Any) -> Reply:
    operation = registry.find(name)
    assert operation is not None
    as_json = given.pop("as_json")
    arguments = {**arguments_of(operation, given, name), **more}
    with screen.opened(given.get("brain_source"), as_json=as_json) as brain, bar(shown=not as_json) as progress:
        reply = brain.ask(Caller.local("cli"), name, arguments, progress=progress)
    if as_json:
        screen.write_json(reply.value)
    else:
        value = screen.harmless(reply.value) if screen.on_terminal() else reply.value
        screen.write("\n".join(_TEXTS[name](value)))
    for warning in reply.warnings:
        screen.note(f"note: {warning['message']}")
    return reply


def _sweep(given: dict[str, Any]) -> int:
    if not given.pop("once", None):
        raise InvalidParams(
            "a sweep on the command line is one sweep; gbrain serve sweeps again and again",
            "run: gbrain sweep --once",
        )
    return FAILED if _ask("sweep", given).value["status"] == "failed" else 0


def _sweep_text(value: Any) -> list[str]:
    if value["status"] == "busy":
        return ["Another process sweeps this brain right now"]
    paint = screen.paint()
    lines = [f"{value[key]:,} {what}" for what, key in _DONE if value[key]] or ["Nothing to do"]
    for one in value["findings"]:
        found = ", ".join(f"{one[key]:,} {what}" for what, key in _FOUND if one[key])
        lines.append(f"  {paint.name(one['slug'])}: {found}")
    if value["left"]:
        lines.append(f"{value['left']:,} pages and turns are left for the next sweep")
    return lines


def _purge(given: dict[str, Any]) -> int:
    agreed, asked = given.pop("yes", False), not given["as_json"] and sys.stdin.isatty() and sys.stderr.isatty()
    found = _ask("purge", dict(given), dry_run=not agreed).value["pages"]
    # What lapsed while the person thought about it was not shown, and the operation checks each page's version.
    if found and asked and not agreed and click.confirm(f"Delete {screen.counted(len(found), 'page')}?", err=True):
        _ask("purge", given, dry_run=False)
    return 0


def _purge_text(value: Any) -> list[str]:
    paint, pages = screen.paint(), value["pages"]
    lines = [f"{paint.name(row['slug'])}  {row['source_id']}  until {row['expiry']}  {row['title']}" for row in pages]
    if not pages:
        return ["No page is past its expiry"]
    if value["dry_run"]:
        return [*lines, f"{len(pages):,} pages are past their expiry; to delete them: gbrain purge --expired --yes"]
    return [*lines, f"{value['deleted']:,} pages deleted; gbrain restore SLUG brings one back"]


_TEXTS = {"sweep": _sweep_text, "purge": _purge_text}


def _command(name: str, run: Any, flag: str, said: str) -> Command:
    operation = registry.find(name)
    assert operation is not None
    made = command_of(operation, run, path=name, sourced=False)
    made.params = [param for param in made.params if param.name != "dry_run"]
    made.params.insert(0, Option([flag], is_flag=True, help=said))
    return made


sweep = _command("sweep", _sweep, "--once", "Sweep once; a server does it by itself.")
purge = _command("purge", _purge, "--yes", "Delete the pages, rather than list them.")
