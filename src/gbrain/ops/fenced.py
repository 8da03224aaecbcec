"""What the facts fence of a text asks for once the text is stored; for a text without one nothing is loaded."""

from gbrain.errors import Unavailable
from gbrain.registry import Context
from gbrain.types import Draft, Page

PROBLEMS_SHOWN = 10
"""So many doubts about a text are told."""
MARK = "gbrain:facts:"
"""What the text of every facts fence holds."""


def take_in(ctx: Context, source: str, draft: Draft, before: Page | None) -> None:
    """Make facts of the rows of a text's fence, inside the transaction that stores it, and name rows that are none.

    Of very many new rows only the first are taken in; `take_in_rest` does the others, after that transaction.
    """
    if MARK not in draft.content and (before is None or MARK not in before.content):
        return
    from gbrain.ops.fence import HINT, follow_fence, problems  # few pages have a fence

    follow_fence(ctx, source, draft, before)
    for problem in problems(draft)[:PROBLEMS_SHOWN]:
        if not (problem.private and ctx.caller.remote):
            ctx.warn("facts_row", f"line {problem.line}: {problem.message}", line=problem.line, suggestion=HINT)


def take_in_rest(ctx: Context, source: str, draft: Draft) -> None:
    """Make facts of the rows that `take_in` has left; where the store is too busy, the next sweep does it."""
    if MARK in draft.content and not ctx.store.engine.in_transaction():
        _go_on(ctx, source, draft.slug)


def take_in_left(ctx: Context, source: str) -> None:
    """Make facts of the rows that a process which was broken off has left in a source."""
    for row in ctx.store.fact_rows.unread([source], limit=1_000):
        _go_on(ctx, source, row["slug"])


def _go_on(ctx: Context, source: str, slug: str) -> None:
    from gbrain.ops.fence import follow_rest  # few pages have a fence

    try:
        follow_rest(ctx, source, slug)
    except Unavailable:
        ctx.warn(
            "facts_later",
            f"{slug}: not all rows are facts yet, since the store is busy; the next sweep goes on",
            suggestion="gbrain sweep --once",
        )
