"""The client of a server: what it sends, and what it makes of every kind of answer. The server is a real socket."""

import json
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gbrain.errors import BrainError, Internal, InvalidParams, InvalidToken, NotFound, Unavailable
from gbrain.remote import Remote, checked_token, checked_url

TOKEN = "gbrain_" + "5ec7e7" * 10
RENEW = "gbrain init --remote URL --token-file FILE"


class Scripted:
    """Answers each request with the next of the answers it was given; a connection is kept until one says close."""

    def __init__(self, *answers: bytes, context: ssl.SSLContext | None = None) -> None:
        self._answers = list(answers)
        self._context = context
        self.requests: list[bytes] = []
        self.connections = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while self._answers:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            try:
                with self._context.wrap_socket(connection, server_side=True) if self._context else connection as peer:
                    self._talk(peer)
            except OSError:
                pass

    def _talk(self, peer: socket.socket) -> None:
        while self._answers:
            data = b""
            while b"\r\n\r\n" not in data:
                chunk = peer.recv(65536)
                if not chunk:
                    return
                data += chunk
            head, _, body = data.partition(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            while len(body) < length:
                body += peer.recv(65536)
            self.requests.append(head + b"\r\n\r\n" + body)
            answer = self._answers.pop(0)
            peer.sendall(answer)
            if b"connection: close" in answer or not answer:
                return

    def close(self) -> None:
        self._answers.clear()
        self._socket.close()
        self._thread.join(10)


def http(body: bytes | Any, status: str = "200 OK", kind: str = "application/json", *more: str) -> bytes:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status}", f"content-type: {kind}", f"content-length: {len(data)}", *more]
    return "\r\n".join([*lines, "", ""]).encode() + data


def reply(result: Any, id: int = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "result": result}


def tool(value: Any, *, error: bool = False, meta: Any = None) -> dict[str, Any]:
    content = [{"type": "text", "text": json.dumps(value)}]
    return reply({"content": content, "isError": error, **({"_meta": meta} if meta else {})})


@pytest.fixture
def closing() -> Iterator[list[Any]]:
    opened: list[Any] = []
    yield opened
    for item in reversed(opened):
        item.close()


def remote(closing: list[Any], *answers: bytes, token: str | None = TOKEN) -> tuple[Remote, Scripted]:
    server = Scripted(*answers)
    client = Remote(f"http://127.0.0.1:{server.port}/mcp", token, RENEW)
    closing += [server, client]
    return client, server


def test_what_is_sent(closing: list[Any]) -> None:
    client, server = remote(closing, http(tool({"ok": True})))
    assert client.call("recall", {"query": "灯塔"}, "session-1").value == {"ok": True}
    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /mcp HTTP/1.1\r\n")
    assert f"authorization: Bearer {TOKEN}".encode() in head
    assert b"accept: application/json, text/event-stream" in head
    params = {"name": "recall", "arguments": {"query": "灯塔"}, "_meta": {"session_id": "session-1"}}
    assert json.loads(body) == {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def test_without_a_token_none_is_sent(closing: list[Any]) -> None:
    client, server = remote(closing, http(tool(1)), token=None)
    client.call("recall", {})
    assert b"authorization" not in server.requests[0].lower()


def test_an_answer_as_events(closing: list[Any]) -> None:
    """Progress comes first, data spans lines, and the stream stays open behind the answer."""
    told = json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": {}})
    body = json.dumps(tool([1, 2]), indent=1).replace("\n", "\r\ndata: ")
    events = f": hello\r\n\r\nevent: message\r\ndata: {told}\r\n\r\nevent: message\r\nid: 7\r\ndata: {body}\r\n\r\n"
    chunk = f"{len(events.encode()):x}\r\n{events}\r\n"
    head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    client, server = remote(closing, (head + chunk).encode(), http(reply({"tools": []}, 2)))
    assert client.call("recall", {}).value == [1, 2]
    assert client.request("tools/list") == {"tools": []}
    assert server.connections == 2


def test_what_rides_beside_a_value(closing: list[Any]) -> None:
    warning = {"code": "unknown_param", "message": "x was\x1b[2J ignored"}
    meta = {"retrieval": {"k": 1}, "brain_hot_memory": {}, "warnings": [warning, "odd"], "io.x/serverInfo": {}}
    client, _ = remote(closing, http(tool([], meta=meta)))
    answer = client.call("search", {})
    assert answer.meta == {"retrieval": {"k": 1}}
    assert answer.warnings == [{"code": "unknown_param", "message": "x was [2J ignored"}]


def test_a_connection_is_used_again_and_a_closed_one_is_noticed(closing: list[Any]) -> None:
    last = http(reply({}, 3), "200 OK", "application/json", "connection: close")
    client, server = remote(closing, http(reply({})), http(reply({}, 2)), last, http(reply({}, 4)))
    for _ in range(4):
        assert client.request("ping") == {}
    assert server.connections == 2


def test_errors_of_operations_are_the_ones_of_here(closing: list[Any]) -> None:
    body = {"error": "not_found", "message": "there is\x1b[31m no page", "suggestion": "run: gbrain list", "detail": 5}
    client, _ = remote(closing, http(tool(body, error=True)))
    with pytest.raises(NotFound) as raised:
        client.call("get_page", {"slug": "x"})
    assert raised.value.envelope() == {**body, "message": "there is [31m no page"}
    assert raised.value.exit_code == 3


def test_an_error_of_a_later_version_keeps_its_code(closing: list[Any]) -> None:
    client, _ = remote(closing, http(tool({"error": "too_warm", "message": "m"}, error=True)))
    with pytest.raises(BrainError) as raised:
        client.call("recall", {})
    assert (raised.value.code, raised.value.message, raised.value.exit_code) == ("too_warm", "m", 1)
    assert raised.value.suggestion


JSON, PLAIN = "application/json", "text/plain"
ODD = [
    ("no_json", http(b"<html>", kind=PLAIN), Unavailable, "does not serve a brain"),
    ("a_list", http([]), Unavailable, "does not serve a brain"),
    ("another_id", http(reply({}, 99)), Unavailable, "does not serve a brain"),
    ("no_result", http({"jsonrpc": "2.0", "id": 1}), Unavailable, "does not serve a brain"),
    ("no_content", http(reply({})), Unavailable, "not one of gbrain's"),
    ("prose", http(reply({"content": [{"type": "text", "text": "hello"}]})), Unavailable, "not one of gbrain's"),
    (
        "redirect",
        http(b"", "307 Temporary Redirect", PLAIN, "location: http://evil.example/"),
        Unavailable,
        "elsewhere",
    ),
    ("not_there", http(b"", "404 Not Found", PLAIN), Unavailable, "status 404"),
    ("wrong", http({"error": "invalid_token"}, "401 Unauthorized"), InvalidToken, "does not accept the token"),
    (
        "busy",
        http({"error": {"code": -32000, "message": "busy", "data": {"suggestion": "later"}}}, "503 Busy"),
        Unavailable,
        "refused: busy",
    ),
    ("too_large", http({"error": {"code": 1, "message": "too large"}}, "413 Large"), InvalidParams, "too large"),
    ("rpc", http({"id": 1, "error": {"code": -32603, "message": "internal error"}}), Internal, "internal error"),
    ("params", http({"id": 1, "error": {"code": -32602, "message": "odd"}}), InvalidParams, "odd"),
    ("silence", b"", Unavailable, "may have taken effect"),
    ("half", http(tool(1))[:-5] + b"connection: close", Unavailable, "does not serve|broke off"),
    ("no_http", b"220 smtp.example ESMTP\r\n\r\nconnection: close", Unavailable, "broke off"),
]


@pytest.mark.parametrize(("answer", "kind", "words"), [row[1:] for row in ODD], ids=[row[0] for row in ODD])
def test_every_odd_answer_is_a_typed_error(
    closing: list[Any], answer: bytes, kind: type[BrainError], words: str
) -> None:
    client, _ = remote(closing, answer)
    with pytest.raises(kind, match=words) as raised:
        client.call("recall", {})
    assert raised.value.suggestion
    assert TOKEN not in str(raised.value.envelope())
    assert "evil" not in str(raised.value.envelope())


def test_nobody_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(Unavailable, match="cannot be reached") as raised:
        Remote(f"http://127.0.0.1:{port}/mcp", None, RENEW).request("ping")
    assert raised.value.exit_code == 6


def test_a_server_that_says_nothing_is_not_waited_for(closing: list[Any]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        client = Remote(f"http://127.0.0.1:{mute.getsockname()[1]}/mcp", TOKEN, RENEW)
        closing.append(client)
        with pytest.raises(Unavailable, match="in time"):
            client.request("ping", seconds=0.2)


def test_a_missing_token_is_told_apart_from_a_wrong_one(closing: list[Any]) -> None:
    client, _ = remote(closing, http({"error": "invalid_token"}, "401 Unauthorized"), token=None)
    with pytest.raises(InvalidToken, match="wants a token") as raised:
        client.request("ping")
    assert RENEW in raised.value.suggestion
    assert raised.value.exit_code == 4


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate for 127.0.0.1, signed by itself."""
    folder = tmp_path_factory.mktemp("tls")
    asked = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=x"]
    asked += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(folder / "key"), "-out", str(folder / "cert")]
    command = ["openssl", "req", *asked]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl is not installed here")
    return folder


def test_a_certificate_has_to_be_trusted(
    closing: list[Any], certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert", certificate / "key")
    server = Scripted(http(reply({"served": True})), context=context)
    client = Remote(f"https://127.0.0.1:{server.port}/mcp", TOKEN, RENEW)
    closing += [server, client]
    with pytest.raises(Unavailable, match="not trusted") as raised:
        client.request("ping")
    assert "SSL_CERT_FILE" in raised.value.suggestion
    assert server.requests == []
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "cert"))
    again = Remote(f"https://127.0.0.1:{server.port}/mcp", TOKEN, RENEW)
    closing.append(again)
    assert again.request("ping") == {"served": True}


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("https://brain.example.com", "https://brain.example.com/mcp"),
        ("https://brain.example.com/", "https://brain.example.com/mcp"),
        ("https://brain.example.com/mcp", "https://brain.example.com/mcp"),
        (" http://127.0.0.1:3131/team/mcp/ \n", "http://127.0.0.1:3131/team/mcp"),
        ("http://[::1]:3131", "http://[::1]:3131/mcp"),
    ],
)
def test_the_url_of_a_server(given: str, url: str) -> None:
    assert checked_url(given) == url


@pytest.mark.parametrize(
    "given",
    [
        *("", "brain.example.com", "ftp://x", "postgresql://h/d", "https://", "https://x:99999", "https://x:y"),
        *("https://u:pw@x", "https://u@x", "https://x?token=pw", "https://x/#pw", "https://x y/", "https://ü.example"),
        "http://x\r\nhost: y",
    ],
)
def test_what_is_no_url_of_a_server(given: str) -> None:
    with pytest.raises(InvalidParams) as raised:
        checked_url(given)
    assert "pw" not in str(raised.value.envelope())


@pytest.mark.parametrize("given", ["", " \n", "two words", "a\r\nb", "ünicode", "x" * 513, "a\x00"])
def test_what_is_no_token(given: str) -> None:
    with pytest.raises(InvalidParams):
        checked_token(given)
    assert checked_token(f" {TOKEN}\n") == TOKEN
