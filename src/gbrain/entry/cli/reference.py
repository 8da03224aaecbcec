"""The reference page of the command line, read off the commands themselves."""

from collections.abc import Iterator

import click

from gbrain.entry.cli.command import Command, Group, Positional
from gbrain.entry.cli.root import ALIASES, ROOT

_HEAD = """# Commands

Generated from the code by `make docs`; edits here are lost.

Every command has `--help` (`-h`), and `--json` for programs. Without `--json` it writes the same text into a pipe
as on a terminal, without colours and with tables as tab-separated lines.
Errors go to stderr in two lines, what is wrong and what to do; exit codes are listed in [errors](errors.md).
The brain is the one of `$GBRAIN_HOME/.gbrain`, else of `~/.gbrain`, unless `--brain NAME` or something else chooses
another: [use several brains](../how-to/use-several-brains.md).
"""


def commands() -> Iterator[tuple[str, click.Command, click.Context]]:
    """Every command with its full name, those of groups after their group."""
    with click.Context(ROOT, info_name="gbrain") as top:
        for name in ROOT.list_commands(top):
            command = ROOT.get_command(top, name)
            if command is not None:
                yield from _with_children(f"gbrain {name}", command, top)


def _with_children(
    path: str, command: click.Command, parent: click.Context
) -> Iterator[tuple[str, click.Command, click.Context]]:
    with click.Context(command, parent=parent, info_name=path.rsplit(" ", 1)[-1]) as ctx:
        yield path, command, ctx
        if isinstance(command, click.Group):
            for name in command.list_commands(ctx):
                child = command.get_command(ctx, name)
                if child is not None:
                    yield from _with_children(f"{path} {name}", child, ctx)


def cli_page() -> str:
    """`docs/reference/cli.md`."""
    lines = [_HEAD]
    for path, command, ctx in commands():
        lines += [f"## {path}", "", " ".join((command.help or "").split("\n\n")[0].split()), ""]
        pieces = " ".join(piece for piece in command.collect_usage_pieces(ctx) if piece)
        lines += ["```text", f"{path} {pieces}".rstrip(), "```", ""]
        rows = [_row(param, ctx) for param in command.params]
        if any(rows):
            lines += ["| argument or option | meaning |", "|---|---|", *(row for row in rows if row), ""]
        if isinstance(command, Command | Group) and command.examples:
            lines += ["```sh", *command.examples, "```", ""]
    lines.append("Other spellings: " + ", ".join(f"`{old}` is `{new}`" for old, new in ALIASES.items()) + ".")
    return "\n".join(lines) + "\n"


def _row(param: click.Parameter, ctx: click.Context) -> str:
    if isinstance(param, Positional):
        return f"| `{param.make_metavar(ctx)}` | {_cell(param.doc)} |"
    if not isinstance(param, click.Option) or param.hidden:
        return ""
    names = ", ".join([*param.opts, *param.secondary_opts])
    value = "" if param.is_flag else f" {param.make_metavar(ctx)}"
    return f"| `{_cell(names + value)}` | {_cell(param.help or '')} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
