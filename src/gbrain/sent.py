"""Which facts and pages an answer held: ids and slugs alone, so that a person can be told who has read what.

The lines of verbs are in the log of their calls (`journal.USAGE`) as `facts` and `pages`; those of other reads are in
`journal.READS` as `{"ts", "brain_id", "client", "operation", "facts", "pages"}`.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from gbrain.domain.times import store_time
from gbrain.journal import READS, Journal
from gbrain.types import Caller

BESIDE_VERBS = frozenset({"get_page", "fetch", "search", "query"})
"""The reads that are no verbs and whose answers hold the texts of pages."""
MOST = 100


def held(name: str, value: Any) -> dict[str, list[Any]]:
    """The ids of the facts (`facts`) and the places of the pages (`pages`: source:slug, or the slug where the answer
    does not say the source) in an answer; what there is none of is left out."""
    value = value if isinstance(value, dict | list) else {}
    facts, pages = list[Any](), list[str]()
    if isinstance(value, list):
        pages = [_place(row) for row in value if isinstance(row, dict)]
    elif name == "get_page":
        pages = [_place(value)]
    elif name == "fetch":
        pages = [str(value.get("id", ""))]
    else:
        facts = [row["id"] for row in _rows(value, "facts") if isinstance(row.get("id"), int)]
        pages = [_place(row) for key in ("results", "cards") for row in _rows(value, key)]
        pages += [_place(value["card"]["entity"])] if isinstance(value.get("card"), dict) else []
    told = {"facts": facts[:MOST], "pages": [page for page in dict.fromkeys(pages) if page][:MOST]}
    return {key: some for key, some in told.items() if some}


def note(
    journal: Journal, brain_id: str, caller: Caller, operation: str, held: Mapping[str, list[Any]], now: datetime
) -> None:
    """Add what a caller was given beside the verbs to the log of reads."""
    if held:
        about = {"ts": store_time(now), "brain_id": brain_id, "client": caller.client, "operation": operation}
        journal.append(READS, {**about, **held})


def _rows(value: dict[str, Any], key: str) -> list[dict[str, Any]]:
    rows = value.get(key)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _place(row: dict[str, Any]) -> str:
    slug = row.get("slug")
    if not isinstance(slug, str):
        return ""
    source = row.get("source_id")
    return f"{source}:{slug}" if isinstance(source, str) else slug
