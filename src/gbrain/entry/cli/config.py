"""`gbrain config`: one name for the four operations on settings."""

from gbrain import registry
from gbrain.entry.cli.command import Command, Group
from gbrain.entry.cli.derive import command_of
from gbrain.settings import SETTINGS

_EXAMPLE = SETTINGS[0]


def _commands() -> list[Command]:
    names = ("list", "get", "set", "unset")
    found = [(name, registry.find(f"config_{name}")) for name in names]
    return [command_of(operation, path=f"config {name}", sourced=False) for name, operation in found if operation]


config = Group(
    "config",
    commands=_commands(),
    help="Read and change the settings of the brain. A change holds for servers that already run.",
    examples=("gbrain config list", f"gbrain config set {_EXAMPLE.key} {_EXAMPLE.choices[0]}"),
)
