"""`gbrain log`: what happened lately, and with --follow what happens."""

import time
from typing import Any

import click

from gbrain import registry
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Option
from gbrain.entry.cli.derive import command_of, invoke
from gbrain.entry.cli.status_texts import event
from gbrain.types import Caller

EVERY_SECONDS = 0.5
OVERLAP = "10s ago"
"""How far back each look goes: a write that takes long bears the moment at which it began."""


def _log(given: dict[str, Any]) -> int:
    follow = given.pop("follow")
    operation = registry.find("activity")
    assert operation is not None
    if not follow:
        return invoke(operation, given, "log")
    as_json = given["as_json"]
    caller, seen = Caller.local("cli"), set[tuple[str, ...]]()
    arguments = {"since": given.get("since") or "1h ago", "limit": int(given.get("limit") or 20)}
    with screen.opened(given.get("brain_source"), as_json=as_json) as brain:
        try:
            while True:
                for one in brain.ask(caller, "activity", arguments).value["events"]:
                    key = (one["at"], one["what"], one["id"])
                    if key in seen:
                        continue
                    seen.add(key)
                    screen.write(screen.json_line(one) if as_json else event(screen.harmless(one), screen.paint()))
                arguments = {"since": OVERLAP, "limit": 1000}
                time.sleep(EVERY_SECONDS)
        except KeyboardInterrupt:
            return 0


def _made() -> click.Command:
    operation = registry.find("activity")
    assert operation is not None
    command = command_of(operation, _log)
    command.params[-1:-1] = [
        Option(["--follow", "-f"], is_flag=True, help="Go on, a line for each thing that happens.")
    ]
    return command


log = _made()
