"""The question at `init` and after an upgrade, and `gbrain advisor`, as people and agents meet them."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from commandline import Gbrain
from http_server import HttpServer

MODE = "memory.auto_writeback"


@pytest.fixture
def fresh(tmp_path: Path) -> Gbrain:
    return Gbrain(tmp_path)


def test_e8_init_asks_once_without_a_terminal_and_beside_its_answer(fresh: Gbrain) -> None:
    first, second = fresh("init", "--json"), fresh("init")
    assert first.json["created"]
    assert (first.err.count("[AGENT] "), second.err) == (4, "")
    assert fresh("config", "get", MODE).out == "off\n"


def test_at_a_terminal_the_person_is_asked_before_an_agent_is(fresh: Gbrain) -> None:
    code, seen = fresh.at_terminal("init")
    assert (code, seen.count("[AGENT] ")) == (0, 4)
    assert seen.index(f"If so, run: gbrain config set {MODE} salient") < seen.index("[AGENT] ")
    assert "[AGENT]" not in fresh("stats").err


def test_who_says_no_changed_nothing_and_did_nothing_wrong(fresh: Gbrain) -> None:
    fresh("init")
    (fresh.base / ".claude").mkdir()
    home = {"HOME": str(fresh.base)}
    code, seen = fresh.at_terminal("bootstrap", "harness", "--harness", "claude-code", env=home, answer="n\n")
    assert (code, "Error" in seen) == (0, False), seen
    assert "Nothing was changed. To only see what there is: gbrain bootstrap harness --status" in seen
    assert not list((fresh.base / ".claude").iterdir())


def test_e11_init_is_silent_where_that_is_wanted(fresh: Gbrain) -> None:
    assert fresh.run("init", env={"GBRAIN_NO_ONBOARD_NUDGE": "1"}).err == ""
    assert "[AGENT]" in fresh("init").err


def test_an_upgrade_asks_once_beside_whatever_is_run_first(fresh: Gbrain) -> None:
    fresh.run("init", env={"GBRAIN_NO_ONBOARD_NUDGE": "1"})
    with closing(sqlite3.connect(fresh.home / "brain.db")) as db, db:
        db.execute("update meta set value = '0.0.1' where key = 'opened_by'")
    assert "[AGENT]" not in fresh("stats", "--json").err
    assert [fresh("stats").err.count("[AGENT] ") for _ in range(2)] == [4, 0]


def test_advisor_applies_what_it_can_and_leaves_the_person_their_decision(fresh: Gbrain) -> None:
    fresh("init")
    shown = fresh("advisor")
    assert "[info] writeback_consent_pending" in shown.out
    for words in (("--apply",), ("--only", "writeback_consent_pending")):
        refused = fresh.run("advisor", *words)
        assert (refused.code, "for the person to decide" in refused.err) == (4, True)
    assert fresh("config", "get", MODE, "--json").json["stored"] is None
    assert fresh.run("advisor", "--only", "nothing").code == 3
    fresh("config", "set", MODE, "salient")
    (fresh.home / "config.json").unlink()
    shown = fresh.run("advisor")
    assert (shown.code, f"fix: gbrain config set {MODE} salient" in shown.out) == (1, True)
    assert fresh("advisor", "--apply").code == 0
    assert "Nothing to advise." in fresh("advisor").out
    assert "Nothing to do." in fresh("advisor", "--apply").out


def test_e11_e14_a_home_whose_brain_a_server_keeps_is_neither_asked_nor_reminded(fresh: Gbrain, tmp_path: Path) -> None:
    fresh("init")
    token = fresh("auth", "create", "laptop", "--scopes", "read,write,admin", "--json").json["token"]
    thin = Gbrain(tmp_path / "thin")
    thin.base.mkdir()
    with HttpServer(fresh.base) as server:
        joined = thin("init", "--remote", server.url.removesuffix("/mcp"), "--token", "-", stdin=token)
        assert "[AGENT]" not in joined.err
        assert "[AGENT]" not in thin("recall").err
        assert thin("advisor").out == "Nothing to advise.\n"
    assert "writeback_consent_pending" in fresh("advisor").out


def test_e11_a_mounted_brain_is_neither_asked_nor_reminded(fresh: Gbrain, tmp_path: Path) -> None:
    fresh("init")
    team = Gbrain(tmp_path / "team")
    team.base.mkdir()
    team.run("init", env={"GBRAIN_NO_ONBOARD_NUDGE": "1"})
    fresh("mounts", "add", "team", str(team.home))
    with closing(sqlite3.connect(team.home / "brain.db")) as db, db:
        db.execute("update meta set value = '0.0.1' where key = 'opened_by'")
    assert "[AGENT]" not in fresh("stats", "--brain", "team").err
    assert fresh("advisor", "--brain", "team").out == "Nothing to advise.\n"
