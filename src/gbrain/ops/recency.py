"""Newer pages before older ones that answer as well, where a caller asks for it."""

from typing import Literal

from gbrain.domain.periods import of_date
from gbrain.ops.retrieval import CERTAIN, PageMatch, Retrieved
from gbrain.registry import Context
from gbrain.types import Page

Recency = Literal["off", "on", "strong"]

NEWER = 20
"""Pages that are looked at beyond those asked for, since one of them may be newer."""
_WORTH: dict[Recency, float] = {"off": 0.0, "on": 0.05, "strong": 0.2}
"""What a page of today gains on a scale where the whole question is 1. No data with known answers chose these: `on`
settles what is nearly equal, `strong` outweighs a fifth of the question's words."""
_HALF_DAYS = 30.0
"""A page that is so much older gains half as much."""


def newest_first(ctx: Context, found: Retrieved, recency: Recency) -> tuple[Retrieved, dict[int, float]]:
    """The hits with what each page gains by its date, and that gain by the page's id.

    Hits by a name or a link stay where they are. A page's own date counts, else when it was last changed.
    """
    if recency == "off":
        return found, {}
    certain = [match for match in found.matches if _certain(match)]
    others = [match for match in found.matches if not _certain(match)]
    gains = {
        match.page.id: round(_WORTH[recency] * 0.5 ** (_days(ctx, match.page) / _HALF_DAYS), 4) for match in others
    }
    others.sort(key=lambda match: -match.score - gains[match.page.id])
    scored = [match._replace(score=min(match.score + gains[match.page.id], CERTAIN - 0.01)) for match in others]
    return found._replace(matches=[*certain, *scored]), gains


def _certain(match: PageMatch) -> bool:
    return match.exact or match.arm == "edge"


def _days(ctx: Context, page: Page) -> int:
    """How old a page is; 0 for one of a day to come."""
    own = of_date((page.effective_date or page.last_modified)[:10])
    return max(0, (ctx.now.date() - own.last).days) if own else 0
