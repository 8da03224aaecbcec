"""The capture hook is measured as whole processes, and banks what it should while it is."""

import json
import os
from pathlib import Path

import pytest

from gbrain.bench import hook
from gbrain.bench.machine import once


def test_every_case_is_measured_beside_a_bare_interpreter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    assert hook.main(hook.Options(2, 1, 3 * 1024 * 1024, json=str(file))) == 0
    assert capsys.readouterr().err == ""
    found = json.loads(file.read_text())["figures"]
    names = ["python -I -S -c pass", "a new turn", "a known turn", "a turn of no worth", "memory is off"]
    assert [row["name"] for row in found] == [*names, "a transcript of 3 MB"] * 2
    assert [len(row["bars"]) for row in found] == [0, *[2] * 5, 0, *[1] * 5]


def test_what_is_measured_is_done(tmp_path: Path) -> None:
    place = hook.Place(str(tmp_path), 1024 * 1024)
    for _ in range(2):
        for case in place.cases():
            once(case.command, place.env, case.given or os.devnull)
    corpus = tmp_path / ".gbrain" / "transcripts" / "corpus"
    assert sorted(path.name.partition(".")[0] for path in corpus.iterdir()) == ["known", "large", "new1", "new2"]
    log = (tmp_path / ".gbrain" / "integrations" / "hooks" / "heartbeat.jsonl").read_text()
    said = [json.loads(line)["reason"] for line in log.splitlines()]
    assert said == ["no_serve", "no_serve", "too_short", "no_serve", "no_serve", "wb_dup", "too_short", "wb_dup"]
    assert not (tmp_path / ".off" / "integrations").exists()
