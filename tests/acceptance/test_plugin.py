"""The plugin in the real Claude Code: its skills are listed and read, its server connects and remembers.

Where the client lives, and how one that is missing is skipped: see clients.py.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from acceptance.clients import binary, driven
from gbrain.harnesses import skills
from stdio_server import local_brain

pytestmark = pytest.mark.clients

PACKAGES = ["claude332", "claude"]


def turn(package: str, home: Path, work: Path, plugin: str) -> dict[str, Any]:
    """What came of one turn in which the model wants something remembered, and then reads the skill."""
    claude = binary(package, "claude")
    programs = home / "bin"
    programs.mkdir()
    (programs / "gbrain").write_text(f'#!/bin/sh\nexec {sys.executable} -m gbrain "$@"\n')
    (programs / "gbrain").chmod(0o755)
    told = driven("drive_plugin.py", claude, home, work, plugin, programs)
    assert told["code"] == 0, told["answer"]
    return told


@pytest.mark.parametrize("package", PACKAGES)
def test_claude_code_takes_skills_and_server(home: Path, tmp_path: Path, package: str) -> None:
    told = turn(package, home, tmp_path / "work", skills.FOLDER)
    assert {"gbrain:brain-ops", "gbrain:company-brainify"} <= set(told["skills"])
    first, last = told["sent"][0], told["sent"][-1]
    assert "gbrain:brain-ops" in first, "the model is told of the skill"
    assert "before any web search" in first, "and what it is for"
    assert "mcp__plugin_gbrain_gbrain__recall" in first, "and has the tools from its first message on"
    assert "Five guarantees" not in first
    assert "Five guarantees" in last, "the model read the skill when it asked for it"
    with local_brain(home) as brain:
        (fact,) = brain.recall()["facts"]
    assert fact["provenance"] == "said in chat"


@pytest.mark.parametrize("package", PACKAGES)
def test_claude_code_lists_what_was_installed(home: Path, tmp_path: Path, package: str) -> None:
    told = turn(package, home, tmp_path / "work", "-")
    assert {"brain-ops", "company-brainify"} <= set(told["skills"])
    assert "before any web search" in told["sent"][0]


@pytest.mark.parametrize("package", PACKAGES)
def test_claude_code_finds_nothing_wrong_with_it(tmp_path: Path, package: str) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "DISABLE_AUTOUPDATER": "1"}
    for place in (skills.FOLDER, f"{skills.FOLDER}/.claude-plugin/plugin.json"):
        done = subprocess.run(
            [str(binary(package, "claude")), "plugin", "validate", place],
            env=env,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stdout + done.stderr
