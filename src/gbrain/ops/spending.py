"""The operation `spend`: what models took, by day and purpose, and how near the limits are."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, TypedDict

from gbrain.domain.spending import MICRO, NEAR, Limit
from gbrain.domain.times import store_time
from gbrain.models.prices import AS_OF
from gbrain.registry import Context, Param, operation
from gbrain.store.store import Store

_ANSWERED = ("stop", "length", "refused", "filtered", "under_way")


class SpentDay(TypedDict):
    """One day. `usd` adds up what has a known price; `unpriced` counts the calls that have none."""

    day: str
    calls: int
    failed: int
    tokens: int
    usd: float
    unpriced: int


class SpentRow(TypedDict):
    """One model and purpose over all days of the reply."""

    purpose: str
    model: str
    calls: int
    failed: int
    input_tokens: int
    output_tokens: int
    usd: float
    unpriced: int
    latency_ms: int


class LimitRow(TypedDict):
    """A limit of the day or the month: what counts towards it, what is allowed (null: no limit), whether it is near."""

    span: str
    unit: str
    taken: float
    allowed: float | None
    near: bool
    setting: str


class SpendReply(TypedDict):
    """What models took. Dollars are estimates: by prices of one's own, else by a list of the day `prices_of`.

    A call under way counts with the most it may take; so does one that was broken off.
    """

    since: str
    days: list[SpentDay]
    models: list[SpentRow]
    limits: list[LimitRow]
    resting: dict[str, str]
    prices_of: str


@operation(
    scope="admin",
    surface="full",
    title="Show what models took",
    local_only=True,
    mutates=False,
    examples=("gbrain spend", "gbrain spend --days 7"),
)
def spend(
    ctx: Context,
    days: Annotated[int, Param("How many days, today among them.", minimum=1, maximum=400)] = 30,
) -> SpendReply:
    """Show what language models took: calls, tokens and money by day and by model, and how near the limits are."""
    first = ctx.now - timedelta(days=days - 1)
    since = store_time(first)[:10]
    found = ctx.store.calls.by_day(since)
    named = [store_time(first + timedelta(days=number))[:10] for number in range(days)]
    by_day: dict[str, SpentDay] = {
        day: {"day": day, "calls": 0, "failed": 0, "tokens": 0, "usd": 0.0, "unpriced": 0}
        for day in sorted({*named, *(row.day for row in found)})
    }
    by_model: dict[tuple[str, str], SpentRow] = {}
    for row in found:
        day = by_day[row.day]
        model = by_model.setdefault((row.purpose, row.model), _nothing(row.purpose, row.model))
        day["tokens"] += row.held_tokens
        model["input_tokens"] += row.input_tokens
        model["output_tokens"] += row.output_tokens
        model["latency_ms"] += row.latency_ms
        for total in (day, model):
            total["calls"] += row.calls
            total["failed"] += 0 if row.outcome in _ANSWERED else row.calls
            total["usd"] = round(total["usd"] + row.held_micro_usd / MICRO, 6)
            total["unpriced"] += row.unpriced
    models = sorted(by_model.values(), key=lambda row: (-row["usd"], -row["input_tokens"], row["model"]))
    limits, resting = limit_rows(ctx.models.limits(), ctx.store, ctx.now), ctx.store.calls.resting(ctx.now)
    return {
        "since": since,
        "days": list(by_day.values()),
        "models": models,
        "limits": limits,
        "resting": resting,
        "prices_of": AS_OF,
    }


def limit_rows(limits: Sequence[Limit], store: Store, now: datetime) -> list[LimitRow]:
    """The limits of the day and the month, each with what counts towards it now."""
    rows: list[LimitRow] = []
    for limit in limits:
        if limit.span in ("turn", "session"):
            continue
        held = store.calls.held(limit.span, now)
        money = None if limit.micro_usd is None else limit.micro_usd / MICRO
        for unit, taken, allowed in (("tokens", held.tokens, limit.tokens), ("usd", held.micro_usd / MICRO, money)):
            rows.append(
                {
                    "span": limit.span,
                    "unit": unit,
                    "taken": taken,
                    "allowed": allowed,
                    "near": bool(allowed) and taken >= NEAR * (allowed or 0),
                    "setting": f"spend.{limit.span}_{unit}",
                }
            )
    return rows


def _nothing(purpose: str, model: str) -> SpentRow:
    counts = {"calls": 0, "failed": 0, "input_tokens": 0, "output_tokens": 0, "unpriced": 0, "latency_ms": 0}
    return {"purpose": purpose, "model": model, "usd": 0.0, **counts}  # type: ignore[typeddict-item]
