"""opencode: `opencode.json` for the server, `AGENTS.md` for the words, a plugin that runs the hooks."""

import os
from typing import Any

from gbrain.harnesses import blocks, plugins
from gbrain.harnesses.facts import Facts, Online, Server, Wanted, first_of, json_server
from gbrain.harnesses.parts import Block, Entry, Part, Whole

NAMES = ("opencode.json", "opencode.jsonc", "config.json")
"""It reads them all; a project has the first two."""
SHADOW = "it reads ~/.claude/CLAUDE.md as long as there is no AGENTS.md of its own, so none was made; the server's own"
SHADOW += " words reach it"


def folder() -> str:
    """`$XDG_CONFIG_HOME/opencode`, else `~/.config/opencode`."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.abspath(os.path.join(base, "opencode"))


def parts(wanted: Wanted) -> list[Part]:
    """The pieces for what is wanted."""
    return _parts(wanted, first_of(folder(), *NAMES), None if _shadows() else _words(), folder())


def in_project(root: str, wanted: Wanted) -> list[Part]:
    """The pieces in a project's own files."""
    words = first_of(root, "AGENTS.md", "CLAUDE.md")
    return _parts(wanted, first_of(root, *NAMES[:2]), words, os.path.join(root, ".opencode"))


def _parts(wanted: Wanted, config: str, words: str | None, place: str) -> list[Part]:
    """The pieces, with the plugin below `place`; no words are put where there is no file for them."""
    made: list[Part] = [Entry("registration", config, ("mcp", wanted.name), _server(wanted.server))]
    if wanted.section is not None and words is not None:
        made.append(Block("instructions", words, blocks.AMBIENT, wanted.section))
    texts = plugins.wanted_files("opencode", wanted)
    made += [Whole("plugin", os.path.join(place, "plugins", name), text) for name, text in texts.items()]
    return made


def notes(wanted: Wanted) -> list[str]:
    """What its person has to know."""
    return [SHADOW] if wanted.section is not None and _shadows() else []


def _server(server: Server) -> dict[str, Any]:
    if isinstance(server, Online):
        return {"type": "remote", "url": server.url, "headers": server.headers, "enabled": True, "timeout": 30000}
    env = {"environment": server.env} if server.env else {}
    return {"type": "local", "command": list(server.command), **env, "enabled": True, "timeout": 30000}


def _words() -> str:
    return os.path.join(folder(), "AGENTS.md")


def _shadows() -> bool:
    """Whether a new AGENTS.md would take the place of words that it reads now."""
    return not os.path.lexists(_words()) and os.path.isfile(
        os.path.join(os.path.expanduser("~"), ".claude", "CLAUDE.md")
    )


FACTS = Facts("opencode", "opencode", "opencode", folder, parts, json_server("mcp"), notes, in_project)
