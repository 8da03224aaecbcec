"""The home folder: there, ours, closed to others, with room."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gbrain.doctor.home import size


def test_a_fresh_home_is_fine(home: Path, examined: Any) -> None:
    found = examined(home)["home"]
    assert found["status"] == "ok"
    assert str(home) in found["message"]
    assert "0700" in found["message"]


def test_a_missing_home_names_init(tmp_path: Path, examined: Any) -> None:
    found = examined(tmp_path / "nothing")
    assert found["home"]["fix"] == "gbrain init"
    assert found.status("home") == "fail"
    assert found.status("store.file") == "skipped"
    assert not (tmp_path / "nothing").exists()


def test_a_file_in_its_place_fails(tmp_path: Path, examined: Any) -> None:
    (tmp_path / "home").write_text("not a folder")
    found = examined(tmp_path / "home")["home"]
    assert found["status"] == "fail"
    assert "fix" not in found


def test_an_open_home_warns_and_the_fix_closes_it(home: Path, examined: Any) -> None:
    home.chmod(0o755)
    found = examined(home)["home"]
    assert found["status"] == "warn"
    subprocess.run(found["fix"], shell=True, check=True)
    assert examined(home).status("home") == "ok"


def test_another_programs_home_is_left_untouched(tmp_path: Path, examined: Any) -> None:
    (tmp_path / "config.json").write_text('{"engine": "pglite", "database_path": "/x"}')
    before = sorted(os.listdir(tmp_path))
    found = examined(tmp_path)["home"]
    assert found["status"] == "fail"
    assert "TypeScript" in found["message"]
    assert sorted(os.listdir(tmp_path)) == before


def test_what_the_environment_changes_is_said(home: Path, examined: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GBRAIN_CLOCK", "+4d")
    found = examined(home)["home"]
    assert found["status"] == "ok"
    assert "GBRAIN_CLOCK=+4d is in force" in found["details"]
    assert f"GBRAIN_HOME={os.environ['GBRAIN_HOME']} is in force" in found["details"]


def test_a_clock_that_no_command_accepts_fails(home: Path, examined: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GBRAIN_CLOCK", "tomorrow")
    found = examined(home)["home"]
    assert found["status"] == "fail"
    assert found["fix"] == "unset GBRAIN_CLOCK"


def test_room_is_told(home: Path, examined: Any) -> None:
    assert " free" in examined(home)["home.space"]["message"]


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (172_032, "172 kB"), (3_400_000, "3.4 MB"), (12 * 10**9, "12 GB")],
)
def test_sizes_are_readable(count: int, shown: str) -> None:
    assert size(count) == shown
