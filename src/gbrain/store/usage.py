"""How often each HTTP client called each operation, by day: counts alone, never what was asked or answered."""

from collections.abc import Sequence
from typing import NamedTuple

from gbrain.store.engine import Engine


class Usage(NamedTuple):
    """The calls of one client to one operation on one day (`YYYY-MM-DD`, UTC)."""

    day: str
    client_id: str
    operation: str
    ok: int
    failed: int


class UsageLog:
    """The `usage` table."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, rows: Sequence[tuple[str, str, str, int, int]], oldest: str) -> None:
        """Add counts (day, client id, operation, ok, failed) in one transaction, and drop days before `oldest`."""
        with self._engine.transaction():
            self._engine.rows("delete from usage where day < :oldest", {"oldest": oldest})
            for row in rows:
                self._engine.rows(
                    "insert into usage (day, client_id, operation, ok, failed)"
                    " values (:day, :client_id, :operation, :ok, :failed)"
                    " on conflict (day, client_id, operation) do update set ok = usage.ok + excluded.ok,"
                    " failed = usage.failed + excluded.failed",
                    Usage(*row)._asdict(),
                )

    def since(self, day: str) -> list[Usage]:
        """Every count from this day on, by day, client and operation."""
        found = self._engine.rows(
            "select day, client_id, operation, ok, failed from usage where day >= :day"
            " order by day, client_id, operation",
            {"day": day},
        )
        return [Usage(**row) for row in found]
