"""The official SDK's client finds its own way in: from a refusal to tokens, in both eras, and through a refresh."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from http_server import HttpServer
from oauth_client import Page, Program, owner
from stdio_server import make_brain

BACK = "http://localhost:43211/callback"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[HttpServer]:
    make_brain(tmp_path)
    owner(tmp_path, "config_set", key="auth.registration", value="on")
    with HttpServer(tmp_path) as server:
        yield server


class Wallet:
    """Where the client keeps what it is given."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class User:
    """The person at the browser, who owns the brain."""

    def __init__(self, server: HttpServer) -> None:
        self.server = server
        self.asked = 0
        self.brought: AuthorizationCodeResult | None = None

    async def open(self, url: str) -> None:
        """Follow the link, type the code, allow what stands chosen."""
        self.asked += 1
        program = Program(self.server, parse_qs(urlsplit(url).query)["client_id"][0], BACK)
        answer = self.server.send("GET", url.removeprefix(program.base), headers=program.host)
        page = Page.of(
            self.server.send("GET", answer.headers["location"].removeprefix(program.base), headers=program.host)
        )
        told = program.returned(program.submit(program.prove(page)))
        self.brought = AuthorizationCodeResult(code=told["code"], state=told["state"], iss=told["iss"])

    async def come_back(self) -> AuthorizationCodeResult:
        assert self.brought is not None
        return self.brought


async def used(server: HttpServer, wallet: Wallet, user: User, mode: Literal["auto", "legacy"]) -> dict[str, Any]:
    """Connect, remember something, and say who one is."""
    wish = OAuthClientMetadata(
        client_name="SDK client", redirect_uris=[AnyUrl(BACK)], token_endpoint_auth_method="none"
    )
    auth = OAuthClientProvider(server.url, wish, wallet, user.open, user.come_back)
    async with (
        httpx2.AsyncClient(auth=auth) as http,
        Client(streamable_http_client(server.url, http_client=http), mode=mode) as client,
    ):
        saved = await client.call_tool("remember", {"fact": f"works in {mode} mode", "provenance": "a test"})
        assert not saved.is_error
        told = await client.call_tool("whoami", {})
        found: dict[str, Any] = json.loads(told.content[0].text)  # type: ignore[union-attr]
        return found


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_it_registers_asks_and_gets_in(server: HttpServer, mode: Literal["auto", "legacy"]) -> None:
    wallet, user = Wallet(), User(server)
    me = asyncio.run(used(server, wallet, user, mode))
    assert (me["token_name"], me["transport"], me["sources"]) == ("SDK client", "http", ["default"])
    assert user.asked == 1
    assert wallet.tokens is not None
    asyncio.run(used(server, wallet, user, mode))
    assert user.asked == 1, "the second time it has its token"


def test_it_is_let_in_again_when_its_access_was_taken_away(server: HttpServer) -> None:
    wallet, user = Wallet(), User(server)
    asyncio.run(used(server, wallet, user, "auto"))
    owner(server.home, "auth_revoke", name="SDK client")
    me = asyncio.run(used(server, wallet, user, "auto"))
    assert user.asked == 2
    assert me["token_name"] == "SDK client"


def test_where_nobody_may_register_it_fails_without_a_trace(server: HttpServer) -> None:
    owner(server.home, "config_unset", key="auth.registration")
    user = User(server)
    with pytest.raises(BaseException) as failed:  # noqa: PT011 - an ExceptionGroup of the SDK
        asyncio.run(used(server, Wallet(), user, "auto"))
    assert user.asked == 0
    assert failed.value is not None
    assert owner(server.home, "auth_list") == {"clients": [], "applications": []}
