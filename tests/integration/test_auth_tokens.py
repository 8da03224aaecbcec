"""Tokens over a real server: what each lets its client see and do."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from gbrain import catalogue
from http_server import HttpServer
from oauth_client import bearer, owner
from stdio_server import local_brain, make_brain

MARK = "wintergreen"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    home = tmp_path_factory.mktemp("tokens")
    make_brain(home)
    with local_brain(home) as brain:
        brain.store.sources.ensure("harbour", brain.store.config.now())
        brain.remember(fact=f"{MARK} tea for Dana", provenance="a test", entity="people/dana-oakes")
        brain.put_page(slug="people/dana-oakes", content=f"---\ntitle: Dana Oakes\n---\n{MARK}")
    owner(home, "auth_create", name="first")
    with HttpServer(home, "--rate", "0") as server:
        yield server


_NUMBERS = iter(range(10_000))


def token(server: HttpServer, **grants: Any) -> dict[str, str]:
    """The header of a new client."""
    return bearer(owner(server.home, "auth_create", name=f"client {next(_NUMBERS)}", **grants)["token"])


def tools(server: HttpServer, header: dict[str, str]) -> set[str]:
    return {tool["name"] for tool in server.result("tools/list", None, **header)["tools"]}


class TestGrants:
    def test_a_client_learns_what_it_may(self, server: HttpServer) -> None:
        header = token(server, scopes=["read"], expires="2099-01-01", surface="starter")
        me = server.value("whoami", None, **header)
        assert me.pop("token_name").startswith("client ")
        assert me.pop("client")
        assert me == {
            "transport": "http",
            "remote": True,
            "scopes": ["read"],
            "sources": ["default"],
            "source": "default",
            "surface": "starter",
            "expires_at": "2099-01-01T00:00:00.000Z",
        }

    def test_what_cannot_be_called_is_not_shown(self, server: HttpServer) -> None:
        reading = {
            name for name, entry in catalogue.OPERATIONS.items() if entry.scope == "read" and not entry.local_only
        }
        assert tools(server, token(server, scopes=["read"])) == reading
        everything = {name for name, entry in catalogue.OPERATIONS.items() if not entry.local_only}
        assert tools(server, token(server, scopes=["read", "write", "admin"])) == everything
        verbs = {name for name, entry in catalogue.OPERATIONS.items() if entry.surface == "verbs"}
        assert tools(server, token(server, surface="verbs")) == verbs
        assert not any(name.startswith("auth_") for name in everything)

    def test_the_owners_operations_are_not_there(self, server: HttpServer) -> None:
        header = token(server, scopes=["read", "write", "admin"], all_sources=True)
        for name in ("auth_create", "auth_list", "auth_revoke", "auth_rescope", "auth_approve", "auth_register"):
            result = server.tool(name, {"name": "x"}, **header)
            assert result["isError"]
            assert json.loads(result["content"][0]["text"])["error"] == "unknown_tool"

    def test_a_scope_that_is_missing_is_named_in_the_contracts_form(self, server: HttpServer) -> None:
        result = server.tool("remember", {"fact": "x", "provenance": "y"}, **token(server, scopes=["read"]))
        told = json.loads(result["content"][0]["text"])
        assert result["isError"]
        assert (told["error"], told["protocol_version"]) == ("scope_denied", 1)
        assert told["detail"] == {"your_scopes": ["read"]}
        assert told["suggestion"]

    def test_a_source_that_was_not_granted_is_a_wall(self, server: HttpServer) -> None:
        header = token(server, sources=["harbour"])
        assert server.value("recall", None, **header)["facts"] == []
        assert server.value("search", {"query": MARK}, **header) == []
        for source in ("default", "nowhere", "**", "../x"):
            result = server.tool("list_pages", {"source_id": source}, **header)
            told = json.loads(result["content"][0]["text"])
            assert told["error"] == "scope_denied"
            assert told["message"].replace(source, "") == "source '' is not one you may use"
        for every in ("__all__", "*"):
            assert server.value("list_pages", {"source_id": every}, **header) == []
        saved = server.value("remember", {"fact": "moored", "provenance": "x"}, **header)
        with local_brain(server.home) as brain:
            (row,) = brain.store.engine.rows("select source_id from facts where id = :id", {"id": int(saved["id"])})
        assert row["source_id"] == "harbour"

    def test_a_client_bound_to_slugs_stays_there(self, server: HttpServer) -> None:
        header = token(server, slugs=["projects/harbour"])
        assert server.value("search", {"query": MARK}, **header) == []
        assert server.value("put_page", {"slug": "projects/harbour", "content": "Pier."}, **header)["version"] == 1
        refused = server.tool("put_page", {"slug": "people/dana-oakes", "content": "x"}, **header)
        assert json.loads(refused["content"][0]["text"])["error"] == "scope_denied"
        assert server.value("list_pages", None, **header)[0]["slug"] == "projects/harbour"
        assert len(server.value("list_pages", None, **header)) == 1

    def test_private_text_is_nobodys_over_the_network(self, server: HttpServer) -> None:
        with local_brain(server.home) as brain:
            brain.remember(fact="a secret mooring", provenance="x", visibility="private")
        header = token(server, scopes=["read", "write", "admin"], all_sources=True)
        assert "mooring" not in json.dumps(server.value("recall", {"query": "secret mooring"}, **header))
