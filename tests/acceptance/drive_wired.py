"""Runs a real client, wired by `gbrain bootstrap harness`, through its life, on a loopback network of its own.

    drive_wired.py CLIENT BINARY BASE WORK

BASE holds the brain, WORK what the client leaves. The client's home has a configuration before gbrain comes. Prints
one JSON line: for each stage what the model was sent, what the client's configuration was, and what the brain knows.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
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
        elif name == "codex":
            from run_codex import Codex

            own = json.dumps([sys.executable, f"{HERE}/keep_notice.py", f"{work}/notice"])
            # Without hooks of its own: Codex would tell of them that they are not trusted.
            self.client = Codex(binary, work, RULES, events=[], extra=f"notify = {own} # my own")
            self.files = (".codex/config.toml", ".codex/hooks.json", ".codex/AGENTS.md")
        elif name == "gemini":
            from run_gemini import Gemini

            self.client = Gemini(binary, work, RULES, events=[])
            self.files = (".gemini/settings.json", ".gemini/GEMINI.md")
        elif name == "opencode":
            from run_opencode import OpenCode

            self.client = OpenCode(binary, work, RULES, hook="true")
            self.files = tuple(
                f".config/opencode/{name}" for name in ("opencode.json", "AGENTS.md", "plugins/gbrain.js")
            )
        else:
            from run_openclaw import OpenClaw

            self.client = OpenClaw(binary, work, RULES, hook="true")
            self.files = (".openclaw/openclaw.json", ".openclaw/workspace/AGENTS.md")
        self.home = Path(work, "home")
        self.client.env["GBRAIN_HOME"] = base
        self.seen = self.turns = 0

    def turn(self, prompt: str) -> dict[str, Any]:
        """One session of one turn: how it ended, and what the model was sent meanwhile."""
        if self.name == "claude-code":
            # No tools are allowed on the command line: that is for the permissions that were written.
            code, answer, _, _, err = self.client.p(prompt, "--allowedTools", "Read")
        elif self.name == "codex":
            code, answer, _, _, err = self.client.x(prompt, trust=False)
        elif self.name == "gemini":
            code, answer, _, _, err = self.client.p(prompt)
        elif self.name == "opencode":
            code, answer, _, _, err = self.client.r(prompt)
        else:
            self.turns += 1
            code, answer, _, err = self.client.a(prompt, session=f"turn{self.turns}")
        sent = [json.dumps(row["body"]) for row in self.client.model()[self.seen :] if row["body"]]
        self.seen = len(self.client.model())
        return {"code": code, "answer": answer, "errors": err[-2000:], "sent": sent}

    def gbrain(self, *arguments: str, ok: tuple[int, ...] = (0,)) -> str:
        """One command in the client's environment; what it printed."""
        command = [sys.executable, "-m", "gbrain", *arguments]
        done = subprocess.run(command, env=self.client.env, capture_output=True, text=True)
        assert done.returncode in ok, (arguments, done.stdout, done.stderr)
        return done.stdout

    def config(self) -> dict[str, str | None]:
        """The files of the client that gbrain has to do with."""
        return {name: (self.home / name).read_text() if (self.home / name).exists() else None for name in self.files}

    def wait_for_turn(self, words: str) -> None:
        """Until a turn with these words is banked; some clients do not wait for what they start at a turn's end."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if any(words in path.read_text() for path in Path(self.base).rglob("*.wb-*.txt")):
                return
            time.sleep(0.05)

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
    wired.wait_for_turn("window seats")
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
    if wired.name == "codex":
        told |= trusted(wired)
    return told


def trusted(wired: Wired) -> dict[str, Any]:
    """What becomes of Codex once its person has trusted the hook."""
    wired.gbrain("config", "set", "memory.auto_writeback", "salient")
    wired.gbrain("bootstrap", "harness", "--yes")
    config = wired.home / ".codex" / "config.toml"
    for hook in listed_hooks(wired):
        if "/gbrain/ambient/" in hook["command"]:
            state = f'[hooks.state.{json.dumps(hook["key"])}]\ntrusted_hash = "{hook["currentHash"]}"\n'
            config.write_text(f"{config.read_text()}\n{state}")
    told = {"status untrusted": json.loads(wired.gbrain("bootstrap", "harness", "--status", "--json", ok=(1,)))}
    wired.gbrain("bootstrap", "harness", "--yes")
    told["config trusted"] = wired.config()
    told["hooked"] = wired.turn("please remember that I like the aisle best in every cinema")
    wired.wait_for_turn("aisle")
    told["swept hooked"] = wired.gbrain("sweep", "--once")
    told["facts hooked"] = wired.facts()
    return told


def listed_hooks(wired: Wired) -> list[dict[str, Any]]:
    """The hooks as Codex itself lists them."""
    requests = [
        {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "test", "version": "1"}}},
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [str(wired.home.parent / "proj")]}},
    ]
    command = [wired.client.bin, "app-server"]
    with subprocess.Popen(
        command,
        env=wired.client.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(json.dumps(request) + "\n" for request in requests))
        process.stdin.flush()
        answers = (json.loads(line) for line in process.stdout if line.strip())
        answer = next(answer for answer in answers if answer.get("id") == 2)
        process.kill()
    hooks: list[dict[str, Any]] = answer["result"]["data"][0]["hooks"]
    return hooks


def main() -> int:
    """Run the client of the command line."""
    from common import isolate

    isolate()
    print(json.dumps(life(Wired(*sys.argv[1:]))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
