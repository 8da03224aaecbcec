"""`gbrain bootstrap harness --project`: a project's own files, and nothing of the person's."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent_home import BLOCK, SETTINGS, Home

OURS = {
    "claude-code": [".claude/settings.json", ".mcp.json", "CLAUDE.md"],
    "codex": ["AGENTS.md"],
    "gemini": [".gemini/settings.json", "GEMINI.md"],
    "opencode": [".opencode/plugins/gbrain.js", "AGENTS.md", "opencode.json"],
}


class Project:
    """A folder below a person's home that agents are started in."""

    def __init__(self, base: Path) -> None:
        self.home = Home(base)
        self.root = base / "work" / "proj"
        self.root.mkdir(parents=True)
        self.home.on()

    def write(self, name: str, text: str) -> None:
        self.home.write(f"work/proj/{name}", text)

    def text(self, name: str) -> str:
        return (self.root / name).read_text()

    def files(self) -> dict[str, bytes]:
        return {str(p.relative_to(self.root)): p.read_bytes() for p in sorted(self.root.rglob("*")) if p.is_file()}

    def join(self, *harnesses: str) -> None:
        named = [word for name in harnesses for word in ("--harness", name)]
        self.home.done("--project", str(self.root), *named, "--yes")

    def rows(self, *arguments: str) -> dict[str, Any]:
        ran = self.home.run("--status", "--json", *arguments)
        return {row["harness"]: row for row in json.loads(ran.out)["harnesses"]}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.mark.parametrize("harness", list(OURS))
def test_each_agent_has_its_files_and_they_go_again(project: Project, harness: str) -> None:
    project.join(harness)
    made = project.files()
    assert sorted(made) == OURS[harness]
    assert list(project.home.files()) == [f"work/proj/{name}" for name in made], "nothing of the person's own"
    words = next(name for name in made if name.endswith(".md"))
    assert project.text(words).count(BLOCK) == 1
    project.join(harness)
    assert project.files() == made
    assert project.rows("--project", str(project.root))[str(project.root)]["state"] == "installed"
    project.home.done("--remove", "--project", str(project.root), "--yes")
    assert list(project.root.iterdir()) == []
    assert not project.home.receipt.exists()


def test_files_that_were_there_come_back_to_the_last_byte(project: Project) -> None:
    project.write(".claude/settings.json", SETTINGS)
    project.write(".mcp.json", '{"mcpServers": {"other": {"command": "x"}}}')
    project.write("CLAUDE.md", "# Ours\r\n\r\nBe brief.")
    project.write(".gemini/settings.json", '{"context": {"fileName": "TEAM.md"}}')
    project.write("opencode.jsonc", "{ // ours\n}")
    before = project.files()
    project.join("all")
    joined = project.files()
    assert BLOCK in project.text("TEAM.md")
    assert "gbrain" in project.text("opencode.jsonc")
    servers = json.loads(project.text(".mcp.json"))["mcpServers"]
    assert (servers["other"], servers["gbrain"]["alwaysLoad"]) == ({"command": "x"}, True)
    project.join()
    assert project.files() == joined
    project.home.gbrain("config", "set", "memory.auto_writeback", "off")
    project.join()
    assert all(BLOCK.encode() not in data for data in project.files().values())
    project.home.on()
    project.join()
    assert project.files() == joined
    project.home.done("--remove", "--yes")
    assert project.files() == before


def test_a_file_that_several_agents_read_has_the_block_once(project: Project) -> None:
    project.write("AGENTS.md", "Be brief.\n")
    (project.root / "CLAUDE.md").symlink_to("AGENTS.md")
    project.join("all")
    assert project.text("AGENTS.md").count(BLOCK) == 1
    assert (project.root / "CLAUDE.md").is_symlink()
    project.home.done("--remove", "--yes")
    assert project.text("AGENTS.md") == "Be brief.\n"


def test_claude_goes_on_reading_agents_md_where_there_is_only_that(project: Project) -> None:
    project.write("AGENTS.md", "Be brief.\n")
    project.join("claude-code")
    assert BLOCK in project.text("AGENTS.md")
    assert "CLAUDE.md" not in project.files()


def test_codex_is_told_nothing_beside_an_override(project: Project) -> None:
    project.write("AGENTS.override.md", "Only this.\n")
    ran = project.home.done("--project", str(project.root), "--harness", "codex", "--yes")
    assert "so Codex is told nothing" in ran.out
    assert list(project.files()) == ["AGENTS.override.md"]


def test_codex_is_told_nothing_that_it_would_cut_off(project: Project) -> None:
    """It reads 32 KiB of all AGENTS.md from the folder with `.git` down, and cuts the rest without a word."""
    (project.root.parent / ".git").mkdir()
    above = project.root.parent / "AGENTS.md"
    project.write("AGENTS.md", "Be brief.\n")

    def told() -> str:
        return project.home.done("--project", str(project.root), "--harness", "codex", "--yes").out

    above.write_text("x" * 30_000)
    assert "Codex would cut" not in told()
    assert BLOCK in project.text("AGENTS.md")
    above.write_text("x" * 32_000)
    assert "Codex would cut" in told()
    assert project.text("AGENTS.md") == "Be brief.\n"
    project.home.codex()
    config = project.home.path / ".codex" / "config.toml"
    config.write_text(f"project_doc_max_bytes = 65536\n{config.read_text()}")
    assert "Codex would cut" not in told()
    assert BLOCK in project.text("AGENTS.md")
    assert above.read_text() == "x" * 32_000


def test_hooks_run_once_where_the_agent_is_joined_for_all_folders(project: Project) -> None:
    project.join("claude-code")
    assert "ambient/hook.py" in project.text(".claude/settings.json")
    project.home.done("--harness", "claude-code", "--yes")
    assert "ambient/hook.py" in project.home.text(".claude/settings.json")
    assert "ambient/hook.py" not in project.text(".claude/settings.json")
    rows = project.rows()
    assert rows["claude-code"]["state"] == rows[str(project.root)]["state"] == "installed"
    project.home.done("--remove", "--harness", "claude-code", "--yes")
    assert project.rows()[str(project.root)]["state"] == "outdated"
    project.join()
    assert "ambient/hook.py" in project.text(".claude/settings.json")


def test_a_plain_run_brings_projects_up_to_date_but_makes_none_that_is_gone(project: Project) -> None:
    project.home.claude()
    project.join("claude-code", "gemini")
    project.home.on("all")
    project.home.done("--yes")
    assert "mode: all" in project.text("CLAUDE.md")
    project.root.rename(project.root.with_name("moved"))
    project.home.done("--yes")
    assert not project.root.exists()
    project.home.done("--remove", "--project", str(project.root), "--yes")
    assert str(project.root) not in project.home.receipt.read_text()


def test_doctor_sees_a_project_that_still_asks(project: Project) -> None:
    project.join("gemini")
    project.home.gbrain("config", "set", "memory.auto_writeback", "off")
    ran = project.home.gbrain.run("doctor", "--json", env={"HOME": str(project.home.path)})
    checks = {row["name"]: row for row in json.loads(ran.out)["checks"]}
    assert str(project.root / "GEMINI.md") in json.dumps(checks["memory_writeback"])


def test_what_it_refuses(project: Project) -> None:
    before = project.home.files()
    for words, why in (
        (["--project", str(project.home.path)], "is your home"),
        (["--project", str(project.root / "no")], "there is no folder"),
        (["--project", str(project.root), "--harness", "openclaw"], "reads nothing in a project"),
        (["--project", str(project.root), "--harness", "nobody"], "there is no harness"),
        (
            ["--project", str(project.root), "--url", "http://127.0.0.1:9/mcp", "--token-file", "x"],
            "a token has no place",
        ),
        (["--project", str(project.root), "--remove", "--harness", "gemini"], "by all its agents"),
    ):
        ran = project.home.run(*words, "--yes")
        assert (ran.code, why in ran.err) == (2, True), ran
    assert project.home.files() == before
