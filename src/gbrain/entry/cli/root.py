"""The `gbrain` group: knows every command by the catalogue, loads one when it is asked for."""

import os
from importlib import import_module
from keyword import iskeyword
from typing import Any

import click

from gbrain import __version__, registry
from gbrain.catalogue import OPERATIONS
from gbrain.entry.cli.command import Group, unknown_command, usage_error
from gbrain.errors import UnknownTool

COMPLETION = "_GBRAIN_COMPLETE"
"""Set by the shell's completion script when it asks for candidates."""

OWN = {
    "init": ("setup", "Make the brain of this machine, and say how to connect an agent to it"),
    "mounts": ("mounts", "Give other brains a name here: folders, databases, servers"),
    "migrate": ("migrate", "Copy the brain to another store: SQLite to PostgreSQL, or back"),
    "backup": ("backup", "Back the brain up while it is in use, look a backup through, put it back"),
    "serve": ("setup", "Serve the brain to an agent: MCP on stdin and stdout"),
    "ui": ("ui", "Open the viewer: what the brain knows, why, and every move that takes it back"),
    "config": ("config", "Read and change the settings of the brain"),
    "sources": ("sources", "Keep pages and facts apart by source: add, list and change the places they come from"),
    "sync": ("sync", "Bring the brain up to the folders that its pages come from"),
    "extract": ("upkeep", "Read links and timeline out of all pages again"),
    "check-backlinks": ("upkeep", "Find mentions of people and companies that their own pages do not answer"),
    "sweep": ("sweeping", "Bring files, links and dates up to what was written, and check new pages"),
    "turns": ("turns", "What hooks banked of what you said: list it, read it, drop it"),
    "writeback": ("writeback", "Show what would be saved of what you say, before you turn it on"),
    "purge": ("sweeping", "Delete the pages that are past their expiry"),
    "lint": ("upkeep", "List facts on pages that name no source"),
    "watch": ("watching", "Offer what a transcript calls to mind, while it is written"),
    "links": ("links", "List the links that leave a page, or the references that lead to none"),
    "import": ("porting", "Bring in an export, a folder of Markdown, or exported conversations"),
    "export": ("porting", "Write the pages and facts of a source to a folder of files"),
    "skills": ("skills", "Show, install and check skills: texts that tell an agent how to use the brain"),
    "bootstrap": ("bootstrap", "Join the brain to the agents of this machine"),
    "models": ("models", "Choose and try the language models, and say what they cost"),
    "auth": ("auth", "Give programs access over HTTP, and take it away again"),
    "protocol": ("tools", "Show the contract of the verbs, or test a server against it"),
    "demo": ("tools", "Show two agents sharing one memory, on a throw-away brain"),
    "bench": ("bench", "Measure this machine and this brain"),
    "call": ("setup", "Call any operation by name with JSON arguments"),
    "completion": ("setup", "Print the completion script of a shell"),
}
"""Commands that are no operation: the module of each, and its line in the help."""

OF_THEIR_OWN = ("run_doctor",)
"""Operations whose command is declared like all others but must answer where no store can be opened."""

WIDENED = {
    "advisor": "advising",
    "capture": "capturing",
    "forget": "forgetting",
    "log": "following",
    "restore": "restoring",
    "status": "stating",
    "why": "telling",
}
"""Operations whose command does more than call them: the module of each."""

ALIASES = {"link-add": "link", "link-rm": "unlink", "graph-query": "graph"}
"""Older names that still work."""

MEANT = {
    "add": "gbrain remember TEXT --provenance WHERE; for a page: gbrain put SLUG TEXT",
    "uninstall": "gbrain bootstrap harness --remove; that takes it out of your agents, and the brain stays",
}
"""Names that people try, and the commands that do what they mean."""

FIRST = {
    "Start": (
        ("init", "Make the brain of this machine"),
        ("bootstrap harness", "Join it to your agents, after a look at what that writes"),
        ("sources add", "Take in a folder of Markdown"),
        ("import", "Bring in an export, notes or conversations of another program"),
    ),
    "Every day": (
        ("remember", "Save one claim with its origin"),
        ("recall", "Read what is known of someone or something"),
        ("search", "Find pages"),
        ("put", "Write a page"),
        ("forget", "Make a fact no longer hold"),
    ),
    "Look after it": (
        ("status", "See the brain at a glance"),
        ("ui", "Open the viewer in a browser"),
        ("doctor", "Find out what does not work, and what helps"),
        ("backup create", "Keep a copy"),
    ),
}
"""What `gbrain` alone shows."""

EXAMPLES = (
    "gbrain init",
    'gbrain remember "prefers green tea" --provenance "chat, 2031-05-04" --entity "Dana Oakes"',
    'gbrain recall "Dana Oakes"',
)


def by_command() -> dict[str, str]:
    """Command name to operation name, verbs first."""
    return {entry.cli: name for name, entry in OPERATIONS.items() if entry.cli is not None}


class Root(Group):
    """All commands, none of them loaded."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Operations in the order of the catalogue, then the commands that are none."""
        return [*by_command(), *OWN]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, loaded now."""
        name = ALIASES.get(cmd_name, cmd_name)
        if name in OWN:
            attribute = f"{name}_" if iskeyword(name) else name.replace("-", "_")
            # One command a process: none of the others is loaded.
            made: click.Command = getattr(import_module(f"gbrain.entry.cli.{OWN[name][0]}"), attribute)
            return made
        operation = registry.find(by_command().get(name, ""))
        if operation is None:
            return None
        if name in WIDENED:
            # As above: one command a process.
            widened: click.Command = getattr(import_module(f"gbrain.entry.cli.{WIDENED[name]}"), name)
            return widened
        # Commands that are no operation do without it.
        from gbrain.entry.cli.derive import command_of

        if operation.name not in OF_THEIR_OWN:
            return command_of(operation)
        # As above: one command a process.
        run = getattr(import_module("gbrain.entry.cli.tools"), name)
        return command_of(operation, run, sourced=False)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named; raises UnknownTool with the nearest name."""
        if args[:2] == ["search", "diagnose"] and len(args) > 2:
            args = args[1:]
        known = self.list_commands(ctx)
        if args and not args[0].startswith("-") and ALIASES.get(args[0], args[0]) not in known:
            if args[0] in MEANT:
                raise UnknownTool(f"gbrain has no command {args[0]!r}", f"run: {MEANT[args[0]]}")
            error = unknown_command(ctx, args[0], known)
            raise UnknownTool(error.message, error.suggestion)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """The commands that begin so, with their lines from the catalogue, or the options of the group."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        # Only a shell that completes a line needs it.
        from click.shell_completion import CompletionItem

        lines = {entry.cli: entry.summary for entry in OPERATIONS.values() if entry.cli}
        lines |= {name: summary for name, (_, summary) in OWN.items()}
        return [CompletionItem(name, help=line) for name, line in lines.items() if name.startswith(incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Every command with its line, by subject; nothing is imported for it."""
        verbs = [(entry.cli, entry.summary) for entry in OPERATIONS.values() if entry.cli and entry.surface == "verbs"]
        rest = [(entry.cli, entry.summary) for entry in OPERATIONS.values() if entry.cli and entry.surface != "verbs"]
        own = [(name, summary) for name, (_, summary) in OWN.items()]
        for title, rows in (("Memory", verbs), ("Pages and what is in the brain", sorted(rest)), ("This machine", own)):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def _show_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value:
        click.echo(f"gbrain {__version__}")
        ctx.exit()


ROOT = Root(
    "gbrain",
    help="A memory that lasts, for AI agents. `gbrain COMMAND --help` shows the options and examples of a command.",
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_version,
            help="Print the version and exit.",
        ),
        click.Option(
            ["--brain"],
            metavar="NAME",
            help="Use this brain: the name of a mount (`gbrain mounts list`), or host. Also after the command.",
        ),
    ],
    subcommand_metavar="COMMAND ...",
    examples=EXAMPLES,
)


def _first() -> str:
    """The dozen commands that a person needs, and how to see the others."""
    shown = click.HelpFormatter(width=80)
    shown.write("A memory that lasts, for AI agents.\n")
    for title, rows in FIRST.items():
        with shown.section(title):
            shown.write_dl([(f"gbrain {name}", line) for name, line in rows])
    count = len(ROOT.list_commands(click.Context(ROOT)))
    shown.write(f"\n  gbrain --help lists all {count} commands, and gbrain COMMAND --help what one takes.\n")
    return shown.getvalue()


def run(arguments: list[str], brain: str | None = None) -> int:
    """Run one command line for a brain of this name; returns its exit code or raises BrainError."""
    if COMPLETION in os.environ:
        # Only a shell that completes a line needs it.
        from click.shell_completion import shell_complete

        return shell_complete(ROOT, {}, "gbrain", COMPLETION, os.environ[COMPLETION])
    if not arguments:
        click.echo(_first(), nl=False)
        return 0
    given = ["--version"] if arguments == ["version"] else list(arguments)
    if given[0] == "help":
        given = [*given[1:], "--help"]
    try:
        named = [] if brain is None else [f"--brain={brain}"]
        with ROOT.make_context("gbrain", [*named, *given]) as ctx:
            code = ROOT.invoke(ctx)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        raise usage_error(error, given) from None
    return code if isinstance(code, int) else 0
