"""The verb `recall`: facts, and the pages that answer a question."""

import math
from collections.abc import Sequence
from itertools import islice
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

from gbrain.domain.answers.evidence import EXTERNAL, fact_weight
from gbrain.domain.budget import pack
from gbrain.domain.entities import SELF, SELF_NAMES, bare_slug
from gbrain.domain.ranking.scoring import rarity
from gbrain.domain.slugs import alias_key, tail
from gbrain.domain.text import estimate_tokens, raw_terms
from gbrain.domain.times import parse_instant, parse_since, parse_store, store_time
from gbrain.domain.wire import FactRow, effective_confidence, fact_row
from gbrain.ops.find import retrieval_report
from gbrain.ops.retrieval import ALIKE_FROM, REPLAYED, SEARCHED, PageMatch, Retrieved, find_pages
from gbrain.ops.sourced import facts_view
from gbrain.registry import Context, Param, operation
from gbrain.store.engine import Terms
from gbrain.store.fact_filter import Filter
from gbrain.store.facts import MOST_READ
from gbrain.store.lists import slices
from gbrain.store.terms import any_of, coverage, held_share, query_terms
from gbrain.types import Fact, PageFilter, View

SESSION_LENGTH = 256
DEFAULT_LIMIT, MOST = 50, 100
PAGES = 10
"""How many pages come along when no limit is given: each brings a passage."""
GREP_PAGE, GREP_DEPTH = 500, 5_000
"""How many facts a grep reads at a time, and how many that match a query it looks through."""
ALIKE_FACTS, COSINE = 50, 0.8
"""How many facts the vector arm brings, and what a cosine is worth beside the share of a question's words."""
SURE, OUTSIDE = 0.05, -0.03
"""What a fact gains that is fully believed by now, and loses that comes from outside: both settle what is nearly equal,
and no data with known answers chose them."""
KEYWORD_ONLY = "keyword_only_no_embedding_provider"


class PageHit(TypedDict):
    """A page that answers a recall query; `provenance` is its slug."""

    slug: str
    title: str
    chunk: str
    evidence: str
    create_safety: str
    provenance: str
    source_id: str


class RecallReply(TypedDict):
    """Facts, and pages when there was a query. Budget fields stand only when a budget was given."""

    facts: list[FactRow]
    total: int
    results: NotRequired[list[PageHit]]
    search_degraded: NotRequired[str]
    pending_consolidation_count: NotRequired[int]
    budget_tokens: NotRequired[int]
    budget_used: NotRequired[int]
    dropped_count: NotRequired[int]
    protocol_version: Literal[1]


class Scored(NamedTuple):
    """A fact as a question found it: the share of the question's words it holds (0 to 1, the rare ones count more), how
    alike it is in meaning (the cosine, None where that was not looked at), and the sum that ranks it."""

    fact: Fact
    words: float
    meaning: float | None
    score: float


@operation(
    scope="read",
    surface="verbs",
    title="recall (memory read)",
    positional=("entity",),
    examples=(
        "gbrain recall people/dana-oakes",
        'gbrain recall --query "what does Dana drink" --budget-tokens 300',
        "gbrain recall dana-oakes --as-of 2031-05-01",
    ),
)
def recall(
    ctx: Context,
    entity: Annotated[str | None, Param("Only facts about this: a slug, a title or an alias.", names="entity")] = None,
    query: Annotated[str | None, Param("Words or a question: facts and pages are ranked by it.")] = None,
    budget_tokens: Annotated[
        float | None, Param("At most this many tokens of facts and pages; the rest is counted as dropped.")
    ] = None,
    since: Annotated[str | None, Param('Only facts from then on: an ISO date or time, or "3d ago".')] = None,
    session_id: Annotated[str | None, Param("Only facts saved in this session.")] = None,
    include_expired: Annotated[bool, Param("Also facts that were forgotten, replaced or have lapsed.")] = False,
    supersessions: Annotated[bool, Param("The facts that were replaced, with what replaced them.")] = False,
    limit: Annotated[float | None, Param("At most this many facts (50 unless given, 100 at most).")] = None,
    grep: Annotated[str | None, Param("Only facts that contain this text, in any case.")] = None,
    include_pending: Annotated[
        bool, Param("Add how many facts are saved but not yet compared with what was known; saving compares, so 0.")
    ] = False,
    as_of: Annotated[str | None, Param("What was known at this moment: an ISO date or time.")] = None,
    types: Annotated[list[str] | None, Param("Only pages of one of these types, and facts about them.")] = None,
    tags: Annotated[list[str] | None, Param("Only pages with all of these tags, and facts about them.")] = None,
) -> RecallReply:
    """Read what is known: facts about someone or something, or what answers a question.

    Filters combine. With a query, facts are ranked by it and pages come along; without one the newest come first.
    """
    view = facts_view(ctx)._replace(as_of=store_time(parse_instant(as_of, ctx.now)) if as_of else None)
    about = _about(ctx, view, entity) if entity is not None else Filter()
    wanted = about._replace(
        session=session_id[:SESSION_LENGTH] if session_id else None,
        since=store_time(parse_since(since, ctx.now)) if since else None,
        live=not include_expired,
        superseded=supersessions,
        page_types=tuple(types or ()),
        page_tags=tuple(tags or ()),
    )
    count = int(limit) if limit is not None and limit > 0 and float(limit).is_integer() else DEFAULT_LIMIT
    count = min(count, MOST)
    asked = query if query is not None and query.strip() else None
    ctx.meta["sources"] = list(view.sources)
    facts = _listed(ctx, view, wanted, count, grep) if query is None else []
    reason: str | None = None
    if asked is not None:
        ranked, reason = ranked_facts(ctx, view, asked, wanted, count, grep)
        facts = [one.fact for one in ranked]
    plain = asked is None and wanted.live and since is None and as_of is None and not grep
    if entity is not None and not facts and plain:
        _hint(ctx, view, entity, wanted)
    pages = None if query is None else _pages(ctx, asked, count if limit else PAGES, as_of, reason, wanted)
    if asked is not None and pages is not None:
        report = {
            "facts_retrieved": len(facts),
            "pages_retrieved": len(pages.matches),
            **retrieval_report(pages, reason),
        }
        ctx.meta["retrieval"] = report
    results = None if pages is None else [_page_hit(page) for page in pages.matches]
    reply = _reply(ctx, view, facts, results, budget_tokens, include_pending=include_pending)
    if asked is not None and (degraded := REPLAYED if as_of else reason) not in SEARCHED:
        reply["search_degraded"] = KEYWORD_ONLY if degraded == "no_provider" else f"keyword_only_{degraded}"
    return reply


def _pages(
    ctx: Context, asked: str | None, limit: int, as_of: str | None, reason: str | None, wanted: Filter
) -> Retrieved:
    """The pages that answer, at an earlier moment if one is asked for; none for a blank question."""
    if asked is None:
        return Retrieved([], ["keyword"] + ["vector"] * (reason in SEARCHED), reason)
    if as_of:
        # Few reads are of another time.
        from gbrain.ops.earlier import at
        from gbrain.ops.replaying import find_pages_at

        return find_pages_at(at(ctx, as_of), asked, limit, PageFilter(wanted.page_types, wanted.page_tags))
    return find_pages(ctx, asked, limit, PageFilter(wanted.page_types, wanted.page_tags))


def _about(ctx: Context, view: View, name: str) -> Filter:
    """The facts about a name, by the keys they are kept under: of its page, as it is called in this view, and of the
    bare name, since a private page takes no facts over that were saved before it.

    Where the page was named with its source, other sources have a say only by what they were told of its names.
    """
    named_in = view._replace(sources=ctx.view.sources)
    home = ctx.source if ctx.view.sources != view.sources else None
    if alias_key(name) in SELF_NAMES:
        pages = {page.slug for own in SELF_NAMES for page in ctx.store.names.find(named_in, own) if page.arm == "alias"}
        return Filter(entity_keys=(*sorted(pages), SELF), home=home)
    found = ctx.store.names.ranked(named_in, name)
    exact = [page.slug for page in found if page.arm == "slug"][:1]
    named = exact or [page.slug for page in found if page.arm != "tail"] or [page.slug for page in found[:1]]
    if len(named) > 1:
        ctx.warn(
            "entity_ambiguous",
            f"{name[:80]!r} is the name of {', '.join(named)}; these are the facts about all of them",
            candidates=named,
            suggestion="pass one of these slugs as entity",
        )
    said = [key for key in (bare_slug(name), alias_key(name)) if key]
    told: list[str] = []
    for page in found if len(view.sources) > 1 else ():
        if page.slug in named:
            told += ctx.store.facts.bare_keys(view, page.source_id, page.slug, page.title)
    return Filter(entity_keys=tuple(dict.fromkeys([*named, *said, *told])), home=home, bare=tuple(told))


def _hint(ctx: Context, view: View, name: str, wanted: Filter) -> None:
    """Say what became of the facts about an entity that has none, or what it could have been meant for."""
    if ctx.store.facts.select(view, wanted._replace(live=False), 1):
        ctx.warn(
            "no_facts_hold",
            f"nothing that was said of {name[:80]!r} holds any more; --include-expired shows what did",
            suggestion=f'gbrain recall "{name[:80]}" --include-expired',
        )
        return
    named = ctx.store.names.ranked(ctx.view, name)[:1]
    if named:
        slug = named[0].slug
        ctx.warn("no_facts", f"no fact is filed under {slug}; its page has text", suggestion=f"gbrain get {slug}")
        return
    near = [page.slug for page in ctx.store.names.near(ctx.view, name, 3)]
    near = [slug for slug in near if slug != name.strip()]
    near += ctx.store.facts.bearers(ctx.view, raw_terms(name)[:8], 3)
    meant = f"did you mean {', '.join(dict.fromkeys(near))}? " if near else ""
    ctx.warn(
        "no_facts",
        f"no fact is filed under {name[:80]!r}; {meant}to ask a question pass it as query",
        candidates=list(dict.fromkeys(near)),
        suggestion=f'gbrain recall --query "{name[:80]}"',
    )


def _listed(ctx: Context, view: View, wanted: Filter, count: int, grep: str | None) -> list[Fact]:
    if not grep:
        return ctx.store.facts.select(view, wanted, count)
    needle, kept, offset = grep.casefold(), list[Fact](), 0
    while len(kept) < count:
        some = ctx.store.facts.select(view, wanted, GREP_PAGE, offset)
        kept += [fact for fact in some if needle in fact.fact.casefold()]
        if len(some) < GREP_PAGE:
            break
        offset += GREP_PAGE
    return kept[:count]


def ranked_facts(
    ctx: Context, view: View, query: str, wanted: Filter, count: int, grep: str | None
) -> tuple[list[Scored], str | None]:
    """Facts by their words and by what they mean, and why meaning was not looked at.

    One that holds less than a third of a question's words answers it only if it is about someone the question names,
    or means the like.
    """
    spoken = ctx.store.languages.asked(view.sources)
    units = query_terms(query, spoken)
    found = ctx.store.facts.matching(view, any_of(query, "body", spoken), wanted, count)
    least = math.ceil(len(units) / 3)
    needle = grep.casefold() if grep else ""
    kept = (
        fact
        for fact, _ in islice(found, GREP_DEPTH if grep else count * 2)
        if needle in fact.fact.casefold()
        and (coverage(units, f"{fact.entity_slug or ''} {fact.fact}", spoken) >= least or _names(units, fact, spoken))
    )
    worded = list(islice(kept, count))
    # A filter is for what was found, so behind one more has to be.
    most = GREP_DEPTH if wanted.page_types or wanted.page_tags else ALIKE_FACTS
    near = ctx.meaning.nearest(view, query, most, ("fact",), live=wanted.live)
    alike = [hit.id for hit in near.hits if hit.cosine >= ALIKE_FROM]
    facts = {fact.id: fact for fact in worded}
    for some in slices(alike, MOST_READ):
        facts |= {
            fact.id: fact for fact in ctx.store.facts.chosen(view, some, wanted) if needle in fact.fact.casefold()
        }
    cosines = ctx.meaning.alike("fact", query, list(facts)) if near.reason in SEARCHED else {}
    frequencies = ctx.store.facts.frequencies(view, units)
    words = rarity(frequencies.held, frequencies.total)
    moment = parse_store(view.as_of) if view.as_of else ctx.now
    scored = []
    for id, fact in facts.items():
        share, cosine = held_share(units, words, f"{fact.entity_slug or ''} {fact.fact}", spoken), cosines.get(id)
        score = (
            share
            + COSINE * (cosine or 0.0)
            + SURE * effective_confidence(fact, moment)
            + OUTSIDE * (fact_weight(fact.provenance) == EXTERNAL)
        )
        scored.append(Scored(fact, share, cosine, score))
    return sorted(scored, key=lambda one: -one.score)[:count], near.reason


def _names(units: list[Terms], fact: Fact, spoken: Sequence[str]) -> bool:
    return fact.entity_slug is not None and coverage(units, tail(fact.entity_slug), spoken) > 0


def _page_hit(page: PageMatch) -> PageHit:
    return {
        "slug": page.page.slug,
        "title": page.page.title,
        "chunk": page.text,
        "evidence": page.evidence,
        "create_safety": page.create_safety,
        "provenance": page.page.slug,
        "source_id": page.page.source_id,
    }


def _reply(
    ctx: Context,
    view: View,
    facts: list[Fact],
    results: list[PageHit] | None,
    budget: float | None,
    *,
    include_pending: bool,
) -> RecallReply:
    rows: list[Any] = [*facts, *(results or ())]
    packed = pack(rows, _cost, budget)
    moment = parse_store(view.as_of) if view.as_of else ctx.now
    kept = [fact_row(row, moment) for row in packed.kept if isinstance(row, Fact)]
    reply: RecallReply = {"facts": kept, "total": len(kept), "protocol_version": 1}
    if results is not None:
        reply["results"] = [row for row in packed.kept if not isinstance(row, Fact)]
    if include_pending:
        reply["pending_consolidation_count"] = 0
    if budget is not None and budget > 0:
        reply["budget_tokens"] = math.floor(budget)
        reply["budget_used"] = packed.used
        reply["dropped_count"] = packed.dropped
    return reply


def _cost(row: Any) -> int:
    return estimate_tokens(row.fact) if isinstance(row, Fact) else estimate_tokens(f"{row['title']} {row['chunk']}")
