"""The one visibility predicate: what a reader may see. Every read of facts, pages and links goes through it."""

from typing import Any

from gbrain.view import View

FOREVER = "9999"
"""After every moment: only a read of an earlier time sees what was deleted after it."""


def params(view: View) -> dict[str, Any]:
    """The parameters the predicates use."""
    return {
        "v_sources": list(view.sources),
        "v_private": int(view.private),
        "v_now": view.as_of or view.now,
        "v_then": view.as_of or FOREVER,
        "v_bound": int(view.slugs is not None),
        # An empty list would make the predicate null instead of false, and `not null` hides nothing.
        "v_slugs": None if view.slugs is None else list(view.slugs) or [""],
    }


def facts(view: View, *, live: bool = True) -> str:
    """The predicate on `facts f`: granted source and slug, visibility, and (when `live`) not expired, not lapsed.

    With `as_of` set, the same as it stood at that moment.
    """
    readable = "f.source_id in (:v_sources) and (:v_private = 1 or f.visibility = 'world')"
    if view.slugs is not None:
        readable += " and f.entity_slug in (:v_slugs)"
    if not live:
        return readable if view.as_of is None else readable + " and f.created_at <= :v_now"
    holds = "(f.valid_until is null or f.valid_until > :v_now)"
    if view.as_of is None:
        return f"{readable} and f.expired_at is null and {holds}"
    return f"{readable} and f.created_at <= :v_now and (f.expired_at is null or f.expired_at > :v_now) and {holds}"


def pages(*, deleted: bool = False) -> str:
    """The predicate on `pages p`: granted source and slug, not private to a remote reader, not expired or deleted.

    With `as_of` set, expired and deleted are told as of that moment, and who may see the page as of now.
    """
    bound = "(:v_bound = 0 or p.slug in (:v_slugs))"
    readable = f"p.source_id in (:v_sources) and (:v_private = 1 or p.private = 0) and {bound}"
    if deleted:
        return readable
    there = "(p.deleted_at is null or p.deleted_at > :v_then)"
    return f"{readable} and {there} and (p.expiry is null or p.expiry > :v_now)"


def links_in(view: View | None = None) -> str:
    """The predicate on incoming `links l`, from the state of the origin page kept on the row.

    For a `view` that is bound to no slugs it reads nothing beside the index; without one it fits every view.
    """
    unexpired = "(l.from_expiry is null or l.from_expiry > :v_now)"
    # Not by a join with the origin page: counting the backlinks of a hub took 99 ms so, and takes 1 ms from the index.
    readable = f"l.source_id in (:v_sources) and l.from_state > 1 - :v_private and {unexpired}"
    if view is not None and view.slugs is None:
        return readable
    bound = "(select o.id from pages o where o.slug in (:v_slugs))"
    return f"{readable} and (:v_bound = 0 or (l.from_id in {bound} and l.origin_id in {bound}))"
