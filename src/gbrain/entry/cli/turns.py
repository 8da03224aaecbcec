"""`gbrain turns`: one name for the operations on what capture hooks banked."""

from gbrain import registry
from gbrain.entry.cli.command import Command, Group
from gbrain.entry.cli.derive import command_of


def _commands() -> list[Command]:
    found = [(name, registry.find(f"turns_{name}")) for name in ("list", "show", "drop", "retry")]
    return [command_of(operation, path=f"turns {name}", sourced=False) for name, operation in found if operation]


turns = Group(
    "turns",
    commands=_commands(),
    help="What capture hooks banked of what you said, and what became of it. It lies in your home, and goes after"
    " thirty days.",
    examples=("gbrain turns list", "gbrain turns list --state waiting --json"),
)
