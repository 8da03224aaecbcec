"""Operations on tags."""

from typing import Annotated, Literal, TypedDict

from gbrain.domain.slugs import normalise_slug
from gbrain.domain.text import collapse
from gbrain.errors import InvalidParams
from gbrain.ops.merging import based
from gbrain.ops.pages import ExpectedVersion, Slug
from gbrain.ops.sourced import within
from gbrain.ops.which_page import page_to_change
from gbrain.ops.writing import rewrite
from gbrain.registry import Context, Param, operation

TAG_LENGTH = 100

Tag = Annotated[str, Param("The tag, such as founder.")]


class AddTagReply(TypedDict):
    """`tags` are those the page bears now."""

    status: Literal["ok"]
    tags: list[str]


class RemoveTagReply(TypedDict):
    """Whether the page bore the tag, and those it bears now."""

    status: Literal["ok"]
    removed: bool
    tags: list[str]


@operation(
    scope="write",
    surface="full",
    title="Put a tag on a page",
    positional=("slug", "tag"),
    cli="tag",
    idempotent=True,
    examples=("gbrain tag people/dana-oakes founder",),
    fence=("slug",),
)
def add_tag(ctx: Context, slug: Slug, tag: Tag, expected_version: ExpectedVersion = None) -> AddTagReply:
    """Put a tag on a page; it stays when the page's text is rewritten.

    In a source with a folder it is written into the front matter of the page's file instead.
    """
    word = _tag(tag)
    page = page_to_change(ctx, slug)
    ctx = within(ctx, page.source_id)
    if ctx.store.sources.folder(page.source_id) is not None:
        from gbrain.sources.pages import with_tag  # yaml takes 20 ms to load, and only page texts need it

        rewrite(
            ctx,
            page.slug,
            lambda held: with_tag(held, word) if held is not None else None,
            reason=f"tag {word}",
            expected=expected_version,
        )
        return {"status": "ok", "tags": sorted({*page_to_change(ctx, slug).tags, word})}
    with ctx.store.transaction():
        page = page_to_change(ctx, slug)
        if expected_version is not None:
            based(ctx, page, int(expected_version), lambda text: "", None)
        ctx.store.tags.add(page.source_id, page.id, word)
    return {"status": "ok", "tags": sorted({*page.tags, word})}


@operation(
    scope="write",
    surface="full",
    title="Take a tag off a page",
    positional=("slug", "tag"),
    cli="untag",
    destructive=True,
    idempotent=True,
    examples=("gbrain untag people/dana-oakes founder",),
    fence=("slug",),
)
def remove_tag(ctx: Context, slug: Slug, tag: Tag, expected_version: ExpectedVersion = None) -> RemoveTagReply:
    """Take a tag off a page; one that its front matter names goes from the text too, as a new version.

    A `#tag` in the text itself stays, and so does the tag.
    """
    from gbrain.sources.pages import without_tag  # yaml takes 20 ms to load, and only page texts need it

    word = _tag(tag)
    page = page_to_change(ctx, slug)
    ctx = within(ctx, page.source_id)
    written = rewrite(
        ctx,
        page.slug,
        lambda held: without_tag(held, word) if held is not None else None,
        reason=f"untag {word}",
        expected=expected_version,
    )
    with ctx.store.transaction():
        page = page_to_change(ctx, slug)
        if "#" in page.body and word in _hashtags(page.body):
            what = f"the text itself says #{word}, so the page bears the tag"
            ctx.warn("tag_in_text", what, suggestion=f"take it out of the text: gbrain get {page.slug}")
            return {"status": "ok", "removed": False, "tags": list(page.tags)}
        removed = ctx.store.tags.remove(page.id, word) or written is not None
    return {"status": "ok", "removed": removed, "tags": [other for other in page.tags if other != word]}


@operation(
    scope="read",
    surface="full",
    title="List a page's tags",
    positional=("slug",),
    cli="tags",
    examples=("gbrain tags people/dana-oakes",),
)
def get_tags(ctx: Context, slug: Slug) -> list[str]:
    """List the tags of a page, those of its text and those put on by hand."""
    page = ctx.store.pages.get(ctx.view, normalise_slug(slug))
    return list(page.tags) if page is not None else []


def _hashtags(body: str) -> list[str]:
    from gbrain.domain.hashtags import hashtags  # it reads Markdown, and few texts hold a mark

    return hashtags(body)


def _tag(tag: str) -> str:
    word = collapse(tag)
    if not word:
        raise InvalidParams("the tag is empty", "run: gbrain tag SLUG founder")
    if len(word) > TAG_LENGTH or not word.isprintable() or "," in word:
        raise InvalidParams(
            f"a tag is one short text without commas, at most {TAG_LENGTH} characters",
            "put several tags on one after another: gbrain tag SLUG TAG",
        )
    return word
