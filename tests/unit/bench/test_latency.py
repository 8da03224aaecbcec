"""The command: every part runs on a small brain, and a failure is told."""

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from gbrain.bench import contention, latency
from gbrain.bench.generate import borrowed
from gbrain.bench.machine import Failed, disk_bytes, fsync_ms, interleaved, memory, middle, once
from gbrain.bench.requests import reads, writes

OPERATIONS = ("entity", "recall", "search", "context_pack", "delta", "get_page", "remember", "put_page")


def test_operations_are_measured_and_written_down(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    given = latency.Options(60, 4, 1, str(tmp_path), ("operations",), str(file))
    assert latency.main(given) == 0
    shown = capsys.readouterr().out
    found = json.loads(file.read_text())
    names = [figure["name"] for figure in found["figures"]]
    assert all(any(name.startswith(verb) for name in names) for verb in OPERATIONS)
    assert all(f"\n{name} " in shown for name in names)
    assert found["head"]["pages"] == 60
    assert found["head"]["fsync_ms"] > 0
    barred = {figure["name"] for figure in found["figures"] if figure["bars"]}
    assert barred == {
        *("entity, found", "entity, misspelt", "entity, unknown", "entity, most linked"),
        *("recall by entity", "recall, most facts", "remember"),
    }
    assert "figures with a bar reach it" in shown
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("run-")]


def test_the_same_is_measured_over_stdio(generated: Any) -> None:
    with borrowed(generated.home, str(generated.work), "stdio") as base:
        found = latency.over_stdio(base, generated.world, 4, runs=2)
    names = [figure.name for figure in found if figure.group == "stdio"]
    direct = (
        *reads(generated.world, random.Random(1), 1),
        *writes(generated.world, random.Random(1), 1, ""),
    )
    assert names == [series.name for series in direct]
    server = {figure.name: figure.numbers for figure in found if figure.group == "server"}
    assert server["memory after 1,000 calls"]["rss"] > 5
    assert server["spawn to tools/list"]["x pass"] > 1


def test_commands_are_measured_as_processes(generated: Any) -> None:
    with borrowed(generated.home, str(generated.work), "processes") as base:
        found = {figure.name: figure for figure in latency.processes(base, generated.world, runs=2)}
    assert found["python -c pass"].numbers["x pass"] == 1
    for name in ("remember", "recall", "entity"):
        assert [bar.most for bar in found[name].bars] == [12.0, 0.15]
    assert 0 < found["an empty brain"].numbers["size"] < 1


def test_many_processes_lose_nothing(generated: Any) -> None:
    with borrowed(generated.home, str(generated.work), "writers") as base:
        wrote, read, store = contention.measured(base, [being.slug for being in generated.world.beings[:20]], 20)
    assert wrote.n == contention.WRITERS * 20
    assert wrote.numbers["errors"] == read.numbers["errors"] == 0
    assert (store.numbers["lost"], store.numbers["unsound"]) == (0, 0)


def test_strict_ends_with_what_the_table_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = latency.Options(30, 1, 1, str(tmp_path), ("operations",), strict=True)
    code = latency.main(given)
    assert code == int("MISSED" in capsys.readouterr().out)


def test_what_cannot_be_measured_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = latency.Options(30, 1, 1, str(tmp_path), ("operations",))
    assert latency.main(given) == 0
    (home,) = tmp_path.glob("brain-*/.gbrain")
    (home / "brain.db").write_bytes(b"no brain" * 1000)
    assert latency.main(given) == 1
    assert "The measurement failed" in capsys.readouterr().err


def test_a_process_that_fails_is_no_measurement(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="ended with 3"):
        once(["sh", "-c", "exit 3"], {"PATH": "/usr/bin:/bin"})
    costs = interleaved({"a": ["true"], "b": ["sh", "-c", "true"]}, {"PATH": "/usr/bin:/bin"}, 3)
    assert [len(found) for found in costs.values()] == [3, 3]
    assert middle(costs["a"]).wall > 0


def test_the_disk_and_the_memory_are_read(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a").write_bytes(b"x" * 1000)
    assert disk_bytes(str(tmp_path)) == 1000
    assert fsync_ms(str(tmp_path), 3) > 0
    assert disk_bytes(str(tmp_path)) == 1000
    assert memory(os.getpid())[0] > 5
