"""The shapes facts, threads and dates have on the wire."""

from collections.abc import Iterable
from datetime import datetime
from typing import NotRequired, TypedDict

from gbrain.domain.times import decayed_confidence, parse_store, wire_time
from gbrain.types import Fact


class FactRow(TypedDict):
    """A fact as replies carry it. `id` is the integer form of `fact_id`; `source` repeats `provenance`."""

    id: int
    fact: str
    kind: str
    entity_slug: str | None
    visibility: str
    notability: str
    valid_from: str
    valid_until: str | None
    expired_at: str | None
    superseded_by: int | None
    consolidated_at: str | None
    consolidated_into: str | None
    source: str
    source_session: str | None
    context: str | None
    confidence: float
    effective_confidence: float
    created_at: str
    fact_id: str
    provenance: str
    source_id: str


class ShortFact(TypedDict):
    """A fact inside a pack: what an agent needs to read, and no more."""

    id: int
    fact: str
    kind: str
    entity_slug: str | None
    valid_from: str
    context: str | None
    confidence: float


class Thread(TypedDict):
    """Something open: a commitment, or a recent event of the timeline."""

    kind: str
    text: str
    date: str
    slug: NotRequired[str]


def fact_row(fact: Fact, now: datetime) -> FactRow:
    """A fact as `recall` returns it."""
    return {
        "id": fact.id,
        "fact": fact.fact,
        "kind": fact.kind,
        "entity_slug": fact.entity_slug,
        "visibility": fact.visibility,
        "notability": fact.notability,
        "valid_from": _time(fact.valid_from),
        "valid_until": wire_time(fact.valid_until),
        "expired_at": wire_time(fact.expired_at),
        "superseded_by": fact.superseded_by,
        "consolidated_at": None,
        "consolidated_into": None,
        "source": fact.provenance,
        "source_session": fact.session,
        "context": fact.context,
        "confidence": fact.confidence,
        "effective_confidence": round(effective_confidence(fact, now), 4),
        "created_at": _time(fact.created_at),
        "fact_id": str(fact.id),
        "provenance": fact.provenance,
        "source_id": fact.source_id,
    }


def short_fact(fact: Fact, now: datetime) -> ShortFact:
    """A fact as packs carry it; its confidence is the decayed one."""
    return {
        "id": fact.id,
        "fact": fact.fact,
        "kind": fact.kind,
        "entity_slug": fact.entity_slug,
        "valid_from": _time(fact.valid_from),
        "context": fact.context,
        "confidence": round(effective_confidence(fact, now), 2),
    }


def effective_confidence(fact: Fact, now: datetime) -> float:
    """Confidence after its decay with age; 0 for a fact that no longer holds."""
    if (fact.expired_at is not None and parse_store(fact.expired_at) <= now) or (
        fact.valid_until is not None and parse_store(fact.valid_until) <= now
    ):
        return 0.0
    age = max(0.0, (now - parse_store(fact.valid_from)).total_seconds() / 86400)
    return decayed_confidence(fact.confidence, fact.kind, age)


def by_confidence(facts: Iterable[Fact], now: datetime) -> list[Fact]:
    """The surest first: by decayed confidence, then the newest."""
    return sorted(facts, key=lambda fact: (-effective_confidence(fact, now), -fact.id))


def wire_date(date: str) -> str:
    """A whole date as its UTC midnight, as the contract shows it; a month or a year keeps its precision."""
    return f"{date}T00:00:00.000Z" if len(date) == 10 else date


def day(wire: str) -> str:
    """The date part of a wire time, for texts."""
    return wire[:10]


def _time(stored: str) -> str:
    return wire_time(stored) or ""
