"""A page as it stood at an earlier moment: its version of then, whatever became of it since."""

from gbrain.domain.times import wire_time
from gbrain.errors import NotFound
from gbrain.ops.writing import read_text
from gbrain.registry import Context
from gbrain.types import Page


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
    if version.version == page.version:
        return page
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


def _not_there(page: Page, message: str) -> NotFound:
    return NotFound(message, f"run: gbrain history {page.slug}", detail="page_not_found")


__all__ = ["page_at"]
