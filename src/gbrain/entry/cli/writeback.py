"""`gbrain writeback`: what ambient memory would do, before it is turned on."""

from gbrain import registry
from gbrain.entry.cli.command import Command, Group
from gbrain.entry.cli.derive import command_of


def _commands() -> list[Command]:
    operation = registry.find("writeback_preview")
    return [command_of(operation, path="writeback preview", sourced=False)] if operation else []


writeback = Group(
    "writeback",
    commands=_commands(),
    help="Try ambient memory out: see what it would save of what you say, before anything is saved.",
    examples=("gbrain config set memory.auto_writeback_shadow on", "gbrain writeback preview"),
)
