"""References that lead to no page."""

from typing import Annotated, NotRequired, TypedDict

from gbrain.domain.relations.targets import Known, Wanted
from gbrain.domain.slugs import normalise_slug
from gbrain.registry import Context, Param, operation
from gbrain.types import Candidate

LIMIT, MOST = 200, 1000
CANDIDATES = 5


class UnresolvedRow(TypedDict):
    """A reference that leads to no page: on which page, in which front matter key (None: the text), what is written.

    `candidates` are the pages it could mean, when there are several; `context` is where it stands.
    """

    slug: str
    source_id: str
    field: str | None
    name: str
    candidates: NotRequired[list[str]]
    context: str | None


@operation(
    scope="read",
    surface="full",
    title="List references without a page",
    positional=("slug",),
    cli=None,
    examples=("gbrain links unresolved", "gbrain links unresolved people/dana-oakes"),
)
def list_unresolved_links(
    ctx: Context,
    slug: Annotated[str | None, Param("Only the references of this page.", names="page")] = None,
    limit: Annotated[int, Param("At most this many.", minimum=1, maximum=MOST)] = LIMIT,
    offset: Annotated[int, Param("Leave out this many first.", minimum=0, maximum=10_000_000)] = 0,
    source_id: Annotated[str | None, Param("Only the pages of this source.")] = None,
) -> list[UnresolvedRow]:
    """List the references in pages that lead to no page yet, and those whose name several pages bear.

    Each becomes a link by itself as soon as a page of that slug or alias appears.
    """
    page_id = None
    if slug is not None:
        page = ctx.store.pages.get(ctx.view, normalise_slug(slug))
        if page is None:
            return []
        page_id = page.id
    found = ctx.store.refs.unresolved(ctx.view, page_id, int(limit) + 1, int(offset))
    if len(found) > limit:
        ctx.warn("truncated", f"there are more; pass offset: {int(offset) + int(limit)} for the next ones")
    found = found[: int(limit)]
    wanted = [_wanted(row) for row in found]
    known = Known(_visible(ctx, wanted))
    rows: list[UnresolvedRow] = []
    for row, one in zip(found, wanted, strict=True):
        shown: UnresolvedRow = {
            "slug": row["origin"],
            "source_id": row["source_id"],
            "field": row["field"],
            "name": row["written"],
            "context": row["context"],
        }
        pages = known.find(one, private=ctx.view.private).candidates
        if pages:
            shown["candidates"] = [page.slug for page in pages[:CANDIDATES]]
        rows.append(shown)
    return rows


def _wanted(row: dict[str, str]) -> Wanted:
    return Wanted(row["wanted_source"], row["slug"], row["near"], row["name"], tuple(row["hints"].split()))


def _visible(ctx: Context, wanted: list[Wanted]) -> list[Candidate]:
    """The pages these references could mean, as far as the caller sees them."""
    found = ctx.store.refs.candidates(
        (one.slug for one in wanted if one.name), (one.name for one in wanted if one.name)
    )
    seen = ctx.store.refs.visible(ctx.view, found)
    return [candidate for candidate in found if candidate.id in seen]
