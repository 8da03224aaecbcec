"""Many HTTP clients at once: what each asks, how long every answer took, and what went wrong."""

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gbrain.domain import eras

PATIENCE = 60.0
"""Seconds after which a client stops waiting for an answer, and counts an error."""

MOST_TOLD = 3


class Call(NamedTuple):
    """One call of a client: the name of its series, the operation and its arguments."""

    series: str
    operation: str
    arguments: dict[str, Any]


HEALTH = Call("GET /health", "", {})
"""The least that the server can be asked over a connection: what else it takes is the price of a call."""


class Heard(NamedTuple):
    """What a crowd heard: ms by series, the number of errors and the first of them, and the seconds it took."""

    took: dict[str, list[float]]
    errors: int
    told: list[str]
    seconds: float
    kept: int
    """Facts that were acknowledged as new."""


class Crowd:
    """The clients of one server: every second one speaks the stateless era of MCP, the others the older one."""

    def __init__(self, port: int, tokens: Sequence[str]) -> None:
        self._port = port
        self._tokens = tokens

    def ask(self, calls: Sequence[Sequence[Call]], pause: Callable[[], float] | None, seconds: float) -> Heard:
        """Let every client make its calls, one after the other, for at most so many seconds.

        `pause` gives the seconds from the start of one call of a client to that of its next, which is late when it was
        not answered by then; without it each asks as soon as it is answered.
        """
        return asyncio.run(self._ask(calls, pause, seconds))

    async def _ask(self, calls: Sequence[Sequence[Call]], pause: Callable[[], float] | None, seconds: float) -> Heard:
        took: dict[str, list[float]] = {}
        told: list[str] = []
        counts = {"errors": 0, "kept": 0}
        until = time.perf_counter() + seconds

        async def one(number: int) -> None:
            client = Client(self._port, self._tokens[number % len(self._tokens)], stateless=number % 2 == 1)
            due = time.perf_counter()
            try:
                for call in calls[number]:
                    if pause is not None:
                        due += pause()
                        await asyncio.sleep(max(0.0, due - time.perf_counter()))
                    if time.perf_counter() > until:
                        return
                    began = time.perf_counter()
                    wrong, kept = await client.call(call)
                    took.setdefault(call.series, []).append((time.perf_counter() - began) * 1000)
                    counts["kept"] += kept
                    if wrong:
                        counts["errors"] += 1
                        told.extend([f"{call.series}: {wrong}"] if len(told) < MOST_TOLD else [])
            finally:
                client.leave()

        began = time.perf_counter()
        await asyncio.gather(*(one(number) for number in range(len(calls))))
        return Heard(took, counts["errors"], told, time.perf_counter() - began, counts["kept"])


class Client:
    """One client and its connection, which it keeps."""

    def __init__(self, port: int, token: str, *, stateless: bool) -> None:
        self._port = port
        self._stateless = stateless
        version = (eras.STATELESS_VERSIONS if stateless else eras.HANDSHAKE_VERSIONS)[-1]
        self._head = (
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
            "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
            f"MCP-Protocol-Version: {version}\r\n"
        )
        self._meta = eras.envelope("bench")
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._asked = 0

    async def call(self, call: Call) -> tuple[str, int]:
        """(what went wrong, 1 when a new fact was acknowledged)."""
        try:
            status, body = await asyncio.wait_for(self._exchange(call), PATIENCE)
        except (OSError, EOFError, ValueError, TimeoutError) as error:
            self.leave()
            return type(error).__name__, 0
        if status != 200 or (call != HEALTH and b'"isError":false' not in body):
            return f"status {status}: {body[:200].decode(errors='replace')}", 0
        return "", int(call.operation == "remember" and rb"\"status\": \"inserted\"" in body)

    def leave(self) -> None:
        """Close the connection; the next call opens another."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _exchange(self, call: Call) -> tuple[int, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        writer.write(self._request(call))
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
        return int(head[9:12]), await reader.readexactly(length)

    def _request(self, call: Call) -> bytes:
        if call == HEALTH:
            return f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n\r\n".encode()
        self._asked += 1
        params: dict[str, Any] = {"name": call.operation, "arguments": call.arguments}
        routing = ""
        if self._stateless:
            params["_meta"] = self._meta
            routing = f"Mcp-Method: tools/call\r\nMcp-Name: {call.operation}\r\n"
        message = {"jsonrpc": "2.0", "id": self._asked, "method": "tools/call", "params": params}
        body = json.dumps(message).encode()
        return f"{self._head}{routing}Content-Length: {len(body)}\r\n\r\n".encode() + body
