"""The verb `recall` of a server's socket: what a recall hook is to tell, from a store that is open already.

One thread with one connection answers all of them, the first to come first; a hook that is not answered in time looks
for itself.
"""

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gbrain import registry
from gbrain.errors import Unavailable
from gbrain.types import Caller

if TYPE_CHECKING:
    from gbrain.brain import Brain

WAIT_SECONDS = 1.0
"""Longer than any hook waits."""
MOST_WAITING = 16
_LAST_SECONDS = 1.0


class _Job:
    """A request, and what came of it once `done` is set; without a reply it failed."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self.request = request
        self.reply: dict[str, Any] | None = None
        self.error: Exception | None = None
        self.done = threading.Event()


class Recalling:
    """The requests that wait, and the thread that answers them, which begins with the first."""

    def __init__(self, brain: "Brain") -> None:
        self._brain = brain
        self._changed = threading.Condition()
        self._jobs: list[_Job] = []
        self._stopped = False
        self._thread: threading.Thread | None = None

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """`text` for the context, and `notes` of what the session was told. Raises BrainError."""
        job = _Job(request)
        with self._changed:
            if self._stopped or len(self._jobs) >= MOST_WAITING:
                raise _busy()
            self._jobs.append(job)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="recall", daemon=True)
                self._thread.start()
            self._changed.notify()
        if not job.done.wait(WAIT_SECONDS):
            raise _busy()
        if job.reply is None:
            raise job.error or _busy()
        return job.reply

    def stop(self) -> None:
        """End, before the store is closed."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(_LAST_SECONDS)

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._jobs and not self._stopped:
                    self._changed.wait()
                if self._stopped:
                    return
                job = self._jobs.pop(0)
            try:
                job.reply = self._told(job.request)
            except Exception as error:
                job.error = error
            job.done.set()

    def _told(self, request: Mapping[str, Any]) -> dict[str, Any]:
        # It takes 20 ms to load, and most servers are never asked.
        from gbrain.ambient import briefing

        with registry.within_reach(self._brain, Caller.local("hook")):
            store, home = self._brain.store, self._brain.home
            told = briefing.answer(store.engine, home, briefing.of_wire(request), self._brain.clock())
        return {"text": told.text, "notes": list(told.notes)}


def _busy() -> Unavailable:
    return Unavailable("this server has no time for a hook just now", "the hook looks into the brain by itself")
