"""What stands between the network and the protocol: names, identities, limits, request ids, the access log."""

import json
from typing import TYPE_CHECKING, Any

from starlette.routing import Router

from gbrain import __version__
from gbrain.catalogue import OPERATIONS
from gbrain.domain import eras
from gbrain.entry import mcp, oauth
from gbrain.entry.http import replies
from gbrain.entry.http.access import AccessLog, defect
from gbrain.entry.http.door import Door
from gbrain.entry.http.exchange import BODY_LIMIT, Exchange
from gbrain.entry.http.names import Names, is_loopback
from gbrain.entry.http.replies import Answer, Event, Receive, Scope, Send
from gbrain.entry.http.threads import Overrun, Threads
from gbrain.entry.http.visit import Visit
from gbrain.entry.identity import Unauthorized
from gbrain.entry.limits import Buckets, Guesses
from gbrain.entry.web.app import HEADS
from gbrain.entry.web.doors import Guard
from gbrain.errors import BrainError

if TYPE_CHECKING:
    from gbrain.brain import Brain

MCP_PATH = "/mcp"
HEALTH_PATH = "/health"

MOST_UNDER_WAY = 500
"""Calls that may run or wait for a thread; a further request is asked to come again."""

HELD_LIMIT = 64 * 1024 * 1024
"""Bytes of all request bodies that are held at one time."""

_ADMIT_SECONDS = 20.0
_HEALTH_SECONDS = 2.0
_HTTP_METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH")
_METHODS = ("initialize", "ping", "server/discover", "subscriptions/listen", "tools/call", "tools/list")
_FORWARDED = (b"forwarded", b"x-forwarded-for", b"x-real-ip")
_SAFE = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))


class Gate:
    """Answers every HTTP request: lets it through to the protocol, or says why not."""

    def __init__(
        self,
        brain: "Brain",
        exchange: Exchange,
        doorkeeper: Threads,
        door: Door,
        names: Names,
        buckets: Buckets,
        guesses: Guesses,
        viewer: Guard,
        log: AccessLog,
    ) -> None:
        self._brain = brain
        self._exchange = exchange
        self._doorkeeper = doorkeeper
        self._door = door
        self._names = names
        self._buckets = buckets
        self._log = log
        self._guesses = guesses
        self._viewer = viewer
        self._held = 0
        pages = oauth.routes(brain, names.public)
        self._page_paths = {route.path for route in pages}
        self._pages = Router(pages)
        self._decoder = json.JSONDecoder(parse_constant=_refuse_constant)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever happens, and write its line."""
        headers: dict[bytes, bytes] = dict(scope["headers"])
        visit = Visit(_text(headers.get(b"x-request-id")))

        async def sent(event: Event) -> None:
            if event["type"] == "http.response.start":
                visit.status = event["status"]
                said = {name.lower() for name, _ in event["headers"]}
                more = [pair for pair in _SAFE if pair[0] not in said]
                event = {**event, "headers": [*event["headers"], *more, (b"x-request-id", visit.id.encode())]}
            else:
                visit.sent += len(event.get("body", b""))
            await send(event)

        try:
            answer = await self._answered(scope, headers, visit, receive, sent)
            if answer is not None:
                await answer.send(sent)
        except Exception as error:
            self._log.add({"event": "error", "id": visit.id, **defect(error)})
            if not visit.status:
                await replies.plain(500, "internal", "gbrain met a defect", "run: gbrain doctor").send(sent)
        finally:
            self._log.add({"event": "request", **self._asked(scope), **visit.line()})

    def _asked(self, scope: Scope) -> dict[str, str]:
        """The fields of the log that say what was asked, without what a stranger made up."""
        # A path may hold a token that somebody put there by mistake, and the log is no place for one.
        known = (MCP_PATH, HEALTH_PATH, *self._page_paths)
        path = scope["path"] if scope["path"] in known else head if (head := _head(scope)) in HEADS else "other"
        method = scope["method"] if scope["method"] in _HTTP_METHODS else "other"
        return {"peer": _peer(scope), "method": method, "path": path}

    async def _answered(
        self, scope: Scope, headers: dict[bytes, bytes], visit: Visit, receive: Receive, send: Send
    ) -> Answer | None:
        """The answer; None when it was sent already."""
        host, origin = _text(headers.get(b"host")), _text(headers.get(b"origin"))
        # Against DNS rebinding: a page that made its own name lead here still sends that name.
        if host is None or not self._names.knows(host):
            message = "this server does not go by that name (Host)"
            return replies.refusal(421, message, "gbrain serve --http --public-url gives it a name")
        if origin is not None and not self._names.trusts(origin):
            return replies.refusal(403, "pages of that origin may not ask (Origin)", "ask from a program, not a page")
        if scope["path"] == MCP_PATH:
            return await self._protocol(scope, headers, visit, receive, send)
        if scope["path"] == HEALTH_PATH and scope["method"] in ("GET", "HEAD"):
            return await self._health()
        if scope["path"] in self._page_paths:
            wait = self._buckets.take(f"@{_peer(scope)}")
            if wait:
                return replies.too_many(wait)
            await self._pages(scope, receive, send)
            return None
        if _head(scope) in HEADS:
            return await self._looked(scope, receive, send)
        return replies.plain(404, "not_found", "there is nothing here", f"the protocol is served at {MCP_PATH}")

    async def _health(self) -> Answer:
        told = {"version": __version__, "engine": self._brain.store.engine.name}
        try:
            # Read from the store, since a process that is up before a database that is not is no healthy server.
            await self._doorkeeper.run(_HEALTH_SECONDS, self._brain.store.config.brain_id)
        except (BrainError, Overrun):
            return Answer(503, {"status": "unavailable", **told}, ((b"retry-after", b"1"),))
        return Answer(200, {"status": "ok", **told})

    async def _looked(self, scope: Scope, receive: Receive, send: Send) -> Answer | None:
        wait = self._buckets.take(f"@{_peer(scope)}")
        if wait:
            return replies.too_many(wait)
        if self._doorkeeper.under_way + self._exchange.under_way >= MOST_UNDER_WAY:
            return replies.too_busy()
        await self._viewer(scope, receive, send)
        return None

    async def _protocol(
        self, scope: Scope, headers: dict[bytes, bytes], visit: Visit, receive: Receive, send: Send
    ) -> Answer | None:
        if scope["method"] == "DELETE":
            return replies.refusal(404, "there is no session to end", "just go: nothing is kept between requests")
        if scope["method"] != "POST":
            return replies.not_allowed()
        if self._doorkeeper.under_way + self._exchange.under_way >= MOST_UNDER_WAY:
            return replies.too_busy()
        refused = await self._admitted(scope, headers, visit) or _misfit(headers)
        if refused is not None:
            return refused
        body = await self._body(receive)
        if not isinstance(body, bytes):
            return body
        size = len(body)
        try:
            refused, body = self._read(body, headers, visit)
            if refused is not None:
                return refused
            # The SDK is stricter than HTTP about the case of one and the absence of the other.
            set_anew = {b"content-type": b"application/json", b"accept": headers.get(b"accept", b"application/json")}
            kept = [pair for pair in scope["headers"] if pair[0] not in set_anew]
            scope = {**scope, "gbrain.visit": visit, "headers": [*kept, *set_anew.items()]}
            await self._exchange(scope, _replayed(body, receive), send)
        finally:
            self._held -= size
        return None

    async def _admitted(self, scope: Scope, headers: dict[bytes, bytes], visit: Visit) -> Answer | None:
        """Learn who asks; the refusal when nobody may, or not so often."""
        peer = _peer(scope)
        # Behind a proxy on this machine every stranger comes from loopback.
        from_here = is_loopback(peer) and not any(name in headers for name in _FORWARDED)
        given = _text(headers.get(b"authorization"))
        # Before the token is looked up, so that guessing costs the store nothing.
        wait = self._guesses.wait(peer, given) if given is not None else 0
        if wait:
            return replies.too_many_guesses(wait)
        base = self._names.public or f"http://{_text(headers.get(b'host'))}"
        asked = (given, from_here, oauth.resource_of(base))
        try:
            visit.caller, visit.known = await self._doorkeeper.run(_ADMIT_SECONDS, self._door.admit, *asked)
        except Unauthorized as error:
            if given is not None:
                self._guesses.wrong(peer)
            wait = self._buckets.take(f"@{peer}")
            return replies.too_many(wait) if wait else _unauthorized(error, oauth.metadata_url(base))
        except BrainError as error:
            return replies.refusal(503, error.message, error.suggestion, code=replies.SERVER_ERROR)
        except Overrun:
            return replies.too_busy()
        if given is not None:
            self._guesses.right(given)
        # A known client has a bucket of its own, wherever it calls from; strangers share that of their address.
        wait = self._buckets.take(visit.caller.client if visit.known else f"@{peer}")
        return replies.too_many(wait) if wait else None

    async def _body(self, receive: Receive) -> bytes | Answer | None:
        """The whole body; the refusal of one that is too large; None when the client left."""
        chunks: list[bytes] = []
        size = 0
        complete = False
        try:
            while not complete:
                event = await receive()
                if event["type"] != "http.request":
                    return None
                chunk: bytes = event.get("body", b"")
                chunks.append(chunk)
                size += len(chunk)
                # Counted over all requests: many bodies below the limit fill the memory as well as one above it.
                self._held += len(chunk)
                if size > BODY_LIMIT:
                    return _too_large()
                if self._held > HELD_LIMIT:
                    return replies.too_busy()
                complete = not event.get("more_body", False)
            return b"".join(chunks)
        finally:
            if not complete:
                self._held -= size

    def _read(self, body: bytes, headers: dict[bytes, bytes], visit: Visit) -> tuple[Answer | None, bytes]:
        """Check that a body is one JSON-RPC message, by the rules of stdio; (a refusal, the body to go on with)."""
        try:
            message = self._decoder.decode(body.decode("utf-8"))
        except (ValueError, RecursionError):
            return replies.unparseable(), body
        if isinstance(message, list) and len(message) == 1:
            # Older clients send every request as a batch of one.
            message = message[0]
            body = json.dumps(message).encode()
        if not isinstance(message, dict):
            return _not_a_request("a body carries one JSON-RPC request object", None), body
        if "method" not in message and ("result" in message or "error" in message):
            return None, body
        given = message.get("id")
        known = given if isinstance(given, str | int) and not isinstance(given, bool) else None
        method, params = message.get("method"), message.get("params")
        if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
            return _not_a_request('a request has "jsonrpc": "2.0" and a method', known), body
        if "id" in message and known is None:
            return _not_a_request("the id of a request is a string or an integer", None), body
        if params is not None and not isinstance(params, dict):
            return _not_a_request("params is an object", known, mcp.INVALID_PARAMS), body
        visit.method = method if method in _METHODS else "other"
        name = (params or {}).get("name")
        visit.tool = name if method == "tools/call" and isinstance(name, str) and name in OPERATIONS else None
        return _era_mismatch(method, params or {}, headers, known), body


def _unauthorized(error: Unauthorized, metadata: str) -> Answer:
    challenge = error.challenge(metadata).encode("latin-1", "replace")
    return Answer(error.http_status, error.body(), ((b"www-authenticate", challenge),))


def _misfit(headers: dict[bytes, bytes]) -> Answer | None:
    """The refusal of a body that is no plain JSON, or says that it is too large."""
    kind, *parameters = (_text(headers.get(b"content-type")) or "").lower().split(";")
    charset = [word.strip() for word in parameters if word.strip().startswith("charset=")]
    encoded = (_text(headers.get(b"content-encoding")) or "identity").lower()
    if kind.strip() != "application/json" or charset not in ([], ["charset=utf-8"]) or encoded != "identity":
        return replies.refusal(415, "a request is application/json in UTF-8", "set Content-Type: application/json")
    length = _text(headers.get(b"content-length")) or "0"
    return _too_large() if length.isdecimal() and int(length[:20]) > BODY_LIMIT else None


def _too_large() -> Answer:
    return replies.refusal(413, f"a request has at most {BODY_LIMIT} bytes", "send less at a time")


def _not_a_request(message: str, id: str | int | None, code: int = mcp.INVALID_REQUEST) -> Answer:
    return Answer(400, {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})


def _era_mismatch(
    method: str, params: dict[str, Any], headers: dict[bytes, bytes], id: str | int | None
) -> Answer | None:
    """The refusal of a stateless request whose header names another era: proxies go by the header."""
    meta = params.get("_meta")
    header = _text(headers.get(b"mcp-protocol-version"))
    claims = id is not None and method != "initialize" and isinstance(meta, dict) and eras.VERSION_KEY in meta
    if not claims or (header is not None and header not in eras.HANDSHAKE_VERSIONS):
        return None
    message = "mcp-protocol-version header does not match the request envelope's protocol version"
    return _not_a_request(message, id, replies.HEADER_MISMATCH)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """An ASGI `receive` that gives the body in one piece, then what really comes."""
    waiting: list[Event] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Event:
        return waiting.pop() if waiting else await receive()

    return replay


def _head(scope: Scope) -> str:
    """The first part of a path."""
    return "/" + str(scope["path"])[1:].partition("/")[0]


def _peer(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else "unknown"


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("latin-1")


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
