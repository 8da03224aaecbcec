"""opencode: `opencode.json` for the server, `AGENTS.md` for the words, a plugin that runs the hooks."""

import os
from typing import Any

from gbrain.harnesses import blocks, plugins
from gbrain.harnesses.facts import Facts, Online, Server, Wanted, json_server
from gbrain.harnesses.parts import Block, Entry, Part, Whole

NAMES = ("opencode.json", "opencode.jsonc", "config.json")
SHADOW = "it reads ~/.claude/CLAUDE.md as long as there is no AGENTS.md of its own, so none was made; the server's own"
SHADOW += " words reach it"


def folder() -> str:
    """`$XDG_CONFIG_HOME/opencode`, else `~/.config/opencode`."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.abspath(os.path.join(base, "opencode"))


def parts(wanted: Wanted) -> list[Part]:
    """The pieces for what is wanted."""
    made: list[Part] = [Entry("registration", _config(), ("mcp", wanted.name), _server(wanted.server))]
    if wanted.section is not None and not _shadows():
        made.append(Block("instructions", _words(), blocks.AMBIENT, wanted.section))
    texts = plugins.wanted_files("opencode", wanted)
    made += [Whole("plugin", os.path.join(folder(), "plugins", name), text) for name, text in texts.items()]
    return made


def notes(wanted: Wanted) -> list[str]:
    """What its person has to know."""
    return [SHADOW] if wanted.section is not None and _shadows() else []


def _server(server: Server) -> dict[str, Any]:
    if isinstance(server, Online):
        return {"type": "remote", "url": server.url, "headers": server.headers, "enabled": True, "timeout": 30000}
    env = {"environment": server.env} if server.env else {}
    return {"type": "local", "command": list(server.command), **env, "enabled": True, "timeout": 30000}


def _config() -> str:
    """The file of these that is there; it reads them all."""
    paths = [os.path.join(folder(), name) for name in NAMES]
    return next((path for path in paths if os.path.lexists(path)), paths[0])


def _words() -> str:
    return os.path.join(folder(), "AGENTS.md")


def _shadows() -> bool:
    """Whether a new AGENTS.md would take the place of words that it reads now."""
    return not os.path.lexists(_words()) and os.path.isfile(
        os.path.join(os.path.expanduser("~"), ".claude", "CLAUDE.md")
    )


FACTS = Facts("opencode", "opencode", "opencode", folder, parts, json_server("mcp"), notes)
