"""Real clients that `gbrain bootstrap harness` joined to a brain, from a home that had a configuration before.

Where the clients live, and how one that is missing is skipped: see clients.py.
"""

import json
import os
from typing import Any

import pytest

from acceptance.clients import binary, driven
from gbrain.ambient.contract import BASE
from stdio_server import make_brain

pytestmark = [pytest.mark.clients, pytest.mark.slow]

CONTRACT = json.dumps(BASE.partition("\n")[0])[1:-1]
UNASKED = "Ambient memory is on (salient)"
CASES = [
    pytest.param(("claude-code", "claude332", "claude"), id="claude-2.1.332"),
    pytest.param(("claude-code", "claude", "claude"), id="claude-2.1.197"),
    pytest.param(("codex", "codex", "codex"), id="codex"),
    pytest.param(("gemini", "gemini", "gemini"), id="gemini"),
    pytest.param(("opencode", "opencode", "opencode"), id="opencode"),
    pytest.param(("openclaw", "openclaw", "openclaw"), id="openclaw"),
]


@pytest.fixture(scope="module", params=CASES)
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of a whole life of one client; see drive_wired.py."""
    name, package, program = request.param
    # The older Claude Code, which differs from the newer one in nothing that is asked here, and one that takes minutes.
    if package in ("claude", "openclaw") and not os.environ.get("SLOW_TESTS"):
        pytest.skip("takes minutes; SLOW_TESTS=1 runs it")
    client = binary(package, program)
    base = tmp_path_factory.mktemp("brain")
    make_brain(base)
    work = tmp_path_factory.mktemp("work") / "client"
    life = driven("drive_wired.py", name, client, base, work, timeout=900)
    for stage in life.values():
        if isinstance(stage, dict) and "sent" in stage:
            assert stage["code"] == 0, stage
            assert stage["sent"], "the model was asked"
    return life


def sent(told: dict[str, Any], stage: str) -> str:
    return "\n".join(told[stage]["sent"])


def test_while_memory_is_off_the_model_is_told_the_contract_alone(told: dict[str, Any]) -> None:
    assert CONTRACT not in sent(told, "first")
    assert CONTRACT in sent(told, "off")
    assert UNASKED not in sent(told, "off")


def test_while_memory_is_on_the_model_is_asked_to_save_unasked(told: dict[str, Any]) -> None:
    for stage in ("saved", "missed"):
        # opencode asks for a title first, without tools.
        first = next(body for body in told[stage]["sent"] if '"tools"' in body)
        assert UNASKED in first


def test_what_the_agent_saves_another_session_recalls(told: dict[str, Any]) -> None:
    assert told["saved"]["answer"] == told["recalled"]["answer"] == "FINAL done"
    assert ("the user prefers tabs to spaces", "said in chat") in [
        (fact["fact"], fact["provenance"]) for fact in told["facts saved"]
    ]
    assert "tabs to spaces" in told["recalled"]["sent"][-1]


def test_what_the_agent_missed_is_a_fact_after_the_sweep(told: dict[str, Any]) -> None:
    facts = {fact["fact"]: fact["provenance"] for fact in told["facts swept"]}
    (provenance,) = (said for fact, said in facts.items() if "window seats" in fact)
    assert provenance.startswith("hook:writeback")


def test_the_status_says_that_all_is_in_place(told: dict[str, Any]) -> None:
    (row,) = (row for row in told["status"]["harnesses"] if row["state"] != "missing")
    assert row["state"] == "installed", row
    assert {target["state"] for target in row["targets"]} == {"installed"}


def test_off_leaves_no_trace_of_it(told: dict[str, Any]) -> None:
    assert told["config on"] != told["config off"]
    assert told["config off again"] == told["config off"]
    assert UNASKED not in sent(told, "off again")


def test_removed_the_home_is_as_it_was(told: dict[str, Any]) -> None:
    assert told["wired"] != told["before"]
    assert told["unwired at once"] == told["before"]
    assert told["config after"] == told["before"]
    assert "gbrain" not in sent(told, "after")


def test_codex_keeps_turns_by_notify_until_its_hook_is_trusted(told: dict[str, Any]) -> None:
    if "config trusted" not in told:
        pytest.skip("only Codex wants its hooks trusted")
    own = next(line for line in told["before"][".codex/config.toml"].splitlines() if line.startswith("notify"))
    assert "notify.py" in told["config on"][".codex/config.toml"]
    assert own not in told["config on"][".codex/config.toml"]
    assert own in told["config trusted"][".codex/config.toml"]
    assert "notify.py" not in told["config trusted"][".codex/config.toml"]
    (row,) = (row for row in told["status untrusted"]["harnesses"] if row["harness"] == "codex")
    assert (row["state"], row["notes"]) == ("outdated", []), "trusted now, so notify is to go"
    facts = {fact["fact"]: fact["provenance"] for fact in told["facts hooked"]}
    (provenance,) = (said for fact, said in facts.items() if "aisle" in fact)
    assert provenance.startswith("hook:writeback")
