"""The check of ambient memory (table M), and the proof that off is off."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from commandline import AGENTS
from gbrain import Brain, Caller, open_brain
from gbrain.ambient import bank, contract
from gbrain.ambient.capture import LOG
from gbrain.ambient.contract import Options
from gbrain.domain.times import store_time
from gbrain.harnesses import blocks
from gbrain.harnesses.known import EVERY
from gbrain.journal import USAGE, Journal
from gbrain.mirror_writing import edit

MODE = "memory.auto_writeback"


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home, with no agent's files in it."""
    for name in AGENTS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    (tmp_path / "person" / ".claude").mkdir(parents=True)
    (tmp_path / "person" / ".codex").mkdir()
    return tmp_path / "person"


@pytest.fixture
def found(home: Path, person: Path, examined: Any) -> Callable[[], Any]:
    """The row of the check."""
    return lambda: examined(home)["memory_writeback"]


def setting(home: Path, **given: str | None) -> None:
    """Set settings, `__` being the dot of their names; None unsets."""
    with open_brain(str(home)) as brain:
        for name, value in given.items():
            key = name.replace("__", ".")
            if value is None:
                brain.call("config_unset", {"key": key})
            else:
                brain.call("config_set", {"key": key, "value": value})


def stored(home: Path, key: str, value: str) -> None:
    """Put a value past every check."""
    with open_brain(str(home)) as brain:
        brain.store.config.set(key, value)


def told(path: Path, name: str, home: Path, body: str, state: str = "confirmed") -> None:
    """A block in a file, and a receipt that says so."""
    path.write_text(blocks.spliced("# Mine\n", blocks.AMBIENT, f"<!-- head -->\n{body}", str(path)))
    receipt = {"harness_receipt_version": 1, "harnesses": {name: {"state": state, "files": {}}}}
    (home / "bootstrap").mkdir(exist_ok=True)
    (home / "bootstrap" / "harness.json").write_text(json.dumps(receipt))


def section(ttl: str = "3d") -> str:
    return contract.section(Options("salient", ttl, "world", None))


def test_m1_off_by_default_is_fine(found: Callable[[], Any]) -> None:
    row = found()
    assert (row["status"], "gbrain config set memory.auto_writeback salient" in row["message"]) == ("ok", True)
    assert (row["data"]["instruction_visibility"], row["data"]["backstop_visibility"]) == ("world", "private")
    assert "fix" not in row
    assert "details" not in row


def test_m2_what_is_no_mode_counts_as_off_and_is_told(home: Path, found: Callable[[], Any]) -> None:
    stored(home, MODE, "always")
    row = found()
    assert (row["status"], "'always'" in row["message"], row["fix"]) == (
        "warn",
        True,
        "gbrain config set memory.auto_writeback off",
    )
    assert (row["data"]["mode_valid"], row["data"]["raw_mode"]) == (False, "always")


def test_m3_on_and_the_same_on_both_planes(home: Path, found: Callable[[], Any]) -> None:
    setting(home, memory__auto_writeback="salient", facts__default_visibility="private")
    setting(home, memory__auto_writeback_transient_ttl="12h")
    row = found()
    assert row["status"] == "ok"
    data = row["data"]
    assert (data["mode"], data["transient_ttl"], data["file_mirror_mode"]) == ("salient", "12h", "salient")
    assert (data["instruction_visibility"], data["backstop_visibility"]) == ("private", "private")
    assert (data["audience"], "counts both" in data["remember_over_mcp_7d"]["note"]) == ("personal", True)


def test_m4_a_block_that_lags_behind_the_settings(home: Path, person: Path, found: Callable[[], Any]) -> None:
    setting(home, memory__auto_writeback="salient")
    told(person / ".claude" / "CLAUDE.md", "claude-code", home, section())
    row = found()
    assert (row["status"], row["data"]["instruction_blocks"][0]["probe"]) == ("ok", "current")
    setting(home, memory__auto_writeback_transient_ttl="12h")
    row = found()
    assert (row["status"], row["data"]["instruction_blocks"][0]["probe"]) == ("warn", "drift")
    assert row["fix"] == "gbrain bootstrap harness --yes"


@pytest.mark.parametrize(("text", "probe"), [("", "missing"), ("<!-- gbrain:ambient-writeback:end -->\n", "damaged")])
def test_m4_a_block_that_is_gone_or_broken(
    home: Path, person: Path, found: Callable[[], Any], text: str, probe: str
) -> None:
    setting(home, memory__auto_writeback="salient")
    path = person / ".claude" / "CLAUDE.md"
    told(path, "claude-code", home, section())
    path.write_text(text)
    row = found()
    assert (row["status"], row["data"]["instruction_blocks"][0]["probe"]) == ("warn", probe)


def test_m5_an_override_takes_the_place_of_the_block(home: Path, person: Path, found: Callable[[], Any]) -> None:
    setting(home, memory__auto_writeback="salient")
    told(person / ".codex" / "AGENTS.md", "codex", home, section())
    assert found()["status"] == "ok"
    (person / ".codex" / "AGENTS.override.md").write_text("Mine alone.\n")
    row = found()
    assert (row["status"], "AGENTS.override.md" in row["message"]) == ("warn", True)
    assert row["data"]["instruction_blocks"][0]["override_blocked"] is True


def test_m6_without_a_store_it_goes_by_the_file(home: Path, found: Callable[[], Any]) -> None:
    setting(home, memory__auto_writeback="salient")
    (home / "brain.db").write_text("no database at all")
    row = found()
    assert (row["status"], row["data"]["plane"], row["data"]["file_mirror_mode"]) == (
        "ok",
        "file-mirror-only",
        "salient",
    )


def test_m7_a_brain_that_is_on_and_a_silent_file(home: Path, found: Callable[[], Any]) -> None:
    setting(home, memory__auto_writeback="salient")
    (home / "config.json").unlink()
    row = found()
    assert (row["status"], "(unset)" in row["message"]) == ("warn", True)
    assert (row["fix"], row["data"]["plane_drift"]) == ("gbrain config set memory.auto_writeback salient", True)


def test_m7_the_other_way_round_the_hooks_would_go_on(home: Path, found: Callable[[], Any]) -> None:
    edit(str(home), {MODE: "all"})
    row = found()
    assert (row["status"], row["fix"]) == ("warn", "gbrain config unset memory.auto_writeback")


def test_m8_a_harness_that_could_not_be_joined(home: Path, person: Path, found: Callable[[], Any]) -> None:
    setting(home, memory__auto_writeback="salient")
    told(person / ".claude" / "CLAUDE.md", "claude-code", home, section(), state="failed")
    row = found()
    assert (row["status"], row["data"]["instruction_blocks"][0]["probe"]) == ("warn", "current")


@pytest.mark.parametrize("mode", ["off", None])
def test_m9_off_with_a_block_left_is_not_off(
    home: Path, person: Path, found: Callable[[], Any], mode: str | None
) -> None:
    setting(home, memory__auto_writeback="salient")
    setting(home, memory__auto_writeback=mode)
    path = person / ".claude" / "CLAUDE.md"
    path.write_text(blocks.spliced("# Mine\n", blocks.AMBIENT, section(), str(path)))
    row = found()
    assert (row["status"], row["fix"]) == ("warn", "gbrain bootstrap harness --yes")
    assert row["data"]["lingering_instruction_blocks"] == [str(path)]
    path.write_text("# Mine\n")
    assert found()["status"] == "ok"


def line(home: Path, name: str, **told: Any) -> None:
    Journal(str(home)).append(name, {"ts": store_time(datetime.now(UTC)), **told})


def test_m10_what_agents_saved_in_a_week(home: Path, found: Callable[[], Any]) -> None:
    setting(home, memory__auto_writeback="salient")
    for status in ("inserted", "duplicate", "superseded"):
        line(home, USAGE, verb="remember", remote=True, ok=True, remember_status=status)
    line(home, USAGE, verb="remember", remote=True, ok=False, error="invalid_params")
    line(home, USAGE, verb="remember", remote=False, ok=True, remember_status="inserted")
    line(home, USAGE, verb="recall", remote=True, ok=True)
    line(home, USAGE, verb="remember", remote=True, ok=True, remember_status="inserted", ts="2001-01-01T00:00:00Z")
    told = found()["data"]["remember_over_mcp_7d"]
    assert [told[key] for key in ("inserted", "duplicate", "superseded", "failed")] == [1, 1, 1, 1]
    assert "asked" in told["note"]


def test_m10_an_agents_own_calls_are_what_is_counted(home: Path, found: Callable[[], Any]) -> None:
    setting(home, memory__auto_writeback="salient")
    with open_brain(str(home)) as brain:
        assert isinstance(brain, Brain)
        for _ in range(2):
            brain.call("remember", {"fact": "owns a red boat", "provenance": "chat"}, caller=Caller.stdio())
    told = found()["data"]["remember_over_mcp_7d"]
    assert (told["inserted"], told["duplicate"]) == (1, 1)


def test_what_became_of_turns_in_a_week(home: Path, found: Callable[[], Any]) -> None:
    setting(home, memory__auto_writeback="salient")
    for reason in ("wb_scheduled", "no_serve", "flush_skip_queue_full", "wb_dup", "too_short"):
        line(home, LOG, event="writeback-bank", outcome="ok", reason=reason, turns=int(reason != "wb_dup"))
    line(home, LOG, event="writeback-bank", outcome="degraded", reason="parse_failed")
    line(home, LOG, event="writeback", outcome="ok", inserted=2, duplicate=1, superseded=1)
    line(home, LOG, event="writeback", outcome="ok", reason="writeback_off")
    line(home, LOG, event="writeback", outcome="error", reason="oserror")
    made = found()["data"]["backstop_7d"]
    counted = [made[key] for key in ("inserted", "duplicate", "superseded", "skipped", "failed", "turns_banked")]
    assert counted == [2, 1, 1, 2, 1, 3]
    assert made["last_ok_at"] is not None


def test_many_failures_are_told(home: Path, found: Callable[[], Any]) -> None:
    setting(home, memory__auto_writeback="salient")
    for number in range(10):
        failed = {"outcome": "degraded", "reason": "extract_skipped_provider_error"}
        line(home, LOG, event="writeback", **(failed if number < 3 else {"outcome": "ok", "inserted": 1}))
    row = found()
    assert (row["status"], row["fix"]) == ("warn", "gbrain sweep --once")
    assert row["message"].startswith("3 turns")


def test_turns_that_wait_too_long_are_told_before_they_go(home: Path, found: Callable[[], Any]) -> None:
    setting(home, memory__auto_writeback="salient")
    bank.bank(str(home), "s1", "1" * 24, None, "I prefer tea.")
    assert found()["data"]["corpus_backlog"] == {"turns": 1, "oldest_days": 0}
    (path,) = Path(bank.folder(str(home))).iterdir()
    long_ago = (datetime.now(UTC) - timedelta(days=21, hours=1)).timestamp()
    os.utime(path, (long_ago, long_ago))
    row = found()
    assert (row["status"], "it is deleted in 8" in row["message"]) == ("warn", True)


def test_the_split_is_named_with_the_one_command_that_ends_it(home: Path, found: Callable[[], Any]) -> None:
    setting(home, memory__auto_writeback="salient")
    assert any("gbrain config set facts.default_visibility world" in text for text in found()["details"])
    setting(home, facts__default_visibility="world")
    assert not any("facts.default_visibility" in text for text in found()["details"])


def test_off_with_shadow_mode_on_says_so(home: Path, found: Callable[[], Any]) -> None:
    setting(home, memory__auto_writeback_shadow="on")
    row = found()
    assert (row["status"], row["data"]["shadow"], "gbrain writeback preview" in row["details"][0]) == ("ok", True, True)


def test_off_is_proved_in_the_files_of_every_harness(home: Path, person: Path, found: Callable[[], Any]) -> None:
    rows = found()["data"]["askers"]
    assert {row["harness"] for row in rows} == {facts.name for facts in EVERY}
    assert {row["kind"] for row in rows if row["harness"] == "claude-code"} == {"instructions", "hooks"}
    assert {row["state"] for row in rows} == {"absent"}
    assert not any(row["asks"] for row in rows)
    hook = {"type": "command", "command": "python -I -S /x/gbrain/ambient/hook.py stop claude-code --capture"}
    (person / ".claude" / "settings.json").write_text(json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
    row = found()
    assert (row["status"], "settings.json" in row["message"]) == ("warn", True), "nothing is set and it keeps turns"
    setting(home, memory__auto_writeback="off")
    row = found()
    assert (row["status"], [one["state"] for one in row["data"]["askers"]].count("present")) == ("ok", 1)
