"""Reading links and timeline out of every page again: after `auto_link` was off, or when the rules are new."""

from typing import Annotated, Literal, TypedDict

from gbrain.ops.wiring import Tally, again, no_tally
from gbrain.registry import Context, Param, operation
from gbrain.store.lists import slices

READ_AT_ONCE, WRITTEN_AT_ONCE = 500, 20


class ExtractReply(TypedDict):
    """What changed, over all pages that were read."""

    pages_processed: int
    links_created: int
    links_removed: int
    timeline_entries_created: int
    timeline_entries_removed: int


@operation(
    scope="admin",
    surface="full",
    title="Read links and timeline out of all pages",
    positional=("what",),
    cli=None,
    local_only=True,
    idempotent=True,
    examples=("gbrain extract all", "gbrain extract links --source default"),
)
def extract(
    ctx: Context,
    what: Annotated[Literal["links", "timeline", "all"], Param("What to read out of the pages.")],
    source_id: Annotated[str | None, Param("Only the pages of this source; every source unless given.")] = None,
) -> ExtractReply:
    """Make the links and dated entries that the texts of pages ask for, and take away those they ask for no more.

    What was added by hand stays. A second run changes nothing.
    """
    sources = ctx.view.sources if source_id else tuple(ctx.store.sources.ids())
    links, timeline = what in ("links", "all"), what in ("timeline", "all")
    tally: Tally = no_tally()
    last, total = 0, ctx.store.refs.count_pages(sources)
    while rows := ctx.store.refs.after(sources, last, READ_AT_ONCE):
        for part in slices(rows, WRITTEN_AT_ONCE):
            with ctx.store.transaction():
                again(ctx, part, tally, links=links, timeline=timeline, others=False)
            ctx.progress("reading", tally["pages"], total)
        last = rows[-1]["id"]
    return {
        "pages_processed": tally["pages"],
        "links_created": tally["links_created"],
        "links_removed": tally["links_removed"],
        "timeline_entries_created": tally["timeline_created"],
        "timeline_entries_removed": tally["timeline_removed"],
    }
