"""Hot memory: the few recent facts that ride beside every reply, read afresh each time so that they are never stale."""

from typing import Any

from gbrain.domain.text import estimate_tokens
from gbrain.domain.times import store_time, wire_time
from gbrain.domain.wire import by_confidence
from gbrain.registry import Context
from gbrain.types import Fact

MOST, TOKENS = 10, 400
LOOKED_AT = 60
HOURS = 24
WITHOUT_HOT_MEMORY = frozenset({"recall", "extract_facts", "forget_fact"})
"""Operations whose replies carry no hot memory: they are about facts themselves."""


def hot_facts(ctx: Context, session: str | None) -> list[Fact]:
    """At most ten recent facts: a session's own first, then the surest of the last day's newest ones."""
    since = store_time(ctx.now.fromtimestamp(ctx.now.timestamp() - HOURS * 3600, ctx.now.tzinfo))
    own = ctx.store.facts.recent(ctx.view, since, session, LOOKED_AT) if session else []
    chosen = by_confidence(own, ctx.now)[:MOST]
    if len(chosen) < MOST:
        have = {fact.id for fact in chosen}
        others = ctx.store.facts.recent(ctx.view, since, None, LOOKED_AT)
        chosen += by_confidence((fact for fact in others if fact.id not in have), ctx.now)[: MOST - len(chosen)]
    return chosen


def hot_memory(ctx: Context) -> dict[str, Any] | None:
    """`_meta.brain_hot_memory`: at most ten facts and 400 tokens; None when there is nothing or it is switched off."""
    if ctx.settings.get("mcp.hot_memory") == "off":
        return None
    rows, used = [], 0
    for fact in hot_facts(ctx, ctx.session):
        cost = estimate_tokens(fact.fact)
        # Not the end: a shorter one behind it may still fit.
        if used + cost > TOKENS:
            continue
        used += cost
        rows.append(
            {
                "id": fact.id,
                "fact": fact.fact,
                "kind": fact.kind,
                "notability": fact.notability,
                "entity_slug": fact.entity_slug,
                "valid_from": wire_time(fact.valid_from),
                "created_at": wire_time(fact.created_at),
                "context": fact.context,
                "confidence": fact.confidence,
            }
        )
    return {"source_id": ctx.source, "session_id": ctx.session, "facts": rows} if rows else None
