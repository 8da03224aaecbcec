"""The real Claude Code in a project that was joined to a brain: there it is told and has the tools, elsewhere not.

Where the client lives, and how one that is missing is skipped: see clients.py.
"""

from typing import Any

import pytest

from acceptance.clients import binary, driven
from stdio_server import make_brain

pytestmark = [pytest.mark.clients, pytest.mark.slow]

UNASKED = "Ambient memory is on (salient)"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of it; see drive_project.py."""
    claude = binary("claude332", "claude")
    base = tmp_path_factory.mktemp("brain")
    make_brain(base)
    life = driven("drive_project.py", claude, base, tmp_path_factory.mktemp("work") / "client")
    for stage in ("untrusted", "saved", "elsewhere", "left"):
        assert life[stage]["code"] == 0, life[stage]
        assert life[stage]["sent"], "the model was asked"
    return life


def test_in_the_project_it_is_told_and_its_agent_saves(told: dict[str, Any]) -> None:
    sent = next(body for body in told["saved"]["sent"] if '"tools"' in body)
    assert UNASKED in sent
    assert "MARK-PROJECT-CLAUDE-MD" in sent
    assert told["saved"]["answer"] == "FINAL done"
    assert "the user prefers tabs to spaces" in [fact["fact"] for fact in told["facts"]]


def test_until_the_folder_is_trusted_its_permissions_do_not_count_and_the_status_says_so(told: dict[str, Any]) -> None:
    assert "requested permissions to use mcp__gbrain__remember" in "\n".join(told["untrusted"]["sent"])
    assert "requested permissions" not in "\n".join(told["saved"]["sent"])
    (before,), (after,) = (told[stage]["harnesses"] for stage in ("status untrusted", "status"))
    assert before["state"] == after["state"] == "installed"
    assert any("until you trust the folder" in note for note in before["notes"])
    assert not any("until you trust the folder" in note for note in after["notes"])


def test_elsewhere_it_knows_nothing_of_it(told: dict[str, Any]) -> None:
    assert "gbrain" not in "\n".join(told["elsewhere"]["sent"])
    assert told["own after"] == told["own before"]


def test_left_the_project_is_as_it_was(told: dict[str, Any]) -> None:
    assert told["joined"] != told["before"]
    assert told["after"] == told["before"]
    assert "gbrain:ambient" not in "\n".join(told["left"]["sent"])
    assert "mcp__gbrain" not in "\n".join(told["left"]["sent"])
