"""`gbrain init --postgres` and `gbrain doctor` on a brain in a database, as a person runs them."""

import json
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest

import databases
from commandline import Gbrain
from gbrain import doctor, home as homes
from gbrain.ambient import reach
from recalling import HOOK, PYTHON
from stdio_server import Server

SECRET = "EXAMPLE-pw"
CHECKS = [item.name for item in doctor.checks() if item.engine in ("any", "", "postgres")]


@pytest.fixture(scope="module", autouse=True)
def roles() -> None:
    """A role that owns databases, and one that owns nothing."""
    databases.shared().sql("create role keeper login", "create role visitor login")


@pytest.fixture
def name() -> str:
    """A database of the keeper's."""
    return databases.shared().create(owner="keeper")


@pytest.fixture
def gbrain(tmp_path: Path) -> Gbrain:
    return Gbrain(tmp_path)


def checks(gbrain: Gbrain) -> dict[str, Any]:
    """The rows of the report by name."""
    return {row["name"]: row for row in doctor.report(str(gbrain.home), True)["checks"]}


def url(name: str, user: str = "keeper") -> str:
    return databases.shared().url(name, user=user, password=SECRET)


def test_a_brain_is_made_used_and_examined(gbrain: Gbrain, name: str) -> None:
    shown = gbrain("init", "--postgres", url(name))
    assert f"The brain is ready: postgresql://keeper:***@/{name}" in shown.out
    assert not (gbrain.home / homes.DATABASE).exists()
    gbrain("remember", "prefers green tea", "--provenance", "a test", "--entity", "Dana")
    assert "prefers green tea" in gbrain("recall", "Dana").out
    again = gbrain("init", "--json").json
    assert (again["engine"], again["created"], again["facts"]) == ("postgres", False, 1)
    report = gbrain("doctor", "--json")
    rows = {row["name"]: row["status"] for row in report.json["checks"]}
    assert list(rows) == CHECKS
    assert {name for name, status in rows.items() if status != "ok"} == {"server.vector"}
    assert report.json["complete"] is True
    assert SECRET not in shown.out + report.out + gbrain("call", "whoami", "{}").out


def test_the_extension_is_said_with_what_to_run(gbrain: Gbrain, name: str) -> None:
    gbrain("init", "--postgres", url(name))
    row = checks(gbrain)["server.vector"]
    assert (row["status"], "is not installed in this database" in row["message"]) == ("warn", True)
    command = shlex.split(row["fix"])
    assert (command[0], command[2:]) == ("psql", ["-c", "create extension vector"])
    assert SECRET not in row["fix"]
    databases.shared().sql(command[-1], database=name)
    assert checks(gbrain)["server.vector"]["message"].startswith("pgvector 0.8")


def test_the_wall_is_put_up_and_looked_after(gbrain: Gbrain, name: str) -> None:
    gbrain("init", "--postgres", url(name), "--rls")
    row = checks(gbrain)["server.wall"]
    assert (row["status"], bool(re.match(r"up on 1\d tables", row["message"]))) == ("ok", True)
    gbrain("remember", "prefers green tea", "--provenance", "a test")
    assert "prefers green tea" in gbrain("recall").out
    databases.shared().sql("drop policy reach on tags", database=name)
    row = checks(gbrain)["server.wall"]
    assert (row["status"], row["details"]) == ("fail", ["open: tags"])
    assert row["fix"].endswith("--rls")
    gbrain(*shlex.split(row["fix"])[1:-1], "--rls")
    assert checks(gbrain)["server.wall"]["status"] == "ok"
    databases.shared().sql("alter role keeper bypassrls")
    assert "sees through it" in checks(gbrain)["server.wall"]["message"]
    databases.shared().sql("alter role keeper nobypassrls")


def test_a_role_that_owns_nothing_is_told_what_it_lacks(gbrain: Gbrain, name: str) -> None:
    gbrain("init", "--postgres", url(name))
    homes.set_database_url(str(gbrain.home), url(name, "visitor"))
    rows = checks(gbrain)
    assert rows["server.schema"]["status"] == "fail"
    databases.shared().sql("grant select on gbrain_schema, sources to visitor", database=name)
    row = checks(gbrain)["server.role"]
    assert row["status"] == "fail"
    assert "pages" in row["details"][0] or "aliases" in row["details"][0]
    databases.shared().sql(shlex.split(row["fix"])[-1], database=name)
    row = checks(gbrain)["server.role"]
    assert (row["status"], "belong to keeper" in row["message"]) == ("warn", True)
    gbrain("remember", "prefers green tea", "--provenance", "a test")


def test_a_wrong_order_is_found(gbrain: Gbrain, name: str) -> None:
    gbrain("init", "--postgres", url(name))
    databases.shared().sql('alter table pages alter column slug type text collate "default"', database=name)
    row = checks(gbrain)["server.order"]
    assert (row["status"], row["details"]) == ("fail", ["not ordered by code points: pages.slug"])


def test_what_is_missing_is_found(gbrain: Gbrain, name: str) -> None:
    gbrain("init", "--postgres", url(name))
    databases.shared().sql("drop table timeline", "drop index facts_by_id", database=name)
    row = checks(gbrain)["server.schema"]
    assert row["status"] == "fail"
    lost = {"missing: timeline", "missing: timeline_by_page", "missing: timeline_by_date", "missing: facts_by_id"}
    assert lost == set(row["details"])
    assert checks(gbrain)["server.role"]["status"] == "skipped"


def test_a_process_that_keeps_its_turn_to_write_is_named(gbrain: Gbrain, name: str) -> None:
    gbrain("init", "--postgres", url(name))
    program = (
        "import sys, gbrain\nwith gbrain.open_brain() as brain, brain.store.transaction():\n"
        "    print('holds', flush=True)\n    sys.stdin.read()"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=gbrain.environment()) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        found = checks(gbrain)
        writer.communicate()
    row = found["server.writable"]
    assert (row["status"], f"in use: gbrain {writer.pid} (session" in row["message"]) == ("warn", True)
    assert "Nothing is lost" in row["details"][0]
    assert "fix" not in row
    assert "damage" not in str(found)
    assert [line["name"] for line in found.values() if line["status"] == "fail"] == []
    assert checks(gbrain)["server.writable"]["status"] == "ok"


def test_whoever_keeps_a_table_to_itself_is_named(gbrain: Gbrain, name: str) -> None:
    gbrain("init", "--postgres", url(name))
    with psycopg.connect(url(name), application_name="nightly dump") as other:
        other.execute("lock table facts in access exclusive mode")
        row = checks(gbrain)["server.writable"]
        assert (row["status"], "in use: nightly dump (session" in row["message"]) == ("warn", True)
        assert "idle in transaction" in row["details"][1]


def test_hooks_that_find_no_server_are_said(gbrain: Gbrain, name: str) -> None:
    own = {"HOME": str(gbrain.base)}
    status = ("bootstrap", "harness", "--status", "--harness", "claude-code")
    gbrain("init", "--postgres", url(name))
    assert gbrain.run("bootstrap", "harness", "--harness", "claude-code", "--yes", env=own).code == 0
    command = [PYTHON, "-I", "-S", HOOK, "prompt", "claude-code", "--home", str(gbrain.home)]
    asked = {"session_id": "s", "prompt": "Ask Dana.", "hook_event_name": "UserPromptSubmit"}
    done = subprocess.run(command, input=json.dumps(asked), env=own, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    row = checks(gbrain)["volunteer_channels"]
    assert (row["status"], row["fix"]) == ("warn", "gbrain serve --http")
    assert "1 of 1 runs of recall hooks in 30 days found no server" in row["message"]
    assert "note: the brain lies elsewhere and none of its servers" in gbrain.run(*status, env=own).out
    with Server(gbrain.base) as server:
        server.ask("tools/list")
        end = time.monotonic() + 30
        while reach.unheard(str(gbrain.home)):
            assert time.monotonic() < end
        assert checks(gbrain)["volunteer_channels"]["status"] == "ok"
        assert "none of its servers" not in gbrain.run(*status, env=own).out


def test_a_server_that_does_not_answer_is_said(gbrain: Gbrain) -> None:
    gbrain.home.mkdir(0o700)
    homes.set_database_url(str(gbrain.home), f"postgresql://nobody:{SECRET}@127.0.0.1:1/x")
    ran = gbrain.run("doctor", "--fast")
    assert ran.code == 1
    assert "[FAIL] server: postgresql://nobody:***@127.0.0.1:1/x cannot be reached" in ran.out
    assert "Connection refused" in ran.out
    assert "[SKIP] server.schema" in ran.out
    assert SECRET not in ran.out
    ran = gbrain.run("recall")
    assert (ran.code, SECRET in ran.err) == (6, False)
    assert "gbrain doctor" in ran.err


def test_an_address_that_is_none(gbrain: Gbrain) -> None:
    gbrain.home.mkdir(0o700)
    (gbrain.home / homes.ADDRESS).write_text("{", encoding="utf-8")
    row = checks(gbrain)["server"]
    assert (row["status"], row["fix"]) == ("fail", "gbrain init --postgres URL")


@pytest.mark.parametrize("arguments", [["--postgres", "nonsense"], ["--rls"], ["--postgres"]])
def test_what_init_refuses(gbrain: Gbrain, arguments: list[str]) -> None:
    ran = gbrain.run("init", *arguments)
    assert ran.code == 2
    assert "gbrain" in ran.err.partition("Fix:")[2]
    assert not gbrain.home.exists() or not any(gbrain.home.iterdir())
