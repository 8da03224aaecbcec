"""Folders at their worst, through the real command: what is huge, vanishes, cannot be written, or lies in another."""

import json
import os
import random
import shutil
import subprocess
import sys
import threading
import unicodedata
from pathlib import Path

import pytest

from commandline import Gbrain

SYNC = [sys.executable, "-m", "gbrain", "sync", "--json"]
LINKED, LINKS = 5_000, 100_000
MOST_MEMORY = 400
"""Megabytes that a sync, or a put, of a page with so many links takes at most."""


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


MEASURED = """
import os, sys
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, 2, 1)])
_, status, usage = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""
"""A small process between: a child counts the memory of whoever started it as its own."""


def peak(gbrain: Gbrain, *command: str) -> int:
    """The most memory that a command took, in megabytes."""
    words = [sys.executable, "-S", "-c", MEASURED, *command]
    ran = subprocess.run(words, env=gbrain.environment(), capture_output=True, text=True, check=True)
    code, kilobytes = map(int, ran.stdout.split())
    assert code == 0, ran.stderr
    return kilobytes // 1024


def test_a_page_of_a_megabyte_is_found_by_its_last_word(gbrain: Gbrain, notes: Path) -> None:
    chance = random.Random(1)
    words = ["harbour", "mooring", "lantern", "rope", "tide", "gate", "boat", "winter"]
    text = "# Log\n\n" + "\n\n".join(" ".join(chance.choices(words, k=60)) + "." for _ in range(2_900))
    text += "\n\nAt last the zephyrine.\n"
    assert len(text) > 1_000_000
    (notes / "log.md").write_text(text)
    assert gbrain("sync", "--source", "work").out.startswith("work: 1 added\n")
    hits = gbrain("search", "zephyrine", "--source", "work", "--json").json
    assert [hit["slug"] for hit in hits] == ["log"]
    assert gbrain("get", "log", "--source", "work", "--json").json["version"] == 1
    assert "zephyrine" in str(hits[0])
    gbrain("export", "--dir", str(notes.parent / "out"), "--source", "work")
    assert [path.read_text() for path in (notes.parent / "out").rglob("log.md")] == [text]


@pytest.mark.slow
def test_a_page_of_very_many_links(gbrain: Gbrain, notes: Path) -> None:
    for number in range(LINKED):
        (notes / f"n{number}.md").write_text(f"Note {number}.\n")
    assert gbrain("sync").code == 0
    text = "\n".join(f"- see [[n{number % LINKED}]]" for number in range(LINKS)) + "\n"
    (notes / "hub.md").write_text(text)
    first = peak(gbrain, *SYNC)
    assert gbrain("stats", "--source", "work", "--json").json["link_count"] == LINKED
    changed = notes.parent / "changed.md"
    changed.write_text(text + "- and [[n0]] again\n")
    again = peak(
        gbrain, sys.executable, "-m", "gbrain", "put", "hub", "--file", str(changed), "--source", "work",
        "--expected-version", "1",
    )  # fmt: skip
    assert (notes / "hub.md").read_text() == changed.read_text()
    assert max(first, again) < MOST_MEMORY


def test_files_that_vanish_meanwhile_are_no_trouble(gbrain: Gbrain, notes: Path) -> None:
    for number in range(400):
        (notes / f"n{number}.md").write_text(f"Note {number}.\n")
    done = threading.Event()
    gone = []

    def take_away() -> None:
        for number in range(399, 199, -1):
            if done.is_set():
                return
            (notes / f"n{number}.md").unlink()
            gone.append(number)

    with subprocess.Popen(SYNC, env=gbrain.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        thread = threading.Thread(target=take_away)
        thread.start()
        out, err = process.communicate()
        done.set()
        thread.join()
    assert b"Traceback" not in err
    assert json.loads(out)["sources"][0]["troubles"] == []
    told = gbrain("sync", "--json", "--confirm-removals").json
    assert told["status"] == "ok"
    pages = {row["slug"] for row in gbrain("list", "--source", "work", "--limit", "1000", "--json").json}
    assert pages == {path.stem for path in notes.iterdir()}
    assert len(pages) == 400 - len(gone)


@pytest.mark.parametrize("write", [("put", "a", "--content", "Two.\n"), ("delete", "a")], ids=["put", "delete"])
def test_a_folder_that_is_read_only_takes_no_write_and_the_page_stays(
    gbrain: Gbrain, notes: Path, write: tuple[str, ...]
) -> None:
    gbrain("put", "a", "--content", "One.\n", "--source", "work")
    command = [*bound(), sys.executable, "-m", "gbrain", *write, "--source", "work", "--json"]
    notes.chmod(0o500)
    try:
        ran = subprocess.run(command, capture_output=True, env=gbrain.environment(), check=False, text=True)
        read = gbrain("sync", "--source", "work").out
    finally:
        notes.chmod(0o700)
    assert ran.returncode != 0
    assert "Traceback" not in ran.stderr
    told = json.loads(ran.stdout or ran.stderr)
    assert (told["error"], bool(told["suggestion"])) == ("unavailable", True)
    assert read == "work: up to date\n"
    assert (notes / "a.md").read_text() == "One.\n"
    assert [path.name for path in notes.iterdir()] == ["a.md"]
    page = gbrain("get", "a", "--source", "work", "--json").json
    assert (page["version"], page["compiled_truth"]) == (1, "One.")


def bound() -> list[str]:
    """What makes file modes count for the superuser too."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("the superuser may write everywhere, and there is no setpriv here to change that")
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


@pytest.mark.parametrize("way", ["inside", "around", "same", "through a link"])
def test_a_folder_inside_another_source_is_refused(gbrain: Gbrain, notes: Path, way: str) -> None:
    (notes / "inner").mkdir()
    (notes.parent / "alias").symlink_to(notes)
    path = {"inside": notes / "inner", "around": notes.parent, "same": notes, "through a link": notes.parent / "alias"}
    ran = gbrain.run("sources", "add", "other", "--path", str(path[way]), "--json")
    told = json.loads(ran.out)
    assert (ran.code, told["error"]) == (2, "invalid_params")
    assert told["suggestion"]
    assert "other" not in {row["id"] for row in gbrain("sources", "list", "--json").json["sources"]}


def test_a_name_in_either_form_is_one_page(gbrain: Gbrain, notes: Path) -> None:
    names = ["Grüße", "Élan vital", "Tiếng Việt", "한국어", "パリ", "林小满", "Причал", "नमस्ते"]
    composed, decomposed = ([unicodedata.normalize(form, name) for name in names] for form in ("NFC", "NFD"))
    for name in composed:
        (notes / f"{name}.md").write_text(f"Word of {name}.\n")
    told = gbrain("sync", "--json").json["sources"][0]
    assert (told["added"], told["troubles"]) == (len(names), [])
    slugs = {change["slug"] for change in told["changes"]}
    assert len(slugs) == len(names)
    assert gbrain("sync").out == "work: up to date\n"
    # As a copy by way of another system brings them back.
    for before, after in zip(composed, decomposed, strict=True):
        (notes / f"{before}.md").rename(notes / f"{after}.md")
    told = gbrain("sync", "--json").json["sources"][0]
    assert (told["added"], told["changed"], told["removed"], told["troubles"]) == (0, 0, 0, [])
    rows = gbrain("list", "--source", "work", "--json").json
    assert {row["slug"] for row in rows} == slugs
    assert {gbrain("get", slug, "--source", "work", "--json").json["version"] for slug in slugs} == {1}
    assert gbrain("sync").out == "work: up to date\n"


def test_a_name_with_a_line_end_stays_on_its_line(gbrain: Gbrain, notes: Path) -> None:
    (notes / "two\nlines.md").write_text("Text.\n")
    (notes / "red\x1b[31m\u202e.md").write_text("---\na: [\n---\n")
    said = gbrain.run("sync", "--source", "work")
    assert (said.code, said.out.splitlines()[1]) == (1, "  added two\\nlines.md")
    assert said.out.splitlines()[2].startswith("  red\\u001b[31m\\u202e.md:3: ")
    taken = gbrain.run("import", str(notes), "--source", "default", "--dry-run")
    assert taken.out.splitlines()[1].startswith("  red\\u001b[31m\\u202e.md:3: ")
