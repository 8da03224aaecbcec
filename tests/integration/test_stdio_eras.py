"""Both protocol eras: the official SDK's client in each, and the fields each era asks of every result."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from stdio_server import (
    COMMAND,
    ENVELOPE,
    HANDSHAKE,
    VERSION,
    Message,
    Server,
    call,
    cases,
    environment,
    make_brain,
    request,
)

SERVER_KEY = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"
LISTEN = {"_meta": ENVELOPE, "notifications": {"toolsListChanged": True, "resourceSubscriptions": ["x://y"]}}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("eras")
    make_brain(home)
    return home


@pytest.fixture(scope="module")
def shared(home: Path) -> Iterator[Server]:
    with Server(home, "--surface", "verbs") as server:
        yield server


def with_client(home: Path, mode: Any, work: Callable[[Client], Awaitable[None]]) -> None:
    async def run() -> None:
        command = StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:]], env=environment(home))
        async with Client(command, mode=mode) as client:
            await work(client)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("mode", "version"), [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")]
)
def test_the_official_client(home: Path, mode: str, version: str) -> None:
    """It validates every structured result against the schema its tool promised."""

    async def work(client: Client) -> None:
        assert client.protocol_version == version
        tools = (await client.list_tools()).tools
        assert {"remember", "recall", "entity", "forget"} <= {tool.name for tool in tools}
        claim = {"fact": f"the lantern is green in {mode}", "provenance": "drill"}
        saved = await client.call_tool("remember", claim)
        assert not saved.is_error
        assert saved.structured_content is not None
        found = await client.call_tool("recall", {"query": "lantern"})
        assert found.structured_content is not None
        assert claim["fact"] in [fact["fact"] for fact in found.structured_content["facts"]]
        assert not (await client.call_tool("remember", {**claim, "dry_run": True})).is_error
        assert not (await client.call_tool("remember", {**claim, "entitty": "x"})).is_error
        assert not (await client.call_tool("forget", {"id": saved.structured_content["id"]})).is_error
        assert not (await client.call_tool("list_pages", {})).is_error
        assert (await client.call_tool("remember", {"fact": "no origin"})).is_error
        assert (await client.call_tool("frobnicate", {})).is_error
        with pytest.raises(MCPError):
            await client.list_resources()
        if mode == VERSION:
            # A client that settles on a version beforehand asks for nothing but tools.
            return
        assert client.instructions is not None
        assert "long-term memory" in client.instructions

    with_client(home, mode, work)


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("", "2025-11-25"),
        (None, "2025-11-25"),
    ],
)
def test_a_handshake_is_answered_with_a_version_of_its_era(shared: Server, asked: str | None, answered: str) -> None:
    params = {key: value for key, value in HANDSHAKE.items() if key != "protocolVersion"}
    result = shared.result("initialize", params if asked is None else {**params, "protocolVersion": asked})
    assert result["protocolVersion"] == answered
    assert result["capabilities"] == {"tools": {}}
    assert result["serverInfo"]["name"] == "gbrain"
    assert "resultType" not in result


def test_a_handshake_in_an_envelope_is_still_a_handshake(shared: Server) -> None:
    result = shared.result("initialize", {**HANDSHAKE, "_meta": ENVELOPE})
    assert result["protocolVersion"] == "2025-06-18"


def test_tools_are_listed_before_any_handshake(home: Path) -> None:
    with Server(home, "--surface", "verbs") as server:
        assert len(server.result("tools/list")["tools"]) == 7


def test_results_of_the_handshake_era_carry_nothing_of_the_other(shared: Server) -> None:
    for result in (shared.result("tools/list"), shared.tool("recall"), shared.tool("entity", {"name": ""})):
        assert not {"resultType", "ttlMs", "cacheScope"} & result.keys()
        assert SERVER_KEY not in result.get("_meta", {})


def test_results_of_the_stateless_era_say_what_they_are(shared: Server) -> None:
    discovered = shared.result("server/discover", {"_meta": ENVELOPE})
    tools = shared.result("tools/list", {"_meta": ENVELOPE})
    done = shared.tool("recall", **ENVELOPE)
    refused = shared.tool("entity", {"name": ""}, **ENVELOPE)
    for result in (discovered, tools, done, refused):
        assert result["resultType"] == "complete"
        assert result["_meta"][SERVER_KEY]["name"] == "gbrain"
        assert result["_meta"][SERVER_KEY]["version"]
    for result in (discovered, tools):
        assert result["ttlMs"] >= 0
        assert result["cacheScope"] == "private"
    assert discovered["supportedVersions"] == ["2026-07-28"]
    assert discovered["capabilities"] == {"tools": {}}
    assert refused["isError"] is True


def test_both_eras_list_the_same_tools_in_the_same_order(shared: Server) -> None:
    assert shared.result("tools/list")["tools"] == shared.result("tools/list", {"_meta": ENVELOPE})["tools"]


def test_an_envelope_needs_no_client_info(shared: Server) -> None:
    bare = {key: value for key, value in ENVELOPE.items() if not key.endswith("clientInfo")}
    assert shared.tool("recall", **bare)["isError"] is False


def test_a_subscription_is_acknowledged_first_and_closed_at_the_end(home: Path) -> None:
    with Server(home) as server:
        server.send(request("mine", "subscriptions/listen", LISTEN), request(2, "subscriptions/listen", LISTEN))
        for id in ("mine", 2):
            told = server.receive()
            assert told["method"] == "notifications/subscriptions/acknowledged"
            assert told["params"] == {"_meta": {SUBSCRIPTION_KEY: id}, "notifications": {}}
        assert server.result("tools/list", {"_meta": ENVELOPE})["tools"]
        server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "mine"}})
        assert server.process.stdin is not None
        server.process.stdin.close()
        closed = server.receive()
        assert closed["id"] == 2
        assert closed["result"]["resultType"] == "complete"
        assert closed["result"]["_meta"][SUBSCRIPTION_KEY] == 2
        assert server.line() is None
        assert server.process.wait(3) == 0


def test_eras_may_mix_in_one_process(home: Path) -> None:
    with Server(home, "--surface", "verbs") as server:
        server.send(
            request(1, "server/discover", {"_meta": ENVELOPE}),
            request(2, "initialize", HANDSHAKE),
            call(3, "recall"),
            call(4, "recall", None, **ENVELOPE),
        )
        replies = [server.receive() for _ in range(4)]
        assert [reply["id"] for reply in replies] == [1, 2, 3, 4]
        assert ["resultType" in reply["result"] for reply in replies] == [True, False, False, True]


# Which session a claim was made in, as real clients tell it
SESSIONS: list[tuple[str, Message, dict[str, str], str | None]] = [
    ("plainly", {"session_id": "s-plain"}, {}, "s-plain"),
    (
        "codex",
        {"threadId": "t-9", "sessionId": "s-9", "x-codex-turn-metadata": {"session_id": "s-8"}},
        {},
        "s-9",
    ),
    ("codex turn", {"x-codex-turn-metadata": {"session_id": "s-8", "thread_id": "t-8"}}, {}, "s-8"),
    ("claude", {"claudecode/toolUseId": "toolu_1"}, {"CLAUDE_CODE_SESSION_ID": "s-claude"}, "s-claude"),
    ("both", {"session_id": "s-plain"}, {"CLAUDE_CODE_SESSION_ID": "s-claude"}, "s-plain"),
    ("too long", {"session_id": "s" * 1000}, {}, "s" * 256),
    ("wrong type", {"session_id": 7, "thread_id": ["x"]}, {}, None),
    ("blank", {"session_id": "  "}, {}, None),
    ("not at all", {}, {}, None),
]


@pytest.mark.parametrize(("meta", "env", "session"), cases(SESSIONS))
def test_the_session_of_a_claim(tmp_path: Path, meta: Message, env: dict[str, str], session: str | None) -> None:
    make_brain(tmp_path)
    with Server(tmp_path, "--surface", "verbs", env=env) as server:
        server.value("remember", {"fact": "prefers tea", "provenance": "kitchen"}, **meta)
        (fact,) = server.value("recall", {}, **meta)["facts"]
    assert fact["source_session"] == session


def test_a_session_named_among_the_arguments(tmp_path: Path) -> None:
    make_brain(tmp_path)
    with Server(tmp_path, "--surface", "verbs") as server:
        server.value("remember", {"fact": "prefers tea", "provenance": "kitchen", "_meta": {"session_id": "s-in"}})
        (fact,) = server.value("recall")["facts"]
    assert fact["source_session"] == "s-in"


def test_private_facts_stay_with_the_owner_in_both_eras(tmp_path: Path) -> None:
    """Whatever a client calls itself."""
    make_brain(tmp_path)
    secret = {"fact": "keeps MARKER-7731 at home", "provenance": "Dana", "visibility": "private"}
    reads: list[tuple[str, Message]] = [("recall", {"query": "home"}), ("recall", {}), ("delta", {"since": "1d"})]
    for name in ("local", "claude-code"):
        info = {"name": name, "version": "1"}
        envelope = {**ENVELOPE, "io.modelcontextprotocol/clientInfo": info}
        with Server(tmp_path) as server:
            server.result("initialize", {**HANDSHAKE, "clientInfo": info})
            server.value("remember", secret)
            shown = [json.dumps(server.tool(*read, **meta)) for meta in ({}, envelope) for read in reads]
            assert [text for text in shown if "MARKER-7731" in text] == []
