"""The kernel's table of locks, and the command lines of those in it."""

import subprocess
import sys
from pathlib import Path

import pytest

from gbrain.doctor.processes import Lock, holders, parsed, spoken

LINE = "1: POSIX  ADVISORY  WRITE 4321 fe:00:2146447 120 120"


def test_a_lock_is_read() -> None:
    assert parsed(LINE) == Lock(4321, True, (0xFE, 0), 2146447, 120, 120)
    assert parsed("2: OFDLCK ADVISORY  READ -1 08:01:77 1073741826 EOF") == Lock(
        -1, False, (8, 1), 77, 1073741826, 2**63 - 1
    )


@pytest.mark.parametrize(
    "line", ["", "1: -> POSIX  ADVISORY  WRITE 1 fe:00:1 0 EOF", "3: FLOCK  ADVISORY  WRITE 9 08:01:5 0 EOF", "odd"]
)
def test_other_lines_are_not(line: str) -> None:
    assert parsed(line) is None


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["/usr/bin/python3", "/opt/bin/gbrain", "serve"], "python3 gbrain serve"),
        (["/usr/bin/python3", "-m", "gbrain", "remember", "secret"], "python3 -m gbrain remember …"),
        (["python3", "/opt/bin/gbrain", "remember", "secret"], "python3 gbrain remember …"),
        (["python3", "-c", "import apsw; x"], "python3 -c …"),
        (["vim"], "vim"),
        (["a", "b", "c", "d", "e"], "a b c d …"),
    ],
)
def test_a_command_is_named_without_what_a_person_wrote(words: list[str], shown: str) -> None:
    assert spoken(words) == shown


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the table of locks is Linux's")
def test_who_has_it_open_and_who_writes(home: Path) -> None:
    database = str(home / "brain.db")
    program = (
        "import apsw, sys\nconnection = apsw.Connection(sys.argv[1])\n"
        "connection.execute(sys.argv[2]).fetchall()\nprint('there', flush=True)\nsys.stdin.read()"
    )
    assert holders(database) == []
    started = []
    for statement in ("select count(*) from meta", "begin immediate"):
        process = subprocess.Popen(
            [sys.executable, "-c", program, database, statement], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.readline()
        started.append(process)
    found = holders(database)
    for process in started:
        process.communicate()
    assert found is not None
    assert {(holder.pid, holder.writing) for holder in found} == {(started[0].pid, False), (started[1].pid, True)}
    assert all(holder.command.startswith("python") and not holder.stopped for holder in found)
    assert holders(database) == []
