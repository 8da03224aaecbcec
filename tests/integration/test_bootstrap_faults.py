"""`gbrain bootstrap harness` killed, and run beside itself: homes go back to the last byte all the same."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent_home import BLOCK, Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path)
    home.claude()
    return home


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["apply", "remove"])
def test_killed_before_each_step_the_next_removal_brings_all_back(tmp_path: Path, scenario: str) -> None:
    base = tmp_path / "brain"
    base.mkdir()
    home = Home(base)
    home.on()
    folder = Home.__new__(Home)
    folder.path = tmp_path / "original"
    folder.claude()
    folder.codex()
    folder.write(".gemini/settings.json", "{}")
    command = [sys.executable, str(Path(__file__).parents[1] / "data" / "killed_wiring.py")]
    stride = "1" if os.environ.get("SLOW_TESTS") else "5"
    ran = subprocess.run(
        [*command, str(base), str(folder.path), scenario, stride], capture_output=True, text=True, timeout=900
    )
    assert ran.returncode == 0, ran.stderr
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(found) > 10
    assert [one for one in found if one["wrong"] or one["receipt"]] == []


def test_two_runs_at_a_time_leave_one_of_each(home: Home) -> None:
    home.codex()
    before = home.files()
    home.on()
    command = [sys.executable, "-m", "gbrain", "bootstrap", "harness", "--yes"]
    env = home.gbrain.environment({"HOME": str(home.path)})
    running = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
    ended = [(process.communicate(), process.returncode) for process in running]
    assert {code for _, code in ended} <= {0, 6}, ended
    assert 0 in {code for _, code in ended}
    assert home.text(".claude/CLAUDE.md").count(BLOCK) == 1
    assert home.text(".claude/settings.json").count("hook.py stop claude-code") == 1
    home.done("--yes")
    home.done("--remove", "--yes")
    assert home.files() == before
