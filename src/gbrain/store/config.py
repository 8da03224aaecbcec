"""Settings, and what the brain knows of itself: its id and which versions opened it."""

import os
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from gbrain.domain.times import store_time
from gbrain.errors import Unavailable

if TYPE_CHECKING:
    from gbrain.store.engine import Engine

COPYING = "copying"
"""The `meta` row that a copy bears until it is complete: the id of the brain it is of."""


class Config:
    """The `config` table (a person's settings) and the `meta` table (the brain's own)."""

    def __init__(self, engine: "Engine", clock: Callable[[], datetime]) -> None:
        self._engine = engine
        self._clock = clock

    def now(self) -> str:
        """The present moment as the store writes it."""
        return store_time(self._clock())

    def get(self, key: str) -> str | None:
        """The stored value of a setting, None when nobody set it."""
        found = self._engine.rows("select value from config where key = :key", {"key": key})
        return str(found[0]["value"]) if found else None

    def set(self, key: str, value: str) -> None:
        """Store a value that its setting has already accepted."""
        with self._engine.transaction():
            self._engine.rows(
                "insert into config (key, value, changed_at) values (:key, :value, :now)"
                " on conflict (key) do update set value = excluded.value, changed_at = excluded.changed_at",
                {"key": key, "value": value, "now": self.now()},
            )

    def unset(self, key: str) -> bool:
        """Remove a stored value; whether there was one."""
        with self._engine.transaction():
            return bool(self._engine.rows("delete from config where key = :key returning key", {"key": key}))

    def all(self) -> dict[str, str]:
        """Every stored value by key."""
        return {row["key"]: row["value"] for row in self._engine.rows("select key, value from config order by key")}

    def brain_id(self) -> str:
        """The random id this brain was given when it was made."""
        return self._meta("brain_id") or ""

    def opened_by(self) -> str | None:
        """The last version that opened this brain."""
        return self._meta("opened_by")

    def note_opened(self, version: str) -> None:
        """Remember the version that opened the brain, and the older one whose owner was not told of it yet."""
        before = self._meta("opened_by")
        if before is None:
            self._put("brain_id", os.urandom(16).hex())
        # An older version that opens the brain again must not make the newer one an upgrade once more.
        elif _numbers(version) <= _numbers(before):
            return
        elif self._meta("notice_from") is None:
            self._put("notice_from", before)
        self._put("opened_by", version)

    def refuse_partial(self) -> None:
        """Raise Unavailable while another brain is being copied into this one."""
        if self._meta(COPYING) is not None:
            raise Unavailable(
                "this brain is a copy that is not complete",
                "finish it from the home of the brain that is copied: gbrain migrate --to URL",
                detail={"reason": "partial_copy"},
            )

    def take_notice(self) -> str | None:
        """The version before an upgrade nobody has announced yet, once; None otherwise."""
        if self._meta("notice_from") is None:
            return None
        with self._engine.transaction():
            taken = self._engine.rows("delete from meta where key = 'notice_from' returning value")
        return str(taken[0]["value"]) if taken else None

    def mark(self, name: str) -> str | None:
        """How far some work over the brain has come, as that work wrote it."""
        return self._meta(name)

    def set_mark(self, name: str, value: str) -> None:
        """Note how far some work over the brain has come."""
        with self._engine.transaction():
            self._put(name, value)

    def _meta(self, key: str) -> str | None:
        found = self._engine.rows("select value from meta where key = :key", {"key": key})
        return str(found[0]["value"]) if found else None

    def _put(self, key: str, value: str) -> None:
        self._engine.rows(
            "insert into meta (key, value) values (:key, :value) on conflict (key) do update set value ="
            " excluded.value",
            {"key": key, "value": value},
        )


def _numbers(version: str) -> list[int]:
    return [int(part) if part.isdigit() else 0 for part in version.split(".")]
