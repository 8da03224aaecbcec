"""Conversations by way of an agent's own hook: its transcript is written, and its recall hook run as a process."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from gbrain.ambient import recall_hook
from gbrain.ambient.recalling import LOG
from gbrain.bench.machine import Failed
from gbrain.domain.offers.reading import Said
from gbrain.journal import Journal

HARNESSES = ("claude-code", "codex", "gemini", "opencode", "openclaw")
SECONDS, TRIES = 30, 12
_TRANSCRIPTS = {
    "claude-code": os.path.join(".claude", "projects", "bench"),
    "codex": os.path.join(".codex", "sessions", "2031", "05", "04"),
    "gemini": os.path.join(".gemini", "tmp", "bench", "chats"),
}
"""Where these agents keep them, below a person's home."""
PLACE = re.compile(r"^- \*\*.*?\*\* \[([a-z0-9-]+):([^\]\s]+)\]", re.MULTILINE)
"""Where a line of an offer tells the source and the slug."""


class Told(NamedTuple):
    """What a hook put into the context: source and slug of the offers, and the whole of it."""

    places: frozenset[tuple[str, str]]
    text: str


class Hook:
    """The recall hook of one agent, in the home of a person with the brain in it; `folder` is where they work.

    `late` counts the runs that left because their time was over, as they may on a busy machine; these are run again.
    """

    def __init__(self, harness: str, base: str, folder: str) -> None:
        self._harness, self._base, self._folder = harness, base, folder
        self.late = 0

    def ask(self, session: str, turns: Sequence[Said]) -> Told:
        """What it tells before the last of these turns. Raises Failed when it does not end as it has to."""
        *before, newest = turns
        given: dict[str, Any] = {"session_id": session, "cwd": self._folder, "prompt": newest.text}
        given["hook_event_name"] = "BeforeAgent" if self._harness == "gemini" else "UserPromptSubmit"
        if self._harness in _TRANSCRIPTS:
            given["transcript_path"] = _written(self._harness, self._base, session, before)
        else:
            given["turns"] = [{"role": said.role, "text": said.text} for said in before[-8:]]
        data = json.dumps(given, ensure_ascii=False).encode()
        for _ in range(TRIES):
            text = _context(self._harness, self._run(data))
            if not left_late(self._base):
                return Told(frozenset((source, slug) for source, slug in PLACE.findall(text)), text)
            self.late += 1
        raise Failed(f"the hook of {self._harness} left {TRIES} times because its time was over")

    def _run(self, data: bytes) -> str:
        python = os.path.realpath(sys.executable)
        command = [python, "-I", "-S", recall_hook.__file__, "prompt", self._harness]
        env = {"HOME": self._base, "PATH": os.environ.get("PATH", "")}
        try:
            ran = subprocess.run(command, input=data, env=env, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            raise Failed(f"the hook of {self._harness} did not end within {SECONDS} s") from None
        if ran.returncode or ran.stderr:
            said = ran.stderr.decode(errors="replace")[-200:]
            raise Failed(f"the hook of {self._harness} ended with {ran.returncode}: {said}")
        return ran.stdout.decode()

    def close(self) -> None:
        """Nothing of it goes on."""


def left_late(base: str) -> bool:
    """Whether the last run of a hook, in the home of this person, left before it had an answer."""
    lines = Journal(os.path.join(base, ".gbrain")).read(LOG)
    return bool(lines) and lines[-1].get("reason") not in ("told", "nothing")


def _context(harness: str, printed: str) -> str:
    if not printed or harness not in _TRANSCRIPTS:
        return printed
    return str(json.loads(printed)["hookSpecificOutput"]["additionalContext"])


def _written(harness: str, base: str, session: str, turns: Sequence[Said]) -> str:
    folder = os.path.join(base, _TRANSCRIPTS[harness])
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"rollout-{session}.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        for said in turns:
            file.write(json.dumps(_line(harness, said), ensure_ascii=False) + "\n")
    return path


def _line(harness: str, said: Said) -> dict[str, Any]:
    """A turn as a line of an agent's transcript."""
    if harness == "codex":
        kind = "user_message" if said.role == "user" else "agent_message"
        return {"type": "event_msg", "payload": {"type": kind, "message": said.text}}
    if harness == "gemini":
        return {"type": "user" if said.role == "user" else "gemini", "content": said.text}
    content = [{"type": "text", "text": said.text}]
    return {"type": said.role, "message": {"role": said.role, "content": content}}
