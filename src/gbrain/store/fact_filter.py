"""The condition under which a fact `f` passes a filter."""

from typing import NamedTuple

from gbrain.store import visibility


class Filter(NamedTuple):
    """Which facts a read wants; every given condition must hold."""

    entity_keys: tuple[str, ...] | None = None
    session: str | None = None
    since: str | None = None
    kind: str | None = None
    visibility: str | None = None
    live: bool = True
    superseded: bool = False
    page_types: tuple[str, ...] = ()
    page_tags: tuple[str, ...] = ()
    """Only facts about a visible page of one of these types, with all of these tags."""
    home: str | None = None
    bare: tuple[str, ...] = ()
    """With `home`, the keys count in that source, and in others only those that are `bare` too."""


def conditions(wanted: Filter) -> tuple[str, dict[str, object]]:
    """SQL about the fact `f`, and its parameters; who may see it and whether it holds is not in it."""
    parts, params = ["1 = 1"], dict[str, object]()
    if wanted.entity_keys is not None:
        parts.append("f.entity_key in (:keys)")
        params["keys"] = list(wanted.entity_keys)
    if wanted.home is not None:
        parts.append("(f.source_id = :home or f.entity_key in (:bare))")
        params["home"], params["bare"] = wanted.home, list(wanted.bare)
    if wanted.session is not None:
        parts.append("f.session = :session")
        params["session"] = wanted.session
    if wanted.since is not None:
        parts.append("f.valid_from >= :since")
        params["since"] = wanted.since
    if wanted.kind is not None:
        parts.append("f.kind = :kind")
        params["kind"] = wanted.kind
    if wanted.visibility is not None:
        parts.append("f.visibility = :visibility")
        params["visibility"] = wanted.visibility
    if wanted.superseded:
        parts.append("f.superseded_by is not null and f.expired_at is not null")
    if wanted.page_types or wanted.page_tags:
        about = f"p.source_id = f.source_id and p.slug = f.entity_slug and {visibility.pages()}"
        if wanted.page_types:
            about += " and p.type in (:page_types)"
            params["page_types"] = list(wanted.page_types)
        if wanted.page_tags:
            held = "(select count(*) from tags t where t.page_id = p.id and t.tag in (:page_tags))"
            about += f" and {held} = :page_tag_count"
            params["page_tags"], params["page_tag_count"] = list(wanted.page_tags), len(set(wanted.page_tags))
        parts.append(f"exists (select 1 from pages p where {about})")
    return " and ".join(parts), params
