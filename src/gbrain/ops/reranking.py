"""Putting the best hits of a search in order anew, with the reranker that the settings name; off without one."""

from gbrain.models.chat import ChatFailed
from gbrain.ops.retrieval import PageMatch, Retrieved
from gbrain.registry import Context

MOST = 30
"""Hits that are put in order; the rest follows as it was."""
CHARACTERS = 2_000
"""Of a passage, as much as a reranker is shown."""
OFF = "off"
RAN = "ran"


def reranked(ctx: Context, query: str, found: Retrieved) -> tuple[Retrieved, str]:
    """The same hits, those that answer best first; and `ran`, `off`, or the reason why they are as they were.

    Hits by name stay where they are. Texts of hits go to the reranker, at a provider's if that is what was set.
    """
    if not ctx.settings.get("models.rerank"):
        return found, OFF
    exact = [match for match in found.matches if match.exact]
    others = [match for match in found.matches if not match.exact]
    some = others[:MOST]
    if len(some) < 2:
        return found, "nothing_to_order"
    try:
        scores = ctx.models.rerank(query, [_shown(match) for match in some])
    except ChatFailed as failed:
        return found, failed.reason
    order = sorted(range(len(some)), key=lambda place: (-scores[place], place))
    return found._replace(matches=[*exact, *(some[place] for place in order), *others[MOST:]]), RAN


def _shown(match: PageMatch) -> str:
    return f"{match.page.title}\n{match.text}"[:CHARACTERS]
