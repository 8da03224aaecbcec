"""What a process is told about its source by what stands around it."""

import os
from pathlib import Path

import pytest

from gbrain.entry import place


def test_the_nearest_file_above_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / ".gbrain-source").write_text("far\n")
    (tmp_path / "a" / ".gbrain-source").write_text("  near \nand more\n")
    monkeypatch.chdir(deep)
    seen = place.selected(None)
    assert (seen.dotfile, seen.dotfile_path) == ("near", str(tmp_path / "a" / ".gbrain-source"))
    assert seen.folder == str(deep)


@pytest.mark.parametrize("how", ["writable", "link", "folder", "pipe", "empty", "unreadable text"])
def test_a_file_that_others_could_have_made_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    file = tmp_path / ".gbrain-source"
    if how == "link":
        (tmp_path / "other").write_text("work")
        file.symlink_to(tmp_path / "other")
    elif how == "folder":
        file.mkdir()
    elif how == "pipe":
        os.mkfifo(file)
    else:
        file.write_bytes({"writable": b"work", "empty": b" \n", "unreadable text": b"\xff\xfe"}[how])
        file.chmod(0o666 if how == "writable" else 0o644)
    monkeypatch.chdir(tmp_path)
    assert place.selected(None).dotfile in (None, "\ufffd\ufffd")


def test_the_walk_upward_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path.joinpath(*["d"] * 51)
    deep.mkdir(parents=True)
    (tmp_path / ".gbrain-source").write_text("work")
    monkeypatch.chdir(deep)
    assert place.selected(None).dotfile is None
    monkeypatch.chdir(deep.parent.parent)
    assert place.selected(None).dotfile == "work"


def test_a_server_for_the_network_does_not_mind_where_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".gbrain-source").write_text("work")
    monkeypatch.chdir(tmp_path)
    assert place.network("red") == place.Selection(flag="red")
