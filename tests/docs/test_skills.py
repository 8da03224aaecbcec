"""What the skills name exists: commands with their options, tools with their arguments, and the files they lead to."""

import json
import re
import shlex
from pathlib import Path

import pytest

from command_lines import wrong_command
from commandline import Gbrain
from gbrain import __version__
from gbrain.harnesses import skills
from gbrain.registry import load_all
from gbrain.sources import frontmatter

TEXTS = {
    f"{skill.name}/{path}": (Path(skill.folder) / path).read_text(encoding="utf-8")
    for skill in skills.shipped()
    for path in skill.files
}
TOOLS = {operation.name: {param.name for param in operation.params} for operation in load_all()}
# Single words in code that are no tools: fields and values of replies and pages.
WORDS = {
    *("version", "expected_version", "source_id", "aliases", "create_safety", "exists", "probable", "provenance"),
    *("auto_links", "version_conflict", "unavailable", "external"),
}


def commands(text: str) -> list[str]:
    blocks = [line for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S) for line in block.splitlines()]
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    return [line for line in (*blocks, *spans) if line.startswith("gbrain ")]


def calls(text: str) -> list[tuple[str, set[str]]]:
    """Tools with the arguments they are shown with: `search(query: "...")`, or the bare name."""
    spans = re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    found = [re.fullmatch(r"([a-z_]+)(?:\((.*)\))?", span, re.S) for span in spans]
    return [(match[1], set(re.findall(r"(\w+):", match[2] or ""))) for match in found if match]


@pytest.mark.guard
@pytest.mark.parametrize("name", TEXTS)
def test_every_command_is_taken(name: str) -> None:
    broken = {line: why for line in commands(TEXTS[name]) if (why := wrong_command(line)) is not None}
    assert broken == {}


def test_the_commands_of_company_brainify_lead_to_a_team_source(tmp_path: Path) -> None:
    gbrain = Gbrain(tmp_path)
    gbrain("init")
    gbrain("put", "people/dana-oakes", "--content", "Leads the river survey.")
    gbrain("put", "people/own", "--content", "---\nvisibility: private\n---\nMine.")
    blocks = re.findall(r"^```sh\n(.*?)^```", TEXTS["company-brainify/SKILL.md"], re.M | re.S)
    lines = [line for block in blocks for line in block.splitlines()]
    assert len(lines) >= 10
    for line in lines:
        ran = gbrain.run(*shlex.split(line)[1:], cwd=tmp_path)
        assert ran.code == 0, (line, ran.err)
    listed = gbrain("call", "list_pages", '{"source_id": "team"}').json
    assert [page["slug"] for page in listed] == ["people/dana-oakes"]


@pytest.mark.guard
@pytest.mark.parametrize("name", TEXTS)
def test_every_tool_is_offered(name: str) -> None:
    named = [(tool, given) for tool, given in calls(TEXTS[name]) if tool not in WORDS]
    listed = frontmatter.parse(TEXTS[name]).frontmatter.get("tools", [])
    unknown = {tool for tool in [*listed, *(tool for tool, _ in named)] if tool not in TOOLS}
    assert unknown == set()
    assert [(tool, given) for tool, given in named if tool in TOOLS and not given <= TOOLS[tool]] == []


def test_the_words_that_are_no_tools_are_used_and_are_none() -> None:
    assert not WORDS & TOOLS.keys()
    assert not WORDS - {tool for text in TEXTS.values() for tool, _ in calls(text)} - {"external", "provenance"}


@pytest.mark.parametrize(
    "line",
    [
        "gbrain nothing",
        "gbrain sources",
        "gbrain sources lists",
        "gbrain lint --mend",
        "gbrain config set mcp_surface some",
        "gbrain config set nothing on",
    ],
)
def test_a_wrong_command_is_seen(line: str) -> None:
    assert wrong_command(line)


def test_what_an_agent_must_find_in_brain_ops() -> None:
    text = TEXTS["brain-ops/SKILL.md"]
    said = frontmatter.parse(text).frontmatter
    assert (said["name"], said["version"], said["mutating"], said["writes_pages"]) == ("brain-ops", "1.2.0", True, True)
    assert set(said["tools"]) == {
        *("search", "query", "get_page", "put_page", "add_link", "add_timeline_entry", "get_backlinks", "sync_brain"),
    }
    assert said["writes_to"] == ["people/", "companies/", "deals/", "concepts/", "meetings/"]
    assert len(said["description"]) < 1024
    steps = re.findall(r"^\d\. .*?`(\w+)", TEXTS["brain-ops/conventions/brain-first.md"], re.M)
    assert steps == ["entity", "search", "query", "get_page", "get_backlinks"]
    lines = set(commands(text))
    assert {"gbrain config set memory.auto_writeback salient", "gbrain bootstrap harness --yes"} <= lines
    brainify = TEXTS["company-brainify/SKILL.md"]
    assert "gbrain config set brain.audience shared" in brainify.split("## Phase 5")[1].split("## Phase 6")[0]


def test_the_plugin_is_of_this_release_and_names_every_skill() -> None:
    plugin = json.loads((Path(skills.FOLDER) / ".claude-plugin" / "plugin.json").read_text(encoding="utf-8"))
    assert plugin["version"] == __version__
    assert plugin["skills"] == [f"./{skill.name}" for skill in skills.shipped()]


@pytest.mark.parametrize("name", TEXTS)
def test_the_files_they_lead_to_are_there(name: str) -> None:
    text = re.sub(r"^    .*$", "", TEXTS[name], flags=re.M)
    place = Path(skills.FOLDER) / name
    assert [link for link in re.findall(r"\]\(([^)]+)\)", text) if not (place.parent / link).exists()] == []
