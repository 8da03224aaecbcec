"""`gbrain serve` on a home whose brain a server keeps: the agent's own pipe, the team's tools."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from gbrain import home as homes
from gbrain.home import Address
from http_server import HttpServer
from stdio_server import ENVELOPE, HANDSHAKE, Server, brain_folder, local_brain, make_brain


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("team")
    make_brain(home)
    with local_brain(home) as brain:
        brain.put_page(slug="people/dana-oakes", content="---\ntitle: Dana Oakes\n---\nLeads.\n")
        brain.remember(fact="knows the gate code", provenance="x", entity="Dana Oakes", visibility="private")
        brain.auth_create(name="other")
        tokens = {
            "writer": brain.auth_create(name="writer")["token"],
            "reader": brain.auth_create(name="reader", scopes=["read"])["token"],
        }
    (home / "tokens.json").write_text(json.dumps(tokens))
    return home


@pytest.fixture(scope="module")
def server(team: Path) -> Iterator[HttpServer]:
    with HttpServer(team) as made:
        yield made


def client(team: Path, url: str, home: Path, name: str = "writer") -> Path:
    """A home whose brain is at the server."""
    token = json.loads((team / "tokens.json").read_text())[name]
    homes.prepare(brain_folder(home))
    homes.set_address(brain_folder(home), Address("remote", url, token))
    return home


def test_the_tools_and_answers_are_the_servers(team: Path, server: HttpServer, tmp_path: Path) -> None:
    headers = {"authorization": "Bearer " + json.loads((team / "tokens.json").read_text())["writer"]}
    direct = server.result("tools/list", **headers)
    with Server(client(team, server.url, tmp_path)) as relay:
        hello = relay.result("initialize", HANDSHAKE)
        assert hello["serverInfo"]["name"] == "gbrain"
        assert hello["instructions"] == server.result("initialize", HANDSHAKE, **headers)["instructions"]
        assert relay.result("ping") == {}
        assert relay.result("tools/list") == direct
        assert "run_doctor" not in {tool["name"] for tool in direct["tools"]}, "admin was not granted"
        page = {"name": "get_page", "arguments": {"slug": "people/dana-oakes"}}
        assert relay.result("tools/call", page) == server.result("tools/call", page, **headers)
        saved = relay.value("remember", {"fact": "rows at dawn", "provenance": "relay", "entity": "Dana Oakes"})
        assert saved["status"] == "inserted"
        assert "gate code" not in json.dumps(relay.value("recall", {"entity": "Dana Oakes"}))
        assert relay.error("get_page", {"slug": "no/such"})["error"] == "not_found"
        assert relay.error("config_set", {"key": "a", "value": "b"})["error"] == "unknown_tool"
        assert "error" in relay.ask("tools/call", {"name": 5})
        assert "error" in relay.ask("resources/list")
        assert relay.value("whoami")["token_name"] == "writer"
        assert relay.finish() == 0
        assert "gbrain_" not in relay.started


def test_the_stateless_era(team: Path, server: HttpServer, tmp_path: Path) -> None:
    with Server(client(team, server.url, tmp_path)) as relay:
        found = relay.result("server/discover", {"_meta": ENVELOPE})
        assert (found["resultType"], found["supportedVersions"]) == ("complete", ["2026-07-28"])
        listed = relay.result("tools/list", {"_meta": ENVELOPE})
        assert (listed["resultType"], listed["cacheScope"]) == ("complete", "private")
        called = relay.result("tools/call", {"name": "recall", "arguments": {}, "_meta": ENVELOPE})
        assert (called["resultType"], called["isError"]) == ("complete", False)


def test_a_surface_can_be_narrowed(team: Path, server: HttpServer, tmp_path: Path) -> None:
    with Server(client(team, server.url, tmp_path), "--surface", "verbs") as relay:
        assert len(relay.result("tools/list")["tools"]) == 7
        assert relay.error("get_page", {"slug": "people/dana-oakes"})["error"] == "unknown_tool"
        assert relay.value("entity", {"name": "Dana Oakes"})["found"] is True


def test_a_reader_is_told_what_it_lacks(team: Path, server: HttpServer, tmp_path: Path) -> None:
    with Server(client(team, server.url, tmp_path, "reader")) as relay:
        assert "put_page" not in {tool["name"] for tool in relay.result("tools/list")["tools"]}
        refused = relay.error("remember", {"fact": "x", "provenance": "y"})
        assert (refused["error"], refused["protocol_version"]) == ("scope_denied", 1)


def test_the_session_of_the_agent_goes_along(team: Path, server: HttpServer, tmp_path: Path) -> None:
    env = {"CLAUDE_CODE_SESSION_ID": "window-7"}
    with Server(client(team, server.url, tmp_path), env=env) as relay:
        relay.value("remember", {"fact": "keeps bees on the roof", "provenance": "relay"})
    with local_brain(team) as brain:
        found = brain.recall(session_id="window-7")["facts"]
    assert [fact["fact"] for fact in found] == ["keeps bees on the roof"]


def test_a_source_that_is_not_granted(team: Path, server: HttpServer, tmp_path: Path) -> None:
    with Server(client(team, server.url, tmp_path), "--source", "work") as relay:
        assert relay.error("whoami")["error"] == "scope_denied"
        assert relay.error("get_page", {"slug": "people/dana-oakes"})["error"] == "scope_denied"


def test_a_mount_is_served_by_its_name(team: Path, server: HttpServer, tmp_path: Path) -> None:
    from gbrain import mounts

    make_brain(tmp_path)
    home = client(team, server.url, tmp_path / "elsewhere")
    mounts.add(brain_folder(tmp_path), mounts.Mount("team", brain_folder(home), None))
    with Server(tmp_path, "--brain", "team") as relay:
        assert relay.value("entity", {"name": "Dana Oakes"})["found"] is True
    with Server(tmp_path, env={"GBRAIN_BRAIN_ID": "host"}) as own:
        assert own.value("entity", {"name": "Dana Oakes"})["found"] is False
        assert own.value("whoami")["brain"] == {"name": "host", "kind": "sqlite", "selected_by": "env"}


def test_a_server_that_comes_and_goes(team: Path, tmp_path: Path) -> None:
    """The agent's session lives through it: down before the start, up, restarted in between, down again."""
    with HttpServer(team) as first:
        port, url = first.port, first.url
    with Server(client(team, url, tmp_path)) as relay:
        assert relay.result("initialize", HANDSHAKE)["instructions"]
        assert {"remember", "recall"} <= {tool["name"] for tool in relay.result("tools/list")["tools"]}
        refused = relay.error("recall", {})
        assert refused["error"] == "unavailable"
        assert "cannot be reached" in refused["message"]
        for _ in range(2):
            with HttpServer(team, port=port) as again:
                assert relay.value("recall", {"entity": "Dana Oakes"})["protocol_version"] == 1
                again.stop(signal.SIGKILL)
        assert relay.error("recall", {})["error"] == "unavailable"
        assert relay.finish() == 0
