"""A person says "turn on ambient memory writeback" to the real Claude Code, and memory is on from then on.

Where the clients live, and how one that is missing is skipped: see clients.py.
"""

from typing import Any

import pytest

from acceptance.clients import binary, driven
from acceptance.test_wired_clients import UNASKED
from gbrain.ambient.contract import ENABLE
from stdio_server import make_brain

pytestmark = [pytest.mark.clients, pytest.mark.slow]


@pytest.fixture(scope="module", params=["claude332", "claude"])
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of three sessions; see drive_phrase.py."""
    claude = binary(request.param, "claude")
    base = tmp_path_factory.mktemp("brain")
    make_brain(base)
    return driven("drive_phrase.py", claude, base, tmp_path_factory.mktemp("work") / "client")


def test_nothing_is_turned_on_before_the_person_says_so(told: dict[str, Any]) -> None:
    assert (told["before"]["code"], told["before"]["stored"]) == (0, None)
    assert UNASKED not in "\n".join(told["before"]["sent"])


def test_the_model_is_told_what_to_run_when_it_is_said(told: dict[str, Any]) -> None:
    for command in ENABLE:
        assert command in told["asked"]["sent"][0]
    assert "turn on ambient memory writeback" in told["asked"]["sent"][0]


def test_the_two_commands_work_from_the_session_and_the_next_one_is_told(told: dict[str, Any]) -> None:
    assert (told["asked"]["answer"], told["asked"]["stored"]) == ("FINAL done", "salient"), told["asked"]
    assert UNASKED in told["block"]
    assert UNASKED in told["after"]["sent"][0]
