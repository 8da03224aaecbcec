"""MCP over standard input and output: one process for every agent window, one JSON-RPC 2.0 message a line.

The loop is our own and small, because the SDK costs a second of processor time in every window and clients
drop a server that answers late. One request is answered after the other; only messages reach stdout.
"""

import json
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any, cast

from gbrain.domain import eras
from gbrain.entry import mcp
from gbrain.entry.beside import Beside
from gbrain.entry.mcp import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    Era,
    Message,
    Refused,
)
from gbrain.entry.place import ENV_SOURCE
from gbrain.errors import BrainError, NotFound, Unavailable
from gbrain.types import Caller, Surface

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from gbrain.brain import Brain

LINE_LIMIT = 8 * 1024 * 1024
"""Bytes of the longest line, its newline included; a longer one is refused and skipped to its end."""

ENV_SESSION = "CLAUDE_CODE_SESSION_ID"

_PARENT_SECONDS = 2.0
_GRACE_SECONDS = 1.0
# A list of tools never waits longer than this for a store that another process keeps to itself.
_OPEN_SECONDS = 1.0
# Nor does a handshake, for what it tells of writeback: clients drop a server that is late.
_TOLD_SECONDS = 0.5


def serve(brain_opener: "Callable[[], Brain]", surface: str | None = None, source: str | None = None) -> int:
    """Serve MCP until stdin ends, a signal comes or the parent dies; returns the exit code of the process.

    `brain_opener` opens the brain, with its `source`, when a request first needs it, so that the handshake
    never waits for the store. `surface` None follows the setting `mcp_surface`. Raises InvalidParams for a
    surface or a source that does not exist, before anything is read.
    """
    session = Session(brain_opener, mcp.surface_named(surface))
    if source or os.environ.get(ENV_SOURCE):
        # A wrong source must end the process at once; else the first call would be told of it, in a window nobody
        # reads.
        session.check_source()
    return converse(session)


def converse(session: "Session") -> int:
    """Hold a session on stdin and stdout until it ends; returns the exit code of the process."""
    wire, stop = Wire(), Stop()
    stop.install()
    _say(f"gbrain {mcp.server_info()['version']}: MCP on stdio, surface {session.surface or 'as configured'}")
    try:
        _converse(session, wire, stop)
    except OSError:
        # The client is gone without a word, and nobody is left to tell.
        pass
    session.close()
    return 128 + stop.number if stop.number else 0


def _converse(session: "Session", wire: "Wire", stop: "Stop") -> None:
    try:
        stop.idle()
        for line in wire.lines():
            stop.busy = True
            for message in session.answer(line):
                wire.send(message)
            stop.idle()
        stop.busy = True
    except Stopped:
        pass
    for message in session.farewell():
        wire.send(message)


class Stopped(BaseException):
    """Unwinds the loop out of its wait for the next line."""


class Stop:
    """Ends the process on SIGTERM, SIGINT or the parent's death: at once if idle, else after the call.

    A call that outlasts the grace is cut off; what it had not committed is rolled back by the store.
    """

    def __init__(self) -> None:
        self.number = 0
        """The signal that asked for the end; 0 while none has."""
        self.busy = True

    def install(self) -> None:
        """Take over both signals and start the watch over the parent."""
        if sys.platform == "win32":
            # Nothing waits for a pipe there, nor interrupts a thread: the end of stdin ends the server.
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, self._received)
            return
        # Python runs its handlers in the main thread alone, which may be in a long call; the pipe tells the watch at
        # once.
        wake, waker = os.pipe()
        os.set_blocking(waker, False)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._received)
        main = threading.main_thread().ident or 0
        # A client that is killed leaves stdin open where another child of it holds the pipe.
        threading.Thread(target=_watch, args=(os.getppid(), wake, main), daemon=True).start()

    def idle(self) -> None:
        """Nothing is under way: from here a signal may end the wait for the next line. Raises Stopped."""
        self.busy = False
        if self.number:
            raise Stopped

    def _received(self, number: int, frame: FrameType | None) -> None:
        if self.number:
            return
        self.number = number
        if not self.busy:
            raise Stopped


def _watch(parent: int, wake: int, main: int) -> None:
    """Wait for a signal or the parent's death, give the main thread its grace, then end the process."""
    number = 0
    while not number:
        ready, _, _ = select.select([wake], [], [], _PARENT_SECONDS)
        if ready:
            number = os.read(wake, 1)[0]
        elif os.getppid() != parent:
            number = signal.SIGTERM
            # Sent to the main thread, since only that interrupts its wait for input.
            if sys.platform != "win32":
                signal.pthread_kill(main, number)
    time.sleep(_GRACE_SECONDS)
    # Not by way of the interpreter, which would wait for the call that was cut off.
    os._exit(128 + number)


class Wire:
    """The client's ends of the pipes, taken away from stdin and stdout: no print or child can touch them."""

    def __init__(self) -> None:
        self._reader = os.fdopen(_private(0), "rb", buffering=65536)
        self._out = _private(1)
        # Descriptor 1 leads to stderr from here on: whatever a library prints must not get between two messages.
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        try:
            os.dup2(2, 1)
        except OSError:
            os.dup2(null, 1)
        os.close(null)

    def lines(self) -> Iterator[bytes | None]:
        """Every line that is not blank, up to the end of input; None stands for one over the limit."""
        while line := self._reader.readline(LINE_LIMIT + 1):
            if len(line) > LINE_LIMIT:
                # Read to its end all the same, or its rest would be taken for messages.
                while line and not line.endswith(b"\n"):
                    line = self._reader.readline(65536)
                yield None
            elif not line.isspace():
                yield line

    def send(self, message: Message) -> None:
        """Write one message as one line. Raises OSError when the client is gone."""
        text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        # A lone surrogate, which only an echo can hold, has no UTF-8 form, and as an escape strict parsers refuse it.
        rest = memoryview(text.encode("utf-8", "replace") + b"\n")
        while rest:
            # A pipe takes what fits; whatever is left of a long answer goes with the next write.
            rest = rest[os.write(self._out, rest) :]


class Session:
    """One client's conversation: answers its messages, remembers the little that the handshake era needs."""

    def __init__(self, brain_opener: "Callable[[], Brain]", surface: Surface | None) -> None:
        self.surface = surface
        self._opener = brain_opener
        self._brain: Brain | None = None
        self._outcome: Brain | BrainError = Unavailable("the store did not open", "run: gbrain doctor")
        self._opening: threading.Thread | None = None
        self._beside: Beside | None = None
        self._client: str | None = None
        self._told: str | None = None
        self._session = os.environ.get(ENV_SESSION, "")
        self._subscriptions: list[str | int] = []
        self._decoder = json.JSONDecoder(parse_constant=_refuse_constant)

    def answer(self, line: bytes | None) -> list[Message]:
        """The messages that answer one line; none for a notification."""
        if line is None:
            return [_error(None, INVALID_REQUEST, f"the message is longer than {LINE_LIMIT} bytes")]
        try:
            message = self._decoder.decode(line.decode("utf-8"))
        except (ValueError, RecursionError):
            return [_error(None, PARSE_ERROR, "the line is not JSON in UTF-8")]
        if not isinstance(message, dict):
            return [_error(None, INVALID_REQUEST, "one line carries one JSON-RPC request object")]
        # An answer to a request: this server makes none, and an error would only confuse.
        if "method" not in message and ("result" in message or "error" in message):
            return []
        given = message.get("id")
        # True is an int in Python and no id in JSON-RPC.
        known = given if isinstance(given, str | int) and not isinstance(given, bool) else None
        method, params = message.get("method"), message.get("params")
        if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
            return [_error(known, INVALID_REQUEST, 'a request has "jsonrpc": "2.0" and a method')]
        params = {} if params is None else params
        if "id" not in message:
            self._notified(method, params)
            return []
        if known is None:
            return [_error(None, INVALID_REQUEST, "the id of a request is a string or an integer")]
        return self._request(known, method, params)

    def farewell(self) -> list[Message]:
        """What is still owed at the end: the close of every open subscription."""
        metas = [{eras.SUBSCRIPTION_KEY: opened} for opened in self._subscriptions]
        ends = [mcp.complete({"_meta": meta}, "stateless") for meta in metas]
        return [_result(opened, end) for opened, end in zip(self._subscriptions, ends, strict=True)]

    def check_source(self) -> None:
        """Open the brain now; raises InvalidParams for an unknown source. A store in trouble is met again."""
        try:
            self._open(None)
        except Unavailable:
            pass

    def close(self) -> None:
        """Close the store, if it was opened."""
        if self._beside is not None:
            self._beside.stop()
        if not isinstance(self._outcome, BrainError):
            self._outcome.close()

    def _request(self, request_id: str | int, method: str, params: Any) -> list[Message]:
        try:
            if not isinstance(params, dict):
                raise Refused(INVALID_PARAMS, "params is an object")
            era = mcp.era_of(method, params)
            if method == "subscriptions/listen":
                return self._listen(request_id, params)
            answer = _METHODS.get((era, method))
            if answer is None:
                raise Refused(METHOD_NOT_FOUND, f"Method not found: {method[:64]}")
            return [_result(request_id, getattr(self, answer)(params, era))]
        except Refused as refused:
            return [_error(request_id, refused.code, refused.message, refused.data)]
        except Exception as error:
            _say(f"gbrain: {method[:64]!r} met a defect: {_place(error)}")
            return [_error(request_id, INTERNAL_ERROR, "internal error")]

    def _notified(self, method: str, params: Any) -> None:
        if method == "notifications/initialized" and self._brain is None:
            self._begin_opening()
        if method == "notifications/cancelled" and isinstance(params, dict):
            # Calls are answered before the next line is read, so only a subscription can still be cancelled.
            ended = params.get("requestId")
            self._subscriptions = [opened for opened in self._subscriptions if opened != ended]

    def _initialize(self, params: Message, era: Era) -> Message:
        self._client = mcp.client_of(params.get("clientInfo"))
        return mcp.initialize(params, self._instructions(params, era))

    def _ping(self, params: Message, era: Era) -> Message:
        return {}

    def _discover(self, params: Message, era: Era) -> Message:
        return mcp.discover(self._instructions(params, era))

    def _instructions(self, params: Message, era: Era) -> str:
        """What the model is told, read once: a client does not ask again, so all of a session hear the same."""
        if self._told is None:
            try:
                brain = self._open(_TOLD_SECONDS)
            except BrainError:
                return mcp.instructions(None, self._caller(params, era))
            self._told = mcp.instructions(brain, self._caller(params, era))
        return self._told

    def _tools_list(self, params: Message, era: Era) -> Message:
        try:
            brain = self._open(_OPEN_SECONDS)
        except BrainError:
            brain = None
        return mcp.tools_list(brain, self._caller(params, era), era)

    def _tools_call(self, params: Message, era: Era) -> Message:
        name = mcp.check_call(params)
        try:
            brain = self._open(None)
        except BrainError as error:
            return mcp.failure(error, name, era)
        if self._session and mcp.session_of(params) is None:
            params = {**params, "_meta": {**(params.get("_meta") or {}), "session_id": self._session}}
        return mcp.call_tool(brain, self._caller(params, era), params, era)

    def _listen(self, request_id: str | int, params: Message) -> list[Message]:
        """Open a subscription. Nothing changes under a running server, so no kind of notice is honoured."""
        if not isinstance(params.get("notifications"), dict):
            raise Refused(INVALID_PARAMS, "subscriptions/listen needs notifications")
        self._subscriptions.append(request_id)
        told = {"_meta": {eras.SUBSCRIPTION_KEY: request_id}, "notifications": {}}
        return [{"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": told}]

    def _caller(self, params: Message, era: Era) -> Caller:
        stateless = era == "stateless"
        client = mcp.client_of(params["_meta"].get(eras.CLIENT_KEY)) if stateless else self._client
        return Caller.stdio(self.surface or mcp.narrowed("full"), client or "remote")

    def _open(self, seconds: float | None) -> "Brain":
        """The brain, opened when first needed. Waits at most `seconds`; raises what opening raised."""
        if self._brain is None:
            opening = self._begin_opening()
            opening.join(seconds)
            if opening.is_alive():
                raise Unavailable("the store is busy", "try again in a moment; run: gbrain doctor")
            self._opening = None
            # Not kept as the brain: the next request tries to open it again.
            if isinstance(self._outcome, BrainError):
                raise self._outcome
            self._brain = self._outcome
            if self.surface is None:
                self.surface = mcp.narrowed(cast(Surface, self._brain.settings.get("mcp_surface")))
        return self._brain

    def _begin_opening(self) -> threading.Thread:
        """The thread that opens the brain. Folders are followed from the handshake on, whether anything is asked."""
        if self._opening is None:
            self._opening = threading.Thread(target=self._try_open, daemon=True)
            self._opening.start()
        return self._opening

    def _try_open(self) -> None:
        try:
            brain = self._opener()
            beside = Beside(brain, sweeps=True)
            beside.start()
            self._beside, self._outcome = beside, brain
        # A wrong source in the settings of a client is no missing page to a model: to it the brain is away.
        except NotFound as error:
            self._outcome = Unavailable(error.message, error.suggestion, detail=error.detail)
        except BrainError as error:
            self._outcome = error
        except Exception as error:
            _say(f"gbrain: the store did not open: {_place(error)}")


_METHODS: dict[tuple[Era, str], str] = {
    ("handshake", "initialize"): "_initialize",
    ("handshake", "ping"): "_ping",
    ("handshake", "tools/list"): "_tools_list",
    ("handshake", "tools/call"): "_tools_call",
    ("stateless", "server/discover"): "_discover",
    ("stateless", "tools/list"): "_tools_list",
    ("stateless", "tools/call"): "_tools_call",
}


def _private(standard: int) -> int:
    """A blocking duplicate of a standard descriptor, above the standard ones, that no child inherits."""
    if sys.platform == "win32":
        # None of the standard ones is free, since a console program has all three.
        return os.dup(standard)
    copy = fcntl.fcntl(standard, fcntl.F_DUPFD_CLOEXEC, 3)
    os.set_blocking(copy, True)
    return copy


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _result(request_id: str | int, result: Message) -> Message:
    return {"jsonrpc": "2.0", "id": request_id, "result": result}


def _error(request_id: str | int | None, code: int, message: str, data: Any = None) -> Message:
    error: Message = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return {"jsonrpc": "2.0", "id": request_id, "error": error}


def _place(error: Exception) -> str:
    """The kind of a defect and where it arose; its message may hold what a person wrote, and is not told."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace is not None else ""
    return type(error).__name__ + place


def _say(line: str) -> None:
    """One line on stderr; a client that closed its end of it is no reason to stop."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        pass
