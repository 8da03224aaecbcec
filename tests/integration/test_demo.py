"""`gbrain demo`: the story is true, quick, and leaves nothing behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gbrain.entry.demo import CLAIMS, PRIVATE, TRANSIENT


def demo(tmp_path: Path, *arguments: str, **extra: str) -> "subprocess.CompletedProcess[str]":
    env = {**os.environ, "GBRAIN_HOME": str(tmp_path / "own"), "TMPDIR": str(tmp_path / "scratch"), **extra}
    (tmp_path / "scratch").mkdir(exist_ok=True)
    command = [sys.executable, "-m", "gbrain", "demo", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=env)


def left(tmp_path: Path) -> list[str]:
    return sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.name != "scratch")


def test_it_tells_the_whole_story(tmp_path: Path) -> None:
    began = time.monotonic()
    shown = demo(tmp_path)
    assert time.monotonic() - began < 30
    assert shown.returncode == 0, shown.stderr
    assert shown.stderr == ""
    steps = [line for line in shown.stdout.splitlines() if line and not line.startswith(" ")]
    assert [step.split(":")[0].split(" (")[0].split(",")[0] for step in steps[1:-1]] == [
        "Session one",
        "Session two",
        "You",
        "Four days later",
    ]
    assert all(claim.fact in shown.stdout for claim in CLAIMS)
    assert "is gone" in shown.stdout
    assert len(shown.stdout.splitlines()) < 35
    assert left(tmp_path) == []


def test_what_agents_are_told_has_no_private_text(tmp_path: Path) -> None:
    text = demo(tmp_path).stdout
    session_two = text[text.index("Session two") : text.index("You, at this machine")]
    assert PRIVATE.fact not in session_two
    assert TRANSIENT.fact in session_two


def test_as_json_it_is_one_object(tmp_path: Path) -> None:
    shown = demo(tmp_path, "--json")
    found = json.loads(shown.stdout)
    assert found["ok"] is True
    assert found["failure"] is None
    assert len(found["steps"]) == 5


@pytest.mark.parametrize("variable", ["GBRAIN_SOURCE", "GBRAIN_MCP_FORCE_SURFACE", "GBRAIN_CLOCK"])
def test_what_a_person_has_set_does_not_change_it(tmp_path: Path, variable: str) -> None:
    value = {"GBRAIN_SOURCE": "default", "GBRAIN_MCP_FORCE_SURFACE": "verbs", "GBRAIN_CLOCK": "-90d"}[variable]
    shown = demo(tmp_path, **{variable: value})
    assert shown.returncode == 0, shown.stderr
    assert left(tmp_path) == []


def test_a_failure_names_its_step_and_leaves_nothing(tmp_path: Path) -> None:
    shadow = tmp_path / "shadow"
    shadow.mkdir()
    # Every Python that starts with this in its path is a server that dies at once.
    (shadow / "sitecustomize.py").write_text("import sys\nif sys.argv[-1:] == ['serve']: sys.exit(3)\n")
    shown = demo(tmp_path, PYTHONPATH=str(shadow))
    assert shown.returncode == 1
    assert "failed at this step: Session one" in shown.stderr
    assert "Fix: gbrain doctor" in shown.stderr
    assert [name for name in left(tmp_path) if not name.startswith("shadow")] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_cleans_up(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "scratch").mkdir()
    env = {**os.environ, "GBRAIN_HOME": str(tmp_path / "own"), "TMPDIR": str(tmp_path / "scratch")}
    process = subprocess.Popen(
        [sys.executable, "-m", "gbrain", "demo"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(b"Session one"):
            break
    process.send_signal(number)
    process.communicate()
    assert process.returncode not in (0, None)
    assert left(tmp_path) == []
