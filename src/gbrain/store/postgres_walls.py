"""Row-level security: what each table shows within a reach, as policies that PostgreSQL holds whatever the SQL says.

The reach of a request is set for one transaction: `gbrain.sources` and `gbrain.slugs` are `*` or one id a line,
`gbrain.private` is 1 or 0. Where nothing was set, nothing is shown.
"""

from collections.abc import Sequence

from gbrain.store.engine import Reach

ALL = "*"
EVERYTHING = Reach(None, True)
"""The reach of the operator at this machine."""

SETTINGS = (
    "select set_config('gbrain.sources', :sources, true), set_config('gbrain.private', :private, true),"
    " set_config('gbrain.slugs', :slugs, true)"
)

BEHIND = {
    "chunk_text": "chunks",
    "chunk_text_private": "chunks",
    "fact_text": "facts",
    "fact_text_private": "facts",
    "name_text": "pages",
    "name_text_private": "pages",
}
"""The table that decides which rows of a text index a caller may find."""

VECTORS = ("chunk_vectors", "fact_vectors")

EXEMPT = (*BEHIND, *VECTORS)
"""The indexes of texts and vectors: behind a policy PostgreSQL could not use them, so each hit is looked up in its
table."""


def settings(reach: Reach | None) -> dict[str, str]:
    """The parameters of SETTINGS for a reach; None sees everything."""
    if reach is None:
        return {"sources": ALL, "private": "1", "slugs": ALL}
    return {
        "sources": ALL if reach.sources is None else "\n".join(reach.sources),
        "private": "1" if reach.private else "0",
        "slugs": ALL if reach.slugs is None else "\n".join(reach.slugs),
    }


def policies(tables: Sequence[str]) -> list[str]:
    """The statements that put these tables behind the wall; run again they change nothing."""
    made: list[str] = []
    for table in tables:
        shown = _source("id" if table == "sources" else "source_id")
        rows = _ROWS.get(table)
        seen = f"{shown} and {rows}" if rows else shown
        made += [
            f"alter table {table} enable row level security",
            # Without it the owner of the tables, which gbrain is, would see through the wall.
            f"alter table {table} force row level security",
            f"drop policy if exists reach on {table}",
            # A caller may save what it may not read, such as a private fact; never into another's source.
            f"create policy reach on {table} using ({seen}) with check ({shown})",
        ]
    return made


def lowered(tables: Sequence[str]) -> list[str]:
    """The statements that take the wall down."""
    made: list[str] = []
    for table in tables:
        made += [
            f"drop policy if exists reach on {table}",
            f"alter table {table} no force row level security",
            f"alter table {table} disable row level security",
        ]
    return made


def _listed(setting: str, column: str) -> str:
    # As sub-selects they are worked out once a statement, and an index on the column stays usable.
    value = f"(select current_setting('gbrain.{setting}', true))"
    lines = f"(select string_to_array(current_setting('gbrain.{setting}', true), chr(10)))"
    return f"({value} = '{ALL}' or {column} = any (cast({lines} as text[])))"


def _source(column: str) -> str:
    return _listed("sources", column)


def _private(world: str) -> str:
    return f"((select current_setting('gbrain.private', true)) = '1' or {world})"


def _of_page(table: str, column: str) -> str:
    """The row's page may be seen: the policy of `pages` answers that."""
    return f"exists (select 1 from pages as seen where seen.id = {table}.{column})"


_ROWS: dict[str, str] = {
    "pages": f"{_private('private = 0')} and {_listed('slugs', 'slug')}",
    "page_versions": f"{_private('private = 0')} and {_of_page('page_versions', 'page_id')}",
    "aliases": _of_page("aliases", "page_id"),
    "callings": _of_page("callings", "page_id"),
    "former_slugs": _of_page("former_slugs", "page_id"),
    "tags": _of_page("tags", "page_id"),
    "chunks": _of_page("chunks", "page_id"),
    "timeline": _of_page("timeline", "page_id"),
    # from_state 2 is a link whose origin everybody may read (see store/links.py).
    "links": " and ".join(
        (_private("from_state = 2"), *(_of_page("links", column) for column in ("from_id", "to_id", "origin_id")))
    ),
    "refs": _of_page("refs", "page_id"),
    "backlink_counts": f"{_private('world > 0')} and {_of_page('backlink_counts', 'page_id')}",
    "facts": f"{_private(chr(39).join(('visibility = ', 'world', '')))} and {_listed('slugs', 'entity_slug')}",
    "name_words": _private("world > 0"),
}
"""What must hold of a row beside its source, where that is not all."""
