"""Real MCP clients against the real server: the Inspector, Claude Code, Codex; a scripted model on loopback.

Where they live, and how one that is missing is skipped: see clients.py.
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from acceptance.clients import NODE, SCRIPTS, binary, driving, needed
from stdio_server import COMMAND, local_brain

pytestmark = pytest.mark.clients

CLAIM = {"fact": "the user prefers tabs to spaces", "provenance": "said in chat", "kind": "preference"}


def served(home: Path, surface: str = "full") -> str:
    """The server as one word: clients hand down few variables, and take its options for their own."""
    path = home / f"serve-{surface}"
    command = f"GBRAIN_HOME={shlex.quote(str(home))} exec {shlex.join(COMMAND)} --surface {surface}"
    path.write_text(f"#!/bin/sh\n{command}\n")
    path.chmod(0o755)
    return str(path)


def saved(home: Path) -> dict[str, Any]:
    """The only fact of the brain, as its owner sees it."""
    with local_brain(home) as brain:
        (fact,) = brain.recall()["facts"]
    assert isinstance(fact, dict)
    return fact


def wire(work: Path, direction: str) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (work / "wire.jsonl").read_text().splitlines()]
    return [row["msg"] for row in rows if row["dir"] == direction]


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("surface", ["verbs", "full"])
def test_the_inspector_finds_every_schema_portable(home: Path, era: str, surface: str) -> None:
    inspector = binary("inspector", "mcp-inspector")
    needed(NODE, "node 24")
    environment = {
        "PATH": f"{NODE}:{os.environ['PATH']}",
        "HOME": str(home),
        "MCP_AUTO_OPEN_ENABLED": "false",
    }
    base = [str(inspector), "--cli", served(home, surface), "--protocol-era", era, "--method"]

    def inspect(*method: str) -> dict[str, Any]:
        done = subprocess.run([*base, *method], env=environment, cwd=home, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr[-3000:] + done.stdout[-1000:]
        answer = json.loads(done.stdout)
        assert isinstance(answer, dict)
        return answer

    tools = inspect("tools/list", "--strict")["tools"]
    assert len(tools) == 7 if surface == "verbs" else len(tools) > 20
    arguments = [word for key, value in CLAIM.items() for word in ("--tool-arg", f"{key}={value}")]
    assert not inspect("tools/call", "--tool-name", "remember", *arguments).get("isError")
    assert not inspect("tools/call", "--tool-name", "recall", "--tool-arg", "query=tabs").get("isError")
    assert saved(home)["fact"] == CLAIM["fact"]


def drive(script: str, work: Path, *args: str) -> str:
    """Run one client script; what it printed. Its own checks decide whether it passed."""
    path = needed(SCRIPTS / script, script)
    claim = ["--tool", "*remember", "--input", json.dumps(CLAIM), "--expect-body", "inserted"]
    done = subprocess.run(
        [sys.executable, str(path), "--work", str(work), *claim, *args],
        env=driving(),
        capture_output=True,
        text=True,
        timeout=300,
    )
    print(done.stdout)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout


def assert_clean(work: Path) -> None:
    """The server answered everything, and only methods it does not offer were refused."""
    asked = {message["id"]: message["method"] for message in wire(work, "client>server") if "id" in message}
    replies = wire(work, "server>client")
    assert [reply for reply in replies if "_raw" in reply] == []
    refused = {asked[reply["id"]] for reply in replies if "error" in reply}
    assert refused <= {"resources/list", "resources/templates/list", "prompts/list", "server/discover"}
    assert not [reply for reply in replies if reply.get("result", {}).get("isError")]


@pytest.mark.parametrize(
    ("package", "opening"),
    [
        pytest.param("claude332", "server/discover", id="stateless"),
        pytest.param("claude", "initialize", id="handshake"),
    ],
)
def test_claude_code(home: Path, tmp_path: Path, package: str, opening: str) -> None:
    claude = binary(package, "claude")
    work = tmp_path / "work"
    drive("run_claude.py", work, "--claude", str(claude), "--mcp", served(home))
    assert wire(work, "client>server")[0]["method"] == opening
    assert_clean(work)
    fact = saved(home)
    assert fact["provenance"] == CLAIM["provenance"]
    assert fact["source_session"], "Claude Code tells its session in the environment"


def test_codex(home: Path, tmp_path: Path) -> None:
    codex = binary("codex", "codex")
    work = tmp_path / "work"
    drive("run_codex.py", work, "--codex", str(codex), "--mcp", served(home))
    assert_clean(work)
    fact = saved(home)
    assert fact["provenance"] == CLAIM["provenance"]
    assert fact["source_session"], "Codex tells its session with every call"
