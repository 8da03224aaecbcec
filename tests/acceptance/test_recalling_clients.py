"""What real clients send their model where `gbrain bootstrap harness` wired the recall hook in.

Where the clients live, and how one that is missing is skipped: see clients.py.
"""

import os
from typing import Any

import pytest

from acceptance.clients import binary, driven
from recalling import Home

pytestmark = [pytest.mark.clients, pytest.mark.slow]

CASES = [
    pytest.param(("claude-code", "claude332", "claude"), id="claude-2.1.332"),
    pytest.param(("claude-code", "claude", "claude"), id="claude-2.1.197"),
    pytest.param(("codex", "codex", "codex"), id="codex"),
    pytest.param(("gemini", "gemini", "gemini"), id="gemini"),
    pytest.param(("opencode", "opencode", "opencode"), id="opencode"),
    pytest.param(("openclaw", "openclaw", "openclaw"), id="openclaw"),
]
OFFER = "named “Dana Oakes”"
PACK = "## Standing entities"


@pytest.fixture(scope="module", params=CASES)
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of the sessions of one client; see drive_recall.py."""
    name, package, program = request.param
    # The older Claude Code, which differs from the newer one in nothing that is asked here, and one that takes minutes.
    if package in ("claude", "openclaw") and not os.environ.get("SLOW_TESTS"):
        pytest.skip("takes minutes; SLOW_TESTS=1 runs it")
    client = binary(package, program)
    base = tmp_path_factory.mktemp("brain")
    Home(base).make()
    work = tmp_path_factory.mktemp("work") / "client"
    life = driven("drive_recall.py", name, client, base, work, timeout=600)
    return {**life, "client": name}


def main_request(stage: dict[str, Any]) -> str:
    """The last request of a turn: it holds the whole conversation. Requests for a title have no tools."""
    assert stage["code"] == 0, stage["answer"]
    return str([sent for sent in stage["sent"] if '"tools"' in sent][-1])


def test_a_new_session_about_somebody_known_is_told(told: dict[str, Any]) -> None:
    sent = main_request(told["asked"])
    assert OFFER in sent
    assert "green tea" in sent
    assert "another job" not in sent, "what is private stays here"


def test_a_session_begins_with_a_pack(told: dict[str, Any]) -> None:
    assert main_request(told["asked"]).count(PACK) == 1
    assert main_request(told["unrelated"]).count(PACK) == 1


def test_nothing_is_offered_twice_in_a_session(told: dict[str, Any]) -> None:
    # Gemini CLI resumes a session without what hooks put into it, so it has the second one alone.
    assert main_request(told["again"]).count(OFFER) == 1
    assert main_request(told["again"]).count(PACK) == 1


def test_a_pronoun_leads_back_to_whom_the_agent_named(told: dict[str, Any]) -> None:
    if "pointed" not in told:
        pytest.skip("this client is asked by its plugin alone")
    assert "“her” means who was named before" in main_request(told["pointed"])


def test_an_unrelated_prompt_brings_nothing(told: dict[str, Any]) -> None:
    sent = main_request(told["unrelated"])
    assert OFFER not in sent
    assert sent.count("</gbrain-context>") + sent.count("&lt;/gbrain-context&gt;") == 1, "the pack alone"


def test_after_a_compaction_the_pack_is_there_again(told: dict[str, Any]) -> None:
    if "after" not in told:
        pytest.skip("without its screen this client is not made to compact")
    sent = main_request(told["after"])
    assert PACK in sent
    assert "[default:people/dana-oakes]" in sent


def test_nothing_that_was_told_is_banked(told: dict[str, Any]) -> None:
    assert told["banked"], "the turns themselves are"
    for text in told["banked"]:
        assert "gbrain-context" not in text
        assert "green tea" not in text
        assert "Harbour" not in text
    assert any("Dana Oakes a second present" in text for text in told["banked"])
