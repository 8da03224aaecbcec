"""The sweep of a server on a pipe: soon after it starts, and every ten minutes from then on."""

import os
import threading
from typing import TYPE_CHECKING

from gbrain import registry
from gbrain.errors import BrainError
from gbrain.types import Caller

if TYPE_CHECKING:
    from gbrain.brain import Brain

FIRST_SECONDS = 3.0
"""A server first answers those who wait for it."""
EVERY_SECONDS = 600.0
FIRST_BUDGET_MS, BUDGET_MS = 5000, 3000
ENV_SWEEP = "GBRAIN_SWEEP"
_LAST_SECONDS = 2.0


class Sweeping:
    """One thread that sweeps; `GBRAIN_SWEEP=0` leaves it out. Of many servers of a brain one sweeps at a time."""

    def __init__(self, brain: "Brain") -> None:
        self._brain = brain
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sweep", daemon=True)

    def start(self) -> None:
        """Begin, unless the environment says that this process sweeps nothing (`ENV_SWEEP` is 0)."""
        if os.environ.get(ENV_SWEEP) != "0":
            self._thread.start()

    def stop(self) -> None:
        """End, before the store is closed; a sweep under way stops after its batch."""
        self._stopped.set()
        if self._thread.ident is not None:
            self._thread.join(_LAST_SECONDS)

    def _run(self) -> None:
        wait, budget = FIRST_SECONDS, FIRST_BUDGET_MS
        while not self._stopped.wait(wait):
            try:
                self._sweep(budget)
            except BrainError:
                # The store is away for now, or the server ends; the next sweep goes on.
                pass
            except Exception:
                # A batch that outlasts the wait for it finds the store closed.
                if not self._stopped.is_set():
                    raise
            wait, budget = EVERY_SECONDS, BUDGET_MS

    def _sweep(self, budget: int) -> None:
        registry.call(self._brain, Caller.local("sweep"), "sweep", {"budget_ms": budget}, progress=self._go_on)

    def _go_on(self, what: str, done: int, of: int) -> None:
        if self._stopped.is_set():
            from gbrain.ops.sweeping import Stopped  # loaded by now: the sweep is what asks

            raise Stopped("the server ends", "run: gbrain sweep --once")
