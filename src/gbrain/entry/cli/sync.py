"""`gbrain sync`: the operation `sync_brain` with a bar for people, and an exit code that says when it was partial."""

from typing import Any

from gbrain import registry
from gbrain.bars import bar
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command
from gbrain.entry.cli.derive import arguments_of, command_of
from gbrain.entry.cli.screen import Paint
from gbrain.types import Caller

PARTIAL = 1
"""The exit code of a run that could not do everything."""


def _run(given: dict[str, Any]) -> int:
    operation = registry.find("sync_brain")
    assert operation is not None
    as_json = given.pop("as_json")
    arguments = arguments_of(operation, given, "sync")
    with screen.opened(None, as_json=as_json) as brain, bar(shown=not as_json) as progress:
        reply = brain.ask(Caller.local("cli"), operation.name, arguments, progress=progress)
    if as_json:
        screen.write_json(reply.value)
    else:
        value = screen.on_one_line(reply.value)
        screen.write("\n".join(_lines(source, screen.paint(), dry_run=value["dry_run"]) for source in value["sources"]))
    for warning in reply.warnings:
        screen.note(f"note: {warning['message']}")
    return 0 if reply.value["status"] == "ok" else PARTIAL


def _lines(source: dict[str, Any], paint: Paint, *, dry_run: bool) -> str:
    """A line of counts, one a change, one a file in trouble."""
    counts = [
        f"{source[kind]:,} {kind}" for kind in ("added", "changed", "renamed", "removed", "skipped") if source[kind]
    ]
    state = ", ".join(counts) or "up to date"
    colour = paint.good if source["status"] in ("synced", "up_to_date") else paint.bad
    if source["status"] in ("partial", "failed"):
        state = f"{source['status']}: {state}" if counts else source["status"]
    lines = [f"{paint.name(source['source_id'])}: {colour(state)}{' (nothing was changed)' if dry_run else ''}"]
    for change in source["changes"]:
        came = f" from {change['before']}" if "before" in change else ""
        lines.append(f"  {change['change']} {change['path']}{came}")
    told = len(source["changes"])
    more = sum(source[kind] for kind in ("added", "changed", "renamed", "removed")) - told
    lines += [f"  and {more:,} more"] if more > 0 else []
    for one in source["troubles"]:
        place = ":".join(str(part) for part in (one["path"], one["line"]) if part)
        lines.append(paint.warning(f"  {place + ': ' if place else ''}{one['message']}"))
        lines.append(f"    Fix: {one['hint']}")
    return "\n".join(lines)


def _command() -> Command:
    operation = registry.find("sync_brain")
    assert operation is not None
    return command_of(operation, _run, path="sync", sourced=False)


sync = _command()
