"""The operations that find pages, and the whole text of one that was found."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

from gbrain.domain.budget import Packed, pack
from gbrain.domain.passages import clip_passage
from gbrain.domain.ranking.reasons import found_because, words_alone
from gbrain.domain.slugs import MAX_SLUG
from gbrain.domain.text import estimate_tokens, raw_terms
from gbrain.domain.times import parse_bound, wire_time
from gbrain.ops.pages import SourceId, effective_date, readable_text
from gbrain.ops.retrieval import REPLAYED, PageMatch, Retrieved, find_pages
from gbrain.ops.which_page import page_of
from gbrain.registry import Context, Param, operation
from gbrain.store.engine import Match, Terms
from gbrain.store.fact_filter import Filter
from gbrain.store.terms import any_of, coverage, index_terms, query_terms
from gbrain.types import ALL_PAGES, PageFilter

Mode = Literal["conservative", "balanced", "tokenmax"]
Empty = Literal["nothing_to_search", "no_match", "filtered", "past_the_end"]
"""Why an answer is empty: there is no page, none matches, none that passes the filter does, the offset is past all."""


class Bounds(NamedTuple):
    """What a mode lets a search return: hits, and tokens (None: no bound)."""

    limit: int
    tokens: int | None


MODES: dict[Mode, Bounds] = {
    "conservative": Bounds(10, 4_000),
    "balanced": Bounds(25, 12_000),
    "tokenmax": Bounds(50, None),
}
LIMIT_MOST = 100
FACTS_TRIED = 8
"""Where no page answers, so many facts are looked at to say whether they do."""

Limit = Annotated[
    float | None, Param("At most this many pages; the mode's number unless given.", minimum=0, maximum=LIMIT_MOST)
]
Offset = Annotated[float, Param("Leave out this many first.", minimum=0, maximum=1000)]
SearchMode = Annotated[Mode | None, Param("How much may come back; the setting search.mode unless given.")]
OfTypes = Annotated[list[str] | None, Param("Only pages of one of these types.")]
WithTags = Annotated[list[str] | None, Param("Only pages with all of these tags.")]
Since = Annotated[
    str | None, Param("Only pages with a date of their own or in their timeline from then on: a date, a month, or 30d.")
]
Until = Annotated[str | None, Param("Only pages with such a date up to then, that day, month or year included.")]
SnippetChars = Annotated[float | None, Param("At most this many characters of each page.", minimum=1, maximum=10_000)]
Explain = Annotated[bool, Param("Say why each hit was found: arms, ranks, what its score is made of.")]

PARTIAL_SLUGS, FILTERED_SLUGS = 10, 10_000
"""Slugs that a part of a name gives, and pages of such a name that are looked through for those that fit a filter."""
CHUNKS_OF_A_PAGE = 4_096
"""More than any page has: a chunk's id is its page's, times this, plus its number there."""


class Explained(TypedDict):
    """Why a page was found. `arm` is how, `ranks` its place in each arm that brought it, `parts` what the score is made
    of: words of the passage (`unit`), of its neighbourhood (`window`), of its `page`, its `vector`, its `form`, and
    that it is of the `time` the question states. `share` is how much of the weight of the question's words the page
    holds."""

    arm: str
    ranks: dict[str, int]
    parts: dict[str, float]
    share: float
    why: str


class SearchRow(TypedDict):
    """A page that answers the query. `id` is what `fetch` takes; flags stand where they hold.

    `found_through` is what `query` asked beside the question, where only that led to the page; `also` names pages
    that say the same.
    """

    slug: str
    page_id: int
    title: str
    type: str
    chunk_text: str
    chunk_source: Literal["compiled_truth", "timeline"]
    chunk_id: int
    chunk_index: int
    score: float
    base_score: float
    stale: bool
    source_id: str
    effective_date: str | None
    effective_date_source: str
    keyword_hit: bool
    evidence: str
    create_safety: str
    id: str
    exact_lookup: NotRequired[bool]
    alias_hit: NotRequired[bool]
    title_match: NotRequired[bool]
    cosine: NotRequired[float]
    recency_boost: NotRequired[float]
    found_through: NotRequired[str]
    also: NotRequired[list[str]]
    explain: NotRequired[Explained]


class FetchMetadata(TypedDict):
    """What is known of a fetched page beside its text."""

    type: str
    source_id: str
    updated_at: str
    tags: list[str]
    version: int


class FetchReply(TypedDict):
    """A whole page as one text."""

    id: str
    title: str
    text: str
    url: str
    metadata: FetchMetadata


@operation(
    scope="read",
    surface="starter",
    title="Search pages",
    positional=("query",),
    examples=(
        'gbrain search "harbour budget"',
        "gbrain search 预算 --limit 5 --json",
        'gbrain search "harbour budget" --as-of 2031-05-01',
    ),
)
def search(
    ctx: Context,
    query: Annotated[str, Param("Words, a name or a question. Everything in it is text: there is no query syntax.")],
    limit: Limit = None,
    offset: Offset = 0,
    mode: SearchMode = None,
    types: OfTypes = None,
    tags: WithTags = None,
    since: Since = None,
    until: Until = None,
    snippet_chars: SnippetChars = None,
    explain: Explain = False,
    as_of: Annotated[
        str | None, Param("Search the texts as they stood at this moment, by words alone: an ISO date or time.")
    ] = None,
    source_id: SourceId = None,
) -> list[SearchRow]:
    """Find pages by name or by their words, each with the passage that answers best.

    A page whose title, alias or slug is the query comes first. No match is an empty list.
    """
    bounds = MODES[mode_in_force(ctx, mode)]
    start, count = int(offset), int(limit) if limit else bounds.limit
    search: Callable[[Context, str, int, PageFilter], Retrieved] = find_pages
    if as_of:
        # Few reads are of another time.
        from gbrain.ops.earlier import at
        from gbrain.ops.replaying import find_pages_at

        ctx, search = at(ctx, as_of), find_pages_at
    only = page_filter(ctx, types, tags, since, until)
    found = search(ctx, query, start + count, only)
    rows = [search_row(match, snippet_chars, explain=explain) for match in found.matches[start:]]
    return packed_rows(ctx, query, found, rows, bounds.tokens, start, filtered=only != ALL_PAGES)


def page_filter(
    ctx: Context,
    types: Sequence[str] | None,
    tags: Sequence[str] | None,
    since: str | None = None,
    until: str | None = None,
) -> PageFilter:
    """The filter that these parameters make; raises InvalidParams for a date that is none."""
    ends = [parse_bound(end, ctx.now) if end and end.strip() else None for end in (since, until)]
    return PageFilter(tuple(types or ()), tuple(tags or ()), *ends)


def packed_rows(
    ctx: Context,
    query: str,
    found: Retrieved,
    rows: list[SearchRow],
    budget: int | None,
    start: int,
    *,
    filtered: bool = False,
) -> list[SearchRow]:
    """The rows that fit in a budget; `_meta.retrieval` and warnings say how the search went and what was left out."""
    packed = pack(rows, lambda row: estimate_tokens(f"{row['title']} {row['chunk_text']}"), budget)
    _report(ctx, found, packed, len(rows), budget, start)
    if not rows and query.strip():
        _missed(ctx, query, found, filtered=filtered)
    return packed.kept


@operation(
    scope="read",
    surface="full",
    title="Fetch a page by its id",
    positional=("id",),
    cli=None,
    examples=('gbrain call fetch \'{"id": "people/dana-oakes"}\'',),
)
def fetch(
    ctx: Context,
    id: Annotated[str, Param("A slug, source:slug, or gbrain://page/source/slug, as search gives it.", names="page")],
) -> FetchReply:
    """Fetch a whole page as one text, front matter included, by the id that search gave: put_page takes it back."""
    from gbrain.sources.pages import render  # yaml takes 20 ms to load, and only page texts need it

    page = page_of(ctx, id)
    return {
        "id": f"{page.source_id}:{page.slug}",
        "title": page.title,
        "text": readable_text(ctx, render(page)),
        "url": f"gbrain://page/{page.source_id}/{page.slug}",
        "metadata": {
            "type": page.type,
            "source_id": page.source_id,
            "updated_at": wire_time(page.last_modified) or "",
            "tags": list(page.tags),
            "version": page.version,
        },
    }


@operation(
    scope="read",
    surface="starter",
    title="Find slugs by part of a name",
    positional=("partial",),
    cli=None,
    examples=('gbrain call resolve_slugs \'{"partial": "alice exm"}\'',),
)
def resolve_slugs(
    ctx: Context,
    partial: Annotated[str, Param("Part of a slug, title or alias; a misspelt letter is fine.")],
    types: OfTypes = None,
    tags: WithTags = None,
    source_id: SourceId = None,
) -> list[str]:
    """Find the slugs a name or a part of one may mean, the likeliest first."""
    if not partial.strip() or len(partial) > MAX_SLUG:
        return []
    names, most = ctx.store.names, FILTERED_SLUGS if types or tags else PARTIAL_SLUGS
    found = names.ranked(ctx.view, partial)
    # Each word becomes a clause of the query, and a name has few.
    words = raw_terms(partial)[:8]
    if words:
        spoken = ctx.store.languages.asked(ctx.view.sources)
        begun = Match(must=tuple(Terms((_beginning(word, spoken),), "names", prefix=True) for word in words))
        found += names.bearing(ctx.view, begun, most)
    found += names.near(ctx.view, partial, most, cut=True)
    only = PageFilter(tuple(types or ()), tuple(tags or ()))
    fitting = ctx.store.pages.fitting(ctx.view, [named.page_id for named in found], only)
    return list(dict.fromkeys(named.slug for named in found if named.page_id in fitting))[:PARTIAL_SLUGS]


def _beginning(word: str, spoken: Sequence[str]) -> str:
    """What a word and its stems begin with alike: the index holds stems, and the word may be cut short."""
    stems = [index_terms(word, language) for language in spoken]
    ends = range(len(word), 0, -1)
    return next((word[:end] for end in ends if all(stem.startswith(word[:end]) for stem in stems)), word)


def _missed(ctx: Context, query: str, found: Retrieved, *, filtered: bool) -> None:
    """Say why an answer is empty, and which names the query may have meant."""
    empty: Empty = "filtered" if filtered else "no_match"
    if found.matches:
        empty = "past_the_end"
    elif not ctx.store.names.count(ctx.view):
        empty = "nothing_to_search"
    ctx.meta["retrieval"]["empty"] = empty
    if empty == "past_the_end":
        ctx.warn("past_the_end", "all hits come before this offset", suggestion="pass a lower offset")
        return
    # Names of now are none of then.
    asked = len(query) <= MAX_SLUG and ctx.view.as_of is None
    near = [page.slug for page in ctx.store.names.near(ctx.view, query, 3)] if asked else []
    alone = "" if found.reason is None else f"; {words_alone(found.reason)}"
    told = not filtered and _facts_tell(ctx, query)
    other = f'ask for them: gbrain recall --query "{query[:80]}"' if told else "try fewer or other words"
    besides = " that the filters let through" if filtered else ", but facts do: recall finds them" if told else ""
    ctx.warn(
        "no_match",
        f"no page matched{besides}{alone}",
        candidates=near,
        suggestion=f"did you mean {', '.join(near)}?" if near and not told else other,
    )


def _facts_tell(ctx: Context, query: str) -> bool:
    """Whether a fact of now holds a third of the query's words or more."""
    spoken = ctx.store.languages.asked(ctx.view.sources)
    units = query_terms(query, spoken)
    some = ctx.store.facts.matching(ctx.view, any_of(query, "body", spoken), Filter(), FACTS_TRIED)
    return bool(units) and any(
        3 * coverage(units, f"{fact.entity_slug or ''} {fact.fact}", spoken) >= len(units)
        for fact, _ in islice(some, FACTS_TRIED)
    )


def search_row(match: PageMatch, chars: float | None, *, explain: bool = False) -> SearchRow:
    """A hit as it is answered, with at most so many characters of its passage, and why it was found if asked."""
    page = match.page
    row: SearchRow = {
        "slug": page.slug,
        "page_id": page.id,
        "title": page.title,
        "type": page.type,
        "chunk_text": match.text if chars is None else clip_passage(match.text, int(chars), page.slug),
        "chunk_source": "timeline" if match.in_timeline else "compiled_truth",
        # Not the row's own number, whose gaps would tell of chunks of hidden pages.
        "chunk_id": page.id * CHUNKS_OF_A_PAGE + (match.chunk.ordinal if match.chunk else 0),
        "chunk_index": match.chunk.ordinal if match.chunk else 0,
        "score": round(match.score, 4),
        "base_score": round(match.covered, 4),
        "stale": False,
        "source_id": page.source_id,
        "effective_date": effective_date(page),
        "effective_date_source": page.effective_date_source,
        "keyword_hit": match.arm in ("part", "all_words", "some_words"),
        "evidence": match.evidence,
        "create_safety": match.create_safety,
        "id": f"{page.source_id}:{page.slug}",
    }
    if match.arm in ("slug", "title", "tail"):
        row["exact_lookup"] = True
    if match.arm == "alias":
        row["alias_hit"] = True
    if match.arm == "title":
        row["title_match"] = True
    if match.cosine is not None:
        row["cosine"] = round(match.cosine, 4)
    if match.also:
        row["also"] = [f"{page.source_id}:{page.slug}" for page in match.also]
    if explain:
        row["explain"] = explained(match)
    return row


def explained(match: PageMatch) -> Explained:
    """Why a page was found."""
    ranks = {name: rank for name, rank in match.ranks._asdict().items() if rank is not None}
    parts = {} if match.parts is None else {name: round(part, 4) for name, part in match.parts._asdict().items()}
    why = found_because(match.arm, parts, ranks)
    return {"arm": match.arm, "ranks": ranks, "parts": parts, "share": round(match.covered, 4), "why": why}


def mode_in_force(ctx: Context, asked: Mode | None) -> Mode:
    """The mode in force: the one asked for; a remote caller may only narrow the owner's."""
    stored = ctx.settings.get("search.mode")
    chosen: Mode = next(mode for mode in MODES if mode == stored)
    if asked is None or asked == chosen:
        return chosen
    # The modes stand in the order of how much they return.
    order = list(MODES)
    if ctx.caller.remote and order.index(asked) > order.index(chosen):
        ctx.warn(
            "mode_narrowed",
            f"the owner of this brain lets a search return as much as {chosen!r} allows; {asked!r} was not used",
            suggestion=f"the owner can run: gbrain config set search.mode {asked}",
        )
        return chosen
    return asked


def retrieval_report(found: Retrieved, facts: str | None = None) -> dict[str, Any]:
    """What `_meta.retrieval` says of every search: which arms ran, and which did not and why.

    `facts` is what was missing of a search of facts beside it.
    """
    found = found._replace(reason=found.reason or facts)
    report: dict[str, Any] = {"arms": found.arms, "vector_enabled": "vector" in found.arms, "degraded": []}
    if found.reason == REPLAYED:
        report["degraded"] = [{"stage": "vector_off", "reason": found.reason}]
    elif found.reason is not None:
        report["degraded"] = [{"stage": "embed_unavailable", "reason": found.reason}]
    return report


def _report(
    ctx: Context,
    found: Retrieved,
    packed: Packed[SearchRow],
    retrieved: int,
    budget: int | None,
    start: int,
) -> None:
    """Say in `_meta.retrieval` how the search went, and what the budget left out."""
    ctx.meta["retrieval"] = {
        "returned_count": len(packed.kept),
        "retrieved_count": retrieved,
        **retrieval_report(found),
        "expansion_applied": False,
        "cache": "disabled",
        "token_budget": {"budget": budget, "used": packed.used, "dropped": packed.dropped, "kept": len(packed.kept)},
    }
    if packed.dropped:
        ctx.warn(
            "budget_dropped",
            f"{packed.dropped} more pages were found than fit in {budget} tokens",
            suggestion=f"pass offset: {start + len(packed.kept)}, or a smaller snippet_chars",
        )
