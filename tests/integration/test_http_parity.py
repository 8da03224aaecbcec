"""The same tools and the same bytes over HTTP as over stdio, in both eras, for whoever may do the same."""

import asyncio
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client

from commandline import Gbrain
from gbrain import catalogue
from gbrain.types import SURFACES
from http_server import JSON, HttpServer, make_open_brain
from stdio_server import ENVELOPE, HANDSHAKE, VERSION, Message, Server, make_brain, request

NOW = {"GBRAIN_CLOCK": "2031-05-04T22:10:00Z"}
MEASURED = re.compile(rb'("latency_ms\\?": ?)[0-9.]+')
DANA = "---\ntype: person\ntitle: Dana Oakes\naliases: [dana]\ntags: [friend]\n---\nDana leads the 航道 survey.\n"
# What a caller is told of itself is what differs between the two.
OWN = ("whoami",)
CALLS: list[tuple[str, Message]] = [
    ("put_page", {"slug": "companies/harbour", "content": "---\ntype: company\n---\nHarbour.\n"}),
    ("put_page", {"slug": "people/dana-oakes", "content": DANA}),
    ("put_page", {"slug": "people/dana-oakes", "content": DANA + "More.\n", "expected_version": 1}),
    ("put_page", {"slug": "people/dana-oakes", "content": "x", "expected_version": 1}),
    ("remember", {"fact": "prefers tea 🍵 <&> \u2028", "provenance": "chat", "entity": "dana", "kind": "preference"}),
    ("remember", {"fact": "prefers tea 🍵 <&> \u2028", "provenance": "chat", "entity": "dana"}),
    ("remember", {"fact": "pays 0.1 + 1e-7 of 1e22", "provenance": "chat", "ttl": "30d"}),
    ("remember", {"fact": "x", "provenance": " "}),
    ("remember", {"fact": "x", "provenance": "chat", "entitty": "dana"}),
    ("remember", {"fact": "x", "provenance": "chat", "dry_run": True}),
    ("remember", {}),
    ("entity", {"name": "dana"}),
    ("entity", {"name": "Dana Oaks"}),
    ("recall", {"entity": "dana"}),
    ("recall", {"query": "航道", "budget_tokens": 50}),
    ("recall", {"limit": "ten"}),
    ("context_pack", {"entities": "dana", "budget_tokens": 100}),
    ("delta", {"since": "2031-05-01"}),
    ("delta", {"session_id": "a"}),
    ("synthesize", {"question": "who leads?"}),
    ("forget", {"id": "1", "reason": "gone"}),
    ("forget", {"id": "999"}),
    ("search", {"query": "survey"}),
    ("get_page", {"slug": "people/dana-oakes"}),
    ("get_page", {"slug": "people/nobody"}),
    ("list_pages", {}),
    ("add_link", {"from": "people/dana-oakes", "to": "companies/harbour", "link_type": "works_at"}),
    ("get_links", {"slug": "people/dana-oakes"}),
    ("traverse_graph", {"slug": "people/dana-oakes"}),
    ("add_timeline_entry", {"slug": "people/dana-oakes", "date": "2031-05-01", "summary": "Met"}),
    ("get_timeline", {"slug": "people/dana-oakes"}),
    ("add_tag", {"slug": "people/dana-oakes", "tag": "vip"}),
    ("get_stats", {}),
    ("recal", {}),
    ("auth_list", {}),
    ("recall", {"source_id": "__all__"}),
    ("recall", {"source_id": "nowhere"}),
]


Pair = tuple[Server, HttpServer, str]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """An empty brain, and a token that may do what stdio may."""
    home = tmp_path_factory.mktemp("made")
    make_brain(home)
    created = Gbrain(home)("auth", "create", "twin", "--scopes", "read,write,admin", "--all-sources", "--json")
    return home, str(created.json["token"])


@contextmanager
def twins(made: tuple[Path, str], folder: Path) -> Iterator[Pair]:
    """The same brain twice, one behind each kind of server, and the token."""
    home, token = made
    for name in ("stdio", "http"):
        shutil.copytree(home, folder / name, ignore=shutil.ignore_patterns("run"))
    with (
        Server(folder / "stdio", "--surface", "full", env=NOW) as stdio,
        HttpServer(folder / "http", "--rate", "0", env=NOW) as http,
    ):
        yield stdio, http, token


@pytest.fixture
def pair(made: tuple[Path, str], tmp_path: Path) -> Iterator[Pair]:
    with twins(made, tmp_path) as pair:
        yield pair


@pytest.fixture(scope="module")
def standing(made: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """For calls that change nothing."""
    with twins(made, tmp_path_factory.mktemp("standing")) as pair:
        yield pair


def both(pair: Pair, message: Message, **headers: str) -> tuple[bytes, bytes]:
    """What each answers to one message, without what was measured."""
    stdio, http, token = pair
    stdio.send(message)
    line = stdio.line()
    assert line is not None
    answer = http.send(
        "POST", "/mcp", json.dumps(message).encode(), {**JSON, "authorization": f"Bearer {token}", **headers}
    )
    return MEASURED.sub(rb"\g<1>0", line), MEASURED.sub(rb"\g<1>0", answer.body)


def routing(params: Message, method: str) -> dict[str, str]:
    named = {"mcp-name": params["name"]} if "name" in params else {}
    return {"mcp-protocol-version": VERSION, "mcp-method": method, **named}


@pytest.mark.parametrize("stateless", [False, True], ids=["handshake", "stateless"])
def test_every_result_is_the_same(pair: Pair, stateless: bool) -> None:
    for number, (name, arguments) in enumerate(CALLS):
        params: Message = {"name": name, "arguments": arguments}
        if stateless:
            params["_meta"] = {**ENVELOPE, "io.modelcontextprotocol/clientInfo": {"name": "local", "version": "1"}}
        message = request(number, "tools/call", params)
        over_stdio, over_http = both(pair, message, **(routing(params, "tools/call") if stateless else {}))
        assert _without_author(over_http) == _without_author(over_stdio), name
        assert json.loads(over_http)["id"] == number


def _without_author(line: bytes) -> bytes:
    """Who wrote a page is a token's client over HTTP, and over stdio whoever the client says it is."""
    return re.sub(rb'(modified_by\\?": ?\\?")[^"\\]+', rb"\1someone", line)


def anywhere(tools: list[Message]) -> list[Message]:
    """The tools that are not for this machine alone."""
    return [tool for tool in tools if not catalogue.OPERATIONS[tool["name"]].near]


@pytest.mark.parametrize("stateless", [False, True], ids=["handshake", "stateless"])
@pytest.mark.parametrize("method", ["tools/list", "server/discover", "initialize", "ping", "resources/list"])
def test_every_other_method_answers_the_same(standing: Pair, method: str, stateless: bool) -> None:
    if (method, stateless) in (("initialize", True), ("ping", True), ("server/discover", False)):
        return
    params: Message = dict(HANDSHAKE) if method == "initialize" else {}
    headers = routing({}, method) if stateless else {}
    message = request("a", method, {**params, **({"_meta": ENVELOPE} if stateless else {})})
    over_stdio, over_http = both(standing, message, **headers)
    expected = json.loads(over_stdio)
    if method == "tools/list":
        expected["result"]["tools"] = anywhere(expected["result"]["tools"])
        over_stdio = json.dumps(expected, ensure_ascii=False, separators=(",", ":")).encode()
    assert json.loads(over_http) == expected
    if "result" in expected:
        assert over_http.strip() == over_stdio.strip()


@pytest.mark.parametrize("surface", SURFACES)
def test_first_contact_lists_the_same_tools(made: tuple[Path, str], tmp_path: Path, surface: str) -> None:
    """The same tools on the same surface over both, each with a plain object as its schema."""
    home, token = made
    with Server(home, "--surface", surface) as stdio, HttpServer(home, "--surface", surface) as http:
        listed = http.result("tools/list", authorization=f"Bearer {token}")["tools"]
        assert listed == anywhere(stdio.result("tools/list")["tools"])
    for tool in listed:
        assert tool["inputSchema"]["type"] == "object"
        assert not {"anyOf", "oneOf", "allOf"} & tool["inputSchema"].keys()


def test_the_calls_cover_every_kind_of_answer() -> None:
    assert {name for name, _ in CALLS} >= {
        name for name, entry in catalogue.OPERATIONS.items() if entry.surface == "verbs"
    }


def test_whoami_tells_the_two_apart(standing: Pair) -> None:
    stdio, http, token = standing
    told = http.value("whoami", authorization=f"Bearer {token}")
    assert told["transport"] == "http"
    assert stdio.value("whoami")["transport"] == "stdio"
    assert sorted(told["scopes"]) == ["admin", "read", "write"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client(tmp_path: Path, mode: str) -> None:
    """It checks every structured result against the schema its tool declares."""
    make_open_brain(tmp_path)

    async def converse(url: str) -> tuple[list[str], Any, Any]:
        async with Client(url, mode=mode) as client:
            assert client.server_info is not None
            assert client.server_info.name == "gbrain"
            tools = [tool.name for tool in (await client.list_tools()).tools]
            saved = await client.call_tool("remember", {"fact": "keeps bees", "provenance": "chat"})
            await client.call_tool("put_page", {"slug": "people/dana", "content": DANA})
            for name, arguments in (("recall", {}), ("entity", {"name": "dana"}), ("search", {"query": "survey"})):
                assert not (await client.call_tool(name, arguments)).is_error
            return tools, saved, await client.call_tool("remember", {"fact": "x"})

    with HttpServer(tmp_path) as server:
        tools, saved, refused = asyncio.run(converse(server.url))
    assert "recall" in tools
    assert saved.structured_content["status"] == "inserted"
    assert refused.is_error
    assert json.loads(refused.content[0].text)["error"] == "invalid_params"
