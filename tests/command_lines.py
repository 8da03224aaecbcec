"""Whether command lines that a text names would be taken, without running one."""

import re
import shlex
from collections.abc import Iterator

import click

from gbrain.entry.cli.root import ROOT
from gbrain.settings import SETTINGS

# A mention goes to the end of its clause; what comes in for a value is no part of the command.
MENTION = re.compile(r"(run: |`|\$ |^|\b)gbrain((?: [^\s`;,()]+)+)", re.M)


def wrong_command(line: str) -> str | None:
    """Why a command line would not be taken; None when it would."""
    words = shlex.split(line)[1:]
    context = click.Context(ROOT, info_name="gbrain")
    command: click.Command = ROOT
    while isinstance(command, click.Group):
        if not words:
            return "it names a group alone"
        found = command.get_command(context, words[0])
        if found is None:
            return f"there is no command {words[0]}"
        command, words = found, words[1:]
        context = click.Context(command, parent=context, info_name=command.name)
    if line.startswith("gbrain config set "):
        setting = next((item for item in SETTINGS if item.key == words[0]), None)
        return None if setting is not None and setting.allows(words[1]) else f"there is no setting {words[0]}"
    try:
        command.parse_args(context, words)
    except click.ClickException as error:
        return error.format_message()
    return None


def mentions(text: str) -> Iterator[tuple[str, bool]]:
    """(the words behind `gbrain`, whether they stand as a command to be run) of each mention in a text."""
    for found in MENTION.finditer(text):
        yield found[2].strip(), found[1] in ("run: ", "`", "$ ")


def stale_words(said: str, meant: bool) -> list[str]:
    """What of a mention is no command or no option of it; prose that only begins alike is none when not `meant`."""
    words = re.sub(r'"[^"]*"', "X", said).split()
    words = words[words[:2] == ["search", "diagnose"] :]
    context = click.Context(ROOT, info_name="gbrain")
    command: click.Command = ROOT
    while isinstance(command, click.Group) and words and re.fullmatch(r"[a-z][a-z-]*", words[0].rstrip(".:")):
        word = words[0].rstrip(".:")
        found = command.get_command(context, word)
        if found is None and (command.invoke_without_command or not (meant or command is not ROOT)):
            break
        if found is None:
            return [word]
        command, words = found, words[1:]
        context = click.Context(command, parent=context, info_name=command.name)
    if command is ROOT:
        return []
    # Two options stand anywhere, before the parser sees them.
    options = {name for param in command.params for name in (*param.opts, *param.secondary_opts)} | {
        "--help",
        "--brain",
    }
    given = [word.partition("=")[0].rstrip(".:'\"]") for word in words if re.match(r"--[a-z]", word)]
    return [name for name in given if name not in options]
