"""From the question to a fact in another session and back to off (table N), with real servers and the real hook."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commandline import Gbrain
from gbrain import ambient
from gbrain.ambient import bank, contract
from gbrain.harnesses.known import EVERY
from stdio_server import HANDSHAKE, Server

MODE = "memory.auto_writeback"
HOOK = str(Path(ambient.__file__).with_name("hook.py"))


@pytest.fixture
def gbrain(tmp_path: Path) -> Gbrain:
    made = Gbrain(tmp_path)
    made("init")
    return made


def facts(gbrain: Gbrain) -> Any:
    return gbrain("recall", "--json").json["facts"]


def heard(gbrain: Gbrain, **env: str) -> list[str]:
    """The facts that an agent of a new session is given."""
    with Server(gbrain.base, env=env) as session:
        return [fact["fact"] for fact in session.value("recall")["facts"]]


def test_n1_an_agent_sees_what_is_for_agents_and_the_person_all(gbrain: Gbrain) -> None:
    for fact, seen in (("drinks tea", "world"), ("earns 90k", "private")):
        gbrain("remember", fact, "--provenance", "test", "--visibility", seen)
    assert heard(gbrain) == ["drinks tea"]
    assert sorted(fact["fact"] for fact in facts(gbrain)) == ["drinks tea", "earns 90k"]


def test_n2_n3_asked_enabled_saved_in_one_session_and_known_in_the_next(tmp_path: Path) -> None:
    gbrain = Gbrain(tmp_path)
    asked = gbrain("init").err
    (enable,) = [line for line in asked.splitlines() if line.startswith("[AGENT]") and contract.ENABLE[0] in line]
    gbrain(*enable.partition("gbrain ")[2].split())
    said = {"fact": "prefers dark mode", "provenance": "claude-code, session s1, 2031-05-04", "kind": "preference"}
    with Server(gbrain.base) as first:
        told = first.result("initialize", HANDSHAKE)["instructions"]
        assert "save unasked" in told
        saved = first.value("remember", {**said, "visibility": "world"})
    assert (saved["status"], saved["valid_until"]) == ("inserted", None)
    with Server(gbrain.base) as second:
        (fact,) = second.value("recall", {"grep": "dark mode"})["facts"]
    assert (fact["fact"], fact["provenance"]) == (said["fact"], said["provenance"])


def test_n4_what_passes_is_gone_when_its_time_is_over(gbrain: Gbrain) -> None:
    with Server(gbrain.base) as session:
        given = {"fact": "is in Bergen", "provenance": "chat", "ttl": "3d"}
        saved = session.value("remember", given)
        born = session.value("recall")["facts"][0]["created_at"]
    assert (saved["valid_until"][:4], saved["valid_until"] > born) == (born[:4], True)
    assert heard(gbrain, GBRAIN_CLOCK="+71h") == ["is in Bergen"]
    assert heard(gbrain, GBRAIN_CLOCK="+73h") == []


def hook(gbrain: Gbrain, said: str) -> str:
    """Let the real hook see a turn; the reason it gives."""
    transcript = gbrain.base / ".claude" / "projects" / "p" / "s1.jsonl"
    transcript.parent.mkdir(parents=True, exist_ok=True)
    transcript.write_text(json.dumps({"type": "user", "message": {"role": "user", "content": said}}) + "\n")
    payload = {"session_id": "s1", "transcript_path": str(transcript), "cwd": str(gbrain.base)}
    ran = subprocess.run(
        [sys.executable, "-I", "-S", HOOK, "stop", "claude-code"],
        input=json.dumps(payload).encode(), capture_output=True, check=True,
        env={**gbrain.environment(), "HOME": str(gbrain.base), "CLAUDE_CONFIG_DIR": str(gbrain.base / ".claude")},
    )  # fmt: skip
    assert ran.stdout == b""
    journal = (gbrain.home / "integrations" / "hooks" / "heartbeat.jsonl").read_text()
    return str(json.loads(journal.splitlines()[-1])["reason"])


def test_n5_thanks_leaves_nothing(gbrain: Gbrain) -> None:
    gbrain("config", "set", MODE, "all")
    assert hook(gbrain, "Thanks") == "too_short"
    assert not Path(bank.folder(str(gbrain.home))).exists()
    assert facts(gbrain) == []


def test_what_was_saved_under_one_consent_is_shown_and_then_taken_back(gbrain: Gbrain) -> None:
    gbrain("remember", "drinks tea", "--provenance", "chat")
    gbrain("config", "set", MODE, "salient")
    assert hook(gbrain, "Please remember that my sister Ruta is allergic to nuts.") == "no_serve"
    gbrain("sweep", "--once")
    with Server(gbrain.base) as session:
        session.value("remember", {"fact": "prefers dark mode", "provenance": "chat"})
    gbrain("config", "set", MODE, "off")
    gbrain("remember", "collects stamps", "--provenance", "chat")
    (id,) = [line.split("\t")[0] for line in gbrain("consents").out.splitlines() if "salient" in line]

    def left() -> list[str]:
        return sorted(fact["fact"] for fact in facts(gbrain))

    shown = gbrain("forget", "--captured-under", id).out
    assert ("Ruta" in shown, "dark mode" in shown, "1 other fact" in shown) == (True, False, True)
    assert len(left()) == 4
    gbrain("forget", "--captured-under", id, "--yes")
    assert left() == ["collects stamps", "drinks tea", "prefers dark mode"]
    shown = gbrain("forget", "--captured-under", id, "--include-remember").out
    assert ("dark mode" in shown, "--include-remember --yes" in shown) == (True, True)
    gbrain("forget", "--captured-under", id, "--include-remember", "--yes")
    assert left() == ["collects stamps", "drinks tea"]


def test_a_new_session_knows_what_was_caught_only_where_that_is_wanted_and_the_doctor_says_why(gbrain: Gbrain) -> None:
    gbrain("config", "set", MODE, "salient")
    hook(gbrain, "Please remember that my sister Ruta is allergic to nuts.")
    gbrain("sweep", "--once")
    assert len(facts(gbrain)) == 1
    assert heard(gbrain) == []
    (why,) = [line for line in row(gbrain)["details"] if "only you see" in line]
    gbrain(*why.rpartition("gbrain ")[2].split())
    hook(gbrain, "Please remember that my brother Jon plays the cello.")
    gbrain("sweep", "--once")
    (fact,) = heard(gbrain)
    assert "Jon" in fact


def row(gbrain: Gbrain) -> Any:
    checks = gbrain("doctor", "--fast", "--json").json["checks"]
    return next(one for one in checks if one["name"] == "memory_writeback")


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="the system does not tell who has a file open")
def test_a_server_that_began_before_off_is_named_until_it_is_gone(gbrain: Gbrain) -> None:
    gbrain("config", "set", MODE, "salient")
    with Server(gbrain.base) as session:
        assert "save unasked" in session.result("initialize", HANDSHAKE)["instructions"]
        session.value("recall")
        gbrain("config", "set", MODE, "off")
        told = row(gbrain)
        assert (told["status"], f"process {session.process.pid}" in told["message"]) == ("warn", True)
        assert "restart" in told["message"]
    assert row(gbrain)["status"] == "ok"


def test_off_is_off_in_the_files_of_every_agent(gbrain: Gbrain) -> None:
    for folder in (".claude", ".codex", ".gemini", ".config/opencode", ".openclaw"):
        (gbrain.base / folder).mkdir(parents=True)
    (gbrain.base / ".openclaw" / "openclaw.json").write_text("{}")

    def run(*words: str) -> str:
        ran = gbrain.run(*words, env={"HOME": str(gbrain.base)})
        assert ran.code == 0, ran
        return ran.out

    def told() -> Any:
        checks = json.loads(run("doctor", "--fast", "--json"))["checks"]
        return next(one for one in checks if one["name"] == "memory_writeback")

    run("config", "set", MODE, "salient")
    run("bootstrap", "harness", "--yes")
    on = told()
    assert on["status"] == "ok", on
    wired = {block["host"] for block in on["data"]["instruction_blocks"]}
    assert wired == {facts.name for facts in EVERY}
    assert {block["probe"] for block in on["data"]["instruction_blocks"]} == {"current"}
    run("config", "set", MODE, "off")
    left = told()
    assert (left["status"], left["fix"]) == ("warn", "gbrain bootstrap harness --yes")
    assert {asker["harness"] for asker in left["data"]["askers"] if asker["asks"]} == wired
    run(*left["fix"].split()[1:])
    off = told()
    assert off["status"] == "ok", off
    assert not any(asker["asks"] for asker in off["data"]["askers"])
    assert {asker["state"] for asker in off["data"]["askers"] if asker["kind"] == "instructions"} == {"absent"}
