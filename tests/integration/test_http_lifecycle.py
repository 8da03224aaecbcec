"""How the HTTP server starts and ends: what it refuses to serve, calls under way, restarts under a running client."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest
from mcp.client.client import Client

from http_server import HttpServer, make_open_brain, received
from stdio_server import ENVELOPE, PATIENCE, VERSION, brain_folder, call, environment, local_brain, request


@pytest.fixture
def home(tmp_path: Path) -> Path:
    make_open_brain(tmp_path)
    return tmp_path


def refused(home: Path, *args: str) -> tuple[int, str]:
    """How `gbrain serve` ends when it does not begin: (exit code, what it says)."""
    ran = subprocess.run(
        [sys.executable, "-m", "gbrain", "serve", *args],
        env=environment(home),
        cwd=home,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert ran.stdout == ""
    return ran.returncode, ran.stderr


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (["--http", "--surface", "wide"], 2, "--surface"),
        (["--http", "--source", "nowhere"], 2, "nowhere"),
        (["--http", "--port", "70000"], 2, "--port"),
        (["--http", "--host", "no.such.host.invalid"], 2, "gbrain auth create"),
        (["--http", "--host", "0.0.0.0"], 2, "gbrain auth create"),
        (["--http", "--host", "::"], 2, "gbrain auth create"),
        (["--http", "--public-url", "https://brain.example.com"], 2, "gbrain auth create"),
        (["--http", "--public-url", "brain.example.com"], 2, "gbrain serve --http --public-url"),
        (["--http", "--log", "/no/such/folder/log"], 6, "gbrain serve --http --log"),
        (["--port", "3131"], 2, "add --http"),
        (["--host", "0.0.0.0"], 2, "add --http"),
    ],
)
def test_what_is_refused_at_the_start(home: Path, args: list[str], code: int, says: str) -> None:
    ended, told = refused(home, *args)
    assert ended == code
    assert says in told
    assert "  Fix: " in told
    assert "Traceback" not in told


def test_a_port_that_is_taken(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, told = refused(home, "--http", "--port", str(port))
    assert code == 6
    assert f"--port {port + 1}" in told


def test_no_brain(tmp_path: Path) -> None:
    code, told = refused(tmp_path, "--http")
    assert code == 3
    assert "gbrain init" in told


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_an_idle_server_ends_at_once(home: Path, number: int, code: int) -> None:
    with HttpServer(home) as server:
        server.ask("ping")
        began = time.monotonic()
        assert server.stop(number) == code
        assert time.monotonic() - began < 2
        assert server.errors.read_text() == ""


def test_a_call_under_way_is_answered_before_the_end(home: Path) -> None:
    """Another process holds the store, so that the call surely is under way when the signal comes."""
    with HttpServer(home) as server, held(home) as holder:
        with server.begin(call(1, "remember", {"fact": "keeps bees", "provenance": "chat"})) as connection:
            server.process.send_signal(signal.SIGTERM)
            while is_listening(server):
                pass
            holder.execute("commit")
            answer = received(connection)
        assert server.process.wait(PATIENCE) == 143
    assert b'\\"status\\": \\"inserted\\"' in answer
    with local_brain(home) as brain:
        assert [fact["fact"] for fact in brain.recall()["facts"]] == ["keeps bees"]


def test_a_call_that_does_not_end_is_cut_off(home: Path) -> None:
    with HttpServer(home) as server, held(home) as holder:
        with server.begin(call(1, "remember", {"fact": "keeps bees", "provenance": "chat"})):
            began = time.monotonic()
            assert server.stop() == 143
            assert time.monotonic() - began < 10
        holder.execute("rollback")
    with local_brain(home) as brain:
        assert brain.recall()["facts"] == []


@contextmanager
def held(home: Path) -> Iterator[apsw.Connection]:
    """A transaction of another program, for which every writer waits."""
    holder = apsw.Connection(os.path.join(brain_folder(home), "brain.db"))
    holder.execute("begin immediate")
    yield holder
    holder.close()


def is_listening(server: HttpServer) -> bool:
    try:
        server.connect().close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_client_goes_on_after_a_restart(home: Path, mode: str, number: int) -> None:
    """The same client object, its session never begun anew, on a server that is another process."""

    async def converse(server: HttpServer) -> tuple[int, list[str]]:
        async with Client(server.url, mode=mode) as client:
            await client.call_tool("remember", {"fact": "keeps bees", "provenance": "chat"})
            server.stop(number)
            with HttpServer(home, port=server.port) as next_server:
                found = await client.call_tool("recall", {})
                assert found.structured_content is not None
                facts = [fact["fact"] for fact in found.structured_content["facts"]]
                return len((await client.list_tools()).tools), facts if next_server.process.poll() is None else []

    with HttpServer(home) as server:
        tools, facts = asyncio.run(converse(server))
    assert tools > 20
    assert facts == ["keeps bees"]


def test_open_streams_end_with_the_server(home: Path) -> None:
    message = request("listen:0", "subscriptions/listen", {"notifications": {}, "_meta": ENVELOPE})
    routing = {"mcp-protocol-version": VERSION, "mcp-method": "subscriptions/listen"}
    with HttpServer(home) as server, server.begin(message, routing) as connection:
        data = b""
        while b"acknowledged" not in data:
            data += connection.recv(65536)
        assert b"text/event-stream" in data
        server.process.send_signal(signal.SIGTERM)
        data += received(connection)
        assert server.process.wait(PATIENCE) == 143
    assert b'"resultType":"complete"' in data
    assert data.index(b"acknowledged") < data.index(b'"resultType"')
