"""Stored settings that have no effect are told."""

from pathlib import Path
from typing import Any

import pytest

from gbrain import open_brain
from gbrain.settings import SETTINGS


def test_defaults_and_allowed_values_are_fine(home: Path, examined: Any) -> None:
    assert examined(home)["settings"]["message"] == "all at their defaults"
    with open_brain(str(home)) as brain:
        for setting in SETTINGS:
            brain.store.config.set(setting.key, (setting.default, *setting.choices)[-1])
    found = examined(home)["settings"]
    assert found["status"] == "ok"
    assert f"{len(SETTINGS)} stored" in found["message"]


@pytest.mark.parametrize(
    ("key", "value", "said", "fix"),
    [
        ("search.mood", "balanced", "did you mean search.mode?", None),
        ("search.mode", "fast", "not one of conservative, balanced, tokenmax", "gbrain config unset search.mode"),
    ],
)
def test_a_setting_without_effect_is_named(
    home: Path, examined: Any, key: str, value: str, said: str, fix: str | None
) -> None:
    with open_brain(str(home)) as brain:
        brain.store.config.set(key, value)
    found = examined(home)["settings"]
    assert found["status"] == "warn"
    assert said in found["message"]
    assert key in found["message"]
    assert found.get("fix") == fix
