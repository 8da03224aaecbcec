"""How a call names the page it is about: with its source, or by the slug it had before it was renamed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gbrain.domain.places import ALL_SOURCES
from gbrain.domain.slugs import looks_like_slug, normalise_slug
from gbrain.domain.source_ids import cited
from gbrain.errors import InvalidParams, NotFound
from gbrain.schema import ParamSpec
from gbrain.types import View

if TYPE_CHECKING:
    from gbrain.store.store import Store


def named_source(
    params: Sequence[ParamSpec], granted: Sequence[str], given: str | None, arguments: dict[str, Any]
) -> str | None:
    """The source that the page of a call is named with; the bare slug takes its place in `arguments`.

    Only the first page that an operation asks for says what the whole call is about. Raises InvalidParams where
    `given`, the source of the call, is another, and NotFound for a source that is not one of those `granted`.
    """
    param = next((param for param in params if param.names), None)
    value = arguments.get(param.name) if param else None
    named = cited(value) if isinstance(value, str) else None
    if param is None or named is None:
        return None
    source, slug = named
    if param.names == "entity" and not (source in granted and looks_like_slug(slug)):
        return None
    if given not in (None, "", source, *ALL_SOURCES):
        raise InvalidParams(
            f"{param.name} names the source {source[:64]!r}, and source_id another",
            f"leave out source_id, or pass {param.name} without its source",
        )
    if source not in granted:
        raise NotFound(
            f"there is no page {source}:{slug[:255]}, since {source!r} is no source that you may use",
            "call sources_list, or on the command line gbrain sources list, to see yours",
            detail="page_not_found",
        )
    arguments[param.name] = slug
    return source


def follow_renamed(params: Sequence[ParamSpec], store: "Store", view: View, checked: dict[str, Any]) -> str | None:
    """Put the slug that a renamed page has now in the place of the one it had, which is returned if there was one."""
    param = next((param for param in params if param.names == "page"), None)
    if param is None or param.name not in checked:
        return None
    try:
        slug = normalise_slug(checked[param.name])
    except InvalidParams:
        return None
    page = store.former.page(view, slug)
    if page is None or store.pages.get(view, slug) is not None:
        return None
    checked[param.name] = page["slug"]
    return slug


__all__ = ["follow_renamed", "named_source"]
