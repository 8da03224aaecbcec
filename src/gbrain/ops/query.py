"""The operation `query`: a search that also asks in other words, and asks the questions inside a question."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from gbrain.domain.ranking.expansion import (
    Expansion,
    abbreviations,
    fused,
    initials,
    parts,
    rewritten,
    written_out,
)
from gbrain.domain.ranking.question import Intent, understood
from gbrain.domain.text import MAX_QUERY
from gbrain.ops.find import (
    MODES,
    Explain,
    Limit,
    Offset,
    OfTypes,
    SearchMode,
    SearchRow,
    Since,
    SnippetChars,
    Until,
    WithTags,
    mode_in_force,
    packed_rows,
    page_filter,
    search_row,
)
from gbrain.ops.pages import SourceId
from gbrain.ops.recency import NEWER, Recency, newest_first
from gbrain.ops.reranking import reranked
from gbrain.ops.retrieval import PageMatch, Retrieved, find_pages
from gbrain.ops.rewording import OFF, RAN, reworded
from gbrain.registry import Context, Param, operation
from gbrain.types import ALL_PAGES, PageFilter

NAMES_TRIED = 200
STRONG, MODERATE, ALIKE = 0.8, 0.5, 0.5
"""The share of a question's weight, and the cosine, from which an answer stands on more than a few words."""


_REASONS = {
    "name": "a page of this name was found",
    "edge": "a link of the asked kind leads there",
    "date": "a page of the time that was asked for was found",
    "strong": "the best page holds the words of the question",
    "moderate": "the best page holds a part of the question",
    "weak": "the best page shares little with the question",
}


class Crag(TypedDict):
    """How far the best hit can be trusted to answer, in the words of corrective retrieval (CRAG)."""

    confidence: Literal["weak", "moderate", "strong"]
    reason: str
    query_shape: Intent | Literal["compound"]
    escalate_to_think: NotRequired[bool]


@operation(
    scope="read",
    surface="starter",
    title="Search pages, asking in other words too",
    positional=("query",),
    examples=('gbrain query "who advises Acme and what did they invest in?"', 'gbrain query "MCP" --no-expand'),
)
def query(
    ctx: Context,
    query: Annotated[str, Param("A question, words or a name. Everything in it is text: there is no query syntax.")],
    limit: Limit = None,
    offset: Offset = 0,
    mode: SearchMode = None,
    expand: Annotated[
        bool, Param("Ask in other words too: abbreviations written out and back, each part of a question.")
    ] = True,
    types: OfTypes = None,
    tags: WithTags = None,
    since: Since = None,
    until: Until = None,
    recency: Annotated[
        Recency, Param("Whether newer pages come before older ones that answer as well: off, on, or strong.")
    ] = "off",
    snippet_chars: SnippetChars = None,
    explain: Explain = False,
    source_id: SourceId = None,
) -> list[SearchRow]:
    """Find pages that answer a question, also where they use other words, or answer only a part of it.

    Abbreviations are looked up in the names of pages, a comparison is asked for each side; hits are merged. `_meta`
    says what was asked and how far the best hit can be trusted.
    """
    bounds = MODES[mode_in_force(ctx, mode)]
    start, count = int(offset), int(limit) if limit else bounds.limit
    expansion, model = expanded(ctx, query) if expand else (Expansion(), OFF)
    only = page_filter(ctx, types, tags, since, until)
    found, through = _merged(ctx, query, expansion, start + count + (NEWER if recency != "off" else 0), only)
    found, newer = newest_first(ctx, found, recency)
    found, ordered = reranked(ctx, query, found)
    rows = [search_row(match, snippet_chars, explain=explain) for match in found.matches[start : start + count]]
    for row in rows:
        if row["page_id"] in newer:
            row["recency_boost"] = newer[row["page_id"]]
        if row["page_id"] in through:
            row["found_through"] = through[row["page_id"]]
    kept = packed_rows(ctx, query, found, rows, bounds.tokens, start, filtered=only != ALL_PAGES)
    asked = [*expansion.ways, *expansion.parts]
    ctx.meta["retrieval"]["expansion_applied"] = bool(asked)
    ctx.meta["retrieval"]["expanded_by"] = "model" if model == RAN else "names" if expand else "nothing"
    if model not in (RAN, OFF):
        ctx.meta["retrieval"]["degraded"].append({"stage": "expand_unavailable", "reason": model})
    ctx.meta["retrieval"]["rerank"] = ordered
    if asked:
        ctx.meta["retrieval"]["also_asked"] = asked
    ctx.meta["crag"] = _crag(query, found.matches, expansion)
    return kept


def expanded(ctx: Context, text: str) -> tuple[Expansion, str]:
    """What is asked beside a question, and what came of asking a model for it: `ran`, `off`, or why it gave nothing.

    What the model says, else what the names of visible pages and the wording give.
    """
    if len(text) > MAX_QUERY or not text.strip():
        return Expansion(), OFF
    ways, said = reworded(ctx, text)
    return Expansion(rewritten(text, _forms(ctx, text)) if ways is None else tuple(ways), parts(text)), said


def _forms(ctx: Context, text: str) -> dict[str, list[str]]:
    """What abbreviations in a question stand for, and which abbreviations its names have, by visible names."""
    names, short, long = ctx.store.names, abbreviations(text), written_out(text)
    borne = names.also_called(ctx.view, [*short, *long, *long.values()])
    forms: dict[str, list[str]] = {}
    for word in short:
        letters = word.casefold()
        said = [*borne.get(word, ()), *names.beginning(ctx.view, letters, NAMES_TRIED)]
        forms[word] = [name for name in _different(said) if initials(name) == letters]
    for span, letters in long.items():
        if span in borne or letters in borne:
            forms[span] = [letters.upper()]
    return forms


def _different(names: Sequence[str]) -> list[str]:
    """The names, each once whatever its case, as it was written first."""
    return list({name.casefold(): name for name in reversed(names)}.values())[::-1]


def _merged(
    ctx: Context, text: str, expansion: Expansion, limit: int, only: PageFilter
) -> tuple[Retrieved, dict[int, str]]:
    """The pages that answer the question or what is asked beside it, and for those only the latter found, what did.

    Names of the question itself come first. Another way of asking is as good as the question: the better score counts.
    A part is not, so its hits are merged by rank.
    """
    first = find_pages(ctx, text, limit, only)
    if not (expansion.ways or expansion.parts):
        return first, {}
    best = {match.page.id: match for match in first.matches}
    through: dict[int, str] = {}
    lists: list[list[int]] = []
    arms = dict.fromkeys(first.arms)
    for asked in (*expansion.ways, *expansion.parts):
        found = find_pages(ctx, asked, limit, only)
        arms.update(dict.fromkeys(found.arms))
        for match in found.matches:
            held = best.get(match.page.id)
            if held is None:
                through[match.page.id] = asked
            if held is None or match.score > held.score:
                best[match.page.id] = match
        if asked in expansion.parts:
            lists.append([match.page.id for match in found.matches])
    named = [match.page.id for match in first.matches if match.exact]
    same = sorted(best, key=lambda id: -best[id].score) if not lists else [match.page.id for match in first.matches]
    order = dict.fromkeys([*named, *fused([same, *lists]), *best])
    return Retrieved([best[id] for id in order][:limit], list(arms), first.reason), through


def _crag(text: str, matches: Sequence[PageMatch], expansion: Expansion) -> Crag:
    shape: Any = "compound" if expansion.parts else understood(text[:MAX_QUERY]).intent
    if not matches:
        return {"confidence": "weak", "reason": "nothing was found", "query_shape": shape}
    best = matches[0]
    confidence: Literal["weak", "moderate", "strong"] = "weak"
    if best.exact or best.arm in ("edge", "date") or best.covered >= STRONG:
        confidence = "strong"
    elif best.covered >= MODERATE or (best.cosine or 0.0) >= ALIKE:
        confidence = "moderate"
    found_by = "name" if best.exact else best.arm if best.arm in ("edge", "date") else confidence
    crag: Crag = {"confidence": confidence, "reason": _REASONS[found_by], "query_shape": shape}
    if expansion.parts or confidence == "weak":
        crag["escalate_to_think"] = True
    return crag
