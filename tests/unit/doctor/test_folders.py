"""Files that no sync could read stay known: the doctor and `status` name them until they are read."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from gbrain import open_brain


def test_what_a_sync_could_not_read(home: Path, examined: Any, tmp_path: Path) -> None:
    assert examined(home)["folders.unread"]["status"] == "ok"
    folder = tmp_path / "notes"
    (folder / "a").mkdir(parents=True)
    (folder / "good.md").write_text("# Good\n\nIt can be read.\n")
    (folder / "a" / "latin.md").write_bytes(b"# Caf\xe9\n")
    (folder / "b.markdown").write_text("# B\n")
    (folder / "out.md").symlink_to(tmp_path / "elsewhere.md")
    (tmp_path / "elsewhere.md").write_text("# Elsewhere\n")
    with open_brain(str(home)) as brain:
        brain.sources_add("work", path=str(folder))
        brain.sync_brain(source_id="work", dry_run=True)
        assert brain.status()["unread"] == []
        brain.sync_brain(source_id="work")
        told = brain.status()
        assert (told["waiting"]["unread"], [one["path"] for one in told["unread"]]) == (
            3,
            ["a/latin.md", "b.markdown", "out.md"],
        )
    found = examined(home)["folders.unread"]
    assert (found["status"], found["fix"]) == ("warn", "gbrain sync --source work")
    assert found["details"][0].startswith("work: a/latin.md: ")
    assert "not UTF-8" in found["details"][0]

    (folder / "a" / "latin.md").write_text("# Café\n")
    (folder / "out.md").unlink()
    with open_brain(str(home)) as brain:
        brain.sync_brain(source_id="work", paths=["a"])
        assert [one["path"] for one in brain.status()["unread"]] == ["b.markdown", "out.md"]
        (folder / "b.markdown").rename(folder / "b.md")
        brain.sync_brain(source_id="work")
        assert brain.status()["waiting"]["unread"] == 0
    assert examined(home)["folders.unread"]["status"] == "ok"


def test_status_names_them_and_the_command(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(7):
        (folder / f"bad{number}.md").write_bytes(b"\xff\xfe")
    with open_brain(str(home)) as brain:
        brain.sources_add("work", path=str(folder))
        brain.sync_brain(source_id="work")
    run = [sys.executable, "-m", "gbrain", "status"]
    shown = subprocess.run(run, capture_output=True, text=True, env={"GBRAIN_HOME": str(home.parent)}).stdout
    assert "7 files that a sync could not read: gbrain sync --all" in shown
    assert "work: bad0.md: " in shown
    assert "and 2 more: gbrain doctor --json" in shown
