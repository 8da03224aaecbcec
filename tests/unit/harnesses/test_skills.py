"""Skills in a folder of an agent: new, current, of an earlier release, changed by a person, taken away."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gbrain.errors import InvalidParams, NotFound, Unavailable
from gbrain.harnesses import skills
from gbrain.harnesses.skills import Skill


@pytest.fixture
def skill(tmp_path: Path) -> Skill:
    """A skill with one file beside its entrance."""
    return release(tmp_path, {"SKILL.md": "one", "more/notes.md": "n"})


def release(tmp_path: Path, files: dict[str, str]) -> Skill:
    folder = tmp_path / "shipped" / "tending"
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return Skill("tending", "1", "", str(folder), tuple(files))


def states(skill: Skill, target: Path) -> dict[str, str]:
    return {copy.path: copy.state for copy in skills.copies(skill, str(target))}


def texts(folder: Path) -> dict[str, str]:
    found = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}
    found.pop(skills.RECEIPT, None)
    return found


def test_the_shipped_ones() -> None:
    found = {skill.name: skill for skill in skills.shipped()}
    assert list(found) == ["brain-ops", "company-brainify"]
    assert found["brain-ops"].version == "1.2.0"
    assert found["brain-ops"].files == ("conventions/brain-first.md", "conventions/quality.md", "SKILL.md")
    assert [skill.name for skill in skills.named(("brain-ops",))] == ["brain-ops"]
    with pytest.raises(NotFound) as error:
        skills.named(("brain-op",))
    assert "brain-ops" in error.value.suggestion


def test_a_new_one_appears_whole_and_a_second_run_does_nothing(skill: Skill, tmp_path: Path) -> None:
    target = tmp_path / "agent" / "skills"
    assert set(states(skill, target).values()) == {"missing"}
    skills.install(skill, str(target))
    assert texts(target / "tending") == {"SKILL.md": "one", "more/notes.md": "n"}
    assert os.listdir(target) == ["tending"]
    before = {path: path.stat().st_mtime_ns for path in target.rglob("*")}
    skills.install(skill, str(target))
    assert {path: path.stat().st_mtime_ns for path in target.rglob("*")} == before


def test_an_earlier_release_is_replaced_and_what_it_had_more_goes(skill: Skill, tmp_path: Path) -> None:
    target = tmp_path / "skills"
    skills.install(skill, str(target))
    (target / "tending" / "own.md").write_text("a person's")
    later = release(tmp_path, {"SKILL.md": "two"})
    assert states(later, target) == {"SKILL.md": "outdated", "more/notes.md": "outdated"}
    skills.refuse_changed(later, str(target), skills.copies(later, str(target)))
    skills.install(later, str(target))
    assert texts(target / "tending") == {"SKILL.md": "two", "own.md": "a person's"}
    assert not (target / "tending" / "more").exists()


def test_a_changed_file_is_never_replaced_unasked(skill: Skill, tmp_path: Path) -> None:
    target = tmp_path / "skills"
    skills.install(skill, str(target))
    (target / "tending" / "SKILL.md").write_text("mine")
    later = release(tmp_path, {"SKILL.md": "two", "more/notes.md": "n"})
    found = skills.copies(later, str(target))
    with pytest.raises(InvalidParams) as error:
        skills.refuse_changed(later, str(target), found)
    assert "tending/SKILL.md" in error.value.message
    assert "--force" in error.value.suggestion
    skills.uninstall(later, str(target), changed=False)
    assert texts(target / "tending") == {"SKILL.md": "mine"}
    skills.install(later, str(target))
    assert texts(target / "tending") == {"SKILL.md": "two", "more/notes.md": "n"}


def test_a_folder_of_someone_else_counts_as_changed(skill: Skill, tmp_path: Path) -> None:
    other = tmp_path / "skills" / "tending"
    other.mkdir(parents=True)
    (other / "SKILL.md").write_text("another program's")
    assert states(skill, tmp_path / "skills")["SKILL.md"] == "changed"


@pytest.mark.parametrize("receipt", ["", "[]", '{"files": 3}', '{"files": {"../../x": ["y"], "SKILL.md": 1}}'])
def test_a_damaged_receipt_makes_it_careful(skill: Skill, tmp_path: Path, receipt: str) -> None:
    target = tmp_path / "skills"
    skills.install(skill, str(target))
    (target / "tending" / skills.RECEIPT).write_text(receipt)
    later = release(tmp_path, {"SKILL.md": "two", "more/notes.md": "n"})
    assert states(later, target) == {"SKILL.md": "changed", "more/notes.md": "current"}


def test_a_run_that_broke_off_is_finished_by_the_next(skill: Skill, tmp_path: Path) -> None:
    """The receipt names the new text before any file has it."""
    target = tmp_path / "skills"
    skills.install(skill, str(target))
    later = release(tmp_path, {"SKILL.md": "two", "more/notes.md": "m"})
    program = (
        "import os, sys\nfrom gbrain.harnesses import skills\n"
        "calls, whole = [], os.replace\n"
        "def broken(old, new):\n"
        "    calls.append(new)\n"
        "    os._exit(9) if len(calls) == int(sys.argv[3]) else whole(old, new)\n"
        "os.replace = broken\n"
        "skills.install(skills.Skill('tending', '1', '', sys.argv[1], ('SKILL.md', 'more/notes.md')), sys.argv[2])\n"
    )
    for at in (1, 2, 3):
        done = subprocess.run([sys.executable, "-c", program, later.folder, str(target), str(at)], check=False)
        assert done.returncode == 9
        assert set(states(later, target).values()) <= {"outdated", "current"}
        # A release that comes after the broken run knows both texts as its own.
        release(tmp_path, {"SKILL.md": f"{at}", "more/notes.md": f"{at}"})
        assert set(states(later, target).values()) <= {"outdated", "current"}
    skills.install(later, str(target))
    assert {path: text for path, text in texts(target / "tending").items() if path.endswith(".md")} == {
        "SKILL.md": "3",
        "more/notes.md": "3",
    }


def test_a_linked_folder_is_written_through(skill: Skill, tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "tending").symlink_to(tmp_path / "dotfiles")
    skills.install(skill, str(tmp_path / "skills"))
    assert texts(tmp_path / "dotfiles") == {"SKILL.md": "one", "more/notes.md": "n"}
    assert (tmp_path / "skills" / "tending").is_symlink()


def test_removing_leaves_nothing_of_ours(skill: Skill, tmp_path: Path) -> None:
    target = tmp_path / "skills"
    skills.install(skill, str(target))
    assert json.loads((target / "tending" / skills.RECEIPT).read_text())["files"].keys() == set(skill.files)
    skills.uninstall(skill, str(target), changed=False)
    assert os.listdir(target) == []
    skills.uninstall(skill, str(target), changed=False)


def test_a_place_that_is_no_folder(skill: Skill, tmp_path: Path) -> None:
    (tmp_path / "skills").write_text("a file")
    with pytest.raises(Unavailable) as error:
        skills.install(skill, str(tmp_path / "skills"))
    assert "--to" in error.value.suggestion
