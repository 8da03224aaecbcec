"""The database server restarted or killed under several writers: nothing confirmed is lost, and nobody restarts."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import databases
from gbrain import open_brain
from gbrain.brain import join_database

WRITER = Path(__file__).parents[1] / "data" / "postgres_writer.py"
WRITERS = 3
PATIENCE = 60.0
ENOUGH = 12
"""Confirmed writes of each writer before and after every blow."""


class Writer:
    """A process that writes, and what was confirmed to it."""

    def __init__(self, name: str, home: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(WRITER), name, home], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.lines: list[str] = []
        self._more = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._more:
                self.lines.append(line)
                self._more.notify_all()
        with self._more:
            self._more.notify_all()

    def wait_for(self, count: int) -> None:
        """Wait until so many writes were confirmed; fails when the process ends or goes silent."""
        with self._more:
            reached = self._more.wait_for(
                lambda: len(self.lines) >= count or self.process.poll() is not None, timeout=PATIENCE
            )
        assert reached, f"silent at {len(self.lines)} of {count}"
        assert len(self.lines) >= count, "the writer ended"

    def stop(self) -> int:
        """Let it finish; its exit code."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self.process.stdout.close()
        return code


@pytest.fixture(scope="module")
def server() -> Iterator[databases.Server]:
    """A server that keeps what it confirmed."""
    server = databases.started()
    yield server
    server.end()


@pytest.fixture
def home(server: databases.Server, tmp_path: Path) -> str:
    home = str(tmp_path / "home")
    join_database(home, server.url(server.create())).close()
    return home


def restart(server: databases.Server) -> None:
    server.pg_ctl("-m", "immediate", "-l", str(server.data / "log"), "-o", f"-h '' -k {server.data}", "restart")


BLOWS = {"restart": restart, "kill": databases.Server.kill}


def rounds(server: databases.Server, home: str, blows: list[str]) -> None:
    writers = [Writer(f"w{number}", home) for number in range(WRITERS)]
    try:
        for blow in blows:
            for writer in writers:
                writer.wait_for(len(writer.lines) + ENOUGH)
            BLOWS[blow](server)
            for writer in writers:
                writer.wait_for(len(writer.lines) + ENOUGH)
        assert [writer.stop() for writer in writers] == [0] * WRITERS
    finally:
        for writer in writers:
            writer.process.kill()
            writer.process.wait(PATIENCE)
    confirmed = [line.split(" ", 3) for writer in writers for line in writer.lines]
    with open_brain(home) as brain:
        facts = {str(row["id"]): row["fact"] for row in brain.store.engine.rows("select id, fact from facts")}
        said = list(facts.values())
        pages = {row["title"] for row in brain.store.engine.rows("select title from pages")}
        found = {row["id"] for row in brain.store.engine.rows("select id from fact_text")}
    for kind, number, status, text in confirmed:
        if kind == "fact":
            assert facts.get(number) == text.strip(), (status, text)
        else:
            assert text.strip() in pages
    # What was begun again after a lost answer is there once.
    assert len(said) == len(set(said))
    assert found == {int(id) for id in facts}


def test_nothing_confirmed_is_lost(server: databases.Server, home: str) -> None:
    rounds(server, home, ["restart", "kill"])


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("SLOW_TESTS"), reason="takes a minute; SLOW_TESTS=1 runs it")
def test_nothing_confirmed_is_lost_in_ten_rounds(server: databases.Server, home: str) -> None:
    rounds(server, home, ["restart", "kill"] * 5)
