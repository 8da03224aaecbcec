"""Runs the real Claude Code, joined to a brain while memory is off, and lets its person turn memory on by saying so.

    drive_phrase.py BINARY BASE WORK

BASE holds the brain, WORK what the client leaves. The model does as its script says: what counts is that it was told
what to run, and that this works from a session. Prints one JSON line.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path[:0] = [os.environ["SHARED_CLIENTS"]]

PHRASE = "please turn on ambient memory writeback"
COMMANDS = "gbrain config set memory.auto_writeback salient && gbrain bootstrap harness --yes"
RULES = [
    {"on": "user", "text": PHRASE, "has_tool": "Bash", "reply": [{"tool": "Bash", "input": {"command": COMMANDS}}]},
    {"on": "tool", "reply": [{"text": "FINAL done"}]},
    {"on": "user", "reply": [{"text": "plain answer"}]},
]


def life(binary: str, base: str, work: str) -> dict[str, Any]:
    """A session before the phrase, the one with it, and one after."""
    from run_claude import Claude

    client = Claude(binary, work, RULES)
    programs = Path(work, "bin")
    programs.mkdir()
    (programs / "gbrain").write_text(f'#!/bin/sh\nexec {sys.executable} -m gbrain "$@"\n')
    (programs / "gbrain").chmod(0o755)
    client.env |= {"GBRAIN_HOME": base, "PATH": f"{programs}:{client.env['PATH']}"}
    told: dict[str, Any] = {}
    seen = 0

    def gbrain(*arguments: str) -> str:
        done = subprocess.run(["gbrain", *arguments], env=client.env, capture_output=True, text=True, check=True)
        return done.stdout

    gbrain("bootstrap", "harness", "--harness", "claude-code", "--yes")
    for stage, prompt in (("before", "what is the weather"), ("asked", PHRASE), ("after", "and now")):
        code, answer, _, events, errors = client.p(prompt, "--allowedTools", "Bash")
        sent = [json.dumps(row["body"]) for row in client.model()[seen:] if row["body"]]
        seen = len(client.model())
        mode = json.loads(gbrain("config", "get", "memory.auto_writeback", "--json"))
        told[stage] = {"code": code, "answer": answer, "sent": sent, "stored": mode["stored"], "errors": errors[-2000:]}
        told[stage]["events"] = json.dumps(events)[-4000:]
    told["block"] = Path(work, "home", ".claude", "CLAUDE.md").read_text()
    return told


def main() -> int:
    """Run the client of the command line."""
    from common import isolate

    isolate()
    print(json.dumps(life(*sys.argv[1:])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
