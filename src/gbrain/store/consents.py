"""What was agreed to: each change of the mode in which agents save unasked, by whom and when."""

import os
from typing import NamedTuple

from gbrain.store.engine import Engine

OFF = "off"
ON = ("salient", "all")


class Consent(NamedTuple):
    """A change of the mode. `id` names it for good, `mode` is what holds from then on: off, salient or all."""

    id: str
    mode: str
    given_at: str
    given_by: str

    @property
    def stamp(self) -> str:
        """What facts bear that are saved under it: `MODE:ID`."""
        return f"{self.mode}:{self.id}"


class Consents:
    """The `consents` table; its last row is in force."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def note(self, mode: str, by: str, now: str) -> None:
        """Note a change in the transaction that makes it; what holds already is no change."""
        last = self._last()
        if (last.mode if last else OFF) == mode:
            return
        self._engine.rows(
            "insert into consents (number, id, mode, given_at, given_by)"
            " select coalesce(max(number), 0) + 1, cast(:id as text), cast(:mode as text), cast(:now as text),"
            " cast(:by as text) from consents",
            {"id": os.urandom(4).hex(), "mode": mode, "now": now, "by": by},
        )

    def in_force(self) -> Consent | None:
        """The consent that holds; None while nothing is saved unasked."""
        last = self._last()
        return last if last is not None and last.mode != OFF else None

    def all(self) -> list[Consent]:
        """Every change, latest first."""
        return [
            Consent(**row)
            for row in self._engine.rows("select id, mode, given_at, given_by from consents order by number desc")
        ]

    def _last(self) -> Consent | None:
        rows = self._engine.rows("select id, mode, given_at, given_by from consents order by number desc limit 1")
        return Consent(**rows[0]) if rows else None
