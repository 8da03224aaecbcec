"""`gbrain extract`, `check-backlinks` and `lint`: passes over all pages, with a bar, a question and an exit code."""

import sys
from typing import Any

import click

from gbrain import registry
from gbrain.bars import bar
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command, Option
from gbrain.entry.cli.derive import arguments_of, command_of
from gbrain.errors import InvalidParams
from gbrain.types import Caller

FOUND = 1
"""The exit code where something is to be mended."""


def _ask(name: str, given: dict[str, Any], words: str, **more: Any) -> Any:
    """The answer of an operation that goes over all pages."""
    operation = registry.find(name)
    assert operation is not None
    arguments = {**arguments_of(operation, given, words), **more}
    as_json = given["as_json"]
    with screen.opened(given.get("brain_source"), as_json=as_json) as brain, bar(shown=not as_json) as progress:
        return brain.ask(Caller.local("cli"), name, arguments, progress=progress).value


def _extract(given: dict[str, Any]) -> int:
    value = _ask("extract", given, "extract")
    if given["as_json"]:
        screen.write_json(value)
        return 0
    lines = [f"{screen.counted(value['pages_processed'], 'page')} read"]
    for what, made, gone in (
        ("links", value["links_created"], value["links_removed"]),
        ("timeline entries", value["timeline_entries_created"], value["timeline_entries_removed"]),
    ):
        if made or gone:
            lines.append(f"  {what}: {made:,} new, {gone:,} gone")
    screen.write("\n".join(lines))
    return 0


def _check_backlinks(given: dict[str, Any]) -> int:
    fix, agreed = bool(given.pop("fix", None)), given.pop("yes", False)
    value = _ask("check_backlinks", given, "check-backlinks")
    if fix and value["changes"]:
        if not given["as_json"]:
            screen.write("\n".join(screen.harmless(change["diff"]) for change in value["changes"]))
        if not agreed:
            _confirm(len(value["changes"]))
        value = _ask("check_backlinks", given, "check-backlinks", fix=True)
    if given["as_json"]:
        screen.write_json(value)
    else:
        screen.write("\n".join(_fixed(value) if fix else _told(value)))
    return FOUND if (value["written"] < len(value["changes"]) if fix else value["missing"]) else 0


def _confirm(pages: int) -> None:
    """Let a person agree to the changes shown; raises InvalidParams where nobody can be asked."""
    if not sys.stdin.isatty():
        raise InvalidParams(
            f"{pages} page{'s' if pages != 1 else ''} would be changed, and nobody can be asked",
            "run: gbrain check-backlinks --fix --yes",
        )
    if not click.confirm(f"Change {pages} page{'s' if pages != 1 else ''}?", err=True):
        screen.declined("To only see what is missing: gbrain check-backlinks")


def _fixed(value: dict[str, Any]) -> list[str]:
    """What was written where, and what was not."""
    paint = screen.paint()
    lines, added = [], 0
    for change in value["changes"]:
        count = screen.counted(change["lines"], "backlink")
        added += change["lines"] if change["written"] else 0
        lines.append(f"  {paint.name(_place(value, change))}: {count} {'added' if change['written'] else 'NOT added'}")
    pages = screen.counted(value["written"], "page")
    total = f"{pages} changed, {screen.counted(added, 'backlink')} added" if value["changes"] else "Nothing to add"
    return [*lines, f"{total} ({_read(value)})"]


def _told(value: dict[str, Any]) -> list[str]:
    paint = screen.paint()
    rows = screen.harmless(value["findings"])
    lines = [
        f"{paint.name(_place(value, {**row, 'slug': row['target']}))} does not answer {row['slug']}\n  {row['bullet']}"
        for row in rows
    ]
    if value["missing"] > len(rows):
        lines.append(f"and {value['missing'] - len(rows):,} more")
    gaps = screen.counted(value["missing"], "missing backlink")
    total = gaps if value["missing"] else "Every mention is answered"
    return [*lines, f"{total} ({_read(value)})"]


def _place(value: dict[str, Any], row: dict[str, Any]) -> str:
    """A page's slug, with its source where several were read."""
    return f"{row['source_id']}:{row['slug']}" if len(value["sources"]) > 1 else str(row["slug"])


def _read(value: dict[str, Any]) -> str:
    sources = value["sources"]
    which = f"source{'s' if len(sources) > 1 else ''} {', '.join(sources)}"
    return f"{screen.counted(value['pages'], 'page')} of the {which} read"


def _lint(given: dict[str, Any]) -> int:
    value = _ask("lint", given, "lint")
    if given["as_json"]:
        screen.write_json(value)
    else:
        paint = screen.paint()
        rows = screen.harmless(value["findings"])
        lines = [f"{paint.name(_place(value, row))}:{row['line']}  {_LINTED[row['kind']]}{row['text']}" for row in rows]
        total = [f"{screen.counted(value['uncited'], 'line')} without [Source: ...]"] if value["uncited"] else []
        total += [f"{screen.counted(value['undated'], 'item')} of timelines undated"] if value["undated"] else []
        said = ", ".join(total) or "Every fact names its source, every item of a timeline its date"
        screen.write("\n".join([*lines, f"{said} ({_read(value)})"]))
    return FOUND if value["uncited"] or value["undated"] else 0


_LINTED = {"uncited": "", "undated": "(no entry: begin it as in - **2031-03-30** | Met) "}


def _command(name: str, path: str, run: Any) -> Command:
    operation = registry.find(name)
    assert operation is not None
    return command_of(operation, run, path=path, sourced=False)


extract = _command("extract", "extract", _extract)
lint = _command("lint", "lint", _lint)
check_backlinks = _command("check_backlinks", "check-backlinks", _check_backlinks)
check_backlinks.params.insert(1, Option(["--yes"], is_flag=True, help="Do not ask before pages are changed."))
