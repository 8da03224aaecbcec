"""`gbrain links SLUG`, and `gbrain links unresolved`: a slug may stand where a command would."""

import click

from gbrain import registry
from gbrain.entry.cli.command import Command, Group
from gbrain.entry.cli.derive import command_of

_OPERATIONS = {"of": "get_links", "unresolved": "list_unresolved_links"}


class Links(Group):
    """The commands on the links that leave pages; anything that is none of them is the slug of a page."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named, else `of` with all that was given."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            return "of", self.commands["of"], args
        return super().resolve_command(ctx, args)


def _commands() -> list[Command]:
    found = [(name, registry.find(operation)) for name, operation in _OPERATIONS.items()]
    return [command_of(operation, path=f"links {name}") for name, operation in found if operation]


links = Links(
    "links",
    commands=_commands(),
    help="List the links that leave a page, or the references that lead to none.\n\n`gbrain links SLUG` is short for"
    " `gbrain links of SLUG`.",
    subcommand_metavar="SLUG|COMMAND ...",
    examples=("gbrain links people/dana-oakes", "gbrain links unresolved"),
)
