"""Sources: the named places pages and facts belong to."""

from gbrain.errors import InvalidParams
from gbrain.store import visibility
from gbrain.store.engine import Engine
from gbrain.types import Source, View


class Sources:
    """The `sources` table. `default` always exists."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def ids(self) -> list[str]:
        """Every source id, in order."""
        return [row["id"] for row in self._engine.rows("select id from sources order by id")]

    def all(self) -> list[Source]:
        """Every source, by id."""
        rows = self._engine.rows(
            "select id, name, local_path, federated, is_default, created_at from sources order by id"
        )
        return [
            Source(
                row["id"],
                row["name"],
                row["local_path"],
                None if row["federated"] is None else bool(row["federated"]),
                bool(row["is_default"]),
                row["created_at"],
            )
            for row in rows
        ]

    def folder(self, id: str) -> str | None:
        """The folder of a source, None where it has none."""
        rows = self._engine.rows("select local_path from sources where id = :id", {"id": id})
        return rows[0]["local_path"] if rows else None

    def ensure(self, id: str, now: str) -> None:
        """Make a source if it is not there."""
        self._engine.rows(
            "insert into sources (id, name, created_at) values (:id, :id, :now) on conflict (id) do nothing",
            {"id": id, "now": now},
        )

    def add(self, source: Source) -> None:
        """Make a source; raises InvalidParams when its id is taken."""
        made = self._engine.rows(
            "insert into sources (id, name, local_path, federated, is_default, created_at)"
            " values (:id, :name, :local_path, :federated, :is_default, :created_at)"
            " on conflict (id) do nothing returning id",
            {
                **source._asdict(),
                "federated": None if source.federated is None else int(source.federated),
                "is_default": int(source.is_default),
            },
        )
        if not made:
            raise InvalidParams(f"there is a source {source.id!r} already", "run: gbrain sources list")

    def page_counts(self, view: View) -> dict[str, int]:
        """How many visible pages each source of the view has; a source without any is left out."""
        rows = self._engine.rows(
            f"select p.source_id, count(*) as n from pages p where {visibility.pages()} group by p.source_id",
            visibility.params(view),
        )
        return {row["source_id"]: row["n"] for row in rows}
