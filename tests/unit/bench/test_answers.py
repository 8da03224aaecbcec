"""`gbrain bench answers` against a scripted model: that its wires hold together, and no more."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from gbrain.bench.answers import Options, main
from model_server import Told, completion, model_server

NOTHING = Options(pages=60, calls=5, seed=1, work=None)


def script(body: dict[str, Any]) -> Told:
    if "You compare an answer" in body["messages"][0]["content"]:
        right = "<right>\ntea\n</right>" in body["messages"][1]["content"]
        return completion(json.dumps({"right": right}))
    return completion(json.dumps({"answer": "It is tea [default:chats/conv-1-s-1].", "citations": [], "gaps": []}))


def test_a_named_model_answers_and_a_named_judge_marks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unit = {
        "c": "conv-1",
        "id": "D1:1",
        "s": "s_1",
        "n": 0,
        "who": "Mel",
        "date": "8 May, 2031",
        "text": "I drink tea.",
    }
    asked = [
        {"c": "conv-1", "q": "What does Mel drink?", "cat": "single", "rel": ["D1:1"], "a": "tea"},
        {"c": "conv-1", "q": "What does Mel eat?", "cat": "other", "rel": ["D1:1"], "a": "figs"},
    ]
    for name, rows in (("units", [unit]), ("queries", asked)):
        with gzip.open(tmp_path / f"locomo.{name}.jsonl.gz", "wt") as file:
            file.write("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path / "figures.json"
    with model_server() as server:
        server.script = script
        named = f"endpoint:scripted-1 url={server.url}"
        asked = NOTHING._replace(data=str(tmp_path), model=named, judge=named, json=str(out))
        assert main(asked) == 0
        assert len(server.asked) == 4
    figures = json.loads(out.read_text())
    whole = figures["rows"][0]
    assert (whole["questions"], whole["judged"], whole["right %"], whole["tokens a query"]) == (2, 2, 50.0, 120)
    assert {row["part"]: row["right %"] for row in figures["rows"][1:]} == {"single": 100.0, "other": 0.0}
    assert "say nothing about answers" in capsys.readouterr().out


def test_a_model_and_a_judge_have_to_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(NOTHING._replace(data=str(tmp_path))) == 1
    assert "--model" in capsys.readouterr().err


def test_gathering_is_measured_without_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(NOTHING._replace(work=str(tmp_path))) == 0
    assert "CPU of gathering" in capsys.readouterr().out
