"""Sweeps are told of: the last one, failures and recovery, and pages that wait with nobody to sweep."""

import json
from pathlib import Path
from typing import Any

import pytest

from gbrain import Caller, open_brain
from gbrain.brain import utc_now


def lines(home: Path) -> list[Any]:
    return [json.loads(line) for line in (home / "integrations" / "sweep.jsonl").read_text().splitlines()]


def test_the_last_one_is_told(home: Path, examined: Any) -> None:
    assert examined(home)["sweep"]["message"].startswith("no sweep has run here yet")
    with open_brain(str(home)) as brain:
        brain.call("sweep", {}, caller=Caller.local("cli"))
    [line] = lines(home)
    assert (line["by"], line["status"], line["skipped"]) == ("cli", "done", {})
    found = examined(home)["sweep"]
    assert (found["status"], found["message"]) == ("ok", "the last sweep ran less than a minute ago")


def test_failures_are_warned_of_until_one_is_well(home: Path, tmp_path: Path, examined: Any) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    with open_brain(str(home)) as brain:
        brain.sources_add(id="work", path=str(folder))
        brain.put_page(slug="people/dana", content="# Dana\n", source_id="work")
        brain.remember(fact="rows", provenance="chat", entity="people/dana", source_id="work")
        file = folder / "people" / "dana.md"
        text = file.read_bytes()
        file.write_bytes(b"\xff no text")
        for _ in range(3):
            brain.call("sweep", {})
        found = examined(home)["sweep"]
        assert (found["status"], found["fix"]) == ("warn", "gbrain sweep --once")
        assert (
            found["message"] == "the last sweep ran less than a minute ago and failed in part, as did the 2 before it"
        )
        assert found["details"] == ["facts_fence_page: 1"]
        file.write_bytes(text)
        brain.call("sweep", {})
    found = examined(home)["sweep"]
    assert (found["status"], found["message"]) == (
        "ok",
        "the last sweep ran less than a minute ago; 3 of the last 4 failed in part",
    )


def test_a_sweep_that_could_not_begin_leaves_a_line(home: Path, examined: Any) -> None:
    with open_brain(str(home)) as brain:
        brain.store.engine.rows("alter table leases rename to gone")
        with pytest.raises(Exception, match="sweep failed"):
            brain.call("sweep", {})
        brain.store.engine.rows("alter table gone rename to leases")
    assert [line["status"] for line in lines(home)] == ["failed"]
    assert examined(home)["sweep"]["status"] == "warn"


def test_pages_that_wait_with_nobody_to_sweep(home: Path, examined: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_brain(str(home)) as brain:
        brain.call("sweep", {})
        agent = Caller.stdio(client="agent-example")
        brain.call("put_page", {"slug": "notes/a", "content": "A.", "expected_version": 0}, caller=agent)
    assert examined(home)["sweep"]["status"] == "ok"
    monkeypatch.setenv("GBRAIN_CLOCK", "+3d")
    found = examined(home)["sweep"]
    assert (found["status"], found["fix"]) == ("warn", "gbrain sweep --once")
    assert found["message"] == "the last sweep ran 3 days ago, and 1 pages wait for their links"
    (home / "integrations" / "sweep.jsonl").unlink()
    assert examined(home)["sweep"]["message"] == "no sweep has run here yet, and 1 pages wait for their links"


def test_a_damaged_journal_is_read_as_far_as_it_goes(home: Path, examined: Any) -> None:
    folder = home / "integrations"
    folder.mkdir(exist_ok=True)
    good = json.dumps({"ts": utc_now().isoformat(), "status": "done", "skipped": {}})
    (folder / "sweep.jsonl").write_text("x" * 200_000 + f"\n{good}\n[]\n{{\n")
    assert examined(home)["sweep"]["status"] == "ok"
    (folder / "sweep.jsonl").write_text('{"ts": 5, "status": "failed", "skipped": [1]}\n')
    assert examined(home)["sweep"]["message"] == "the last sweep ran and failed in part"
