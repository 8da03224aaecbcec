"""OpenClaw: `openclaw.json` for the server and the plugin, the workspace's `AGENTS.md` for the words.

It drops what a server says of itself, so the base contract stands in `AGENTS.md` also while memory is off.
"""

import os
from typing import Any

from gbrain.errors import BrainError
from gbrain.harnesses import blocks, files, jsontext, plugins
from gbrain.harnesses.facts import Facts, Online, Server, Wanted, below_home, json_server
from gbrain.harnesses.parts import Block, Entry, Part, Whole, Words

ID = "gbrain"
"""The plugin's."""

folder = below_home(".openclaw", variable="OPENCLAW_STATE_DIR")


def parts(wanted: Wanted) -> list[Part]:
    """The pieces for what is wanted."""
    config = _config()
    said = _said(config)
    server = {**_server(wanted.server), "connectionTimeoutMs": 30000}
    words = os.path.join(_workspace(said), "AGENTS.md")
    # Before the settings that lead to it.
    made: list[Part] = _code(wanted)
    made += [Entry("registration", config, ("mcp", "servers", wanted.name), {**server, "connectionTimeoutMs": 30000})]
    if wanted.section is not None:
        made.append(Block("instructions", words, blocks.AMBIENT, f"{wanted.contract}\n\n{wanted.section}"))
    else:
        made.append(Block("instructions", words, blocks.BASE, wanted.contract))
    return made + (_loaded(wanted, config, said) if wanted.hook or wanted.recall else [])


def notes(wanted: Wanted) -> list[str]:
    """What its person has to know."""
    found = ["it drops the server's own words; only the workspace of the default agent is told, in its AGENTS.md"]
    slot = _at(_said(_config()), "plugins", "slots", "memory")
    if (wanted.hook or wanted.recall) and slot not in (None, ID):
        found.append(f"plugins.slots.memory is {slot!r}, so memory_search asks that and not gbrain")
    return found


def _server(server: Server) -> dict[str, Any]:
    if isinstance(server, Online):
        return {"url": server.url, "transport": "streamable-http", "headers": server.headers}
    command, *arguments = server.command
    return {"command": command, "args": arguments, **({"env": server.env} if server.env else {})}


def _code(wanted: Wanted) -> list[Part]:
    """The files of the plugin."""
    texts = plugins.wanted_files("openclaw", wanted)
    return [Whole("plugin", os.path.join(_place(wanted), name), text) for name, text in texts.items()]


def _place(wanted: Wanted) -> str:
    return os.path.join(wanted.home, "harnesses", "openclaw")


def _loaded(wanted: Wanted, config: str, said: Any) -> list[Part]:
    """What makes OpenClaw load the plugin and tell it what is said."""
    leave = {"enabled": True, "hooks": {"allowConversationAccess": True, "allowPromptInjection": True}}
    made: list[Part] = [
        Words("plugin", config, ("plugins", "load", "paths"), (_place(wanted),)),
        Entry("plugin", config, ("plugins", "entries", ID), leave),
        Entry("plugin", config, ("plugins", "slots", "memory"), ID, yields=True),
    ]
    if isinstance(_at(said, "plugins", "allow"), list):
        made.append(Words("plugin", config, ("plugins", "allow"), (ID,)))
    return made


def _config() -> str:
    return os.path.abspath(os.environ.get("OPENCLAW_CONFIG_PATH") or os.path.join(folder(), "openclaw.json"))


def _said(config: str) -> Any:
    try:
        return jsontext.value_of(files.read(config).text or "")
    except (BrainError, ValueError):
        # Whoever changes the file says what is wrong with it.
        return {}


def _workspace(said: Any) -> str:
    named = _at(said, "agents", "defaults", "workspace")
    return os.path.abspath(os.path.expanduser(named)) if isinstance(named, str) else os.path.join(folder(), "workspace")


def _at(said: Any, *keys: str) -> Any:
    for key in keys:
        said = said.get(key) if isinstance(said, dict) else None
    return said


FACTS = Facts("openclaw", "OpenClaw", "openclaw", folder, parts, json_server("mcp", "servers"), notes)
