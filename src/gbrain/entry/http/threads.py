"""The bridge from the event loop to the synchronous core."""

import asyncio
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Overrun(Exception):
    """A call took longer than its bound. It runs on, and what it does is not undone."""


class Threads:
    """A fixed set of threads; calls wait in order until one is free.

    The threads live as long as the process, since each holds a connection of its own to an embedded store, and
    never keep it from ending.
    """

    def __init__(self, count: int, name: str) -> None:
        self.under_way = 0
        """Calls that are running or waiting."""
        self._calls: queue.SimpleQueue[tuple[asyncio.Future[Any], Callable[..., Any], tuple[object, ...]]]
        self._calls = queue.SimpleQueue()
        self._closed = False
        for number in range(count):
            threading.Thread(target=self._work, name=f"gbrain-{name}-{number}", daemon=True).start()

    async def run(self, seconds: float, call: Callable[..., T], *args: object) -> T:
        """The value of `call(*args)`, made in a thread; raises what it raises, and Overrun after `seconds`."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        # Not asyncio.wait_for, which makes a task for every call.
        timer = loop.call_later(seconds, _overrun, answer)
        self.under_way += 1
        self._calls.put((answer, call, args))
        try:
            return await answer
        finally:
            timer.cancel()

    async def drain(self, seconds: float) -> bool:
        """Wait for what is running, drop what is waiting; whether all of it ended within `seconds`."""
        self._closed = True
        until = time.monotonic() + seconds
        while self.under_way and time.monotonic() < until:
            await asyncio.sleep(0.02)
        return not self.under_way

    def _work(self) -> None:
        while True:
            answer, call, args = self._calls.get()
            value, error = None, None
            try:
                if not self._closed:
                    value = call(*args)
            except BaseException as raised:
                error = raised
            try:
                answer.get_loop().call_soon_threadsafe(self._settle, answer, value, error)
            except RuntimeError:
                # The loop has ended, and nobody waits for this any more.
                return

    def _settle(self, answer: "asyncio.Future[Any]", value: Any, error: BaseException | None) -> None:
        self.under_way -= 1
        # Who waited was told that it takes too long, or has gone.
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        elif self._closed and value is None:
            answer.cancel()
        else:
            answer.set_result(value)


def _overrun(answer: "asyncio.Future[Any]") -> None:
    if not answer.done():
        answer.set_exception(Overrun())
