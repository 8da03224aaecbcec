"""`gbrain restore`: a deleted page by its slug, or by its id a fact that has ended."""

import re
from typing import Any

import click

from gbrain import registry
from gbrain.entry.cli.command import Option
from gbrain.entry.cli.derive import command_of, invoke
from gbrain.errors import InvalidParams, NotFound

FACT = re.compile(r"(?:#|id=)\d+", re.ASCII)


def _restore(given: dict[str, Any]) -> int:
    slug = str(given.get("slug") or "").strip()
    if FACT.fullmatch(slug):
        return _fact(given, slug)
    # A bare number is a page's slug first, as a note may be called "2031".
    number = slug.isascii() and slug.isdigit()
    of_page = {name: value for name, value in given.items() if name != "reason"}
    if given.get("reason") is not None and not number:
        raise InvalidParams("--reason is for a fact", "run: gbrain restore '#ID' --reason TEXT, or leave it out")
    operation = registry.find("restore_page")
    assert operation is not None
    try:
        return invoke(operation, of_page, "restore")
    except NotFound:
        if not number:
            raise
    return _fact(given, slug)


def _fact(given: dict[str, Any], id: str) -> int:
    operation = registry.find("restore_fact")
    assert operation is not None
    return invoke(operation, {**{name: value for name, value in given.items() if name != "slug"}, "id": id}, "restore")


def _made() -> click.Command:
    operation = registry.find("restore_page")
    assert operation is not None
    command = command_of(operation, _restore)
    command.help = f"{command.help}\n\nA fact that was forgotten or replaced comes back by its id: '#12'."
    command.params[-1:-1] = [Option(["--reason"], metavar="TEXT", help="With a fact: why, in a few words.")]
    return command


restore = _made()
