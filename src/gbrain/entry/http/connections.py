"""Connections with bounds: how many there are, and how long one may take to say what it wants."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any, ClassVar, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

READ_SECONDS = 20.0
"""From the first byte of a request, or the opening of its connection, to its last."""

WRITE_SECONDS = 60.0
"""How long an answer may wait for a client that does not read it."""

MOST = 1000
"""Open connections; a further one is closed at once."""

# For the database and its log in every thread, sockets, and what a page of the viewer opens.
_SPARE_FILES = 100


class Corked:
    """A transport that sends what is written within one turn of the loop as one piece.

    uvicorn writes the head and the body of a response apart: two system calls, after each of which the loop has to
    get the interpreter back from the threads, and two packets, at each of which the client wakes up.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._waiting: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """See asyncio.WriteTransport."""
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._waiting.append(data)

    def close(self) -> None:
        """See asyncio.BaseTransport."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._transport.write(b"".join(waiting))


class BoundedConnection(H11Protocol):
    """uvicorn's connection, which on its own waits for ever for the end of a request."""

    on_limit: ClassVar[Callable[[str], None]] = staticmethod(lambda what: None)
    """Told what was cut off: "slow", "unread" or "connections"."""

    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See asyncio.Protocol."""
        super().connection_made(cast(asyncio.Transport, Corked(transport, self.loop)))
        # After the connection is counted, as uvicorn counts it; the file it takes is given back at once.
        if len(self.connections) > most_connections():
            BoundedConnection.on_limit("connections")
            transport.abort()
            return
        self._watch()

    def data_received(self, data: bytes) -> None:
        """See asyncio.Protocol."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE or self.conn.their_state is h11.SEND_BODY:
            self._watch()
        else:
            self._unwatch()

    def on_response_complete(self) -> None:
        """See H11Protocol. What is left of a body whose answer was sent already still has to end in time."""
        super().on_response_complete()
        if self.conn.their_state is h11.IDLE:
            self._unwatch()
            if self.conn.trailing_data[0]:
                # The beginning of the next request came together with the last one.
                self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio.Protocol."""
        self._unwatch()
        self._read_again()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """See asyncio.BaseProtocol."""
        super().pause_writing()
        self._unread = self._unread or self.loop.call_later(WRITE_SECONDS, self._give_up, "unread")

    def resume_writing(self) -> None:
        """See asyncio.BaseProtocol."""
        super().resume_writing()
        self._read_again()

    def timeout_keep_alive_handler(self) -> None:
        """See H11Protocol, which would wait for ever for a client that left the end of an answer unread."""
        self.transport.abort()

    def _read_again(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _watch(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(READ_SECONDS, self._give_up, "slow")

    def _unwatch(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self, why: str) -> None:
        if not self.transport.is_closing():
            BoundedConnection.on_limit(why)
        self.transport.abort()


if sys.platform == "win32":

    def most_connections() -> int:
        """How many connections may be open: this system sets no limit to the files of a process."""
        return MOST

    def allow_files() -> None:
        """Ask the system for as many open files as `MOST` connections need: there is nothing to ask."""

else:
    import resource

    def most_connections() -> int:
        """How many connections may be open: what the limit of open files leaves, at most `MOST`."""
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        # Without files accept() fails in a loop, and nothing at all is answered any more.
        return MOST if soft == resource.RLIM_INFINITY else max(10, min(MOST, soft - _SPARE_FILES))

    def allow_files() -> None:
        """Ask the system for as many open files as `MOST` connections need."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST + _SPARE_FILES
        if soft == resource.RLIM_INFINITY or soft >= wanted:
            return
        most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (OSError, ValueError):
            # Then fewer connections are taken.
            return
