"""Runs the real opencode or OpenClaw with the plugin of gbrain, on a loopback network of its own.

    drive_agent_plugin.py opencode|openclaw BINARY WORK HOME PROMPT...

HOME is the value of `GBRAIN_HOME`; each PROMPT is one turn of one session. Prints one JSON line: how each turn ended
and what the model was sent.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

from gbrain.harnesses import plugins

sys.path[:0] = [os.environ["SHARED_CLIENTS"]]


def opencode(binary: str, work: str, home: str, prompts: list[str], rules: list[dict[str, Any]]) -> dict[str, Any]:
    """One session of opencode."""
    from run_opencode import OpenCode

    client = OpenCode(binary, work, rules, hook="true")
    folder = Path(work) / "home/.config/opencode/plugins"
    (folder / "mem.js").unlink()
    for name, text in plugins.files("opencode", sys.executable, ["--home", f"{home}/.gbrain"], base=home).items():
        (folder / name).write_text(text)
    turns, session = [], ""
    for prompt in prompts:
        code, answer, session, _, err = client.r(prompt, *(["--session", session] if session else []))
        turns.append({"code": code, "answer": answer or err})
    return {"turns": turns, "sent": [row["body"] for row in client.model() if (row["body"] or {}).get("tools")]}


def openclaw(binary: str, work: str, home: str, prompts: list[str], rules: list[dict[str, Any]]) -> dict[str, Any]:
    """One session of OpenClaw."""
    from run_openclaw import OpenClaw

    folder = Path(work) / "gbrain"
    hooks = {"allowConversationAccess": True, "allowPromptInjection": True}
    entries = {"gbrain": {"enabled": True, "hooks": hooks}}
    own = {"load": {"paths": [str(folder)]}, "entries": entries, "slots": {"memory": "gbrain"}}
    client = OpenClaw(binary, work, rules, hook="true", extra={"plugins": own})
    folder.mkdir()
    for name, text in plugins.files("openclaw", sys.executable, ["--home", f"{home}/.gbrain"], base=home).items():
        (folder / name).write_text(text)
    turns = []
    for prompt in prompts:
        code, answer, _, err = client.a(prompt)
        turns.append({"code": code, "answer": answer or err})
    return {"turns": turns, "sent": [row["body"] for row in client.model() if (row["body"] or {}).get("tools")]}


def main() -> int:
    """Run the client of the command line."""
    from common import isolate

    isolate()
    harness, binary, work, home, *prompts = sys.argv[1:]
    rules = [
        {
            "on": "user",
            "text": "SEARCH",
            "has_tool": "memory_search",
            "reply": [{"tool": "memory_search", "input": {"query": "tea"}}],
        },
        {"on": "tool", "reply": [{"text": "FINAL after the tool"}]},
        {"on": "user", "reply": [{"text": "FINAL plain answer"}]},
    ]
    print(json.dumps((opencode if harness == "opencode" else openclaw)(binary, work, home, prompts, rules)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
