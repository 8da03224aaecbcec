"""A change of language that was broken off is told, with the command that finishes it."""

from pathlib import Path
from typing import Any

from gbrain import open_brain


def test_a_broken_off_change(home: Path, examined: Any) -> None:
    assert examined(home)["languages"]["message"] == "english"
    with open_brain(str(home)) as brain:
        brain.store.languages.begin("default", "german")
    found = examined(home)["languages"]
    assert (found["status"], found["fix"]) == ("warn", "gbrain sources language default german")
    with open_brain(str(home)) as brain:
        brain.sources_language("default", "german")
    assert examined(home)["languages"]["message"] == "german"
