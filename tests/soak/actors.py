"""Those who use the brain at once, each on a thread, through real processes."""

import json
import os
import queue
import sys
import threading
from http.client import HTTPException
from typing import Any

from http_server import HttpServer
from integration.hooks import HOOK, PYTHON
from soak.world import World
from stdio_server import HANDSHAKE, Server, call, request

REFUSALS = {"unavailable"}
"""Errors that a torn store is answered with."""
RECALL_HOOK = os.path.join(os.path.dirname(HOOK), "recall_hook.py")
GONE_SECONDS = 30.0


class Gone(Exception):
    """No answer came: nothing was acknowledged."""


class Actor(threading.Thread):
    """Does one thing after another until the world ends; whatever it raises is a fault of gbrain or of the test."""

    def __init__(self, world: World, name: str) -> None:
        super().__init__(daemon=True, name=name)
        self.world = world
        self.ledger = world.ledger
        self.number = 0

    def run(self) -> None:
        while not self.world.ended.is_set():
            self.number += 1
            try:
                self.act()
            except Gone:
                self.ledger.count(f"{self.name}: unanswered")
                self.world.ended.wait(0.2)
            except Exception as error:
                self.ledger.complain(f"{self.name}: {type(error).__name__}: {error}")
                return
        self.close()

    def act(self) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """End in order."""

    def word(self) -> str:
        return os.urandom(6).hex()


class Caller(Actor):
    """An agent that saves, reads and writes pages through a server."""

    def ask(self, operation: str, arguments: dict[str, Any]) -> Any:
        raise NotImplementedError

    def act(self) -> None:
        who = f"{self.name}{self.number}"
        fact = f"{who} keeps parcel {self.word()}"
        told = self.ask("remember", {"fact": fact, "provenance": "soak", "entity": who, "visibility": "world"})
        with self.ledger.open() as ledger:
            ledger.facts[int(told["id"])] = fact
        self.ask("recall", {"query": fact.split()[-1]})
        self.ask("search", {"query": "Dana Oakes whispers"})
        self.ask("entity", {"name": "people/dana-oakes"})
        if self.number % 3 == 0:
            slug, text = f"drill/{self.name}-{self.number % 12}", f"# Box {self.word()}\n\nholds {self.word()}\n"
            version = self.ask("get_page", {"slug": slug}).get("version")
            self.ask("put_page", {"slug": slug, "content": text, "expected_version": version})
            with self.ledger.open() as ledger:
                ledger.pages[slug] = text
        if self.number % 7 == 0:
            self.ask("context_pack", {"entities": "people/dana-oakes"})
            self.ask("delta", {"since": "2020-01-01T00:00:00Z"})

    def value(self, result: dict[str, Any]) -> Any:
        """What a tool answered. Raises Gone where the store was out of reach."""
        text = result["content"][0]["text"]
        self.ledger.heard(self.name, text)
        value = json.loads(text)
        if result["isError"] and value["error"] != "not_found":
            if value["error"] not in REFUSALS:
                raise AssertionError(value)
            self.ledger.count(f"refused: {value['error']}: {value['message'][:60]}")
            raise Gone
        return value


class OverStdio(Caller):
    """An agent's window; a steady one is never killed, and its memory is looked at."""

    server: Server | None = None
    asked = 0

    def ask(self, operation: str, arguments: dict[str, Any]) -> Any:
        server = self.server or self.begin()
        self.asked += 1
        try:
            server.send(call(self.asked, operation, arguments))
            line = server.line(GONE_SECONDS)
        except (OSError, AssertionError, TimeoutError) as error:
            self.lose(f"{type(error).__name__}")
            raise Gone from None
        if line is None:
            self.lose("ended")
            raise Gone
        message = json.loads(line)
        assert message["id"] == self.asked, message
        assert "result" in message, (message, server.started[-3000:])
        return self.value(message["result"])

    def begin(self) -> Server:
        home = self.world.base / self.name
        home.mkdir(exist_ok=True)
        self.server = server = Server(home, env={**self.world.environment(), "HOME": str(self.world.base)})
        self.world.running[self.name] = server.process
        self.asked = 0
        try:
            server.send(request(0, "initialize", HANDSHAKE))
            if server.line(GONE_SECONDS) is None:
                raise BrokenPipeError
        except (OSError, AssertionError, TimeoutError) as error:
            self.lose(f"at its start: {type(error).__name__}")
            raise Gone from None
        return server

    def lose(self, why: str) -> None:
        assert self.server is not None
        self.ledger.count(f"{self.name.rstrip('0123456789')}: lost, {why}")
        self.server.__exit__(None, None, None)
        self.ledger.heard(self.name, self.server.started)
        self.server = None

    def close(self) -> None:
        if self.server is not None:
            code = self.server.finish()
            self.ledger.heard(self.name, self.server.started)
            if code not in (0, -9):
                self.ledger.complain(f"{self.name} ended with {code}")
            self.server.__exit__(None, None, None)

    def resident(self) -> int:
        """Bytes that its server holds, 0 where it has none."""
        if self.server is None:
            return 0
        with open(f"/proc/{self.server.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS"))


class OverHttp(Caller):
    """A team's client, which asks again on a connection of its own."""

    server: HttpServer | None = None

    def ask(self, operation: str, arguments: dict[str, Any]) -> Any:
        server = self.server or self.begin()
        try:
            answer = server.post(call(1, operation, arguments))
        except (OSError, HTTPException):
            if server.process.poll() is not None:
                self.lose()
            raise Gone from None
        self.ledger.heard(self.name, answer.body.decode())
        if answer.status == 503:
            raise Gone
        assert answer.status == 200, answer
        return self.value(answer.json["result"])

    def begin(self) -> HttpServer:
        home = self.world.base / self.name
        home.mkdir(exist_ok=True)
        try:
            env = {**self.world.environment(), "HOME": str(self.world.base)}
            self.server = server = HttpServer(home, "--rate", "0", env=env)
        except (AssertionError, queue.Empty):
            # A store that cannot be opened now is no server's fault.
            self.ledger.count("http: no start")
            self.ledger.heard(self.name, (home / "stderr.txt").read_text())
            raise Gone from None
        self.world.running[self.name] = server.process
        return server

    def lose(self) -> None:
        assert self.server is not None
        self.server.__exit__(None, None, None)
        self.ledger.heard(self.name, self.server.errors.read_text())
        self.server = None

    def close(self) -> None:
        if self.server is not None:
            self.server.process.terminate()
            code = self.server.process.wait(30)
            if code not in (0, -9, 143):
                self.ledger.complain(f"{self.name} ended with {code}")
            self.lose()


class Talker(Actor):
    """A person at an agent: the recall hook before each turn, the capture hook after it."""

    def act(self) -> None:
        session = f"{self.name}-{self.number}"
        said = f"I prefer {self.word()} over everything in my {self.word()} editor."
        folder = self.world.base / ".claude" / "projects" / "p"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{session}.jsonl"
        path.write_text(json.dumps({"type": "user", "message": {"role": "user", "content": said}}) + "\n")
        given = {"session_id": session, "transcript_path": str(path), "cwd": str(self.world.base)}
        asked = {**given, "hook_event_name": "UserPromptSubmit", "prompt": "What should I bring for Dana Oakes?"}
        before = self.hook(RECALL_HOOK, "prompt", asked)
        after = self.hook(HOOK, "stop", given)
        for code, out, err in (before, after):
            if code >= 0 and (code or err):
                self.ledger.complain(f"a hook ended with {code} and said {out[:300]!r} {err[-600:]!r}")
            self.ledger.heard(self.name, out + err)
        if after[0] == 0:
            with self.ledger.open() as ledger:
                ledger.turns[session] = said

    def hook(self, script: str, lane: str, given: dict[str, Any]) -> tuple[int, str, str]:
        command = (PYTHON, "-I", "-S", script, lane, "claude-code", "--home", str(self.world.gbrain.home))
        return self.world.command(self.name, *command, stdin=json.dumps(given).encode())


class Writer(Actor):
    """A person who edits notes in a folder, and syncs and sweeps."""

    def act(self) -> None:
        path = self.world.notes / f"note-{self.number % 9}.md"
        line = f"- {self.name} wrote {self.word()} about [[people/dana-oakes]]"
        text = path.read_text() if path.exists() else f"# Note {self.number % 9}\n\n"
        partial = path.with_suffix(".new")
        partial.write_text(f"{text}{line}\n")
        os.replace(partial, path)
        with self.ledger.open() as ledger:
            ledger.lines.setdefault(str(path), set()).add(line)
        words = ("sync", "--source", "notes") if self.number % 4 else ("sweep", "--once", "--budget-ms", "3000")
        code, out, err = self.world.command(self.name, sys.executable, "-m", "gbrain", *words)
        self.ledger.count(f"{words[0]}: {code}")
        self.ledger.heard(self.name, out + err)
