"""From one schema to the next: fresh, interrupted, side by side, and never backwards.

An older brain is one made by this version; the newer version is this one with a further step in a folder of its own.
"""

import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from commandline import Gbrain
from gbrain import BrainError, open_brain
from gbrain.errors import Unavailable
from gbrain.store import sqlite
from gbrain.store.sqlite import APPLICATION_ID, SQLiteEngine

STEP = """
alter table facts add column mood text;
create table moods (id integer primary key, fact_id integer not null, mood text not null) strict;
insert into moods (fact_id, mood) select id, 'calm' from facts;
update facts set mood = 'calm';
"""
OPEN = """
import sys
from gbrain import open_brain
from gbrain.store import sqlite
sqlite.SQL_FOLDER = sys.argv[2]
while sys.argv[3:] and not __import__("os").path.exists(sys.argv[3]):
    __import__("time").sleep(0.001)
brain = open_brain(sys.argv[1], create=True)
print(len(brain.store.engine.rows("select id from moods")), brain.store.config.take_notice())
brain.close()
"""


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """The steps of a version that knows one more."""
    folder = Path(shutil.copytree(sqlite.SQL_FOLDER, tmp_path / "sql"))
    (folder / f"{newest() + 1:04}_moods.sql").write_text(STEP)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A brain of this version with two facts and a page."""
    folder = tmp_path / ".gbrain"
    with open_brain(str(folder), create=True) as brain:
        brain.remember(fact="rows at dawn", provenance="test", entity="Dana Oakes")
        brain.remember(fact="prefers tea", provenance="test", entity="Dana Oakes")
        brain.put_page(slug="people/dana-oakes", content="# Dana Oakes\n\nRows.")
    return folder


@pytest.fixture
def upgraded(monkeypatch: pytest.MonkeyPatch, newer: Path) -> int:
    """This process is the newer version; the number of its newest step."""
    monkeypatch.setattr(sqlite, "SQL_FOLDER", str(newer))
    return newest()


def newest() -> int:
    return int(sorted(os.listdir(sqlite.SQL_FOLDER))[-1][:4])


def at(path: Path, sql: str) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(path))
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def claims(path: Path) -> list[str]:
    return [str(row[0]) for row in at(path, "select fact from facts order by id")]


class TestFresh:
    def test_a_new_brain_has_the_newest_schema_and_no_backup(self, tmp_path: Path) -> None:
        home = tmp_path / "made" / "deep" / "home"
        open_brain(str(home), create=True).close()
        assert at(home / "brain.db", "pragma user_version") == [(newest(),)]
        assert at(home / "brain.db", "pragma application_id") == [(APPLICATION_ID,)]
        assert at(home / "brain.db", "pragma integrity_check") == [("ok",)]
        assert [path.name for path in home.glob("brain.db.*")] == []
        assert stat.S_IMODE(home.stat().st_mode) == 0o700

    def test_the_steps_are_numbered_without_a_gap(self) -> None:
        numbers = [int(name[:4]) for name in sorted(os.listdir(sqlite.SQL_FOLDER)) if name.endswith(".sql")]
        assert numbers == list(range(1, len(numbers) + 1))

    def test_only_asking_makes_a_brain(self, tmp_path: Path) -> None:
        with pytest.raises(BrainError):
            open_brain(str(tmp_path / "home"))
        assert list(tmp_path.iterdir()) == []


class TestUpgrade:
    def test_every_row_is_there_and_a_backup_was_made_first(self, home: Path, upgraded: int) -> None:
        with open_brain(str(home)) as brain:
            assert brain.store.engine.rows("select mood, count(*) as n from moods group by mood") == [
                {"mood": "calm", "n": 2}
            ]
            assert [fact["fact"] for fact in brain.recall(entity="Dana Oakes")["facts"]] == [
                "prefers tea",
                "rows at dawn",
            ]
            assert brain.get_page(slug="people/dana-oakes")["title"] == "Dana Oakes"
        backup = home / f"brain.db.before-{upgraded:04}"
        assert at(backup, "pragma user_version") == [(upgraded - 1,)]
        assert at(backup, "pragma integrity_check") == [("ok",)]
        assert claims(backup) == ["rows at dawn", "prefers tea"]
        assert at(backup, "select count(*) from sqlite_schema where name = 'moods'") == [(0,)]
        assert stat.S_IMODE(backup.stat().st_mode) == 0o600
        assert sorted(path.name for path in home.glob("brain.db*")) == ["brain.db", backup.name]

    def test_a_backup_is_a_brain_that_the_older_version_opens(
        self, home: Path, newer: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(sqlite, "SQL_FOLDER", str(newer))
            open_brain(str(home)).close()
        with pytest.raises(Unavailable):
            open_brain(str(home))
        shutil.copy(home / f"brain.db.before-{newest() + 1:04}", home / "brain.db")
        with open_brain(str(home)) as brain:
            assert brain.recall()["total"] == 2
            brain.remember(fact="sings", provenance="test")

    @pytest.mark.usefixtures("upgraded")
    def test_opening_again_upgrades_nothing(self, home: Path) -> None:
        open_brain(str(home)).close()
        before = {path: path.read_bytes() for path in home.glob("brain.db*")}
        open_brain(str(home)).close()
        assert {path: path.read_bytes() for path in home.glob("brain.db*")} == before

    def test_the_log_of_a_killed_writer_is_in_the_backup_too(self, home: Path, upgraded: int) -> None:
        script = (
            "import os, sys\n"
            "from gbrain import open_brain\n"
            "brain = open_brain(sys.argv[1])\n"
            "brain.remember(fact='sings at noon', provenance='test')\n"
            "os.kill(os.getpid(), 9)\n"
        )
        subprocess.run([sys.executable, "-c", script, str(home)], check=False, timeout=60)
        assert (home / "brain.db-wal").stat().st_size > 0
        open_brain(str(home)).close()
        assert len(claims(home / f"brain.db.before-{upgraded:04}")) == len(claims(home / "brain.db")) == 3

    def test_a_server_that_is_open_meanwhile_goes_on(
        self, home: Path, newer: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with open_brain(str(home)) as old:
            assert old.recall()["total"] == 2
            with monkeypatch.context() as patch:
                patch.setattr(sqlite, "SQL_FOLDER", str(newer))
                with open_brain(str(home)) as new:
                    assert new.recall()["total"] == 2
                    assert old.recall()["total"] == 2
                    assert old.remember(fact="sings", provenance="test")["status"] == "inserted"
                    assert new.recall()["total"] == 3


class TestInterrupted:
    def test_a_step_that_fails_leaves_the_brain_as_it_was(
        self, home: Path, newer: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        step = newer / f"{newest() + 1:04}_moods.sql"
        step.write_text(STEP + "insert into nowhere values (1);\n")
        with monkeypatch.context() as patch:
            patch.setattr(sqlite, "SQL_FOLDER", str(newer))
            with pytest.raises(apsw.SQLError):
                SQLiteEngine(str(home / "brain.db")).migrate()
        with open_brain(str(home)) as brain:
            assert brain.recall()["total"] == 2
            assert brain.store.engine.rows("select name from sqlite_schema where name = 'moods'") == []
        step.write_text(STEP)
        monkeypatch.setattr(sqlite, "SQL_FOLDER", str(newer))
        with open_brain(str(home)) as brain:
            assert len(brain.store.engine.rows("select id from moods")) == 2

    def test_the_steps_before_a_failing_one_stay(
        self, home: Path, newer: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = newest() + 1
        bad = newer / f"{first + 1:04}_bad.sql"
        bad.write_text("create table half (id integer); insert into nowhere values (1);\n")
        monkeypatch.setattr(sqlite, "SQL_FOLDER", str(newer))
        with pytest.raises(apsw.SQLError):
            SQLiteEngine(str(home / "brain.db")).migrate()
        assert at(home / "brain.db", "pragma user_version") == [(first,)]
        bad.write_text("create table half (id integer);\n")
        open_brain(str(home)).close()
        assert at(home / "brain.db", "pragma user_version") == [(first + 1,)]
        assert at(home / f"brain.db.before-{first:04}", "pragma user_version") == [(first - 1,)]

    @pytest.mark.parametrize("new", [False, True], ids=["older brain", "new brain"])
    def test_a_kill_in_the_middle_of_a_step(
        self, tmp_path: Path, home: Path, newer: Path, monkeypatch: pytest.MonkeyPatch, new: bool
    ) -> None:
        """The last statement of the step takes seconds, so the process is killed inside the transaction."""
        step = newer / f"{newest() + 1:04}_moods.sql"
        endless = (
            "create table many (n integer);\n"
            "insert into many with recursive r(n) as (select 1 union all select n + 1 from r where n < 300000000)"
            " select n from r;\n"
        )
        step.write_text(STEP + endless)
        target = tmp_path / "new" if new else home
        process = subprocess.Popen([sys.executable, "-c", OPEN, str(target), str(newer)])
        log = target / "brain.db-wal"
        # The pages of the unfinished step reach the log once they no longer fit in memory.
        wait_until(lambda: log.exists() and log.stat().st_size > 4_000_000)
        process.send_signal(signal.SIGKILL)
        process.wait(30)
        step.write_text(STEP)
        monkeypatch.setattr(sqlite, "SQL_FOLDER", str(newer))
        started = time.monotonic()
        with open_brain(str(target), create=True) as brain:
            assert len(brain.store.engine.rows("select id from moods")) == (0 if new else 2)
            assert brain.store.engine.rows("pragma integrity_check") == [{"integrity_check": "ok"}]
            assert brain.store.engine.rows("select name from sqlite_schema where name = 'many'") == []
        assert time.monotonic() - started < 10

    def test_a_kill_while_the_backup_is_made(self, home: Path, upgraded: int) -> None:
        """What an unfinished copy leaves is never taken for the backup."""
        partial = home / f"brain.db.before-{upgraded:04}.4711"
        partial.write_bytes((home / "brain.db").read_bytes()[:5_000])
        open_brain(str(home)).close()
        assert claims(home / f"brain.db.before-{upgraded:04}") == ["rows at dawn", "prefers tea"]


class TestSideBySide:
    @pytest.mark.parametrize("state", ["no brain", "an older brain", "a large older brain"])
    def test_processes_that_start_together_all_get_the_newest(
        self, tmp_path: Path, home: Path, newer: Path, state: str
    ) -> None:
        if state == "no brain":
            shutil.rmtree(home)
        if state == "a large older brain":
            with open_brain(str(home)) as brain:
                brain.store.engine.rows("create table ballast (x blob)")
                brain.store.engine.rows("insert into ballast values (zeroblob(60000000))")
        go = tmp_path / "go"
        command = [sys.executable, "-c", OPEN, str(home), str(newer), str(go)]
        processes = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
        go.touch()
        told = [process.communicate(timeout=60) for process in processes]
        assert [error.decode() for _, error in told] == [""] * 4
        assert {out.decode().strip() for out, _ in told} == {"0 None" if state == "no brain" else "2 None"}
        number = newest() + 1
        assert at(home / "brain.db", "pragma user_version") == [(number,)]
        assert at(home / "brain.db", "pragma integrity_check") == [("ok",)]
        if state != "no brain":
            backup = home / f"brain.db.before-{number:04}"
            assert at(backup, "pragma user_version") == [(number - 1,)]
            assert claims(backup) == ["rows at dawn", "prefers tea"]

    def test_many_windows_that_start_together_on_no_brain(self, tmp_path: Path) -> None:
        """The real command, as clients start it: each makes the brain or finds it made."""
        command = [sys.executable, "-m", "gbrain", "init", "--json"]
        environment = Gbrain(tmp_path).environment({"GBRAIN_NO_ONBOARD_NUDGE": "1"})
        for number in range(2):
            environment["GBRAIN_HOME"] = str(tmp_path / str(number))
            processes = [
                subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                for _ in range(5)
            ]
            told = [process.communicate(timeout=60) for process in processes]
            assert [error.decode() for _, error in told] == [""] * 5
            assert [process.returncode for process in processes] == [0] * 5
            with open_brain(str(tmp_path / str(number) / ".gbrain")) as brain:
                assert brain.store.config.take_notice() is None
                assert brain.store.sources.ids() == ["default"]


class TestNewer:
    @pytest.mark.parametrize("create", [False, True])
    @pytest.mark.parametrize("killed", [False, True])
    def test_a_brain_of_a_newer_version_is_refused_and_left_alone(
        self, home: Path, newer: Path, create: bool, killed: bool
    ) -> None:
        script = OPEN.replace("brain.close()", "__import__('os').kill(__import__('os').getpid(), 9)" if killed else "")
        subprocess.run([sys.executable, "-c", script, str(home), str(newer)], check=not killed, timeout=60)
        held = [path for path in home.glob("brain.db*") if path.suffix != ".db-shm"]
        before = {path: path.read_bytes() for path in held}
        assert (home / "brain.db-wal" in before) == killed
        with pytest.raises(Unavailable) as refused:
            open_brain(str(home), create=create)
        assert refused.value.detail == {"reason": "newer_schema", "schema": newest() + 1}
        assert str(newest() + 1) in refused.value.message
        assert "upgrade" in refused.value.suggestion
        assert {path: path.read_bytes() for path in held if path.exists()} == before

    @pytest.mark.parametrize("version", [99, 2**31 - 1])
    def test_by_any_number(self, home: Path, version: int) -> None:
        at(home / "brain.db", f"pragma user_version = {version}")
        before = (home / "brain.db").read_bytes()
        ran = Gbrain(home.parent).run("recall", "--json")
        assert ran.code == 6
        assert ran.json["detail"]["reason"] == "newer_schema"
        assert (home / "brain.db").read_bytes() == before


def wait_until(true: Callable[[], bool], patience: float = 30) -> None:
    """Look again and again, for a bounded time."""
    deadline = time.monotonic() + patience
    while not true():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.01)
