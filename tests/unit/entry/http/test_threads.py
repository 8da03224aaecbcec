"""Calls in threads: values, errors, bounds, order, the end."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from gbrain.entry.http.threads import Overrun, Threads


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """What a call waits for; opened at the end of the test, so that no thread stays behind."""
    event = threading.Event()
    yield event
    event.set()


def test_values_and_errors() -> None:
    async def main() -> None:
        threads = Threads(2, "test")
        assert await threads.run(5, lambda a, b: a + b, 1, 2) == 3
        assert await threads.run(5, lambda: None) is None
        with pytest.raises(ZeroDivisionError):
            await threads.run(5, lambda: 1 / 0)
        assert threads.under_way == 0
        assert await threads.drain(1)

    asyncio.run(main())


def test_no_more_than_so_many_at_once(gate: threading.Event) -> None:
    running: list[int] = []

    def call(number: int) -> int:
        running.append(number)
        gate.wait(5)
        return number

    async def main() -> list[int]:
        threads = Threads(2, "test")
        calls = [asyncio.create_task(threads.run(5, call, number)) for number in range(6)]
        while len(running) < 2:
            await asyncio.sleep(0)
        assert threads.under_way == 6
        assert running in ([0, 1], [1, 0])
        gate.set()
        return list(await asyncio.gather(*calls))

    assert asyncio.run(main()) == [0, 1, 2, 3, 4, 5]
    assert len(running) == 6


def test_a_call_that_takes_too_long_runs_on(gate: threading.Event) -> None:
    async def main() -> None:
        threads = Threads(1, "test")
        with pytest.raises(Overrun):
            await threads.run(0.02, gate.wait, 5)
        assert threads.under_way == 1
        assert not await threads.drain(0.02)
        gate.set()
        assert await threads.drain(5)

    asyncio.run(main())


def test_the_end_drops_what_waits(gate: threading.Event) -> None:
    done: list[str] = []

    async def main() -> None:
        threads = Threads(1, "test")
        first = asyncio.create_task(threads.run(5, lambda: done.append("first") or gate.wait(5)))
        while not done:
            await asyncio.sleep(0)
        second = asyncio.create_task(threads.run(5, done.append, "second"))
        await asyncio.sleep(0)
        draining = asyncio.create_task(threads.drain(5))
        await asyncio.sleep(0)
        gate.set()
        assert await draining
        assert (await asyncio.gather(first, second, return_exceptions=True))[0] is True
        assert second.cancelled()

    asyncio.run(main())
    assert done == ["first"]


def test_a_client_that_left_is_no_defect(gate: threading.Event) -> None:
    async def main() -> None:
        threads = Threads(1, "test")
        call = asyncio.create_task(threads.run(5, gate.wait, 5))
        await asyncio.sleep(0)
        call.cancel()
        gate.set()
        assert await threads.drain(5)

    asyncio.run(main())
