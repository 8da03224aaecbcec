"""Claude Code: `.claude.json` for the server, `settings.json` for permissions and hooks, `CLAUDE.md` for the words."""

import os
from typing import Any

from gbrain.errors import BrainError
from gbrain.harnesses import blocks, files, jsontext
from gbrain.harnesses.facts import Facts, Online, Server, Wanted, below_home, first_of, json_server
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
    return _parts(wanted, registry(), settings, os.path.join(folder(), "CLAUDE.md"))


def in_project(root: str, wanted: Wanted) -> list[Part]:
    """The pieces in a project's own files."""
    settings = os.path.join(root, ".claude", "settings.json")
    made = _parts(wanted, os.path.join(root, ".mcp.json"), settings, first_of(root, "CLAUDE.md", "AGENTS.md"))
    # A server of a project is started only where it was said to be wanted.
    return [*made, Words("permission", settings, ("enabledMcpjsonServers",), (wanted.name,))]


def trusts(root: str) -> bool:
    """Whether its person has said, in it, that the folder of a project or one above it is to be trusted."""
    try:
        told = jsontext.value_of(files.read(registry()).text or "").get("projects", {})
        every = {folder for folder, said in told.items() if said.get("hasTrustDialogAccepted")}
    except (BrainError, ValueError, AttributeError):
        return False
    return any(root == folder or root.startswith(f"{folder.rstrip('/')}/") for folder in every)


def _parts(wanted: Wanted, servers: str, settings: str, words: str) -> list[Part]:
    # Without alwaysLoad it starts the session without waiting for the server, and holds its tools back.
    made: list[Part] = [
        Entry("registration", servers, ("mcpServers", wanted.name), {**_server(wanted.server), "alwaysLoad": True}),
        Words(
            "permission", settings, ("permissions", "allow"), tuple(f"mcp__{wanted.name}__{t}" for t in wanted.tools)
        ),
    ]
    if wanted.section is not None:
        made.append(Block("instructions", words, blocks.AMBIENT, wanted.section))
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


FACTS = Facts("claude-code", "Claude Code", "claude", folder, parts, json_server("mcpServers"), in_project=in_project)
