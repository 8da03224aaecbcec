"""What is answered before, or instead of, the protocol: refusals of the transport, as JSON."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, NamedTuple

from gbrain.entry.mcp import INVALID_REQUEST, PARSE_ERROR

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Headers = tuple[tuple[bytes, bytes], ...]

SERVER_ERROR = -32000
HEADER_MISMATCH = -32020


class Answer(NamedTuple):
    """A whole response: its status, what its body says as JSON, and further headers."""

    status: int
    body: Any
    headers: Headers = ()

    async def send(self, send: Send) -> None:
        """Send it through an ASGI `send`."""
        data = json.dumps(self.body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        head = ((b"content-type", b"application/json"), (b"content-length", b"%d" % len(data)), *self.headers)
        await send({"type": "http.response.start", "status": self.status, "headers": list(head)})
        await send({"type": "http.response.body", "body": data})


def refusal(
    status: int, message: str, suggestion: str, headers: Headers = (), *, code: int = INVALID_REQUEST
) -> Answer:
    """A refusal on the protocol's path: a JSON-RPC error that answers no request in particular."""
    error = {"code": code, "message": message, "data": {"suggestion": suggestion}}
    return Answer(status, {"jsonrpc": "2.0", "id": None, "error": error}, headers)


def plain(status: int, code: str, message: str, suggestion: str) -> Answer:
    """A refusal on any other path, in the form of our errors."""
    return Answer(status, {"error": code, "message": message, "suggestion": suggestion})


def unparseable() -> Answer:
    """The body is no JSON."""
    return refusal(400, "the body is not JSON in UTF-8", "send one JSON-RPC 2.0 request", code=PARSE_ERROR)


def too_many(seconds: int) -> Answer:
    """A client asks faster than it may."""
    again = f"ask again in {seconds} s, and less often; gbrain serve --http --rate sets the limit"
    return refusal(429, "too many requests", again, ((b"retry-after", b"%d" % seconds),), code=SERVER_ERROR)


def too_many_guesses(seconds: int) -> Answer:
    """Too many wrong tokens came from the address; this one was not looked at."""
    again = f"ask again in {seconds} s with a token that is right; the owner of the brain can run: gbrain auth list"
    return refusal(429, "too many wrong tokens from this address", again, ((b"retry-after", b"%d" % seconds),))


def too_busy() -> Answer:
    """The server has all the work it can hold."""
    again = ((b"retry-after", b"1"),)
    return refusal(503, "the server is busy", "ask again in a second", again, code=SERVER_ERROR)


def not_allowed() -> Answer:
    """A method other than POST: there is no stream to read and no session to end."""
    allow = ((b"allow", b"POST"),)
    return refusal(405, "Method not allowed", "send a JSON-RPC 2.0 request by POST", allow, code=SERVER_ERROR)
