"""`gbrain bootstrap`: joins the brain to the agents of this machine."""

from gbrain.entry.cli.command import Group
from gbrain.entry.cli.harness import harness
from gbrain.entry.cli.workspace import contract, interview

bootstrap = Group(
    "bootstrap",
    help="Join the brain to the agents of this machine.",
    examples=("gbrain bootstrap harness --harness claude-code --yes", "gbrain bootstrap harness --status"),
    commands=[harness, contract, interview],
)
