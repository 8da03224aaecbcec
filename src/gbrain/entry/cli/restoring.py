"""`gbrain restore`: a deleted page by its slug, or with `#ID` a fact that has ended."""

import re
from typing import Any

import click

from gbrain import registry
from gbrain.entry.cli.command import Option
from gbrain.entry.cli.derive import command_of, invoke
from gbrain.errors import InvalidParams, NotFound

FACT = re.compile(r"#\d+", re.ASCII)


def _restore(given: dict[str, Any]) -> int:
    slug = str(given.get("slug") or "").strip()
    name = "restore_fact" if FACT.fullmatch(slug) else "restore_page"
    if name == "restore_fact":
        given = {**given, "id": slug}
        given.pop("slug")
    elif given.pop("reason", None) is not None:
        raise InvalidParams("--reason is for a fact", "run: gbrain restore '#ID' --reason TEXT, or leave it out")
    operation = registry.find(name)
    assert operation is not None
    try:
        return invoke(operation, given, "restore")
    except NotFound as error:
        if slug.isascii() and slug.isdigit():
            error.suggestion = f"for a fact, run: gbrain restore '#{slug[:20]}'"
        raise


def _made() -> click.Command:
    operation = registry.find("restore_page")
    assert operation is not None
    command = command_of(operation, _restore)
    command.help = f"{command.help}\n\nA fact that was forgotten, replaced or has lapsed comes back by its id: '#12'."
    command.params[-1:-1] = [Option(["--reason"], metavar="TEXT", help="With a fact: why, in a few words.")]
    return command


restore = _made()
