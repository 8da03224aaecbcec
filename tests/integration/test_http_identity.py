"""Who is let in over HTTP, what each is shown, and what is counted of it."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from commandline import Gbrain
from gbrain.entry.http.server import GUESS_SECONDS, GUESSES
from http_server import JSON, HttpServer, make_open_brain
from stdio_server import ENVELOPE, PATIENCE, call, cases, environment, local_brain, make_brain, request


@pytest.fixture
def home(tmp_path: Path) -> Path:
    make_brain(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[HttpServer, dict[str, str]]]:
    """A server, and tokens of every kind by name."""
    home = tmp_path_factory.mktemp("identity")
    make_brain(home)
    tokens = {
        "writer": token_of(home, "writer"),
        "reader": token_of(home, "reader", "--scopes", "read"),
        "admin": token_of(home, "admin", "--scopes", "read,write,admin"),
        "verbs": token_of(home, "verbs", "--surface", "verbs"),
        "expired": token_of(home, "expired", "--expires", "1s"),
        "revoked": token_of(home, "revoked"),
    }
    Gbrain(home)("auth", "revoke", "revoked")
    other = tmp_path_factory.mktemp("other")
    make_brain(other)
    tokens["another brain's"] = token_of(other, "writer")
    with HttpServer(home, "--rate", "0", env={"GBRAIN_CLOCK": "+1h"}) as server:
        yield server, tokens


def token_of(home: Path, name: str, *options: str) -> str:
    return str(Gbrain(home)("auth", "create", name, *options, "--json").json["token"])


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def tools_of(server: HttpServer, token: str) -> list[str]:
    return [tool["name"] for tool in server.result("tools/list", **bearer(token))["tools"]]


@pytest.mark.parametrize(
    "header",
    cases(
        [
            ("none", None),
            ("empty", ""),
            ("no token", "Bearer "),
            ("another scheme", "Basic dXNlcjpwYXNz"),
            ("the token alone", "{writer}"),
            ("a wrong one", "Bearer gbrain_" + "0" * 64),
            ("half of one", "Bearer {half}"),
            ("one and more", "Bearer {writer}0"),
            ("two", "Bearer {writer} {writer}"),
            ("in capitals", "Bearer {upper}"),
            ("expired", "Bearer {expired}"),
            ("revoked", "Bearer {revoked}"),
            ("of another brain", "Bearer {other}"),
            ("a very long one", "Bearer " + "a" * 8000),
            ("what SQL would read", "Bearer ' or 1=1 --"),
            ("a pattern", "Bearer gbrain_%"),
            ("not ASCII", "Bearer gbrain_ééé"),
        ]
    ),
)
def test_no_identity_no_answer(shared: tuple[HttpServer, dict[str, str]], header: str | None) -> None:
    server, tokens = shared
    known = {
        **tokens,
        "half": tokens["writer"][:40],
        "upper": tokens["writer"].upper(),
        "other": tokens["another brain's"],
    }
    given = {} if header is None else {"authorization": header.format(**known)}
    answer = server.post(call(1, "recall"), given)
    assert answer.status == 401
    assert set(answer.json) == {"error", "error_description"}
    assert answer.json["error"] == "invalid_token"
    challenge = answer.headers["www-authenticate"]
    assert challenge.startswith('Bearer error="invalid_token", error_description="')
    metadata = f'resource_metadata="http://127.0.0.1:{server.port}/.well-known/oauth-protected-resource/mcp"'
    assert metadata in challenge
    # Whatever was wrong, nobody learns it from the answer.
    assert answer.body == server.post(call(1, "recall")).body


def test_the_metadata_that_the_challenge_names(shared: tuple[HttpServer, dict[str, str]]) -> None:
    server, _ = shared
    told = server.send("GET", "/.well-known/oauth-protected-resource/mcp").json
    assert told["resource"] == f"http://127.0.0.1:{server.port}/mcp"
    assert server.send("GET", "/.well-known/oauth-authorization-server").status == 200


def test_every_method_needs_an_identity(shared: tuple[HttpServer, dict[str, str]]) -> None:
    server, _ = shared
    for method in ("initialize", "ping", "tools/list", "tools/call", "server/discover", "no/such"):
        assert server.post(request(1, method, {"_meta": ENVELOPE})).status == 401
    assert server.post(b"no json").status == 401
    assert server.send("GET", "/health").status == 200


def test_a_token_lets_in(shared: tuple[HttpServer, dict[str, str]]) -> None:
    server, tokens = shared
    for scheme in ("Bearer", "bearer"):
        answer = server.post(call(1, "whoami"), {"authorization": f"{scheme} {tokens['writer']}"})
        assert answer.status == 200


def test_each_is_shown_what_it_may_call(shared: tuple[HttpServer, dict[str, str]]) -> None:
    server, tokens = shared
    reader, writer, admin = (tools_of(server, tokens[name]) for name in ("reader", "writer", "admin"))
    assert set(reader) < set(writer) < set(admin)
    assert {"recall", "entity"} <= set(reader)
    assert "remember" in set(writer) - set(reader)
    assert "get_stats" in set(admin) - set(writer)
    assert not [name for name in admin if name.startswith("auth_")]
    verbs = tools_of(server, tokens["verbs"])
    assert len(verbs) == 7


def test_what_is_not_shown_cannot_be_called(shared: tuple[HttpServer, dict[str, str]]) -> None:
    server, tokens = shared
    answer = server.post(call(1, "remember", {"fact": "x", "provenance": "y"}), bearer(tokens["reader"]))
    assert answer.status == 200
    refused = answer.json["result"]
    assert refused["isError"] is True
    envelope = json.loads(refused["content"][0]["text"])
    assert envelope["error"] == "scope_denied"
    assert envelope["detail"] == {"your_scopes": ["read"]}
    assert envelope["suggestion"]
    assert envelope["protocol_version"] == 1
    for name in ("get_page", "auth_list"):
        hidden = server.tool(name, {"slug": "x"}, **bearer(tokens["verbs"]))
        assert json.loads(hidden["content"][0]["text"])["error"] == "unknown_tool"


def test_the_server_only_narrows(home: Path) -> None:
    token = token_of(home, "writer")
    with HttpServer(home, "--surface", "verbs") as server:
        assert len(tools_of(server, token)) == 7


def test_a_change_of_the_surface_holds_from_the_next_call_on(home: Path) -> None:
    token = token_of(home, "writer")
    with HttpServer(home) as server:
        assert len(tools_of(server, token)) > 20
        Gbrain(home)("config", "set", "mcp_surface", "verbs")
        assert len(tools_of(server, token)) == 7


def test_a_revoked_token_ends_at_once(home: Path) -> None:
    token = token_of(home, "writer")
    with HttpServer(home) as server:
        assert server.post(request(1, "ping"), bearer(token)).status == 200
        Gbrain(home)("auth", "revoke", "writer")
        assert server.post(request(1, "ping"), bearer(token)).status == 401


def test_a_token_is_checked_where_none_is_needed(tmp_path: Path) -> None:
    """A client that brings a token for another brain must not write here."""
    make_open_brain(tmp_path)
    with HttpServer(tmp_path) as server:
        assert server.post(request(1, "ping")).status == 200
        assert server.post(request(1, "ping"), bearer("gbrain_" + "0" * 64)).status == 401


@pytest.mark.parametrize("header", ["x-forwarded-for", "forwarded", "x-real-ip"])
def test_who_comes_through_a_proxy_is_not_of_this_machine(tmp_path: Path, header: str) -> None:
    make_open_brain(tmp_path)
    with HttpServer(tmp_path) as server:
        assert server.post(request(1, "ping"), {header: "127.0.0.1"}).status == 401


def test_without_a_token_admin_is_out_of_reach(tmp_path: Path) -> None:
    make_open_brain(tmp_path)
    with HttpServer(tmp_path) as server:
        names = [tool["name"] for tool in server.result("tools/list")["tools"]]
        assert "remember" in names
        assert "get_stats" not in names


def test_other_machines_may_come_once_there_is_an_identity(home: Path) -> None:
    token = token_of(home, "writer")
    with local_brain(home) as brain:
        brain.store.config.set("auth.required", "off")
    with HttpServer(home, "--host", "0.0.0.0") as server:
        assert server.post(request(1, "ping")).status == 401, "this is for loopback servers"
        assert server.post(request(1, "ping"), bearer(token)).status == 200
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as connection:
            connection.sendall(b"GET /health HTTP/1.1\r\nhost: 192.168.7.5:3131\r\n\r\n")
            assert b" 200 " in connection.recv(65536)


def test_a_public_url(home: Path) -> None:
    token = token_of(home, "writer")
    with HttpServer(home, "--public-url", "https://brain.example.com") as server:
        named = {"host": "brain.example.com"}
        refused = server.post(request(1, "ping"), named)
        assert 'resource_metadata="https://brain.example.com/.well-known' in refused.headers["www-authenticate"]
        assert server.post(request(1, "ping"), {**named, **bearer(token)}).status == 200


def test_a_store_in_trouble_is_no_refusal_of_the_token(home: Path) -> None:
    token = token_of(home, "writer")
    with HttpServer(home) as server:
        assert server.post(request(1, "ping"), bearer(token)).status == 200
        os.replace(home / ".gbrain" / "brain.db", home / "elsewhere.db")
        answer = server.post(call(1, "recall"), bearer(token))
        assert answer.status in (200, 503)
        assert "Traceback" not in answer.body.decode()


def test_calls_are_counted_by_client(home: Path) -> None:
    token, other = token_of(home, "writer"), token_of(home, "other")
    with HttpServer(home, env={"GBRAIN_CLOCK": "2031-05-04T22:10:00Z"}) as server:
        for _ in range(3):
            server.tool("recall", {}, **bearer(token))
        server.tool("recall", {"limit": "x"}, **bearer(token))
        server.tool("no_such_tool", {}, **bearer(token))
        server.tool("remember", {"fact": "keeps bees", "provenance": "chat"}, **bearer(other))
        server.result("tools/list", **bearer(token))
        assert server.stop() == 143
    with local_brain(home) as brain:
        ids = {client.name: client.id for client in brain.store.clients.all()}
        found = [tuple(row) for row in brain.store.usage.since("2031-01-01")]
    assert sorted(found) == sorted(
        [("2031-05-04", ids["writer"], "recall", 3, 1), ("2031-05-04", ids["other"], "remember", 1, 0)]
    )


def test_callers_without_an_identity_are_not_counted(tmp_path: Path) -> None:
    make_open_brain(tmp_path)
    with HttpServer(tmp_path) as server:
        server.tool("recall", {})
        assert server.stop() == 143
    with local_brain(tmp_path) as brain:
        assert brain.store.usage.since("2000-01-01") == []


def test_counts_are_written_while_the_server_runs(home: Path) -> None:
    token = token_of(home, "writer")
    with HttpServer(home, "--rate", "0") as server, local_brain(home) as brain:
        server.tool("recall", {}, **bearer(token))
        for _ in range(2000):
            server.result("ping", **bearer(token))
            if brain.store.usage.since("2000-01-01"):
                break
        assert [row.ok for row in brain.store.usage.since("2000-01-01")] == [1]


def test_tokens_reach_no_log(home: Path) -> None:
    token = token_of(home, "writer")
    with HttpServer(home) as server:
        server.tool("recall", {}, **bearer(token))
        server.post(call(1, "recall"), bearer(token[:-1]))
        server.stop()
        lines = [line for line in server.access() if line["event"] == "request"]
    assert token[:-1] not in server.log.read_text() + server.errors.read_text()
    with local_brain(home) as brain:
        (client,) = brain.store.clients.all()
    assert [line.get("client") for line in lines] == [client.id, None]


def test_it_says_when_tokens_travel_in_the_clear(home: Path) -> None:
    token_of(home, "writer")
    process = subprocess.Popen(
        [sys.executable, "-m", "gbrain", "serve", "--http", "--port", "0", "--host", "0.0.0.0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(home),
        text=True,
    )
    assert process.stdout is not None
    with process.stdout as lines:
        assert "MCP on http://0.0.0.0:" in lines.readline()
        assert "unencrypted" in lines.readline()
    process.terminate()
    assert process.wait(PATIENCE) == 143


def test_headers_of_the_answer_name_no_client(shared: tuple[HttpServer, dict[str, str]]) -> None:
    server, tokens = shared
    answer = server.post(request(1, "ping"), {**JSON, **bearer(tokens["writer"])})
    assert set(answer.headers) == {
        *("date", "content-type", "content-length", "cache-control", "x-content-type-options", "x-request-id")
    }


def test_guesses_are_few_and_shut_nobody_out(home: Path) -> None:
    """Whoever tries tokens is soon not answered any more, while those who share its address are."""
    token, other = token_of(home, "writer"), token_of(home, "other")
    with HttpServer(home, "--rate", "0") as server:
        assert tools_of(server, token)
        answers = [server.post(call(1, "recall"), bearer(f"gbrain_{number:064x}")) for number in range(GUESSES + 20)]
        assert [answer.status for answer in answers[:GUESSES]] == [401] * GUESSES
        assert {answer.status for answer in answers[GUESSES:]} <= {401, 429}
        assert answers[-1].status == 429
        assert 0 < int(answers[-1].headers["retry-after"]) <= GUESS_SECONDS
        assert "wrong tokens" in answers[-1].error["message"]
        # Nor is a right one, unless it was seen before: else a guess that is right would still be told.
        assert server.post(call(1, "recall"), bearer(other)).status == 429
        assert tools_of(server, token)
        # To ask without any token is no guess: that is how a program learns where to get one.
        assert {server.post(call(1, "recall")).status for _ in range(GUESSES + 5)} == {401}
        assert server.send("GET", "/health").status == 200
