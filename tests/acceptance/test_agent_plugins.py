"""The plugins in the real opencode and OpenClaw: what a person says is banked, and memory can be searched.

Where the clients live, and how one that is missing is skipped: see clients.py.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from acceptance.clients import binary, driven
from stdio_server import local_brain, make_brain

pytestmark = pytest.mark.clients


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A brain that knows Dana, and whose owner wants what is said to be kept."""
    home = tmp_path / "brain"
    home.mkdir()
    make_brain(home)
    with local_brain(home) as brain:
        brain.config_set(key="memory.auto_writeback", value="salient")
        brain.put_page(slug="people/dana-oakes", content="---\ntitle: Dana Oakes\n---\nRuns Harbour Tea.\n")
        brain.remember(fact="Dana Oakes prefers green tea", provenance="chat", entity="Dana Oakes", visibility="world")
        brain.remember(fact="Dana Oakes takes tea pills", provenance="chat", entity="Dana Oakes", visibility="private")
    return home


def drive(harness: str, work: Path, home: Path, *prompts: str) -> dict[str, Any]:
    told = driven("drive_agent_plugin.py", harness, binary(harness, harness), work, home, *prompts)
    assert [turn["code"] for turn in told["turns"]] == [0] * len(prompts), told["turns"]
    return told


def banked(home: Path) -> list[str]:
    return sorted(path.read_text().strip() for path in (home / ".gbrain" / "transcripts" / "corpus").glob("*.txt"))


SLOW = pytest.mark.skipif(not os.environ.get("SLOW_TESTS"), reason="takes a minute; SLOW_TESTS=1 runs it")


@pytest.mark.parametrize("harness", ["opencode", pytest.param("openclaw", marks=SLOW)])
def test_what_is_said_in_a_turn_is_banked(home: Path, tmp_path: Path, harness: str) -> None:
    said = ["I moved our stand-up to nine on Tuesdays", "I prefer tabs over spaces in Go"]
    drive(harness, tmp_path / "work", home, *said)
    assert banked(home) == sorted(said)


def test_openclaw_searches_memory_and_is_told_nothing_private(home: Path, tmp_path: Path) -> None:
    told = drive("openclaw", tmp_path / "work", home, "SEARCH for what Dana drinks")
    (answer,) = [row["content"] for row in told["sent"][-1]["messages"] if row["role"] == "tool"]
    found = {result["path"]: result["snippet"] for result in json.loads(answer)["results"]}
    assert "Harbour Tea" in found["people/dana-oakes"] or "green tea" in found["people/dana-oakes"]
    assert "green tea" in answer
    assert "Harbour Tea" in answer
    assert "pills" not in json.dumps(told["sent"])
