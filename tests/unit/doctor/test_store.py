"""The store: damaged, foreign, newer, incomplete, or in use; each is told apart and nothing is changed."""

import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from gbrain import open_brain

STORE = ("store.file", "store.integrity", "store.schema", "store.writable", "store.in_use")
HOLDS = (
    "import apsw, sys\nconnection = apsw.Connection(sys.argv[1])\n"
    "for statement in sys.argv[2:]: connection.execute(statement).fetchall()\n"
    "print('holds', flush=True)\nsys.stdin.read()"
)


def contents(home: Path) -> dict[str, str]:
    """Every file but the shared memory, which is rebuilt at will, by its hash."""
    files = [path for path in home.iterdir() if path.is_file() and not path.name.endswith("-shm")]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@contextmanager
def holding(home: Path, *statements: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Another process that has run these statements on the store and stays."""
    command = [sys.executable, "-c", HOLDS, str(home / "brain.db"), *statements]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline()
    try:
        yield process
    finally:
        process.send_signal(signal.SIGCONT)
        process.communicate()


def filled(home: Path) -> None:
    with open_brain(str(home)) as brain:
        for number in range(400):
            brain.store.config.set(f"key-{number}", "value " * 20)


def test_a_fresh_store_is_sound(home: Path, examined: Any) -> None:
    found = examined(home, fast=False)
    assert {name: found.status(name) for name in STORE} == dict.fromkeys(STORE, "ok")
    assert set(os.listdir(home)) == {"brain.db"}


def zero_header(database: Path) -> None:
    with database.open("r+b") as file:
        file.write(b"\0" * 100)


def cut(database: Path) -> None:
    os.truncate(database, database.stat().st_size // 2)


def scribble(database: Path) -> None:
    with database.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(b"\xa5" * 4096 * 20)


def text(database: Path) -> None:
    database.write_text("shopping: milk, bread\n" * 100)


@pytest.mark.parametrize("damage", [zero_header, cut, scribble, text])
@pytest.mark.parametrize("fast", [True, False])
def test_damage_fails_and_nothing_is_changed(
    home: Path, examined: Any, damage: Callable[[Path], None], fast: bool
) -> None:
    filled(home)
    damage(home / "brain.db")
    before = contents(home)
    found = examined(home, fast=fast)
    assert contents(home) == before
    assert found.found["status"] == "unhealthy"
    assert not found.found["complete"]
    failed = [name for name in STORE if found.status(name) == "fail"]
    assert len(failed) == 1
    assert "damaged" in found[failed[0]]["message"]
    after = STORE[STORE.index(failed[0]) + 1 :]
    assert {name: found.status(name) for name in after if name != "store.in_use"} == {
        name: "skipped" for name in after if name != "store.in_use"
    }
    assert found.status("settings") == "skipped"


def test_a_wrong_index_is_found_by_the_full_check_alone(home: Path, examined: Any) -> None:
    filled(home)
    connection = apsw.Connection(str(home / "brain.db"))
    connection.execute("create table extra (a text); create index extra_a on extra (a); insert into extra values ('x')")
    root = connection.execute("select rootpage from sqlite_schema where name = 'extra_a'").fetchall()[0][0]
    connection.close()
    with (home / "brain.db").open("r+b") as file:
        file.seek((root - 1) * 4096)
        page = bytearray(file.read(4096))
        place = page.rindex(b"x")
        page[place] = ord("y")
        file.seek((root - 1) * 4096)
        file.write(page)
    assert examined(home, fast=True).status("store.integrity") == "ok"
    assert examined(home, fast=False).status("store.integrity") == "fail"


def test_the_advice_keeps_every_byte(home: Path, examined: Any) -> None:
    filled(home)
    zero_header(home / "brain.db")
    before = contents(home)
    found = examined(home)["store.file"]
    words = " ".join([found["message"], found["fix"], *found["details"]])
    assert not {"rm", "delete", "remove", "reinitialise", "init", "drop"} & set(words.lower().split())
    subprocess.run(found["fix"], shell=True, check=True)
    assert contents(home) == before
    copy = Path(shlex.split(found["fix"])[-1])
    assert contents(copy) == before
    assert examined(home)["store.file"]["fix"] != found["fix"], "a second copy does not go into the first"


def test_the_copy_of_an_upgrade_is_the_way_back(home: Path, examined: Any) -> None:
    shutil.copyfile(home / "brain.db", home / "brain.db.before-0002")
    zero_header(home / "brain.db")
    assert "brain.db.before-0002" in " ".join(examined(home)["store.file"]["details"])


def test_a_log_without_its_file_is_damage_and_is_kept(home: Path, examined: Any) -> None:
    (home / "brain.db").write_bytes(b"")
    (home / "brain.db-wal").write_bytes(b"\x37\x7f\x06\x82" + b"x" * 4096)
    before = contents(home)
    assert "damaged" in examined(home)["store.file"]["message"]
    assert contents(home) == before


def test_a_log_left_by_a_killed_process_is_read_and_kept(home: Path, examined: Any, tmp_path: Path) -> None:
    brain = open_brain(str(home))
    brain.store.config.set("mcp_surface", "verbs")
    killed = tmp_path / "killed"
    shutil.copytree(home, killed)
    brain.close()
    before = contents(killed)
    found = examined(killed, fast=False)
    assert contents(killed) == before
    assert "1 stored" in found["settings"]["message"]


@pytest.mark.parametrize("make", [lambda database: database.unlink(), lambda database: database.write_bytes(b"")])
def test_no_store_names_init(home: Path, examined: Any, make: Callable[[Path], None]) -> None:
    make(home / "brain.db")
    found = examined(home)
    assert found.status("store.file") == "fail"
    assert found["store.file"]["fix"] == "gbrain init"
    assert "damaged" not in str(found.found)


def test_another_programs_file_is_left_untouched(home: Path, examined: Any) -> None:
    (home / "brain.db").unlink()
    connection = apsw.Connection(str(home / "brain.db"))
    connection.execute("create table songs (title text)")
    connection.close()
    before = contents(home)
    found = examined(home)
    assert found.status("store.file") == "fail"
    assert "another program" in found["store.file"]["message"]
    assert contents(home) == before


def test_a_newer_store_asks_for_a_newer_program(home: Path, examined: Any) -> None:
    connection = apsw.Connection(str(home / "brain.db"))
    connection.execute("pragma user_version = 9999")
    connection.close()
    found = examined(home)
    assert found.status("store.schema") == "fail"
    assert "newer" in found["store.schema"]["message"]
    assert found.status("store.writable") == "skipped"


def test_a_missing_index_is_named(home: Path, examined: Any) -> None:
    connection = apsw.Connection(str(home / "brain.db"))
    connection.execute("drop index facts_by_time")
    connection.close()
    found = examined(home)
    assert found.status("store.schema") == "fail"
    assert "missing: facts_by_time" in found["store.schema"]["details"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write every file")
def test_a_store_that_may_not_be_written_fails_and_the_fix_opens_it(home: Path, examined: Any) -> None:
    (home / "brain.db").chmod(0o400)
    found = examined(home)
    assert found.status("store.writable") == "fail"
    subprocess.run(found["store.writable"]["fix"], shell=True, check=True)
    assert examined(home).status("store.writable") == "ok"


def test_another_reader_is_no_trouble(home: Path, examined: Any) -> None:
    with holding(home, "select count(*) from meta") as other:
        found = examined(home)
    assert {name: found.status(name) for name in STORE} == dict.fromkeys(STORE, "ok")
    if sys.platform.startswith("linux"):
        assert "open in 1 other process" in found["store.in_use"]["message"]
        assert str(other.pid) in found["store.in_use"]["details"][0]


@pytest.mark.parametrize("stopped", [False, True])
def test_a_writer_that_keeps_the_lock_is_named_and_no_damage_is_claimed(
    home: Path, examined: Any, stopped: bool
) -> None:
    with holding(home, "begin immediate") as writer:
        if stopped:
            writer.send_signal(signal.SIGSTOP)
            os.waitpid(writer.pid, os.WUNTRACED)
        began = time.monotonic()
        found = examined(home)
        seconds = time.monotonic() - began
    assert seconds < 5
    assert found.found["status"] == "warnings"
    assert "damage" not in str(found.found)
    assert found.status("store.integrity") == "ok"
    for name in ("store.writable", "store.in_use"):
        assert found.status(name) == "warn"
        assert found[name]["message"].startswith("in use")
        if sys.platform.startswith("linux"):
            assert f"process {writer.pid} (python" in found[name]["message"]
            assert found[name].get("fix") == (f"kill -CONT {writer.pid}" if stopped else None)


def test_a_store_that_shuts_everyone_out_is_in_use_and_not_damaged(home: Path, examined: Any) -> None:
    with holding(home, "pragma locking_mode = exclusive", "begin immediate") as writer:
        found = examined(home)
    assert found.found["status"] == "warnings"
    assert not found.found["complete"]
    assert "damage" not in str(found.found)
    statuses = {name: found.status(name) for name in STORE}
    assert statuses == dict(zip(STORE, ("warn", "skipped", "skipped", "skipped", "warn"), strict=True))
    if sys.platform.startswith("linux"):
        assert str(writer.pid) in found["store.file"]["message"]


def test_examining_takes_no_lock_from_this_process(home: Path, examined: Any) -> None:
    """A server that examines its own brain keeps the lock it holds: others still wait for it."""
    with open_brain(str(home)) as brain, brain.store.transaction():
        brain.store.config.set("search.mode", "balanced")
        examined(home)
        other = subprocess.run(
            [sys.executable, "-c", HOLDS, str(home / "brain.db"), "begin immediate"], capture_output=True, input=b""
        )
    assert b"BusyError" in other.stderr
    with open_brain(str(home)) as brain:
        assert brain.settings.get("search.mode") == "balanced"
