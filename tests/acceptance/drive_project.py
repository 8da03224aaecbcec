"""Runs the real Claude Code in a project that `gbrain bootstrap harness --project` joined to a brain.

    drive_project.py BINARY BASE WORK

BASE holds the brain, WORK what the client leaves. Prints one JSON line: for each stage what the model was sent, what
stood in the project and in the person's own files, and what the brain knows.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path[:0] = [os.environ["SHARED_CLIENTS"]]

CLAIM = {"fact": "the user prefers tabs to spaces", "provenance": "said in chat", "kind": "preference"}
RULES = [
    {"on": "user", "text": "SAVE IT", "has_tool": "*remember", "reply": [{"tool": "*remember", "input": CLAIM}]},
    {"on": "tool", "reply": [{"text": "FINAL done"}]},
    {"on": "user", "reply": [{"text": "plain answer"}]},
]
OWN = (".claude/settings.json", ".claude/CLAUDE.md")


def life(binary: str, base: str, work: str) -> dict[str, Any]:
    """A turn in the project, one elsewhere, and one after it was left."""
    from run_claude import Claude

    client = Claude(binary, work, RULES)
    client.env["GBRAIN_HOME"] = base
    project, elsewhere = Path(work, "proj"), Path(work, "elsewhere")
    elsewhere.mkdir()
    told: dict[str, Any] = {}

    def gbrain(*arguments: str) -> str:
        command = [sys.executable, "-m", "gbrain", *arguments]
        return subprocess.run(command, env=client.env, cwd=project, capture_output=True, text=True, check=True).stdout

    def turn(stage: str, prompt: str) -> None:
        seen = len(client.model())
        # No tools are allowed on the command line: that is for the permissions that were written.
        code, answer, _, _, errors = client.p(prompt, "--allowedTools", "Read")
        sent = [json.dumps(row["body"]) for row in client.model()[seen:] if row["body"]]
        told[stage] = {"code": code, "answer": answer, "errors": errors[-2000:], "sent": sent}

    def files() -> dict[str, str]:
        return {str(path.relative_to(project)): path.read_text() for path in project.rglob("*") if path.is_file()}

    def own() -> list[str]:
        return [Path(work, "home", name).read_text() for name in OWN]

    gbrain("config", "set", "memory.auto_writeback", "salient")
    told["before"], told["own before"] = files(), own()
    gbrain("bootstrap", "harness", "--project", "--harness", "claude-code", "--yes")
    told["joined"] = files()
    turn("untrusted", "SAVE IT: I prefer tabs")
    told["status untrusted"] = json.loads(gbrain("bootstrap", "harness", "--project", "--status", "--json"))
    registry = Path(work, "home", ".claude.json")
    known = json.loads(registry.read_text())
    known.setdefault("projects", {}).setdefault(str(project), {})["hasTrustDialogAccepted"] = True
    registry.write_text(json.dumps(known))
    told["status"] = json.loads(gbrain("bootstrap", "harness", "--project", "--status", "--json"))
    turn("saved", "SAVE IT: I prefer tabs")
    told["facts"] = json.loads(gbrain("recall", "--json"))["facts"]
    told["own after"] = own()
    # The scripts start their client in this folder.
    project.rename(f"{work}/kept")
    elsewhere.rename(project)
    turn("elsewhere", "hello there")
    project.rename(elsewhere)
    Path(work, "kept").rename(project)
    gbrain("bootstrap", "harness", "--remove", "--project", "--yes")
    told["after"] = files()
    turn("left", "hello at last")
    return told


def main() -> int:
    """Run the client of the command line."""
    from common import isolate

    isolate()
    print(json.dumps(life(*sys.argv[1:])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
