"""Operations on the timeline: dated evidence about a page."""

from typing import Annotated, Literal, NotRequired, TypedDict

from gbrain.domain.markdown import TimelineLine
from gbrain.domain.slugs import normalise_slug
from gbrain.domain.text import collapse
from gbrain.domain.times import parse_bound, parse_partial_date, wire_time
from gbrain.errors import InvalidParams
from gbrain.ops.merging import based
from gbrain.ops.pages import ExpectedVersion, Slug
from gbrain.ops.secrecy import refuse_secret
from gbrain.ops.sourced import within
from gbrain.ops.which_page import page_to_change
from gbrain.ops.writing import rewrite
from gbrain.registry import Context, Param, operation

LIMIT, MOST = 100, 1000


class Entry(TypedDict):
    """A timeline entry as it was added."""

    date: str
    summary: str
    source: str | None
    detail: str | None


class AddEntryReply(TypedDict):
    """`skipped`: the page has this entry already."""

    status: Literal["ok", "skipped"]
    reason: NotRequired[Literal["duplicate"]]
    entry: NotRequired[Entry]


class EntryRow(TypedDict):
    """A timeline entry; `date` is as precise as it is known: 2031, 2031-03 or 2031-03-30."""

    id: int
    page_id: int
    date: str
    source: str | None
    summary: str
    detail: str | None
    created_at: str


@operation(
    scope="write",
    surface="starter",
    title="Add to a page's timeline",
    positional=("slug", "date", "summary"),
    cli="timeline-add",
    idempotent=True,
    examples=('gbrain timeline-add people/dana-oakes 2031-03-30 "Joined Harbor Capital" --source "chat"',),
    fence=("slug",),
)
def add_timeline_entry(
    ctx: Context,
    slug: Slug,
    date: Annotated[str, Param("When it happened, as precisely as it is known: 2031, 2031-03 or 2031-03-30.")],
    summary: Annotated[str, Param("What happened, in one line.", max_length=2000)],
    detail: Annotated[str | None, Param("More about it.", max_length=20_000)] = None,
    source: Annotated[str | None, Param("Where it is known from.", max_length=500)] = None,
    expected_version: ExpectedVersion = None,
) -> AddEntryReply:
    """Add one dated line of evidence to a page's timeline; the same line is added once.

    In a source with a folder a line with a full date is written at the end of the page's file too.
    """
    day, line = parse_partial_date(date), collapse(summary)
    if not line:
        raise InvalidParams("the summary is empty", "say what happened: gbrain timeline-add SLUG DATE SUMMARY")
    origin, more = collapse(source or "") or None, (detail or "").strip() or None
    refuse_secret("entry", "\n".join((line, more or "", origin or "")))
    with ctx.store.transaction():
        page = page_to_change(ctx, slug)
        if expected_version is not None:
            based(ctx, page, int(expected_version), lambda text: "", None)
        added = ctx.store.timeline.add(page.source_id, page.id, day, line, origin, more, ctx.now_text)
    if added is None:
        return {"status": "skipped", "reason": "duplicate"}
    if len(day) == len("2031-03-30") and ctx.store.sources.folder(page.source_id) is not None:
        from gbrain.sources.pages import with_entry  # yaml takes 20 ms to load, and only page texts need it

        entry = TimelineLine(day, origin or "", line, more or "")
        own = within(ctx, page.source_id)
        rewrite(own, page.slug, lambda held: with_entry(held, entry) if held else None, reason=f"timeline {day}")
    return {"status": "ok", "entry": {"date": day, "summary": line, "source": origin, "detail": more}}


@operation(
    scope="read",
    surface="starter",
    title="Read a page's timeline",
    positional=("slug",),
    cli="timeline",
    examples=("gbrain timeline people/dana-oakes", "gbrain timeline people/dana-oakes --since 2031-03"),
)
def get_timeline(
    ctx: Context,
    slug: Slug,
    after: Annotated[str | None, Param("Another name for since.")] = None,
    before: Annotated[str | None, Param("Another name for until.")] = None,
    since: Annotated[
        str | None, Param("Only from then on, that day included: a date, a month, a year, or 30d.")
    ] = None,
    until: Annotated[str | None, Param("Only up to then, that day, month or year included.")] = None,
    limit: Annotated[float | None, Param("At most this many (100 unless given).", minimum=0, maximum=MOST)] = None,
) -> list[EntryRow]:
    """Read the timeline of a page, the newest entry first."""
    earliest, latest = _bound(ctx, "since", since, after), _bound(ctx, "until", until, before)
    page = ctx.store.pages.get(ctx.view, normalise_slug(slug))
    if page is None:
        return []
    found = ctx.store.timeline.of(ctx.view, page.id, since=earliest, until=latest, limit=int(limit) if limit else LIMIT)
    return [
        {
            "id": entry.id,
            "page_id": entry.page_id,
            "date": entry.date,
            "source": entry.source,
            "summary": entry.summary,
            "detail": entry.detail,
            "created_at": wire_time(entry.created_at) or "",
        }
        for entry in found
    ]


def _bound(ctx: Context, name: str, value: str | None, other: str | None) -> str | None:
    """One end of the period as a date at its precision; raises InvalidParams when its two names disagree."""
    if value and other and value.strip() != other.strip():
        raise InvalidParams(f"{name} is given twice, with two values", f"pass {name} alone")
    text = value or other
    return parse_bound(text, ctx.now) if text else None
