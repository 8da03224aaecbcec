"""An OpenAI-compatible embeddings server on loopback, which gives what a test tells it to."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

Answer = Callable[[dict[str, Any]], tuple[int, bytes]]


class Asked(NamedTuple):
    """One request: its path, headers and body."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Endpoint:
    """A running server. `answer` may be changed at any time; `asked` holds every request."""

    def __init__(self) -> None:
        self.answer: Answer = plain
        self.asked: list[Asked] = []
        self.wait = threading.Event()
        """Set: answers are given; a test that clears it has a server that says nothing."""
        self.wait.set()
        endpoint = self

        class One(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.asked.append(Asked(self.path, dict(self.headers), body))
                endpoint.wait.wait(30)
                status, text = endpoint.answer(body)
                try:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text)
                except OSError:
                    pass

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), One)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; the address is then one where nothing listens."""
        self.wait.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@contextmanager
def endpoint() -> Iterator[Endpoint]:
    """A server for the length of a block."""
    running = Endpoint()
    try:
        yield running
    finally:
        running.close()


def reply(rows: list[Any]) -> tuple[int, bytes]:
    """A right answer with these rows."""
    data = [{"object": "embedding", "index": place, "embedding": row} for place, row in enumerate(rows)]
    return 200, json.dumps({"object": "list", "data": data, "model": "m"}).encode()


def vector(text: str) -> list[float]:
    """A vector of 8 dimensions that depends on which letters a text has."""
    return [1.0 + sum(text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"[at::8]) for at in range(8)]


def plain(body: dict[str, Any]) -> tuple[int, bytes]:
    """A right answer."""
    return reply([vector(text) for text in body["input"]])
