"""The advisor and its reminder (table E, 12 to 14 and 16)."""

from typing import Any

import pytest

from gbrain import Brain
from gbrain.ambient.advisor import COLLECTORS
from gbrain.mirror_writing import edit
from unit.ops.conftest import Asker

MODE = "memory.auto_writeback"


def asked(brain: Brain) -> None:
    brain.store.config.set(f"{MODE}_notice_shown", "true")


def ids(local: Asker) -> list[str]:
    return [item["id"] for item in local("advisor")["findings"]]


def test_e12_before_the_question_there_is_nothing_to_remind_of(local: Asker) -> None:
    assert local("advisor")["findings"] == []
    assert local("advisor")["worst"] is None


def test_e13_one_reminder_that_nothing_can_apply(brain: Brain, local: Asker) -> None:
    asked(brain)
    reply = local("advisor")
    (found,) = reply["findings"]
    assert (found["id"], found["severity"], found["ask_user"]) == ("writeback_consent_pending", "info", True)
    assert (found["fix"], found["collector"], reply["worst"]) == ({"command_argv": None}, "writeback-consent", "info")
    assert "dispatch_id" not in found


@pytest.mark.parametrize(("key", "value"), [(MODE, "off"), (MODE, "salient"), ("brain.audience", "shared")])
def test_e14_who_decided_or_shares_the_brain_is_not_reminded(brain: Brain, local: Asker, key: str, value: str) -> None:
    asked(brain)
    local("config_set", key=key, value=value)
    assert ids(local) == []


def test_e14_a_remote_caller_is_told_nothing(brain: Brain, remote: Asker) -> None:
    asked(brain)
    edit(brain.home, {MODE: "all"})
    assert remote("advisor")["findings"] == []


def test_e16_the_collector_is_registered() -> None:
    assert "writeback-consent" in COLLECTORS


def test_planes_that_differ_are_brought_together_by_what_the_brain_says(brain: Brain, local: Asker) -> None:
    edit(brain.home, {MODE: "all", "brain.audience": "shared"})
    local("config_set", key="brain.audience", value="personal")
    edit(brain.home, {"brain.audience": "shared"})
    found: Any = {item["id"]: item["fix"]["command_argv"] for item in local("advisor")["findings"]}
    assert found == {
        f"planes_differ:{MODE}": ["gbrain", "config", "unset", MODE],
        "planes_differ:brain.audience": ["gbrain", "config", "set", "brain.audience", "personal"],
    }
