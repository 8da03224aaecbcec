"""The condition under which a page `p` passes a filter."""

from typing import Any

from gbrain.types import PageFilter


def fitting(only: PageFilter) -> tuple[str, dict[str, Any]]:
    """SQL about the page `p` that begins with `and`, and its parameters; both are empty where all pages pass."""
    where, params = "", dict[str, Any]()
    if only.types:
        where += " and p.type in (:types)"
        params["types"] = list(only.types)
    if only.tags:
        where += " and (select count(*) from tags t where t.page_id = p.id and t.tag in (:tags)) = :tag_count"
        params |= {"tags": list(only.tags), "tag_count": len(set(only.tags))}
    if only.since or only.until:
        own, entry = _between("p.effective_date", only), _between("e.date", only)
        where += f" and ({own} or exists (select 1 from timeline e where e.page_id = p.id and {entry}))"
    if only.since:
        params |= {"since": only.since, "since_year": only.since[:4], "since_month": only.since[:7]}
    if only.until:
        # A month takes in its days, and a day its hours.
        params["until"] = f"{only.until}~"
    if only.unchanged:
        where += " and p.last_modified <= :unchanged"
        params["unchanged"] = only.unchanged
    return where, params


def _between(date: str, only: PageFilter) -> str:
    """Whether a date, known to the year, the month, the day or the second, may lie in the period."""
    parts = [f"({date} >= :since or {date} in (:since_year, :since_month))"] if only.since else []
    return " and ".join([*parts, *([f"{date} <= :until"] if only.until else [])])
