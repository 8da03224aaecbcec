"""Codex: `config.toml` for the server and `notify`, `hooks.json` for hooks, `AGENTS.md` for the words.

It runs a hook only once the person has trusted it: then `[hooks.state."FILE:EVENT:GROUP:HANDLER"]` of `config.toml` has
a `trusted_hash`, the SHA-256 of the hook as JSON with sorted keys.
"""

import hashlib
import json
import os
from typing import Any

from gbrain.errors import BrainError, InvalidParams
from gbrain.harnesses import blocks, files, jsontext, tomltext
from gbrain.harnesses.facts import Facts, Online, Server, Wanted, below_home, server_of
from gbrain.harnesses.parts import Block, Items, Notify, Part, Refused, Table, is_ours

HOOKS = {"Stop": "stop", "PreCompact": "compact"}
"""Event to lane of the capture hook; it has no event for the end of a session."""
RECALL = {"SessionStart": "start", "UserPromptSubmit": "prompt", "PreCompact": "before-compact"}
"""Event to lane of the recall hook; a session starts anew after a compaction."""
UNTRUSTED = "it runs our hooks once you trust them: type /hooks in Codex, then run this command again; till then"
UNTRUSTED += " `notify` keeps your turns"
PROJECT_BYTES = 32_768
"""What it reads of all AGENTS.md of a project, unless `project_doc_max_bytes` is set; the rest is cut unsaid."""
SILENT = "it recalls nothing by itself until you trust our hooks: type /hooks in Codex"

folder = below_home(".codex", variable="CODEX_HOME")


def parts(wanted: Wanted) -> list[Part]:
    """The pieces for what is wanted."""
    config, hooks = (os.path.join(folder(), name) for name in ("config.toml", "hooks.json"))
    # The tools say themselves what they do, so it runs those that change nothing of others' without asking.
    made: list[Part] = [Table("registration", config, ("mcp_servers", wanted.name), _server(wanted.server))]
    if wanted.section is not None:
        made.append(_words(wanted.section))
    for event, lines in wanted.events("codex", HOOKS, RECALL).items():
        ours = [{"type": "command", "command": line, "timeout": seconds} for line, seconds in lines]
        made.append(Items("hooks", hooks, ("hooks", event), tuple({"hooks": [hook]} for hook in ours)))
    if wanted.hook and not is_trusted(wanted):
        script = os.path.join(os.path.dirname(wanted.hook[-1]), "notify.py")
        made.append(Notify("notify", config, (*wanted.hook[:-1], script, *wanted.hook_options)))
    return made


def in_project(root: str, wanted: Wanted) -> list[Part]:
    """The pieces in a project's own files; the words alone, for servers stand in the person's own."""
    if wanted.section is None or has_override(root) or bytes_over(root, wanted.section):
        return []
    return [Block("instructions", os.path.join(root, "AGENTS.md"), blocks.AMBIENT, wanted.section)]


def is_trusted(wanted: Wanted) -> bool:
    """Whether the person has trusted the hook that runs after a turn, as it is wanted."""
    return (wanted.hook_line("stop", "codex"), True) in hooked()


def hooked(event: str = "Stop") -> list[tuple[str, bool]]:
    """The command lines of our hooks that Codex would run at an event, each with whether the person has trusted it."""
    place, found = os.path.join(folder(), "hooks.json"), []
    try:
        groups = jsontext.value_of(files.read(place).text or "").get("hooks", {}).get(event, [])
        config = tomltext.parse(files.read(os.path.join(folder(), "config.toml")).text or "")
    except (BrainError, ValueError, AttributeError):
        return []
    for at, group in enumerate(groups if isinstance(groups, list) else ()):
        if is_ours(group):
            hook = group["hooks"][0]
            told = [
                tomltext.find(config, ("hooks", "state", f"{p}:{_snake(event)}:{at}:0"))
                for p in (place, os.path.realpath(place))
            ]
            trusted = any(said is not None and said.get("trusted_hash") == _identity(event, hook) for said in told)
            found.append((str(hook.get("command")), trusted))
    return found


def server(text: str, name: str) -> Server | None:
    """What the registration in the text of a file says."""
    return server_of(tomltext.find(tomltext.parse(text), ("mcp_servers", name)))


def notes(wanted: Wanted) -> list[str]:
    """What its person has to know."""
    found = [UNTRUSTED] if wanted.hook and not is_trusted(wanted) else []
    line = next((lines[-1][0] for lines in wanted.events("codex", {}, {"UserPromptSubmit": "prompt"}).values()), None)
    return found if line is None or (line, True) in hooked("UserPromptSubmit") else [*found, SILENT]


def _server(server: Server) -> dict[str, Any]:
    if isinstance(server, Online):
        return {"url": server.url, "http_headers": server.headers}
    command, *arguments = server.command
    env = {"env": server.env} if server.env else {}
    return {"command": command, "args": arguments, **env, "startup_timeout_sec": 30}


def _words(section: str) -> Part:
    """The block in AGENTS.md, which Codex does not read beside an AGENTS.override.md that says something."""
    path, override = (os.path.join(folder(), name) for name in ("AGENTS.md", "AGENTS.override.md"))
    if has_override(folder()):
        refused = InvalidParams(
            f"{override} takes the place of AGENTS.md, so instructions there would not be read",
            "move its text into AGENTS.md and remove it, then run the command again",
            detail={"reason": "override_blocked", "path": override},
        )
        return Refused("instructions", path, refused)
    return Block("instructions", path, blocks.AMBIENT, section)


def has_override(place: str) -> bool:
    """Whether a folder has an override that says something."""
    override = os.path.join(place, "AGENTS.override.md")
    return os.path.isfile(override) and os.path.getsize(override) > 0


def bytes_over(root: str, section: str) -> int:
    """By how many bytes the words would end beyond what it reads of a project's files; 0 where all of them are read.

    It reads the file of each folder from the one with `.git` down, so those above take their part first.
    """
    path = os.path.join(root, "AGENTS.md")
    try:
        config = tomltext.parse(files.read(os.path.join(folder(), "config.toml")).text or "")
        text = blocks.spliced(files.read(path).text or "", blocks.AMBIENT, section, path)
        above = sum(os.path.getsize(place) for place in _read_above(root))
    except (BrainError, ValueError, OSError):
        # What is wrong there is told where the file is written.
        return 0
    most = tomltext.find(config, ("project_doc_max_bytes",))
    ends = above + len(text[: blocks.scan(text, blocks.AMBIENT).end].encode())
    return max(0, ends - (most if isinstance(most, int) else PROJECT_BYTES))


def _read_above(root: str) -> list[str]:
    """The files of the folders above a project's, up to the one that git keeps; none where no folder is."""
    found, place = [], os.path.abspath(root)
    while not os.path.exists(os.path.join(place, ".git")):
        above = os.path.dirname(place)
        if above == place:
            return []
        place = above
        name = "AGENTS.override.md" if has_override(place) else "AGENTS.md"
        if os.path.isfile(os.path.join(place, name)):
            found.append(os.path.join(place, name))
    return found


def _snake(event: str) -> str:
    """The name of an event as Codex's states have it: `user_prompt_submit`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in event).lstrip("_")


def _identity(event: str, hook: dict[str, Any]) -> str:
    identity = {"event_name": _snake(event), "hooks": [{"async": False, **hook}]}
    return (
        "sha256:"
        + hashlib.sha256(
            json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        ).hexdigest()
    )


FACTS = Facts("codex", "Codex", "codex", folder, parts, server, notes, in_project)
