"""Turns read at once: a server that a hook told of a banked turn reads it for facts, and nobody waits for that.

One turn after the other, under the gate, with a queue of its own and a cap for each session that all servers of a
brain share. Whatever is refused or fails stays in the bank, and the sweep takes it up.
"""

import os
import re
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from gbrain import registry
from gbrain.ambient import bank
from gbrain.ambient.capture import LOG
from gbrain.domain.times import store_time
from gbrain.errors import BrainError
from gbrain.types import Caller

if TYPE_CHECKING:
    from gbrain.brain import Brain

QUEUE = 8
SESSION_CAP = 30
FORGET = timedelta(days=7)
"""How long after its last turn a session's count is kept."""
TRY_AGAIN = (5.0, 15.0, 45.0)
"""Seconds after which a turn is tried again that found the store busy."""
_LAST_SECONDS = 1.0
_NAME = re.compile(r"[A-Za-z0-9._-]{1,240}[.]txt")


class _Job(NamedTuple):
    name: str
    due: float
    tries: int


class _Count:
    """A turn by itself has nothing to be added up with."""

    def skip(self, reason: str, count: int = 1) -> None:
        """See Tally."""

    def ingested(self) -> None:
        """See Tally."""


class AtOnce:
    """The queue, and the one thread that reads what is in it. The thread begins with the first turn."""

    def __init__(self, brain: "Brain") -> None:
        self._brain = brain
        self._changed = threading.Condition()
        self._jobs: list[_Job] = []
        self._stopped = False
        self._thread: threading.Thread | None = None

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Take up the turn whose file is named, without waiting for it: `status` is `scheduled`, or `skipped` for a
        `reason`. Raises BrainError when the store does not answer."""
        reason = self._schedule(request.get("file"))
        return {"status": "scheduled"} if reason is None else {"status": "skipped", "reason": reason}

    def stop(self) -> None:
        """End, before the store is closed. What is under way is not kept, and what waits is left to the sweep."""
        with self._changed:
            self._stopped = True
            self._jobs.clear()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(_LAST_SECONDS)

    def _schedule(self, name: object) -> str | None:
        # Whoever reaches the socket names the file, so nothing but a name in the bank is a name.
        parsed = bank.parse(name) if isinstance(name, str) and _NAME.fullmatch(name) and ".." not in name else None
        if parsed is None or not isinstance(name, str):
            return "bad_basename"
        session, _, hash24, source = parsed
        if session == bank.UNKNOWN:
            return "no_session"
        if not os.path.lexists(os.path.join(bank.folder(self._brain.home), name)):
            return "not_found"
        with self._changed:
            if self._stopped:
                return "shutting_down"
            if any(job.name == name for job in self._jobs):
                return "already_queued"
            full = len(self._jobs) >= QUEUE
            now = datetime.now(UTC)
            # A turn that finds the queue full costs its session nothing.
            if not full and not self._brain.store.harvests.admit(
                source or bank.DEFAULT_SOURCE, session, hash24, SESSION_CAP, store_time(now), store_time(now - FORGET)
            ):
                return "session_cap"
            if full:
                return "queue_full"
            self._add(_Job(name, time.monotonic(), 0))
        return None

    def _add(self, job: _Job) -> None:
        self._jobs.append(job)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="turns", daemon=True)
            self._thread.start()
        self._changed.notify()

    def _run(self) -> None:
        while (job := self._next()) is not None:
            try:
                self._read(job)
            except BrainError as error:
                self._again(job, error)
            except Exception as error:
                # A model that outlasts the server's end finds the store closed.
                if not self._ended():
                    self._tell("error", type(error).__name__)

    def _next(self) -> _Job | None:
        """The first turn in the queue that is due, once there is one; None at the end."""
        with self._changed:
            while not self._stopped:
                now = time.monotonic()
                due = [job for job in self._jobs if job.due <= now]
                if due:
                    self._jobs.remove(due[0])
                    return due[0]
                self._changed.wait(min((job.due - now for job in self._jobs), default=None))
        return None

    def _read(self, job: _Job) -> None:
        # What reads turns takes 50 ms to load, and most servers are never told of one.
        from gbrain.ambient.reading import Reading, gate_of

        caller = Caller.local("harvest")
        with registry.within_reach(self._brain, caller):
            ctx = registry.context(self._brain, caller)
            Reading(ctx, _Count(), "at_once", self._ended).file(job.name, gate_of(ctx))

    def _again(self, job: _Job, error: BrainError) -> None:
        if self._ended():
            return
        if error.code != "unavailable" or job.tries >= len(TRY_AGAIN):
            self._tell("error", error.code)
            return
        self._tell("degraded", "writer_busy_requeued")
        with self._changed:
            self._add(job._replace(due=time.monotonic() + TRY_AGAIN[job.tries], tries=job.tries + 1))

    def _ended(self) -> bool:
        return self._stopped

    def _tell(self, outcome: str, reason: str) -> None:
        line = {"ts": self._brain.clock().isoformat(), "event": "writeback", "outcome": outcome, "reason": reason}
        self._brain.journal.append(LOG, line)
