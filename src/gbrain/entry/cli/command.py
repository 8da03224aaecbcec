"""The shape all commands share: arguments before options, documented arguments, examples, errors of our tree."""

from collections.abc import Sequence
from typing import Any

import click

from gbrain.entry.cli.spelling import shell_word
from gbrain.errors import BrainError, InvalidParams
from gbrain.settings import nearest

SETTINGS = {"max_content_width": 100, "help_option_names": ["-h", "--help"]}

LONGEST_HINT = 200
"""A command line that is longer is not written out again as a hint."""


class Positional(click.Argument):
    """An argument with a description."""

    def __init__(self, name: str, doc: str, *, must: bool, metavar: str | None = None, **attrs: Any) -> None:
        shown = metavar or name.upper()
        # A missing one is refused by the check of the operation, whose message says what to type.
        super().__init__([name], required=False, metavar=shown if must else f"[{shown}]", **attrs)
        self.doc = doc


class Option(click.Option):
    """An option that never takes the next option for its value."""

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """The value; raises BadParameter when it was forgotten, as in `--provenance --json`."""
        names = {name for param in ctx.command.params for name in param.opts}
        given = value if isinstance(value, list | tuple) else (value,)
        # click itself would take `--json` for the value, and store it.
        if not self.is_flag and any(isinstance(item, str) and item in names for item in given):
            raise click.BadParameter("it needs a value", ctx=ctx, param=self)
        return super().process_value(ctx, value)


class Command(click.Command):
    """A command whose help ends with examples."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **attrs: Any) -> None:
        attrs.setdefault("context_settings", SETTINGS)
        super().__init__(*args, **attrs)
        self.examples = tuple(examples)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click reads them; an error of its parser learns which command it belongs to."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Arguments first, as they are usually typed."""
        arguments = [piece for param in self.params for piece in param.get_usage_pieces(ctx)]
        return [*arguments, self.options_metavar or ""]

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Arguments are written with the options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Arguments with their descriptions, then options."""
        found = [(param.make_metavar(ctx), param.doc) for param in self.params if isinstance(param, Positional)]
        if found:
            with formatter.section("Arguments"):
                formatter.write_dl(found)
        options = [record for param in self.get_params(ctx) if (record := option_record(param, ctx))]
        with formatter.section("Options"):
            formatter.write_dl(options)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples."""
        write_examples(formatter, self.examples)


def json_option() -> Option:
    """The `--json` that every command has."""
    return Option(["--json", "as_json"], is_flag=True, help="Write the answer as JSON.")


def option_record(param: click.Parameter, ctx: click.Context) -> tuple[str, str] | None:
    """How the help shows an option; None for arguments and hidden options."""
    return param.get_help_record(ctx) if isinstance(param, click.Option) else None


def write_examples(formatter: click.HelpFormatter, examples: Sequence[str]) -> None:
    """Write commands as they are: a wrapped one could not be copied."""
    if examples:
        with formatter.section("Examples" if len(examples) > 1 else "Example"):
            for example in examples:
                formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


class Group(click.Group):
    """Commands under one name, such as `gbrain config`."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **attrs: Any) -> None:
        attrs.setdefault("context_settings", SETTINGS)
        super().__init__(*args, **attrs)
        self.examples = tuple(examples)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command an argument names; raises InvalidParams with the nearest name."""
        # Before click does: its error has no nearest name.
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise unknown_command(ctx, args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples."""
        write_examples(formatter, self.examples)


def unknown_command(ctx: click.Context, name: str, known: list[str]) -> BrainError:
    """The error for a command that does not exist."""
    near = nearest(name[:64], known)
    hint = f"did you mean: {ctx.command_path} {near}" if near else f"run: {ctx.command_path} --help"
    return InvalidParams(f"{ctx.command_path} has no command {name[:64]!r}", hint)


def usage_error(error: click.ClickException, given: Sequence[str] = ()) -> BrainError:
    """An error of the command line `given` as one of our tree, with what to type instead."""
    ctx = getattr(error, "ctx", None)
    path = ctx.command_path if ctx is not None else "gbrain"
    help_line = f"run: {path} --help"
    if isinstance(error, click.NoSuchOption):
        return InvalidParams(f"{path} has no option {error.option_name[:64]}", _option_hint(error, path, given))
    if isinstance(error, click.BadOptionUsage):
        return InvalidParams(f"{path}: {_sentence(error.message)}", help_line)
    if isinstance(error, click.BadParameter) and error.param is not None:
        given = error.param.opts[-1] if isinstance(error.param, click.Option) else error.param.human_readable_name
        return InvalidParams(f"{path} {given}: {_sentence(error.message)}", help_line)
    if error.message.startswith("Got unexpected extra argument"):
        return InvalidParams(
            f"{path} was given more than it takes: {_sentence(error.message)}",
            f"put quotes around a text of several words; {help_line}",
        )
    return InvalidParams(f"{path}: {_sentence(error.format_message())}", help_line)


def _option_hint(error: click.NoSuchOption, path: str, given: Sequence[str]) -> str:
    option = error.option_name
    if not option.startswith("--") or " " in option:
        return _dash_hint(option, path, given)
    known = [name for param in error.ctx.command.params for name in param.opts] if error.ctx else []
    options = [name for name in [*known, "--help"] if name.startswith("--")]
    # A beginning that stops at a dash is meant more surely than a name that merely looks alike.
    near = next((name for name in options if name.startswith(f"{option}-")), None) or nearest(option[:64], options)
    return f"did you mean {near}? run: {path} --help" if near else f"run: {path} --help"


def _dash_hint(option: str, path: str, given: Sequence[str]) -> str:
    """The same command line with its text that begins with a dash where it is taken for a text."""
    at = next((at for at, word in enumerate(given) if word.startswith(option)), None)
    text = given[at] if at is not None else ""
    if at is None or not (" " in text or text[1:2].isdigit()):
        return f"run: {path} --help; a text that begins with a dash goes last, after --"
    words = [shell_word(word) for word in [*given[:at], *given[at + 1 :]]]
    line = " ".join(["gbrain", *words, "--", shell_word(text)])
    if len(line) > LONGEST_HINT or not line.isprintable():
        line = f"{path} [OPTIONS] -- TEXT"
    return f"write -- before a text that begins with a dash: {line}"


def _sentence(message: str) -> str:
    text = " ".join(message.split()).removesuffix(".")
    return text[:1].lower() + text[1:]
