"""The wire of `gbrain serve`: what is no request, what is no message, and that stdout has nothing else."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from stdio_server import ENVELOPE, Message, Server, call, cases, make_brain, request

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
LIMIT = 8 * 1024 * 1024


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("wire")
    make_brain(home)
    return home


@pytest.fixture(scope="module")
def shared(home: Path) -> Iterator[Server]:
    """One server for every bad line: each test also shows that it survived the ones before."""
    with Server(home, "--surface", "full") as server:
        yield server


def enveloped(**changes: object) -> Message:
    meta = {**ENVELOPE, **{f"io.modelcontextprotocol/{key}": value for key, value in changes.items()}}
    return {"_meta": {key: value for key, value in meta.items() if value != "left out"}}


MALFORMED: list[tuple[str, bytes, int, object]] = [
    ("not JSON", b"hello", PARSE_ERROR, None),
    ("torn", b'{"jsonrpc": "2.0", "id": 1, "method": "pi', PARSE_ERROR, None),
    ("two messages on a line", b'{"jsonrpc":"2.0","id":1,"method":"ping"} {}', PARSE_ERROR, None),
    ("not UTF-8", b'{"jsonrpc": "2.0", "id": 1, "method": "\xff\xfe"}', PARSE_ERROR, None),
    ("NaN", b'{"jsonrpc": "2.0", "id": NaN, "method": "ping"}', PARSE_ERROR, None),
    ("nested too deep", b"[" * 200_000, PARSE_ERROR, None),
    ("nested too deep within params", b'{"params":' * 50_000, PARSE_ERROR, None),
    ("a number of 5,000 digits", b'{"jsonrpc": "2.0", "id": ' + b"9" * 5000 + b"}", PARSE_ERROR, None),
    ("batch", b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', INVALID_REQUEST, None),
    ("empty batch", b"[]", INVALID_REQUEST, None),
    ("scalar", b"7", INVALID_REQUEST, None),
    ("null", b"null", INVALID_REQUEST, None),
    ("empty object", b"{}", INVALID_REQUEST, None),
    ("no version", b'{"id": 3, "method": "ping"}', INVALID_REQUEST, 3),
    ("other version", b'{"jsonrpc": "1.0", "id": "x", "method": "ping"}', INVALID_REQUEST, "x"),
    ("no method", b'{"jsonrpc": "2.0", "id": 4}', INVALID_REQUEST, 4),
    ("method of a wrong type", b'{"jsonrpc": "2.0", "id": 5, "method": 1}', INVALID_REQUEST, 5),
    ("null id", b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', INVALID_REQUEST, None),
    ("boolean id", b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', INVALID_REQUEST, None),
    ("id of a wrong type", b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', INVALID_REQUEST, None),
]


@pytest.mark.parametrize(("line", "code", "id"), cases(MALFORMED))
def test_malformed_line(shared: Server, line: bytes, code: int, id: object) -> None:
    shared.write(line + b"\n")
    reply = shared.receive()
    assert (reply["error"]["code"], reply["id"]) == (code, id)
    assert reply["error"]["message"]
    assert shared.result("ping") == {}


REFUSED: list[tuple[str, str, object, int]] = [
    ("unknown method", "tools/frobnicate", {}, METHOD_NOT_FOUND),
    ("a method with a lone surrogate", "tools/\ud800", {}, METHOD_NOT_FOUND),
    ("resources", "resources/list", {}, METHOD_NOT_FOUND),
    ("prompts", "prompts/list", {}, METHOD_NOT_FOUND),
    ("completion", "completion/complete", {}, METHOD_NOT_FOUND),
    ("log level", "logging/setLevel", {"level": "debug"}, METHOD_NOT_FOUND),
    ("params as a list", "tools/list", ["x"], INVALID_PARAMS),
    ("params as text", "ping", "x", INVALID_PARAMS),
    ("a version of a wrong type", "initialize", {"protocolVersion": 20250618}, INVALID_PARAMS),
    ("a call without a name", "tools/call", {"arguments": {}}, INVALID_PARAMS),
    ("a name of a wrong type", "tools/call", {"name": 7}, INVALID_PARAMS),
    ("null arguments", "tools/call", {"name": "recall", "arguments": None}, INVALID_PARAMS),
    ("arguments as a list", "tools/call", {"name": "recall", "arguments": []}, INVALID_PARAMS),
    ("discovery without an envelope", "server/discover", {}, INVALID_PARAMS),
    ("a subscription without an envelope", "subscriptions/listen", {"notifications": {}}, INVALID_PARAMS),
    ("a subscription to nothing", "subscriptions/listen", enveloped(), INVALID_PARAMS),
    (
        "an envelope without capabilities",
        "tools/list",
        enveloped(clientCapabilities="left out"),
        INVALID_PARAMS,
    ),
    ("capabilities of a wrong type", "tools/list", enveloped(clientCapabilities=[]), INVALID_PARAMS),
    ("an envelope's version of a wrong type", "tools/list", enveloped(protocolVersion=1), INVALID_PARAMS),
    ("a later version", "server/discover", enveloped(protocolVersion="2099-01-01"), -32022),
    ("a handshake version in an envelope", "tools/list", enveloped(protocolVersion="2025-11-25"), -32022),
    ("ping, which the stateless era dropped", "ping", enveloped(), METHOD_NOT_FOUND),
    ("log level in the stateless era", "logging/setLevel", enveloped(), METHOD_NOT_FOUND),
]


@pytest.mark.parametrize(("method", "params", "code"), cases(REFUSED))
def test_refused_request(shared: Server, method: str, params: object, code: int) -> None:
    shared.send({"jsonrpc": "2.0", "id": "asked", "method": method, "params": params})
    reply = shared.receive()
    assert (reply["error"]["code"], reply["id"]) == (code, "asked")
    assert shared.result("ping") == {}


def test_an_unserved_version_names_the_served_ones(shared: Server) -> None:
    error = shared.ask("server/discover", enveloped(protocolVersion="2099-01-01"))["error"]
    assert error["data"]["requested"] == "2099-01-01"
    assert error["data"]["supported"][0] == "2026-07-28"
    assert "2025-11-25" in error["data"]["supported"]


def test_notifications_blank_lines_and_stray_replies_are_never_answered(shared: Server) -> None:
    shared.write(b"\n   \n\r\n\t\n")
    shared.send(
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 999}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["x"]},
        {"jsonrpc": "2.0", "method": "notifications/whatever"},
        {"jsonrpc": "2.0", "method": "tools/call"},
        {"jsonrpc": "2.0", "id": 12, "result": {}},
        {"jsonrpc": "2.0", "id": 13, "error": {"code": 1, "message": "no"}},
    )
    assert shared.result("ping") == {}


def test_requests_in_one_write_are_answered_in_order(shared: Server) -> None:
    ids = ["a", 1, "1", 0, -5, 2**60, ""]
    shared.send(*(request(id, "ping") for id in ids))
    assert [shared.receive() for _ in ids] == [{"jsonrpc": "2.0", "id": id, "result": {}} for id in ids]


def test_absent_and_null_params_count_as_none(shared: Server) -> None:
    shared.send({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": None})
    assert shared.receive()["result"]["tools"]


def test_a_line_over_the_limit_is_refused_and_the_next_one_is_read(home: Path) -> None:
    with Server(home) as server:
        head = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"remember","arguments":{"fact":"'
        server.write(head + b"x" * LIMIT + b'"}}}\n')
        server.send(request(2, "ping"))
        refused, answered = server.receive(), server.receive()
        assert (refused["id"], refused["error"]["code"]) == (None, INVALID_REQUEST)
        assert (answered["id"], answered["result"]) == (2, {})


def test_a_line_just_under_the_limit_is_read(home: Path) -> None:
    with Server(home) as server:
        ping = json.dumps(request(1, "ping")).encode()
        server.write(ping + b" " * (LIMIT - len(ping) - 1) + b"\n")
        server.write(ping + b" " * (LIMIT - len(ping)) + b"\n")
        assert server.receive()["result"] == {}
        assert server.receive()["error"]["code"] == INVALID_REQUEST


def test_a_last_line_without_its_newline_is_answered(home: Path) -> None:
    with Server(home) as server:
        server.write(json.dumps(request(1, "ping")).encode())
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.receive()["result"] == {}
        assert server.line() is None
        assert server.process.wait(3) == 0


def test_text_of_every_script_survives_both_ways(home: Path) -> None:
    text = '灯塔项目 김예시 naïve \u2028 \U0001f511 "quoted" \\ and\ta tab'
    with Server(home, "--surface", "verbs") as server:
        server.write(json.dumps(call(1, "recall", {"query": text}), ensure_ascii=False).encode() + b"\n")
        reply = server.receive()
        assert reply["id"] == 1
        assert "error" not in reply
        server.send(call(text, "recall", {"no_such_parameter 灯": text}))
        reply = server.receive()
        assert reply["id"] == text
        assert "灯" in reply["result"]["content"][1]["text"]


def test_nothing_but_messages_reaches_stdout(home: Path) -> None:
    """A print in the interpreter's start-up file stands for any library that writes to stdout unasked."""
    (home / "site").mkdir()
    (home / "site" / "sitecustomize.py").write_text(
        "import threading, os\n"
        "clients = os.fstat(1)\n"
        "def late():\n"
        "    while os.path.samestat(clients, os.fstat(1)):\n"
        "        threading.Event().wait(0.05)\n"
        "    print('STRAY print', flush=True)\n"
        "    os.write(1, b'STRAY write\\n')\n"
        "    os.system('cat; echo STRAY child')\n"
        "threading.Thread(target=late, daemon=True).start()\n"
    )
    path = os.pathsep.join([str(home / "site"), os.environ.get("PYTHONPATH", "")])
    with Server(home, env={"PYTHONPATH": path}) as server:
        lines = []
        for id in range(20):
            server.send(call(id, "recall", {"query": "lantern"}), request(f"ping {id}", "ping"))
            lines += [server.receive()["id"], server.receive()["id"]]
        assert server.is_silent(1.5)
        assert "STRAY child" in server.started, "a child reads the client's messages"
        assert server.result("ping") == {}
        assert server.finish() == 0
        assert server.line() is None
    assert lines == [id for number in range(20) for id in (number, f"ping {number}")]
    assert [word for word in ("print", "write", "child") if f"STRAY {word}" not in server.started] == []


def test_stderr_carries_one_line_that_names_the_surface(home: Path) -> None:
    with Server(home, "--surface", "starter") as server:
        server.result("initialize", {})
        server.tool("recall", {"query": "lantern"})
        assert server.finish() == 0
    assert len(server.started.splitlines()) == 1
    assert "starter" in server.started
