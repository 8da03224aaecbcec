"""`gbrain sources`: one name for the operations on the named places of a brain."""

from gbrain import registry
from gbrain.entry.cli.command import Command, Group
from gbrain.entry.cli.derive import command_of


def _commands() -> list[Command]:
    names = ("add", "list", "current", "rename", "remove", "federate", "unfederate", "default", "language")
    found = [(name, registry.find(f"sources_{name}")) for name in names]
    return [
        command_of(operation, path=f"sources {name}", sourced=name == "current")
        for name, operation in found
        if operation
    ]


sources = Group(
    "sources",
    commands=_commands(),
    help="The named places of the brain: each with pages and facts of its own, and a folder of Markdown or none.",
    examples=("gbrain sources add work --path .", "gbrain sources list"),
)
