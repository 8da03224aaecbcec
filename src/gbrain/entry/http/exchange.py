"""JSON-RPC over HTTP: the official SDK reads and answers in both eras, `entry.mcp` says what is answered.

The SDK owns the wire of each era: versions, headers, envelopes, statuses, event streams. Results go around its
models: they are the ones of stdio, encoded as stdio encodes them, so that a client finds the same bytes on both.
"""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import (
    SubscriptionFilter,
    SubscriptionsAcknowledgedNotification,
    SubscriptionsAcknowledgedNotificationParams as Acknowledged,
)

from gbrain import __version__
from gbrain.catalogue import OPERATIONS
from gbrain.domain import eras
from gbrain.entry import mcp
from gbrain.entry.http.access import AccessLog, defect
from gbrain.entry.http.door import NO_IDENTITY
from gbrain.entry.http.replies import Event, Receive, Scope, Send
from gbrain.entry.http.tally import Tally
from gbrain.entry.http.threads import Overrun, Threads
from gbrain.entry.http.visit import Visit
from gbrain.entry.mcp import INTERNAL_ERROR, METHOD_NOT_FOUND, Era, Message, Refused
from gbrain.errors import Unavailable

if TYPE_CHECKING:
    from gbrain.brain import Brain

BODY_LIMIT = 8 * 1024 * 1024
"""Bytes of the longest request, as of the longest line over stdio."""

CALL_SECONDS = 60.0
LISTEN_SECONDS = 3600.0
MOST_LISTENING = 200
"""Open `subscriptions/listen` streams. Nothing changes under a running server, so they carry nothing."""

Context = ServerRequestContext[Any, Any]


class Exchange:
    """The protocol's path. `closing` ends the streams that would otherwise stay open."""

    def __init__(self, brain: "Brain", readers: Threads, writers: Threads, tally: Tally, log: AccessLog) -> None:
        self._brain = brain
        self._readers = readers
        self._writers = writers
        self._tally = tally
        self._log = log
        self._listening = 0
        self.closing = anyio.Event()
        server = Server[Any]("gbrain", version=__version__, get_tool_input_schema=_mirrored)
        # Also takes out the SDK's tracing, whose spans would name tools and carry errors.
        server.middleware[:] = [self._answer]
        self._sdk = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=BODY_LIMIT
        )

    @property
    def under_way(self) -> int:
        """Calls that are running or waiting for a thread."""
        return self._readers.under_way + self._writers.under_way

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The time in which requests can be answered."""
        async with self._sdk.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one POST whose `scope["gbrain.visit"]` names the caller."""
        visit: Visit = scope["gbrain.visit"]
        start: Event = {}

        async def sent(event: Event) -> None:
            nonlocal start
            if event["type"] == "http.response.start":
                start = event
                return
            if visit.result is not None and start.get("status") == 200:
                # The bytes were made in the thread of the call: encoding a large answer here would hold up every
                # connection.
                event = {"type": "http.response.body", "body": visit.result}
                kept = [pair for pair in start["headers"] if pair[0].lower() != b"content-length"]
                start = {**start, "headers": [*kept, (b"content-length", b"%d" % len(visit.result))]}
            if start:
                await send(start)
                start = {}
            await send(event)

        await self._sdk.handle_request(scope, receive, sent)

    async def _answer(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """The SDK's middleware, first and last: nothing behind it is called."""
        if ctx.request_id is None or ctx.request is None:
            # Each request is answered on its own, so there is nothing a notification could be about.
            return None
        era: Era = "stateless" if ctx.protocol_version in eras.STATELESS_VERSIONS else "handshake"
        visit: Visit = ctx.request.scope["gbrain.visit"]
        params = dict(ctx.params or {})
        try:
            if (era, ctx.method) == ("stateless", "subscriptions/listen"):
                return await self._listen(ctx, params)
            answer = _METHODS.get((era, ctx.method))
            if answer is None:
                raise Refused(METHOD_NOT_FOUND, f"Method not found: {ctx.method[:64]}")
            visit.result = await answer(self, visit, ctx.request_id, params, era)
        except Refused as refused:
            visit.failed = True
            raise MCPError(refused.code, refused.message, refused.data) from None
        except Exception as error:
            self._log.add({"event": "error", "id": visit.id, **defect(error)})
            visit.failed = True
            raise MCPError(INTERNAL_ERROR, "internal error") from None
        # The encoded result takes the place of this one where the answer leaves.
        return {}

    async def _initialize(self, visit: Visit, id: str | int, params: Message, era: Era) -> bytes:
        return encoded(id, mcp.initialize(params, await self._instructions(visit)))

    async def _ping(self, visit: Visit, id: str | int, params: Message, era: Era) -> bytes:
        return encoded(id, {})

    async def _discover(self, visit: Visit, id: str | int, params: Message, era: Era) -> bytes:
        return encoded(id, mcp.discover(await self._instructions(visit)))

    async def _instructions(self, visit: Visit) -> str:
        return await self._readers.run(CALL_SECONDS, lambda: mcp.instructions(self._brain, visit.caller))

    async def _tools_list(self, visit: Visit, id: str | int, params: Message, era: Era) -> bytes:
        def listed() -> bytes:
            return encoded(id, mcp.tools_list(self._brain, visit.caller, era))

        return await self._readers.run(CALL_SECONDS, listed)

    async def _tools_call(self, visit: Visit, id: str | int, params: Message, era: Era) -> bytes:
        name = mcp.check_call(params)
        caller = visit.caller
        if not visit.known and era == "stateless":
            # A name that nobody vouched for: it goes into `modified_by`, and opens nothing.
            caller = caller._replace(client=mcp.client_of(params["_meta"].get(eras.CLIENT_KEY)) or NO_IDENTITY)

        def called() -> tuple[bytes, bool]:
            result = mcp.call_tool(self._brain, caller, params, era)
            return encoded(id, result), bool(result["isError"])

        entry = OPERATIONS.get(name)
        # Writers queue for one lock: with threads of their own they never keep reads waiting.
        threads = self._writers if entry is not None and entry.scope == "write" else self._readers
        try:
            answer, visit.failed = await threads.run(CALL_SECONDS, called)
        except Overrun:
            late = Unavailable(
                f"the call did not end within {CALL_SECONDS:g} seconds; it may still take effect",
                "look before you ask again; run: gbrain doctor",
                detail={"reason": "timeout"},
            )
            answer, visit.failed = encoded(id, mcp.failure(late, name, era)), True
        if visit.known:
            self._tally.add(caller.client, name, not visit.failed)
        return answer

    async def _listen(self, ctx: Context, params: Message) -> Message:
        """Acknowledge a subscription and keep its stream open. No kind of notice is honoured: there are none."""
        if not isinstance(params.get("notifications"), dict):
            raise Refused(mcp.INVALID_PARAMS, "subscriptions/listen needs notifications")
        if self._listening >= MOST_LISTENING:
            raise Refused(INTERNAL_ERROR, "too many subscriptions are open")
        meta: Any = {eras.SUBSCRIPTION_KEY: ctx.request_id}
        told = Acknowledged(notifications=SubscriptionFilter(), _meta=meta)
        self._listening += 1
        try:
            await ctx.session.send_notification(SubscriptionsAcknowledgedNotification(params=told), ctx.request_id)
            with anyio.move_on_after(LISTEN_SECONDS):
                await self.closing.wait()
        finally:
            self._listening -= 1
        return mcp.complete({"_meta": meta}, "stateless")


_Method = Callable[[Exchange, Visit, str | int, Message, Era], Any]
_METHODS: dict[tuple[Era, str], _Method] = {
    ("handshake", "initialize"): Exchange._initialize,
    ("handshake", "ping"): Exchange._ping,
    ("handshake", "tools/list"): Exchange._tools_list,
    ("handshake", "tools/call"): Exchange._tools_call,
    ("stateless", "server/discover"): Exchange._discover,
    ("stateless", "tools/list"): Exchange._tools_list,
    ("stateless", "tools/call"): Exchange._tools_call,
}


def encoded(id: str | int, result: Message) -> bytes:
    """The response to a request, byte for byte as stdio writes it."""
    response = {"jsonrpc": "2.0", "id": id, "result": result}
    text = json.dumps(response, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def _mirrored(tool: str) -> None:
    """The schema by which arguments are mirrored into headers: no tool asks for that."""
    return None
