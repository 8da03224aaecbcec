"""The viewer is measured as a person meets it, on a small brain."""

import json
from pathlib import Path

import pytest

from gbrain.bench import viewer


def test_every_page_is_measured_and_the_first_weighed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    assert viewer.main(viewer.Options(40, 2, 1, str(tmp_path), json=str(file))) == 0
    assert capsys.readouterr().err == ""
    found = {row["name"]: row for row in json.loads(file.read_text())["figures"]}
    assert {"Today", "Facts", "Pages", "a page", "Search", "Health"} <= set(found)
    [bar] = found["opened for the first time, with all it loads"]["bars"]
    assert bar["reached"] is True
    assert 10 < found["opened for the first time, with all it loads"]["kB"] < 100
