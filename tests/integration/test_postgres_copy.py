"""`gbrain migrate`: a brain copied between the engines is the same brain, whatever happens on the way."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import databases
from gbrain import Brain, Caller, home as homes, open_brain, registry
from gbrain.brain import copy_brain, join_database
from gbrain.domain.spending import Amount
from gbrain.errors import BrainError, InvalidParams, Unavailable
from gbrain.store.calls import Done, Started, Wanted
from gbrain.store.copy import digest
from gbrain.store.engine import Engine
from gbrain.store.postgres import PostgresEngine

GBRAIN = str(Path(sys.executable).with_name("gbrain"))
PATIENCE = 60.0
NOW = datetime(2031, 5, 4, 22, 10, tzinfo=UTC)


def fresh() -> str:
    """The URL of an empty database."""
    return databases.shared().url(databases.shared().create())


def silent(text: str) -> None:
    """Say nothing."""


def fill(home: str, pages: int = 40) -> None:
    """Everything a brain can hold, odd texts included."""
    with open_brain(home, create=True) as brain:
        for number in range(pages):
            private = "visibility: private\n" if number % 7 == 0 else ""
            text = (
                f"---\ntitle: Page {number}\naliases: [P{number}, 灯塔{number}]\ntags: [t{number % 3}]\n{private}---\n"
            )
            brain.put_page(slug=f"notes/p{number}", content=f"{text}\nlantern {number} \x7f ünï 🏮 %_\\ '\"\n")
            brain.remember(fact=f"fact {number} of 倉庫の鍵 — “quoted”", provenance="a test", entity=f"notes/p{number}")
        brain.put_page(slug="notes/p1", content="# Second\n\nversion two\n")
        brain.delete_page(slug="notes/p2")
        brain.forget(id="3", reason="wrong")
        brain.remember(fact="is on a train", provenance="a test", ttl="2h", visibility="private")
        for number in range(1, pages - 1):
            if number != 1:
                brain.add_link(**{"from": "notes/p1", "to": f"notes/p{number + 1}", "link_type": "knows"})
        brain.add_tag(slug="notes/p3", tag="by-hand")
        brain.add_timeline_entry(slug="notes/p3", date="2031-05", summary="walked")
        brain.config_set(key="search.mode", value="balanced")
        brain.config_set(key="memory.auto_writeback", value="all")
        agent = Caller.stdio(client="agent-example")
        registry.call(brain, agent, "delta", {"session_id": "s", "since": "2001-01-01"})
        brain.store.sources.ensure("other", "2031-05-04T22:10:00.000000Z")
        meter(brain)
    with open_brain(home, source="other") as brain:
        brain.put_page(slug="notes/p1", content="# The other one\n\nlantern\n")


def meter(brain: Brain) -> None:
    """What models leave behind: a turn that was read, a fact with a figure, and a call of a place that failed."""
    turns, calls = brain.store.turns, brain.store.calls
    assert turns.claim("default", "0" * 32, "me", 60.0, "2031-05-04T22:10:00.000000Z").state == "taken"
    turns.finish("default", "0" * 32, "me", [4], "extract-1 a:b", "2031-05-04T22:10:00.000000Z")
    brain.store.engine.rows(
        "update facts set dated = '2031-04', metric = 'weight', value = 70.5, unit = 'kg', period = '2031-04',"
        " made_by = 'extract-1 a:b', consent = 'all:0a1b2c3d' where id = 4"
    )
    wanted = Wanted("extract", "a:b", "a", "s", "0" * 32, Amount(100, 7), 60.0)
    begun = calls.begin(wanted, [], NOW)
    assert isinstance(begun, Started)
    calls.end(begun, "a", Done("timeout", Amount(100, 7), None, None, 7, 3, 900, outage=True), NOW)


def state(home: str) -> dict[str, Any]:
    """The digest of every table of a brain, and what it answers."""
    with open_brain(home) as brain:
        engine = brain.store.engine
        held: dict[str, Any] = {name: digest(engine, name, shape) for name, shape in engine.shapes().items()}
        # A key may be a longer one on the other engine; which columns there are may not differ.
        held["columns"] = {name: sorted(shape.columns) for name, shape in engine.shapes().items()}
        held["search"] = [
            # Behind the first stand hits that say the same, and each engine has an order of its own for them.
            [row["slug"] for row in brain.search(query=words)][:1]
            for words in ("倉庫", "灯塔4", "version two")
        ]
        held["lantern"] = sorted(row["slug"] for row in brain.search(query="lantern", limit=100))
        held["facts"] = brain.recall(query="fact 4 鍵")["facts"][:1]
        return held


@pytest.fixture
def old(tmp_path: Path) -> str:
    """The home of a filled brain on SQLite."""
    home = str(tmp_path / "old")
    fill(home)
    return home


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A brain large enough to be in the middle of."""
    home = str(tmp_path_factory.mktemp("large") / ".gbrain")
    fill(home, 900)
    return home


def test_there_and_back_again(old: str, tmp_path: Path) -> None:
    before, file = state(old), Path(old, homes.DATABASE).read_bytes()
    url = fresh()
    counts = copy_brain(old, url, silent)
    assert counts["pages"] == 41
    team, back = str(tmp_path / "team"), str(tmp_path / "back")
    join_database(team, url).close()
    assert state(team) == before
    copy_brain(team, f"sqlite:{back}/brain.db", silent)
    assert state(back) == before
    assert Path(old, homes.DATABASE).read_bytes() == file
    again = fresh()
    copy_brain(back, again, silent)
    join_database(str(tmp_path / "team2"), again).close()
    assert state(str(tmp_path / "team2")) == before == state(team)


@pytest.mark.parametrize("target", ["postgres", "sqlite"])
def test_new_rows_get_numbers_of_their_own(old: str, tmp_path: Path, target: str) -> None:
    home = str(tmp_path / "new")
    if target == "postgres":
        url = fresh()
        copy_brain(old, url, silent)
        join_database(home, url).close()
    else:
        copy_brain(old, f"sqlite:{home}/brain.db", silent)
    with open_brain(home) as brain:
        ids = {row["id"] for row in brain.store.engine.rows("select id from facts")}
        assert int(brain.remember(fact="is new", provenance="a test")["id"]) == max(ids) + 1
        changed = brain.store.pages.last_change()
        assert brain.put_page(slug="notes/new", content="# New\n\nquokka\n")["version"] == 1
        assert brain.store.pages.last_change() == changed + 1
        assert brain.put_page(slug="notes/p1", content="# Third\n\nquokka\n", expected_version=2)["version"] == 3
        assert {row["slug"] for row in brain.search(query="quokka")} == {"notes/new", "notes/p1"}


def test_a_home_goes_over_to_its_copy(old: str) -> None:
    url = fresh()
    with pytest.raises(InvalidParams, match="a brain of its own"):
        join_database(old, url)
    url = fresh()
    before = state(old)
    copy_brain(old, url, silent)
    join_database(old, url).close()
    with open_brain(old) as brain:
        assert brain.store.engine.name == "postgres"
    assert state(old) == before
    assert Path(old, homes.DATABASE).exists()


class TestRefusals:
    def test_a_target_with_a_brain(self, old: str, tmp_path: Path) -> None:
        url = fresh()
        join_database(str(tmp_path / "team"), url).close()
        fill(str(tmp_path / "third"), 5)
        for target in (url, f"sqlite:{tmp_path}/third/brain.db"):
            with pytest.raises(InvalidParams, match="holds a brain already"):
                copy_brain(old, target, silent)

    def test_a_finished_copy_is_not_written_over(self, old: str) -> None:
        url = fresh()
        copy_brain(old, url, silent)
        with pytest.raises(InvalidParams, match="holds a brain already"):
            copy_brain(old, url, silent)

    def test_another_programs_store(self, old: str, tmp_path: Path) -> None:
        url, file = fresh(), tmp_path / "other.db"
        databases.shared().sql("create table pages (id int)", database=url.partition("@/")[2].partition("?")[0])
        subprocess.run(
            [sys.executable, "-c", f"import sqlite3; sqlite3.connect({str(file)!r}).execute('create table a (b)')"],
            check=True,
        )
        for target in (url, f"sqlite:{file}"):
            with pytest.raises(Unavailable, match="another program"):
                copy_brain(old, target, silent)

    def test_itself_and_nonsense(self, old: str, tmp_path: Path) -> None:
        for target in (f"sqlite:{old}/brain.db", "nowhere", "mysql://x/y", ""):
            with pytest.raises(InvalidParams):
                copy_brain(old, target, silent)
        with pytest.raises(BrainError, match="no brain"):
            copy_brain(str(tmp_path / "empty"), fresh(), silent)
        assert not (tmp_path / "empty").exists()


class TestWrittenToMeanwhile:
    def test_what_came_in_the_meantime_is_copied_too(self, old: str, tmp_path: Path) -> None:
        url, once = fresh(), [True]

        def say(text: str) -> None:
            if text == "links" and once.pop() if once else False:
                with open_brain(old) as brain:
                    brain.remember(fact="came late", provenance="a test")
                    brain.put_page(slug="notes/p5", content="# Rewritten\n\nwombat\n")
                    brain.remove_link(**{"from": "notes/p1", "to": "notes/p4", "source_id": "default"})

        copy_brain(old, url, say)
        join_database(str(tmp_path / "team"), url).close()
        assert state(str(tmp_path / "team")) == state(old)

    def test_one_that_never_rests_is_refused(self, old: str, tmp_path: Path) -> None:
        number = [0]

        def say(text: str) -> None:
            if text == "comparing":
                number[0] += 1
                with open_brain(old) as brain:
                    brain.remember(fact=f"item {number[0]} came late", provenance="a test")

        url = fresh()
        with pytest.raises(Unavailable, match="each time anew") as raised:
            copy_brain(old, url, say)
        assert "gbrain migrate" in raised.value.suggestion
        with pytest.raises(Unavailable, match="not complete"):
            join_database(str(tmp_path / "team"), url)
        copy_brain(old, url, silent)
        join_database(str(tmp_path / "team"), url).close()
        assert state(str(tmp_path / "team")) == state(old)


def run(home: str, *arguments: str, **more: Any) -> subprocess.Popen[str]:
    """A gbrain command of its own, in a home named `.gbrain`."""
    env = {**os.environ, "GBRAIN_HOME": str(Path(home).parent)}
    return subprocess.Popen([GBRAIN, *arguments], env=env, text=True, **more)


class TestCommand:
    @pytest.fixture
    def home(self, filled: str, tmp_path: Path) -> str:
        return str(shutil.copytree(filled, tmp_path / "here" / ".gbrain"))

    @pytest.mark.parametrize("after", ["facts", "page_versions", "pages: text index"])
    @pytest.mark.parametrize("to", ["postgres", "sqlite"])
    def test_a_copy_that_was_killed_goes_on(self, home: str, tmp_path: Path, after: str, to: str) -> None:
        target = fresh() if to == "postgres" else f"sqlite:{tmp_path}/copy/brain.db"
        process = run(home, "migrate", "--to", target, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stderr is not None
        for line in process.stderr:
            if line.strip() == after:
                process.send_signal(signal.SIGKILL)
                break
        process.communicate(timeout=PATIENCE)
        assert process.returncode == -signal.SIGKILL
        process = run(home, "migrate", "--to", target, "--json", stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        out, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, said
        assert "comparing" in said
        answer = json.loads(out)
        assert answer["rows"]["pages"] == 901
        copy = str(tmp_path / "copy")
        if to == "postgres":
            join_database(copy, target).close()
        assert state(copy) == state(home)

    def test_what_a_person_is_told(self, tmp_path: Path) -> None:
        home = str(tmp_path / "here" / ".gbrain")
        fill(home, 5)
        url = fresh().replace(":@", ":EXAMPLE-pw@")
        out, said = run(home, "migrate", "--to", url, stderr=subprocess.PIPE, stdout=subprocess.PIPE).communicate(
            timeout=PATIENCE
        )
        assert "EXAMPLE-pw" not in out + said
        assert "postgres:***@" in out
        assert "gbrain init --postgres URL" in out
        out, _ = run(home, "init", "--postgres", url, "--json", stdout=subprocess.PIPE).communicate(timeout=PATIENCE)
        assert "EXAMPLE-pw" not in out
        assert json.loads(out)["engine"] == "postgres"
        file = str(tmp_path / "back" / ".gbrain" / "brain.db")
        out, _ = run(home, "migrate", "--to", f"sqlite:{file}", stdout=subprocess.PIPE).communicate(timeout=PATIENCE)
        assert f"export GBRAIN_HOME={tmp_path}/back" in out
        assert state(str(tmp_path / "back" / ".gbrain")) == state(home)
        process = run(home, "migrate", stderr=subprocess.PIPE)
        assert "gbrain migrate --to URL" in process.communicate(timeout=PATIENCE)[1]
        assert process.returncode == 2


def test_both_engines_have_the_same_tables(tmp_path: Path) -> None:
    """A table or column of one schema that the other lacks could not be copied."""

    def columns(engine: Engine) -> dict[str, list[str]]:
        return {name: sorted(shape.columns) for name, shape in engine.shapes().items()}

    engine = PostgresEngine(databases.emptied())
    with open_brain(str(tmp_path / "home"), create=True) as brain:
        assert columns(brain.store.engine) == columns(engine)
    engine.close()


def test_a_brain_that_is_opened_is_never_a_part_of_one(tmp_path: Path, old: str) -> None:
    def stop(text: str) -> None:
        if text == "facts":
            raise KeyboardInterrupt

    for target, home in ((fresh(), tmp_path / "team"), (f"sqlite:{tmp_path}/half/brain.db", tmp_path / "half")):
        with pytest.raises(KeyboardInterrupt):
            copy_brain(old, target, stop)
        opening: Callable[[], Brain] = (
            (lambda home=home: open_brain(str(home)))
            if target.startswith("sqlite")
            else (lambda home=home, url=target: join_database(str(home), url))
        )
        with pytest.raises(Unavailable, match="a copy that is not complete") as raised:
            opening()
        assert "gbrain migrate" in raised.value.suggestion
