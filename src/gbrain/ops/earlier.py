"""What the brain would have answered at an earlier moment: its pages, names, timelines and facts as they stood then.

Who may see what is decided by how things are now: a page that is private by now is private then too, and what was
erased or purged is in no answer. Facts, links and entries added by hand carry the moment they came in, pages keep
their versions; what carries no moment is named in `UNKNOWN`.
"""

from collections.abc import Iterator

from gbrain.domain.markdown import parse_timeline
from gbrain.domain.slugs import alias_key, split_aliases
from gbrain.domain.text import fold, raw_terms
from gbrain.domain.times import parse_instant, store_time, wire_time
from gbrain.errors import NotFound
from gbrain.ops.writing import read_text
from gbrain.registry import Context
from gbrain.store.past import Stood
from gbrain.types import Page, PageVersion, TimelineEntry

UNKNOWN = (
    "links, tags and entries taken away since",
    "the slugs that pages had before a rename",
    "pages that were deleted then and brought back",
    "an end of validity that was moved since",
)
"""What nothing is kept of, so that no answer of an earlier moment can tell it."""
SCANNED = 32_000_000
"""So many characters of older texts are read for one answer: two seconds."""
NAMES = 8


def at(ctx: Context, as_of: str) -> Context:
    """The request as if it were made at a moment, with a warning of what cannot be told of it.

    Spans such as `3d ago` count from then. Raises InvalidParams for a text that is no moment.
    """
    moment = parse_instant(as_of, ctx.now)
    text = store_time(moment)
    ctx.warn(
        "replayed",
        f"as of {wire_time(text)}; not known of then: {'; '.join(UNKNOWN)}",
        as_of=wire_time(text),
        not_replayed=list(UNKNOWN),
    )
    return ctx._replace(now=moment, view=ctx.view._replace(now=text, as_of=text))


def page_at(ctx: Context, page: Page, moment: str) -> Page:
    """The page, as it was at a moment (store text).

    Its tags are those of its text, since only texts have versions. Raises NotFound for a moment before its first
    version or after it was deleted, and where this caller may not see the version.
    """
    when = wire_time(moment)
    if page.deleted_at is not None and page.deleted_at <= moment:
        raise _not_there(page, f"the page {page.slug!r} was deleted at {when}")
    version = ctx.store.pages.version_at(page.id, moment, private=ctx.view.private)
    if version is None:
        raise _not_there(page, f"there was no page {page.slug!r} at {when}")
    return page if version.version == page.version else as_read(ctx, page, version)


def as_read(ctx: Context, page: Page, version: PageVersion) -> Page:
    """A page as one of its versions makes it."""
    draft = read_text(ctx, page.slug, version.content).draft
    dated = draft.effective_date_source != "fallback"
    return page._replace(
        type=draft.type,
        title=draft.title,
        frontmatter=draft.frontmatter,
        content=draft.content,
        body=draft.content[draft.body_start :],
        summary=draft.summary,
        version=version.version,
        content_hash=version.content_hash,
        private=draft.private,
        confidence=draft.confidence,
        expiry=draft.expiry,
        effective_date=draft.effective_date if dated else page.created_at[:10],
        effective_date_source=draft.effective_date_source,
        last_modified=version.modified_at,
        modified_by=version.modified_by,
        tags=draft.tags,
    )


def pages_called(ctx: Context, name: str) -> list[Page]:
    """The pages that a name leads to, as they were at the moment of the view, best first; a name of then counts where
    none of now does."""
    if len(name) > 255:
        return []
    found = ctx.store.names.ranked(ctx.view, name)[:NAMES]
    kept = pages_then(ctx, [named.page_id for named in found])
    if kept:
        return kept
    key, words = alias_key(name), sorted(raw_terms(name), key=len)
    if not words:
        return []
    likely = (stood for stood in written_since(ctx) if words[-1] in fold(stood.version.content))
    read = (as_read(ctx, *stood) for stood in likely)
    return [page for page in read if key in {alias_key(text) for text in names_of(page)}][:NAMES]


def pages_then(ctx: Context, ids: list[int]) -> list[Page]:
    """The visible pages among these that were there at the moment of the view, as they were, in the order of the
    ids."""
    return [then for page in ctx.store.pages.by_ids(ctx.view, ids) if (then := _then(ctx, page)) is not None]


def names_of(page: Page) -> list[str]:
    """The title of a page and the aliases that its text gives it."""
    return [page.title, *split_aliases(page.frontmatter.get("aliases"))]


def written_since(ctx: Context) -> Iterator[Stood]:
    """The pages whose text may have been another one at the moment of the view; with a warning where their texts are
    too many to read."""
    read = 0
    for stood in ctx.store.past.written_since(ctx.view):
        read += len(stood.version.content)
        if read > SCANNED:
            ctx.warn(
                "replay_cut",
                "more pages were written since then than are read for one answer; the rest was left out",
                suggestion="pass a later moment",
            )
            return
        yield stood


def entries_at(
    ctx: Context, page: Page, *, since: str | None = None, until: str | None = None, limit: int = 100
) -> list[TimelineEntry]:
    """The timeline of a page of then, newest first: what its text says, and what had been added by hand.

    `since` and `until` are as in `Timeline.of`. Entries of the text have no id.
    """
    by_hand = ctx.store.timeline.of(ctx.view, page.id, since=since, until=until, limit=limit)
    told = {(entry.date, entry.summary) for entry in by_hand}
    lines = parse_timeline(page.body) if ctx.settings.get("auto_timeline") == "on" else []
    found = by_hand + [
        TimelineEntry(0, page.id, line.date, line.summary, line.source or None, line.detail or None, page.last_modified)
        for line in lines
        if (line.date, line.summary) not in told
        and (since is None or line.date >= since)
        and (until is None or line.date <= f"{until}~")
    ]
    return sorted(found, key=lambda entry: entry.date, reverse=True)[:limit]


def _then(ctx: Context, page: Page) -> Page | None:
    try:
        return page_at(ctx, page, ctx.view.as_of or ctx.view.now)
    except NotFound:
        return None


def _not_there(page: Page, message: str) -> NotFound:
    return NotFound(message, f"run: gbrain history {page.slug}", detail="page_not_found")


__all__ = ["at", "entries_at", "page_at", "pages_called", "pages_then", "written_since"]
