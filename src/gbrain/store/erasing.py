"""The words of a fact: where they still stand in the store, and taking them out for good."""

from typing import NamedTuple

from gbrain.store.engine import Engine, like

ERASED = "[erased]"
"""What a fact says whose words were erased."""


class Stands(NamedTuple):
    """How many versions of a page hold a text; `now` says whether its current one does."""

    source_id: str
    slug: str
    versions: int
    now: bool


class Holder(NamedTuple):
    """A fact that holds a text; `whole` where it says nothing else."""

    id: int
    live: bool
    whole: bool


class Erasing:
    """Exact texts in the tables of one brain, whoever may read them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def facts(self, text: str) -> list[Holder]:
        """The facts that hold a text, in the order of their ids."""
        told = ", ".join(f"coalesce({name}, '') as {name}" for name in _TOLD)
        where = " or ".join(f"{name} like :part escape '\\'" for name in _TOLD)
        rows = self._engine.rows(
            f"select id, expired_at, {told} from facts where {where} order by id", {"part": _pattern(text)}
        )
        return [
            Holder(row["id"], row["expired_at"] is None, row["fact"] == text)
            for row in rows
            if any(text in row[name] for name in _TOLD)
        ]

    def pages(self, text: str) -> list[Stands]:
        """The pages of which a version holds a text."""
        rows = self._engine.rows(
            "select p.source_id, p.slug, p.version as current, v.version, v.content from page_versions v"
            " join pages p on p.id = v.page_id where v.content like :part escape '\\' order by p.source_id, p.slug",
            {"part": _pattern(text)},
        )
        found: dict[tuple[str, str], Stands] = {}
        for row in rows:
            if text not in row["content"]:
                continue
            key = row["source_id"], row["slug"]
            held = found.get(key, Stands(*key, 0, False))
            found[key] = held._replace(versions=held.versions + 1, now=held.now or row["version"] == row["current"])
        return list(found.values())

    def elsewhere(self, text: str) -> list[str]:
        """The other tables in which a text stands."""
        return [
            table
            for table, column in _OTHERS
            if any(
                text in row["told"]
                for row in self._engine.rows(
                    f"select {column} as told from {table} where {column} like :part escape '\\'",
                    {"part": _pattern(text)},
                )
            )
        ]

    def vector(self, id: int) -> bool:
        """Whether a fact has a vector."""
        return bool(self._engine.rows("select 1 as there from fact_vectors where id = :id", {"id": id}))

    def blank(self, id: int) -> None:
        """Take the words out of a row that has ended: what it said, where that came from, and why it ended."""
        self._engine.rows(
            "update facts set fact = :erased, provenance = :erased, fingerprint = '', context = null,"
            " expired_reason = case when superseded_by is null then 'forgotten' else expired_reason end,"
            " entity_name = null, metric = null, value = null, unit = null, dated = null, row_key = null, mirrored = 1"
            " where id = :id and expired_at is not null",
            {"id": id, "erased": ERASED},
        )

    def strike(self, id: int, text: str) -> None:
        """Take a text out of an ended row that says more than it."""
        struck = ", ".join(f"{name} = replace({name}, cast(:text as text), cast(:erased as text))" for name in _TOLD)
        self._engine.rows(
            f"update facts set {struck}, fingerprint = '', mirrored = 1 where id = :id and expired_at is not null",
            {"id": id, "text": text, "erased": ERASED},
        )

    def compact(self) -> bool:
        """Write the database anew without what was deleted in it; False where that is the database server's business.

        Raises Unavailable when other processes are in it.
        """
        if self._engine.name != "sqlite":
            return False
        self._engine.rows("vacuum")
        self._engine.rows("pragma wal_checkpoint(truncate)")
        return True


def _pattern(text: str) -> str:
    return f"%{like(text)}%"


_TOLD = ("fact", "provenance", "context", "expired_reason")
"""The columns of a fact in which a person's words stand."""
_OTHERS = (
    ("timeline", "summary"),
    ("timeline", "detail"),
    ("links", "context"),
    ("refs", "context"),
    ("pages", "summary"),
    ("pages", "title"),
)
