"""`gbrain sync` as people run it: what it prints, how it ends, git, and several at once."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from commandline import Gbrain
from gbrain import open_brain


@pytest.fixture
def gbrain(tmp_path: Path) -> Gbrain:
    made = Gbrain(tmp_path / "home")
    made("init")
    return made


@pytest.fixture
def notes(gbrain: Gbrain, tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    gbrain("sources", "add", "work", "--path", str(folder))
    return folder


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def test_what_a_person_reads(gbrain: Gbrain, notes: Path) -> None:
    (notes / "a.md").write_text("A.\n")
    assert gbrain("sync").out == "work: 1 added\n  added a.md\n"
    assert gbrain("sync").out == "work: up to date\n"
    (notes / "a.md").rename(notes / "b.md")
    assert gbrain("sync", "--dry-run").out == "work: 1 renamed (nothing was changed)\n  renamed b.md from a.md\n"
    assert gbrain("sync", "--source", "work").out == "work: 1 renamed\n  renamed b.md from a.md\n"
    assert gbrain("get", "work:a").err == "note: 'a' leads to this page\n"
    (notes / "bad.md").write_text("---\n\tx: [\n---\n")
    ran = gbrain.run("sync")
    assert ran.code == 1
    assert ran.out.startswith("work: partial: 1 skipped\n  bad.md:2: ")
    assert "    Fix: " in ran.out


def test_json_and_no_source(gbrain: Gbrain, notes: Path) -> None:
    (notes / "a.md").write_text("A.\n")
    told = gbrain("sync", "--all", "--no-pull", "--json").json
    assert (told["status"], told["sources"][0]["added"], told["sources"][0]["pull"]) == ("ok", 1, "none")
    ran = gbrain.run("sync", "--source", "nope", "--json")
    assert (ran.code, ran.json["error"]) == (3, "not_found")


def test_several_at_once_store_every_file_once(gbrain: Gbrain, notes: Path) -> None:
    for number in range(150):
        (notes / f"n{number}.md").write_text(f"Note {number}.\n")
    command = [sys.executable, "-m", "gbrain", "sync", "--json"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, env=gbrain.environment()) for _ in range(3)]
    outs = [process.communicate(timeout=120)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0, 0], outs
    pages = gbrain("list", "--source", "work", "--limit", "1000", "--json").json
    assert len(pages) == 150
    for slug in ("n0", "n75", "n149"):
        assert len(gbrain("history", slug, "--source", "work", "--json").json) == 1
    assert gbrain("sync").out == "work: up to date\n"


def test_a_dry_run_over_every_source_changes_nothing(gbrain: Gbrain, notes: Path, tmp_path: Path) -> None:
    (tmp_path / "blue").mkdir()
    gbrain("sources", "add", "blue", "--path", str(tmp_path / "blue"))
    kept = notes / "a.md"
    kept.write_text("One.\n")
    (tmp_path / "blue" / "b.md").write_text("Blue.\n")
    gbrain("sync", "--source", "work")
    held = kept.stat()
    kept.write_text("Two.\n")
    os.utime(kept, ns=(held.st_atime_ns, held.st_mtime_ns))
    told = gbrain("sync", "--full", "--all", "--no-pull", "--dry-run", "--json").json
    counts = {row["source_id"]: (row["added"], row["changed"]) for row in told["sources"]}
    assert (told["dry_run"], counts) == (True, {"work": (0, 1), "blue": (1, 0)})
    assert gbrain("get", "a", "--source", "work", "--json").json["version"] == 1
    assert gbrain.run("get", "b", "--source", "blue").code == 3


@pytest.mark.parametrize(("total", "gone"), [(20, 6), (260, 51)])
def test_many_removals_stop_and_name_the_flag(gbrain: Gbrain, notes: Path, total: int, gone: int) -> None:
    for number in range(total):
        (notes / f"n{number}.md").write_text(f"Note {number}.\n")
    gbrain("sync")
    for number in range(gone):
        (notes / f"n{number}.md").unlink()
    ran = gbrain.run("sync", "--all")
    assert ran.code == 1
    assert ran.out.startswith(f"work: partial\n  the files of {gone} pages are gone")
    assert "--confirm-removals" in ran.out
    assert len(gbrain("list", "--source", "work", "--limit", "1000", "--json").json) == total
    assert f"{gone} removed" in gbrain("sync", "--all", "--confirm-removals").out
    assert len(gbrain("list", "--source", "work", "--limit", "1000", "--json").json) == total - gone


def test_what_others_pushed_is_taken_in(gbrain: Gbrain, tmp_path: Path) -> None:
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    origin.mkdir()
    git(origin, "init")
    (origin / "a.md").write_text("A.\n")
    git(origin, "add", ".")
    git(origin, "commit", "-m", "one")
    git(tmp_path, "clone", str(origin), str(clone))
    gbrain("sources", "add", "team", "--path", str(clone))
    assert gbrain("sync", "--json").json["sources"][0]["pull"] == "current"
    (origin / "a.md").write_text("A, and more.\n")
    git(origin, "commit", "-am", "two")
    (clone / "mine.md").write_text("Not committed.\n")
    told = gbrain("sync", "--no-pull", "--json").json["sources"][0]
    assert (told["pull"], told["added"], told["changed"]) == ("none", 1, 0)
    told = gbrain("sync", "--json").json["sources"][0]
    assert (told["pull"], told["added"], told["changed"]) == ("updated", 0, 1)


def test_a_pull_that_fails_is_told_and_the_folder_still_synced(gbrain: Gbrain, tmp_path: Path) -> None:
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    origin.mkdir()
    git(origin, "init")
    (origin / "a.md").write_text("A.\n")
    git(origin, "add", ".")
    git(origin, "commit", "-m", "one")
    git(tmp_path, "clone", str(origin), str(clone))
    gbrain("sources", "add", "team", "--path", str(clone))
    origin.rename(tmp_path / "away")
    (clone / "b.md").write_text("B.\n")
    ran = gbrain.run("sync", "--json")
    told = ran.json["sources"][0]
    assert (ran.code, told["pull"], told["status"], told["added"]) == (1, "failed", "partial", 2)
    assert told["troubles"][0]["message"].startswith("git: ")
    assert "--no-pull" in told["troubles"][0]["hint"]


def test_a_folder_that_may_not_be_read_keeps_its_pages(gbrain: Gbrain, notes: Path) -> None:
    (notes / "sub").mkdir()
    (notes / "sub" / "a.md").write_text("A.\n")
    gbrain("sync")
    (notes / "sub").chmod(0)
    command = [*bound(), sys.executable, "-m", "gbrain", "sync", "--json"]
    try:
        ran = subprocess.run(command, capture_output=True, env=gbrain.environment(), check=False)
    finally:
        (notes / "sub").chmod(0o700)
    told = json.loads(ran.stdout)["sources"][0]
    assert (told["removed"], told["status"], told["troubles"][0]["path"]) == (0, "partial", "sub")
    assert gbrain("get", "sub/a", "--source", "work").out


def bound() -> list[str]:
    """What makes file modes count for the superuser too."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("nothing is unreadable to the superuser, and there is no setpriv here to change that")
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


def test_killed_in_the_middle_it_goes_on(gbrain: Gbrain, notes: Path) -> None:
    for number in range(500):
        (notes / f"n{number}.md").write_text(f"# Note {number}\n\nSee [[n{(number + 1) % 500}]].\n")
    command = [sys.executable, "-m", "gbrain", "sync"]
    stopped = 0
    for after in (60, 200, 350):
        with subprocess.Popen(command, env=gbrain.environment(), stdout=subprocess.DEVNULL) as process:
            while process.poll() is None and pages(notes) < after:
                pass
            process.kill()
        stopped += process.returncode == -signal.SIGKILL
    assert stopped, "no sync was ended by force"
    assert gbrain.run("sync").code == 0
    assert gbrain("sync").out == "work: up to date\n"
    assert gbrain("links", "unresolved").out.startswith("Every reference ")
    told = gbrain("list", "--limit", "1000", "--json").json
    assert len(told) == 500
    assert {gbrain("get", f"n{number}", "--json").json["version"] for number in (0, 61, 201, 351, 499)} == {1}


def pages(notes: Path) -> int:
    """How many pages a process of its own sees in the store now."""
    with open_brain(str(notes.parent / "home" / ".gbrain")) as brain:
        return int(brain.store.engine.rows("select count(*) as n from pages")[0]["n"])
