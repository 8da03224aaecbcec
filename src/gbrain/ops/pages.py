"""Operations on pages: read, write with a version, list, delete and bring back, history, capture."""

from datetime import timedelta
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from gbrain.domain.markdown import split_body
from gbrain.domain.text import collapse
from gbrain.domain.times import parse_instant, parse_store, store_time, wire_time
from gbrain.ops.adopting import adopt
from gbrain.ops.looking import look_for
from gbrain.ops.merging import check_version
from gbrain.ops.secrecy import refuse_new_secret
from gbrain.ops.sourced import within
from gbrain.ops.which_page import page_of, page_to_change, resolved_page, warn_of_others
from gbrain.ops.writing import (
    ORIGIN,
    PutReply,
    author,
    mirror_of,
    own_view,
    put_reply,
    read_text,
    stamped,
    warn_of,
    write,
)
from gbrain.registry import Context, Param, operation
from gbrain.types import Page, Written

RECOVERABLE = timedelta(hours=72)
LIFTED = frozenset({"type", "title", "tags", *ORIGIN})
"""Front matter keys that a reply carries as members of their own."""
EXCERPT = 160
LIST_LIMIT, LIST_MOST = 50, 1000

Slug = Annotated[str, Param("The page's slug, such as people/dana-oakes, or work:people/dana-oakes.", names="page")]
SourceId = Annotated[str | None, Param("The source of the page, when it is not the usual one.")]
ExpectedVersion = Annotated[
    int | None,
    Param(
        "The version that was read before this change. When the page has moved on, the change is joined with what came"
        " since, or refused where both changed the same lines. 0: the page must not exist yet.",
        minimum=0,
    ),
]
StrictVersion = Annotated[
    int | None,
    Param("The version that was read before this; when the page has moved on, nothing is changed.", minimum=0),
]
Reason = Annotated[str | None, Param("Why, in a few words; it stands in the page's history.", max_length=200)]


class PageReply(TypedDict):
    """One page. The two texts are left out without content; `resolved_slug` says what a fuzzy name led to,
    `moved_from` by which former slug of a renamed page it was asked for."""

    id: int
    source_id: str
    slug: str
    type: str
    title: str
    compiled_truth: NotRequired[str]
    timeline: NotRequired[str]
    frontmatter: dict[str, Any]
    tags: list[str]
    version: int
    last_modified: str
    modified_by: str
    confidence: float | None
    expiry: str | None
    effective_date: str | None
    effective_date_source: str
    source_kind: str | None
    source_uri: str | None
    ingested_via: str | None
    ingested_at: str | None
    content_hash: str
    created_at: str
    updated_at: str
    deleted_at: str | None
    resolved_slug: NotRequired[str]
    moved_from: NotRequired[str]


class PageRow(TypedDict):
    """A page in a list."""

    slug: str
    source_id: str
    type: str
    title: str
    updated_at: str
    deleted_at: NotRequired[str]


class DeleteReply(TypedDict):
    """Until `recoverable_until` at the least, `restore_page` brings the page back."""

    status: Literal["soft_deleted", "already_soft_deleted"]
    slug: str
    source_id: str
    deleted_at: str
    recoverable_until: str


class RestoreReply(TypedDict):
    """Whether the page had been deleted at all."""

    status: Literal["restored", "already_active"]
    slug: str
    source_id: str
    version: int


@operation(
    scope="write",
    surface="starter",
    title="Write a page",
    positional=("slug", "content"),
    cli="put",
    idempotent=True,
    destructive=True,
    examples=(
        "gbrain put people/dana-oakes < dana.md",
        'gbrain put notes/harbour --content "# Harbour walk" --expected-version 0',
    ),
    fence=("slug",),
)
def put_page(
    ctx: Context,
    slug: Slug,
    content: Annotated[str, Param("The whole page: Markdown, with or without YAML front matter. 4 MB at most.")],
    expected_version: ExpectedVersion = None,
    allow_empty: Annotated[bool, Param("Let an empty text replace a page that has one.")] = False,
    drop_facts: Annotated[
        bool, Param("Let the page lose its facts fence where this text has none; else it stays.")
    ] = False,
    reason: Reason = None,
    source_kind: Annotated[str | None, Param("What sort of place the text is from.", max_length=100)] = None,
    source_uri: Annotated[str | None, Param("Where the text is from.", max_length=2000)] = None,
    ingested_via: Annotated[str | None, Param("What brought the text in.", max_length=100)] = None,
) -> PutReply:
    """Create a page or write its next version.

    Read the page first and pass its version as expected_version, so that nobody's change is lost; a text that fetch
    gave says it itself. `merged: true` in the reply: the text was joined with a later version, so the page says more
    than it. Every version is kept. The three keys about the text's origin count for local callers only.
    """
    given = {"source_kind": source_kind, "source_uri": source_uri, "ingested_via": ingested_via}
    stamp = stamped(ctx, "put_page") if ctx.caller.remote else {key: value for key, value in given.items() if value}
    reading = read_text(ctx, slug, content)
    refuse_new_secret(ctx, reading.draft.slug, content)
    warn_of(ctx, reading)
    return put_reply(
        ctx,
        write(
            ctx, reading.draft, expected_version, stamp, reason=reason, allow_empty=allow_empty, drop_facts=drop_facts
        ),
    )


@operation(
    scope="read",
    surface="starter",
    title="Read a page",
    positional=("slug",),
    cli="get",
    examples=(
        "gbrain get people/dana-oakes",
        'gbrain get "Dana Oakes" --fuzzy --json',
        "gbrain get people/dana-oakes --as-of 2031-05-01",
    ),
)
def get_page(
    ctx: Context,
    slug: Slug,
    fuzzy: Annotated[
        bool, Param("Also take a title, an alias or a misspelt name; the reply says what it led to.")
    ] = False,
    include_content: Annotated[bool, Param("With the page's text; without, only what is known about it.")] = True,
    include_deleted: Annotated[bool, Param("Also a page that is deleted.")] = False,
    as_of: Annotated[str | None, Param("As the page stood at this moment: an ISO date or time.")] = None,
    source_id: SourceId = None,
) -> PageReply:
    """Read one page: current truth, timeline, front matter, version. Also one past its expiry, with a warning."""
    moment = store_time(parse_instant(as_of, ctx.now)) if as_of else None
    deleted = include_deleted or moment is not None
    then = ctx._replace(view=ctx.view._replace(as_of=moment))
    page = resolved_page(then, slug, deleted=deleted) if fuzzy else page_of(ctx, slug, deleted=deleted, expired=True)
    if moment is not None:
        from gbrain.ops.earlier import page_at  # few reads are of another time

        page = page_at(ctx, page, moment)
    warn_of_others(ctx, page)
    reply = _page_reply(ctx, page, content=include_content)
    if fuzzy:
        reply["resolved_slug"] = page.slug
    if "moved_from" in ctx.meta:
        reply["moved_from"] = ctx.meta["moved_from"]
    return reply


@operation(
    scope="read",
    surface="starter",
    title="List pages",
    cli="list",
    examples=("gbrain list --type person", "gbrain list --tag founder --limit 20"),
)
def list_pages(
    ctx: Context,
    type: Annotated[str | None, Param("Only pages of this type.")] = None,
    tag: Annotated[str | None, Param("Only pages with this tag.")] = None,
    limit: Annotated[float | None, Param("At most this many (50 unless given).", minimum=0, maximum=LIST_MOST)] = None,
    offset: Annotated[float, Param("Leave out this many first.", minimum=0, maximum=10_000_000)] = 0,
    updated_after: Annotated[str | None, Param("Only pages changed after this ISO date or time.")] = None,
    sort: Annotated[
        Literal["updated_desc", "updated_asc", "created_desc", "slug"], Param("The order.")
    ] = "updated_desc",
    include_deleted: Annotated[bool, Param("Also pages that are deleted or past their expiry.")] = False,
    source_id: SourceId = None,
) -> list[PageRow]:
    """List pages, the last changed first."""
    found = ctx.store.pages.headers(
        ctx.view,
        type=type,
        tag=collapse(tag) if tag else None,
        updated_after=store_time(parse_instant(updated_after, ctx.now)) if updated_after else None,
        deleted=include_deleted,
        order=sort,
        limit=int(limit) if limit else LIST_LIMIT,
        offset=int(offset),
    )
    rows: list[PageRow] = []
    for row in found:
        shown: PageRow = {
            "slug": row["slug"],
            "source_id": row["source_id"],
            "type": row["type"],
            "title": row["title"],
            "updated_at": wire_time(row["last_modified"]) or "",
        }
        if row["deleted_at"] is not None:
            shown["deleted_at"] = wire_time(row["deleted_at"]) or ""
        rows.append(shown)
    return rows


@operation(
    scope="write",
    surface="full",
    title="Delete a page",
    positional=("slug",),
    cli="delete",
    destructive=True,
    idempotent=True,
    examples=("gbrain delete notes/harbour",),
    fence=("slug",),
)
def delete_page(
    ctx: Context, slug: Slug, expected_version: StrictVersion = None, source_id: SourceId = None
) -> DeleteReply:
    """Delete a page so that it can come back: it leaves every read, its links too, and keeps its versions.

    In a source with a folder its file goes too; restoring the page writes it again.
    """
    look_for(ctx, slug)
    found = page_to_change(ctx, slug, deleted=True)
    ctx = within(ctx, found.source_id)
    mirror = mirror_of(ctx, found.source_id, found.slug)
    if mirror is not None:
        mirror.look()
    with ctx.store.transaction():
        page = page_of(ctx, slug, deleted=True)
        if page.deleted_at is None:
            check_version(page, expected_version)
        view = own_view(ctx, page.source_id)
        row, changed = ctx.store.pages.set_deleted(view, page.slug, deleted=True, by=author(ctx))
        if changed:
            _links_by_name(ctx, page)
        filed = changed and mirror is not None and mirror.note_removal(page.id)
    if filed and mirror is not None:
        mirror.take_away()
    until = store_time(parse_store(row["deleted_at"]) + RECOVERABLE)
    return {
        "status": "soft_deleted" if changed else "already_soft_deleted",
        "slug": page.slug,
        "source_id": page.source_id,
        "deleted_at": wire_time(row["deleted_at"]) or "",
        "recoverable_until": wire_time(until) or "",
    }


@operation(
    scope="write",
    surface="full",
    title="Bring a deleted page back",
    positional=("slug",),
    cli="restore",
    idempotent=True,
    examples=("gbrain restore notes/harbour",),
    fence=("slug",),
)
def restore_page(ctx: Context, slug: Slug, source_id: SourceId = None) -> RestoreReply:
    """Bring a deleted page back, with its links, tags and timeline."""
    found = page_to_change(ctx, slug, deleted=None)
    ctx = within(ctx, found.source_id)
    mirror = mirror_of(ctx, found.source_id, found.slug)
    if mirror is not None:
        mirror.look()
        found = page_of(ctx, slug, deleted=True)
        if found.deleted_at is not None:
            mirror.stage(found.content, private=found.private)
    with ctx.store.transaction():
        page = page_of(ctx, slug, deleted=True)
        view = own_view(ctx, page.source_id)
        row, changed = ctx.store.pages.set_deleted(view, page.slug, deleted=False, by=author(ctx))
        if changed:
            adopt(ctx, page.source_id, page.id, page, ctx.store.names.aliases([page.id]).get(page.id, []))
            _links_by_name(ctx, page)
            if mirror is not None:
                mirror.note(Written(page.id, row["version"], "updated"))
    if mirror is not None:
        mirror.land()
    status: Literal["restored", "already_active"] = "restored" if changed else "already_active"
    return {"status": status, "slug": page.slug, "source_id": page.source_id, "version": row["version"]}


def _links_by_name(ctx: Context, page: Page) -> None:
    """A page that goes or comes back decides where a name leads that others refer to it by."""
    from gbrain.ops.wiring import appeared  # the rules of links take 10 ms to load, and no read needs them

    appeared(ctx, page.id)


def _page_reply(ctx: Context, page: Page, *, content: bool) -> PageReply:
    origin = {key: page.frontmatter.get(key) for key in ORIGIN}
    reply: PageReply = {
        "id": page.id,
        "source_id": page.source_id,
        "slug": page.slug,
        "type": page.type,
        "title": page.title,
        "frontmatter": {key: value for key, value in page.frontmatter.items() if key not in LIFTED},
        "tags": list(page.tags),
        "version": page.version,
        "last_modified": wire_time(page.last_modified) or "",
        "modified_by": page.modified_by,
        "confidence": page.confidence,
        "expiry": wire_time(page.expiry),
        "effective_date": effective_date(page),
        "effective_date_source": page.effective_date_source,
        "source_kind": _text(origin["source_kind"]),
        "source_uri": _text(origin["source_uri"]),
        "ingested_via": _text(origin["ingested_via"]),
        "ingested_at": _text(origin["ingested_at"]),
        "content_hash": readable_hash(ctx, page.content, page.content_hash),
        "created_at": wire_time(page.created_at) or "",
        "updated_at": wire_time(page.last_modified) or "",
        "deleted_at": wire_time(page.deleted_at),
    }
    if content:
        reply["compiled_truth"], reply["timeline"] = split_body(readable_text(ctx, page.body))
    return reply


def effective_date(page: Page) -> str | None:
    """The page's own date at its precision, as replies carry it."""
    return wire_time(page.effective_date) if page.effective_date and "T" in page.effective_date else page.effective_date


def readable_text(ctx: Context, text: str) -> str:
    """A page's text without the rows of its facts fence that this caller may not read."""
    if not ctx.caller.remote or "gbrain:facts:" not in text:
        return text
    from gbrain.sources.pages import world_body  # yaml takes 20 ms to load, and few pages have a fence

    return world_body(text)


def readable_hash(ctx: Context, text: str, held: str) -> str:
    """The hash of a text as this caller may read it; `held` is that of the whole."""
    readable = readable_text(ctx, text)
    if len(readable) == len(text):
        return held
    from hashlib import sha256  # few pages have rows that are not for all

    return sha256(readable.encode("utf-8", "surrogatepass")).hexdigest()


def _text(value: object) -> str | None:
    return None if value is None else str(value)
