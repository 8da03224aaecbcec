"""Skills that use the brain say to look there first, or are exempt by one exact line."""

from pathlib import Path
from typing import Any

import pytest

from gbrain.doctor.skills import CALLOUT, shortfall
from gbrain.harnesses import skills

BRAIN = "Ask `gbrain recall` for it.\n"


def skill(header: str = "name: x", body: str = BRAIN) -> str:
    return f"---\n{header}\n---\n\n{body}"


@pytest.mark.parametrize(
    "text",
    [
        skill(body="Folds paper. Search the web.\n"),
        skill(body=f"{CALLOUT}\n\n{BRAIN}"),
        skill(body=f"> see [x](../brain-ops/conventions/brain-first.md)\n\n{BRAIN}"),
        skill("brain_first: exempt"),
        skill('brain_first: "exempt"'),
        skill(body=f"{CALLOUT}\n\n> Brain first: look there.\n"),
        "No header at all.\n",
        "---\na: [\n---\nFolds paper.\n",
        "",
    ],
)
def test_skills_that_meet_it(text: str) -> None:
    assert shortfall(text) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (skill(), "without the line"),
        (skill(body="Call mcp__gbrain__recall.\n"), "without the line"),
        (skill("tools: [search, get_backlinks]", "Look it up.\n"), "without the line"),
        (skill("tools: search, put_page", "Look it up.\n"), "without the line"),
        (skill(body=f"conventions/brain-first.md\n{BRAIN}"), "without the line"),
        (skill("brain-first: exempt"), "`brain-first: exempt` exempts nothing"),
        (skill("brain_first: Exempt"), "`brain_first: Exempt` exempts nothing"),
        (skill("Brain_First: exempt"), "`Brain_First: exempt` exempts nothing"),
        (skill("brainfirst: exempt"), "exempts nothing"),
        (skill("brain_first: true"), "exempts nothing"),
        (skill("brain_first:"), "exempts nothing"),
        (skill("brain_first: exempted", f"{CALLOUT}\n{BRAIN}"), "exempts nothing"),
        (skill(body=f"brain_first: exempt\n{BRAIN}"), "in the front matter"),
        ("---\na: [\n---\n" + BRAIN, "cannot be read"),
    ],
)
def test_skills_that_do_not(text: str, told: str) -> None:
    assert told in str(shortfall(text))


@pytest.mark.parametrize("item", skills.shipped(), ids=lambda item: item.name)
def test_our_own_meet_it(item: skills.Skill) -> None:
    assert shortfall((Path(item.folder) / "SKILL.md").read_text()) is None


def test_the_check(home: Path, examined: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "agent"))
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    assert examined(home)["skill_brain_first"]["message"].startswith("no skill is installed")
    for item in skills.shipped():
        skills.install(item, skills.claude_folder())
    assert examined(home)["skill_brain_first"]["message"].startswith("2 skills")
    for place, text in ((project / ".claude", skill()), (tmp_path / "agent", skill("brain_first: Exempt"))):
        (place / "skills" / "mine").mkdir(parents=True)
        (place / "skills" / "mine" / "SKILL.md").write_text(text)
    found = examined(home)["skill_brain_first"]
    assert (found["status"], found["category"], found["fix"]) == ("warn", "skill", "gbrain skills check")
    assert len(found["details"]) == 2
    assert examined(home).found["status"] == "warnings"
