"""Searching the texts that pages had at an earlier moment, by words alone.

Pages that nobody wrote since are found in the index. The others are read as they stood and scored in the same way, so
that both compare; how rare a word is counts as of now.
"""

from collections.abc import Iterator
from functools import partial

from gbrain.domain.slugs import alias_key
from gbrain.domain.text import fold
from gbrain.domain.times import BEGINNING
from gbrain.ops.earlier import as_read, entries_at, names_of, written_since
from gbrain.ops.retrieval import (
    CERTAIN,
    REPLAYED,
    WHOLE,
    Arm,
    Asked,
    PageMatch,
    Retrieved,
    Source,
    find_pages,
    match_in,
    take_apart,
)
from gbrain.registry import Context
from gbrain.store.engine import SPELLINGS
from gbrain.types import ALL_PAGES, Page, PageFilter

WITHOUT: frozenset[Source] = frozenset({"vector", "graph"})
SEEN = 3
"""Of a word of the question so many first letters must stand in a text that is looked into: endings differ."""


def find_pages_at(ctx: Context, query: str, limit: int, only: PageFilter = ALL_PAGES) -> Retrieved:
    """The pages that answered a query at the moment of the view, each as it was then, best first."""
    moment = ctx.view.as_of or ctx.view.now
    found = find_pages(ctx, query, limit, only._replace(unchanged=moment), WITHOUT)
    matches = [*found.matches, *_earlier(ctx, query, limit, only)]
    matches.sort(key=lambda match: (-match.score, match.page.slug))
    return Retrieved(matches[:limit], found.arms, REPLAYED)


def _earlier(ctx: Context, query: str, limit: int, only: PageFilter) -> Iterator[PageMatch]:
    """The matches among the pages that were written since."""
    asked = take_apart(ctx, query, limit, only, WITHOUT)
    called = {named.page_id for named in ctx.store.names.ranked(ctx.view, query)} if len(query) <= 255 else set()
    key, begun, begins = alias_key(query), _beginnings(asked), partial(_begins, asked)
    languages: dict[str, str] = {}
    for stood in written_since(ctx):
        text = fold(stood.version.content)
        named = stood.page.id in called
        if not named and not any(begin in text for begin in begun):
            continue
        page = as_read(ctx, stood.page, stood.version)
        if (page.expiry is not None and page.expiry <= ctx.view.now) or not _fits(ctx, page, only):
            continue
        if page.source_id not in languages:
            languages[page.source_id] = ctx.store.languages.of(page.source_id).written
        aliases = [alias_key(name) for name in names_of(page)[1:]]
        cut = ctx.store.chunks.cut(page, aliases, languages[page.source_id])[:WHOLE]
        match = match_in(asked, page, cut, begins)
        arm: Arm | None = "title" if alias_key(page.title) == key else None
        arm = arm or ("alias" if key in aliases else None)
        arm = arm or ("slug" if page.slug == query.strip().casefold() else None)
        if arm is not None and key:
            chunk = match.chunk if match else None
            yield PageMatch(page, chunk, CERTAIN, arm)
        elif match is not None:
            yield match


def _beginnings(asked: Asked) -> list[str]:
    """What must stand in a folded text, one of them, for it to hold a word of the question."""
    terms = (spelled for piece in asked.pieces for term in piece.terms for spelled in term.split(SPELLINGS))
    return list(dict.fromkeys(term[:SEEN] if term.isascii() else term[:1] for term in terms))


def _begins(asked: Asked, text: str) -> bool:
    """Whether one character that is asked for stands in a text."""
    single = [piece.terms[-1] for piece in asked.pieces if piece.prefix]
    return bool(single) and any(one in fold(text) for one in single)


def _fits(ctx: Context, page: Page, only: PageFilter) -> bool:
    """Whether a filter lets a page of then through; its tags are those of its text."""
    if (only.types and page.type not in only.types) or not set(only.tags) <= set(page.tags):
        return False
    if not (only.since or only.until):
        return True
    since, until = only.since or BEGINNING, f"{only.until}~" if only.until else "~"
    dates = [page.effective_date or "", *(entry.date for entry in entries_at(ctx, page))]
    return any((date >= since or date in (since[:4], since[:7])) and date <= until for date in dates if date)
