"""Counts of calls a client, on their way to the usage log: kept in memory, written together."""

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

from gbrain.catalogue import OPERATIONS
from gbrain.entry.http.access import AccessLog, defect
from gbrain.entry.http.threads import Overrun, Threads
from gbrain.errors import BrainError

if TYPE_CHECKING:
    from gbrain.brain import Brain

SECONDS = 1.0
"""The time between two writes; nothing is written when nothing was asked."""

KEPT_DAYS = 30
MOST_WAITING = 10_000
"""Counters that may wait while the store cannot be written; further new ones are not kept."""


class Tally:
    """Counts by day, client and operation. Arguments and answers never get here."""

    def __init__(self, brain: "Brain", threads: Threads, log: AccessLog) -> None:
        self._brain = brain
        self._threads = threads
        self._log = log
        self._counts: dict[tuple[str, str, str], list[int]] = {}

    def add(self, client: str, operation: object, ok: bool) -> None:
        """Count one call; what is no operation of ours is not counted."""
        if not isinstance(operation, str) or operation not in OPERATIONS:
            return
        self._add((self._brain.clock().date().isoformat(), client, operation), int(ok), int(not ok))

    async def keep_writing(self) -> None:
        """Write now and then, until cancelled."""
        while True:
            await asyncio.sleep(SECONDS)
            try:
                await self.write()
            except Exception as error:
                self._log.add({"event": "error", **defect(error)})

    async def write(self, seconds: float = 30.0) -> None:
        """Write what was counted, within so many seconds; keep it for the next time when the store cannot take it."""
        counts, self._counts = self._counts, {}
        if not counts:
            return
        rows = [(*key, ok, failed) for key, (ok, failed) in counts.items()]
        oldest = (self._brain.clock() - timedelta(days=KEPT_DAYS)).date().isoformat()
        try:
            await self._threads.run(seconds, self._brain.store.usage.add, rows, oldest)
        except Overrun:
            # It may yet be written; counting a call twice would be worse than losing it.
            return
        except BrainError:
            for key, (ok, failed) in counts.items():
                self._add(key, ok, failed)

    def _add(self, key: tuple[str, str, str], ok: int, failed: int) -> None:
        found = self._counts.get(key)
        if found is None:
            if len(self._counts) >= MOST_WAITING:
                return
            found = self._counts[key] = [0, 0]
        found[0] += ok
        found[1] += failed
