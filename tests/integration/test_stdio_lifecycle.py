"""How a server starts, waits and ends: first contact, end of input, signals, dead parents, a bad store."""

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from stdio_server import (
    HANDSHAKE,
    PATIENCE,
    Server,
    brain_folder,
    call,
    leave_with_parent,
    local_brain,
    make_brain,
    request,
)

FIRST_CONTACT = [
    request(1, "initialize", HANDSHAKE),
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    request(2, "tools/list"),
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    make_brain(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A brain of 500 pages."""
    home = tmp_path_factory.mktemp("filled")
    make_brain(home)
    with local_brain(home) as brain:
        for number in range(500):
            brain.put_page(slug=f"people/person-{number}", content=f"---\ntype: person\n---\nLantern {number}.\n")
    return home


def database(home: Path) -> str:
    return os.path.join(brain_folder(home), "brain.db")


def facts(home: Path) -> set[str]:
    with local_brain(home) as brain:
        rows = brain.store.engine.rows("select fact from facts")
        assert brain.store.engine.rows("pragma integrity_check") == [{"integrity_check": "ok"}]
    return {row["fact"] for row in rows}


@pytest.fixture
def writer(home: Path) -> Iterator[apsw.Connection]:
    """Another process's write that never comes to its end."""
    connection = apsw.Connection(database(home))
    connection.execute("begin immediate")
    yield connection
    connection.close(True)


def assert_first_contact(lines: list[bytes]) -> None:
    hello, tools = (json.loads(line) for line in lines)
    assert (hello["id"], tools["id"]) == (1, 2)
    assert hello["result"]["protocolVersion"] == "2025-06-18"
    assert len(tools["result"]["tools"]) >= 7
    for tool in tools["result"]["tools"]:
        schema = tool["inputSchema"]
        assert schema["type"] == "object"
        assert isinstance(schema["properties"], dict)
        assert not {"anyOf", "oneOf", "allOf"} & schema.keys()


def test_first_contact_then_end_of_input(filled: Path) -> None:
    started = time.monotonic()
    with Server(filled) as server:
        server.send(*FIRST_CONTACT)
        lines = [server.line(5), server.line(5)]
        answered = time.monotonic() - started
        assert server.finish(3) == 0
        assert server.line() is None
    assert_first_contact([line for line in lines if line is not None])
    assert answered < 5


def test_first_contact_then_the_parent_is_killed(filled: Path) -> None:
    """Stdin stays open, as it does when another child of the dead client still holds it."""
    assert_first_contact(leave_with_parent(filled, FIRST_CONTACT, 2))


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_an_idle_server_at_once(home: Path, number: int, code: int) -> None:
    with Server(home) as server:
        server.result("tools/list")
        started = time.monotonic()
        server.process.send_signal(number)
        assert server.process.wait(PATIENCE) == code
        assert time.monotonic() - started < 2
        assert server.line() is None
        assert "Traceback" not in server.started


def test_both_signals_in_a_row_as_claude_code_sends_them(home: Path) -> None:
    with Server(home) as server:
        server.value("remember", {"fact": "prefers tea", "provenance": "kitchen"})
        server.process.send_signal(signal.SIGINT)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE) in (130, 143)
        assert "Traceback" not in server.started
    assert facts(home) == {"prefers tea"}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_every_acknowledged_write_survives(home: Path, number: int) -> None:
    """The signal falls between 300 writes that the server is busy with."""
    claims = [f"lantern {word} is kept in drawer {word}" for word in range(300)]
    with Server(home, "--surface", "verbs") as server:
        server.send(*(call(claim, "remember", {"fact": claim, "provenance": "drill"}) for claim in claims))
        acknowledged = {server.receive()["id"] for _ in range(40)}
        server.process.send_signal(number)
        while (line := server.line()) is not None:
            acknowledged.add(json.loads(line)["id"])
        assert server.process.wait(PATIENCE) == (143 if number == signal.SIGTERM else -9)
    kept = facts(home)
    assert acknowledged <= kept
    assert len(kept - acknowledged) <= 1


def test_a_signal_cuts_off_a_write_that_waits(home: Path, writer: apsw.Connection) -> None:
    with Server(home) as server:
        server.result("tools/list")
        server.send(call(1, "remember", {"fact": "never written", "provenance": "drill"}))
        assert server.is_silent(0.5)
        started = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE) == 143
        assert time.monotonic() - started < 3
        assert server.line() is None
    writer.execute("rollback")
    assert facts(home) == set()


def test_a_client_that_stops_reading_cannot_hold_a_signal_off(home: Path) -> None:
    with Server(home) as server:
        server.send(*(request(number, "tools/list") for number in range(200)))
        assert server.line() is not None
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE) == 143


def test_pending_replies_are_written_before_the_end_of_input_counts(home: Path) -> None:
    with Server(home, "--surface", "verbs") as server:
        server.send(*(call(number, "recall", {"query": "lantern"}) for number in range(50)))
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert [server.receive()["id"] for _ in range(50)] == list(range(50))
        assert server.line() is None
        assert server.process.wait(3) == 0


def test_no_input_at_all(home: Path) -> None:
    with Server(home) as server:
        assert server.finish(3) == 0
        assert server.line() is None


def test_a_client_that_closes_its_end_of_stdout(home: Path) -> None:
    with Server(home) as server:
        server.result("ping")
        assert server.process.stdout is not None
        server.process.stdout.close()
        server.send(request(1, "tools/list"))
        assert server.process.wait(PATIENCE) == 0
        assert "Traceback" not in server.started
        assert "BrokenPipe" not in server.started


def test_a_live_writer_delays_neither_the_handshake_nor_reads(home: Path, writer: apsw.Connection) -> None:
    with Server(home) as server:
        server.send(*FIRST_CONTACT, call(3, "recall", {"query": "lantern"}))
        started = time.monotonic()
        assert [server.receive()["id"] for _ in range(3)] == [1, 2, 3]
        assert time.monotonic() - started < 3


def test_a_store_that_another_process_keeps_to_itself(home: Path) -> None:
    keeper = apsw.Connection(database(home))
    keeper.execute("pragma locking_mode = exclusive")
    keeper.execute("begin exclusive; create table kept (x); commit")
    with Server(home) as server:
        started = time.monotonic()
        server.send(*FIRST_CONTACT)
        lines = [server.line(), server.line()]
        assert time.monotonic() - started < 4
        assert_first_contact([line for line in lines if line is not None])
        keeper.close(True)
        assert server.value("recall", {"query": "lantern"})["facts"] == []


def test_a_damaged_store_leaves_the_tools_listed_and_is_not_touched(home: Path) -> None:
    file = Path(database(home))
    file.write_bytes(b"this is no database" * 400)
    before = file.read_bytes()
    with Server(home, "--surface", "verbs") as server:
        server.result("initialize", HANDSHAKE)
        assert len(server.result("tools/list")["tools"]) == 7
        error = server.error("remember", {"fact": "prefers tea", "provenance": "kitchen"})
        assert (error["error"], error["protocol_version"]) == ("unavailable", 1)
        assert "gbrain " in error["suggestion"]
        assert server.error("recall")["error"] == "unavailable"
        assert server.finish() == 0
    assert file.read_bytes() == before


def test_a_store_that_is_mended_serves_without_a_restart(home: Path) -> None:
    file = Path(database(home))
    sound = file.read_bytes()
    file.write_bytes(b"this is no database" * 400)
    with Server(home) as server:
        assert server.error("recall")["error"] == "unavailable"
        file.write_bytes(sound)
        assert server.value("recall")["facts"] == []


def test_an_unknown_surface_is_refused_before_anything_is_read(home: Path) -> None:
    with Server(home, "--surface", "everything") as server:
        assert server.process.wait(PATIENCE) == 2
        assert server.line() is None
        assert "verbs" in server.started
        assert "Traceback" not in server.started


@pytest.mark.parametrize("way", ["option", "environment"])
def test_an_unknown_source_fails_at_the_start(home: Path, way: str) -> None:
    args, env = (("--source", "nope"), {}) if way == "option" else ((), {"GBRAIN_SOURCE": "nope"})
    with Server(home, *args, env=env) as server:
        assert server.process.wait(PATIENCE) == 2
        assert server.line() is None
        assert "nope" in server.started
        assert "Traceback" not in server.started
