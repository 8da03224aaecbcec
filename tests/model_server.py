"""A chat completions server on loopback that gives what a test tells it to, well-behaved or not."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, NamedTuple


class Asked(NamedTuple):
    """One request: its path, headers and body."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Told(NamedTuple):
    """A reply: status, headers and the bytes of its body, in the parts in which they are sent."""

    status: int
    parts: list[bytes]
    headers: Mapping[str, str] = MappingProxyType({})
    whole: bool = True
    """Whether its length is told; else the connection ends it."""


Script = Callable[[dict[str, Any]], Told]


def completion(text: Any, finish: str = "stop", tokens: tuple[int, int] | None = (100, 20), **message: Any) -> Told:
    """A right answer with this text."""
    said: dict[str, Any] = {
        "object": "chat.completion",
        "model": "scripted-1",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}
        ],
    }
    if tokens is not None:
        said["usage"] = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return Told(200, [json.dumps(said).encode()], {"Content-Type": "application/json"})


def status(code: int, text: str = '{"error": {"message": "no"}}', **headers: str) -> Told:
    """A reply that is none."""
    return Told(code, [text.encode()], {name.replace("_", "-"): value for name, value in headers.items()})


class ModelServer:
    """A running server. `script` may be changed at any time; `asked` holds every request."""

    def __init__(self) -> None:
        self.script: Script = lambda body: completion('{"ok": true}')
        self.asked: list[Asked] = []
        self.go = threading.Event()
        """Set: parts are sent; a test that clears it has a server that stops where it is."""
        self.go.set()
        self.between: Callable[[], Any] = lambda: None
        """Run before each part but the first."""
        server = self

        class One(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                text = self.rfile.read(int(self.headers["Content-Length"]))
                server.asked.append(Asked(self.path, dict(self.headers), json.loads(text)))
                told = server.script(server.asked[-1].body)
                server.go.wait(30)
                try:
                    self.send_response(told.status)
                    for name, value in told.headers.items():
                        self.send_header(name, value)
                    if told.whole:
                        self.send_header("Content-Length", str(sum(map(len, told.parts))))
                    self.end_headers()
                    for number, part in enumerate(told.parts):
                        if number:
                            server.between()
                        self.wfile.write(part)
                        self.wfile.flush()
                except OSError:
                    pass

            def do_GET(self) -> None:
                server.asked.append(Asked(self.path, dict(self.headers), {}))
                self.send_error(404)

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), One)
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.url = f"{self.origin}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; the address is then one where nothing listens."""
        self.go.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """A server for the length of a block."""
    running = ModelServer()
    try:
        yield running
    finally:
        running.close()
