"""The verb `entity`: one card of what is known about a name."""

import time
from collections.abc import Sequence
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from gbrain.domain.entities import bare_slug
from gbrain.domain.slugs import alias_key, split_aliases, title_from_slug
from gbrain.domain.text import raw_terms
from gbrain.domain.times import parse_store, store_time, wire_time
from gbrain.domain.wire import Thread, by_confidence, wire_date
from gbrain.errors import InvalidParams
from gbrain.ops.binding import entity_words
from gbrain.ops.sourced import facts_view
from gbrain.registry import Context, Param, operation
from gbrain.store.fact_filter import Filter
from gbrain.types import Fact, Named, Page, TimelineEntry, View

OPEN_THREADS, EDGES, SUGGESTIONS = 3, 10, 3
RECENT_DAYS = 90
FACTS_COUNTED = 100
UNWRITTEN = "unwritten"
"""The type on the card of an entity that facts are about and no page is of."""


class Edge(TypedDict):
    """A typed link of the entity; `slug` is the page at its other end."""

    type: str
    direction: Literal["out", "in"]
    slug: str
    context: str | None


class EntityName(TypedDict):
    """Which page the card is of."""

    slug: str
    title: str
    type: str


class LastTouched(TypedDict):
    """When the page changed and when its latest dated evidence is from.

    Reads are not recorded: `last_retrieved_at` is null.
    """

    updated_at: str
    last_retrieved_at: str | None
    last_timeline_date: str | None


class Card(TypedDict):
    """What is known about one entity at a glance."""

    entity: EntityName
    aka: list[str]
    summary: str
    last_touched: LastTouched
    open_threads: list[Thread]
    edges: list[Edge]
    backlink_count: int
    active_fact_count: int


class Suggestion(TypedDict):
    """Another page the name could mean."""

    slug: str
    title: str
    create_safety: Literal["exists", "probable", "unknown"]


class EntityReply(TypedDict):
    """A card, or the nearest names. `suggestions` is left out of an unambiguous answer."""

    protocol_version: Literal[1]
    found: bool
    latency_ms: float
    card: NotRequired[Card]
    suggestions: NotRequired[list[Suggestion]]


@operation(
    scope="read",
    surface="verbs",
    title="entity (card lookup, zero LLM)",
    positional=("name",),
    examples=(
        'gbrain entity "Dana Oakes"',
        "gbrain entity people/dana-oakes --json",
        'gbrain entity "Dana Oakes" --as-of 2031-05-01',
    ),
)
def entity(
    ctx: Context,
    name: Annotated[
        str, Param("A person, company, project or other page: its slug, title or an alias.", names="entity")
    ],
    as_of: Annotated[str | None, Param("What was known at this moment: an ISO date or time.")] = None,
) -> EntityReply:
    """Look someone or something up: one card with summary, open threads, links and counts, without any model.

    A name nobody bears gets the nearest names as suggestions, never a guess.
    """
    started = time.perf_counter()
    if not name.strip():
        raise InvalidParams("the name is empty", 'pass a name, such as name: "Dana Oakes"')
    if as_of:
        from gbrain.ops.earlier import at  # few reads are of another time

        ctx = at(ctx, as_of)
    page, others = called(ctx, name)
    reply: EntityReply = {"protocol_version": 1, "found": page is not None, "latency_ms": 0.0}
    if page is not None:
        reply["card"] = card(ctx, page)
        if others:
            reply["suggestions"] = [_suggestion(other, "exists") for other in others[:SUGGESTIONS]]
    elif (unwritten := unwritten_card(ctx, name)) is not None:
        reply["found"], reply["card"] = True, unwritten
    else:
        # Names of now are none of then.
        reply["suggestions"] = _near(ctx, name) if len(name) <= 255 and not as_of else []
    reply["latency_ms"] = round((time.perf_counter() - started) * 1000, 2)
    return reply


def called(ctx: Context, name: str) -> tuple[Page | None, Sequence[Named | Page]]:
    """The page that a name leads to, at the moment of the view, and what else it could mean."""
    if ctx.view.as_of is not None:
        from gbrain.ops.earlier import pages_called  # few reads are of another time

        then = pages_called(ctx, name)
        return (then[0] if then else None), then[1:]
    found = ctx.store.names.ranked(ctx.view, name) if len(name) <= 255 else []
    pages = ctx.store.pages.by_ids(ctx.view, [found[0].page_id]) if found else []
    return (pages[0] if pages else None), found[1:]


def _entries(ctx: Context, view: View, page: Page, **bounds: Any) -> list[TimelineEntry]:
    if view.as_of is None:
        return ctx.store.timeline.of(view, page.id, **bounds)
    from gbrain.ops.earlier import entries_at  # few reads are of another time

    return entries_at(ctx._replace(view=view), page, **bounds)


def _aliases(ctx: Context, page: Page) -> list[str]:
    if ctx.view.as_of is None:
        return ctx.store.names.aliases([page.id]).get(page.id, [])
    return sorted(alias_key(alias) for alias in split_aliases(page.frontmatter.get("aliases")))


def card(ctx: Context, page: Page) -> Card:
    """The card of a page, as this caller may see it."""
    view = ctx.view._replace(sources=(page.source_id,))
    dated = _entries(ctx, view, page, limit=1)
    wider = facts_view(ctx)
    about = ctx.store.facts.about(wider, page)
    return {
        "entity": {"slug": page.slug, "title": page.title, "type": page.type},
        "aka": [alias for alias in _aliases(ctx, page) if alias != alias_key(page.title)],
        "summary": page.summary,
        "last_touched": {
            "updated_at": wire_time(page.last_modified) or "",
            "last_retrieved_at": None,
            "last_timeline_date": wire_date(dated[0].date) if dated else None,
        },
        "open_threads": open_threads(ctx, page, about, since=None),
        "edges": _edges(ctx, page),
        "backlink_count": ctx.store.links.backlinks(view, page.id),
        "active_fact_count": ctx.store.facts.count(wider, about, FACTS_COUNTED),
    }


def unwritten_card(ctx: Context, name: str) -> Card | None:
    """The card of a name no page bears but facts are about; None when there are none."""
    key = bare_slug(name) if len(name) <= 255 else None
    facts = ctx.store.facts.select(ctx.view, Filter(entity_keys=(key,)), FACTS_COUNTED) if key else []
    # A fact without a slug was given a name that could mean several: it makes no entity of that name.
    facts = [fact for fact in facts if fact.entity_slug is not None]
    if not facts or key is None:
        return None
    commitments = [fact for fact in facts if fact.kind == "commitment"][:OPEN_THREADS]
    return {
        "entity": {"slug": key, "title": title_from_slug(key), "type": UNWRITTEN},
        "aka": [],
        "summary": by_confidence(facts, ctx.now)[0].fact,
        "last_touched": {
            "updated_at": wire_time(max(fact.created_at for fact in facts)) or "",
            "last_retrieved_at": None,
            "last_timeline_date": None,
        },
        "open_threads": [_commitment(fact) for fact in commitments],
        "edges": [],
        "backlink_count": 0,
        "active_fact_count": len(facts),
    }


def _commitment(fact: Fact) -> Thread:
    return {"kind": "commitment", "text": fact.fact, "date": wire_time(fact.valid_from) or ""}


def open_threads(ctx: Context, page: Page, about: Filter, *, since: str | None) -> list[Thread]:
    """Live commitments about a page, then its timeline of the last 90 days; newest first, at most three.

    `about` are the facts about it; `since` (store text) leaves out what is older.
    """
    wanted = about._replace(kind="commitment", since=since)
    threads = [_commitment(fact) for fact in ctx.store.facts.select(facts_view(ctx), wanted, OPEN_THREADS)]
    if len(threads) < OPEN_THREADS:
        view = ctx.view._replace(sources=(page.source_id,))
        earliest = _days_before(view.now, RECENT_DAYS)
        entries = _entries(
            ctx,
            view,
            page,
            since=max(earliest, since[:10]) if since else earliest,
            until=view.now[:10],
            limit=OPEN_THREADS,
        )
        threads += [{"kind": "recent_event", "text": entry.summary, "date": wire_date(entry.date)} for entry in entries]
    return threads[:OPEN_THREADS]


def _edges(ctx: Context, page: Page) -> list[Edge]:
    edges: list[Edge] = []
    for direction in ("out", "in"):
        if len(edges) < EDGES:
            for link in ctx.store.links.of(ctx.view, page.id, direction, counted=True, limit=EDGES - len(edges)):
                slug = link.to_slug if direction == "out" else link.from_slug
                edges.append({"type": link.link_type, "direction": direction, "slug": slug, "context": link.context})
    return edges


def _near(ctx: Context, name: str) -> list[Suggestion]:
    words = set(raw_terms(name))
    near = ctx.store.names.near(ctx.view, name, SUGGESTIONS)
    if not near:
        bearers = ctx.store.facts.bearers(ctx.view, raw_terms(name)[:8], SUGGESTIONS)
        return [{"slug": slug, "title": title_from_slug(slug), "create_safety": "probable"} for slug in bearers]
    return [_suggestion(page, "probable" if words and words <= _name_words(ctx, page) else "unknown") for page in near]


def _name_words(ctx: Context, page: Named) -> set[str]:
    return {word for text in entity_words(ctx.store, page) for word in raw_terms(text)}


def _suggestion(page: Named | Page, safety: Literal["exists", "probable", "unknown"]) -> Suggestion:
    return {"slug": page.slug, "title": page.title, "create_safety": safety}


def _days_before(now: str, days: int) -> str:
    moment = parse_store(now)
    return store_time(moment.fromtimestamp(moment.timestamp() - days * 86400, moment.tzinfo))[:10]
