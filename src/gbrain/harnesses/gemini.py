"""Gemini CLI: `settings.json` for the server and hooks, `GEMINI.md` for the words."""

import os
from typing import Any

from gbrain.errors import BrainError
from gbrain.harnesses import blocks, files, jsontext
from gbrain.harnesses.facts import Facts, Online, Server, Wanted, json_server
from gbrain.harnesses.parts import Block, Entry, Items, Part

HOOKS = {"AfterAgent": "stop", "SessionEnd": "session-end"}
"""Event to lane of the capture hook. Its PreCompress comes after every turn, as AfterAgent does."""
RECALL = {"SessionStart": "start", "BeforeAgent": "prompt"}
"""Event to lane of the recall hook."""


def folder() -> str:
    """`$GEMINI_CLI_HOME/.gemini`, else `~/.gemini`."""
    return os.path.abspath(os.path.join(os.environ.get("GEMINI_CLI_HOME") or os.path.expanduser("~"), ".gemini"))


def parts(wanted: Wanted) -> list[Part]:
    """The pieces for what is wanted."""
    return _parts(wanted, folder(), folder())


def in_project(root: str, wanted: Wanted) -> list[Part]:
    """The pieces in a project's own files."""
    return _parts(wanted, os.path.join(root, ".gemini"), root)


def _parts(wanted: Wanted, config: str, place: str) -> list[Part]:
    """The pieces, with `settings.json` in the folder `config` and the words in the folder `place`."""
    settings = os.path.join(config, "settings.json")
    server = {**_server(wanted.server), "timeout": 30000, "trust": True}
    # Without trust it does not even offer the tools where nobody can be asked.
    made: list[Part] = [Entry("registration", settings, ("mcpServers", wanted.name), server)]
    if wanted.section is not None:
        made.append(Block("instructions", os.path.join(place, _words(settings)), blocks.AMBIENT, wanted.section))
    for event, lines in wanted.events("gemini", HOOKS, RECALL).items():
        # Its timeouts are in milliseconds.
        hooks = [{"type": "command", "name": "gbrain", "command": line, "timeout": s * 1000} for line, s in lines]
        made.append(Items("hooks", settings, ("hooks", event), tuple({"hooks": [hook]} for hook in hooks)))
    return made


def _server(server: Server) -> dict[str, Any]:
    if isinstance(server, Online):
        return {"httpUrl": server.url, "headers": server.headers}
    command, *arguments = server.command
    return {"command": command, "args": arguments, **({"env": server.env} if server.env else {})}


def _words(settings: str) -> str:
    """The name of the file that it reads: GEMINI.md, unless `context.fileName` has other names instead.

    Where the settings of a project say nothing of it, the person's own count.
    """
    names = _named(settings) or _named(os.path.join(folder(), "settings.json"))
    return "GEMINI.md" if not names or "GEMINI.md" in names else os.path.basename(names[0])


def _named(settings: str) -> list[str]:
    try:
        said = jsontext.value_of(files.read(settings).text or "")
        named = said.get("context", {}).get("fileName")
    except (BrainError, ValueError, AttributeError):
        return []
    return [name for name in (named if isinstance(named, list) else [named]) if isinstance(name, str) and name]


FACTS = Facts("gemini", "Gemini CLI", "gemini", folder, parts, json_server("mcpServers"), in_project=in_project)
