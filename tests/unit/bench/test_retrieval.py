"""The measurement of retrieval, on a few made-up chats and pages."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from gbrain.bench.retrieval import main

CHAT = [
    ("Ann", "Where did you put the harbour key?"),
    ("Bo", "It hangs behind the door."),
    ("Ann", "I bought a lantern in Ghent."),
]


def put(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def test_turns_sessions_and_pages_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turns = [
        {
            "c": "one",
            "id": f"D1:{number}",
            "s": "session_1",
            "n": number,
            "who": who,
            "date": "8 May, 2031",
            "text": text,
        }
        for number, (who, text) in enumerate(CHAT)
    ]
    put(tmp_path, "chats.units", turns)
    put(
        tmp_path,
        "chats.queries",
        [
            {"c": "one", "q": "Where is the harbour key?", "cat": "single", "rel": ["D1:1"]},
            {"c": "one", "q": "What did Ann buy in Ghent?", "cat": "single", "rel": ["D1:2"]},
        ],
    )
    put(
        tmp_path,
        "pages.units",
        [
            {
                "c": "w",
                "id": "companies/acme",
                "s": "companies/acme",
                "title": "Acme",
                "text": "Acme\nMakes lanterns.",
                "who": "",
                "date": "",
                "n": 0,
            }
        ],
    )
    put(tmp_path, "pages.queries", [{"c": "w", "q": "who makes lanterns", "cat": "words", "rel": ["companies/acme"]}])
    figures = tmp_path / "figures.json"
    assert main(["--data", str(tmp_path), "--no-vectors", "--json", str(figures)]) == 0
    rows = {(row["set"], row["part"]): row for row in json.loads(figures.read_text(encoding="utf-8"))["rows"]}
    assert rows["chats turns", "all"]["recall@5"] == 100
    assert rows["chats turns", "all"]["questions"] == 2
    assert rows["chats sessions", "all"]["mrr"] == 100
    assert rows["pages", "words"]["precision@5"] == 20
    assert "recall@10" in capsys.readouterr().out


def test_a_folder_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path / "none")]) == 1
    assert "The measurement failed" in capsys.readouterr().err
