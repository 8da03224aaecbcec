"""No turn is lost: hook, server and sweep killed at each step, full disks, folders nobody may write to.

A process is killed by an audit hook of its own, right before the n-th time it opens, renames, makes or deletes
something in the home or connects anywhere, for every n until it lives to its end.
"""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from commandline import Gbrain
from integration.hooks import HOOK, PYTHON, SAID, hook, reader, reasons, remembering
from integration.test_capture_hook import as_anybody
from integration.test_harvest import lapse
from integration.test_turns_at_once import QUIET, answers, corpus, facts, poke, serving, until
from model_server import ModelServer
from stdio_server import HANDSHAKE, Server

MOST_STEPS = 60
KILLED = """
import os, runpy, signal, sys
left, place, script = int(sys.argv[1]), sys.argv[2], sys.argv[3]
EVENTS = ("open", "os.rename", "os.mkdir", "os.remove", "socket.connect")
def step(event, args):
    global left
    if event in EVENTS and (event == "socket.connect" or place in str(args[0])):
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(step)
sys.argv = sys.argv[3:]
runpy.run_path(script, run_name="__main__") if script.endswith(".py") else runpy.run_module(script, run_name="__main__")
"""


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with reader() as server:
        yield server


@pytest.fixture
def gbrain(tmp_path: Path, model: ModelServer) -> Gbrain:
    return remembering(tmp_path, model)


def killed(step: int, place: Path, command: list[str], env: dict[str, str], given: bytes = b"") -> bool:
    """Run a script of Python up to this step; whether it was killed there."""
    flags = ["-I", "-S"] if command[0].endswith(".py") else []
    run = [PYTHON if flags else sys.executable, *flags, "-c", KILLED, str(step), str(place), *command]
    code = subprocess.run(run, input=given, env=env, capture_output=True, timeout=60).returncode
    assert code in (0, -signal.SIGKILL)
    return code != 0


def steps(run: Callable[[int], bool]) -> int:
    """Run with each step until none is left; how many there were."""
    for step in range(1, MOST_STEPS):
        if not run(step):
            return step - 1
    raise AssertionError("it never ends")


def test_a_hook_killed_at_each_step_leaves_a_whole_turn_or_none(tmp_path: Path) -> None:
    transcript = tmp_path / ".claude" / "projects" / "p" / "s1.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text(json.dumps({"type": "user", "message": {"role": "user", "content": SAID}}) + "\n")
    given = json.dumps({"session_id": "s1", "transcript_path": str(transcript), "cwd": str(tmp_path)}).encode()
    env, home = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}, tmp_path / ".gbrain"
    banked = []

    def run(step: int) -> bool:
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(0o700)
        (home / "config.json").write_text('{"memory": {"auto_writeback": "salient"}}')
        was_killed = killed(step, home, [HOOK, "stop", "claude-code"], env, given)
        found = list((home / "transcripts" / "corpus").glob("*.txt"))
        assert [path.read_text() for path in found] in ([], [f"{SAID}\n"])
        banked.append(bool(found))
        # The agent runs it again after the next turn, or at the session's end.
        assert not killed(0, home, [HOOK, "stop", "claude-code"], env, given)
        assert [path.read_text() for path in (home / "transcripts" / "corpus").glob("*.txt")] == [f"{SAID}\n"]
        return was_killed

    assert steps(run) >= 5
    assert banked == sorted(banked), "what is banked stays banked at each later step"
    assert banked[0] is False
    assert banked[-1] is True


def test_a_sweep_killed_at_each_step_loses_nothing_and_files_once(gbrain: Gbrain, tmp_path: Path) -> None:
    hook(gbrain)
    fresh = tmp_path / "fresh"
    shutil.copytree(gbrain.home, fresh)

    def run(step: int) -> bool:
        shutil.rmtree(gbrain.home)
        shutil.copytree(fresh, gbrain.home)
        env = gbrain.environment()
        was_killed = killed(step, gbrain.home / "transcripts", ["gbrain", "sweep", "--once"], env)
        assert any(name.endswith(".txt") for name in corpus(gbrain))
        lapse(gbrain)
        gbrain("sweep", "--once", "--budget-ms", "60000")
        assert facts(gbrain) == ["prefers dark mode"]
        assert any(name.endswith(".ingested") for name in corpus(gbrain))
        return was_killed

    assert steps(run) >= 4


def test_a_server_killed_while_a_model_thinks_loses_nothing(gbrain: Gbrain, model: ModelServer) -> None:
    model.go.clear()
    with serving(gbrain) as server:
        until(lambda: answers(gbrain))
        hook(gbrain)
        until(lambda: model.asked)
        server.process.kill()
        server.process.wait()
    model.go.set()
    assert reasons(gbrain, "writeback-bank") == ["wb_scheduled"]
    lapse(gbrain)
    gbrain("sweep", "--once", "--budget-ms", "60000")
    assert facts(gbrain) == ["prefers dark mode"]


def test_of_two_servers_one_takes_the_turn_and_the_other_takes_over(gbrain: Gbrain, model: ModelServer) -> None:
    model.go.clear()
    with serving(gbrain) as first:
        until(lambda: answers(gbrain))
        hook(gbrain)
        until(lambda: model.asked)
        with Server(gbrain.base, env=QUIET) as second:
            second.result("initialize", HANDSHAKE)
            second.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
            first.process.kill()
            first.process.wait()
            until(lambda: answers(gbrain))
            (name,) = corpus(gbrain)
            assert poke(gbrain, name) == "scheduled"
            until(lambda: reasons(gbrain, "writeback") == ["claimed_elsewhere"])
            lapse(gbrain)
            model.go.set()
            assert poke(gbrain, name) == "scheduled"
            until(lambda: f"{name}.ingested" in corpus(gbrain))
    assert facts(gbrain) == ["prefers dark mode"]


def test_a_server_that_ends_in_order_gives_its_turn_to_the_sweep(gbrain: Gbrain, model: ModelServer) -> None:
    model.go.clear()
    with serving(gbrain) as server:
        until(lambda: answers(gbrain))
        hook(gbrain)
        until(lambda: model.asked)
        server.finish()
    model.go.set()
    lapse(gbrain)
    gbrain("sweep", "--once", "--budget-ms", "60000")
    assert facts(gbrain) == ["prefers dark mode"]


def test_a_turn_longer_than_what_may_be_written_has_a_typed_reason(gbrain: Gbrain) -> None:
    long = " ".join(f"I keep the key of room {number} in the blue box." for number in range(40))
    transcript = gbrain.base / ".claude" / "projects" / "p" / "s1.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text(json.dumps({"type": "user", "message": {"role": "user", "content": long}}) + "\n")
    given = json.dumps({"session_id": "s1", "transcript_path": str(transcript), "cwd": "/"}).encode()
    command = [PYTHON, "-I", "-S", HOOK, "stop", "claude-code"]
    env = {"HOME": str(gbrain.base), "PATH": os.environ["PATH"]}

    def little() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (800, 800))

    subprocess.run(command, input=given, env=env, check=True, preexec_fn=little)
    assert reasons(gbrain, "writeback-bank") == ["wb_efbig"]
    assert list((gbrain.home / "transcripts" / "corpus").iterdir()) == []
    subprocess.run(command, input=given, env=env, check=True)
    assert reasons(gbrain, "writeback-bank") == ["wb_efbig", "no_serve"]


@pytest.fixture
def small(gbrain: Gbrain) -> Iterator[Path]:
    """The bank on a disk of its own, of 64 kB."""
    place = gbrain.home / "transcripts"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def fill(place: Path) -> Path:
    """Use all the room there is."""
    path = place / "full"
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            return path


def test_a_full_disk_is_told_by_the_hook_and_by_the_sweep(gbrain: Gbrain, small: Path, model: ModelServer) -> None:
    (small / "corpus").mkdir(mode=0o700)
    full = fill(small)
    hook(gbrain)
    assert reasons(gbrain, "writeback-bank") == ["wb_enospc"]
    full.unlink()
    hook(gbrain)
    full = fill(small)
    swept = gbrain("sweep", "--once", "--json", "--budget-ms", "60000").json
    assert {one["reason"] for one in swept["skipped"]} == {"corpus_file_error"}
    assert reasons(gbrain, "writeback") == ["corpus_file_error:OSError"]
    full.unlink()
    assert gbrain("sweep", "--once", "--json", "--budget-ms", "60000").json["corpusIngested"] == 1
    assert (facts(gbrain), len(model.asked)) == (["prefers dark mode"], 1)


@pytest.mark.skipif(sys.platform != "linux" and os.geteuid() == 0, reason="root writes where nobody may")
def test_a_folder_nobody_may_write_to_is_told_by_the_hook_and_by_the_sweep(gbrain: Gbrain, model: ModelServer) -> None:
    hook(gbrain)
    folder = gbrain.home / "transcripts" / "corpus"
    given: dict[str, Any] = {"preexec_fn": as_anybody, "check": True, "capture_output": True}
    transcript = gbrain.base / ".claude" / "projects" / "p" / "s1.jsonl"
    said = {"type": "user", "message": {"role": "user", "content": "My dentist is called Rosa Lindqvist."}}
    transcript.write_text(json.dumps(said) + "\n")
    payload = json.dumps({"session_id": "s1", "transcript_path": str(transcript), "cwd": "/"}).encode()
    env = {"HOME": str(gbrain.base), "PATH": os.environ["PATH"]}
    folder.chmod(0o500)
    try:
        subprocess.run([PYTHON, "-I", "-S", HOOK, "stop", "claude-code"], input=payload, env=env, **given)
        assert reasons(gbrain, "writeback-bank") == ["no_serve", "wb_eacces"]
        command = [sys.executable, "-m", "gbrain", "sweep", "--once", "--budget-ms", "60000"]
        subprocess.run(command, env=gbrain.environment(), **given)
        assert reasons(gbrain, "writeback") == ["corpus_file_error:PermissionError"]
    finally:
        folder.chmod(0o700)
    assert gbrain("sweep", "--once", "--json", "--budget-ms", "60000").json["corpusIngested"] == 1
    assert (facts(gbrain), len(model.asked)) == (["prefers dark mode"], 1)
