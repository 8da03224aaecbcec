"""The measurement of retrieval, on a few made-up chats and pages."""

import gzip
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from gbrain.bench.retrieval import Options, main

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
    drawn = tmp_path / "plot.svg"
    asked = Options(str(tmp_path), no_vectors=True, arms=True, plot=str(drawn), json=str(figures))
    assert main(asked) == 0
    told = json.loads(figures.read_text(encoding="utf-8"))["rows"]
    rows = {(row["set"], row["part"]): row for row in told if row["arms"] == "all"}
    assert rows["chats turns", "all"]["recall@5"] == 100
    assert rows["chats turns", "all"]["questions"] == 2
    assert rows["chats sessions", "all"]["mrr"] == rows["chats sessions", "all"]["ndcg@10"] == 100
    without = {row["arms"]: row["recall@5"] for row in told if row["set"] == "chats turns" and row["arms"] != "all"}
    assert without == {"without exact": 100, "without keyword": 0, "without vector": 100, "without graph": 100,
                       "without date": 100}  # fmt: skip
    assert ElementTree.parse(drawn).findall(".//{http://www.w3.org/2000/svg}circle")
    assert rows["pages", "words"]["precision@5"] == 20
    assert "recall@10" in capsys.readouterr().out


def test_a_folder_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(Options(str(tmp_path / "none"))) == 1
    assert "The measurement failed" in capsys.readouterr().err
