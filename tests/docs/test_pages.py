"""Every shell line of the guides runs, in order, on a brain of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
GUIDES = [DOCS / "quickstart.md", *sorted((DOCS / "how-to").glob("*.md"))]


def shell_lines(text: str) -> list[str]:
    """The lines of the `sh` blocks of a Markdown text."""
    return [line for block in re.findall(r"```sh\n(.*?)```", text, re.S) for line in block.splitlines() if line.strip()]


def test_there_are_guides_with_commands() -> None:
    assert len(GUIDES) >= 4
    assert all(shell_lines(guide.read_text(encoding="utf-8")) for guide in GUIDES)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_every_line_of_a_guide_runs(guide: Path, tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    command = programs / "gbrain"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m gbrain "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    environment = {**os.environ, "GBRAIN_HOME": str(tmp_path), "PATH": f"{programs}:{os.environ['PATH']}"}
    subprocess.run(["gbrain", "init"], env=environment, check=True, capture_output=True)
    for line in shell_lines(guide.read_text(encoding="utf-8")):
        ran = subprocess.run(line, shell=True, env=environment, capture_output=True, text=True)
        assert ran.returncode == 0, f"{line}\n{ran.stderr}"


def test_links_between_the_documents_lead_somewhere() -> None:
    pages = [*DOCS.rglob("*.md"), DOCS.parent / "README.md"]
    broken = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists() and not re.match(r"(dir|\.\./dir|path)\b", target)
    ]
    assert not broken
