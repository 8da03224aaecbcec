"""`gbrain skills` as a person and as a program runs it, also from a wheel."""

import os
import pty
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from commandline import Gbrain

ROOT = Path(__file__).parents[2]
FILES = {
    "brain-ops/SKILL.md",
    "brain-ops/conventions/brain-first.md",
    "brain-ops/conventions/quality.md",
    "company-brainify/SKILL.md",
}


@pytest.fixture
def gbrain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gbrain:
    """The command on a machine that has no brain; skills need none."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "agent"))
    return Gbrain(tmp_path)


def installed(gbrain: Gbrain) -> set[str]:
    folder = gbrain.base / "agent" / "skills"
    return {str(path.relative_to(folder)) for path in folder.rglob("*.md")}


def test_list_install_and_remove(gbrain: Gbrain) -> None:
    assert [row["state"] for row in gbrain("skills", "list", "--json").json["skills"]] == ["missing", "missing"]
    made = gbrain("skills", "install", "--yes", "--json").json
    assert set(made["written"]) == FILES == installed(gbrain)
    assert made["to"] == str(gbrain.base / "agent" / "skills")
    assert gbrain("skills", "install", "--json").json["written"] == []
    assert "there already" in gbrain("skills", "install").out
    assert [row["state"] for row in gbrain("skills", "list", "--json").json["skills"]] == ["current", "current"]
    assert gbrain("skills", "check", "--json").json == {"skills": 2, "findings": []}
    assert set(gbrain("skills", "install", "--remove", "--yes", "--json").json["removed"]) == FILES
    assert os.listdir(gbrain.base / "agent" / "skills") == []
    assert not gbrain.home.exists()


def test_one_skill_to_a_folder_of_choice(gbrain: Gbrain) -> None:
    gbrain("skills", "install", "company-brainify", "--to", str(gbrain.base / "x"), "--yes")
    assert [path.name for path in (gbrain.base / "x").iterdir()] == ["company-brainify"]
    ran = gbrain.run("skills", "install", "nothing")
    assert (ran.code, "brain-ops" in ran.err) == (3, True)


def test_it_shows_what_it_would_write_and_asks(gbrain: Gbrain) -> None:
    ran = gbrain.run("skills", "install")
    assert ran.code == 2
    assert all(path in ran.out for path in FILES)
    assert "gbrain skills install --yes" in ran.err
    assert installed(gbrain) == set()


@pytest.mark.parametrize(("answer", "code", "files"), [("y", 0, FILES), ("n", 0, set())])
def test_a_person_is_asked(gbrain: Gbrain, answer: str, code: int, files: set[str]) -> None:
    parent, child = pty.openpty()
    os.write(parent, f"{answer}\n".encode())
    command = [sys.executable, "-m", "gbrain", "skills", "install"]
    ran = subprocess.run(command, stdin=child, capture_output=True, env=gbrain.environment(), check=False)
    os.close(parent)
    os.close(child)
    assert ran.returncode == code
    assert b"Write these files?" in ran.stderr
    assert installed(gbrain) == files


def test_a_changed_file_stops_it_and_force_replaces_it(gbrain: Gbrain) -> None:
    gbrain("skills", "install", "--yes")
    place = gbrain.base / "agent" / "skills" / "brain-ops"
    (place / "SKILL.md").write_text("mine")
    (place / "conventions" / "quality.md").unlink()
    ran = gbrain.run("skills", "install", "--yes")
    assert (ran.code, ran.out) == (2, "")
    assert "--force" in ran.err
    assert not (place / "conventions" / "quality.md").exists()
    kept = gbrain("skills", "install", "--remove", "--yes")
    assert "brain-ops/SKILL.md was changed since, so it stays" in kept.err
    assert installed(gbrain) == {"brain-ops/SKILL.md"}
    gbrain("skills", "install", "--force", "--yes")
    assert installed(gbrain) == FILES
    assert gbrain("skills", "list", "--json").json["skills"][0]["state"] == "current"


def test_check_of_given_folders(gbrain: Gbrain) -> None:
    (gbrain.base / "s" / "mine").mkdir(parents=True)
    (gbrain.base / "s" / "mine" / "SKILL.md").write_text("---\nbrain-first: exempt\n---\ngbrain recall\n")
    ran = gbrain.run("skills", "check", str(gbrain.base / "s"))
    assert ran.code == 1
    assert "brain_first: exempt" in ran.out
    assert gbrain.run("skills", "check", str(gbrain.base / "none")).code == 3


def test_a_wheel_has_them(gbrain: Gbrain, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    env = {"PYTHONPATH": str(tmp_path / "site")}
    path = gbrain.run("skills", "path", env=env, cwd=tmp_path).out.strip()
    assert path == str(tmp_path / "site" / "gbrain" / "skills")
    for name in (".mcp.json", ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json"):
        assert (Path(path) / name).is_file()
    written = gbrain.run("skills", "install", "--yes", "--json", env=env, cwd=tmp_path).json["written"]
    assert set(written) == FILES
