"""The server, or the database below it, killed in the middle of a load: what was acknowledged stays, once, and the
clients go on with nothing begun anew but the call that got no answer.

One round, and ten with SLOW_TESTS=1.
"""

import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.client import HTTPException
from pathlib import Path

import pytest

import databases
from gbrain.brain import join_database
from http_server import HttpServer
from stdio_server import brain_folder, call, local_brain, make_brain

ROUNDS = 10 if os.environ.get("SLOW_TESTS") else 1
AGENTS = 6
ENOUGH = 8
"""Acknowledged writes of each client before and after every blow."""
PATIENCE = 60.0
PAGE_EVERY = 4
AGAIN_SECONDS = 0.1


class Agent(threading.Thread):
    """A client that asks again until its call is answered, and what it was told is kept."""

    def __init__(self, name: str, ask: Callable[[str, dict[str, object]], dict[str, object]]) -> None:
        super().__init__(daemon=True)
        self.told: list[tuple[str, int, str]] = []
        """Kind, id or version, and text of what was acknowledged."""
        self.unanswered = 0
        self._name = name
        self._ask = ask
        self._more = threading.Condition()
        self._ended = threading.Event()

    def run(self) -> None:
        number = 0
        while not self._ended.is_set():
            number += 1
            # A claim of its own each time, so that none repeats or replaces another.
            text = f"{self._name}{number} keeps parcel {os.urandom(8).hex()}"
            self._until_told("fact", text, "remember", {"fact": text, "provenance": "load", "entity": text.split()[0]})
            if number % PAGE_EVERY == 0:
                slug = f"notes/{self._name}-{number}"
                self._until_told("page", text, "put_page", {"slug": slug, "content": f"# {text}\n\n{text}\n"})

    def _until_told(self, kind: str, text: str, operation: str, arguments: dict[str, object]) -> None:
        while not self._ended.is_set():
            try:
                reply = self._ask(operation, arguments)
            except (OSError, HTTPException, Unanswered):
                self.unanswered += 1
                # Whoever asks again at once leaves no processor to the server that starts.
                self._ended.wait(AGAIN_SECONDS)
                continue
            with self._more:
                self.told.append((kind, int(str(reply["id" if kind == "fact" else "version"])), text))
                self._more.notify_all()
            return

    def wait_for(self, count: int) -> None:
        """Wait until so many calls were acknowledged."""
        with self._more:
            reached = self._more.wait_for(lambda: len(self.told) >= count or not self.is_alive(), PATIENCE)
        assert reached, f"silent at {len(self.told)} of {count}"
        assert self.is_alive(), "the client ended"

    def end(self) -> None:
        self._ended.set()
        self.join(PATIENCE)


class Unanswered(Exception):
    """The server says that the store is out of reach: nothing was acknowledged."""


class Place:
    """A brain, the server in front of it, and what can be killed."""

    def __init__(self, home: Path, database: databases.Server | None) -> None:
        self.home = home
        self.database = database
        self.server = HttpServer(home, "--rate", "0")

    def ask(self, operation: str, arguments: dict[str, object]) -> dict[str, object]:
        """The value of a call; raises Unanswered where the store could not be reached, and what a socket raises."""
        answer = self.server.post(call(1, operation, arguments))
        if answer.status == 503:
            raise Unanswered
        assert answer.status == 200, answer
        result = answer.json["result"]
        value = json.loads(result["content"][0]["text"])
        assert isinstance(value, dict)
        if result["isError"]:
            assert value["error"] == "unavailable", value
            raise Unanswered
        return value

    def strike(self, what: str) -> None:
        """Kill it, and start it again as whoever runs it would."""
        if what == "server":
            self.server.process.kill()
            self.server.process.wait(PATIENCE)
            self.server = HttpServer(self.home, "--rate", "0", port=self.server.port)
        else:
            assert self.database is not None
            self.database.kill()


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    with ExitStack() as closing:
        database = None
        if request.param == "postgres":
            # One of its own, that keeps what it confirmed.
            database = databases.started()
            closing.callback(database.end)
            join_database(brain_folder(tmp_path), database.url(database.create())).close()
        else:
            make_brain(tmp_path)
        with local_brain(tmp_path) as brain:
            brain.store.config.set("auth.required", "off")
        made = Place(tmp_path, database)
        closing.callback(lambda: made.server.__exit__(None, None, None))
        yield made


def test_nothing_acknowledged_is_lost(place: Place) -> None:
    blows = ["server"] if place.database is None else ["server", "database"]
    agents = [Agent(f"a{number}x", place.ask) for number in range(AGENTS)]
    for agent in agents:
        agent.start()
    try:
        for blow in [blow for _ in range(ROUNDS) for blow in blows]:
            _all_go_on(agents)
            place.strike(blow)
            _all_go_on(agents)
    finally:
        for agent in agents:
            agent.end()
    assert sum(agent.unanswered for agent in agents) > 0, "no blow met a call under way"
    told = [line for agent in agents for line in agent.told]
    with local_brain(place.home) as brain:
        rows = brain.store.engine.rows
        facts = {row["id"]: row["fact"] for row in rows("select id, fact from facts")}
        pages = [row["title"] for row in rows("select title from pages")]
        # The first source that was written to has the first of SQLite's tables.
        where = "select rowid as id from fact_text_1" if place.database is None else "select id from fact_text"
        indexed = {row["id"] for row in rows(where)}
        if place.database is None:
            assert rows("pragma integrity_check") == [{"integrity_check": "ok"}]
    assert {(number, text) for kind, number, text in told if kind == "fact"} <= set(facts.items())
    assert {text for kind, _, text in told if kind == "page"} <= set(pages)
    # What was asked again after a lost answer is there once.
    assert len(set(facts.values())) == len(facts)
    assert len(set(pages)) == len(pages)
    assert indexed == set(facts)
    assert {number for kind, number, _ in told if kind == "page"} == {1}


def _all_go_on(agents: list[Agent]) -> None:
    for agent in agents:
        agent.wait_for(len(agent.told) + ENOUGH)
