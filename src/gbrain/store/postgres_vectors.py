"""Vectors on PostgreSQL: a column of pgvector's half-precision type, and an HNSW index over those of the newest model.

The extension may come later than the brain, so the column and the index are made when the first vector is stored. A
filter is applied while the index is walked on (`hnsw.iterative_scan`); where that ends early everything is compared.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gbrain.errors import Unavailable
from gbrain.store.engine import Kept, Row, Space
from gbrain.store.lists import slices
from gbrain.types import Hit

if TYPE_CHECKING:
    from gbrain.arrays import Vector

OLDEST = (0, 8)
MOST_INDEXED = 4_000
"""Dimensions that an HNSW index of half-precision vectors takes."""
WIDTH = 100
"""`hnsw.ef_search`: how many neighbours are kept in sight while the index is walked."""

Rows = Callable[[str, dict[str, Any]], list[Row]]


def place(rows: Rows) -> str:
    """The schema that pgvector is installed in, quoted. Raises Unavailable where it is not, or is too old."""
    found = rows(
        "select quote_ident(n.nspname) as place, e.extversion as version from pg_extension e"
        " join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector'",
        {},
    )
    if not found or tuple(int(part) for part in found[0]["version"].split(".")[:2] if part.isdigit()) < OLDEST:
        old = f"pgvector {found[0]['version']} is older than 0.8" if found else "the database has no pgvector"
        raise Unavailable(
            f"{old}, so vectors cannot be compared",
            "run: gbrain doctor, which prints the command for it",
            detail={"reason": "no_vector_index"},
        )
    return str(found[0]["place"])


def prepare(rows: Rows, where: str, table: str, space: Space) -> None:
    """Make the column, and the index of this space alone; what is there already stays."""
    rows(f"alter table {table} add column if not exists embedding {where}.halfvec", {})
    wanted = f"{table}_near_{space.id}_{space.dimension}"
    held = rows(
        "select quote_ident(indexname) as name from pg_indexes where schemaname = current_schema()"
        " and tablename = :table and indexname like :like escape '\\' and indexname <> :wanted",
        {"table": table, "like": table.replace("_", "\\_") + "\\_near\\_%", "wanted": wanted},
    )
    # An index of an older model costs time at every write and is never read again.
    for row in held:
        rows(f"drop index {row['name']}", {})
    # A larger model is compared row by row, which is slower and still right.
    if space.dimension <= MOST_INDEXED:
        rows(
            f"create index if not exists {wanted} on {table} using hnsw"
            # The column has no dimension, since models differ; an index needs one, and its expression is what a query
            # must repeat.
            f" (cast(embedding as {where}.halfvec({space.dimension})) {where}.halfvec_cosine_ops)"
            f" where model = {space.id}",
            {},
        )


def nearest(
    rows: Rows,
    where: str,
    table: str,
    space: Space,
    vector: "Vector",
    limit: int,
    sources: Sequence[str],
    private: bool,
) -> list[Hit]:
    """See Engine.nearest."""
    params = {"vector": spelled(vector), "limit": limit, "sources": list(sources)}
    seen = f"from {table} where model = {space.id} and source_id in (:sources)" + (
        "" if private else " and private = 0"
    )
    kind = f"{where}.halfvec({space.dimension})"
    distance = f"cast(embedding as {kind}) operator({where}.<=>) cast(:vector as {kind})"
    found = rows(f"select id, 1 - ({distance}) as score {seen} order by {distance} limit :limit", params)
    # The walk may end before it met enough rows that pass the filter; whether there are more, a count tells cheaply.
    if len(found) < limit:
        there = rows(
            f"select count(*) as n from (select 1 {seen} limit :limit) as counted",
            {name: value for name, value in params.items() if name != "vector"},
        )
        if int(there[0]["n"]) > len(found):
            # The sum is what no index is made for, so every row is compared.
            found = rows(f"select id, 1 - ({distance}) as score {seen} order by ({distance}) + 0 limit :limit", params)
    return sorted((Hit(row["id"], float(row["score"])) for row in found), key=lambda hit: (-hit.score, hit.id))


def cosines(rows: Rows, where: str, table: str, space: Space, vector: "Vector", ids: Sequence[int]) -> dict[int, float]:
    """See Engine.cosines."""
    kind = f"{where}.halfvec({space.dimension})"
    found: dict[int, float] = {}
    for part in slices(ids):
        for row in rows(
            f"select id, 1 - (cast(embedding as {kind}) operator({where}.<=>) cast(:vector as {kind})) as score"
            f" from {table} where model = {space.id} and id in (:ids)",
            {"vector": spelled(vector), "ids": part},
        ):
            found[row["id"]] = float(row["score"])
    return found


def kept_rows(space: Space, kept: Sequence[Kept], changed: int) -> list[dict[str, Any]]:
    """The parameters of KEEP."""
    return [
        {"model": space.id, "changed": changed, "id": one.id, "seen": one.seen, "vector": spelled(one.vector)}
        for one in kept
    ]


def keep(where: str, table: str) -> str:
    """The statement that stores one vector."""
    return (
        f"update {table} set model = :model, changed = :changed, embedding = cast(:vector as {where}.halfvec)"
        " where id = :id and changed = :seen"
    )


def spelled(vector: "Vector") -> str:
    """A vector as pgvector reads it."""
    # Five digits are more than a half-precision float holds.
    return "[" + ",".join([f"{number:.5g}" for number in vector.tolist()]) + "]"
