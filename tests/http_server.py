"""A real `gbrain serve --http` process, spoken to over sockets as its clients would."""

import http.client
import json
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from stdio_server import ENVELOPE, PATIENCE, VERSION, Message, environment, local_brain, make_brain

JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
# The bounds on slow clients are far longer than a test; this is the same program with short ones.
IMPATIENT = (
    "from gbrain.entry.http import connections",
    "connections.READ_SECONDS = connections.WRITE_SECONDS = 0.5",
    "from gbrain.entry.main import main",
    "main()",
)


class Response(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> Message:
        """The JSON-RPC error of a refusal."""
        error = self.json["error"]
        assert isinstance(error, dict), self
        return error


def make_open_brain(home: Path) -> None:
    """An empty brain below `home` that lets callers of this machine in without a token."""
    make_brain(home)
    with local_brain(home) as brain:
        brain.store.config.set("auth.required", "off")


class HttpServer:
    """The process; `port` 0 takes a free one. Every wait has an end."""

    def __init__(
        self,
        home: Path,
        *args: str,
        port: int = 0,
        env: Mapping[str, str] | None = None,
        program: tuple[str, ...] = ("-m", "gbrain"),
    ) -> None:
        self.home = home
        self.log = home / "access.jsonl"
        self.errors = home / "stderr.txt"
        command = [sys.executable, *program, "serve", "--http", "--port", str(port), "--log", str(self.log), *args]
        with self.errors.open("wb") as sink:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=sink, env=environment(home, env), cwd=home
            )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self.started = self._lines.get(timeout=PATIENCE)
            assert " MCP on http" in self.started, self.errors.read_text()
        except (queue.Empty, AssertionError):
            self.__exit__(None, None, None)
            raise
        self.url = self.started.split(" MCP on ")[1].split(",")[0]
        self.port = port or int(re.findall(r":(\d+)[/,]", self.started)[-1])
        self._asked = 0

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self._lines.put(line.decode())
        self._lines.put("")

    def __enter__(self) -> "HttpServer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Response:
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_host="host" in (headers or {}), skip_accept_encoding=True)
            for name, value in (headers or {}).items():
                connection.putheader(name, value)
            if body is not None and "transfer-encoding" not in (headers or {}):
                connection.putheader("content-length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return Response(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def post(self, message: object, headers: Mapping[str, str] | None = None) -> Response:
        """One JSON-RPC message, or the bytes in its place."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        return self.send("POST", "/mcp", body, {**JSON, **(headers or {})})

    def ask(self, method: str, params: Message | None = None, **headers: str) -> Message:
        """The JSON-RPC reply to a request of the handshake era."""
        self._asked += 1
        message = {"jsonrpc": "2.0", "id": self._asked, "method": method}
        reply = self.post({**message, "params": params} if params is not None else message, headers).json
        assert isinstance(reply, dict)
        assert reply["id"] == self._asked
        return reply

    def ask_stateless(self, method: str, params: Message | None = None, **headers: str) -> Message:
        """The JSON-RPC reply to a request of the stateless era."""
        params = {**(params or {}), "_meta": {**ENVELOPE, **(params or {}).get("_meta", {})}}
        routing = {"mcp-protocol-version": VERSION, "mcp-method": method}
        routing |= {"mcp-name": params["name"]} if method == "tools/call" else {}
        return self.ask(method, params, **{**routing, **headers})

    def result(self, method: str, params: Message | None = None, **headers: str) -> Message:
        reply = self.ask(method, params, **headers)
        assert "error" not in reply, reply
        result = reply["result"]
        assert isinstance(result, dict)
        return result

    def tool(self, name: str, arguments: Message | None = None, **headers: str) -> Message:
        return self.result("tools/call", {"name": name, "arguments": arguments or {}}, **headers)

    def value(self, name: str, arguments: Message | None = None, **headers: str) -> Any:
        result = self.tool(name, arguments, **headers)
        assert result["isError"] is False, result
        return json.loads(result["content"][0]["text"])

    def connect(self) -> socket.socket:
        """A bare connection."""
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE)

    def begin(self, message: object, headers: Mapping[str, str] | None = None) -> socket.socket:
        """A connection on which a JSON-RPC message was sent, and read by the server; its answer is still to come."""
        body = json.dumps(message).encode()
        fields = {"host": f"localhost:{self.port}", **JSON, **(headers or {}), "connection": "close"}
        lines = ["POST /mcp HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
        connection = self.connect()
        connection.sendall("\r\n".join([*lines, f"content-length: {len(body)}", "", ""]).encode() + body)
        # The loop of the server meets both in one turn, or this one in a later.
        assert self.send("GET", "/health").status == 200
        return connection

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal; the exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def access(self) -> Iterator[Message]:
        """The lines of the access log; complete once the server has ended."""
        for line in self.log.read_text().splitlines():
            yield json.loads(line)

    def memory_mb(self) -> float:
        """Resident memory."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def received(connection: socket.socket) -> bytes:
    """Everything until the other side closes; raises TimeoutError when it does not."""
    data = b""
    try:
        while chunk := connection.recv(65536):
            data += chunk
    except ConnectionResetError:
        pass
    return data
