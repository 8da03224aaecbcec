"""Every shell line of the guides runs, in order, on a brain of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from commandline import AGENTS

DOCS = Path(__file__).parents[2] / "docs"
GUIDES = [DOCS / "quickstart.md", DOCS / "spend-controls.md", *sorted((DOCS / "how-to").glob("*.md"))]


def shell_lines(text: str) -> list[str]:
    """The lines of the `sh` blocks of a Markdown text."""
    return [line for block in re.findall(r"```sh\n(.*?)```", text, re.S) for line in block.splitlines() if line.strip()]


def test_there_are_guides_with_commands() -> None:
    assert len(GUIDES) >= 4
    assert all(shell_lines(guide.read_text(encoding="utf-8")) for guide in GUIDES)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A brain of its own, with this gbrain as the command."""
    programs = tmp_path / "bin"
    programs.mkdir()
    command = programs / "gbrain"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m gbrain "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    (tmp_path / ".claude").mkdir()
    # A guide's own `init` would ask on stderr; and the agents of this machine are left alone.
    asked = {"GBRAIN_NO_ONBOARD_NUDGE": "1", "HOME": str(tmp_path)}
    around = {key: value for key, value in os.environ.items() if key not in AGENTS}
    made = {**around, **asked, "GBRAIN_HOME": str(tmp_path), "PATH": f"{programs}:{os.environ['PATH']}"}
    subprocess.run(["gbrain", "init"], env=made, check=True, capture_output=True)
    return made


def follow(guide: Path, environment: dict[str, str]) -> None:
    """Run a guide as one shell session; notes and errors are none of what a reader should meet."""
    lines = ["set -e", *shell_lines(guide.read_text(encoding="utf-8"))]
    place = environment["GBRAIN_HOME"]
    ran = subprocess.run(
        ["sh", "-c", "\n".join(lines)], env=environment, cwd=place, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, ""), (guide.name, ran.stdout)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_every_line_of_a_guide_runs(guide: Path, environment: dict[str, str]) -> None:
    follow(guide, environment)


def test_all_guides_run_one_after_another_in_one_brain(environment: dict[str, str]) -> None:
    for guide in GUIDES:
        follow(guide, environment)


def test_an_ended_fact_comes_back_as_the_guide_says(environment: dict[str, str]) -> None:
    follow(DOCS / "how-to" / "correct-and-forget.md", environment)
    shown = subprocess.run(
        ["gbrain", "recall", "Mira Solberg"], env=environment, capture_output=True, text=True, check=True
    )
    assert "lives in Turku" in shown.stdout
    assert "Bergen" not in shown.stdout
    assert "collects stamps" in shown.stdout


@pytest.mark.guard
def test_links_between_the_documents_lead_somewhere() -> None:
    pages = [*DOCS.rglob("*.md"), DOCS.parent / "README.md"]
    broken = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists() and not re.match(r"(dir|\.\./dir|path)\b", target)
    ]
    assert not broken
