"""`gbrain status`: the brain at a glance, with what the doctor finds at once."""

from typing import Any

import click

from gbrain import registry
from gbrain.entry.cli import render, screen
from gbrain.entry.cli.derive import arguments_of, command_of
from gbrain.types import Caller


def _status(given: dict[str, Any]) -> int:
    # The checks load much that no other command needs.
    from gbrain.doctor.frame import report

    operation = registry.find("status")
    assert operation is not None
    as_json = given.pop("as_json")
    arguments = arguments_of(operation, given, "status")
    with screen.opened(given.get("brain_source"), as_json=as_json) as brain:
        value = brain.ask(Caller.local("cli"), "status", arguments).value
    found = report(None, True, screen.asked_brain())
    issues = [{"name": row["name"], "message": row["message"]} for row in found["top_issues"]]
    value = {**value, "health": {"status": found["status"], "issues": issues}}
    if as_json:
        screen.write_json(value)
    else:
        render.show("status", value, arguments)
    return 0


def _made() -> click.Command:
    operation = registry.find("status")
    assert operation is not None
    return command_of(operation, _status)


status = _made()
