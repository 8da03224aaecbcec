"""Finding pages: exact names first by rule, then keywords; and the operations that return what was found."""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Annotated, Literal, NamedTuple, NotRequired, TypedDict

from gbrain.domain.budget import Packed, pack
from gbrain.domain.markdown import split_body, strip_facts_fence
from gbrain.domain.passages import Passage, best_passage, clip_passage
from gbrain.domain.slugs import MAX_SLUG
from gbrain.domain.text import estimate_tokens, raw_terms
from gbrain.domain.times import wire_time
from gbrain.errors import InvalidParams
from gbrain.ops.pages import SourceId, effective_date, missing_page, page_of, readable_text
from gbrain.ops.writing import own_view
from gbrain.registry import Context, Param, operation
from gbrain.store.engine import Match, Terms
from gbrain.store.terms import coverage, index_terms, query_terms
from gbrain.types import Page

Arm = Literal["alias", "slug", "title", "tail", "all_words", "some_words"]
Mode = Literal["conservative", "balanced", "tokenmax"]


class Bounds(NamedTuple):
    """What a mode lets a search return: hits, and tokens (None: no bound)."""

    limit: int
    tokens: int | None


MODES: dict[Mode, Bounds] = {
    "conservative": Bounds(10, 4_000),
    "balanced": Bounds(25, 12_000),
    "tokenmax": Bounds(50, None),
}
LIMIT_MOST, OFFSET_MOST = 100, 1000
EVIDENCE: dict[Arm, tuple[str, str]] = {
    "alias": ("alias_hit", "exists"),
    "slug": ("exact_title_match", "exists"),
    "title": ("exact_title_match", "exists"),
    "tail": ("exact_title_match", "exists"),
    "all_words": ("keyword_exact", "probable"),
    "some_words": ("weak_semantic", "unknown"),
}
"""What a hit proves and whether a page for the query would be a second one, by how the page was found."""

CERTAIN, ALL_WORDS, SOME_WORDS = 1.0, 0.6, 0.59
COMBINED_UNITS = 5
CANDIDATES, BATCH = 100, 20
READ_CHARS = 200_000
PARTIAL_SLUGS = 10


class PageMatch(NamedTuple):
    """A page that answers a query, its best passage, and how it was found.

    `score` is 1 for a name, 0.6 to 1 when every word of the query stands on the page, less when only some do.
    """

    page: Page
    passage: Passage
    part: Literal["compiled_truth", "timeline"]
    score: float
    arm: Arm

    @property
    def slug(self) -> str:
        """The page's slug."""
        return self.page.slug

    @property
    def title(self) -> str:
        """The page's title."""
        return self.page.title

    @property
    def source_id(self) -> str:
        """The page's source."""
        return self.page.source_id

    @property
    def chunk(self) -> str:
        """The passage, or for a page without text what is known of it."""
        return self.passage.text or self.page.summary or self.page.title

    @property
    def evidence(self) -> str:
        """Why the page was found."""
        return EVIDENCE[self.arm][0]

    @property
    def create_safety(self) -> str:
        """Whether a new page for the query would be a second one: exists, probable or unknown."""
        return EVIDENCE[self.arm][1]


class SearchRow(TypedDict):
    """A page that answers the query. `id` is what `fetch` takes; flags stand where they hold."""

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
    examples=('gbrain search "harbour budget"', "gbrain search 预算 --limit 5 --json"),
)
def search(
    ctx: Context,
    query: Annotated[str, Param("Words, a name or a question. Everything in it is text: there is no query syntax.")],
    limit: Annotated[
        float | None,
        Param("At most this many pages; the mode's number unless given.", minimum=0, maximum=LIMIT_MOST),
    ] = None,
    offset: Annotated[float, Param("Leave out this many first.", minimum=0, maximum=OFFSET_MOST)] = 0,
    mode: Annotated[Mode | None, Param("How much may come back; the setting search.mode unless given.")] = None,
    types: Annotated[list[str] | None, Param("Only pages of one of these types.")] = None,
    tags: Annotated[list[str] | None, Param("Only pages with all of these tags.")] = None,
    snippet_chars: Annotated[
        float | None, Param("At most this many characters of each page.", minimum=1, maximum=10_000)
    ] = None,
    source_id: SourceId = None,
) -> list[SearchRow]:
    """Find pages by name or by their words, each with the passage that answers best.

    A page whose title, alias or slug is the query comes first. No match is an empty list.
    """
    bounds = MODES[_mode(ctx, mode)]
    start, count = int(offset), int(limit) if limit else bounds.limit
    found = find_pages(ctx, query, start + count, types or (), tags or ())[start:]
    rows = [_search_row(match, int(snippet_chars) if snippet_chars else None) for match in found]
    packed = pack(rows, lambda row: estimate_tokens(f"{row['title']} {row['chunk_text']}"), bounds.tokens)
    _report(ctx, query, packed, len(rows), bounds.tokens, start)
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
    id: Annotated[str, Param("A slug, source:slug, or gbrain://page/source/slug, as search gives it.")],
) -> FetchReply:
    """Fetch a whole page as one text, front matter included, by the id that search gave: put_page takes it back."""
    from gbrain.sources.pages import render  # yaml takes 20 ms to load, and only page texts need it

    source, slug = _address(id)
    if source is not None and source not in ctx.extent.granted:
        raise missing_page(ctx, slug)
    page = page_of(ctx if source is None else ctx._replace(view=own_view(ctx, source)), slug)
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
    ctx: Context, partial: Annotated[str, Param("Part of a slug, title or alias; a misspelt letter is fine.")]
) -> list[str]:
    """Find the slugs a name or a part of one may mean, the likeliest first."""
    if not partial.strip() or len(partial) > MAX_SLUG:
        return []
    found = [page.slug for page in ctx.store.names.ranked(ctx.view, partial)]
    words = raw_terms(partial)[:8]
    if words:
        spoken = ctx.store.languages.asked(ctx.view.sources)
        begun = Match(must=tuple(Terms((_beginning(word, spoken),), "names", prefix=True) for word in words))
        ids = [id for id, _ in ctx.store.pages.search(ctx.view, begun, PARTIAL_SLUGS)]
        found += [page.slug for page in ctx.store.names.pages(ctx.view, ids, "near")]
    found += [page.slug for page in ctx.store.names.near(ctx.view, partial, PARTIAL_SLUGS)]
    return list(dict.fromkeys(found))[:PARTIAL_SLUGS]


def find_pages(
    ctx: Context, query: str, limit: int, types: Sequence[str] = (), tags: Sequence[str] = ()
) -> list[PageMatch]:
    """The pages that answer a query, best first: those it names, those with all its words, those with half of them.

    A page that holds less than half of the words is no answer, so unknown words find nothing.
    """
    spoken = ctx.store.languages.asked(ctx.view.sources)
    units = query_terms(query, spoken)
    matches = _named(ctx, query, limit, types, tags)
    if units and len(matches) < limit:
        matches += _worded(ctx, units, spoken, limit - len(matches), types, tags, {match.page.id for match in matches})
    pieces = _pieces(units)
    return [_with_passage(match, pieces, spoken) for match in matches]


def _named(ctx: Context, query: str, limit: int, types: Sequence[str], tags: Sequence[str]) -> list[PageMatch]:
    """The pages that the query is a name of. The end of a slug counts only when it is one page's alone."""
    if not query.strip() or len(query) > MAX_SLUG:
        return []
    ranked = ctx.store.names.ranked(ctx.view, query)
    kept = {named.page_id: named.arm for named in ranked if named.arm != "tail" or len(ranked) == 1}
    pages = [page for page in ctx.store.pages.by_ids(ctx.view, list(kept)[:limit]) if _fits(page, types, tags)]
    return [PageMatch(page, _NOTHING, "compiled_truth", CERTAIN, _arm(kept[page.id])) for page in pages]


def _worded(
    ctx: Context,
    units: list[Terms],
    spoken: Sequence[str],
    limit: int,
    types: Sequence[str],
    tags: Sequence[str],
    without: set[int],
) -> list[PageMatch]:
    wanted = limit + len(without)
    hits = ctx.store.pages.search(ctx.view, Match(must=tuple(units)), wanted, types=types, tags=tags)
    hits = [(id, score) for id, score in hits if id not in without][:limit]
    top = max((score for _, score in hits), default=0.0)
    scores = {id: ALL_WORDS + (1 - ALL_WORDS) * _share(score, top) for id, score in hits}
    matches = [
        PageMatch(page, _NOTHING, "compiled_truth", scores[page.id], "all_words")
        for page in ctx.store.pages.by_ids(ctx.view, list(scores))
    ]
    pieces = _pieces(units)
    if len(matches) < limit and len(pieces) > 1:
        matches += _partly(ctx, pieces, spoken, limit - len(matches), types, tags, without | scores.keys())
    return matches


def _partly(
    ctx: Context,
    pieces: list[Terms],
    spoken: Sequence[str],
    limit: int,
    types: Sequence[str],
    tags: Sequence[str],
    without: set[int],
) -> list[PageMatch]:
    """Pages with at least half of a query's pieces, by how many they hold and then by BM25."""
    least = math.ceil(len(pieces) / 2)
    wanted = min(CANDIDATES, limit * 3 + BATCH) + len(without)
    found = ctx.store.pages.search(ctx.view, Match(should=_at_least(pieces, least)), wanted, types=types, tags=tags)
    hits = {id: score for id, score in found if id not in without}
    top = max(hits.values(), default=0.0)
    matches: list[PageMatch] = []
    ids = list(hits)
    for at in range(0, len(ids), BATCH):
        for page in ctx.store.pages.by_ids(ctx.view, ids[at : at + BATCH]):
            held = coverage(pieces, _whole_text(page), spoken)
            if held >= least:
                score = SOME_WORDS * held / len(pieces) * (0.7 + 0.3 * _share(hits[page.id], top))
                matches.append(PageMatch(page, _NOTHING, "compiled_truth", score, "some_words"))
        if len(matches) >= limit:
            break
    return sorted(matches, key=lambda match: -match.score)[:limit]


def _pieces(units: Sequence[Terms]) -> list[Terms]:
    """The units with runs of Chinese, Japanese or Korean taken apart, so that half of a sentence can match."""
    pieces: dict[Terms, None] = {}
    for unit in units:
        pieces.update({unit: None} if len(unit.terms) == 1 else {Terms((term,)): None for term in unit.terms})
    return list(pieces)


def _at_least(pieces: Sequence[Terms], least: int) -> tuple[Terms, ...]:
    """Units of which one matches wherever `least` pieces do.

    Every choice of so many; of many pieces, so many of the longest that no page can have enough of the others alone.
    """
    if len(pieces) > COMBINED_UNITS or any(piece.prefix for piece in pieces):
        rarest = sorted(pieces, key=lambda piece: (piece.prefix, piece.terms[0].isascii(), -len(piece.terms[0])))
        return tuple(rarest[: len(pieces) - least + 1])
    return tuple(Terms(tuple(piece.terms[0] for piece in some)) for some in combinations(pieces, least))


def _with_passage(match: PageMatch, pieces: list[Terms], spoken: Sequence[str]) -> PageMatch:
    truth, timeline = split_body(_body(match.page))

    def held(text: str) -> int:
        return coverage(pieces, text, spoken)

    passage = best_passage(truth, held, len(pieces))
    if timeline and (passage.hits < len(pieces) or not truth):
        dated = best_passage(timeline, held, len(pieces))
        if dated.hits > passage.hits or not truth:
            return match._replace(passage=dated, part="timeline")
    return match._replace(passage=passage)


def _beginning(word: str, spoken: Sequence[str]) -> str:
    """What a word and its stems begin with alike: the index holds stems, and the word may be cut short."""
    stems = [index_terms(word, language) for language in spoken]
    ends = range(len(word), 0, -1)
    return next((word[:end] for end in ends if all(stem.startswith(word[:end]) for stem in stems)), word)


def _whole_text(page: Page) -> str:
    aliases = page.frontmatter.get("aliases") or ""
    return f"{page.title} {page.slug} {aliases} {page.summary} {_body(page)}"


def _body(page: Page) -> str:
    """What a page is found by: its body without the rows of facts, which may be private."""
    body = strip_facts_fence(page.body) if "gbrain:facts:" in page.body else page.body
    return body[:READ_CHARS]


def _fits(page: Page, types: Sequence[str], tags: Sequence[str]) -> bool:
    return (not types or page.type in types) and set(tags) <= set(page.tags)


def _share(score: float, top: float) -> float:
    return score / top if top > 0 else 1.0


def _arm(name: str) -> Arm:
    arms: dict[str, Arm] = {"alias": "alias", "slug": "slug", "title": "title"}
    return arms.get(name, "tail")


def _search_row(match: PageMatch, chars: int | None) -> SearchRow:
    page = match.page
    row: SearchRow = {
        "slug": page.slug,
        "page_id": page.id,
        "title": page.title,
        "type": page.type,
        "chunk_text": match.chunk if chars is None else clip_passage(match.chunk, chars, page.slug),
        "chunk_source": match.part,
        "chunk_id": page.id,
        "chunk_index": match.passage.number,
        "score": round(match.score, 4),
        "base_score": round(match.score, 4),
        "stale": False,
        "source_id": page.source_id,
        "effective_date": effective_date(page),
        "effective_date_source": page.effective_date_source,
        "keyword_hit": match.arm in ("all_words", "some_words"),
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
    return row


def _mode(ctx: Context, asked: Mode | None) -> Mode:
    """The mode in force: the one asked for; a remote caller may only narrow the owner's."""
    stored = ctx.settings.get("search.mode")
    chosen: Mode = next(mode for mode in MODES if mode == stored)
    if asked is None or asked == chosen:
        return chosen
    order = list(MODES)
    if ctx.caller.remote and order.index(asked) > order.index(chosen):
        ctx.warn(
            "mode_narrowed",
            f"the owner of this brain lets a search return as much as {chosen!r} allows; {asked!r} was not used",
            suggestion=f"the owner can run: gbrain config set search.mode {asked}",
        )
        return chosen
    return asked


def _report(
    ctx: Context, query: str, packed: Packed[SearchRow], retrieved: int, budget: int | None, start: int
) -> None:
    """Say in `_meta.retrieval` which arms ran, which did not and why, and what the budget left out."""
    ctx.meta["retrieval"] = {
        "returned_count": len(packed.kept),
        "retrieved_count": retrieved,
        "arms": ["exact", "keyword"],
        "vector_enabled": False,
        "expansion_applied": False,
        "cache": "disabled",
        "token_budget": {"budget": budget, "used": packed.used, "dropped": packed.dropped, "kept": len(packed.kept)},
        "degraded": [{"stage": "embed_unavailable", "reason": "no_provider"}],
    }
    if packed.dropped:
        ctx.warn(
            "budget_dropped",
            f"{packed.dropped} more pages were found than fit in {budget} tokens",
            suggestion=f"pass offset: {start + len(packed.kept)}, or a smaller snippet_chars",
        )
    if not retrieved and query.strip():
        ctx.warn(
            "no_match",
            "no page matched: names and keywords were searched, meanings were not (no embedding provider)",
            suggestion="try fewer or other words",
        )


def _address(id: str) -> tuple[str | None, str]:
    """(source, slug) of an id in one of its three spellings; a bare slug says nothing of its source."""
    text = id.strip()
    if text.startswith("gbrain://page/"):
        source, slash, slug = text.removeprefix("gbrain://page/").partition("/")
        if not slash:
            raise InvalidParams(
                "the id names no page", "pass an id as search gives it, such as default:people/dana-oakes"
            )
        return source, slug
    source, colon, slug = text.partition(":")
    return (source, slug) if colon else (None, text)


_NOTHING = Passage(0, 0, "", 0)
