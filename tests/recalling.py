"""The recall hook as agents run it, on a brain in a home of its own."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import gbrain
from gbrain import neighbour
from gbrain.brain import Brain, open_brain

HOOK = str(Path(gbrain.__file__).parent / "ambient" / "recall_hook.py")
PYTHON = os.path.realpath(sys.executable)
SECONDS = {"start": 1.5, "prompt": 0.8, "before-compact": 1.5, "after-compact": 1.5}
"""The contract's deadlines."""
EVENTS = {"claude-code": "UserPromptSubmit", "codex": "UserPromptSubmit", "gemini": "BeforeAgent"}
DANA = "---\ntitle: Dana Oakes\ntype: person\n---\nDana Oakes runs Harbour Tea.\n"


class Ran(NamedTuple):
    """What a hook printed, and the seconds of the clock that it took."""

    out: str
    took: float

    @property
    def context(self) -> str:
        """What goes into the model's context, "" for nothing."""
        return str(json.loads(self.out)["hookSpecificOutput"]["additionalContext"]) if self.out else ""


class Home(NamedTuple):
    """A person's home with a brain."""

    path: Path

    @property
    def brain(self) -> Path:
        return self.path / ".gbrain"

    def make(self) -> "Home":
        """A brain that knows Dana, of whom something is private."""
        with open_brain(str(self.brain), create=True) as brain:
            assert isinstance(brain, Brain)
            brain.put_page(slug="people/dana-oakes", content=DANA)
            told = {"provenance": "kitchen", "entity": "Dana Oakes"}
            brain.remember(fact="Dana Oakes prefers green tea", visibility="world", **told)
            brain.remember(fact="Dana gets the samples on Friday", kind="commitment", visibility="world", **told)
            brain.remember(fact="Dana Oakes is looking for another job", visibility="private", **told)
            brain.remember(fact="the user prefers tabs", kind="preference", provenance="chat", visibility="world")
        return self

    def open(self) -> Brain:
        brain = open_brain(str(self.brain))
        assert isinstance(brain, Brain)
        return brain

    def hook(self, lane: str, given: Any, *more: str, harness: str = "claude-code", **extra: Any) -> Ran:
        """Run the hook; one that left because time was over, its own or a server's, as it may be on a busy machine, is
        run once more."""
        for _ in range(10):
            ran = self.once(lane, given, *more, harness=harness, **extra)
            if self.reasons()[-1:] not in (["deadline"], ["no_serve"]):
                return ran
            lines = self.log.read_text().splitlines()
            self.log.write_text("".join(f"{line}\n" for line in lines[:-1]))
        raise AssertionError("it left ten times because its time was over")

    def once(self, lane: str, given: Any, *more: str, harness: str = "claude-code", **extra: Any) -> Ran:
        """Run the hook, which must end with 0 in time and say nothing on stderr."""
        data = given if isinstance(given, bytes) else json.dumps(given, ensure_ascii=False).encode()
        extra = dict(extra)
        most = SECONDS.get(lane, 1.5) + extra.pop("spare", 0.0)
        env = {"HOME": str(self.path), "PATH": os.environ["PATH"], **extra.pop("env", {})}
        began = time.monotonic()
        command = [PYTHON, "-I", "-S", HOOK, lane, harness, *more]
        done = subprocess.run(command, input=data, env=env, capture_output=True, timeout=30, **extra)
        took = time.monotonic() - began
        assert (done.returncode, done.stderr) == (0, b"")
        assert took < most, f"{lane} took {took:.2f} s"
        return Ran(done.stdout.decode(), took)

    def start(self, session: str = "s1", source: str = "startup", **extra: Any) -> str:
        given = {"session_id": session, "cwd": str(self.path), "hook_event_name": "SessionStart", "source": source}
        return self.hook("start", given, **extra).context

    def prompt(self, text: str, session: str = "s1", **extra: Any) -> str:
        return self.hook("prompt", self.asks(text, session), **extra).context

    def asks(self, text: str, session: str = "s1", **more: Any) -> dict[str, Any]:
        """The input of a prompt of Claude Code."""
        given = {"session_id": session, "cwd": str(self.path), "hook_event_name": "UserPromptSubmit", "prompt": text}
        return {**given, **more}

    @property
    def log(self) -> Path:
        return self.brain / "integrations" / "hooks" / "heartbeat.jsonl"

    def reasons(self) -> list[str]:
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [json.loads(line)["reason"] for line in lines]


def listened(home: Home) -> bool:
    """Whether a server answers within a few seconds; every try waits for its own end."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            with neighbour.Line(str(home.brain), time.monotonic() + 2) as line:
                return line.ask("recall", lane="start")["ok"] is True
        except neighbour.Unanswered:
            os.sched_yield()
    return False
