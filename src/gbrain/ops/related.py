"""Pages at the other end of the edges that a question asks for: who works there, what she invested in."""

from typing import NamedTuple

from gbrain.domain.ranking.question import Relation, spans
from gbrain.registry import Context
from gbrain.types import Page

MOST_EDGES = 400


class Related(NamedTuple):
    """`answers`: pages that an edge of the asked kind joins to the page in question, the best supported first.
    `beside`: other pages of the asked kind that some edge joins to it."""

    answers: list[Page]
    beside: frozenset[int]


NONE = Related([], frozenset())


def related(ctx: Context, query: str, relation: Relation) -> Related:
    """The visible pages around the page that a question about a relation names.

    The longest stretch of the question that is one page's name decides; a name of several pages decides nothing. What
    both pages say counts above what one says, and then what is said in the question's own words: a board seat is a
    weaker answer to "who advises" than an advisor.
    """
    for page_id in ctx.store.names.called(ctx.view, spans(query)):
        support: dict[int, int] = {}
        said: set[int] = set()
        beside: dict[int, None] = {}
        for row in ctx.store.links.touching(ctx.view, page_id, MOST_EDGES):
            end = row["to_id"] if row["from_id"] == page_id else row["from_id"]
            if end != page_id:
                beside[end] = None
                if row["link_type"] in relation.link_types:
                    support[end] = support.get(end, 0) + 1
                    if relation.said(row["context"] or ""):
                        said.add(end)
        pages = ctx.store.pages.by_ids(ctx.view, list(beside))
        kept = [page for page in pages if not relation.answers or page.type in relation.answers]
        if kept:
            answers = [page for page in kept if page.id in support]
            answers.sort(key=lambda page: (-support[page.id], page.id not in said, page.slug))
            return Related(answers, frozenset(page.id for page in kept if page.id not in support))
    return NONE
