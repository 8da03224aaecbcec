"""The verbs for the boundaries of a session: context_pack brings what matters, delta what changed."""

import math
from datetime import timedelta
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

from gbrain.domain.budget import pack
from gbrain.domain.packs import delta_text, pack_text
from gbrain.domain.text import estimate_tokens
from gbrain.domain.times import parse_since, store_time, wire_time
from gbrain.domain.wire import ShortFact, Thread, by_confidence, short_fact
from gbrain.errors import InvalidParams
from gbrain.ops.entity import Edge, called, card, open_threads, unwritten_card
from gbrain.ops.hot import hot_facts
from gbrain.registry import Context, Param, operation
from gbrain.store.fact_filter import Filter
from gbrain.store.sessions import IDLE_DAYS, Cursor
from gbrain.types import Fact, Page, View

ENTITIES_MOST = 8
PACK_FACTS = 10
DELTA_MOST = 50
COMMIT_SECONDS = 12
"""How long a write may take from its request to its commit: it waits ten seconds at most."""
SESSION_LENGTH = 256


class PackCard(TypedDict):
    """An entity inside a pack."""

    slug: str
    title: str
    type: str
    summary: str
    open_threads: list[Thread]
    edges: list[Edge]
    backlink_count: int


class PackReply(TypedDict):
    """What to know about these entities. `text` renders what the other members hold."""

    protocol_version: Literal[1]
    entities: list[str]
    cards: list[PackCard]
    open_threads: list[Thread]
    facts: list[ShortFact]
    text: str
    budget_tokens: NotRequired[int]
    budget_used: NotRequired[int]
    dropped_count: NotRequired[int]


class ChangedPage(TypedDict):
    """A page that changed."""

    slug: str
    source_id: str
    title: str
    updated_at: str


class NextCursor(TypedDict):
    """Feed these back as `since` and `since_slug` to go on without a session."""

    since: str
    slug: str


class DeltaReply(TypedDict):
    """What changed since a moment, or since this session last asked."""

    protocol_version: Literal[1]
    since: str
    pages: list[ChangedPage]
    facts: list[ShortFact]
    threads: list[Thread]
    text: str
    has_more: bool
    next_cursor: NextCursor
    budget_tokens: NotRequired[int]
    budget_used: NotRequired[int]
    dropped_count: NotRequired[int]


class Changes(NamedTuple):
    """Rows in the order they are to be given, and whether more wait behind them."""

    pages: list[dict[str, Any]]
    facts: list[Fact]
    more: bool


class Place(NamedTuple):
    """A place in the stream of changes: facts after `since`, pages after (`page_since`, `slug`)."""

    since: str
    page_since: str
    slug: str


@operation(
    scope="read",
    surface="verbs",
    title="context_pack (boundary bundle)",
    positional=("entities",),
    examples=('gbrain context-pack "people/dana-oakes, Harbor Capital" --budget-tokens 600',),
)
def context_pack(
    ctx: Context,
    entities: Annotated[str, Param("Names or slugs, separated by commas; the first eight count.", max_length=4_000)],
    budget_tokens: Annotated[float | None, Param("At most this many tokens; cards come first, then facts.")] = None,
    since: Annotated[str | None, Param("Only open threads from then on: an ISO date or time, or a span.")] = None,
    session_id: Annotated[str | None, Param("Prefer the recent facts of this session.")] = None,
    include_private: Annotated[bool, Param("Also private facts; only the local operator may ask.")] = False,
    as_of: Annotated[str | None, Param("What was known at this moment: an ISO date or time.")] = None,
) -> PackReply:
    """Bundle what to know about a few entities: cards, open threads, their facts and the most recent ones."""
    names = list(dict.fromkeys(name.strip() for name in entities.split(",") if name.strip()))[:ENTITIES_MOST]
    if as_of:
        from gbrain.ops.earlier import at  # few reads are of another time

        ctx = at(ctx, as_of)
    earliest = store_time(parse_since(since, ctx.now)) if since else None
    view = _view(ctx, include_private)
    scoped = ctx._replace(view=view)
    cards, abouts = _cards(scoped, names, earliest)
    facts = _pack_facts(scoped, abouts, session_id) if names else []
    rows: list[Any] = [*cards, *facts]
    packed = pack(rows, _pack_cost, budget_tokens)
    kept_cards = [row for row in packed.kept if "title" in row]
    kept_facts = [row for row in packed.kept if "title" not in row]
    threads = [_with_slug(thread, row["slug"]) for row in kept_cards for thread in row["open_threads"]]
    reply: PackReply = {
        "protocol_version": 1,
        "entities": names,
        "cards": kept_cards,
        "open_threads": threads,
        "facts": kept_facts,
        "text": pack_text(kept_cards, threads, kept_facts),
    }
    if budget_tokens is not None and budget_tokens > 0:
        reply["budget_tokens"] = math.floor(budget_tokens)
        reply["budget_used"] = packed.used
        reply["dropped_count"] = packed.dropped
    return reply


@operation(
    scope="read",
    surface="verbs",
    title="delta (what changed since)",
    examples=("gbrain delta --since 2031-05-01", "gbrain delta --session-id morning-shift"),
)
def delta(
    ctx: Context,
    since: Annotated[
        str | None,
        Param("From this moment on: an ISO date or time, or a span. With a session it also moves its cursor."),
    ] = None,
    since_slug: Annotated[
        str | None, Param("With since: the last slug already given, to go on inside one moment.")
    ] = None,
    entities: Annotated[str | None, Param("Names, separated by commas, whose open threads come along.")] = None,
    budget_tokens: Annotated[float | None, Param("At most this many tokens; pages come first, then facts.")] = None,
    session_id: Annotated[str | None, Param("A session that asks again and again: each change is given once.")] = None,
    include_private: Annotated[bool, Param("Also private facts; only the local operator may ask.")] = False,
) -> DeltaReply:
    """Tell what changed: pages, facts and open threads since a moment, or since this session last asked."""
    if since is None and session_id is None:
        raise InvalidParams("delta needs a start", 'pass since: "2031-05-01T00:00:00Z", or session_id to keep a cursor')
    view = _view(ctx, include_private)
    if session_id:
        return _session_delta(ctx, view, session_id[:SESSION_LENGTH], since, entities, budget_tokens)
    start = store_time(parse_since(since or "", ctx.now))
    place = _place(start, since_slug or "")
    changes = _since(ctx, view, place)
    reply, given = _reply(ctx, view, start, changes, entities, budget_tokens)
    reply["next_cursor"] = _next(place, changes, given)
    if not given.more:
        reply["next_cursor"] = _held_back(ctx, start, reply["next_cursor"])
    return reply


def _session_delta(
    ctx: Context, view: View, session: str, since: str | None, entities: str | None, budget: float | None
) -> DeltaReply:
    """A delta that keeps its own cursor: numbers that grow in the order of commits."""
    held = ctx.store.sessions.get(ctx.source, _client(ctx), session) if since is None else None
    if since is not None:
        start = store_time(parse_since(since, ctx.now))
        # A time says only where to begin: from here on the session follows numbers that grow in the order of commits,
        # since a write that waited commits with a time that others have passed already.
        held = Cursor(start, ctx.store.pages.change_before(start), ctx.store.facts.id_before(start))
    elif held is None:
        # A session that asks for the first time begins now: what was there before is for its context pack to tell.
        held = Cursor(ctx.now_text, ctx.store.pages.last_change(), ctx.store.facts.last_id())
    # One row more than is given tells whether another call is needed.
    pages = ctx.store.pages.changed_after(view, held.page_changed, DELTA_MOST + 1)
    facts = ctx.store.facts.after_id(view, held.fact_id, DELTA_MOST + 1)
    changes = Changes(pages[:DELTA_MOST], facts[:DELTA_MOST], max(len(pages), len(facts)) > DELTA_MOST)
    reply, given = _reply(ctx, view, held.since, changes, entities, budget)
    moments = [
        held.since,
        *(row["last_modified"] for row in given.pages),
        *(fact.created_at for fact in given.facts),
    ]
    moved = Cursor(
        max(moments),
        max([held.page_changed, *(row["changed"] for row in given.pages)]),
        max([held.fact_id, *(fact.id for fact in given.facts)]),
    )
    # Sessions end without a word; those that have been silent this long go with the write of one that is not.
    idle = ctx.now.fromtimestamp(ctx.now.timestamp() - IDLE_DAYS * 86400, ctx.now.tzinfo)
    ctx.store.sessions.put(ctx.source, _client(ctx), session, moved, ctx.now_text, store_time(idle))
    reply["next_cursor"] = {"since": moved.since, "slug": given.pages[-1]["slug"] if given.pages else ""}
    return reply


def _view(ctx: Context, include_private: bool) -> View:
    """Private text takes a local caller who asks for it."""
    return ctx.view._replace(private=ctx.view.private and include_private)


def _pages(ctx: Context, names: list[str]) -> list[Page]:
    ids = [found[0].page_id for name in names if len(name) <= 255 and (found := ctx.store.names.ranked(ctx.view, name))]
    return ctx.store.pages.by_ids(ctx.view, list(dict.fromkeys(ids)))


def _cards(ctx: Context, names: list[str], since: str | None) -> tuple[list[PackCard], list[Filter]]:
    """The cards of the names that pages or facts are about, in the order asked, each once; and their facts."""
    cards: dict[str, PackCard] = {}
    abouts: list[Filter] = []
    for name in names:
        page, _ = called(ctx, name)
        made = card(ctx, page) if page is not None else unwritten_card(ctx, name)
        if made is None:
            continue
        threads, slug = made["open_threads"], made["entity"]["slug"]
        # Nobody wrote a page yet: its facts bear the slug it would have.
        about = ctx.store.facts.about(ctx.view, page) if page is not None else Filter(entity_keys=(slug,))
        abouts.append(about)
        if since is not None and page is not None:
            threads = open_threads(ctx, page, about, since=since)
        elif since is not None:
            threads = [thread for thread in threads if thread["date"] >= since]
        # Two names of one entity lead to the same card, which keeps the place of the first.
        cards.setdefault(
            slug,
            {
                "slug": slug,
                "title": made["entity"]["title"],
                "type": made["entity"]["type"],
                "summary": made["summary"],
                "open_threads": threads,
                "edges": made["edges"],
                "backlink_count": made["backlink_count"],
            },
        )
    return list(cards.values()), abouts


def _pack_facts(ctx: Context, abouts: list[Filter], session: str | None) -> list[ShortFact]:
    """The entities' own facts, the surest first, then the most recent of the brain; ten in all."""
    told = {fact.id: fact for about in abouts for fact in ctx.store.facts.select(ctx.view, about, 100)}
    latest = sorted(told.values(), key=lambda fact: (fact.valid_from, fact.id), reverse=True)
    own = by_confidence(latest, ctx.now)[:PACK_FACTS]
    have = {fact.id for fact in own}
    # Facts about the entities may be recent too, and each is told once.
    recent = [fact for fact in hot_facts(ctx, session[:SESSION_LENGTH] if session else None) if fact.id not in have]
    return [short_fact(fact, ctx.now) for fact in (own + recent)[:PACK_FACTS]]


def _with_slug(thread: Thread, slug: str) -> Thread:
    return {"kind": thread["kind"], "text": thread["text"], "date": thread["date"], "slug": slug}


def _pack_cost(row: Any) -> int:
    if "title" in row:
        return estimate_tokens(
            " ".join((row["title"], row["summary"], *(thread["text"] for thread in row["open_threads"])))
        )
    return estimate_tokens(row["fact"])


def _place(start: str, slug: str) -> Place:
    """Where a stateless delta goes on. `slug` may carry the pages' own moment behind a space, which no slug has."""
    name, _, moment = slug.partition(" ")
    return Place(start, moment or start, name)


def _since(ctx: Context, view: View, place: Place) -> Changes:
    """What changed after a place.

    When more waits, pages and facts stop at the same moment, so that one cursor fits both.
    """
    pages = ctx.store.pages.changed(view, place.page_since, place.slug, DELTA_MOST + 1)
    facts = ctx.store.facts.after_time(view, place.since, DELTA_MOST + 1)
    # Both lists are cut at the earlier of their last moments, or a cursor at the later one would pass over what the
    # other list left off before it.
    stops = [pages[DELTA_MOST - 1]["last_modified"]] if len(pages) > DELTA_MOST else []
    stops += [facts[DELTA_MOST - 1].created_at] if len(facts) > DELTA_MOST else []
    if not stops:
        return Changes(pages, facts, False)
    stop = min(stops)
    kept_pages = [page for page in pages[:DELTA_MOST] if page["last_modified"] <= stop]
    return Changes(kept_pages, [fact for fact in facts[:DELTA_MOST] if fact.created_at <= stop], True)


def _reply(
    ctx: Context, view: View, start: str, changes: Changes, entities: str | None, budget: float | None
) -> tuple[DeltaReply, Changes]:
    """The reply, and the rows of it that fit the budget, oldest first."""
    rows: list[Any] = [*changes.pages, *changes.facts]
    packed = pack(rows, _delta_cost, budget)
    pages = [row for row in packed.kept if not isinstance(row, Fact)]
    facts = [row for row in packed.kept if isinstance(row, Fact)]
    given = Changes(pages, facts, changes.more or packed.dropped > 0)
    shown: list[ChangedPage] = [
        {
            "slug": row["slug"],
            "source_id": row["source_id"],
            "title": row["title"],
            "updated_at": wire_time(row["last_modified"]) or "",
        }
        for row in pages
    ]
    shorts = [short_fact(fact, ctx.now) for fact in reversed(facts)]
    names = [name.strip() for name in (entities or "").split(",") if name.strip()][:ENTITIES_MOST]
    scoped = ctx._replace(view=view)
    pages_named = _pages(scoped, names)
    threads = [
        _with_slug(thread, page.slug)
        for page in pages_named
        for thread in open_threads(scoped, page, ctx.store.facts.about(view, page), since=None)
    ]
    reply: DeltaReply = {
        "protocol_version": 1,
        "since": wire_time(start) or "",
        "pages": shown,
        "facts": shorts,
        "threads": threads,
        "text": delta_text(shown, shorts, threads),
        "has_more": given.more,
        "next_cursor": {"since": start, "slug": ""},
    }
    if budget is not None and budget > 0:
        reply["budget_tokens"] = math.floor(budget)
        reply["budget_used"] = packed.used
        reply["dropped_count"] = packed.dropped
    return reply, given


def _held_back(ctx: Context, start: str, cursor: NextCursor) -> NextCursor:
    """A cursor that stays behind writes still waiting for their turn: what they save bears the time they were asked.

    A reader that goes on from it may be given the last seconds twice, and misses nothing.
    """
    latest = store_time(ctx.now - timedelta(seconds=COMMIT_SECONDS))
    if cursor["since"] <= latest:
        return cursor
    return {"since": max(start, latest), "slug": ""}


def _next(place: Place, changes: Changes, given: Changes) -> NextCursor:
    """Where to go on: after everything given, and before everything a budget left out."""
    last = given.pages[-1] if given.pages else None
    page_since, slug = (last["last_modified"], last["slug"]) if last else (place.page_since, place.slug)
    facts_since = given.facts[-1].created_at if given.facts else place.since
    left_out = len(given.pages) + len(given.facts) < len(changes.pages) + len(changes.facts)
    # What a budget left out are facts first, so the cursor stays at the last fact given, and the pages' own place
    # travels behind the slug.
    since = facts_since if left_out else max(page_since, facts_since)
    if since == page_since:
        return {"since": since, "slug": slug}
    return {"since": since, "slug": f"{slug} {page_since}" if left_out else ""}


def _client(ctx: Context) -> str:
    return ctx.caller.client if ctx.caller.remote else "local"


def _delta_cost(row: Any) -> int:
    return estimate_tokens(row.fact) if isinstance(row, Fact) else estimate_tokens(f"{row['title']} {row['slug']}")
