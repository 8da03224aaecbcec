"""An import that is killed and run again, and a folder in which nearly everything is wrong."""

import json
import os
import shutil
import signal
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from commandline import Gbrain
from gbrain import open_brain

PAGES, FACTS = 300, 600
MARK = "gbrain-export.json"


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export with pages that link to each other, tags and entries by hand, and facts that replaced others."""
    base = tmp_path_factory.mktemp("backup")
    with open_brain(str(base / ".gbrain"), create=True) as brain:
        for at in range(PAGES):
            text = (
                f"# Page {at}\n\nSee [[p{(at * 7) % PAGES}]] and [[p{(at + 150) % PAGES}]].\n\n- **2031-05-04** | Met\n"
            )
            brain.call("put_page", {"slug": f"p{at}", "content": text})
            if at % 10 == 0:
                brain.call("add_tag", {"slug": f"p{at}", "tag": "hand"})
                brain.call("add_timeline_entry", {"slug": f"p{at}", "date": "2030-01-02", "summary": "Began"})
        replaced = None
        for at in range(FACTS):
            more = {"replaces": replaced} if replaced and at % 5 == 0 else {}
            said = {"fact": f"weighs {at} kg on day {at * 31}", "provenance": "chat", "entity": f"p{at}"}
            replaced = brain.call("remember", {**said, **more})["id"]
        brain.call("export_brain", {"dir": str(base / "out")})
    return base / "out"


def counted(base: Path) -> dict[str, int]:
    with open_brain(str(base / ".gbrain")) as brain:
        tables = ("pages", "page_versions", "chunks", "links", "refs", "tags", "timeline", "facts")
        return {name: brain.store.engine.rows(f"select count(*) as n from {name}")[0]["n"] for name in tables}


def exported(gbrain: Gbrain, target: Path) -> dict[str, object]:
    """Everything in an export except when its pages were made, and of which brain it is."""
    gbrain("export", "--dir", str(target))
    told: dict[str, object] = {}
    for path in sorted(target.rglob("*")):
        if path.suffix == ".md":
            told[str(path.relative_to(target))] = path.read_bytes()
        elif path.suffix == ".jsonl":
            rows = [json.loads(line) for line in path.read_text().splitlines()]
            told[path.name] = [{**row, "created_at": ""} if path.name == "pages.jsonl" else row for row in rows]
    return told


def reached(base: Path, table: str, rows: int) -> bool:
    with open_brain(str(base / ".gbrain")) as brain:
        held: int = brain.store.engine.rows(f"select count(*) as n from {table}")[0]["n"]
        return held >= rows


def test_killed_midway_and_run_again_it_ends_as_an_unbroken_one(backup: Path, tmp_path: Path) -> None:
    whole, broken = Gbrain(tmp_path / "whole"), Gbrain(tmp_path / "broken")
    for gbrain in (whole, broken):
        gbrain("init")
    whole("import", str(backup))
    for table, rows in (("pages", 50), ("pages", 200), ("tags", 12), ("facts", 50)):
        command = [sys.executable, "-m", "gbrain", "import", str(backup)]
        with subprocess.Popen(command, env=broken.environment(), stdout=subprocess.DEVNULL) as process:
            while process.poll() is None and not reached(broken.base, table, rows):
                pass
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL, f"it was done before {rows} rows of {table} were seen"
    again = broken("import", str(backup), "--json").json
    assert again["pages"] + again["unchanged"] == PAGES
    assert again["facts"] + again["known_facts"] == FACTS
    assert counted(broken.base) == counted(whole.base)
    assert exported(broken, tmp_path / "b") == exported(whole, tmp_path / "w")
    before = counted(broken.base)
    nothing = broken("import", str(backup), "--json").json
    assert (nothing["pages"], nothing["facts"]) == (0, 0)
    assert counted(broken.base) == before


def test_an_export_that_was_killed_is_refused_and_finished_by_the_same_command(backup: Path, tmp_path: Path) -> None:
    environment = {**Gbrain(tmp_path / "home").environment(), "GBRAIN_HOME": str(backup.parent)}
    for attempt in range(20):
        target = tmp_path / f"out {attempt}"
        command = [sys.executable, "-m", "gbrain", "export", "--dir", str(target), "--include-private"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
            while process.poll() is None and not (target / "pages").is_dir():
                pass
            process.send_signal(signal.SIGKILL)
        if process.returncode == -signal.SIGKILL and not json.loads((target / MARK).read_text())["complete"]:
            break
    else:
        pytest.fail("every export was complete before it could be killed")
    other = Gbrain(tmp_path / "other")
    other("init")
    refused = other.run("import", str(target), "--json")
    assert refused.code == 2, refused
    assert f"gbrain export --dir '{target}' --source default --include-private" in refused.out + refused.err
    assert counted(other.base)["pages"] == 0
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    came = other("import", str(target), "--json").json
    assert (came["pages"], came["facts"], came["skipped"]) == (PAGES, FACTS, 0)


def messy(folder: Path) -> None:
    folder.mkdir()
    (folder / "good.md").write_text("Good.\n")
    (folder / "crlf.md").write_bytes(b"---\r\ntitle: Lines\r\n---\r\n\r\nOne\r\nTwo\r\n")
    (folder / "bom.md").write_bytes(b"\xef\xbb\xbf# Mark\n")
    (folder / "empty.md").write_bytes(b"")
    (folder / "latin.md").write_bytes(b"one\ncaf\xe9\n")
    (folder / "nul.md").write_bytes(b"a\x00b\n")
    (folder / unicodedata.normalize("NFC", "é.md")).write_text("Composed.\n")
    (folder / unicodedata.normalize("NFD", "é.md")).write_text("Decomposed.\n")
    (folder / "Same Name.md").write_text("First.\n")
    (folder / "same-name.md").write_text("Second.\n")
    (folder / "header.md").write_text("---\na: 1\n\tb: [\n---\nText.\n")
    (folder / "long.markdown").write_text("Long.\n")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    (folder / "sub").mkdir()
    (folder / "sub" / "inner.md").write_text("Inner.\n")
    (folder / "sub" / "round").symlink_to(folder)
    (folder / "self.md").symlink_to(folder / "self.md")
    (folder / "dangling.md").symlink_to(folder / "nowhere.md")
    (folder / "out.md").symlink_to("/etc/hosts")
    (folder / "locked.md").mkdir()
    os.mkfifo(folder / "pipe.md")
    (folder / os.fsdecode(b"bad\xff.md")).write_text("Name.\n")
    (folder / os.fsdecode(b"bad\xfe.png")).write_text("png")


def test_a_folder_in_which_nearly_everything_is_wrong(tmp_path: Path) -> None:
    gbrain = Gbrain(tmp_path / "home")
    gbrain("init")
    messy(tmp_path / "in")
    ran = gbrain.run("import", str(tmp_path / "in"), "--json")
    assert ran.code == 1
    told = ran.json
    why = {row["path"]: row["message"] for row in told["skipped_files"]}
    assert len(why) == told["skipped"] == len(told["skipped_files"])
    assert told["pages"] == 7, why
    assert set(why) == {
        *("latin.md", "nul.md", "header.md", "picture.png", "self.md", "dangling.md", "out.md", "pipe.md"),
        "long.markdown",
        *("same-name.md", unicodedata.normalize("NFC", "é.md"), *(path for path in why if path.startswith("bad"))),
    }
    assert len(why) == 13
    [line] = [row["line"] for row in told["skipped_files"] if row["path"] == "latin.md"]
    assert line == 2
    assert "Same Name.md" in why["same-name.md"]
    assert (why["long.markdown"], why["pipe.md"]) == ("its name does not end in .md", "it is not a file")
    gbrain("sources", "add", "work", "--path", str(tmp_path / "in"))
    synced = gbrain.run("sync", "--source", "work")
    assert synced.code == 1
    assert "  long.markdown: its name does not end in .md" in synced.out
    assert "  pipe.md: it is not a file" in synced.out
    people = gbrain.run("import", str(tmp_path / "in"))
    assert people.code == 1
    assert all(f"\n  {path}" in people.out for path in why if path.isascii())
    assert "  latin.md:2: it is not UTF-8" in people.out
    gbrain("export", "--dir", str(tmp_path / "out"))
    for name in ("crlf", "bom", "empty", "good"):
        assert (tmp_path / "out" / "pages" / f"{name}.md").read_bytes() == (tmp_path / "in" / f"{name}.md").read_bytes()


def test_a_file_that_may_not_be_read_holds_nothing_back(tmp_path: Path) -> None:
    gbrain = Gbrain(tmp_path / "home")
    gbrain("init")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.md").write_text("A.\n")
    (tmp_path / "in" / "shut.md").write_text("B.\n")
    (tmp_path / "in" / "shut.md").chmod(0)
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("nothing is unreadable to the superuser, and there is no setpriv here to change that")
    bound = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    command = [*bound, sys.executable, "-m", "gbrain", "import", str(tmp_path / "in")]
    ran = subprocess.run(command, env=gbrain.environment(), capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stdout.startswith("1 page came in, 0 were there, 1 skipped\n  shut.md: it cannot be read: ")
