"""Sources: the named places pages and facts belong to."""

from typing import TYPE_CHECKING, NamedTuple

from gbrain.errors import InvalidParams
from gbrain.store import visibility
from gbrain.store.lists import slices
from gbrain.view import Source, View

if TYPE_CHECKING:
    from gbrain.store.engine import Engine


class Held(NamedTuple):
    """How many rows a source has, whoever may read them: living and `deleted` pages, and facts, ended ones too."""

    pages: int
    deleted: int
    facts: int


class Sources:
    """The `sources` table. `default` always exists."""

    def __init__(self, engine: "Engine") -> None:
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

    def ensure(self, id: str, now: str, *, federated: bool | None = None) -> None:
        """Make a source if it is not there."""
        self._engine.rows(
            "insert into sources (id, name, federated, created_at) values (:id, :id, :federated, :now)"
            " on conflict (id) do nothing",
            {"id": id, "federated": None if federated is None else int(federated), "now": now},
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

    def holders(self, view: View, slug: str) -> tuple[list[str], list[str]]:
        """The sources with a page of this slug that this reader may see: those where it is live, and where deleted."""
        rows = self._engine.rows(
            "select p.source_id, p.deleted_at from pages p where p.slug = :slug and"
            f" {visibility.pages(deleted=True)} order by p.source_id",
            {**visibility.params(view), "slug": slug},
        )
        live = [row["source_id"] for row in rows if row["deleted_at"] is None]
        return live, [row["source_id"] for row in rows if row["deleted_at"] is not None]

    def held(self, id: str) -> Held:
        """What a source holds."""
        row = self._engine.rows(
            "select count(*) filter (where deleted_at is null) as pages, count(deleted_at) as deleted,"
            " (select count(*) from facts where source_id = :id) as facts from pages where source_id = :id",
            {"id": id},
        )[0]
        return Held(int(row["pages"]), int(row["deleted"]), int(row["facts"]))

    def change(self, source: Source) -> None:
        """Bring the row of a source in line with this one."""
        self._engine.rows(
            "update sources set name = :name, local_path = :path, federated = :federated where id = :id",
            {
                "id": source.id,
                "name": source.name,
                "path": source.local_path,
                "federated": None if source.federated is None else int(source.federated),
            },
        )

    def choose(self, id: str) -> None:
        """Make this source, and no other, the one that is meant where none is named."""
        self._engine.rows("update sources set is_default = case when id = :id then 1 else 0 end", {"id": id})

    def rename(self, old: str, new: str) -> None:
        """Give a source another id, in every table. In a transaction of the caller's."""
        self._engine.deferred()
        moved = {"old": old, "new": new}
        self._engine.rows("update sources set id = :new where id = :old", moved)
        self._engine.rows("update refs set wanted_source = :new where wanted_source = :old", moved)
        for table in self._engine.sourced():
            self._engine.rows(f"update {table} set source_id = :new where source_id = :old", moved)

    def remove(self, id: str) -> None:
        """Delete a source and every row that belongs to it or leads to it. In a transaction of the caller's."""
        self._engine.deferred()
        self._engine.drop_texts(id)
        ids = [row["id"] for row in self._engine.rows("select id from pages where source_id = :id", {"id": id})]
        for part in slices(ids):
            self._engine.rows("delete from links where to_id in (:ids)", {"ids": part})
            self._engine.rows("delete from backlink_counts where page_id in (:ids)", {"ids": part})
            self._engine.rows("update refs set to_id = null where to_id in (:ids)", {"ids": part})
        for table in self._engine.sourced():
            self._engine.rows(f"delete from {table} where source_id = :id", {"id": id})
        self._engine.rows("delete from sources where id = :id", {"id": id})
