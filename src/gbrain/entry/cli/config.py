"""`gbrain config`: one name for the operations on settings."""

from typing import Any

import click

from gbrain import registry
from gbrain.entry.cli.command import Command, Group, Option
from gbrain.entry.cli.derive import command_of, invoke
from gbrain.errors import InvalidParams
from gbrain.settings import SETTINGS

_EXAMPLE = SETTINGS[0]


class SettingName(click.ParamType):  # type: ignore[type-arg]
    """The name of a setting, which the shell can complete. The operation itself tells of an unknown one."""

    name = "setting"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """The settings whose names begin so."""
        # Only a shell that completes a line needs it.
        from click.shell_completion import CompletionItem

        return [CompletionItem(item.key, help=item.doc) for item in SETTINGS if item.key.startswith(incomplete)]


def _commands() -> list[Command]:
    instead = {"unset": _unset}
    names = ("list", "get", "set", "unset")
    found = [(name, registry.find(f"config_{name}")) for name in names]
    made = [
        command_of(operation, instead.get(name), path=f"config {name}", sourced=False)
        for name, operation in found
        if operation
    ]
    for command in made:
        for param in command.params:
            if param.name == "key":
                param.type = SettingName()
    made[-1].params[-1:-1] = [
        Option(["--pattern"], metavar="PREFIX", help="In place of a KEY: every setting whose name begins so.")
    ]
    return made


def _unset(given: dict[str, Any]) -> int:
    prefix = given.pop("pattern")
    name = "config_unset" if prefix is None else "unset_settings"
    operation = registry.find(name)
    assert operation is not None
    if prefix is not None:
        if any(value for key, value in given.items() if key != "as_json"):
            raise InvalidParams(
                "a setting and --pattern are both given", "leave out one; run: gbrain config unset --help"
            )
        given = {"prefix": prefix, "as_json": given["as_json"]}
    return invoke(operation, given, "config unset")


config = Group(
    "config",
    commands=_commands(),
    help="Read and change the settings of the brain. A change holds for servers that already run.",
    examples=("gbrain config list", f"gbrain config set {_EXAMPLE.key} {_EXAMPLE.choices[0]}"),
)
