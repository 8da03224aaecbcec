"""What is different on Windows and macOS, with stand-ins on this system: what they lack is taken away.

They show that every module loads there and that the ways around what is missing work; not that all else is as here.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from commandline import Gbrain
from gbrain import home as homes, neighbour
from stdio_server import HANDSHAKE, call, request

SCRIPT = Path(__file__).parents[1] / "data" / "without_posix.py"
TURN = b"".join(
    json.dumps(line).encode() + b"\n"
    for line in (request(1, "initialize", HANDSHAKE), call(2, "recall"), call(3, "whoami"))
)


def run(gbrain: Gbrain, system: str, *lines: tuple[str, ...], stdin: bytes = b"") -> "subprocess.CompletedProcess[str]":
    """Run command lines one after another in one process that stands in for one of a system."""
    home = gbrain.base / "user"
    home.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, str(SCRIPT), system, json.dumps(lines)],
        input=stdin.decode(),
        capture_output=True,
        encoding="utf-8",
        env=gbrain.environment({"HOME": str(home)}),
        cwd=gbrain.base,
    )
    assert done.returncode == 0, done.stderr
    return done


def codes(done: "subprocess.CompletedProcess[str]") -> dict[str, int]:
    """The exit code of each command line that was run."""
    lines = [
        line.removeprefix("code ").partition(": ") for line in done.stderr.splitlines() if line.startswith("code ")
    ]
    return {command: int(code) for code, _, command in lines}


@pytest.mark.parametrize("system", ["windows", "macos"])
def test_the_main_jobs_are_done(tmp_path: Path, system: str) -> None:
    gbrain = Gbrain(tmp_path)
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# A\n")
    lines = (
        ("init",),
        ("remember", "prefers green tea", "--provenance", "a test", "--entity", "Dana Oakes"),
        ("recall",),
        ("config", "set", "memory.auto_writeback", "salient"),
        ("sources", "add", "notes", "--path", str(notes)),
        ("sync", "--source", "notes"),
        ("put", "b", "--source", "notes", "--content", "# B"),
        ("put", "b", "--source", "notes", "--content", "# B2"),
        ("init", "--path", str(tmp_path / "family")),
        ("mounts", "add", "family", str(tmp_path / "family")),
        ("--brain", "family", "recall"),
        ("skills", "install", "--yes"),
        ("bootstrap", "harness", "--harness", "claude-code", "--yes"),
        ("backup", "create", "--keep", "1"),
        ("backup", "verify", "latest"),
        ("backup", "restore", "latest", "--force"),
        ("export", "--dir", str(tmp_path / "out")),
        ("forget", "1", "--prove"),
        ("sweep", "--once"),
        ("doctor",),
    )
    (tmp_path / "user" / ".claude").mkdir(parents=True)
    done = run(gbrain, system, *lines)
    found = codes(done)
    assert len(found) == len(lines)
    # What is proved is that the words are still in the backup.
    assert {line for line, code in found.items() if code} <= {"forget 1 --prove"}, done.stderr
    assert "prefers green tea" in done.stdout
    assert (notes / "b.md").read_text() == "# B2"
    assert "gbrain" in (tmp_path / "user" / ".claude" / "settings.json").read_text()
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("system", ["windows", "macos"])
def test_a_server_answers(tmp_path: Path, system: str) -> None:
    gbrain = Gbrain(tmp_path)
    gbrain("init")
    done = run(gbrain, system, ("serve",), stdin=TURN)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [1, 2, 3]
    assert all("error" not in answer for answer in answers)


def test_a_home_whose_path_is_too_long_for_a_socket_is_served_all_the_same(tmp_path: Path) -> None:
    gbrain = Gbrain(tmp_path / ("long" * 25))
    gbrain.base.mkdir()
    gbrain("init")
    path = neighbour.socket_path(str(gbrain.home))
    assert path is not None
    assert len(path) > 104
    done = run(gbrain, "macos", ("serve",), stdin=TURN)
    assert len(done.stdout.splitlines()) == 3
    assert "nobody listens at" in done.stderr
    assert codes(run(gbrain, "macos", ("remember", "rows at dawn", "--provenance", "a test"), ("recall",))) == {
        "remember rows at dawn --provenance a test": 0,
        "recall": 0,
    }


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437"])
def test_output_is_utf8_whatever_the_code_page(tmp_path: Path, encoding: str) -> None:
    gbrain = Gbrain(tmp_path)
    gbrain("init")
    gbrain("remember", "keeps 倉庫の鍵 🔑", "--provenance", "Zürich")
    env = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    for words in ("recall", "recall --json", "--help", "recall --help", "protocol", "doctor --fast"):
        ran = gbrain.run(*words.split(), env=env)
        assert (ran.code, "Error [" in ran.err) == (0, False), (words, ran.err)
    assert "倉庫の鍵 🔑" in gbrain.run("recall", env=env).out
    refused = gbrain.run("get", "倉庫", env=env)
    assert (refused.code, "Traceback" in refused.err) == (3, False)


def test_a_lock_is_one_process_s_on_the_stand_in_too(tmp_path: Path) -> None:
    """Who holds a lock keeps a second process out, and its end lets it in."""
    program = (
        "import sys, os; sys.path.insert(0, sys.argv[1]); import without_posix; without_posix.windows()\n"
        "from gbrain import locks\n"
        "handle = locks.opened(sys.argv[2])\n"
        "print(locks.taken(handle), flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program, str(SCRIPT.parent), str(tmp_path / "lock")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as first:  # type: ignore[call-overload]
        assert first.stdout.readline() == b"True\n"
        second = subprocess.run(command, input=b"", capture_output=True)
        assert second.stdout == b"False\n"
        first.kill()
    third = subprocess.run(command, input=b"", capture_output=True)
    assert third.stdout == b"True\n"
    assert (tmp_path / "lock").stat().st_size == 0
    assert homes.DATABASE not in {path.name for path in tmp_path.iterdir()}
