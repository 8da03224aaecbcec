"""Pages and folders are measured on real files, by whole processes."""

import json
from pathlib import Path

import pytest

from gbrain.bench import pages


def test_every_part_is_measured_and_nothing_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    assert pages.main(pages.Options(60, 4, 1, str(tmp_path / "work"), json=str(file))) == 0
    assert capsys.readouterr().err == ""
    found = json.loads(file.read_text())
    names = [figure["name"] for figure in found["figures"]]
    assert names == [
        *("60 new files", "60 pages", "60 new files", "nothing changed of 60", "one changed of 60", "one moved of 60"),
        *("2 kB, in the store", "2 kB, and in its file"),
    ]
    assert [figure["name"] for figure in found["figures"] if figure["bars"]] == [
        *("60 new files", "60 pages", "one changed of 60", "2 kB, in the store", "2 kB, and in its file")
    ]
    assert list((tmp_path / "work").iterdir()) == []
