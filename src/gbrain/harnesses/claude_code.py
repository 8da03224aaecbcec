"""Claude Code: `.claude.json` for the server, `settings.json` for permissions and hooks, `CLAUDE.md` for the words."""

import os
from typing import Any

from gbrain.harnesses import blocks
from gbrain.harnesses.facts import Facts, Online, Server, Wanted, below_home, json_server
from gbrain.harnesses.parts import Block, Entry, Items, Part, Words

HOOKS = {"Stop": "stop", "PreCompact": "compact", "SessionEnd": "session-end"}
"""Event to lane of the capture hook."""
RECALL = {"SessionStart": "start", "UserPromptSubmit": "prompt", "PreCompact": "before-compact"}
"""Event to lane of the recall hook; a session starts anew after a compaction."""

folder = below_home(".claude", variable="CLAUDE_CONFIG_DIR")


def registry() -> str:
    """The file that lists a person's servers: in `$CLAUDE_CONFIG_DIR`, else beside `~/.claude`."""
    inside = os.environ.get("CLAUDE_CONFIG_DIR")
    return os.path.join(folder() if inside else os.path.expanduser("~"), ".claude.json")


def parts(wanted: Wanted) -> list[Part]:
    """The pieces for what is wanted."""
    settings = os.path.join(folder(), "settings.json")
    # Without alwaysLoad it starts the session without waiting for the server, and holds its tools back.
    made: list[Part] = [
        Entry("registration", registry(), ("mcpServers", wanted.name), {**_server(wanted.server), "alwaysLoad": True}),
        Words(
            "permission", settings, ("permissions", "allow"), tuple(f"mcp__{wanted.name}__{t}" for t in wanted.tools)
        ),
    ]
    if wanted.section is not None:
        made.append(Block("instructions", os.path.join(folder(), "CLAUDE.md"), blocks.AMBIENT, wanted.section))
    for event, lines in wanted.events("claude-code", HOOKS, RECALL).items():
        # SessionEnd is ended after a second and a half unless it states a time.
        hooks = [{"type": "command", "command": line, "timeout": seconds} for line, seconds in lines]
        made.append(Items("hooks", settings, ("hooks", event), tuple({"hooks": [hook]} for hook in hooks)))
    return made


def _server(server: Server) -> dict[str, Any]:
    if isinstance(server, Online):
        return {"type": "http", "url": server.url, "headers": server.headers}
    command, *arguments = server.command
    return {"type": "stdio", "command": command, "args": arguments, **({"env": server.env} if server.env else {})}


FACTS = Facts("claude-code", "Claude Code", "claude", folder, parts, json_server("mcpServers"))
