"""Tracing one page through a search: every stage it passes, and the one where it falls out."""

from typing import Annotated, Literal, NamedTuple, TypedDict

from gbrain.domain.ranking.reasons import words_alone
from gbrain.domain.ranking.words import unpacked
from gbrain.domain.text import estimate_tokens
from gbrain.ops.find import (
    LIMIT_MOST,
    MODES,
    Explained,
    Mode,
    Since,
    Until,
    explained,
    mode_in_force,
    page_filter,
)
from gbrain.ops.pages import SourceId
from gbrain.ops.retrieval import (
    ALIKE_FROM,
    SEARCHED,
    SHOWN_FROM,
    WHOLE,
    Asked,
    PageMatch,
    candidates,
    find_pages,
    take_apart,
)
from gbrain.ops.which_page import page_of
from gbrain.registry import Context, Param, operation
from gbrain.store.engine import SPELLINGS
from gbrain.types import ALL_PAGES, Page, PageFilter

Outcome = Literal["passed", "failed", "skipped", "noted"]


class Stage(TypedDict):
    """One stage of the search: whether the page came through it, and how that is known."""

    stage: str
    outcome: Outcome
    says: str


class Word(TypedDict):
    """A word of the question as the index holds it: how often the page has it, and how many passages do."""

    word: str
    in_page: int
    passages: int


class Diagnosis(TypedDict):
    """What became of a page in a search. `rank` is its place among all hits, null where it is none; `verdict` says in a
    sentence what decided."""

    slug: str
    source_id: str
    returned: bool
    rank: int | None
    verdict: str
    stages: list[Stage]
    words: list[Word]
    explain: Explained | None


class _Wanted(NamedTuple):
    """The search that is traced."""

    query: str
    limit: int
    tokens: int | None
    only: PageFilter


@operation(
    scope="read",
    surface="full",
    title="Say why a search finds a page, or does not",
    positional=("query",),
    cli="diagnose",
    examples=(
        'gbrain diagnose "harbour budget" --target companies/harbor-capital',
        'gbrain search diagnose "harbour budget" --target companies/harbor-capital',
    ),
)
def search_diagnose(
    ctx: Context,
    query: Annotated[str, Param("What is searched for.")],
    target: Annotated[str, Param("The page whose way through the search is told.", names="page")],
    limit: Annotated[
        float | None,
        Param("The search's own limit; the mode's number unless given.", minimum=0, maximum=LIMIT_MOST),
    ] = None,
    mode: Annotated[Mode | None, Param("How much may come back; the setting search.mode unless given.")] = None,
    types: Annotated[list[str] | None, Param("The search's filter: only pages of one of these types.")] = None,
    tags: Annotated[list[str] | None, Param("The search's filter: only pages with all of these tags.")] = None,
    since: Since = None,
    until: Until = None,
    source_id: SourceId = None,
) -> Diagnosis:
    """Trace one page through a search, stage by stage, and say where it falls out or what place it takes.

    A page that this caller may not see is not found, like one that does not exist.
    """
    page = page_of(ctx, target)
    bounds = MODES[mode_in_force(ctx, mode)]
    wanted = _Wanted(
        query, int(limit) if limit else bounds.limit, bounds.tokens, page_filter(ctx, types, tags, since, until)
    )
    asked = take_apart(ctx, query, wanted.limit, wanted.only)
    words = _words(ctx, asked, page)
    all_hits = find_pages(ctx, query, LIMIT_MOST, wanted.only).matches
    rank = next((place for place, match in enumerate(all_hits, 1) if match.page.id == page.id), None)
    match = None if rank is None else all_hits[rank - 1]
    stages = [_visible(page), _filtered(ctx, page, wanted.only), _indexed(ctx, page), _worded(words)]
    stages += [_named(match), *_arms(ctx, asked, wanted, page), _enough(words, asked, match)]
    stages += _bounded(rank, all_hits, wanted)
    failed = [stage for stage in stages if stage["outcome"] == "failed"]
    returned = rank is not None and not failed
    return {
        "slug": page.slug,
        "source_id": page.source_id,
        "returned": returned,
        "rank": rank,
        "verdict": _verdict(rank, match, failed),
        "stages": stages,
        "words": words,
        "explain": None if match is None else explained(match),
    }


def _visible(page: Page) -> Stage:
    ends = f", expires {page.expiry[:10]}" if page.expiry else ""
    return _stage(
        "visible", "passed", f"{page.source_id}:{page.slug} may be seen, is not deleted and not expired{ends}"
    )


def _filtered(ctx: Context, page: Page, only: PageFilter) -> Stage:
    if only == ALL_PAGES:
        return _stage("filter", "skipped", "no types, tags or dates were asked for")
    if only.types and page.type not in only.types:
        return _stage("filter", "failed", f"it is of type {page.type}, not {' or '.join(only.types)}")
    missing = [tag for tag in only.tags if tag not in page.tags]
    if missing:
        return _stage("filter", "failed", f"it lacks the tag {', '.join(missing)}")
    if not ctx.store.pages.fitting(ctx.view, [page.id], only):
        period = f"from {only.since or 'the beginning'} to {only.until or 'now'}"
        return _stage("filter", "failed", f"neither its date nor an entry of its timeline is {period}")
    return _stage("filter", "passed", "it has the types, tags and dates that were asked for")


def _indexed(ctx: Context, page: Page) -> Stage:
    count = len(ctx.store.chunks.of_pages(ctx.view, [page.id]))
    if not count:
        return _stage("indexed", "noted", "the page has no text, so only its name can be found")
    return _stage("indexed", "passed", f"{count} {'passage' if count == 1 else 'passages'} of it in the index")


def _words(ctx: Context, asked: Asked, page: Page) -> list[Word]:
    held = [unpacked(one.words) for one in ctx.store.chunks.words(ctx.view, [page.id], (), WHOLE)]
    return [
        {
            "word": " ".join(term.split(SPELLINGS)[0] for term in piece.terms),
            "in_page": sum(words.count(digests) for words in held),
            "passages": passages,
        }
        for piece, digests, passages in zip(asked.pieces, asked.digests, asked.units.held, strict=True)
    ]


def _worded(words: list[Word]) -> Stage:
    if not words:
        return _stage("words", "noted", "the question has no word that could be looked up")
    held = [word["word"] for word in words if word["in_page"]]
    missing = [word["word"] for word in words if not word["in_page"]]
    lacks = f"; it lacks: {', '.join(missing)}" if missing else ""
    return _stage("words", "passed" if held else "noted", f"the page holds: {', '.join(held) or 'none of them'}{lacks}")


def _named(match: PageMatch | None) -> Stage:
    if match is not None and match.exact:
        return _stage("arm exact", "passed", f"the question is its {match.arm}")
    if match is not None and match.arm == "part":
        return _stage("arm exact", "passed", "the question is a part of its name")
    if match is not None and match.arm == "edge":
        return _stage("arm graph", "passed", "a link of the asked kind leads to it")
    return _stage("arm exact", "noted", "the question is no name of it")


def _arms(ctx: Context, asked: Asked, wanted: _Wanted, page: Page) -> list[Stage]:
    """What the arms of words and of meaning brought, and whether the page is among those that were looked into."""
    words, alike, pages = candidates(ctx, asked, wanted.limit) if asked.pieces else ([], [], [])
    stages = []
    for name, places in (("keyword", words), ("vector", alike)):
        order = list(dict.fromkeys(place[0] for place in places))
        if name == "vector" and asked.near.reason not in SEARCHED:
            stages.append(_stage("arm vector", "skipped", words_alone(asked.near.reason)))
        elif page.id in order:
            stages.append(_stage(f"arm {name}", "passed", f"rank {order.index(page.id) + 1} of {len(order)} pages"))
        else:
            pending = "; some texts have no vector yet" if name == "vector" and asked.near.reason else ""
            stages.append(_stage(f"arm {name}", "noted", f"not among the {len(order)} pages it brought{pending}"))
    if asked.times.times and "date" not in asked.without:
        date, entry = asked.times.pages.get(page.id, ("", ""))
        says = f"{'an entry of its timeline' if entry else 'its own date'}, {date}, is of the time that is asked for"
        stages.append(
            _stage("arm date", "passed" if date else "noted", says if date else "not among the pages of that time")
        )
    brought = page.id in pages
    says = (
        f"among the {len(pages)} pages that are read" if brought else f"not among the {len(pages)} pages that are read"
    )
    return [*stages, _stage("looked into", "passed" if brought else "noted", says)]


def _enough(words: list[Word], asked: Asked, match: PageMatch | None) -> Stage:
    if match is not None and match.arm == "date":
        return _stage("answers", "passed", "it is of the time, and the question asks for nothing else")
    if match is not None:
        return _stage("answers", "passed", f"it holds {match.covered:.0%} of the weight of the question")
    weights = zip(words, asked.page_words.words, strict=True)
    held = sum(weight for word, weight in weights if word["in_page"])
    share = held / asked.page_words.most if asked.page_words.most else 0.0
    if share >= SHOWN_FROM or 2 * sum(1 for word in words if word["in_page"]) >= len(words) > 0:
        says = f"it holds {share:.0%} of the weight of the question, yet others come before it or it was filtered out"
        return _stage("answers", "failed", says)
    least = f"{SHOWN_FROM:.0%} of the weight, half of the words, or a likeness of {ALIKE_FROM}"
    return _stage("answers", "failed", f"it holds {share:.0%} of the weight of the question; an answer needs {least}")


def _bounded(rank: int | None, hits: list[PageMatch], wanted: _Wanted) -> list[Stage]:
    """Whether the limit and the budget let it through."""
    if rank is None:
        return []
    if rank > wanted.limit:
        return [_stage("limit", "failed", f"it is hit {rank}, and {wanted.limit} are returned; pass a higher limit")]
    limit = _stage("limit", "passed", f"it is hit {rank} of the {wanted.limit} that are returned at most")
    used = sum(estimate_tokens(f"{match.page.title} {match.text}") for match in hits[:rank])
    if wanted.tokens is None:
        return [limit, _stage("budget", "skipped", "this mode has no token limit")]
    if used > wanted.tokens:
        says = f"with it the hits take {used} tokens, and {wanted.tokens} are returned; shorten passages or change mode"
        return [limit, _stage("budget", "failed", says)]
    return [limit, _stage("budget", "passed", f"with it the hits take {used} of {wanted.tokens} tokens")]


def _verdict(rank: int | None, match: PageMatch | None, failed: list[Stage]) -> str:
    if failed:
        return f"not returned: {failed[0]['says']}"
    return f"hit {rank}: {explained(match)['why']}" if match is not None else "not returned"


def _stage(stage: str, outcome: Outcome, says: str) -> Stage:
    return {"stage": stage, "outcome": outcome, "says": says}
