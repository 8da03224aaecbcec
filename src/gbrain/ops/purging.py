"""Pages past their expiry, listed, and deleted when they are asked to go."""

from typing import Annotated, TypedDict

from gbrain.domain.times import wire_time
from gbrain.errors import BrainError, InvalidParams
from gbrain.ops.pages import delete_page
from gbrain.registry import Context, Param, operation


class PurgeRow(TypedDict):
    """A page that is past its expiry."""

    source_id: str
    slug: str
    title: str
    expiry: str


class PurgeReply(TypedDict):
    """The pages past their expiry (at most 1,000), and how many of them were deleted."""

    dry_run: bool
    pages: list[PurgeRow]
    deleted: int


@operation(
    scope="admin",
    surface="full",
    title="Delete pages past their expiry",
    cli=None,
    local_only=True,
    destructive=True,
    idempotent=True,
    examples=("gbrain purge --expired", "gbrain purge --expired --yes"),
)
def purge(
    ctx: Context,
    expired: Annotated[bool, Param("The pages past their expiry.")] = False,
    source_id: Annotated[str | None, Param("Only this source; every source unless given.")] = None,
    dry_run: Annotated[bool, Param("Tell which pages would go; delete nothing.")] = True,
) -> PurgeReply:
    """Delete the pages that are past their expiry, and the files they have. `gbrain restore` brings one back.

    Such a page is in no answer already; until it is deleted `gbrain get SLUG` and `gbrain history SLUG`
    show it.
    """
    if not expired:
        raise InvalidParams("nothing is named that should go", "run: gbrain purge --expired")
    sources = ctx.view.sources if source_id else tuple(ctx.store.sources.ids())
    found = ctx.store.upkeep.expired(sources, ctx.now_text)
    pages: list[PurgeRow] = [
        {"source_id": row["source_id"], "slug": row["slug"], "title": row["title"],
         "expiry": wire_time(row["expiry"]) or ""} for row in found
    ]  # fmt: skip
    deleted = 0
    for row in () if dry_run else found:
        source = row["source_id"]
        try:
            delete_page(
                ctx._replace(source=source, view=ctx.view._replace(sources=(source,))), row["slug"], row["version"]
            )
            deleted += 1
        except BrainError as error:
            ctx.warn("not_deleted", f"{row['slug']}: {error.message}", suggestion=error.suggestion)
    return {"dry_run": dry_run, "pages": pages, "deleted": deleted}
