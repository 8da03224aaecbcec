"""`gbrain capture`: with `--quiet` a script is told the slug and nothing else."""

from typing import Any

import click

from gbrain import registry
from gbrain.entry.cli.command import Option
from gbrain.entry.cli.derive import command_of, invoke


def _made() -> click.Command:
    operation = registry.find("capture")
    assert operation is not None

    def run(given: dict[str, Any]) -> int:
        return invoke(operation, given, "capture", quiet=given.pop("quiet"))

    command = command_of(operation, run)
    command.params[-1:-1] = [Option(["--quiet", "-q"], is_flag=True, help="Write the slug alone.")]
    return command


capture = _made()
