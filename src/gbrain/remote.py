"""A brain that a server keeps: MCP over streamable HTTP as its client speaks it, with the standard library alone.

Each request stands for itself: one POST of one JSON-RPC message, answered as JSON or as a stream of events.
Format: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports.
"""

import http.client
import json
import select
import ssl
import threading
import time
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from gbrain import __version__
from gbrain.domain.eras import HANDSHAKE_VERSIONS
from gbrain.errors import BrainError, Internal, InvalidParams, InvalidToken, Unavailable, revived

EVENTS = "text/event-stream"
CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 75.0
"""More than the server itself gives a call, so that its own answer arrives."""

ANSWER_LIMIT = 64 * 1024 * 1024
IDLE_SECONDS = 30.0
"""A connection that rested for longer is not used again: the other end may be about to close it."""

LONGEST_TOKEN = 512
_LONGEST_TEXT = 2000
_KEPT_BESIDE = ("brain_hot_memory", "warnings")
_CONTROL = dict.fromkeys((*range(32), *range(127, 160)), " ")

Message = dict[str, Any]


class Answer(NamedTuple):
    """What an operation answered: its value, what rode beside it, and named warnings."""

    value: Any
    meta: dict[str, Any]
    warnings: list[dict[str, Any]]


def checked_url(text: str) -> str:
    """The URL of a server's MCP endpoint; `/mcp` is added to a bare host. Raises InvalidParams for any other URL."""
    try:
        parts = urlsplit(text.strip())
        port_fits = parts.port is None or parts.port > 0
    except ValueError:
        parts, port_fits = urlsplit(""), False
    # A password in the URL would be shown wherever the URL is.
    plain = not (parts.username or parts.password or parts.query or parts.fragment)
    fits = port_fits and plain and text.isascii() and text.strip().isprintable() and " " not in text.strip()
    if parts.scheme not in ("http", "https") or not parts.hostname or not fits:
        raise InvalidParams(
            "that is not the URL of a server",
            "write it as https://brain.example.com, without a user, a password or a query; the token goes into a file:"
            " --token-file FILE",
        )
    path = parts.path.rstrip("/") or "/mcp"
    return f"{parts.scheme}://{parts.netloc}{path}"


def checked_token(text: str) -> str:
    """A token as it is sent; raises InvalidParams, which never repeats it, for a text that is none."""
    token = text.strip()
    if not 0 < len(token) <= LONGEST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise InvalidParams("that is not a token", "take the line that `gbrain auth create NAME` printed, and no more")
    return token


class Remote:
    """One server, over a connection that is kept from request to request; threads take turns.

    `renew` is the command that gives this machine another token.
    """

    def __init__(self, url: str, token: str | None, renew: str) -> None:
        self.url = url
        self._token = token
        self._renew = renew
        parts = urlsplit(url)
        self._path = parts.path
        self._host, self._port, self._tls = parts.hostname or "", parts.port, parts.scheme == "https"
        self._connection: http.client.HTTPConnection | None = None
        self._rested_at = 0.0
        self._asked = 0
        self._turn = threading.Lock()

    def close(self) -> None:
        """Let the connection go."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def call(self, name: str, arguments: Message, session: str | None = None) -> Answer:
        """The answer of an operation. Raises what the operation raised there, or Unavailable and InvalidToken."""
        params: Message = {"name": name, "arguments": arguments}
        if session is not None:
            params["_meta"] = {"session_id": session}
        result = self.request("tools/call", params)
        value = self._value_of(result)
        if result.get("isError"):
            body = value if isinstance(value, dict) else {"error": "internal", "message": value}
            raise revived({**body, **{key: _clean(body.get(key)) for key in ("error", "message", "suggestion")}})
        meta = result.get("_meta")
        held: Message = meta if isinstance(meta, dict) else {}
        # Keys with a slash are the protocol's and not the operation's.
        beside = {key: item for key, item in held.items() if key not in _KEPT_BESIDE and "/" not in key}
        warnings = [line for line in held.get("warnings", ()) if isinstance(line, dict) and "code" in line]
        return Answer(value, beside, [{**line, "message": _clean(line.get("message"))} for line in warnings])

    def request(self, method: str, params: Message | None = None, seconds: float = ANSWER_SECONDS) -> Message:
        """The result of a JSON-RPC request.

        Raises Unavailable where nobody answers or what answers is no MCP server, InvalidToken where the token does
        not hold, and the nearest of our errors for any other refusal.
        """
        with self._turn:
            return self._answered(method, params or {}, seconds)

    def _answered(self, method: str, params: Message, seconds: float) -> Message:
        self._asked += 1
        message = {"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params}
        data = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        status, body = self._exchanged(data, seconds)
        if status == 401:
            raise self._no_token()
        if status != 200:
            raise self._refusal(status, body)
        reply = _object(body)
        if reply is None or reply.get("id") != self._asked:
            raise self._no_server("its answer is not one of MCP")
        error, result = reply.get("error"), reply.get("result")
        if isinstance(error, dict):
            raise _rpc_error(error)
        if not isinstance(result, dict):
            raise self._no_server("its answer is not one of MCP")
        return result

    def _exchanged(self, data: bytes, seconds: float) -> tuple[int, bytes]:
        """Status and body of the response to a POST; of a stream of events, the reply in it."""
        connection = self._connected(seconds)
        try:
            connection.request("POST", self._path, data, self._headers())
            response = connection.getresponse()
            kind = (response.getheader("content-type") or "").partition(";")[0].strip().lower()
            body = _streamed(response) if kind == EVENTS else response.read(ANSWER_LIMIT + 1)
            if len(body) > ANSWER_LIMIT:
                raise self._no_server(f"its answer is longer than {ANSWER_LIMIT} bytes")
        except BaseException as error:
            self.close()
            if isinstance(error, OSError | http.client.HTTPException):
                raise Unavailable(
                    f"the server at {self.url} broke off before it answered ({_words(error)}); what was asked may have"
                    " taken effect",
                    "look before you ask again; run: gbrain doctor",
                    detail={"reason": "broken_off"},
                ) from None
            raise
        self._rested_at = time.monotonic()
        # What is left of a stream would be taken for the answer to the next request.
        if response.will_close or not response.isclosed():
            self.close()
        return response.status, body

    def _connected(self, seconds: float) -> http.client.HTTPConnection:
        """The connection, made anew unless the last one is still good."""
        kept = self._connection
        # A request that breaks off may have taken effect and is never sent twice, so a connection is looked at before
        # it is trusted.
        if kept is not None and time.monotonic() - self._rested_at < IDLE_SECONDS and _is_quiet(kept):
            kept.sock.settimeout(seconds)
            return kept
        self.close()
        timeout = min(CONNECT_SECONDS, seconds)
        made = (
            http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=ssl.create_default_context())
            if self._tls
            else http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        )
        try:
            made.connect()
        except ssl.SSLCertVerificationError as error:
            made.close()
            raise Unavailable(
                f"the certificate of {self.url} is not trusted here: {error.verify_message}",
                "for an authority of your own: SSL_CERT_FILE=FILE gbrain doctor",
                detail={"reason": "certificate"},
            ) from None
        except OSError as error:
            made.close()
            raise Unavailable(
                f"the server at {self.url} cannot be reached: {_words(error)}",
                "see whether it runs and this machine is online; run: gbrain doctor",
                detail={"reason": "unreachable"},
            ) from None
        made.sock.settimeout(seconds)
        self._connection = made
        return made

    def _headers(self) -> dict[str, str]:
        headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": HANDSHAKE_VERSIONS[-1],
            "user-agent": f"gbrain/{__version__}",
        }
        return headers if self._token is None else {**headers, "authorization": f"Bearer {self._token}"}

    def _value_of(self, result: Message) -> Any:
        content = result.get("content")
        first = content[0] if isinstance(content, list) and content else None
        text = first.get("text") if isinstance(first, dict) else None
        try:
            return json.loads(text if isinstance(text, str) else "")
        except (ValueError, RecursionError):
            raise self._no_server("its answer is not one of gbrain's") from None

    def _no_token(self) -> BrainError:
        wrong = (
            "does not accept the token of this machine: it is wrong, expired or revoked"
            if self._token is not None
            else "wants a token, and this machine has none for it"
        )
        return InvalidToken(
            f"the server at {self.url} {wrong}",
            f"ask its owner for one (gbrain auth create NAME), then run: {self._renew}",
        )

    def _no_server(self, why: str) -> BrainError:
        return Unavailable(
            f"{self.url} does not serve a brain: {why}",
            f"name the server of a brain, as its owner calls it: {self._renew}",
            detail={"reason": "no_server"},
        )

    def _refusal(self, status: int, body: bytes) -> BrainError:
        """The error for a response that is none of JSON-RPC's."""
        if 300 <= status < 400:
            return self._no_server("it sends elsewhere, and a token is not shown to an address that nobody named")
        said = _object(body) or {}
        error = said.get("error")
        if isinstance(error, dict):
            data = error.get("data")
            hint = _clean(data.get("suggestion")) if isinstance(data, dict) else ""
            message = f"the server at {self.url} refused: {_clean(error.get('message'))}"
            kind = InvalidParams if status in (400, 413, 415) else Unavailable
            return kind(message, hint or "run: gbrain doctor", detail={"reason": "refused", "status": status})
        return self._no_server(f"it answers with status {status}")


def _is_quiet(connection: http.client.HTTPConnection) -> bool:
    """Whether a connection on which nothing was asked is still open: what could be read is the other end's farewell."""
    if connection.sock is None:
        return False
    # Windows has select() alone; elsewhere that refuses descriptors above 1,023.
    if not hasattr(select, "poll"):
        return not select.select([connection.sock], [], [], 0)[0]
    watch = select.poll()
    watch.register(connection.sock, select.POLLIN)
    return not watch.poll(0)


def _rpc_error(error: Message) -> BrainError:
    message = _clean(error.get("message")) or "the server refused the request"
    kind = InvalidParams if error.get("code") in (-32600, -32602) else Internal
    return kind(message, "run: gbrain doctor", detail={"rpc_code": error.get("code")})


def _object(body: bytes) -> Message | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _streamed(response: http.client.HTTPResponse) -> bytes:
    """The reply in a stream of events; what else the server tells is passed over, and the end is not waited for.

    Format: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
    """
    data: list[bytes] = []
    size = 0
    while line := response.readline(ANSWER_LIMIT):
        size += len(line)
        if size > ANSWER_LIMIT:
            return b"".join(data) + line
        line = line.rstrip(b"\r\n")
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line:
            body, data = b"\n".join(data), []
            found = _object(body)
            if found is not None and ("result" in found or "error" in found):
                return body
    return b"\n".join(data)


def _clean(text: object) -> str:
    """A text of the server's as it may be shown: on one line, without what steers a terminal."""
    return " ".join(str(text or "").translate(_CONTROL).split())[:_LONGEST_TEXT]


def _words(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it did not answer in time"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error)[:100] if isinstance(error, OSError) else type(error).__name__


__all__ = ["Answer", "Remote", "checked_token", "checked_url"]
