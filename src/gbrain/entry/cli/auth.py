"""`gbrain auth`: one name for the operations on who may ask over the network."""

from gbrain import registry
from gbrain.entry.cli.command import Command, Group
from gbrain.entry.cli.derive import command_of


def _commands() -> list[Command]:
    names = ("create", "list", "revoke", "rescope", "register", "approve")
    found = [(name, registry.find(f"auth_{name}")) for name in names]
    return [command_of(operation, path=f"auth {name}", sourced=False) for name, operation in found if operation]


auth = Group(
    "auth",
    commands=_commands(),
    help="Give programs access over HTTP, and take it away again. A change holds from the next call on.",
    examples=("gbrain auth create laptop", "gbrain auth list", "gbrain auth revoke laptop"),
)
