"""Which page a call is about: by its slug, or by any name it goes by; and what to say where there is none."""

from gbrain.domain.places import SEED
from gbrain.domain.slugs import normalise_slug, tail
from gbrain.domain.source_ids import cited
from gbrain.domain.times import BEGINNING, wire_time
from gbrain.errors import InvalidParams, NotFound
from gbrain.ops.sourced import unclear_source, within
from gbrain.ops.writing import own_view
from gbrain.registry import Context
from gbrain.types import Page, View


def page_of(ctx: Context, slug: str, *, deleted: bool = False, expired: bool = False) -> Page:
    """The page of this exact slug; raises NotFound, with the nearest names, when this caller sees none.

    `expired`: also one past its expiry, with a warning that says so.
    """
    key = normalise_slug(slug)
    page = ctx.store.pages.get(timeless(ctx.view) if expired else ctx.view, key, deleted=deleted)
    if page is not None and expired:
        _warn_of_expiry(ctx, page)
    if page is None:
        hidden = ctx.store.pages.get(ctx.view, key, deleted=True)
        raise missing_page(ctx, key) if hidden is None else _gone(hidden)
    return page


def _warn_of_expiry(ctx: Context, page: Page) -> None:
    if page.expiry is not None and page.expiry <= ctx.now_text:
        ctx.warn("expired", f"{page.slug!r} is past its expiry ({wire_time(page.expiry)}) and in no other answer")


def timeless(view: View) -> View:
    """The view at a moment before every expiry."""
    return view._replace(now=BEGINNING, as_of=None)


def page_to_change(ctx: Context, slug: str, *, deleted: bool | None = False) -> Page:
    """The page that a write is about, in the source that was named or else the only one that has it.

    `deleted`: also one that is deleted; None rather such a one. Raises InvalidParams when several sources have it, or
    one that the call did not mean, and NotFound as `page_of` does.
    """
    named = cited(slug)
    if named is not None:
        if named[0] not in ctx.extent.granted:
            raise missing_page(ctx, named[1])
        ctx, slug = within(ctx, named[0]), named[1]
    key = normalise_slug(slug)
    about = ctx.extent
    if not about.named and len(about.granted) > 1:
        live, gone = ctx.store.sources.holders(ctx.view._replace(sources=about.granted), key)
        found = gone or live if deleted is None else live or gone if deleted else live
        if len(found) > 1 or (found and found[0] not in ctx.view.sources):
            raise unclear_source(key, found)
        if found:
            ctx = ctx._replace(view=own_view(ctx, found[0]))
    return page_of(ctx, key, deleted=deleted is not False)


def _gone(page: Page) -> NotFound:
    source = "" if page.source_id == SEED else f" --source {page.source_id}"
    if page.deleted_at is not None:
        message, remedy = f"the page {page.slug!r} was deleted", f"gbrain restore {page.slug}{source}"
    else:
        message, remedy = f"the page {page.slug!r} is past its expiry", f"gbrain get {page.slug}{source}"
    return NotFound(message, f"run: {remedy}", detail="page_not_found")


def missing_page(ctx: Context, name: str) -> NotFound:
    """The error for a page that is not there for this caller."""
    moved = ctx.store.former.page(ctx.view, name)
    if moved is not None:
        return NotFound(
            f"the page {name[:255]!r} is called {moved['slug']!r} now",
            f"use {moved['slug']}; gbrain get {moved['slug']} shows it",
            detail="page_not_found",
        )
    near = ctx.store.names.ranked(ctx.view, name) or ctx.store.names.near(ctx.view, tail(name), 3)
    shown = ", ".join(page.slug for page in near[:3])
    first = f"did you mean {shown}? run: gbrain get {near[0].slug}" if near else "run: gbrain search WORDS"
    return NotFound(
        f"there is no page {name[:255]!r}", f"{first}; gbrain list shows what there is", detail="page_not_found"
    )


def resolved_page(ctx: Context, name: str, *, deleted: bool) -> Page:
    """The page a name leads to: its exact slug, else an alias, a title, a slug's end, else the nearest name."""
    try:
        page = ctx.store.pages.get(timeless(ctx.view), normalise_slug(name), deleted=deleted)
    except InvalidParams:
        page = None
    if page is not None:
        _warn_of_expiry(ctx, page)
        return page
    found = ctx.store.names.ranked(ctx.view, name) or ctx.store.names.near(ctx.view, name, 1)
    pages = ctx.store.pages.by_ids(ctx.view, [page.page_id for page in found[:1]])
    if not pages:
        raise missing_page(ctx, name)
    return pages[0]


def warn_of_others(ctx: Context, page: Page) -> None:
    """Name the other sources of a read that have a page of this slug too."""
    if len(ctx.view.sources) > 1:
        others = [source for source in ctx.store.sources.holders(ctx.view, page.slug)[0] if source != page.source_id]
        if others:
            ctx.warn(
                "also_elsewhere",
                f"this is the page of the source {page.source_id!r}; {', '.join(others)} has one of this slug too",
                sources=others,
                suggestion=f"pass source_id: {others[0]} to read that one",
            )
