"""Real MCP clients against the real server over HTTP: the Inspector, the conformance suites, Claude Code, Codex.

Where they live, and how one that is missing is skipped: see clients.py.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acceptance.clients import NODE, ROOT, binary, driven, needed
from commandline import Gbrain
from http_server import HttpServer
from stdio_server import local_brain

pytestmark = pytest.mark.clients

BASELINES = ROOT / "tests" / "data"
CLAIM = {"fact": "the user prefers tabs to spaces", "provenance": "said in chat", "kind": "preference"}


@pytest.fixture
def token(home: Path) -> str:
    return str(Gbrain(home)("auth", "create", "agent", "--json").json["token"])


@pytest.fixture
def server(home: Path, token: str) -> Iterator[HttpServer]:
    with HttpServer(home, "--rate", "0") as server:
        yield server


def saved(home: Path) -> dict[str, Any]:
    """The only fact of the brain, as its owner sees it."""
    with local_brain(home) as brain:
        (fact,) = brain.recall()["facts"]
    assert isinstance(fact, dict)
    return fact


def node(home: Path) -> dict[str, str]:
    return {"PATH": f"{needed(NODE, 'node 24')}:{os.environ['PATH']}", "HOME": str(home)}


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector(home: Path, token: str, server: HttpServer, era: str) -> None:
    inspector = binary("inspector", "mcp-inspector")
    base = [str(inspector), "--cli", server.url, "--protocol-era", era, "--header", f"Authorization: Bearer {token}"]

    def inspect(*method: str) -> dict[str, Any]:
        done = subprocess.run(
            [*base, "--method", *method],
            env={**node(home), "MCP_AUTO_OPEN_ENABLED": "false"},
            cwd=home,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr[-3000:] + done.stdout[-1000:]
        answer = json.loads(done.stdout)
        assert isinstance(answer, dict)
        return answer

    tools = inspect("tools/list", "--strict")["tools"]
    assert len(tools) > 20
    arguments = [word for key, value in CLAIM.items() for word in ("--tool-arg", f"{key}={value}")]
    assert not inspect("tools/call", "--tool-name", "remember", *arguments).get("isError")
    assert not inspect("tools/call", "--tool-name", "recall", "--tool-arg", "query=tabs").get("isError")
    assert saved(home)["fact"] == CLAIM["fact"]


@pytest.mark.parametrize(
    ("package", "version"),
    [
        pytest.param("mcptools", None, id="0.1.16"),
        pytest.param("conf2", "2025-11-25", id="0.2 of 2025-11-25"),
        pytest.param("conf2", "2026-07-28", id="0.2 of 2026-07-28"),
    ],
)
def test_the_conformance_suite(home: Path, tmp_path: Path, package: str, version: str | None) -> None:
    """A scenario that fails and is not in the baseline fails this, and so does one there that no longer fails."""
    suite = binary(package, "conformance")
    with local_brain(home) as brain:
        brain.store.config.set("auth.required", "off")
    baseline = BASELINES / f"conformance-{'stateless' if version == '2026-07-28' else 'handshake'}.yml"
    command = [str(suite), "server", "--suite", "all", "-o", str(tmp_path), "--expected-failures", str(baseline)]
    with HttpServer(home, "--rate", "0") as server:
        done = subprocess.run(
            [*command, "--url", server.url, *(["--spec-version", version] if version else [])],
            env=node(home),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert server.process.poll() is None
        assert server.errors.read_text() == ""
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    assert "server-initialize" in done.stdout or version == "2026-07-28"


def drive(client: str, program: Path, home: Path, work: Path, header: str) -> dict[str, Any]:
    """Run one client for a turn in which its model wants something remembered."""
    return driven("drive_http.py", client, program, home, work, header)


def asked(home: Path) -> list[tuple[str | None, int]]:
    lines = [json.loads(line) for line in (home / "access.jsonl").read_text().splitlines()]
    return [(line.get("rpc"), line["status"]) for line in lines if line["event"] == "request"]


CLIENT_PROGRAMS = [
    pytest.param("claude", "claude332", "server/discover", id="Claude Code, stateless"),
    pytest.param("claude", "claude", "initialize", id="Claude Code, handshake"),
    pytest.param("codex", "codex", "initialize", id="Codex"),
]


@pytest.mark.parametrize(("client", "package", "opening"), CLIENT_PROGRAMS)
def test_a_client_with_a_token(home: Path, token: str, tmp_path: Path, client: str, package: str, opening: str) -> None:
    told = drive(client, binary(package, client), home, tmp_path / "work", f"Bearer {token}")
    assert (told["code"], told["answer"]) == (0, "FINAL saved")
    assert told["instructions"], "the instructions did not reach the model"
    assert saved(home)["provenance"] == CLAIM["provenance"]
    methods = asked(home)
    assert methods[0] == (opening, 200)
    assert ("tools/call", 200) in methods
    assert {status for _, status in methods} <= {200, 202, 404, 405}


@pytest.mark.parametrize(("client", "package", "opening"), CLIENT_PROGRAMS[::2])
def test_a_client_without_one(home: Path, token: str, tmp_path: Path, client: str, package: str, opening: str) -> None:
    """It goes on without the server, or says why it does not; nothing is saved."""
    drive(client, binary(package, client), home, tmp_path / "work", f"Bearer {token[:-1]}")
    with local_brain(home) as brain:
        assert brain.recall()["facts"] == []
    assert (None, 401) in asked(home)
