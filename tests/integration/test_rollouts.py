"""Rollouts of Codex, read in a sweep while its person has not trusted our hook."""

import json
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from commandline import Gbrain
from gbrain.harnesses import codex
from integration.hooks import HOOK, PYTHON, SAID, reasons

ID = "01a2291b-164d-7132-bc64-36b5df8631b0"


def said(text: str, age: timedelta = timedelta(minutes=-1)) -> dict[str, Any]:
    """What a person said, by default in a minute, which is after a consent given now."""
    item = {"type": "UserMessage", "content": [{"type": "text", "text": text}]}
    stamp = (datetime.now(UTC) - age).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return {"timestamp": stamp, "type": "event_msg", "payload": {"type": "item_completed", "item": item}}


class Codex:
    """Codex's folder beside a brain, with our hook in it, not trusted."""

    def __init__(self, gbrain: Gbrain) -> None:
        self.gbrain = gbrain
        self.folder = gbrain.base / ".codex"
        self.folder.mkdir()
        line = f"{PYTHON} -I -S {HOOK} stop codex --home {gbrain.home}"
        self.hook = {"type": "command", "command": line, "timeout": 10}
        self.write([{"hooks": [self.hook]}])

    def write(self, groups: Any) -> None:
        place = self.folder / "hooks.json"
        place.write_text(json.dumps({"hooks": {"Stop": groups}}))
        old = time.time() - 3600
        os.utime(place, (old, old))

    def trust(self) -> None:
        key = f"{self.folder / 'hooks.json'}:stop:0:0"
        told = codex._identity("Stop", self.hook)
        (self.folder / "config.toml").write_text(f'[hooks.state."{key}"]\ntrusted_hash = "{told}"\n')

    def rollout(self, *rows: Any, id: str = ID, torn: str = "", **more: Any) -> Path:
        today = datetime.now(UTC)
        day = self.folder / "sessions" / today.strftime("%Y/%m/%d")
        day.mkdir(parents=True, exist_ok=True)
        path = day / f"rollout-{today:%Y-%m-%d}T10-00-00-{id}.jsonl"
        meta = {"type": "session_meta", "payload": {"id": id, "cwd": "/w", "source": "cli", **more}}
        path.write_text("".join(json.dumps(row) + "\n" for row in (meta, *rows)) + torn)
        return path

    def sweep(self, **env: str) -> list[str]:
        """The words that are banked after a sweep."""
        given = {"HOME": str(self.gbrain.base), "CODEX_HOME": str(self.folder), **env}
        ran = self.gbrain.run("sweep", "--once", "--json", "--budget-ms", "60000", env=given)
        assert ran.code == 0, ran
        place = self.gbrain.home / "transcripts" / "corpus"
        return sorted(path.read_text().strip() for path in place.glob("*.txt")) if place.exists() else []


@pytest.fixture
def agent(tmp_path: Path) -> Codex:
    gbrain = Gbrain(tmp_path)
    gbrain("init")
    gbrain("config", "set", "memory.auto_writeback", "salient")
    return Codex(gbrain)


def test_what_a_person_said_is_banked_once(agent: Codex) -> None:
    injected = {"type": "response_item", "payload": {"role": "user", "content": [{"text": "UserMessage AGENTS.md"}]}}
    path = agent.rollout(injected, said(SAID), said("thanks"))
    assert agent.sweep() == [SAID]
    assert agent.sweep() == [SAID]
    (name,) = [file.name for file in (agent.gbrain.home / "transcripts" / "corpus").glob("*.txt")]
    assert name.startswith(f"{ID}.wb-")
    more = "My dentist is called Rosa Lindqvist."
    with path.open("a") as file:
        file.write(json.dumps(said(more)) + "\n" + json.dumps(said("Half a line is none yet, wait."))[:-9])
    assert agent.sweep() == sorted([SAID, more])
    assert reasons(agent.gbrain, "writeback-bank") == ["wb_banked", "wb_banked"]


def test_a_rollout_from_before_consent_is_left_alone(agent: Codex) -> None:
    agent.rollout(said(SAID, timedelta(hours=3)))
    assert agent.sweep() == []


@pytest.mark.parametrize(
    "more",
    [
        {"source": {"subagent": {"thread_spawn": {}}}},
        {"thread_source": "subagent"},
        {"cwd": "/tmp/gbrain-claude-cli-cwd-7"},
    ],
)
def test_agents_that_no_person_speaks_to_are_left_alone(agent: Codex, more: Any) -> None:
    agent.rollout(said(SAID), **more)
    assert agent.sweep() == []


def test_nothing_is_read_without_consent_or_our_hook(agent: Codex) -> None:
    agent.rollout(said(SAID))
    assert agent.sweep(GBRAIN_HOOKS="0") == []
    agent.gbrain("config", "set", "memory.auto_writeback", "off")
    assert agent.sweep() == []
    agent.gbrain("config", "set", "memory.auto_writeback", "salient")
    agent.write([])
    assert agent.sweep() == []
    foreign = {**agent.hook, "command": agent.hook["command"].replace(str(agent.gbrain.home), "/elsewhere")}
    agent.write([{"hooks": [foreign]}])
    assert agent.sweep() == []


def test_a_hook_that_is_trusted_does_it_itself(agent: Codex) -> None:
    agent.rollout(said(SAID))
    agent.trust()
    assert agent.sweep() == []


def test_a_secret_in_a_rollout_stays_there(agent: Codex) -> None:
    secret = "AKIA" + "EXAMPLE000000000"
    agent.rollout(said(f"My dentist is called Rosa Lindqvist. {secret}"))
    assert agent.sweep() == []
    kept = b"".join(path.read_bytes() for path in agent.gbrain.home.rglob("*") if path.is_file())
    assert secret.encode() not in kept
