"""The sweep with everything in it: what follows from pages and facts, and the turns that hooks banked."""

import os
from typing import Annotated, Any

from gbrain.ambient.harvest import Harvest
from gbrain.ambient.rollouts import Rollouts
from gbrain.ambient.shadow import Shadow
from gbrain.errors import BrainError
from gbrain.journal import Journal
from gbrain.ops.sweeping import Sweep, SweepReply
from gbrain.registry import Context, Param, operation

LOG = os.path.join("integrations", "sweep.jsonl")
"""One line a sweep: when, by whom, how it ended, what it did, and what was left and why, in counts and codes."""


@operation(
    scope="admin",
    surface="full",
    title="Sweep",
    cli=None,
    local_only=True,
    idempotent=True,
    examples=("gbrain sweep --once", "gbrain sweep --once --source default --budget-ms 60000"),
)
def sweep(
    ctx: Context,
    source_id: Annotated[str | None, Param("Only this source; every source unless given.")] = None,
    budget_ms: Annotated[
        int, Param("Begin nothing new after so many milliseconds.", minimum=100, maximum=600_000)
    ] = 5000,
    batch_limit: Annotated[int, Param("Look at the time after so many pages.", minimum=1, maximum=500)] = 20,
) -> SweepReply:
    """Bring files in line with facts, make the links and dates of what agents wrote, and check pages written since.

    Turns that hooks banked become facts of the source each was banked for, under the gate of ambient memory. Each part
    goes on where it stopped, and one that fails holds back no other. Nothing happens while another process sweeps the
    same brain. `gbrain serve` does this by itself.
    """
    sources = ctx.view.sources if source_id else ctx.store.sources.ids()
    made = Sweep(ctx, sources, budget_ms / 1000, int(batch_limit))
    try:
        told = made.run(
            ("rollouts_error", Rollouts(ctx, made).run),
            ("corpus_error", Harvest(ctx, made).run),
            ("shadow_error", Shadow(ctx, made).run),
        )
    except Exception as error:
        reason = error.code if isinstance(error, BrainError) else type(error).__name__
        _note(ctx, {"status": "failed", "skipped": {reason: 1}})
        raise
    # Every server asks for sweeps; a line of each that found another one at it would drown the rest.
    if told["status"] != "busy":
        counts = {name: count for name, count in told.items() if isinstance(count, int) and name != "durationMs"}
        done = {name: count for name, count in counts.items() if count}
        reasons = {one["reason"]: one["count"] for one in told["skipped"]}
        _note(ctx, {"status": told["status"], **done, "skipped": reasons, "duration_ms": told["durationMs"]})
    return told


def _note(ctx: Context, line: dict[str, Any]) -> None:
    """Every sweep leaves a line, also one that found nothing to do: so it is seen when they fail, and when no more."""
    Journal(ctx.home).append(LOG, {"ts": ctx.now_text, "by": ctx.who, **line})
