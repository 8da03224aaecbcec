"""A page's versions: the list, what changed between two, and the way back to one."""

from typing import Annotated, NotRequired, TypedDict

from gbrain.domain.markdown import plain_text, strip_facts_fence, unix_lines
from gbrain.domain.slugs import normalise_slug
from gbrain.domain.text import clip, collapse
from gbrain.domain.times import wire_time
from gbrain.errors import NotFound
from gbrain.ops.pages import Reason, Slug, StrictVersion, readable_hash, readable_text
from gbrain.ops.sourced import within
from gbrain.ops.which_page import page_of, page_to_change, timeless
from gbrain.ops.writing import PutReply, own_view, put_reply, read_text, stamped, write
from gbrain.registry import Context, Param, operation
from gbrain.types import Page, PageVersion

EXCERPT = 160
LIMIT, MOST = 100, 1000


class VersionRow(TypedDict):
    """One kept version; `id` is its number too. `content` stands only when it was asked for."""

    id: int
    version: int
    modified_at: str
    modified_by: str
    reason: str | None
    content_hash: str
    characters: int
    excerpt: str
    content: NotRequired[str]


class DiffReply(TypedDict):
    """What changed from one version to another: a unified diff of the whole texts, and its lines counted."""

    slug: str
    source_id: str
    from_version: int
    to_version: int
    added: int
    removed: int
    diff: str


@operation(
    scope="read",
    surface="full",
    title="List a page's versions",
    positional=("slug",),
    cli="history",
    examples=("gbrain history people/dana-oakes",),
)
def get_versions(
    ctx: Context,
    slug: Slug,
    include_content: Annotated[bool, Param("With the whole text of each version.")] = False,
    limit: Annotated[int, Param("At most this many, the newest first.", minimum=1, maximum=MOST)] = LIMIT,
    before: Annotated[int | None, Param("Only versions below this number: the next page of a long list.")] = None,
) -> list[VersionRow]:
    """List the versions of a page, the newest first: when, by whom, why, and how each begins."""
    key = normalise_slug(slug)
    rows: list[VersionRow] = []
    view = timeless(ctx.view)
    page = ctx.store.pages.get(view, key)
    if page is None:
        return rows
    view = view._replace(sources=(page.source_id,))
    for found in ctx.store.pages.versions(view, key, int(limit), None if before is None else int(before)):
        row: VersionRow = {
            "id": found["version"],
            "version": found["version"],
            "modified_at": wire_time(found["modified_at"]) or "",
            "modified_by": found["modified_by"],
            "reason": found["reason"],
            "content_hash": found["content_hash"],
            "characters": found["characters"],
            "excerpt": _excerpt(found["beginning"]),
        }
        if include_content or (found["fenced"] and ctx.caller.remote):
            version = ctx.store.pages.version(view, key, found["version"])
            whole = version.content if version is not None else ""
            content = readable_text(ctx, whole)
            row["content_hash"] = readable_hash(ctx, whole, found["content_hash"])
            row["characters"] = len(content)
            if include_content:
                row["content"] = content
        rows.append(row)
    return rows


@operation(
    scope="read",
    surface="full",
    title="Compare two versions of a page",
    positional=("slug", "from_version", "to_version"),
    cli="diff",
    examples=("gbrain diff people/dana-oakes", "gbrain diff people/dana-oakes 1 3"),
)
def diff_versions(
    ctx: Context,
    slug: Slug,
    from_version: Annotated[
        int | None, Param("The earlier version; the one before the later unless given.", minimum=1)
    ] = None,
    to_version: Annotated[int | None, Param("The later version; the current one unless given.", minimum=1)] = None,
) -> DiffReply:
    """Show what changed in a page from one version to another, as a unified diff."""
    import difflib  # 5 ms to load, and nothing else here needs it

    page = page_of(ctx, slug, expired=True)
    later = page.version if to_version is None else int(to_version)
    earlier = max(later - 1, 1) if from_version is None else int(from_version)
    texts = [readable_text(ctx, _version(ctx, page, number).content) for number in (earlier, later)]
    before, after = (unix_lines(text).split("\n") for text in texts)
    names = (f"{page.slug} version {earlier}", f"{page.slug} version {later}")
    lines = list(difflib.unified_diff(before, after, names[0], names[1], lineterm=""))
    return {
        "slug": page.slug,
        "source_id": page.source_id,
        "from_version": earlier,
        "to_version": later,
        "added": sum(line.startswith("+") for line in lines[2:]),
        "removed": sum(line.startswith("-") for line in lines[2:]),
        "diff": "".join(line + "\n" for line in lines),
    }


@operation(
    scope="write",
    surface="full",
    title="Go back to an old version",
    positional=("slug", "version_id"),
    cli="revert",
    examples=("gbrain revert people/dana-oakes 2",),
    fence=("slug",),
)
def revert_version(
    ctx: Context,
    slug: Slug,
    version_id: Annotated[int, Param("The number of the version to bring back, as get_versions lists it.", minimum=1)],
    expected_version: StrictVersion = None,
    reason: Reason = None,
) -> PutReply:
    """Make an old version of a page its next one; nothing in between is lost."""
    page = page_to_change(ctx, slug)
    ctx = within(ctx, page.source_id)
    wanted = _version(ctx, page, int(version_id))
    stamp = stamped(ctx, "revert_version") if ctx.caller.remote else {}
    # The old text may name the version it was itself based on, which says nothing about this write.
    draft = read_text(ctx, page.slug, wanted.content).draft._replace(based_on=None)
    said = f"revert to version {int(version_id)}" + (f": {reason}" if reason else "")
    return put_reply(ctx, write(ctx, draft, expected_version, stamp, reason=said, allow_empty=True, join=False))


def _excerpt(beginning: str) -> str:
    return clip(collapse(plain_text(strip_facts_fence(beginning))), EXCERPT)


def _version(ctx: Context, page: Page, number: int) -> PageVersion:
    found = ctx.store.pages.version(timeless(own_view(ctx, page.source_id)), page.slug, number)
    if found is None:
        raise NotFound(
            f"{page.slug!r} has no version {number}; the current one is {page.version}",
            f"run: gbrain history {page.slug}",
            detail="version_not_found",
        )
    return found
