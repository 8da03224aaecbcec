"""Counters on disk: whole lines from many processes, bounded, and never an answer's trouble."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gbrain import journal
from gbrain.journal import USAGE, Journal


@pytest.fixture
def log(tmp_path: Path) -> Journal:
    return Journal(str(tmp_path))


def test_lines_come_back_in_order(log: Journal) -> None:
    assert log.read(USAGE) == []
    for number in range(3):
        log.append(USAGE, {"n": number, "text": "灯塔 🏮 \n \u2028"})
    assert log.read(USAGE) == [{"n": number, "text": "灯塔 🏮 \n \u2028"} for number in range(3)]


def test_only_the_owner_reads_them(log: Journal, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        log.append(USAGE, {})
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / USAGE).stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / USAGE).parent.stat().st_mode) == 0o700


def test_a_line_is_one_line(log: Journal, tmp_path: Path) -> None:
    log.append(USAGE, {"text": "a\nb\r\nc"})
    assert (tmp_path / USAGE).read_bytes().count(b"\n") == 1


def test_torn_and_odd_lines_are_skipped(log: Journal, tmp_path: Path) -> None:
    log.append(USAGE, {"n": 1})
    with (tmp_path / USAGE).open("ab") as file:
        file.write(b'{"n": 2\n\xff\xfe\n[1, 2]\n"text"\nnull\n\n{"n": 3}\n{"n": 4')
    assert log.read(USAGE) == [{"n": 1}, {"n": 3}]


def test_a_full_log_is_moved_aside_once(log: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "ROTATE_BYTES", 100)
    for number in range(60):
        log.append(USAGE, {"n": number})
    assert (tmp_path / USAGE).stat().st_size <= 112
    assert (tmp_path / f"{USAGE}.1").stat().st_size <= 112
    kept = [line["n"] for line in log.read(USAGE)]
    assert kept == list(range(kept[0], 60))
    assert len(kept) > 10


def test_many_processes_write_whole_lines(log: Journal, tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from gbrain.journal import USAGE, Journal\n"
        "log = Journal(sys.argv[1])\n"
        "for number in range(300):\n"
        "    log.append(USAGE, {'who': sys.argv[2], 'n': number, 'filler': 'x' * 400})\n"
    )
    processes = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path), str(who)]) for who in range(4)]
    assert [process.wait(60) for process in processes] == [0] * 4
    lines = (tmp_path / USAGE).read_text().splitlines()
    assert len([json.loads(line) for line in lines]) == len(log.read(USAGE)) == 1_200
    for who in range(4):
        assert [line["n"] for line in log.read(USAGE) if line["who"] == str(who)] == list(range(300))


class TestNeverRaises:
    def test_without_a_home(self) -> None:
        log = Journal(None)
        log.append(USAGE, {"n": 1})
        assert log.read(USAGE) == []

    def test_with_a_file_where_its_folder_should_be(self, log: Journal, tmp_path: Path) -> None:
        (tmp_path / "integrations").write_text("in the way")
        log.append(USAGE, {"n": 1})
        assert log.read(USAGE) == []

    def test_with_a_folder_where_the_log_should_be(self, log: Journal, tmp_path: Path) -> None:
        (tmp_path / USAGE).mkdir(parents=True)
        log.append(USAGE, {"n": 1})
        assert log.read(USAGE) == []

    def test_below_something_that_is_no_folder(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        log = Journal(str(tmp_path / "file"))
        log.append(USAGE, {"n": 1})
        assert log.read(USAGE) == []

    @pytest.mark.parametrize(
        "value",
        ["\ud800", b"bytes", {1, 2}, object(), float("nan"), {"\udfff": 1}],
        ids=lambda value: ascii(value)[:12],
    )
    def test_with_what_json_cannot_hold(self, log: Journal, value: Any) -> None:
        log.append(USAGE, {"n": 1})
        log.append(USAGE, {"odd": value})
        log.append(USAGE, {"n": 2})
        assert [line["n"] for line in log.read(USAGE) if "n" in line] == [1, 2]
