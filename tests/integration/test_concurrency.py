"""Many processes on one store: nothing lost, nothing doubled, nobody refused; and writers that die at any moment.

The processes are real ones that share nothing but the folder, as the servers of several agent windows do.
"""

import json
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import databases
from gbrain import Brain, home as homes, open_brain
from stdio_server import Server, brain_folder, call, make_brain

PATIENCE = 120
BEGIN = """
import json, os, sys, time
from gbrain import BrainError, open_brain
from gbrain.registry import call
from gbrain.types import Caller

home, name, count, go = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
brain = open_brain(home)
brain.recall()
print("ready", flush=True)
while not os.path.exists(go):
    time.sleep(0.0005)
statuses, errors, slowest, calls = {}, [], 0.0, 0

def timed(verb, **arguments):
    global slowest, calls
    started = time.perf_counter()
    try:
        return call(brain, Caller.stdio(), verb, arguments).value
    except BrainError as error:
        errors.append(f"{error.code}: {error.message}")
    finally:
        calls += 1
        slowest = max(slowest, time.perf_counter() - started)

def told(**more):
    print(json.dumps({"errors": errors, "slowest": slowest, "statuses": statuses, "calls": calls, **more}), flush=True)
"""
WRITER = (
    BEGIN
    + """
for number in range(count):
    saved = timed("remember", fact=f"{name} signed paper {number} in the harbour office", provenance="test",
                  entity=f"people/{name}{number:03}-example")
    if saved:
        statuses[saved["status"]] = statuses.get(saved["status"], 0) + 1
told()
"""
)
READER = (
    BEGIN
    + """
number, seen = 0, 0
while not os.path.exists(go + ".done"):
    number += 1
    reply = timed("recall", limit=100) if number % 3 else timed("recall", query="paper harbour")
    timed("entity", name=f"people/a{number % count:03}-example")
    # As agents do: a reader that never rests would measure the processor, not the store.
    time.sleep(0.005)
    if reply and number % 3:
        assert reply["total"] >= min(seen, 100)
        seen = reply["total"]
told()
"""
)


class Party:
    """Processes that start their work at the same moment."""

    def __init__(self, home: Path, script: str, names: Sequence[str], count: int, go: Path) -> None:
        self.processes = [
            subprocess.Popen(
                [sys.executable, "-c", script, str(home), name, str(count), str(go)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for name in names
        ]

    def ready(self) -> "Party":
        for process in self.processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        return self

    def told(self) -> list[dict[str, Any]]:
        """What each process tells at its end."""
        answers = []
        for process in self.processes:
            out, error = process.communicate(timeout=PATIENCE)
            assert (process.returncode, error) == (0, "")
            answers.append(json.loads(out))
        return answers


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / ".gbrain"
    open_brain(str(folder), create=True).close()
    return folder


def sound(brain: Brain) -> bool:
    return brain.store.engine.rows("pragma integrity_check") == [{"integrity_check": "ok"}]


def live(brain: Brain) -> list[str]:
    rows = brain.store.engine.rows("select fact from facts where expired_at is null order by id")
    return [row["fact"] for row in rows]


def indexed(brain: Brain) -> bool:
    """Whether the text index holds exactly the facts of the table."""
    ids = {row["id"] for row in brain.store.engine.rows("select id from facts")}
    found = {row["rowid"] for row in brain.store.engine.rows("select rowid from fact_text_1")}
    return ids == found


def together(home: Path, tmp_path: Path, *scripts: str) -> list[dict[str, Any]]:
    """Run one process a script, each beginning at the same moment."""
    go = tmp_path / "go"
    parties = [Party(home, script, [f"p{number}"], 1, go).ready() for number, script in enumerate(scripts)]
    go.touch()
    return [answer for party in parties for answer in party.told()]


class TestThroughput:
    def test_four_writers_and_four_readers(self, home: Path, tmp_path: Path, record_property: Any) -> None:
        go = tmp_path / "go"
        writers = Party(home, WRITER, "abcd", 500, go).ready()
        readers = Party(home, READER, "wxyz", 500, go).ready()
        started = time.monotonic()
        go.touch()
        wrote = writers.told()
        seconds = time.monotonic() - started
        (tmp_path / "go.done").touch()
        read = readers.told()
        assert [answer["errors"] for answer in (*wrote, *read)] == [[]] * 8
        assert [answer["statuses"] for answer in wrote] == [{"inserted": 500}] * 4
        slowest = {"write": max(a["slowest"] for a in wrote), "read": max(a["slowest"] for a in read)}
        for name, value in {**slowest, "all": seconds, "reads": sum(a["calls"] for a in read)}.items():
            record_property(name, round(value, 3))
        print(f"2,000 remembers in {seconds:.1f} s; slowest calls {slowest}")
        assert max(slowest.values()) < 10
        with open_brain(str(home)) as brain:
            assert len(live(brain)) == 2_000
            assert sound(brain)
            assert indexed(brain)
            assert brain.recall(entity="people/d499-example")["total"] == 1

    @pytest.mark.parametrize("engine", ["sqlite", "postgres"])
    def test_two_servers_and_a_reader(self, tmp_path: Path, engine: str) -> None:
        """Two servers, one store: each writes its facts at the same time as the other, and nothing is refused."""
        if engine == "postgres":
            Path(brain_folder(tmp_path)).mkdir(0o700)
            homes.set_database_url(brain_folder(tmp_path), databases.emptied())
        make_brain(tmp_path)
        names = {"p": "people/p{:02}-example", "q": "people/q{:02}-example"}
        go = tmp_path / "go"
        reader = Party(Path(brain_folder(tmp_path)), READER, ["r"], 20, go).ready()
        with Server(tmp_path) as p, Server(tmp_path) as q:
            servers = {"p": p, "q": q}
            for server in servers.values():
                server.result("tools/list")
            go.touch()
            for letter, server in servers.items():
                server.send(
                    *(
                        call(
                            number,
                            "remember",
                            {
                                "fact": f"{letter} keeps lantern {number}",
                                "provenance": "test",
                                "entity": names[letter].format(number),
                            },
                        )
                        for number in range(100, 120)
                    )
                )
            for server in servers.values():
                replies = [server.receive() for _ in range(20)]
                assert [reply["id"] for reply in replies] == list(range(100, 120))
                for reply in replies:
                    assert reply["result"]["isError"] is False, reply
                    assert reply["result"]["structuredContent"]["status"] == "inserted"
            assert [server.finish() for server in servers.values()] == [0, 0]
        (tmp_path / "go.done").touch()
        assert reader.told()[0]["errors"] == []
        with open_brain(brain_folder(tmp_path)) as brain:
            assert len(live(brain)) == 40
            assert engine == "postgres" or sound(brain)
            for letter in names:
                for number in range(100, 120):
                    assert brain.recall(entity=names[letter].format(number))["total"] == 1


SAY = BEGIN + "\nsaved = timed('remember', **{arguments!r})\ntold(saved=saved)\n"


def say(fact: str, **more: str) -> str:
    return SAY.replace("{arguments!r}", repr({"fact": fact, "provenance": "test", **more}))


class TestOneVersion:
    """Of what two processes say at once about the same thing, one version is live afterwards."""

    @pytest.mark.parametrize("entity", ["Dana Oakes", ""])
    def test_the_same_claim(self, home: Path, tmp_path: Path, entity: str) -> None:
        answers = together(home, tmp_path, *[say("prefers green tea", entity=entity)] * 4)
        assert [answer["errors"] for answer in answers] == [[]] * 4
        assert sorted(answer["saved"]["status"] for answer in answers) == ["duplicate"] * 3 + ["inserted"]
        assert len({answer["saved"]["id"] for answer in answers}) == 1
        with open_brain(str(home)) as brain:
            assert live(brain) == ["prefers green tea"]

    def test_the_same_claim_in_other_words(self, home: Path, tmp_path: Path) -> None:
        texts = ["prefers green tea", "Prefers green tea.", "prefers  GREEN tea", "prefers green tea!"]
        answers = together(home, tmp_path, *[say(text, entity="Dana Oakes") for text in texts])
        assert sorted(answer["saved"]["status"] for answer in answers) == ["duplicate"] * 3 + ["inserted"]
        with open_brain(str(home)) as brain:
            assert len(live(brain)) == 1

    @pytest.mark.parametrize("before", [True, False])
    def test_another_value_of_the_same_attribute(self, home: Path, tmp_path: Path, before: bool) -> None:
        if before:
            with open_brain(str(home)) as brain:
                brain.remember(fact="lives in Lisbon", provenance="test", entity="Dana Oakes")
        places = ["Porto", "Faro", "Braga", "Evora"]
        answers = together(home, tmp_path, *[say(f"lives in {place}", entity="Dana Oakes") for place in places])
        assert [answer["errors"] for answer in answers] == [[]] * 4
        statuses = sorted(answer["saved"]["status"] for answer in answers)
        assert statuses == (["superseded"] * 4 if before else ["inserted"] + ["superseded"] * 3)
        with open_brain(str(home)) as brain:
            assert len(live(brain)) == 1
            history = brain.store.engine.rows("select id, superseded_by from facts order by id")
            assert [row["superseded_by"] for row in history[:-1]] == [row["id"] for row in history[1:]]
            assert history[-1]["superseded_by"] is None

    def test_the_same_correction(self, home: Path, tmp_path: Path) -> None:
        with open_brain(str(home)) as brain:
            id = brain.remember(fact="the launch is on 2031-05-04", provenance="test")["id"]
        dates = ["2031-06-01", "2031-06-02", "2031-06-03"]
        answers = together(home, tmp_path, *[say(f"the launch is on {date}", replaces=id) for date in dates])
        assert sorted(len(answer["errors"]) for answer in answers) == [0, 1, 1]
        assert all(error.startswith("invalid_params") for answer in answers for error in answer["errors"])
        with open_brain(str(home)) as brain:
            assert len(live(brain)) == 1

    def test_one_page(self, home: Path, tmp_path: Path) -> None:
        write = BEGIN + "\nsaved = timed('put_page', slug='p/1', content=f'# One\\n\\nby {name}', expected_version=0)\n"
        write += "told(saved=saved)\n"
        answers = together(home, tmp_path, *[write] * 4)
        assert sorted(len(answer["errors"]) for answer in answers) == [0, 1, 1, 1]
        assert all(error.startswith("version_conflict") for answer in answers for error in answer["errors"])
        with open_brain(str(home)) as brain:
            assert brain.get_page(slug="p/1")["version"] == 1

    def test_forgetting_the_same_fact(self, home: Path, tmp_path: Path) -> None:
        with open_brain(str(home)) as brain:
            id = brain.remember(fact="likes skiing", provenance="test")["id"]
        script = BEGIN + f"\nsaved = timed('forget', id={id!r})\ntold(saved=saved)\n"
        answers = together(home, tmp_path, *[script] * 4)
        assert sorted(answer["saved"]["expired"] for answer in answers) == [False, False, False, True]


class TestKilled:
    """What was acknowledged is there, however the writer ended."""

    ENDLESS = (
        BEGIN
        + """
number = 0
while True:
    number += 1
    saved = call(brain, Caller.stdio(), "remember", {"fact": f"{name} signed paper {number}", "provenance": "test",
                 "entity": f"{name} {number}"}).value
    os.write(1, (saved["id"] + "\\n").encode())
    if number % 5 == 0:
        call(brain, Caller.local(), "put_page", {"slug": f"{name}/{number}", "content": "lantern " * 2000})
"""
    )

    def test_writers_that_are_killed_at_any_moment(self, home: Path, tmp_path: Path) -> None:
        chance, go, acknowledged = random.Random(4), tmp_path / "go", set[int]()
        go.touch()
        for number in range(16):
            pair = Party(home, self.ENDLESS, [f"w{number}a", f"w{number}b"], 1, go).ready()
            survivor, victim = pair.processes
            assert victim.stdout is not None
            # The moment is counted in acknowledged writes, then in a bounded part of the next one.
            wanted = [victim.stdout.readline() for _ in range(chance.randrange(1, 12))]
            time.sleep(chance.uniform(0, 0.004))
            victim.kill()
            rest = victim.communicate(timeout=PATIENCE)[0]
            assert survivor.stdout is not None
            after = [survivor.stdout.readline() for _ in range(3)]
            survivor.kill()
            more = survivor.communicate(timeout=PATIENCE)[0]
            for text in ("".join(wanted) + rest, "".join(after) + more):
                acknowledged |= {int(line) for line in text.splitlines() if line.isdigit()}
            started = time.monotonic()
            with open_brain(str(home)) as brain:
                assert brain.remember(fact=f"after round {number}", provenance="test")["status"] == "inserted"
                assert time.monotonic() - started < 5, "a lock was left behind"
                held = {row["id"] for row in brain.store.engine.rows("select id from facts")}
                assert acknowledged <= held
                assert indexed(brain)
        with open_brain(str(home)) as brain:
            assert sound(brain)
        assert len(acknowledged) > 100


class TestLocked:
    """A live process keeps the write lock: others read on, and a write waits before it says so."""

    HOLDER = """
import sys
from gbrain import open_brain
brain = open_brain(sys.argv[1])
with brain.store.transaction():
    brain.store.engine.rows("insert into meta (key, value) values ('held', '')")
    print("held", flush=True)
    sys.stdin.readline()
print("released", flush=True)
"""
    WAITER = """
import json, sys, time
from gbrain import BrainError, open_brain
from gbrain.store import sqlite_connection
sqlite_connection.BUSY_SECONDS = float(sys.argv[2])
brain = open_brain(sys.argv[1])
print(json.dumps(brain.recall()["total"]), flush=True)
started = time.monotonic()
try:
    told = brain.remember(fact="said behind a lock", provenance="test")
except BrainError as error:
    told = {**error.envelope(), "exit": error.exit_code}
print(json.dumps({**told, "waited": time.monotonic() - started}), flush=True)
"""

    @pytest.fixture
    def holder(self, home: Path) -> Any:
        process = subprocess.Popen(
            [sys.executable, "-c", self.HOLDER, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()
        process.communicate()

    def waiter(self, home: Path, seconds: float) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-c", self.WAITER, str(home), str(seconds)], stdout=subprocess.PIPE, text=True
        )

    def test_reading_goes_on_and_a_write_is_told_why(self, home: Path, holder: Any) -> None:
        out = self.waiter(home, 0.5).communicate(timeout=PATIENCE)[0].splitlines()
        assert json.loads(out[0]) == 0
        told = json.loads(out[1])
        assert (told["error"], told["exit"], told["detail"]) == ("unavailable", 6, {"reason": "busy"})
        assert told["waited"] >= 0.4
        assert "gbrain doctor" in told["suggestion"]
        for word in ("damage", "corrupt", "init", "rm ", "delete"):
            assert word not in told["message"] + told["suggestion"]
        with open_brain(str(home)) as brain:
            assert live(brain) == []

    def test_a_write_goes_through_once_the_lock_is_gone(self, home: Path, holder: Any) -> None:
        waiter = self.waiter(home, 60)
        assert waiter.stdout is not None
        assert waiter.stdout.readline() == "0\n"
        holder.stdin.write("\n")
        holder.stdin.flush()
        assert holder.stdout.readline() == "released\n"
        told = json.loads(waiter.communicate(timeout=PATIENCE)[0])
        assert told["status"] == "inserted"

    def test_a_lock_dies_with_its_holder(self, home: Path, holder: Any) -> None:
        holder.kill()
        holder.wait()
        out = self.waiter(home, 5).communicate(timeout=PATIENCE)[0].splitlines()
        assert json.loads(out[1])["status"] == "inserted"
        with open_brain(str(home)) as brain:
            assert brain.store.engine.rows("select key from meta where key = 'held'") == []

    def test_a_first_opening_behind_a_lock_reads_too(self, home: Path, holder: Any) -> None:
        with open_brain(str(home), create=True) as brain:
            assert brain.recall()["total"] == 0
            assert brain.entity(name="Dana")["found"] is False
