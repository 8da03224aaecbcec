"""The capture hook as an agent runs it, and what it wrote down."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gbrain as package
from commandline import Gbrain
from model_server import ModelServer, completion, model_server

HOOK = str(Path(package.__file__).parent / "ambient" / "hook.py")
PYTHON = os.path.realpath(sys.executable)
SAID = "I prefer dark mode in every editor."
ANSWER = json.dumps({"facts": [{"fact": "prefers dark mode", "kind": "preference", "notability": "medium"}]})


@contextmanager
def reader() -> Iterator[ModelServer]:
    """A model that finds the same preference in every turn."""
    with model_server() as server:
        server.script = lambda body: completion(ANSWER)
        yield server


def remembering(base: Path, model: ModelServer) -> Gbrain:
    """A brain whose owner turned memory on, and whose turns this model reads."""
    made = Gbrain(base)
    made("init")
    made("config", "set", "models.default", f"endpoint:scripted-1 url={model.url}")
    made("config", "set", "memory.auto_writeback", "salient")
    return made


def hook(
    gbrain: Gbrain, *more: str, text: str = SAID, session: str = "s1", env: Mapping[str, str] | None = None
) -> float:
    """One turn of Claude Code and the hook after it, which ends in order and silently; how long it took."""
    folder = gbrain.base / ".claude" / "projects" / "p"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{session}.jsonl"
    path.write_text(json.dumps({"type": "user", "message": {"role": "user", "content": text}}) + "\n")
    given = {"session_id": session, "transcript_path": str(path), "cwd": str(gbrain.base)}
    command = [PYTHON, "-I", "-S", HOOK, "stop", "claude-code", *more]
    settings = {"HOME": str(gbrain.base), "PATH": os.environ["PATH"], **(env or {})}
    began = time.monotonic()
    done = subprocess.run(command, input=json.dumps(given).encode(), env=settings, capture_output=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    return time.monotonic() - began


def told(gbrain: Gbrain, event: str) -> list[dict[str, Any]]:
    """The lines of an event in the heartbeat, oldest first."""
    log = gbrain.home / "integrations" / "hooks" / "heartbeat.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return [line for line in lines if line["event"] == event]


def reasons(gbrain: Gbrain, event: str) -> list[str]:
    """Their reasons; nothing stands for none."""
    return [line.get("reason", "") for line in told(gbrain, event)]


def last(gbrain: Gbrain, event: str) -> dict[str, Any] | None:
    """The latest line of an event, if there is one."""
    lines = told(gbrain, event)
    return lines[-1] if lines else None
