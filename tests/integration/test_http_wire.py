"""The wire of `gbrain serve --http`: paths, methods, statuses, bodies that are none, request ids, the access log."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gbrain import __version__
from http_server import JSON, HttpServer, make_open_brain
from stdio_server import ENVELOPE, HANDSHAKE, VERSION, call, cases, request

MARK = "zebrafish"
DEEP = 200_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    home = tmp_path_factory.mktemp("wire")
    make_open_brain(home)
    with HttpServer(home, "--rate", "0") as server:
        yield server


def test_health_needs_nothing(server: HttpServer) -> None:
    answer = server.send("GET", "/health")
    assert answer.status == 200
    assert answer.json == {"status": "ok", "version": __version__, "engine": "sqlite"}
    assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    cases(
        [
            ("the stream of older servers", "GET", "/mcp", 405),
            ("another method", "PUT", "/mcp", 405),
            ("a preflight", "OPTIONS", "/mcp", 405),
            ("the end of a session", "DELETE", "/mcp", 404),
            ("an unknown path", "GET", f"/{MARK}/../etc", 404),
            ("a post to another path", "POST", "/health", 404),
            ("almost the path", "POST", "/mcp/", 404),
        ]
    ),
)
def test_what_is_not_served(server: HttpServer, method: str, path: str, status: int) -> None:
    answer = server.send(method, path, headers=JSON)
    assert answer.status == status
    if path == "/mcp":
        assert answer.json["jsonrpc"] == "2.0"
        assert answer.json["id"] is None
        assert answer.error["data"]["suggestion"]
        assert answer.headers.get("allow") == ("POST" if status == 405 else None)
    else:
        assert set(answer.json) == {"error", "message", "suggestion"}
    assert MARK not in answer.body.decode()


@pytest.mark.parametrize(
    ("body", "code"),
    cases(
        [
            ("no JSON", b"{nonsense zebrafish", -32700),
            ("nothing", b"", -32700),
            ("not UTF-8", b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}', -32700),
            ("NaN", b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"zebrafish":NaN}}', -32700),
            ("a number too long", b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"ping"}', -32700),
            ("deep nesting", b"[" * DEEP + b"]" * DEEP, -32700),
            ("deep arguments", b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":' + b'{"a":' * DEEP, -32700),
            ("a string", b'"zebrafish"', -32600),
            ("a batch of two", json.dumps([request(1, "ping"), request(2, "ping")]).encode(), -32600),
            ("an empty batch", b"[]", -32600),
            ("no version", b'{"id":1,"method":"ping"}', -32600),
            ("another version", b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
            ("no method", b'{"jsonrpc":"2.0","id":1,"zebrafish":2}', -32600),
            ("an id that is null", b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
            ("an id that is an object", b'{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', -32600),
            ("an id that is a fraction", b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
            ("params that are a list", b'{"jsonrpc":"2.0","id":1,"method":"ping","params":["zebrafish"]}', -32602),
        ]
    ),
)
def test_bodies_that_are_no_request(server: HttpServer, body: bytes, code: int) -> None:
    answer = server.post(body)
    assert answer.status == 400
    assert answer.headers["content-type"] == "application/json"
    assert answer.error["code"] == code
    assert MARK not in answer.body.decode()
    assert server.send("GET", "/health").status == 200


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    cases(
        [
            ("a form", {"content-type": "application/x-www-form-urlencoded"}, b"a=b", 415),
            ("text", {"content-type": "text/plain"}, b"{}", 415),
            ("no type", {"content-type": ""}, b"{}", 415),
            ("UTF-16", {"content-type": "application/json; charset=utf-16"}, "{}".encode("utf-16"), 415),
            ("compressed", {"content-encoding": "gzip"}, gzip.compress(b"{}"), 415),
            ("no JSON wanted", {"accept": "text/html"}, json.dumps(request(1, "ping")).encode(), 406),
            ("said to be too large", {"content-length": str(9 * 2**20)}, None, 413),
        ]
    ),
)
def test_what_a_body_may_be(server: HttpServer, headers: dict[str, str], body: bytes | None, status: int) -> None:
    answer = server.send("POST", "/mcp", body, {**JSON, **headers})
    assert answer.status == status
    assert answer.error["message"]


def test_a_body_that_is_too_large_in_pieces(server: HttpServer) -> None:
    """Without a length there is nothing to refuse at first; the server stops reading at the limit."""
    with server.connect() as connection:
        head = f"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{server.port}\r\ncontent-type: application/json\r\n"
        connection.sendall(f"{head}transfer-encoding: chunked\r\n\r\n".encode())
        piece = b"%x\r\n" % 65536 + b" " * 65536 + b"\r\n"
        for _ in range(200):
            connection.sendall(piece)
        answer = connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 413 ")


def test_the_largest_body_still_fits(server: HttpServer) -> None:
    small = json.dumps(request(1, "ping")).encode()
    assert server.post(small + b" " * (8 * 2**20 - len(small))).json["result"] == {}
    assert server.post(small + b" " * (8 * 2**20 - len(small) + 1)).status == 413


def test_a_batch_of_one_is_a_request(server: HttpServer) -> None:
    answer = server.post([request(7, "ping")])
    assert (answer.status, answer.json) == (200, {"jsonrpc": "2.0", "id": 7, "result": {}})


def test_charset_and_accept_are_read_kindly(server: HttpServer) -> None:
    ping = json.dumps(request(1, "ping")).encode()
    for headers in (
        {"content-type": "Application/JSON; charset=UTF-8"},
        {"content-type": "application/json", "accept": "*/*"},
        {"content-type": "application/json", "accept": "application/json"},
    ):
        assert server.send("POST", "/mcp", ping, headers).status == 200


@pytest.mark.parametrize(
    "message", [{"jsonrpc": "2.0", "method": "notifications/initialized"}, {"jsonrpc": "2.0", "id": 1, "result": {}}]
)
@pytest.mark.parametrize("version", ["2025-11-25", VERSION])
def test_what_needs_no_answer_is_accepted(server: HttpServer, message: dict[str, Any], version: str) -> None:
    answer = server.post(message, {"mcp-protocol-version": version})
    expected = 400 if "result" in message and version == VERSION else 202
    assert answer.status == expected
    assert expected == 400 or answer.body == b""


@pytest.mark.parametrize("asked", ["2024-11-05", "2025-06-18", "2025-11-25", "1999-01-01"])
def test_the_handshake(server: HttpServer, asked: str) -> None:
    result = server.result("initialize", {**HANDSHAKE, "protocolVersion": asked})
    assert result["protocolVersion"] == ("2025-11-25" if asked == "1999-01-01" else asked)
    assert result["serverInfo"] == {"name": "gbrain", "version": __version__}
    assert "long-term memory" in result["instructions"].split(". ")[0]


def test_no_session_is_needed_and_none_is_made(server: HttpServer) -> None:
    answer = server.post(request(1, "tools/list"), {"mcp-session-id": "of-another-server"})
    assert answer.status == 200
    assert "mcp-session-id" not in answer.headers


def test_the_stateless_era(server: HttpServer) -> None:
    found = server.ask_stateless("server/discover")["result"]
    assert found["supportedVersions"] == [VERSION]
    assert found["resultType"] == "complete"
    listed = server.ask_stateless("tools/list")["result"]
    assert listed["ttlMs"] == 0
    said = server.ask_stateless("tools/call", {"name": "recall", "arguments": {}})["result"]
    assert said["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "gbrain"


@pytest.mark.parametrize(
    ("headers", "code"),
    cases(
        [
            ("none", {}, -32020),
            ("of the other era", {"mcp-protocol-version": "2025-11-25"}, -32020),
            ("another method", {"mcp-protocol-version": VERSION, "mcp-method": "tools/list"}, -32020),
            (
                "another tool",
                {"mcp-protocol-version": VERSION, "mcp-method": "tools/call", "mcp-name": "forget"},
                -32020,
            ),
            ("of no era", {"mcp-protocol-version": "2031-01-01", "mcp-method": "tools/call"}, -32020),
        ]
    ),
)
def test_a_header_that_says_something_else(server: HttpServer, headers: dict[str, str], code: int) -> None:
    answer = server.post(call(1, "recall", **ENVELOPE), headers)
    assert (answer.status, answer.error["code"]) == (400, code)


@pytest.mark.parametrize("method", ["resources/list", "prompts/list", "completion/complete", "no/such", MARK * 100])
@pytest.mark.parametrize("stateless", [False, True])
def test_unknown_methods(server: HttpServer, method: str, stateless: bool) -> None:
    ask = server.ask_stateless if stateless else server.ask
    error = ask(method)["error"]
    assert error["code"] == -32601
    assert len(error["message"]) < 100


def test_request_ids_are_echoed_or_made(server: HttpServer) -> None:
    assert server.post(request(1, "ping"), {"x-request-id": "abc-1.2"}).headers["x-request-id"] == "abc-1.2"
    made = server.post(request(1, "ping"), {"x-request-id": "a b\tc" * 50}).headers["x-request-id"]
    assert len(made) == 16
    assert made != server.post(request(1, "ping")).headers["x-request-id"]


def test_answers_are_kept_by_nobody(server: HttpServer) -> None:
    headers = server.post(request(1, "ping")).headers
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


def test_garbage_on_the_socket(server: HttpServer) -> None:
    for garbage in (
        b"\x16\x03\x01\x02\x00",
        b"GET\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\ncontent-length: 9999999999999999999999\r\n\r\n",
        b"\x00" * 100_000,
    ):
        with server.connect() as connection:
            connection.sendall(garbage)
            assert connection.recv(65536).startswith(b"HTTP/1.1 400 ")
    assert server.send("GET", "/health").status == 200


def test_pipelined_requests_are_answered_in_order(server: HttpServer) -> None:
    body = json.dumps(request(1, "ping")).encode()
    head = f"POST /mcp HTTP/1.1\r\nhost: localhost:{server.port}\r\ncontent-type: application/json\r\n"
    one = f"{head}content-length: {len(body)}\r\n\r\n".encode() + body
    with server.connect() as connection:
        connection.sendall(one + one)
        data = b""
        while data.count(b'"result":{}') < 2:
            data += connection.recv(65536)
    assert data.count(b"HTTP/1.1 200 OK") == 2


def test_the_access_log_tells_what_happened_and_nothing_said(tmp_path: Path) -> None:
    make_open_brain(tmp_path)
    with HttpServer(tmp_path) as server:
        server.value("remember", {"fact": f"saw a {MARK}", "provenance": MARK})
        server.tool("recall", {"query": MARK, "limit": "x"})
        server.ask("tools/call", {"name": f"{MARK}_tool"})
        server.ask(MARK)
        server.send(MARK.upper(), f"/{MARK}?token={MARK}", headers={"authorization": f"Bearer {MARK}"})
        server.post(f"{{{MARK}".encode(), {"x-request-id": "mine-1"})
        assert server.stop() == 143
    lines = [line for line in server.access() if line["event"] == "request"]
    assert MARK not in (server.log.read_text() + server.errors.read_text()).lower()
    assert [(line.get("rpc"), line.get("tool"), line["status"], line.get("ok")) for line in lines] == [
        ("tools/call", "remember", 200, True),
        ("tools/call", "recall", 200, False),
        ("tools/call", None, 200, False),
        ("other", None, 200, False),
        (None, None, 404, None),
        (None, None, 400, None),
    ]
    assert all(line["peer"] == "127.0.0.1" and line["ms"] >= 0 and line["bytes"] > 0 for line in lines)
    assert lines[-1]["id"] == "mine-1"
