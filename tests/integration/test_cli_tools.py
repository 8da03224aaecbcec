"""doctor, protocol, demo and bench as commands, and the ends a command can come to."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from commandline import Gbrain
from gbrain.entry.demo import PREFERENCE


@pytest.fixture
def gbrain(tmp_path: Path) -> Gbrain:
    made = Gbrain(tmp_path)
    made("init")
    return made


# doctor


def test_a_fresh_brain_is_healthy(gbrain: Gbrain) -> None:
    text = gbrain("doctor").out
    assert text.startswith("healthy: ")
    assert "[FAIL]" not in text
    assert "[WARN]" not in text
    report = gbrain("doctor", "--json").json
    assert (report["status"], report["complete"], report["top_issues"]) == ("healthy", True, [])
    assert gbrain("doctor", "--fast", "--json").json["complete"] is False


def test_the_doctor_sees_a_store_that_no_command_can_open(gbrain: Gbrain) -> None:
    database = gbrain.home / "brain.db"
    before = b"this is no database" * 300
    database.write_bytes(before)
    assert gbrain.run("recall").code == 6
    ran = gbrain.run("doctor")
    assert ran.code == 1
    assert "[FAIL] store" in ran.out
    assert "fix: " in ran.out
    assert gbrain.run("doctor", "--json").json["status"] == "unhealthy"
    assert database.read_bytes() == before


def test_the_doctor_works_without_a_brain(tmp_path: Path) -> None:
    ran = Gbrain(tmp_path).run("doctor")
    assert ran.code == 1
    assert "gbrain init" in ran.out
    refused = Gbrain(tmp_path).run("doctor", env={"GBRAIN_HOME": "relative"})
    assert refused.code == 1
    assert "absolute" in refused.out


# protocol


def test_protocol_in_its_three_forms(gbrain: Gbrain) -> None:
    assert "remember(fact, provenance, " in gbrain("protocol").out
    told = gbrain("protocol", "--json").json
    assert told["protocol_version"] == 1
    assert told["verbs"][0]["name"] == "remember"
    page = Path(__file__).parents[2] / "docs" / "protocol" / "memory-verbs-v1.md"
    assert gbrain("protocol", "--markdown").out == page.read_text(encoding="utf-8")


def test_protocol_stats(gbrain: Gbrain) -> None:
    assert gbrain("protocol", "stats").out == "No verb was called in the last 7 days.\n"
    gbrain("recall")
    assert gbrain("protocol", "stats", "--json").json["verbs"]["recall"]["calls"] == 1
    assert gbrain.run("protocol", "stats", "--days", "0").code == 2
    assert gbrain.run("protocol", "--json", "stats").code == 2


def test_protocol_conformance_of_a_server_that_is_none(gbrain: Gbrain) -> None:
    ran = gbrain.run("protocol", "conformance", "--target", "true", "--patience", "5")
    assert ran.code == 1
    for nothing in ("", "'"):
        refused = gbrain.run("protocol", "conformance", "--target", nothing)
        assert refused.code == 2
        assert "--target" in refused.err


# demo, bench


def test_demo(gbrain: Gbrain) -> None:
    assert PREFERENCE.fact in gbrain("demo").out
    assert gbrain("demo", "--json").json["ok"] is True


def test_bench_latency(gbrain: Gbrain, tmp_path: Path) -> None:
    small = ("--pages", "40", "--calls", "2", "--only", "operations", "--work", str(tmp_path / "work"))
    file = tmp_path / "figures.json"
    gbrain("bench", "latency", *small, "--json", str(file))
    assert json.loads(file.read_text())["figures"]
    ran = gbrain("bench", "latency", *small, "--json")
    assert ran.json["figures"]
    assert "measuring: operations" in ran.err
    assert gbrain.run("bench", "latency", "--pages", "0").code == 2


# The ends a command can come to


def test_an_interrupt_ends_with_130_and_without_a_word(gbrain: Gbrain) -> None:
    reader, writer = os.pipe()
    command = [sys.executable, "-m", "gbrain", "capture", "--stdin"]
    # A test run in the background may have been told to ignore interrupts, which a child inherits.
    started = subprocess.Popen(
        command,
        stdin=reader,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=gbrain.environment(),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(reader)
    try:
        # More than a pipe holds: once it is all written, the command is reading.
        for _ in range(3):
            os.write(writer, b"x" * 65536)
        # One that arrives between two system calls is only seen with the next, so it is sent until it is seen.
        for _ in range(30):
            started.send_signal(signal.SIGINT)
            if select.select([started.stdout], [], [], 1)[0]:
                break
        out, err = started.communicate(timeout=30)
    finally:
        os.close(writer)
        started.kill()
        started.wait()
    assert (started.returncode, out, err) == (130, b"", b"")
    assert gbrain("list").out == "No pages found.\n"
