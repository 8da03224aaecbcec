"""The operation `volunteer_context`: what a piece of a conversation calls to mind, and how well offers have done."""

import json
from datetime import timedelta
from typing import Annotated, Literal, NotRequired, TypedDict

from gbrain import offered
from gbrain.ambient.streams import ROLES, Stream
from gbrain.domain.offers.core import GATE, MOST, TOKENS, Limits, Offer, Said, limits, offers, text
from gbrain.domain.offers.scope import ACROSS, reach
from gbrain.domain.times import store_time, wire_time
from gbrain.errors import InvalidParams, ScopeDenied
from gbrain.offered import Count, Noted
from gbrain.registry import Context, Param, operation
from gbrain.store.offering import Offering

CHANNEL, WATCH = "operation", "watch"
LONGEST = 200_000
DAYS = 30
"""Statistics go so many days back."""


class OfferedDetail(TypedDict):
    """Something to know about an offered page: an open thread or a fact."""

    kind: str
    text: str
    date: str


class OfferedPage(TypedDict):
    """A page that the conversation calls to mind, how it was found and how surely (0 to 1), and why."""

    slug: str
    source_id: str
    display: str
    type: str
    confidence: float
    arm: str
    rationale: str
    synopsis: str
    details: list[OfferedDetail]


class OfferCount(TypedDict):
    """How much one arm or channel offered, how much of that was opened within a day, and the share."""

    name: str
    offered: int
    opened: int
    precision: float | None
    last: str | None


class OfferStats(TypedDict):
    """What was offered on this machine since a moment, by arm and by channel."""

    since: str
    offered: int
    opened: int
    arms: list[OfferCount]
    channels: list[OfferCount]


class VolunteerReply(TypedDict):
    """What is offered; `text` holds it as lines for an agent's context. With `stats` only figures."""

    protocol_version: Literal[1]
    pages: list[OfferedPage]
    count: int
    window_turns: int
    text: str
    stats: NotRequired[OfferStats]


@operation(
    scope="read",
    surface="full",
    title="Volunteer context for a conversation",
    positional=("window",),
    examples=('gbrain volunteer-context "What did Dana Oakes promise?"', "gbrain volunteer-context --stats"),
)
def volunteer_context(
    ctx: Context,
    window: Annotated[
        str | None,
        Param(
            "The last turns: plain text, blocks that begin with [user] or [assistant], or a JSON list of"
            ' {"role", "text"}.',
            max_length=LONGEST,
        ),
    ] = None,
    news: Annotated[
        int | None,
        Param(
            "So many of the newest turns are news, all unless given; what older ones name is offered only if the newest"
            " points back at it.",
            minimum=1,
        ),
    ] = None,
    known: Annotated[
        list[str] | None, Param("Pages that the conversation knows already, as source:slug; they are not offered.")
    ] = None,
    max_pages: Annotated[int | None, Param("At most so many pages.", minimum=1, maximum=5)] = None,
    min_confidence: Annotated[float | None, Param("Only what is at least so sure.", minimum=0, maximum=1)] = None,
    budget_tokens: Annotated[float | None, Param("At most this many tokens of text.", minimum=0)] = None,
    session_id: Annotated[
        str | None, Param("A session that asks again and again: nothing is offered it twice.", max_length=256)
    ] = None,
    include_private: Annotated[bool, Param("Also private pages and facts; only the local operator may ask.")] = False,
    stats: Annotated[bool, Param("Tell how much was offered and opened instead; on this machine only.")] = False,
) -> VolunteerReply:
    """Offer the pages that a conversation names, with what is open about them; nothing where a name is unclear.

    No model is called. Each offer says by which arm it was found, how surely, and why.
    """
    if stats:
        return _reply([], 0) | {"stats": _stats(ctx)}
    if window is None or not window.strip():
        raise InvalidParams("there is no conversation to read", 'pass window: "[user]\\nWhat did Dana promise?"')
    turns = turns_of(window)
    view = ctx.view._replace(private=ctx.view.private and include_private)
    channel = WATCH if ctx.caller.transport == WATCH else CHANNEL
    session = f"{ctx.caller.client}\0{session_id}" if session_id else None
    made = offers(
        turns,
        Offering(ctx.store.engine, view._replace(sources=_reach(ctx))),
        _limited(ctx, max_pages, min_confidence, budget_tokens),
        offered={*offered.told(ctx.home, channel, session), *map(_place, known or ())},
        fresh=len(turns) if news is None else news,
    )
    noted = [Noted(one.source_id, one.slug, one.arm, one.confidence) for one in made]
    offered.note(ctx.home, noted, channel, session, ctx.now_text)
    return _reply(made, len(turns))


def turns_of(window: str) -> list[Said]:
    """The turns of a window: a JSON list of {role, text or content}, blocks headed `[role]`, or one text.

    Raises InvalidParams for JSON that is no such list.
    """
    if window.lstrip()[:2] in ("[{", "[]") or window.lstrip()[:3].rstrip() == "[\n{":
        return _of_json(window)
    stream = Stream()
    turns = [said for line in window.split("\n") if line.strip() for said in stream.take(line)]
    return [*turns, *stream.rest()]


def _of_json(window: str) -> list[Said]:
    try:
        rows = json.loads(window)
        return [
            Said(ROLES.get(str(row.get("role", "user")).casefold(), "assistant"), _spoken(row))
            for row in rows
            if _spoken(row)
        ]
    except (ValueError, AttributeError, RecursionError):
        raise InvalidParams(
            "the window is no list of turns", 'pass window: [{"role": "user", "text": "What did Dana promise?"}]'
        ) from None


def _spoken(row: dict[str, object]) -> str:
    said = row.get("text", row.get("content"))
    return said if isinstance(said, str) else ""


def _limited(ctx: Context, most: int | None, gate: float | None, tokens: float | None) -> Limits:
    said = limits({key: ctx.settings.get(key) for key in (GATE, MOST, TOKENS)})
    return Limits(
        said.gate if gate is None else gate,
        said.most if most is None else most,
        said.tokens if tokens is None else int(tokens),
        said.details,
    )


def _place(said: str) -> tuple[str, str]:
    source, _, slug = said.strip("[]").partition(":")
    return source, slug


def _reach(ctx: Context) -> tuple[str, ...]:
    """The sources that offers come from, that of the call first; a call that names its source means that one."""
    if ctx.extent.named and ctx.extent.place.tier == "argument":
        return ctx.view.sources
    sources = ctx.store.sources.all()
    return reach(ctx.settings.get(ACROSS), ctx.source, ctx.view.sources, sources, ctx.extent.granted)


def _reply(made: list[Offer], turns: int) -> VolunteerReply:
    return {
        "protocol_version": 1,
        "pages": [
            {
                "slug": one.slug,
                "source_id": one.source_id,
                "display": one.display,
                "type": one.type,
                "confidence": one.confidence,
                "arm": one.arm,
                "rationale": one.rationale,
                "synopsis": one.synopsis,
                "details": [{"kind": told.kind, "text": told.text, "date": told.date[:10]} for told in one.details],
            }
            for one in made
        ],
        "count": len(made),
        "window_turns": turns,
        "text": text(made),
    }


def _stats(ctx: Context) -> OfferStats:
    if ctx.caller.remote:
        raise ScopeDenied(
            "how offers have done is told on this machine alone",
            "ask the person there: gbrain volunteer-context --stats",
        )
    since = store_time(ctx.now - timedelta(days=DAYS))
    arms, channels = offered.counted(ctx.home, since)
    return {
        "since": wire_time(since) or "",
        "offered": sum(count.offered for count in channels),
        "opened": sum(count.opened for count in channels),
        "arms": [_counted(count) for count in arms],
        "channels": [_counted(count) for count in channels],
    }


def _counted(count: Count) -> OfferCount:
    share = round(count.opened / count.offered, 3) if count.offered else None
    return {
        "name": count.name,
        "offered": count.offered,
        "opened": count.opened,
        "precision": share,
        "last": wire_time(count.last) if count.last else None,
    }
