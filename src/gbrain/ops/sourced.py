"""Of which source a write speaks: held to one, or refused where it could mean the pages of several."""

from collections.abc import Sequence

from gbrain.errors import InvalidParams
from gbrain.registry import Context
from gbrain.types import View


def within(ctx: Context, source: str) -> Context:
    """The same request, about this source alone."""
    about = ctx.extent._replace(place=ctx.extent.place._replace(source=source), reads=(source,), named=True)
    return ctx._replace(source=source, view=ctx.view._replace(sources=(source,)), extent=about)


def facts_view(ctx: Context) -> View:
    """What facts are read by: also those that other sources were told of the page that was named with its source.

    A source that is read only where it is named stays alone.
    """
    around = ctx.beside if set(ctx.view.sources) <= set(ctx.beside) else ctx.view.sources
    return ctx.view._replace(sources=around)


def unclear_source(slug: str, sources: Sequence[str]) -> InvalidParams:
    """The error for a write that does not say the page of which source it is about."""
    listed = " and ".join(sources) if len(sources) < 3 else ", ".join(sources)
    which = f"the sources {listed} each have" if len(sources) > 1 else f"the source {listed} has"
    return InvalidParams(
        f"{which} a page {slug!r}, and none was named; nothing was changed",
        f"pass source_id: {sources[0]}; on the command line: --source {sources[0]}",
        detail={"reason": "ambiguous_source", "slug": slug, "sources": list(sources)},
    )


def refuse_second(ctx: Context, slug: str) -> None:
    """Refuse to make a page that the caller reads in another source already, unless its source was named."""
    if not ctx.extent.named and len(ctx.view.sources) > 1:
        there = ctx.store.sources.holders(ctx.view, slug)[0]
        if there:
            raise InvalidParams(
                f"the source {there[0]!r} has the page {slug!r}, and this would make another in {ctx.source!r}",
                f"pass source_id: {there[0]} to change that one, or source_id: {ctx.source} to make another; on the"
                f" command line: --source {there[0]}",
                detail={"reason": "ambiguous_source", "slug": slug, "sources": [*there, ctx.source]},
            )
