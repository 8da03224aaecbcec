"""A web server that says when it answers, and ends with an exit code instead of a signal."""

import asyncio
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn


class Server(uvicorn.Server):
    """uvicorn's server, which ends with an exit code instead of raising the signal again.

    `ready` is called once requests are answered and signals are heard, `closing` as soon as the end is asked for.
    """

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], closing: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._closing = closing
        self.number = 0
        """The signal that asked for the end; 0 while none has."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn.Server."""
        await super().startup(sockets)
        self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """See uvicorn.Server."""
        if sys.platform == "win32":
            # Its loop takes no signals.
            with super().capture_signals():
                yield
            return
        # uvicorn raises the signal again once it is done, and the process would be told to have been killed; a handler
        # of the loop also runs between two steps, so it may touch what tasks use.
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop, number)
        try:
            yield
        finally:
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.remove_signal_handler(number)

    def _stop(self, number: int) -> None:
        # Whoever asks twice does not wait for open requests.
        if self.number:
            self.force_exit = True
        self.number = number
        self.should_exit = True
        self._closing()
