"""What a server does for search by meaning: vectors follow what is written, and other processes are answered."""

import os
import sys
import threading
from typing import TYPE_CHECKING, Any

from gbrain.errors import BrainError, Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gbrain.brain import Brain

FIRST_SECONDS = 1.0
"""A server first answers those who wait for it."""
LOOK_SECONDS = 2.0
RETRY_SECONDS = 30.0
LEASE, LEASE_SECONDS = "embedding", 60.0
_LAST_SECONDS = 1.0


class Embedding:
    """A thread that embeds what awaits it, when no other process does, and the answers to who asks over the socket."""

    def __init__(self, brain: "Brain") -> None:
        self._brain = brain
        self._stopped = threading.Event()
        self._holder = f"{os.getpid()}-{os.urandom(4).hex()}"
        self._told = ""
        self._asked = threading.Lock()
        self._thread = threading.Thread(target=self._follow, name="embedding", daemon=True)

    def start(self) -> None:
        """Begin; the first look is after FIRST_SECONDS, so that a short-lived server loads no model."""
        self._thread.start()

    def stop(self) -> None:
        """End, before the store is closed; a batch under way is finished or lost, and made again by whoever is next."""
        self._stopped.set()
        self._thread.join(_LAST_SECONDS)

    def _follow(self) -> None:
        _step_back()
        self._stopped.wait(FIRST_SECONDS)
        while not self._stopped.is_set():
            pause = LOOK_SECONDS
            try:
                self._embed()
            except Unavailable as failed:
                pause = RETRY_SECONDS
                self._say(failed)
            except BrainError:
                pause = RETRY_SECONDS
            except Exception:
                # A batch that outlasts the wait for it finds the store closed.
                if not self._stopped.is_set():
                    raise
            self._stopped.wait(pause)

    def _embed(self) -> None:
        """Embed until nothing is left. The lease is taken only when there is something to do, since it is a write."""
        store, meaning = self._brain.store, self._brain.meaning
        space = store.vectors.space()
        if not any(store.vectors.waiting(kind, space, 1) for kind in ("page", "fact")):
            return
        # Before the lease, which is a write: a brain without a model would take it every other second.
        meaning.embedder()
        try:
            while not self._stopped.is_set() and store.leases.take(LEASE, self._holder, LEASE_SECONDS):
                if not meaning.embed_some(meaning.begin(anew=False)):
                    return
        finally:
            store.leases.give_back(LEASE, self._holder)

    def _say(self, failed: Unavailable) -> None:
        """Tell the log once why nothing is embedded; a brain without a model is in order."""
        reason = failed.detail.get("reason") if isinstance(failed.detail, dict) else None
        if reason in ("no_provider", "off") or failed.message == self._told:
            return
        self._told = failed.message
        try:
            print(f"gbrain: texts wait for their vectors: {failed.message}", file=sys.stderr, flush=True)
        except OSError:
            pass

    def answer(self, request: "Mapping[str, Any]") -> dict[str, Any]:
        """What another process of this home asks of the model and the vectors, one question after the other."""
        with self._asked:
            return self._brain.meaning.answer(request)


def _step_back() -> None:
    """Let this thread run when others have nothing to do, where threads have a priority of their own."""
    if sys.platform == "linux":
        try:
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
        except OSError:
            pass
