"""Leases: work that one process of all does at a time, and that another takes over when it is gone."""

from datetime import UTC, datetime, timedelta

from gbrain.domain.times import store_time
from gbrain.store.engine import Engine


class Leases:
    """The `leases` table. It goes by the real time, whatever clock the brain was given."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def take(self, name: str, holder: str, seconds: float) -> bool:
        """Take a lease, or go on holding it, for so long; False while somebody else holds it."""
        now = datetime.now(UTC)
        with self._engine.transaction():
            return bool(
                self._engine.rows(
                    "insert into leases (name, holder, expires_at) values (:name, :holder, :until)"
                    " on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at"
                    # One statement looks and takes, so of two that find it free only one gets it.
                    " where leases.holder = excluded.holder or leases.expires_at < :now returning name",
                    {
                        "name": name,
                        "holder": holder,
                        "until": store_time(now + timedelta(seconds=seconds)),
                        "now": store_time(now),
                    },
                )
            )

    def give_back(self, name: str, holder: str) -> None:
        """End a lease before its time."""
        with self._engine.transaction():
            self._engine.rows(
                "delete from leases where name = :name and holder = :holder", {"name": name, "holder": holder}
            )
