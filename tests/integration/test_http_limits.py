"""What the HTTP server bears: quick requests, slow ones, many connections, forged names, large answers."""

import asyncio
import json
import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from http_server import IMPATIENT, JSON, HttpServer, Response, make_open_brain, received
from stdio_server import call, request

HEAD = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
PING = json.dumps(request(1, "ping")).encode()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("limits")
    make_open_brain(home)
    return home


@pytest.fixture(scope="module")
def impatient(home: Path) -> Iterator[HttpServer]:
    """A server that waits half a second for the end of a request."""
    with HttpServer(home, "--rate", "0", program=("-c", "\n".join(IMPATIENT))) as server:
        yield server


async def quick(server: HttpServer, count: int, at_once: int) -> list[Response]:
    """So many pings, over so many connections that are kept."""
    answers: list[Response] = []
    body = json.dumps(request(1, "ping")).encode()
    message = f"{HEAD}content-length: {len(body)}\r\n\r\n".encode() + body

    async def one(number: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for _ in range(count // at_once):
            writer.write(message)
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            fields = dict(line.lower().split(": ", 1) for line in head[1:] if line)
            data = await reader.readexactly(int(fields["content-length"]))
            answers.append(Response(int(head[0].split()[1]), fields, data))
        writer.close()
        await writer.wait_closed()

    await asyncio.gather(*(one(number) for number in range(at_once)))
    return answers


def test_a_thousand_quick_requests_are_answered(home: Path) -> None:
    with HttpServer(home, "--rate", "0") as server:
        answers = asyncio.run(quick(server, 1000, 50))
        assert Counter(answer.status for answer in answers) == {200: 1000}
        assert {answer.body for answer in answers} == {b'{"jsonrpc":"2.0","id":1,"result":{}}'}
        assert len({answer.headers["x-request-id"] for answer in answers}) == 1000
        assert server.memory_mb() < 200


def test_who_asks_too_often_is_told_when_to_come_back(home: Path) -> None:
    with HttpServer(home, "--rate", "5") as server:
        answers = asyncio.run(quick(server, 1000, 50))
        found = Counter(answer.status for answer in answers)
        assert set(found) == {200, 429}
        assert 25 <= found[200] <= 25 + 5 * 20
        refused = next(answer for answer in answers if answer.status == 429)
        assert refused.headers["retry-after"] == "1"
        assert refused.error["code"] == -32000
        assert "--rate" in refused.error["data"]["suggestion"]
        assert server.send("GET", "/health").status == 200


@pytest.mark.parametrize(
    "begun",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"POST /mcp HT", id="half a line"),
        pytest.param(HEAD.encode() + b"x-slow: ", id="half a header"),
        pytest.param(HEAD.encode() + b"content-length: 1000\r\n\r\n{", id="half a body"),
        pytest.param(HEAD.encode() + b"transfer-encoding: chunked\r\n\r\n5\r\n{", id="half a chunk"),
        pytest.param(
            f"{HEAD}content-length: {len(PING)}\r\n\r\n".encode() + PING + b"POST", id="half a second request"
        ),
        pytest.param(b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n{", id="half after an answer"),
    ],
)
def test_who_does_not_end_a_request_is_cut_off(impatient: HttpServer, begun: bytes) -> None:
    with impatient.connect() as connection:
        connection.sendall(begun)
        received(connection)
    assert impatient.send("GET", "/health").status == 200


def test_drops_of_a_request_do_not_keep_a_connection(impatient: HttpServer) -> None:
    """The bound is on the whole request, not on the pause between two bytes."""
    with impatient.connect() as connection:
        connection.sendall(f"{HEAD}content-length: 100000000\r\n".encode())
        connection.settimeout(0.01)
        with pytest.raises(OSError, match=r"(?i)reset|broken|closed|shut"):  # noqa: PT012 - drop by drop
            while True:
                connection.sendall(b"x-drop: 1\r\n")
                try:
                    if connection.recv(1) == b"":
                        raise ConnectionError("closed")
                except TimeoutError:
                    pass


def test_slow_clients_do_not_hold_up_others(impatient: HttpServer) -> None:
    with ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(impatient.connect()).sendall(HEAD.encode())
        assert impatient.value("recall") is not None
    lines = [line for line in impatient.access() if line.get("why") == "slow"]
    assert lines
    assert "peer" not in lines[0]


def test_who_does_not_read_is_cut_off(impatient: HttpServer) -> None:
    """Answers pile up behind a client that keeps asking; the server must not keep them for it."""
    body = json.dumps(request(1, "tools/list")).encode()
    message = f"{HEAD}content-length: {len(body)}\r\n\r\n".encode() + body

    def ask_for_ever(connection: socket.socket) -> None:
        while True:
            connection.sendall(message * 100)

    with impatient.connect() as connection, pytest.raises(OSError, match=r"(?i)reset|broken"):
        ask_for_ever(connection)
    assert impatient.send("GET", "/health").status == 200


def test_an_idle_connection_is_kept(impatient: HttpServer) -> None:
    """Clients keep a connection open between two calls of their model; only unfinished requests are bounded."""
    message = f"{HEAD}content-length: {len(PING)}\r\n\r\n".encode() + PING

    def ask(connection: socket.socket) -> bytes:
        connection.sendall(message)
        data = b""
        while not data.endswith(b'"result":{}}'):
            data += connection.recv(65536)
        return data

    with impatient.connect() as kept:
        assert ask(kept).startswith(b"HTTP/1.1 200 ")
        with impatient.connect() as slow:
            slow.sendall(b"POST")
            received(slow)
        assert ask(kept).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("path", ["/mcp", "/health", "/", "/.well-known/oauth-protected-resource/mcp"])
@pytest.mark.parametrize("host", ["evil.example", "evil.example:3131", "127.0.0.1.evil.example", "0.0.0.0"])
def test_a_forged_host(impatient: HttpServer, path: str, host: str) -> None:
    answer = impatient.send("POST" if path == "/mcp" else "GET", path, PING, {**JSON, "host": host})
    assert answer.status == 421
    assert "evil" not in answer.body.decode()


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1.evil.example", "file://"])
def test_a_forged_origin(impatient: HttpServer, origin: str) -> None:
    answer = impatient.post(request(1, "ping"), {"origin": origin})
    assert answer.status == 403
    assert "evil" not in answer.body.decode()
    assert "access-control-allow-origin" not in answer.headers


def test_pages_of_this_machine_may_ask(impatient: HttpServer) -> None:
    assert impatient.post(request(1, "ping"), {"origin": "http://localhost:6274"}).status == 200


def test_a_request_without_a_host(impatient: HttpServer) -> None:
    with impatient.connect() as connection:
        connection.sendall(b"GET /health HTTP/1.0\r\n\r\n")
        assert b" 421 " in connection.recv(65536)


def test_hidden_arguments_of_every_size(impatient: HttpServer) -> None:
    """Texts of up to a megabyte are refused by the operation, in its own words, and never echoed at length."""
    for size in (10_000, 100_000, 1_000_000):
        answer = impatient.post(call(1, "remember", {"fact": "x" * size, "provenance": "y" * size}))
        assert answer.status == 200
        assert answer.json["result"]["isError"] is True
        assert len(answer.body) < 2000


def test_clients_that_leave_harm_nobody(home: Path) -> None:
    message = json.dumps(call(1, "recall", {"query": "x"})).encode()
    with HttpServer(home, "--rate", "0") as server:

        def leave(number: int) -> None:
            with server.connect() as connection:
                connection.sendall(f"{HEAD}content-length: {len(message)}\r\n\r\n".encode() + message[: number % 80])

        with ThreadPoolExecutor(20) as pool:
            list(pool.map(leave, range(300)))
        assert server.value("recall") is not None
        assert server.stop() == 143
        assert [line for line in server.access() if line["event"] == "error"] == []
