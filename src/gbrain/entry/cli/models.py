"""`gbrain models`: one name for the operations on language models."""

from gbrain import registry
from gbrain.entry.cli.command import Command, Group
from gbrain.entry.cli.derive import command_of


def _commands() -> list[Command]:
    names = ("list", "set", "test", "unset", "price")
    found = [(name, registry.find(f"models_{name}")) for name in names]
    return [command_of(operation, path=f"models {name}", sourced=False) for name, operation in found if operation]


models = Group(
    "models",
    commands=_commands(),
    help="Choose and try the language models, and say what they cost. Without one set, none is ever called.",
    examples=("gbrain models set openai:gpt-5-mini", "gbrain models list", "gbrain models test"),
)
