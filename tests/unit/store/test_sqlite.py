"""The SQLite dialect: how a file is opened, how waiting ends, what each of SQLite's refusals becomes."""

import os
import resource
import signal
import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from gbrain.errors import Unavailable
from gbrain.store import sqlite_connection
from gbrain.store.engine import Match, Params, Row, Terms
from gbrain.store.sqlite import APPLICATION_ID, SQLiteEngine
from gbrain.store.sqlite_terms import match_expression

Opener = Callable[[], SQLiteEngine]


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "brain.db")


@pytest.fixture
def another(path: str) -> Iterator[Opener]:
    opened: list[SQLiteEngine] = []

    def one() -> SQLiteEngine:
        opened.append(SQLiteEngine(path))
        return opened[-1]

    yield one
    for engine in opened:
        engine.close()


@pytest.fixture
def engine(another: Opener) -> SQLiteEngine:
    made = another()
    made.migrate()
    return made


def add(engine: SQLiteEngine, key: str, value: str = "") -> None:
    engine.rows("insert into meta (key, value) values (:key, :value)", {"key": key, "value": value})


class TestOpening:
    @pytest.mark.parametrize(
        ("pragma", "value"),
        [
            ("journal_mode", "wal"),
            ("synchronous", 2),
            ("foreign_keys", 1),
            ("trusted_schema", 0),
            ("temp_store", 2),
            ("application_id", APPLICATION_ID),
        ],
    )
    def test_every_connection_is_set_up_alike(
        self, engine: SQLiteEngine, another: Opener, pragma: str, value: object
    ) -> None:
        seen: list[list[Row]] = [engine.rows(f"pragma {pragma}"), another().rows(f"pragma {pragma}")]
        thread = threading.Thread(target=lambda: seen.append(engine.rows(f"pragma {pragma}")))
        thread.start()
        thread.join(30)
        assert seen == [[{pragma: value}]] * 3

    @pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
    def test_nobody_else_may_read_its_files(self, path: str, another: Opener, mask: int) -> None:
        before = os.umask(mask)
        try:
            engine = another()
            engine.migrate()
            add(engine, "k")
        finally:
            os.umask(before)
        modes = {name: stat.S_IMODE(os.stat(path + name).st_mode) for name in ("", "-wal", "-shm")}
        assert modes == {"": 0o600, "-wal": 0o600, "-shm": 0o600}

    def test_an_unsafe_sqlite_is_refused_before_the_file_is_touched(
        self, monkeypatch: pytest.MonkeyPatch, path: str, another: Opener
    ) -> None:
        monkeypatch.setattr(sqlite_connection, "_WAL_RESET_FIXED", (99, 0, 0))
        with pytest.raises(Unavailable, match="corrupt") as refused:
            another().migrate()
        assert "apsw" in refused.value.suggestion
        assert not os.path.exists(path)

    def test_the_sqlite_we_run_on_is_safe(self) -> None:
        assert tuple(int(part) for part in apsw.sqlite_lib_version().split(".")[:3]) >= (3, 51, 3)

    def test_the_last_to_close_leaves_one_file(self, path: str, engine: SQLiteEngine) -> None:
        add(engine, "k")
        thread = threading.Thread(target=lambda: engine.rows("select 1"))
        thread.start()
        thread.join(30)
        engine.close()
        assert os.listdir(os.path.dirname(path)) == ["brain.db"]

    def test_an_empty_brain_is_small(self, path: str, engine: SQLiteEngine) -> None:
        folder = os.path.dirname(path)
        assert sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder)) < 1_000_000
        engine.close()
        assert os.path.getsize(path) < 500_000


class TestMaking:
    """Several processes meet a store that is not there yet, or is half made."""

    def test_a_store_that_another_makes_meanwhile_is_not_foreign(self, path: str) -> None:
        class Overtaken(SQLiteEngine):
            """Lets another process make the whole store between the looks that this one takes at it."""

            looks = 0

            def rows(self, sql: str, params: Params = {}) -> list[Row]:  # noqa: B006 - never changed
                if "application_id" in sql or "sqlite_schema" in sql:
                    self.looks += 1
                    if self.looks == self.overtaken_at:
                        other = SQLiteEngine(self.path)
                        other.migrate()
                        other.close()
                return super().rows(sql, params)

            overtaken_at = 0

        for number in range(1, 4):
            engine = Overtaken(f"{path}{number}")
            engine.overtaken_at = number
            engine.migrate()
            add(engine, "k")
            assert engine.rows("select key from meta where key = 'k'") == [{"key": "k"}]
            engine.close()

    def test_an_empty_file_is_filled(self, path: str, another: Opener) -> None:
        Path(path).touch()
        engine = another()
        engine.migrate()
        add(engine, "k")
        assert Path(path).stat().st_size > 0

    @pytest.mark.parametrize("lock", ["immediate", "exclusive"])
    def test_one_that_another_is_about_to_make_is_waited_for(self, path: str, another: Opener, lock: str) -> None:
        other, failures = apsw.Connection(path), list[BaseException]()
        other.execute(f"begin {lock}").fetchall()

        def migrate() -> None:
            try:
                another().migrate()
            except BaseException as error:
                failures.append(error)

        thread = threading.Thread(target=migrate)
        thread.start()
        thread.join(0.3)
        assert failures == []
        other.execute("rollback").fetchall()
        other.close()
        thread.join(30)
        assert failures == []
        add(another(), "k")

    def test_two_threads_of_one_engine_may_make_it(self, another: Opener) -> None:
        engine, start, failures = another(), threading.Barrier(2), list[BaseException]()

        def migrate() -> None:
            start.wait(30)
            try:
                engine.migrate()
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=migrate) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert failures == []


class TestBusy:
    @pytest.fixture(autouse=True)
    def _soon(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sqlite_connection, "BUSY_SECONDS", 0.3)

    def test_a_write_behind_a_lock_waits_and_then_says_so(self, engine: SQLiteEngine, another: Opener) -> None:
        other = another()
        other.migrate()
        with engine.transaction():
            started = time.monotonic()
            with pytest.raises(Unavailable) as refused:
                add(other, "k")
            waited = time.monotonic() - started
            with pytest.raises(Unavailable), other.transaction():
                pass
        assert 0.25 < waited < 5
        assert refused.value.detail == {"reason": "busy"}
        assert "0.3 seconds" in refused.value.message
        assert "gbrain doctor" in refused.value.suggestion
        assert "damage" not in refused.value.message + refused.value.suggestion
        add(other, "k")

    def test_reading_goes_on_behind_a_lock(self, engine: SQLiteEngine, another: Opener) -> None:
        add(engine, "k", "before")
        with engine.transaction():
            engine.rows("update meta set value = 'after'")
            other = another()
            other.migrate()
            assert other.rows("select value from meta") == [{"value": "before"}]

    def test_a_write_goes_through_as_soon_as_the_lock_is_gone(
        self, monkeypatch: pytest.MonkeyPatch, engine: SQLiteEngine, another: Opener
    ) -> None:
        monkeypatch.setattr(sqlite_connection, "BUSY_SECONDS", 30.0)
        other, begun = another(), threading.Event()

        def write() -> None:
            other.migrate()
            begun.set()
            add(other, "second")

        thread = threading.Thread(target=write)
        with engine.transaction():
            add(engine, "first")
            thread.start()
            assert begun.wait(30)
        thread.join(30)
        assert {row["key"] for row in another().rows("select key from meta")} == {"first", "second"}

    def test_each_wait_has_its_own_deadline(self) -> None:
        patience = sqlite_connection.Patience()
        for _ in range(2):
            started, tries = time.monotonic(), 0
            while patience(tries):
                tries += 1
            assert 0.25 < time.monotonic() - started < 5
            assert tries > 20


class TestRefusals:
    """What SQLite says, as the typed error that a person is told."""

    def test_a_full_disk(self, engine: SQLiteEngine) -> None:
        pages = engine.rows("pragma page_count")[0]["page_count"]
        engine.rows(f"pragma max_page_count = {pages + 2}")
        with pytest.raises(Unavailable) as refused:
            add(engine, "k", "x" * 100_000)
        assert refused.value.detail == {"reason": "disk_full"}
        assert "gbrain doctor" in refused.value.suggestion
        assert engine.rows("select key from meta") == []
        engine.rows("pragma max_page_count = 4294967294")
        add(engine, "k", "x" * 100_000)

    def test_a_quota_is_a_full_disk(self, engine: SQLiteEngine, another: Opener) -> None:
        bounds = resource.getrlimit(resource.RLIMIT_FSIZE)
        told = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, bounds[1]))
            for one in (engine, another()):
                with pytest.raises(Unavailable) as refused:
                    add(one, "k", "x" * 1_000_000)
                assert refused.value.detail == {"reason": "disk_full"}
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, bounds)
            signal.signal(signal.SIGXFSZ, told)
        add(engine, "k", "x" * 100_000)

    def test_a_full_disk_inside_a_block_undoes_it(self, engine: SQLiteEngine) -> None:
        def fill() -> None:
            with engine.transaction():
                add(engine, "small")
                add(engine, "large", "x" * 100_000)

        pages = engine.rows("pragma page_count")[0]["page_count"]
        engine.rows(f"pragma max_page_count = {pages + 2}")
        with pytest.raises(Unavailable, match="full"):
            fill()
        assert engine.rows("select key from meta") == []

    @pytest.mark.parametrize("make", [os.mkdir, lambda path: os.symlink("nowhere/at/all", path)])
    def test_what_is_no_file_of_ours(self, path: str, another: Opener, make: Callable[[str], None]) -> None:
        make(path)
        with pytest.raises(Unavailable) as refused:
            another().migrate()
        assert refused.value.detail["reason"] == "io"
        assert "gbrain doctor" in refused.value.suggestion

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(Unavailable) as refused:
            SQLiteEngine(str(tmp_path / "absent" / "brain.db")).migrate()
        assert refused.value.detail["reason"] == "io"

    def test_a_defect_of_ours_keeps_its_own_name(self, engine: SQLiteEngine) -> None:
        with pytest.raises(apsw.SQLError):
            engine.rows("select from nothing")
        add(engine, "k")
        with pytest.raises(apsw.ConstraintError):
            add(engine, "k")

    def test_a_parameter_that_is_missing_is_not_read_as_null(self, engine: SQLiteEngine) -> None:
        with pytest.raises(KeyError):
            engine.rows("select :absent as x", {"other": 1})

    def test_a_table_keeps_to_its_types(self, engine: SQLiteEngine) -> None:
        with pytest.raises(apsw.ConstraintError):
            engine.rows("insert into meta (key, value) values ('k', :value)", {"value": b"bytes"})
        with pytest.raises(apsw.ConstraintError):
            engine.rows(
                "insert into sessions values ('default', 'local', 's1', '', :number, 0, '')", {"number": "five"}
            )


class TestMatchExpression:
    @pytest.mark.parametrize(
        ("match", "expression"),
        [
            (Match(), ""),
            (Match(must=(Terms(("a",)),)), '"a"'),
            (Match(must=(Terms(("a", "b")),)), '("a" AND "b")'),
            (Match(must=(Terms(("a",)), Terms(("b",)))), '"a" AND "b"'),
            (Match(should=(Terms(("a",)), Terms(("b", "c")))), '("a" OR ("b" AND "c"))'),
            (Match(must=(Terms(("a",)),), should=(Terms(("b",)),)), '"a" AND ("b")'),
            (Match(must=(Terms(("a",), "body"),)), '{body} : "a"'),
            (Match(must=(Terms(("a", "b"), "body", True),)), '{body} : ("a" AND "b" *)'),
            (Match(must=(Terms(("a",), prefix=True),)), '"a" *'),
            (Match(must=(Terms(('"a" OR b',)),)), '"a OR b"'),
            (Match(must=(Terms(("", "a")),)), '"a"'),
            (Match(must=(Terms(("a",)),), should=(Terms(("",)),)), ""),
        ],
        ids=str,
    )
    def test_every_term_is_quoted(self, match: Match, expression: str) -> None:
        assert match_expression(match) == expression
