"""`gbrain doctor` as a person runs it, and as an agent calls it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gbrain import Caller, doctor, open_brain
from gbrain.catalogue import OPERATIONS
from model_server import model_server

ROOT = Path(__file__).parents[2]
CHECKS = tuple(item.name for item in doctor.checks() if item.engine in ("any", "", "sqlite"))


def gbrain(base: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    env = {**os.environ, "GBRAIN_HOME": str(base)}
    return subprocess.run([sys.executable, "-m", "gbrain", *arguments], capture_output=True, text=True, env=env)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A folder for GBRAIN_HOME with a fresh brain in it."""
    assert gbrain(tmp_path, "init").returncode == 0
    return tmp_path


def test_a_fresh_keyless_brain_is_all_green(base: Path) -> None:
    shown = gbrain(base, "doctor")
    assert shown.returncode == 0, shown.stderr
    marks = re.findall(r"^\[(\w+)\] +([\w.]+):", shown.stdout, re.MULTILINE)
    assert marks == [("OK", name) for name in CHECKS]
    assert shown.stdout.startswith(f"healthy: {len(CHECKS)} checks run\n")
    assert "synthesize" in shown.stdout
    assert shown.stderr == ""


def test_the_json_is_the_report(base: Path) -> None:
    shown = gbrain(base, "doctor", "--json")
    found = json.loads(shown.stdout)
    assert shown.returncode == 0
    assert list(found) == ["schema_version", "status", "complete", "checks", "top_issues"]
    assert (found["schema_version"], found["status"], found["complete"]) == (2, "healthy", True)
    assert [row["name"] for row in found["checks"]] == list(CHECKS)
    assert {row["category"] for row in found["checks"]} == {"brain", "skill", "ops", "meta"}
    assert found["top_issues"] == []


def test_the_fast_form_is_marked_as_a_part(base: Path) -> None:
    found = json.loads(gbrain(base, "doctor", "--fast", "--json").stdout)
    assert not found["complete"]
    assert "skipped" in {row["status"] for row in found["checks"]}
    assert "score" not in json.dumps(found)
    assert "not run" in gbrain(base, "doctor", "--fast").stdout.splitlines()[0]


@pytest.mark.parametrize("fast", [[], ["--fast"]])
def test_a_zeroed_header_is_damage_and_no_advice_deletes(base: Path, fast: list[str]) -> None:
    with (base / ".gbrain" / "brain.db").open("r+b") as file:
        file.write(b"\0" * 100)
    before = (base / ".gbrain" / "brain.db").read_bytes()
    shown = gbrain(base, "doctor", "--json", *fast)
    assert shown.returncode == 1
    rows = {row["name"]: row for row in json.loads(shown.stdout)["checks"]}
    assert rows["store.file"]["status"] == "fail"
    others = [name for name in CHECKS if name.startswith("store.") and name != "store.file"]
    assert {rows[name]["status"] for name in others} == {"skipped"}
    assert not re.search(r"\b(rm|delete|drop|wipe|reinit|--force)\b", shown.stdout)
    assert (base / ".gbrain" / "brain.db").read_bytes() == before
    lines = gbrain(base, "doctor", *fast).stdout.splitlines()
    at = next(place for place, line in enumerate(lines) if "store.file" in line)
    assert any("fix: cp -Rp" in line for line in lines[at : at + 7])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="who holds a lock is told on Linux")
@pytest.mark.parametrize("stopped", [False, True])
def test_a_live_process_with_the_write_lock_is_named(base: Path, stopped: bool) -> None:
    program = (
        "import sys, gbrain\nwith gbrain.open_brain() as brain, brain.store.transaction():\n"
        "    print('holds', flush=True)\n    sys.stdin.read()"
    )
    env = {**os.environ, "GBRAIN_HOME": str(base)}
    writer = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
    assert writer.stdout is not None
    writer.stdout.readline()
    if stopped:
        writer.send_signal(signal.SIGSTOP)
        os.waitpid(writer.pid, os.WUNTRACED)
    try:
        shown = gbrain(base, "doctor")
    finally:
        writer.send_signal(signal.SIGCONT)
        writer.communicate()
    assert shown.returncode == 0
    assert f"in use: process {writer.pid} (python" in shown.stdout
    assert "damage" not in shown.stdout
    assert gbrain(base, "doctor").stdout.startswith("healthy")


def test_servers_share_the_store_with_the_doctor(base: Path) -> None:
    env = {**os.environ, "GBRAIN_HOME": str(base)}
    server = subprocess.Popen(
        [sys.executable, "-m", "gbrain", "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=env,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    call = {"name": "run_doctor", "arguments": {"fast": True}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    server.stdin.write(json.dumps(message).encode() + b"\n")
    server.stdin.flush()
    answer = json.loads(server.stdout.readline())
    shown = gbrain(base, "doctor")
    server.communicate()
    assert answer["result"]["structuredContent"]["status"] == "healthy"
    assert shown.returncode == 0
    if sys.platform.startswith("linux"):
        assert f"pid {server.pid}: python" in shown.stdout


def test_without_a_brain_it_says_init(tmp_path: Path) -> None:
    shown = gbrain(tmp_path, "doctor")
    assert shown.returncode == 1
    assert "fix: gbrain init" in shown.stdout
    assert not (tmp_path / ".gbrain").exists()


def test_the_operation_needs_the_admin_scope_and_tells_agents_the_same(base: Path) -> None:
    entry = OPERATIONS["run_doctor"]
    assert (entry.scope, entry.surface, entry.cli) == ("admin", "full", "doctor")
    with open_brain(str(base / ".gbrain")) as brain:
        found: Any = brain.call("run_doctor", {"fast": True}, caller=Caller.stdio())
    assert found["status"] == "healthy"
    assert [row["name"] for row in found["checks"]] == list(CHECKS)


def fixes(found: doctor.DoctorReply) -> list[str]:
    return [row["fix"] for row in found["checks"] if "fix" in row]


def test_every_gbrain_command_it_prints_is_taken(base: Path) -> None:
    """Each is run against a brain in the very state in which the doctor names it."""
    home = base / ".gbrain"
    with open_brain(str(home)) as brain:
        brain.store.config.set("search.mode", "fast")
    (fix,) = fixes(doctor.report(str(home), True))
    assert fix == "gbrain config unset search.mode"
    assert gbrain(base, *fix.split()[1:]).returncode == 0
    assert doctor.report(str(home), True)["status"] == "healthy"

    shutil.rmtree(home)
    (fix,) = fixes(doctor.report(str(home), True))
    assert gbrain(base, *fix.split()[1:]).returncode == 0
    assert doctor.report(str(home), True)["status"] == "healthy"


class TestSpending:
    def found(self, base: Path) -> dict[str, Any]:
        return next(row for row in doctor.report(str(base / ".gbrain"))["checks"] if row["name"] == "spending")  # type: ignore[return-value]

    def test_a_model_and_its_limits(self, base: Path) -> None:
        with model_server() as server, open_brain(str(base / ".gbrain")) as brain:
            brain.models_set(model="endpoint:m", url=server.url)
            assert self.found(base)["status"] == "ok"
            brain.config_set(key="spend.day_tokens", value="150")
            warned = self.found(base)
            assert (warned["status"], warned["fix"]) == ("warn", "gbrain spend")
            assert "spend.day_tokens: 120 of 150" in warned["message"]
            assert len(server.asked) == 1

    def test_a_key_that_is_not_there(self, base: Path) -> None:
        with open_brain(str(base / ".gbrain")) as brain:
            brain.models_set(model="openrouter:m", key="NO_SUCH_KEY_HERE", untested=True)
        warned = self.found(base)
        assert (warned["status"], warned["fix"]) == ("warn", "gbrain models list")
        assert "NO_SUCH_KEY_HERE" in warned["message"]
