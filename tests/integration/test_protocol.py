"""The contract as gbrain tells it, the statistics of its use, and the conformance run against real servers."""

import json
import shlex
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gbrain import Brain, BrainError, Caller, open_brain, registry
from gbrain.entry import conformance, protocol
from gbrain.errors import InvalidParams
from gbrain.journal import USAGE, Journal

ROOT = Path(__file__).parents[2]
BROKEN = ROOT / "tests" / "data" / "broken_verbs_server.py"
NOW = datetime(2031, 5, 4, 22, 10, tzinfo=UTC)
VERBS = ["remember", "entity", "synthesize", "forget", "recall", "context_pack", "delta"]

Report = dict[str, Any]


# What is told


def test_describe_is_the_whole_contract() -> None:
    told = json.loads(json.dumps(protocol.describe()))
    assert told["protocol_version"] == 1
    assert [verb["name"] for verb in told["verbs"]] == VERBS
    remember = told["verbs"][0]
    assert remember["input_schema"]["required"] == ["fact", "provenance"]
    assert remember["output_schema"]["properties"]["protocol_version"] == {"enum": [1]}
    assert {"name": "fact", "required": True, "type": "string"}.items() <= remember["params"][0].items()
    assert {"code": "provenance_required", "exit_code": 2, "http_status": 400}.items() <= remember["errors"][1].items()


def test_describe_names_every_operation_once() -> None:
    told = protocol.describe()
    names = [item["name"] for item in told["verbs"]]
    names += [item["name"] for surface in ("starter", "full") for item in told["operations"][surface]]
    assert sorted(names) == sorted(operation.name for operation in registry.load_all())


def test_every_verb_names_the_errors_it_can_answer() -> None:
    codes = {verb["name"]: {error["code"] for error in verb["errors"]} for verb in protocol.describe()["verbs"]}
    always = {"invalid_params", "scope_denied", "unavailable", "internal"}
    assert codes.pop("remember") == always | {"provenance_required"}
    assert codes.pop("forget") == always | {"not_found"}
    assert all(found == always for found in codes.values())


def test_text_shows_each_verb_with_its_parameters() -> None:
    text = protocol.text()
    assert "remember(fact, provenance, ttl?, entity?, kind?, visibility?, replaces?)" in text
    assert "delta(since?, since_slug?, entities?, budget_tokens?, session_id?, include_private?)" in text
    assert "gbrain protocol conformance" in text
    assert max(map(len, text.splitlines())) <= 160


def test_the_page_is_up_to_date() -> None:
    kept = (ROOT / "docs" / "protocol" / "memory-verbs-v1.md").read_text(encoding="utf-8")
    assert protocol.markdown().rstrip("\n") + "\n" == kept


def test_the_page_does_not_depend_on_its_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    first = protocol.markdown()
    for name, value in {"GBRAIN_CLOCK": "+400d", "GBRAIN_SOURCE": "elsewhere", "TZ": "Asia/Tokyo"}.items():
        monkeypatch.setenv(name, value)
    assert protocol.markdown() == first


@pytest.mark.parametrize("verb", VERBS)
def test_the_page_shows_each_verb_asked(verb: str) -> None:
    section = protocol.markdown().split(f"\n## {verb}\n")[1].split("\n## ")[0]
    blocks = [json.loads(block.split("```")[0]) for block in section.split("```json\n")[1:]]
    assert len(blocks) >= 2
    assert all(reply["protocol_version"] == 1 for reply in blocks[1::2])
    operation = registry.find(verb)
    assert operation is not None
    assert [param.name for param in operation.params if f"| `{param.name}" not in section] == []


# How the verbs were used


def line(ago: timedelta, verb: str = "recall", **more: Any) -> dict[str, Any]:
    moment = (NOW - ago).isoformat().replace("+00:00", ".000000Z")
    return {"ts": moment, "verb": verb, "ok": True, "latency_ms": 1.0, **more}


def journal(home: Path, *lines: dict[str, Any]) -> str:
    for each in lines:
        Journal(str(home)).append(USAGE, each)
    return str(home)


def test_stats_of_real_calls(tmp_path: Path) -> None:
    with open_brain(str(tmp_path), create=True, clock=lambda: NOW) as brain:
        use(brain)
    found = protocol.stats(str(tmp_path), 7, now=NOW)
    assert (found["calls"], found["ok"], found["errors"]) == (7, 6, 1)
    assert found["error_codes"] == {"provenance_required": 1}
    assert found["remember"] == {"duplicate": 1, "inserted": 1}
    assert found["entity"] == {"asked": 2, "found": 1, "hit_rate": 0.5}
    assert found["budgets"]["calls_cut"] == 1
    assert found["daily"] == [
        {"date": "2031-05-04", "calls": 7, "errors": 1, "verbs": {"entity": 2, "recall": 2, "remember": 3}}
    ]
    assert 0 < found["verbs"]["recall"]["latency_ms"]["p50"] <= found["verbs"]["recall"]["latency_ms"]["p95"]
    text = protocol.stats_text(found)
    assert "1 of 2 names found (50%)" in text
    assert "1 duplicate, 1 inserted" in text
    assert "1 provenance_required" in text


def use(brain: Brain) -> None:
    agent = Caller.stdio()
    brain.put_page(slug="people/dana-oakes", content="---\ntype: person\ntitle: Dana Oakes\n---\nRuns the launch.\n")
    fact = {"fact": "Dana prefers green tea", "provenance": "chat", "entity": "people/dana-oakes"}
    brain.call("remember", fact, caller=agent)
    brain.call("remember", fact, caller=agent)
    with pytest.raises(BrainError):
        brain.call("remember", {**fact, "provenance": " "}, caller=agent)
    brain.call("entity", {"name": "Dana Oakes"}, caller=agent)
    brain.call("entity", {"name": "Nobody"})
    brain.call("recall", {"entity": "people/dana-oakes", "budget_tokens": 1})
    brain.call("recall", {})


def test_stats_count_days_and_percentiles(tmp_path: Path) -> None:
    hour = timedelta(hours=1)
    lines = [line(hour * n, latency_ms=float(n)) for n in range(1, 21)]
    home = journal(tmp_path, line(timedelta(days=8)), *lines, line(timedelta(days=2), "delta", ok=False))
    found = protocol.stats(home, 7, now=NOW)
    assert found["calls"] == 21
    assert found["verbs"]["recall"]["latency_ms"] == {"p50": 10.0, "p95": 19.0}
    assert found["verbs"]["delta"] == {
        "calls": 1,
        "ok": 0,
        "errors": 1,
        "error_codes": {"unknown": 1},
        "latency_ms": {"p50": 1.0, "p95": 1.0},
    }
    assert [(day["date"], day["calls"]) for day in found["daily"]] == [("2031-05-02", 1), ("2031-05-04", 20)]
    assert protocol.stats(home, 1, now=NOW)["calls"] == 20


def test_stats_of_nothing(tmp_path: Path) -> None:
    found = protocol.stats(str(tmp_path), 3, now=NOW)
    assert found["calls"] == 0
    assert found["entity"]["hit_rate"] is None
    assert protocol.stats_text(found) == "No verb was called in the last 3 days."


def test_stats_of_torn_and_foreign_lines(tmp_path: Path) -> None:
    home = journal(tmp_path, {"ts": 7}, {"verb": "recall"}, line(timedelta(0), "future_verb"), {"ts": None, "ok": True})
    assert list(protocol.stats(home, 1, now=NOW)["verbs"]) == ["future_verb"]


def test_stats_need_a_day(tmp_path: Path) -> None:
    with pytest.raises(InvalidParams):
        protocol.stats(str(tmp_path), 0)


# Conformance


def ask(capsys: pytest.CaptureFixture[str], target: list[str] | None, patience: float = 30.0) -> tuple[int, Report]:
    """The exit code of a run and its report by case."""
    code = conformance.run(target, True, patience=patience)
    report = json.loads(capsys.readouterr().out)
    report["by_id"] = {case["id"]: case for case in report["cases"]}
    assert len(report["by_id"]) == len(report["cases"])
    return code, report


def having(report: Report, status: str) -> set[str]:
    return {case["id"] for case in report["cases"] if case["status"] == status}


def spoiled(home: Path, monkeypatch: pytest.MonkeyPatch, *faults: str) -> list[str]:
    """The command of a real server whose answers are spoiled by these faults, on a brain of its own."""
    monkeypatch.setenv("GBRAIN_HOME", str(home))
    open_brain(str(home / ".gbrain"), create=True).close()
    return [sys.executable, str(BROKEN), ",".join(faults)]


def test_our_own_server_keeps_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    code, report = ask(capsys, None)
    assert {case["id"]: case["reason"] for case in report["cases"] if case["status"] != "passed"} == {}
    assert code == 0
    assert report["must"]["passed"] > 100
    assert report["better"]["passed"] > 20


# Fault to the cases that must see it.
FAULTS = {
    "combinator": {"tools.objects"},
    "no_suggestion": {"remember.empty-provenance", "remember.blank-provenance"},
    "missing_null": {"entity.miss", "entity.long-name", "entity.typo"},
    "always_expired": {"forget.twice"},
    "miscounted_budget": {"recall.budget"},
    "leak": {"privacy.recall"},
    "stuck_cursor": {"delta.resume", "delta.once"},
    "chatter": {"session.stdout"},
}


def test_each_fault_of_a_server_is_found(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, report = ask(capsys, spoiled(tmp_path, monkeypatch, *FAULTS))
    assert having(report, "failed") == set().union(*FAULTS.values())
    assert code == 1
    assert having(report, "skipped") == {case.id for case in conformance.CASES if case.needs == "own"}
    failed = report["by_id"]["forget.twice"]
    assert failed["reason"].startswith("wanted expired false")
    assert failed["request"]["params"]["name"] == "forget"
    assert failed["response"]["result"]["structuredContent"]["expired"] is True


def test_another_server_is_held_to_the_musts_only(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, report = ask(capsys, spoiled(tmp_path, monkeypatch, "unsaid_hint"))
    assert having(report, "failed") == {"tools.all-hints"}
    assert (report["must"]["failed"], report["better"]["failed"]) == (0, 1)
    assert code == 0


def test_a_run_leaves_nothing_that_a_client_can_see(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(capsys, spoiled(tmp_path, monkeypatch, "unsaid_hint"))
    with open_brain(str(tmp_path / ".gbrain")) as brain:
        assert brain.call("recall", {}, caller=Caller.stdio())["facts"] == []
        assert brain.call("list_pages", {}, caller=Caller.stdio()) == []
        assert all(fact["valid_until"] for fact in brain.recall()["facts"])


def test_a_run_that_is_broken_off_takes_back_what_it_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = shlex.join(spoiled(tmp_path, monkeypatch, "unsaid_hint"))
    command = [sys.executable, "-m", "gbrain", "protocol", "conformance", "--target", target]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        next(line for line in running.stdout if line.startswith("ok"))
        running.send_signal(signal.SIGINT)
        running.stdout.read()
        assert running.wait(60) != 0
    with open_brain(str(tmp_path / ".gbrain")) as brain:
        assert brain.recall(include_expired=True)["total"] > 0
        assert brain.call("recall", {}, caller=Caller.stdio())["facts"] == []
        assert brain.call("list_pages", {}, caller=Caller.stdio()) == []


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("raise SystemExit('no license found')", "no license found"),
        ("import time; time.sleep(60)", "no answer within 0.3 s"),
        ("import sys\nfor _ in sys.stdin: print('hello')", "no answer within 0.3 s"),
        ("while True: print('hello')", "no answer within 0.3 s"),
        ('import sys\nfor _ in sys.stdin: print(\'{"jsonrpc": "2.0", "id": 1, "result": 5}\')', "initialize"),
    ],
)
def test_a_server_that_does_not_answer_fails_every_case(
    capsys: pytest.CaptureFixture[str], program: str, reason: str
) -> None:
    code, report = ask(capsys, [sys.executable, "-u", "-c", program], patience=0.3)
    assert code == 1
    assert report["passed"] == 0
    assert reason in report["cases"][0]["reason"]


def test_a_target_that_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    code, report = ask(capsys, ["/nonexistent/memory-server"])
    assert code == 1
    assert "could not be started" in report["cases"][0]["reason"]


def test_the_text_has_a_line_a_case_and_closes_with_the_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert conformance.run([sys.executable, "-c", ""], False, patience=5.0) == 1
    lines = capsys.readouterr().out.splitlines()
    everything = len(conformance.CASES) + len(conformance.CLOSING)
    assert sum(row.startswith("FAIL  ") for row in lines) == everything
    assert lines[-1] == f"0 passed, {everything} failed"


def test_the_command_runs_it() -> None:
    command = [sys.executable, "-m", "gbrain", "protocol", "conformance"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1].endswith("passed, 0 failed")
