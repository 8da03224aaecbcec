"""From a hit or an offered line to what ranked or offered its page, and who has read it since."""

from typing import Annotated, TypedDict

from gbrain import offered
from gbrain.ambient.why import ReaderRow, page_readers
from gbrain.domain.offers.core import GATE, MOST, TOKENS, Said, limits, offers
from gbrain.domain.times import wire_time
from gbrain.ops.diagnosis import Diagnosis, search_diagnose
from gbrain.ops.pages import SourceId
from gbrain.ops.which_page import page_of
from gbrain.registry import Context, Param, operation
from gbrain.store.offering import Offering
from gbrain.types import Page

OFFERS_SHOWN = 20
EVERY = 50
"""So many pages that a text names are looked through for one."""


class Gate(TypedDict):
    """What an offer has to pass, by the settings in force."""

    min_confidence: float
    max_pages: int
    max_tokens: int


class Offerable(TypedDict):
    """What would become of the page if a text was said now. `rank` is its place among the pages that the text names,
    null where it names it not; `says` tells what decides."""

    offered: bool
    rank: int | None
    arm: str | None
    confidence: float | None
    says: str


class OfferRow(TypedDict):
    """One time that the page was offered: by which channel, how it was found, how surely, and what then read it."""

    at: str | None
    channel: str
    arm: str
    confidence: float
    opened_at: str | None
    opened_by: str | None


class WhyPageReply(TypedDict):
    """The story of a hit. `search` and `offer` are there with a query. `offers` and `read_by` are for the person at
    this machine alone and empty for everybody else."""

    slug: str
    source_id: str
    title: str
    type: str
    version: int
    written_at: str | None
    written_by: str
    search: Diagnosis | None
    offer: Offerable | None
    gate: Gate
    offers: list[OfferRow]
    read_by: list[ReaderRow]


@operation(
    scope="read",
    surface="full",
    title="Tell why a page was found or offered",
    positional=("slug",),
    cli=None,
    examples=('gbrain why people/dana-oakes --query "who surveys lighthouses"',),
)
def why_page(
    ctx: Context,
    slug: Annotated[
        str,
        Param("The page of a hit or of an offered line: its slug, or source:slug as it stands there.", names="page"),
    ],
    query: Annotated[str | None, Param("What was searched for or said.")] = None,
    source_id: SourceId = None,
) -> WhyPageReply:
    """Tell what ranks a page for a query, what offers it to agents, and how often both happened.

    The person at this machine also sees when it was offered, by what, and who has read it.
    """
    page = page_of(ctx, slug)
    local, asked = not ctx.caller.remote, (query or "").strip()
    limited = limits({key: ctx.settings.get(key) for key in (GATE, MOST, TOKENS)})
    return {
        "slug": page.slug,
        "source_id": page.source_id,
        "title": page.title,
        "type": page.type,
        "version": page.version,
        "written_at": wire_time(page.last_modified),
        "written_by": page.modified_by,
        "search": search_diagnose(ctx, asked, page.slug) if asked else None,
        "offer": _offer(ctx, page, asked) if asked else None,
        "gate": {"min_confidence": limited.gate, "max_pages": limited.most, "max_tokens": limited.tokens},
        "offers": _offers(ctx, page) if local else [],
        "read_by": page_readers(ctx, page.source_id, page.slug) if local else [],
    }


def _offer(ctx: Context, page: Page, said: str) -> Offerable:
    """What would become of a page if somebody said this now, in a conversation that begins with it."""
    limited = limits({key: ctx.settings.get(key) for key in (GATE, MOST, TOKENS)})
    turns, lookup = [Said("user", said)], Offering(ctx.store.engine, ctx.view)
    place = (page.source_id, page.slug)
    named = offers(turns, lookup, limited._replace(gate=0.0, most=EVERY, tokens=EVERY * limited.tokens, details=0))
    rank = next((at for at, one in enumerate(named, 1) if (one.source_id, one.slug) == place), None)
    if rank is None:
        says = "the text names it not, or by a name that could mean several"
        return {"offered": False, "rank": None, "arm": None, "confidence": None, "says": says}
    one = named[rank - 1]
    made = {(other.source_id, other.slug) for other in offers(turns, lookup, limited)}
    if place in made:
        says = one.rationale
    elif one.confidence < limited.gate:
        says = f"{one.rationale}, yet less surely than {GATE} wants: {limited.gate:g}"
    else:
        says = f"{one.rationale}, yet {MOST} and {TOKENS} leave no room for it"
    return {
        "offered": place in made,
        "rank": rank,
        "arm": one.arm,
        "confidence": round(one.confidence, 3),
        "says": says,
    }


def _offers(ctx: Context, page: Page) -> list[OfferRow]:
    """The last times that the page was offered, the newest first."""
    return [
        {
            "at": wire_time(one.at),
            "channel": one.channel,
            "arm": one.arm,
            "confidence": one.confidence,
            "opened_at": wire_time(one.opened_at) if one.opened_at else None,
            "opened_by": one.opened_by,
        }
        for one in offered.of_page(ctx.home, page.source_id, page.slug)[-OFFERS_SHOWN:][::-1]
    ]
