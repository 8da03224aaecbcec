"""Shadow mode: what would be saved is shown, and nothing is."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commandline import Gbrain
from integration.hooks import SAID, hook, reasons
from model_server import ModelServer, completion, model_server, status

FACTS = [
    {"fact": "prefers dark mode", "kind": "preference", "notability": "medium"},
    {"fact": "ordered lunch", "kind": "event", "notability": "low"},
]
SECRET = "my password is " + "hunter2EXAMPLE"


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as server:
        server.script = lambda body: completion(json.dumps({"facts": FACTS}))
        yield server


@pytest.fixture
def gbrain(tmp_path: Path) -> Gbrain:
    made = Gbrain(tmp_path)
    made("init")
    made("config", "set", "memory.auto_writeback_shadow", "on")
    return made


def preview(gbrain: Gbrain, *more: str) -> Any:
    return gbrain("writeback", "preview", "--json", *more).json


def sweep(gbrain: Gbrain) -> Any:
    return gbrain("sweep", "--once", "--json", "--budget-ms", "60000").json


def files(gbrain: Gbrain) -> list[Path]:
    return [path for path in gbrain.home.rglob("*") if path.is_file()]


def test_it_is_off_until_somebody_turns_it_on(tmp_path: Path) -> None:
    gbrain = Gbrain(tmp_path)
    gbrain("init")
    hook(gbrain)
    assert reasons(gbrain, "writeback-shadow") == []
    assert not (gbrain.home / "transcripts").exists()
    assert not preview(gbrain)["on"]
    assert "memory.auto_writeback_shadow on" in gbrain("writeback", "preview").out


def test_what_would_be_saved_is_shown_and_nothing_is_saved(gbrain: Gbrain, model: ModelServer) -> None:
    texts = [
        SAID,
        "thanks a lot, see you",
        "off the record: my sister Ruta is ill again",
        f"Note that {SECRET} for now",
    ]
    for text in texts:
        hook(gbrain, text=text)
        hook(gbrain, text=text)
    told = preview(gbrain)
    assert (told["on"], told["kept"], told["facts_all"]) == (True, 1, 0)
    assert told["filtered"] == {"ack_or_greeting": 1, "chat_only": 1, "secret_found": 1}
    assert [turn["text"] for turn in told["turns"] if turn["reason"] is None] == [SAID]
    kept = b"".join(path.read_bytes() for path in files(gbrain))
    assert b"Ruta" not in kept
    assert b"hunter2" not in kept
    assert "no model has read it" in gbrain("writeback", "preview").out
    assert sweep(gbrain)["corpusIngested"] == 0
    gbrain("config", "set", "models.default", f"endpoint:scripted-1 url={model.url}")
    sweep(gbrain)
    sweep(gbrain)
    told = preview(gbrain)
    assert (told["facts_salient"], told["facts_all"], len(model.asked)) == (1, 2, 1)
    (turn,) = [turn for turn in told["turns"] if turn["reason"] is None]
    assert [(fact["fact"], fact["mode"]) for fact in turn["facts"]] == [
        ("prefers dark mode", "salient"),
        ("ordered lunch", "all"),
    ]
    shown = gbrain("writeback", "preview").out
    assert "prefers dark mode (preference, medium)" in shown
    assert "only with all: ordered lunch" in shown
    assert gbrain("recall", "--json").json["facts"] == []
    assert reasons(gbrain, "writeback-bank") == []
    assert not (gbrain.home / "transcripts" / "corpus").exists()
    assert all(path.stat().st_mode & 0o077 == 0 for path in (gbrain.home / "transcripts").rglob("*"))


def test_it_is_cleared_and_goes_by_itself(gbrain: Gbrain) -> None:
    hook(gbrain)
    assert preview(gbrain, "--clear")["cleared"] == 1
    assert preview(gbrain)["turns"] == []
    hook(gbrain)
    (path,) = (gbrain.home / "transcripts" / "shadow").iterdir()
    old = path.stat().st_mtime - 7 * 86_400 - 60
    os.utime(path, (old, old))
    sweep(gbrain)
    assert not path.exists()


def test_a_model_that_fails_is_told(gbrain: Gbrain, model: ModelServer) -> None:
    model.script = lambda body: status(400)
    gbrain("config", "set", "models.default", f"endpoint:scripted-1 url={model.url}")
    hook(gbrain)
    sweep(gbrain)
    (turn,) = preview(gbrain)["turns"]
    assert (turn["facts"], turn["failed"]) == (None, "provider_error")


def test_memory_that_is_on_has_no_shadow(gbrain: Gbrain) -> None:
    gbrain("config", "set", "memory.auto_writeback", "salient")
    hook(gbrain)
    assert reasons(gbrain, "writeback-bank") == ["no_serve"]
    told = preview(gbrain)
    assert (told["on"], told["turns"]) == (False, [])


def test_the_file_alone_makes_no_model_read(gbrain: Gbrain, model: ModelServer) -> None:
    gbrain("config", "set", "models.default", f"endpoint:scripted-1 url={model.url}")
    hook(gbrain)
    config = gbrain.home / "config.json"
    file = config.read_text()
    gbrain("config", "unset", "memory.auto_writeback_shadow")
    config.write_text(file)
    sweep(gbrain)
    assert model.asked == []


def test_what_is_no_file_of_the_spool_holds_nothing_up_and_is_cleared(gbrain: Gbrain) -> None:
    hook(gbrain)
    spool = gbrain.home / "transcripts" / "shadow"
    for name, at in (("a", "1e300"), ("b", "NaN"), ("c", "-1e18"), ("d", "9" * 5000)):
        (spool / f"{name}.json").write_text(f'{{"at": {at}, "text": "x"}}')
    os.mkfifo(spool / "p.json")
    assert len(preview(gbrain)["turns"]) == 1
    preview(gbrain, "--clear")
    assert list(spool.iterdir()) == []


def test_without_a_model_what_is_asked_to_be_kept_is_shown_as_the_fact_it_would_be(gbrain: Gbrain) -> None:
    hook(gbrain, text="Please remember that my locker is the blue one.")
    hook(gbrain, text="We moved the launch to the second week of May.")
    told = preview(gbrain)
    assert [(turn["facts"] or [{}])[0].get("fact") for turn in told["turns"]] == [None, "my locker is the blue one."]
    assert told["facts_salient"] == 1
    shown = gbrain("writeback", "preview").out
    assert "    my locker is the blue one. (fact, medium)" in shown
    assert "it would wait for one" in shown
