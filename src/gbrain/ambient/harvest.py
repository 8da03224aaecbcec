"""The harvest: every banked turn that waits, in a sweep; and what is too old goes."""

import os
from datetime import datetime

from gbrain.ambient import bank
from gbrain.ambient.capture import LOG
from gbrain.ambient.reading import EVENT, Reading, banked_at, gate_of
from gbrain.ambient.retention import overdue
from gbrain.journal import Journal
from gbrain.ops.sweeping import Sweep
from gbrain.registry import Context


class Harvest:
    """One harvest of the bank in a brain's home, as a pass of a sweep."""

    def __init__(self, ctx: Context, sweep: Sweep) -> None:
        self._ctx = ctx
        self._sweep = sweep
        self._folder = bank.folder(ctx.home)

    def run(self) -> int:
        """Every waiting turn, the oldest first, while there is time; how many are left to the next sweep."""
        waiting = self._waiting()
        if waiting:
            gate, reading = gate_of(self._ctx), Reading(self._ctx, self._sweep, "sweep")
            for _ in self._sweep.steps("turns"):
                reading.file(waiting.pop(0), gate)
                if not waiting:
                    break
        if not waiting:
            # What is too old goes only after it had its chance, also when the clock has leapt.
            self._retain()
        return len(waiting)

    def _waiting(self) -> list[str]:
        names = self._names()
        done = {name.removesuffix(bank.INGESTED) for name in names if name.endswith(bank.INGESTED)}
        found = [name for name in names if name not in done and bank.parse(name) is not None]
        held = sum(1 for name in names if name in done)
        if held:
            self._sweep.skip("already_ingested", held)
        # The oldest first: a later turn may correct what an earlier one said.
        return sorted(found, key=lambda name: (self._banked(name), name))

    def _names(self) -> list[str]:
        try:
            return sorted(os.listdir(self._folder))
        except FileNotFoundError:
            return []
        except OSError:
            self._sweep.skip("corpus_unreadable")
            return []

    def _banked(self, name: str) -> datetime:
        return banked_at(self._folder, name, self._ctx.now)

    def _retain(self) -> None:
        """Delete turns that were kept long enough, done with or not, and what was left behind beside them."""
        names = self._names()
        for name in overdue(self._ctx, names):
            try:
                os.unlink(os.path.join(self._folder, name))
            except OSError:
                continue
            if bank.parse(name) is not None and name + bank.INGESTED not in names:
                self._sweep.skip("retention")
                line = {"ts": self._ctx.now.isoformat(), "event": EVENT, "outcome": "degraded", "reason": "retention"}
                Journal(self._ctx.home).append(LOG, line)
