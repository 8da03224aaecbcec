"""A real `gbrain serve` process, spoken to line by line as its client would."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from gbrain import Brain, open_brain

Message = dict[str, Any]

COMMAND = (sys.executable, "-m", "gbrain", "serve")
VERSION = "2026-07-28"
# What every request of the stateless era carries.
ENVELOPE: Message = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientInfo": {"name": "stateless-client", "version": "1.0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
HANDSHAKE: Message = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "handshake-client", "version": "1.0"},
}
PATIENCE = 20.0
# The last one turns models off where a test did not ask for one.
KEPT = ("PATH", "LANG", "TMPDIR", "PYTHONPATH", "GBRAIN_EMBEDDING_PROVIDER")


def environment(home: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """What a client hands to the server: nothing of the surrounding session but its path."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {**kept, "HOME": str(home), "GBRAIN_HOME": str(home), **(extra or {})}


def brain_folder(home: Path) -> str:
    return str(home / ".gbrain")


def make_brain(home: Path) -> None:
    """An empty brain below `home`."""
    open_brain(brain_folder(home), create=True).close()


def local_brain(home: Path) -> Brain:
    return open_brain(brain_folder(home))


def request(id: object, method: str, params: Message | None = None) -> Message:
    return {"jsonrpc": "2.0", "id": id, "method": method, **({} if params is None else {"params": params})}


def call(id: object, tool: str, arguments: Message | None = None, **meta: object) -> Message:
    params: Message = {"name": tool, "arguments": arguments or {}}
    return request(id, "tools/call", {**params, "_meta": meta} if meta else params)


def cases(rows: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Rows of a table as parameters: the first column names the case."""
    return [pytest.param(*row[1:], id=row[0]) for row in rows]


class Server:
    """The process and its pipes; every wait has an end."""

    def __init__(self, home: Path, *args: str, env: Mapping[str, str] | None = None) -> None:
        self.errors = home / "stderr.txt"
        with self.errors.open("wb") as sink:
            self.process = subprocess.Popen(
                [*COMMAND, *args],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=sink,
                env=environment(home, env),
                cwd=home,
            )
        self._rest = b""
        self._asked = 0

    def __enter__(self) -> "Server":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                if pipe:
                    pipe.close()
            except BrokenPipeError:
                pass
        self.process.wait(PATIENCE)

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *messages: object) -> None:
        """The messages in one write, one a line."""
        self.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def line(self, patience: float = PATIENCE) -> bytes | None:
        """The next line of stdout; None at its end. Raises TimeoutError."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + patience
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError(f"no line within {patience} s; stderr: {self.errors.read_text()[-2000:]}")
            chunk = os.read(self.process.stdout.fileno(), 65536)
            if not chunk:
                assert not self._rest, "the output ended within a line"
                return None
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def receive(self, patience: float = PATIENCE) -> Message:
        line = self.line(patience)
        assert line is not None, f"the server ended: {self.errors.read_text()[-2000:]}"
        message = json.loads(line)
        assert isinstance(message, dict)
        assert message["jsonrpc"] == "2.0"
        return message

    def is_silent(self, seconds: float) -> bool:
        """Whether nothing at all is said for so long."""
        try:
            self.line(seconds)
        except TimeoutError:
            return True
        return False

    def ask(self, method: str, params: Message | None = None) -> Message:
        """The reply to one request."""
        self._asked += 1
        self.send(request(self._asked, method, params))
        reply = self.receive()
        assert reply["id"] == self._asked
        return reply

    def result(self, method: str, params: Message | None = None) -> Message:
        reply = self.ask(method, params)
        assert "error" not in reply, reply
        result = reply["result"]
        assert isinstance(result, dict)
        return result

    def tool(self, name: str, arguments: Message | None = None, **meta: object) -> Message:
        """The CallToolResult of one tool."""
        params: Message = {"name": name, "arguments": arguments or {}}
        return self.result("tools/call", {**params, "_meta": meta} if meta else params)

    def value(self, name: str, arguments: Message | None = None, **meta: object) -> Any:
        """What one tool answers, read from its text."""
        result = self.tool(name, arguments, **meta)
        assert result["isError"] is False, result
        return json.loads(result["content"][0]["text"])

    def error(self, name: str, arguments: Message | None = None) -> Message:
        """The envelope one tool refuses with."""
        result = self.tool(name, arguments)
        assert result["isError"] is True, result
        envelope = json.loads(result["content"][0]["text"])
        assert isinstance(envelope, dict)
        return envelope

    def finish(self, patience: float = PATIENCE) -> int:
        """Close stdin; the exit code. What is still said must have been read before."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(patience)

    @property
    def started(self) -> str:
        return self.errors.read_text()


def leave_with_parent(
    home: Path, messages: Iterable[Message], answers: int, env: Mapping[str, str] | None = None
) -> list[bytes]:
    """A server's first answers, told by a parent that is killed then, while stdin stays open: the server ends too.

    That is how it is when another child of the dead client still holds the pipe.
    """
    spawn = (
        "import subprocess, sys\n"
        "child = subprocess.Popen(sys.argv[1:])\n"
        "print(child.pid, file=sys.stderr, flush=True)\n"
        "child.wait()\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", spawn, *COMMAND],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(home, env),
        start_new_session=True,
    )
    assert parent.stdin is not None
    assert parent.stdout is not None
    assert parent.stderr is not None
    with parent.stdin, parent.stdout, parent.stderr:
        server = os.pidfd_open(int(parent.stderr.readline()))
        parent.stdin.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
        parent.stdin.flush()
        lines = [parent.stdout.readline() for _ in range(answers)]
        parent.kill()
        ended, _, _ = select.select([server], [], [], 10)
        os.close(server)
        parent.wait(60)
        assert ended, "the server outlives its parent"
    assert living(session=parent.pid) == []
    return lines


def living(session: int) -> list[str]:
    """The command names of what still runs in a session."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            head, _, tail = path.read_text().rpartition(")")
        except OSError:
            continue
        state, _, _, its_session = tail.split()[:4]
        if int(its_session) == session and state not in "ZX":
            found.append(head)
    return found
