"""`gbrain why`: the story of a fact by its id, or of a hit or an offered line by its page."""

import re
from typing import Any

import click

from gbrain import registry
from gbrain.entry.cli.derive import command_of, invoke

FACT = re.compile(r"(?:#|id=)?\d+", re.ASCII)
MARK = re.compile(r"\[([a-z0-9-]+:[^\]\s]+)\]")
"""How an offered line names its page."""


def _why(given: dict[str, Any]) -> int:
    about = str(given.get("id") or given.get("id__option") or "").strip()
    operation = registry.find("why")
    assert operation is not None
    if not about or FACT.fullmatch(about):
        return invoke(operation, given, "why")
    found = MARK.search(about)
    given = {**given, "slug": found[1] if found else about.strip("[]")}
    for name in ("id", "id__option"):
        given.pop(name, None)
    operation = registry.find("why_page")
    assert operation is not None
    return invoke(operation, given, "why")


def _made() -> click.Command:
    operation = registry.find("why")
    assert operation is not None
    command = command_of(operation, _why)
    command.help = (
        f"{command.help}\n\nIn place of an id it takes the page of a hit, or an offered line as it stands: then it"
        " tells what ranks the page for a query, what offers it, and who has read it."
    )
    command.examples = (*operation.examples, 'gbrain why people/dana-oakes --query "who surveys lighthouses"')
    return command


why = _made()
