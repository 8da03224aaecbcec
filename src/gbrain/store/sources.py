"""Sources: the named places pages and facts belong to."""

from gbrain.store.engine import Engine


class Sources:
    """The `sources` table. `default` always exists."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def ids(self) -> list[str]:
        """Every source id, in order."""
        return [row["id"] for row in self._engine.rows("select id from sources order by id")]

    def ensure(self, id: str, now: str) -> None:
        """Make a source if it is not there."""
        self._engine.rows(
            "insert into sources (id, name, created_at) values (:id, :id, :now) on conflict (id) do nothing",
            {"id": id, "now": now},
        )
