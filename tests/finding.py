"""Pages by their words, straight from the store."""

from gbrain.store.engine import Match
from gbrain.store.store import Store
from gbrain.types import View


def found_pages(store: Store, view: View, match: Match, limit: int) -> list[tuple[int, float]]:
    """(page id, score of its best chunk), best first."""
    best: dict[int, float] = {}
    for hit in store.chunks.search(view, match, limit):
        best.setdefault(hit.page_id, hit.score)
    return list(best.items())
