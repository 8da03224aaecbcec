"""A hook tells a server of a turn, and the turn is a fact a moment later: real hook, real server, real model server."""

import json
import os
import signal
import socket
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from commandline import Gbrain
from gbrain import neighbour
from gbrain.ambient import bank
from integration.hooks import hook, last, reader, reasons, remembering
from model_server import ModelServer, completion
from stdio_server import HANDSHAKE, Server

EMPTY = json.dumps({"facts": []})
SECONDS = 20.0
QUIET = {"GBRAIN_SWEEP": "0"}


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with reader() as server:
        yield server


@pytest.fixture
def gbrain(tmp_path: Path, model: ModelServer) -> Gbrain:
    return remembering(tmp_path, model)


def until(true: Callable[[], Any]) -> Any:
    """Wait for something to come true; what it is."""
    end = time.monotonic() + SECONDS
    while not (found := true()):
        assert time.monotonic() < end
        time.sleep(0.01)
    return found


def door(gbrain: Gbrain) -> Path:
    path = neighbour.socket_path(str(gbrain.home))
    assert path is not None
    return Path(path)


def answers(gbrain: Gbrain) -> bool:
    try:
        with neighbour.Line(str(gbrain.home), time.monotonic() + 1) as line:
            return line.ask("nothing") == {"ok": False, "error": "unknown_verb", "protocol": neighbour.PROTOCOL}
    except neighbour.Unanswered:
        return False


def serving(gbrain: Gbrain, *arguments: str) -> Server:
    """A server of the brain that listens, and does not sweep."""
    server = Server(gbrain.base, *arguments, env=QUIET)
    if not arguments:
        server.result("initialize", HANDSHAKE)
        server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    return server


def facts(gbrain: Gbrain) -> list[str]:
    return [row["fact"] for row in gbrain("recall", "--json").json["facts"]]


def corpus(gbrain: Gbrain) -> list[str]:
    return sorted(path.name for path in (gbrain.home / "transcripts" / "corpus").iterdir())


@pytest.mark.parametrize("arguments", [(), ("--http", "--port", "0")], ids=["stdio", "http"])
def test_i9_a_turn_is_a_fact_a_moment_after_the_hook(gbrain: Gbrain, arguments: tuple[str, ...]) -> None:
    gbrain("sources", "add", "wiki")
    if arguments:
        gbrain("auth", "create", "someone")
    with serving(gbrain, *arguments):
        until(lambda: answers(gbrain))
        place = door(gbrain)
        assert stat.S_IMODE(place.stat().st_mode) == 0o600
        assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
        hook(gbrain, env={"GBRAIN_SOURCE": "wiki"})
        assert reasons(gbrain, "writeback-bank") == ["wb_scheduled"]
        told = until(lambda: last(gbrain, "writeback"))
    assert (told["outcome"], told["inserted"], "reason" in told) == ("ok", 1, False)
    assert [name.endswith(".src-wiki.txt") for name in corpus(gbrain)] == [True, False]
    assert [row["fact"] for row in gbrain("recall", "--source", "wiki", "--json").json["facts"]] == [
        "prefers dark mode"
    ]
    assert facts(gbrain) == []


def test_i7_nobody_listens_any_more_once_the_server_has_ended(gbrain: Gbrain) -> None:
    with serving(gbrain) as server:
        until(lambda: answers(gbrain))
        server.finish()
    assert not door(gbrain).exists()
    hook(gbrain)
    assert reasons(gbrain, "writeback-bank") == ["no_serve"]


def test_a_killed_server_leaves_its_socket_and_another_takes_it_over(gbrain: Gbrain) -> None:
    with serving(gbrain) as first:
        until(lambda: answers(gbrain))
        with serving(gbrain):
            first.process.kill()
            first.process.wait(SECONDS)
            assert door(gbrain).exists()
            until(lambda: answers(gbrain))
            hook(gbrain)
            until(lambda: last(gbrain, "writeback"))
    assert reasons(gbrain, "writeback-bank") == ["wb_scheduled"]
    assert door(gbrain).exists()
    hook(gbrain, text="My dentist is called Rosa Lindqvist.")
    assert reasons(gbrain, "writeback-bank") == ["wb_scheduled", "no_serve"]


def test_a_server_that_is_stopped_does_not_keep_the_hook(gbrain: Gbrain) -> None:
    with serving(gbrain) as server:
        until(lambda: answers(gbrain))
        server.process.send_signal(signal.SIGSTOP)
        try:
            assert hook(gbrain) < 2.0
        finally:
            server.process.send_signal(signal.SIGCONT)
    assert reasons(gbrain, "writeback-bank") == ["ipc_unavailable"]
    assert len(corpus(gbrain)) >= 1


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (None, "ipc_unavailable"),
        (b"", "ipc_unavailable"),
        (b"x" * 300_000, "ipc_unavailable"),
        (b"not json\n", "ipc_unavailable"),
        (b"[1]\n", "stale_serve"),
        (b'{"ok":true}\n', "stale_serve"),
        (b'{"ok":false,"error":"unknown_verb","protocol":1}\n', "flush_failed"),
        (b'{"ok":true,"status":"skipped","reason":"queue_full","protocol":1}\n', "flush_skip_queue_full"),
        (b'{"ok":true,"status":"scheduled","protocol":1}\n', "wb_scheduled"),
    ],
)
def test_whatever_answers_the_hook_leaves_in_time_with_its_reason(
    gbrain: Gbrain, said: bytes | None, reason: str
) -> None:
    place = door(gbrain)
    place.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(neighbour.address(str(place)))
        listening.listen(1)
        pid = os.fork()
        if not pid:
            # Somebody who accepts, and says this, or nothing at all.
            connection, _ = listening.accept()
            if said is not None:
                connection.recv(65_536)
                try:
                    connection.sendall(said)
                except OSError:
                    pass
                connection.close()
            signal.pause() if said is None else None
            os._exit(0)
        try:
            assert hook(gbrain) < 2.0
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    assert reasons(gbrain, "writeback-bank") == [reason]
    assert len(corpus(gbrain)) == 1


def test_j6_a_turn_that_was_read_is_not_read_again(gbrain: Gbrain, model: ModelServer) -> None:
    with serving(gbrain):
        until(lambda: answers(gbrain))
        hook(gbrain)
        until(lambda: last(gbrain, "writeback"))
        hook(gbrain)
        until(lambda: reasons(gbrain, "writeback") == ["", "already_ingested"])
    assert reasons(gbrain, "writeback-bank") == ["wb_scheduled", "wb_dup"]
    assert len(model.asked) == 1


def put(gbrain: Gbrain, session: str, number: int) -> str:
    text = f"My sister number {number} lives in town {number} now."
    return bank.bank(str(gbrain.home), session, f"{number:024x}", None, text)[1]


def poke(gbrain: Gbrain, name: str) -> str:
    with neighbour.Line(str(gbrain.home), time.monotonic() + 5) as line:
        said = line.ask("harvest", file=name)
    return str(said.get("reason") or said["status"])


def test_j7_a_session_has_thirty_turns_over_all_servers(gbrain: Gbrain, model: ModelServer) -> None:
    model.script = lambda body: completion(EMPTY)
    for start in (0, 15):
        # The second half is for another server: the count outlives the first.
        with serving(gbrain):
            until(lambda: answers(gbrain))
            for number in range(start, start + 15):
                name = put(gbrain, "s1", number)
                until(lambda name=name: poke(gbrain, name) in ("scheduled", "already_queued"))  # type: ignore[misc]
                until(lambda name=name: f"{name}.ingested" in corpus(gbrain))  # type: ignore[misc]
    with serving(gbrain):
        until(lambda: answers(gbrain))
        last_one = put(gbrain, "s1", 30)
        assert poke(gbrain, last_one) == "session_cap"
        assert poke(gbrain, put(gbrain, "s1", 3)) == "scheduled"
        assert poke(gbrain, put(gbrain, "s2", 30)) == "scheduled"
    assert f"{last_one}.ingested" not in corpus(gbrain)
    assert gbrain("sweep", "--once", "--json").json["corpusIngested"] >= 1


def test_j8_eight_wait_while_one_is_read(gbrain: Gbrain, model: ModelServer) -> None:
    model.go.clear()
    with serving(gbrain):
        until(lambda: answers(gbrain))
        assert poke(gbrain, put(gbrain, "s1", 0)) == "scheduled"
        until(lambda: model.asked)
        for number in range(1, 9):
            assert poke(gbrain, put(gbrain, "s1", number)) == "scheduled"
        assert poke(gbrain, put(gbrain, "s1", 9)) == "queue_full"
        assert poke(gbrain, put(gbrain, "s1", 4)) == "already_queued"
        model.go.set()
        until(lambda: sum(name.endswith(".ingested") for name in corpus(gbrain)) == 9)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../x.txt", "bad_basename"),
        ("s1.wb-5cb11b7d8b240810e3b1d38f.txt.ingested", "bad_basename"),
        ("s1..wb-5cb11b7d8b240810e3b1d38f.txt", "bad_basename"),
        (7, "bad_basename"),
        ("unknown.wb-5cb11b7d8b240810e3b1d38f.txt", "no_session"),
        ("s1.wb-5cb11b7d8b240810e3b1d38f.txt", "not_found"),
    ],
)
def test_what_names_no_banked_turn_is_refused(gbrain: Gbrain, name: Any, reason: str) -> None:
    with serving(gbrain):
        until(lambda: answers(gbrain))
        assert poke(gbrain, name) == reason


def test_a_connection_carries_many_requests_and_none_without_an_end(gbrain: Gbrain) -> None:
    with serving(gbrain):
        until(lambda: answers(gbrain))
        with neighbour.Line(str(gbrain.home), time.monotonic() + 5) as line:
            for _ in range(3):
                assert line.ask("harvest", file="x")["reason"] == "bad_basename"
        for rude in (b"x" * 600_000, b"[1]\n", b'{"protocol":7}\n', b"\xff\n"):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as raw:
                raw.settimeout(SECONDS)
                raw.connect(neighbour.address(str(door(gbrain))))
                try:
                    raw.sendall(rude)
                    said = raw.recv(65_536)
                except (BrokenPipeError, ConnectionResetError):
                    said = b""
                assert said == b"" or json.loads(said)["ok"] is False
        # Twenty that say nothing: the seventeenth is hung up on, and all are let go.
        silent = [socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) for _ in range(20)]
        for one in silent:
            one.connect(neighbour.address(str(door(gbrain))))
        until(lambda: answers(gbrain))
        for one in silent:
            one.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only there is a long path shortened")
def test_a_home_far_down_has_a_socket_too(tmp_path: Path, model: ModelServer) -> None:
    base = tmp_path / ("deep" * 30)
    base.mkdir()
    gbrain = Gbrain(base)
    gbrain("init")
    with serving(gbrain):
        until(lambda: answers(gbrain))


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="only Linux tells the open files of a process")
def test_a_server_that_is_asked_again_and_again_keeps_no_more_open(gbrain: Gbrain) -> None:
    folder = gbrain.home / "transcripts" / "corpus"
    folder.mkdir(parents=True)
    with serving(gbrain) as server:
        until(lambda: answers(gbrain))

        def asked(name: str) -> Any:
            with neighbour.Line(str(gbrain.home), time.monotonic() + 5) as line:
                reply = line.ask("harvest", file=name)
            return "scheduled" if reply.get("reason") == "already_queued" else reply.get("status")

        def told(number: int) -> int:
            # A turn of its own each time, so that the store is asked.
            name = bank.name(f"s-{number}", f"{number:024x}", None)
            (folder / name).write_text("I like dark mode\n")
            until(lambda: asked(name) == "scheduled")
            return len(os.listdir(f"/proc/{server.process.pid}/fd"))

        counts = [told(number) for number in range(40)]
    assert max(counts[20:]) <= max(counts[:20]) + 4, counts
