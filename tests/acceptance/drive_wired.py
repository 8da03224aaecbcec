"""Runs a real client, wired by `gbrain bootstrap harness`, through its life, on a loopback network of its own.

    drive_wired.py CLIENT BINARY BASE WORK

BASE holds the brain, WORK what the client leaves. The client's home has a configuration before gbrain comes. Prints
one JSON line: for each stage what the model was sent, what the client's configuration was, and what the brain knows.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path[:0] = [os.environ["SHARED_CLIENTS"]]

CLAIM = {"fact": "the user prefers tabs to spaces", "provenance": "said in chat", "kind": "preference"}
MISSED = "please remember that I prefer window seats on every train I take"
RULES = [
    {"on": "user", "text": "SAVE IT", "has_tool": "*remember", "reply": [{"tool": "*remember", "input": CLAIM}]},
    {
        "on": "user",
        "text": "LOOK UP",
        "has_tool": "*recall",
        "reply": [{"tool": "*recall", "input": {"query": "tabs"}}],
    },
    {"on": "tool", "reply": [{"text": "FINAL done"}]},
    {"on": "user", "reply": [{"text": "plain answer"}]},
]


class Wired:
    """A client and its brain; `turn` and `gbrain` are what happens to them."""

    def __init__(self, name: str, binary: str, base: str, work: str) -> None:
        self.name, self.base = name, base
        if name == "claude-code":
            from run_claude import Claude

            self.client = Claude(binary, work, RULES)
            self.files = (".claude/settings.json", ".claude/CLAUDE.md", ".claude.json")
        self.home = Path(work, "home")
        self.client.env["GBRAIN_HOME"] = base
        self.seen = 0

    def turn(self, prompt: str) -> dict[str, Any]:
        """One session of one turn: how it ended, and what the model was sent meanwhile."""
        if self.name == "claude-code":
            # No tools are allowed on the command line: that is for the permissions that were written.
            code, answer, _, _, err = self.client.p(prompt, "--allowedTools", "Read")
        sent = [json.dumps(row["body"]) for row in self.client.model()[self.seen :] if row["body"]]
        self.seen = len(self.client.model())
        return {"code": code, "answer": answer, "errors": err[-2000:], "sent": sent}

    def gbrain(self, *arguments: str) -> str:
        """One command in the client's environment; what it printed."""
        command = [sys.executable, "-m", "gbrain", *arguments]
        done = subprocess.run(command, env=self.client.env, capture_output=True, text=True)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return done.stdout

    def config(self) -> dict[str, str | None]:
        """The files of the client that gbrain has to do with."""
        return {name: (self.home / name).read_text() if (self.home / name).exists() else None for name in self.files}

    def facts(self) -> list[dict[str, Any]]:
        """What the brain knows."""
        facts: list[dict[str, Any]] = json.loads(self.gbrain("recall", "--json"))["facts"]
        return facts


def life(wired: Wired) -> dict[str, Any]:
    """Everything that happens to a client that is wired, and unwired again."""
    told: dict[str, Any] = {"first": wired.turn("hello there")}
    told["before"] = wired.config()
    wired.gbrain("bootstrap", "harness", "--harness", wired.name, "--yes")
    told["wired"] = wired.config()
    wired.gbrain("bootstrap", "harness", "--remove", "--yes")
    told["unwired at once"] = wired.config()
    wired.gbrain("bootstrap", "harness", "--harness", wired.name, "--yes")
    told["off"] = wired.turn("hello again")
    told["config off"] = wired.config()
    wired.gbrain("config", "set", "memory.auto_writeback", "salient")
    wired.gbrain("bootstrap", "harness", "--yes")
    told["config on"] = wired.config()
    told["saved"] = wired.turn("SAVE IT: I prefer tabs")
    told["recalled"] = wired.turn("LOOK UP what I prefer")
    told["facts saved"] = wired.facts()
    told["missed"] = wired.turn(MISSED)
    told["swept"] = wired.gbrain("sweep", "--once")
    told["facts swept"] = wired.facts()
    told["status"] = json.loads(wired.gbrain("bootstrap", "harness", "--status", "--json"))
    wired.gbrain("config", "set", "memory.auto_writeback", "off")
    wired.gbrain("bootstrap", "harness", "--yes")
    told["config off again"] = wired.config()
    told["off again"] = wired.turn("hello once more")
    wired.gbrain("bootstrap", "harness", "--remove", "--yes")
    told["config after"] = wired.config()
    told["after"] = wired.turn("hello at last")
    return told


def main() -> int:
    """Run the client of the command line."""
    from common import isolate

    isolate()
    print(json.dumps(life(Wired(*sys.argv[1:]))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
