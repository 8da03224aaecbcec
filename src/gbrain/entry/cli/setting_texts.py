"""Settings as text."""

from typing import Any

import click

from gbrain import mirror
from gbrain.entry.cli import screen
from gbrain.entry.cli.screen import Paint

Given = dict[str, Any]
WIDTH = 78

_ON = (
    "agents over HTTP go by it from their next request, those on a local pipe once they start again",
    "next, so that agents are told so: gbrain bootstrap harness --yes",
)
_OFF = (
    "stopped: nothing is captured from turns, no turn is read for facts, and agents over HTTP are told no more",
    "not yet: an agent on a local pipe goes on until it starts again: restart it",
    "not yet: blocks in the agents' own files go with: gbrain bootstrap harness --yes (it converges on off)",
    "kept: what was saved; `gbrain consents` shows ids, and gbrain forget --captured-under ID takes it back",
)


def config_list(value: Any, given: Given, paint: Paint) -> str:
    """Every setting, its value, its default and what it means: for programs a line each, for people a paragraph."""
    rows = [
        (row["key"], row["value"], row["default"], ", ".join(row["choices"]), row["doc"]) for row in value["settings"]
    ]
    if not screen.on_terminal():
        return "\n".join("\t".join(row) for row in rows)
    return "\n\n".join(_setting(*row, paint=paint) for row in rows)


def _setting(key: str, value: str, default: str, allowed: str, doc: str, *, paint: Paint) -> str:
    told = click.wrap_text(doc, WIDTH, initial_indent="  ", subsequent_indent="  ")
    return f"{paint.name(key)} = {paint.bold(value)}\n{told}\n  {paint.dim(f'default: {default}; allowed: {allowed}')}"


def config_get(value: Any, given: Given, paint: Paint) -> str:
    """The value alone; where it comes from goes to stderr."""
    screen.note("source: default" if value["plane"] == "default" else f"source: {value['plane']} plane")
    return str(value["value"])


def config_set(value: Any, given: Given, paint: Paint) -> str:
    """The value that is in force now, on which planes it is, and what follows from it."""
    lines = [f"Set {value['key']} = {value['value']}{_reached(value)}"]
    if value["key"] == mirror.MODE:
        lines += [f"  {line}" for line in (_OFF if value["value"] == value["default"] else _ON)]
    return "\n".join(lines)


def config_unset(value: Any, given: Given, paint: Paint) -> str:
    """The default that is in force now, and which planes had another value."""
    return f"Unset {value['key']}{_reached(value)}; it is {value['value']} by default"


def unset_settings(value: Any, given: Given, paint: Paint) -> str:
    """What is gone from the store, and what from the file."""
    lines = [f"Unset {screen.counted(len(value['db']), 'setting')} that begin with {value['prefix']}"]
    for name, keys in (("db plane", value["db"]), ("file plane", value["file"])):
        lines += [f"  {name}: {', '.join(keys)}"] if keys else []
    return "\n".join(lines)


def consents(value: Any, given: Given, paint: Paint) -> str:
    """Each change of the mode in a line, the latest first."""
    if not value["consents"]:
        return "Saving unasked was never turned on or off."
    rows = [(one["consent"], one["mode"], screen.minute(one["given_at"]), one["given_by"]) for one in value["consents"]]
    return screen.table(("consent", "mode", "since", "by"), rows)


def _reached(value: Any) -> str:
    """Which planes a change reached, for a setting that has two."""
    if value["key"] not in mirror.KEYS:
        return ""
    if value["planes"] == ["db"]:
        return " (db plane only — mounted brain)" if value["stored"] else " (db plane)"
    return f" ({' + '.join(value['planes'])} plane{'s' if len(value['planes']) > 1 else ''})"
