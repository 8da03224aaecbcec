"""The load: dealt as it says, asked of a real server, and every failure counted."""

import asyncio
import json
import random
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from gbrain.bench import load
from gbrain.bench.crowd import HEALTH, Call, Client, Crowd


def test_calls_are_dealt_by_their_shares(generated: Any) -> None:
    dealt = load._calls(generated.world, random.Random(1), 5000, 7, "x")
    assert max(map(len, dealt)) - min(map(len, dealt)) <= 1
    assert [calls.index(HEALTH) for calls in dealt] == [load.HEALTH_EVERY] * 7
    counts = Counter(call.series for calls in dealt for call in calls)
    assert counts.pop(HEALTH.series) == 5000 // 7 // load.HEALTH_EVERY * 7
    assert counts.total() == 5000
    assert set(counts) == set(load.SHARES)
    assert all(abs(counts[name] / 50 - share) < 2 for name, share in load.SHARES.items())
    writes = [json.dumps(call.arguments) for calls in dealt for call in calls if call.operation == "remember"]
    assert len(set(writes)) == len(writes)


def test_a_server_is_measured_and_loses_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    asked = load.Options(60, clients=6, calls=120, rate=200, seconds=300, seed=1, work=str(tmp_path), json=str(file))
    assert load.main(asked) == 0
    told = capsys.readouterr()
    assert told.err == ""
    found = json.loads(file.read_text())
    assert (found["head"]["pages"], found["head"]["clients"]) == (60, 6)
    whole = [figure for figure in found["figures"] if figure["name"] == "the whole"]
    # Alone, /health is asked as often as anything at the clients' pace; 20 calls of a client have two beside them.
    assert [figure["n"] for figure in whole] == [30, 30, 132]
    assert [figure["name"] for figure in found["figures"]].count(HEALTH.series) == 2
    # What so few requests take can be less than the operating system counts.
    assert whole[0]["x health"] in (0, 1)
    assert all(figure[name] == 0 for figure in whole for name in ("errors", "unasked", "lost"))
    assert all(figure["a second"] > 0 for figure in whole)
    about = [figure for figure in found["figures"] if figure["name"] == "recall by entity"]
    assert [[bar["most"] for bar in figure["bars"]] for figure in about] == [[8.0, 40.0], []]
    (memory,) = [figure for figure in found["figures"] if figure["unit"] == "MB"]
    assert memory["rss"] > 20
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("run-")]


def test_what_goes_on_too_long_is_left(generated: Any) -> None:
    """Calls that were not made are a missed bar, not a shorter table."""
    call = Call("s", "recall", {})
    heard = Crowd(1, ["token"]).ask([[call] * 3, [call] * 3], lambda: 0.05, 0.0)
    assert (heard.took, heard.errors) == ({}, 0)
    whole = list(load._of("group", heard, (), {}, {"unasked": 6, "lost": 0}))[-1]
    assert whole.numbers["unasked"] == 6
    assert [bar.of for bar in whole.missed] == ["unasked"]


class Odd(BaseHTTPRequestHandler):
    """Answers in turn: a refusal, an error of the tool, garbage, a connection that ends."""

    protocol_version = "HTTP/1.1"
    turn = 0

    def do_GET(self) -> None:
        self._answer(503, b'{"status":"unavailable"}')

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        Odd.turn += 1
        status, body = [(429, b"{}"), (200, b'{"result":{"isError":true}}'), (200, b"x"), (0, b"")][(Odd.turn - 1) % 4]
        if not status:
            self.close_connection = True
            return
        self._answer(status, body)

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def test_every_kind_of_failure_is_an_error() -> None:
    with HTTPServer(("127.0.0.1", 0), Odd) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        crowd = Crowd(server.server_port, ["token"])
        heard = crowd.ask([[*[Call("s", "recall", {})] * 4, HEALTH]], None, 60)
        server.shutdown()
    assert heard.errors == 5
    assert [told.split(":")[1].strip() for told in heard.told] == ["status 429", "status 200", "status 200"]
    assert len(heard.took["s"]) == 4


def test_nobody_listens() -> None:
    client = Client(1, "token", stateless=False)
    assert asyncio.run(client.call(Call("s", "recall", {}))) == ("ConnectionRefusedError", 0)
