"""A writer that is killed, whichever step it was about to take: file and page say the same, and nothing is lost."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

WRITER = Path(__file__).parents[1] / "data" / "killed_writer.py"
OLD, NEW = "---\ntitle: A\n---\nOne.\n\nTwo.\n", "---\ntitle: A\n---\nOne, written.\n\nTwo.\n"
SAVED = "\nThree, saved.\n"


def steps(scenario: str, folder: Path, stride: int = 1) -> list[dict[str, Any]]:
    command = [sys.executable, str(WRITER), scenario, str(folder), str(stride)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(found) > 10
    assert [one["done"] for one in found].count(True) == 1
    return found


@pytest.mark.parametrize(
    ("scenario", "stride", "before", "after"),
    [
        ("put", 1, OLD, NEW),
        ("create", 1, None, NEW),
        ("delete", 1, OLD, None),
        ("restore", 1, None, OLD),
        ("merge", 5, OLD + SAVED, NEW + SAVED),
        ("revert", 1, NEW, OLD),
        ("sync", 1, OLD + SAVED, OLD + SAVED),
        ("purge", 2, "---\ntitle: A\nexpiry: 2020-01-01\n---\nOne.\n", None),
    ],
)
def test_killed_before_each_step(
    tmp_path: Path, scenario: str, stride: int, before: str | None, after: str | None
) -> None:
    for one in steps(scenario, tmp_path, stride):
        assert one["file"] == one["page"], one
        assert one["file"] in (before, after), one
        assert one["again"] == "up_to_date", one
        assert not one["done"] or one["file"] == after, one
        older = {OLD} if scenario not in ("create", "purge") else set()
        for text in {*older, before, one["file"]} - {None} if scenario != "create" else set():
            assert text in one["versions"], one


def test_killed_between_forgetting_and_the_fence(tmp_path: Path) -> None:
    """A fact that is forgotten is struck out in the file sooner or later, and never comes back from it."""
    found = steps("fence", tmp_path, 5)
    before, after = found[0]["file"], found[-1]["file"]
    assert "| likes tea |" in before
    assert "~~likes tea~~" in after
    for one in found:
        assert one["file"] == one["page"], one
        assert one["file"] in (before, after), one
        assert one["again"] == "up_to_date", one
        assert one["live"] == int("~~" not in one["swept"]), one


def test_the_kills_reach_both_sides_of_the_commit(tmp_path: Path) -> None:
    found = steps("put", tmp_path)
    assert {one["file"] for one in found if not one["done"]} == {OLD, NEW}
    assert any(one["hidden"] for one in found)
