"""`gbrain bench all`: parts that are kept, what shapes their files have, and the table in a document."""

import json
from pathlib import Path
from typing import Any

import pytest

from gbrain.bench import everything
from gbrain.bench.everything import BEGIN, END, PARTS, Options, main, read
from gbrain.bench.figures import Bar, Figure, as_json

FOLDER = Figure("folder", "2,000 new files", "s", 1, {"cpu s": 2.7, "wall s": 9.0}, (Bar("cpu s", 3.0),))
SERVER = Figure("server", "memory after 1,000 calls", "MB", 1, {"rss": 41.0}, (Bar("rss", 40.0),))
BARE = Figure("command", "python -c pass", "s", 15, {"cpu s": 0.0086, "x pass": 1.0})
ROW = {"set": "locomo turns", "arms": "all", "questions": 9, "mrr": 60.1, "ndcg@10": 50.0, "precision@5": 20.0}
ROW |= {"recall@5": 75.4, "recall@10": 83.3, "ms p50": 3.0, "ms p99": 8.0}
OFFERS = {
    "know-to-ask failures": 0.0,
    "false offers": 0.02,
    "precision": 0.99,
    "recall": 0.9,
    "leaks": 0,
    "tokens": 14.7,
}


def files(folder: Path) -> None:
    parts: dict[str, Any] = {
        "latency": {"head": {"pages": 20_000}, "figures": [as_json(SERVER), as_json(BARE)]},
        "pages": {"head": {"pages": 20_000}, "figures": [as_json(FOLDER)]},
        "push": {"talks": 400, "set": "made", "harness": None, "figures": OFFERS},
        "retrieval": {"rows": [{**ROW, "part": part} for part in ("all", "test", "temporal")]},
    }
    for name, told in parts.items():
        (folder / f"all-{name}.json").write_text(json.dumps(told))


def test_a_table_of_what_was_measured_goes_into_a_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files(tmp_path)
    document = tmp_path / "figures.md"
    document.write_text(f"# Before\n{BEGIN}\nof last year\n{END}\nAfter\n")
    only = ("latency", "pages", "push", "retrieval")
    given = Options(str(tmp_path), "anywhere", only, write=str(document))
    assert main(given) == 0
    assert main(given._replace(strict=True)) == 1
    told = document.read_text()
    assert told.startswith(f"# Before\n{BEGIN}\n")
    assert told.endswith(f"{END}\nAfter\n")
    assert "of last year" not in told
    assert "cores. An interpreter that does nothing took 8.6 ms of processor time.\n" in told
    rows = [line for line in told.splitlines() if line.startswith("| ") and "measured" not in line]
    assert rows == [
        "| server: memory after 1,000 calls | rss 41 MB | rss <= 40: **missed rss** | 313 MB |",
        "| folder: 2,000 new files | cpu s 2.70 s | cpu s <= 3 | 38 s CPU |",
        "| offers: 400 conversations, made | know-to-ask failures 0, false offers 0.020, precision 0.990, recall 0.900,"
        " leaks 0, tokens 14.7 | know-to-ask failures <= 0.02, false offers <= 0.01, precision >= 0.98, recall >= 0.95,"
        " leaks <= 0, tokens <= 60: **missed false offers, recall** |  |",
        "| retrieval, with vectors: locomo turns | recall@5 75.4, recall@10 83.3 | recall@5 >= 75, recall@10 >= 84:"
        " **missed recall@10** |  |",
    ]
    assert "1 of 4 reach it" in capsys.readouterr().out


def test_a_document_without_the_marks_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files(tmp_path)
    document = tmp_path / "figures.md"
    document.write_text("# Mine\n")
    assert main(Options(str(tmp_path), only=("pages",), write=str(document))) == 1
    assert document.read_text() == "# Mine\n"
    assert "does not hold the two lines" in capsys.readouterr().err


def test_a_part_is_measured_once_and_one_that_fails_leaves_no_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The whole of it on one part that takes a second, and on one whose data are not there."""
    quick = everything.Part("hook", ("hook", "--calls", "5", "--busy", "1"))
    monkeypatch.setattr(everything, "PARTS", (quick, *(part for part in PARTS if part.name == "retrieval")))
    given = Options(str(tmp_path), str(tmp_path / "none"), json=str(tmp_path / "told.json"))
    assert main(given) == 1
    heard = capfd.readouterr()
    assert "gbrain bench hook" in heard.out
    assert "Not measured: retrieval" in heard.err
    assert sorted(path.name for path in tmp_path.glob("all-*")) == ["all-hook.json"]
    told = json.loads((tmp_path / "told.json").read_text())
    assert list(told["parts"]) == ["hook"]
    assert told["parts"]["hook"]
    assert main(given) == 1
    assert "gbrain bench hook" not in capfd.readouterr().out


def test_the_larger_brain_is_told_apart() -> None:
    (figure,) = read("large", {"head": {"pages": 200_000}, "figures": [as_json(FOLDER)]})
    assert figure == FOLDER._replace(group="folder at 200,000 pages")
