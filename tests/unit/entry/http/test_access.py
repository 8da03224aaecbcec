"""The access log: whole lines, never a wait, never a text of a defect."""

import json
import logging
import os
import threading
from pathlib import Path

import pytest

from gbrain.entry.http import access
from gbrain.entry.http.access import AccessLog, Defects
from gbrain.errors import Unavailable


def test_lines_are_json_in_order(tmp_path: Path) -> None:
    log = AccessLog(str(tmp_path / "log"))
    for number in range(2000):
        log.add({"event": "request", "number": number})
    log.close()
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [line["number"] for line in lines] == list(range(2000))
    assert all(line["ts"].endswith("Z") and len(line["ts"]) == 24 for line in lines)


def test_a_log_is_added_to(tmp_path: Path) -> None:
    for number in range(2):
        log = AccessLog(str(tmp_path / "log"))
        log.add({"number": number})
        log.close()
    assert len((tmp_path / "log").read_text().splitlines()) == 2


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="log file"):
        AccessLog(str(tmp_path / "no" / "such" / "folder"))


def test_a_reader_that_reads_nothing_costs_lines_not_answers(tmp_path: Path) -> None:
    """A pipe that is full blocks its writer; the server must not be that writer."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    log = AccessLog(str(pipe))
    for _ in range(access.WAITING + 5000):
        log.add({"event": "request", "filler": "x" * 200})
    log.close(0.05)
    os.set_blocking(reading, True)
    with os.fdopen(reading, "rb") as reader:
        closing = threading.Thread(target=log.close, args=(20.0,))
        closing.start()
        text = reader.read()
        closing.join()
    lines = [json.loads(line) for line in text.splitlines()]
    assert len(lines) >= access.WAITING
    assert sum(line["lines"] for line in lines if line.get("event") == "dropped") > 0


def test_defects_tell_kind_and_place_alone(tmp_path: Path) -> None:
    log = AccessLog(str(tmp_path / "log"))
    logger = logging.getLogger("gbrain-test-library")
    logger.propagate = False
    logger.addHandler(Defects(log))
    try:
        raise ValueError("a secret of a person")
    except ValueError:
        logger.exception("went wrong with a secret of %s", "a person")
    logger.warning("a warning with a secret")
    log.close()
    (line,) = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert "secret" not in json.dumps(line)
    assert line["type"] == "ValueError"
    assert line["raised_at"].startswith(__file__)
    assert line["logger"] == "gbrain-test-library"
