"""Search by meaning between processes: a server embeds and answers, short commands ask it, the doctor tries it."""

import json
import os
import re
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from commandline import Gbrain
from embedding_server import Endpoint, endpoint
from gbrain import __version__, neighbour
from stdio_server import HANDSHAKE, Server, call, local_brain, request

ON = {"GBRAIN_EMBEDDING_PROVIDER": "auto"}
PATIENCE = 60.0
ASK = """
import json, sys
from gbrain import open_brain
from gbrain.types import View
with open_brain() as brain:
    view = View(("default",), False, brain.store.config.now())
    found = brain.meaning.nearest(view, sys.argv[1], 3)
print(json.dumps([[hit.kind, hit.id] for hit in found.hits]), json.dumps(found.reason), "onnxruntime" in sys.modules)
"""


@pytest.fixture
def gbrain(tmp_path: Path) -> Gbrain:
    made = Gbrain(tmp_path)
    made("init")
    made("put", "note/tea", stdin="# Tea\n\nShe drinks a hot beverage of green leaves every morning.\n")
    made("put", "note/tax", stdin="# Tax\n\nThe return is due in April, with all receipts.\n")
    return made


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with endpoint() as running:
        yield running


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def waiting(gbrain: Gbrain) -> int:
    with local_brain(gbrain.base) as brain:
        space = brain.store.vectors.space()
        return brain.store.vectors.counts(space)[1]


def socket_of(gbrain: Gbrain) -> Path:
    path = neighbour.socket_path(str(gbrain.home))
    assert path is not None
    return Path(path)


def ask(gbrain: Gbrain, text: str) -> tuple[Any, Any, bool]:
    ran = subprocess.run(
        [sys.executable, "-c", ASK, text], env=gbrain.environment(ON), capture_output=True, text=True, check=True
    )
    hits, reason, loaded = ran.stdout.strip().rsplit(" ", 2)
    return json.loads(hits), json.loads(reason), loaded == "True"


def unreachable(gbrain: Gbrain) -> None:
    with endpoint() as gone:
        pass
    gbrain("config", "set", "embedding.provider", "endpoint")
    gbrain("config", "set", "embedding.model", "m")
    gbrain("config", "set", "embedding.url", gone.url)


def check(gbrain: Gbrain, *more: str) -> dict[str, Any]:
    ran = gbrain.run("doctor", "--json", *more, env={"GBRAIN_EMBEDDING_PROVIDER": ""})
    found: dict[str, Any] = next(row for row in ran.json["checks"] if row["name"] == "embedding")
    return {**found, "exit": ran.code, "complete": ran.json["complete"]}


class TestServing:
    def test_a_server_embeds_what_is_written_and_answers_others(self, gbrain: Gbrain) -> None:
        with Server(gbrain.base, env=ON) as server:
            server.send(request(1, "initialize", HANDSHAKE), call(2, "entity", {"name": "tea"}))
            server.receive()
            server.receive()
            until(lambda: waiting(gbrain) == 0)
            door = socket_of(gbrain)
            until(door.exists)
            assert stat.S_IMODE(door.stat().st_mode) == 0o600
            hits, reason, loaded = ask(gbrain, "a warm drink")
            assert (hits[0], reason, loaded) == (["page", 1], None, False)
            gbrain("remember", "owns a sailing boat", "--provenance", "a test")
            until(lambda: waiting(gbrain) == 0)
            assert ask(gbrain, "a yacht")[0][0] == ["fact", 1]
            told = gbrain.run("remember", "keeps bees", "--provenance", "a test", "--json", env=ON).json
            assert "degraded_dedup" not in told
        hits, reason, loaded = ask(gbrain, "a warm drink")
        assert (hits[0], loaded) == (["page", 1], True)

    def test_a_command_beside_a_server_ranks_as_it_would_alone(self, gbrain: Gbrain) -> None:
        for slug, text in (("chats/one", "kids are asleep"), ("chats/two", "lorry is asleep")):
            turns = [f"**Dana** (2031-02-03): The {text}.", "**Tom** (2031-02-03): Fine."] * 3
            gbrain("put", slug, stdin="\n\n".join(turns) + "\n")
        gbrain.run("embed", env=ON)
        search = ("search", "children at rest", "--explain", "--json")
        alone = gbrain.run(*search, env=ON).json
        with Server(gbrain.base, env=ON) as server:
            server.send(request(1, "initialize", HANDSHAKE), call(2, "entity", {"name": "tea"}))
            server.receive()
            server.receive()
            until(lambda: ask(gbrain, "tea")[2] is False)
            beside = gbrain.run(*search, env=ON).json
        assert beside == alone
        parts = {hit["slug"]: hit["explain"]["parts"] for hit in alone}
        assert parts["chats/one"]["kin"] > 0.1

    def test_one_answers_and_another_steps_in(self, gbrain: Gbrain) -> None:
        told = gbrain.run("embed", env=ON).out
        assert re.match(r"\d+ texts? got a vector; \d+ have one, 0 await one \(", told), told
        with Server(gbrain.base, env=ON) as second:
            with Server(gbrain.base, env=ON) as first:
                first.send(request(1, "initialize", HANDSHAKE), call(2, "entity", {"name": "tea"}))
                first.receive()
                first.receive()
                until(lambda: ask(gbrain, "tea")[2] is False)
                second.send(request(1, "initialize", HANDSHAKE), call(2, "entity", {"name": "tea"}))
                second.receive()
                second.receive()
            until(lambda: ask(gbrain, "tea")[2] is False)

    def test_the_socket_takes_no_nonsense(self, gbrain: Gbrain) -> None:
        gbrain.run("embed", env=ON)
        with Server(gbrain.base, env=ON) as server:
            server.send(request(1, "initialize", HANDSHAKE), call(2, "entity", {"name": "tea"}))
            server.receive()
            server.receive()
            until(socket_of(gbrain).exists)
            place = os.open(socket_of(gbrain).parent, os.O_RDONLY)
            for sent in (b"", b"\n", b"nonsense\n", b"[]\n", b'{"version": "0"}\n', b"[" * 100_000 + b"\n", b"\xff\n",
                         json.dumps({"protocol": 1, "verb": "meaning", "version": __version__}).encode() + b"\n",
                         b'{"protocol": 1, "verb": "meaning", "version": "0"}\n'):  # fmt: skip
                with socket.socket(socket.AF_UNIX) as connection:
                    connection.settimeout(10)
                    connection.connect(f"/proc/self/fd/{place}/{socket_of(gbrain).name}")
                    connection.sendall(sent)
                    connection.shutdown(socket.SHUT_WR)
                    said = connection.recv(4096)
                    assert not said or "error" in json.loads(said)
            os.close(place)
            until(lambda: ask(gbrain, "tea")[2] is False)

    def test_a_process_that_was_killed_leaves_no_mark_behind(self, gbrain: Gbrain) -> None:
        gbrain.run("embed", env=ON)
        for _ in range(2):
            with Server(gbrain.base, env=ON) as server:
                server.send(request(1, "initialize", HANDSHAKE), call(2, "entity", {"name": "tea"}))
                server.receive()
                server.receive()
                until(lambda: ask(gbrain, "tea")[2] is False)
                server.process.kill()
        assert socket_of(gbrain).exists()
        hits, reason, loaded = ask(gbrain, "tea")
        assert (hits[0], reason, loaded) == (["page", 1], None, True)


class TestDoctor:
    def test_it_counts_what_waits_and_prints_the_command(self, gbrain: Gbrain) -> None:
        found = check(gbrain)
        assert found["status"] == "ok"
        assert "2 of 2 texts wait" in found["message"]
        assert gbrain.run(*found["fix"].split()[1:], env={"GBRAIN_EMBEDDING_PROVIDER": ""}).code == 0
        assert "each of 2 texts has a vector" in check(gbrain)["message"]

    def test_another_model_is_told_with_the_command_that_mends_it(self, gbrain: Gbrain, server: Endpoint) -> None:
        gbrain.run("embed", env=ON)
        for name, value in (("provider", "endpoint"), ("model", "m"), ("url", server.url)):
            gbrain("config", "set", f"embedding.{name}", value)
        found = check(gbrain)
        assert (found["status"], found["fix"]) == ("warn", "gbrain embed --stale")
        assert gbrain.run("embed", "--stale", env={"GBRAIN_EMBEDDING_PROVIDER": ""}).code == 0
        assert check(gbrain)["status"] == "ok"

    def test_without_a_model_nothing_is_wrong(self, gbrain: Gbrain) -> None:
        found = next(row for row in gbrain("doctor", "--json").json["checks"] if row["name"] == "embedding")
        assert (found["status"], "fix" in found) == ("ok", False)
        assert "names and words" in found["message"]
