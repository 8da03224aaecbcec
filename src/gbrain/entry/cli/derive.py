"""A command from the declaration of its operation: arguments, options, the call, the answer."""

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import click

from gbrain.bars import bar
from gbrain.entry.cli import render, screen
from gbrain.entry.cli.command import Command, Option, Positional
from gbrain.entry.cli.spelling import spelled
from gbrain.errors import BrainError, InvalidParams
from gbrain.registry import WRITING, Operation
from gbrain.schema import ParamSpec
from gbrain.types import Caller

ALSO = {
    "as_of": "--asof",
    "session_id": "--session",
    "source_id": "--source",
    "link_type": "--type",
    "include_pending": "--pending",
    "sources": "--source",
    "slugs": "--slug",
    "redirect_uris": "--redirect-uri",
    "confirm_destructive": "--yes",
}
"""Second spellings of an option."""

CONTENT = "content"
"""A parameter of this name can also be read from a file or from stdin."""

ENV_SESSION = "CLAUDE_CODE_SESSION_ID"

_AS_OPTION = "__option"


class Number(click.ParamType):  # type: ignore[type-arg]
    """A number, whole where it is written so."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | float:
        """The number of a text."""
        try:
            return int(value)
        except ValueError:
            pass
        try:
            return float(value)
        except ValueError:
            self.fail(f"{str(value)[:64]!r} is not a number", param, ctx)


class Object(click.ParamType):  # type: ignore[type-arg]
    """A JSON object given as one word; anything else ends the command with a usage error."""

    name = "json"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, Any]:
        """The object of a text."""
        try:
            found = json.loads(value)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            self.fail("it is not a JSON object", param, ctx)
        return found


def command_of(
    operation: Operation,
    run_instead: Callable[[dict[str, Any]], int] | None = None,
    *,
    path: str | None = None,
    sourced: bool = True,
) -> Command:
    """The command of one operation; `run_instead` answers in place of the call.

    `path` is what stands after `gbrain`, where the declaration does not say it. Without `sourced` the operation
    is about the whole brain and takes no source.
    """
    words = path or operation.cli or operation.name

    def run(**given: Any) -> int:
        return run_instead(given) if run_instead is not None else invoke(operation, given, words)

    required = [f"--{_kebab(param.name)} {_metavar(param)}" for param in _required_options(operation)]
    return Command(
        words.split()[-1],
        params=[*_params(operation), *_common(operation, sourced=sourced)],
        callback=run,
        help="\n\n".join(text for text in (operation.summary, operation.details) if text),
        options_metavar=" ".join([*required, "[OPTIONS]"]),
        examples=operation.examples,
    )


def invoke(operation: Operation, given: dict[str, Any], words: str, **told: Any) -> int:
    """Call the operation with what the command line `gbrain WORDS ...` gave, and write its answer.

    `told` is for the text of the answer alone, beside the arguments. Raises BrainError as the operation does, and
    InvalidParams for a text that was given in two ways.
    """
    as_json = given.pop("as_json")
    source = given.pop("brain_source", None)
    arguments = arguments_of(operation, given, words)
    with screen.opened(source, as_json=as_json) as brain, bar(shown=not as_json) as progress:
        caller = Caller.local("cli")
        session = os.environ.get(ENV_SESSION) or None
        try:
            reply = brain.ask(caller, operation.name, arguments, session=session, progress=progress)
        except BrainError as error:
            if not as_json:
                error.suggestion = spelled(error.suggestion, spellings(operation))
            raise
        beside = {} if as_json else render.beside(brain, caller, operation.name, arguments, reply)
    if as_json:
        screen.write_json(reply.value)
    else:
        render.show(operation.name, reply.value, {**arguments, **reply.meta, **beside, **told})
    for warning in reply.warnings:
        screen.note(f"note: {warning['message']}")
    return 0


def spellings(operation: Operation) -> dict[str, str]:
    """The option of each parameter that has one."""
    return {param.name: f"--{_kebab(param.name)}" for param in operation.params if _has_option(operation, param)}


def arguments_of(operation: Operation, given: dict[str, Any], words: str) -> dict[str, Any]:
    """The operation's arguments; raises InvalidParams for a missing one, before any store is opened."""
    arguments: dict[str, Any] = {"dry_run": True} if given.get("dry_run") else {}
    for param in operation.params:
        value = given.get(param.name)
        other = given.get(param.name + _AS_OPTION)
        if value not in (None, ()) and other not in (None, ()):
            name = param.name.upper()
            raise InvalidParams(f"{name} is given twice", f"leave out either {name} or --{_kebab(param.name)}")
        value = other if value in (None, ()) else value
        if param.name == CONTENT:
            value = content_of(words, value, given.get("file"), bool(given.get("stdin")))
        if value in (None, ()):
            if param.required:
                raise _missing(operation, param, words)
            continue
        arguments[param.name] = list(value) if isinstance(value, tuple) else value
    return arguments


def content_of(words: str, given: str | None, path: str | None, stdin: bool) -> str | None:
    """A text from the command line, a file or stdin, byte for byte; raises InvalidParams where it is not UTF-8."""
    if given == "-":
        given, stdin = None, True
    if (given is not None) + (path is not None) + stdin > 1:
        raise InvalidParams("the text is given twice", "give it once: as an argument, with --file, or on stdin")
    if given is not None:
        return given
    if path is not None:
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as error:
            raise InvalidParams(
                f"the file cannot be read: {error.strerror or error}",
                f"run: gbrain {words} --file with a file you may read",
            ) from None
    elif stdin or (sys.stdin is not None and not sys.stdin.isatty()):
        data = sys.stdin.buffer.read()
    else:
        return None
    if not data and path is None and not stdin:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidParams(
            f"the text is not UTF-8: byte {error.start + 1:,} does not fit",
            f"convert it first: iconv -f latin1 -t utf-8 FILE | gbrain {words} ...",
        ) from None


def _missing(operation: Operation, param: ParamSpec, words: str) -> InvalidParams:
    positional = param.name in operation.positional
    shown = param.name.upper() if positional else f"--{_kebab(param.name)}"
    if param.name == CONTENT:
        return InvalidParams(
            f"gbrain {words} was given no text",
            f"pipe it in, or run: gbrain {words} with --content TEXT or --file FILE",
        )
    return InvalidParams(f"gbrain {words} needs {shown}", f"run: gbrain {words} --help")


def _required_options(operation: Operation) -> list[ParamSpec]:
    return [
        param
        for param in operation.params
        if param.required and param.name not in operation.positional and param.name != CONTENT
    ]


def _params(operation: Operation) -> list[click.Parameter]:
    made: list[click.Parameter] = []
    taken = {f"--{_kebab(param.name)}" for param in operation.params}
    positional = [param for name in operation.positional for param in operation.params if param.name == name]
    for param in positional:
        must = param.required and param.name != CONTENT
        count = -1 if param.kind == "array" else 1
        made.append(Positional(param.name, _doc(param), must=must, type=_type(param), nargs=count))
    for param in operation.params:
        if param not in positional:
            made.append(_option(param, param.name, taken))
        elif _has_option(operation, param):
            hidden = param.required and param.name != CONTENT
            made.append(_option(param, param.name + _AS_OPTION, taken, hidden=hidden))
    if any(param.name == CONTENT for param in operation.params):
        made.append(Option(["--file", "file"], metavar="FILE", help="Read the text from this file."))
        made.append(Option(["--stdin", "stdin"], is_flag=True, help="Read the text from stdin."))
    return made


def _has_option(operation: Operation, param: ParamSpec) -> bool:
    """Several required positionals are a sentence, whose parts have no options of their own."""
    return (
        param.name not in operation.positional
        or len(operation.positional) == 1
        or not param.required
        or param.name == CONTENT
    )


def _common(operation: Operation, *, sourced: bool) -> list[click.Parameter]:
    names = [param.name for param in operation.params]
    made: list[click.Parameter] = []
    if sourced and "source_id" not in names:
        spelling = "--source-id" if "source" in names else "--source"
        made.append(Option([spelling, "brain_source"], metavar="SOURCE", help="Use this source of the brain."))
    if operation.scope in WRITING and "dry_run" not in names:
        made.append(Option(["--dry-run", "dry_run"], is_flag=True, help="Check the call; change nothing."))
    made.append(Option(["--json", "as_json"], is_flag=True, help="Write the answer as JSON."))
    return made


def _option(param: ParamSpec, name: str, taken: set[str], *, hidden: bool = False) -> Option:
    flag = f"--{_kebab(param.name)}"
    second = ALSO.get(param.name)
    names = [flag, *([second] if second and second not in taken else [])]
    if param.kind == "boolean":
        return Option([f"{flag}/--no-{_kebab(param.name)}", *names[1:], name], default=None, help=_doc(param))
    return Option(
        [*names, name],
        type=_type(param),
        multiple=param.kind == "array",
        default=None,
        hidden=hidden,
        metavar=None if param.choices else _metavar(param),
        help=_doc(param),
    )


def _type(param: ParamSpec) -> Any:
    if param.choices:
        return click.Choice(param.choices)
    types = {"number": Number(), "integer": click.INT, "object": Object(), "boolean": click.BOOL}
    return types.get(param.kind, click.STRING)


def _doc(param: ParamSpec) -> str:
    notes = [param.doc]
    if param.required and param.name != CONTENT:
        notes.append("[required]")
    elif param.default is not None and param.kind != "boolean":
        notes.append(f"[default: {param.default:g}]" if param.kind == "number" else f"[default: {param.default}]")
    return " ".join(note for note in notes if note)


def _metavar(param: ParamSpec) -> str:
    return {"number": "NUMBER", "integer": "NUMBER", "object": "JSON"}.get(param.kind, "TEXT")


def _kebab(name: str) -> str:
    return name.replace("_", "-")
