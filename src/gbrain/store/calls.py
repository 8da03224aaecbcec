"""The meter and the brake of models: what was called and what it took, limits, and the circuit breaker of a provider.

Room is taken before a call and given back after it, each in a short transaction: two processes at a limit cannot pass
it together. A call that was broken off, by a kill or a closed lid, goes on counting in full.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from gbrain.domain.spending import Amount, Limit, Span, Unit
from gbrain.domain.times import store_time
from gbrain.store.engine import Engine

KEPT_DAYS = 400
FAILURES = 5
"""Failures in a row after which a provider is left alone."""
SHORTEST, LONGEST = timedelta(seconds=60), timedelta(minutes=15)
UNDER_WAY = "under_way"


class Started(NamedTuple):
    """A call that may be made: its row."""

    id: int


class Refused(NamedTuple):
    """A call that may not be made: the limit it would pass, by unit, and what counts towards it; or the breaker,
    until when it is open."""

    span: Span | None
    unit: Unit | None
    held: Amount
    limit: Limit | None
    open_until: str | None = None


class Wanted(NamedTuple):
    """A call about to be made, and the most it may take. `place` is what the breaker goes by."""

    purpose: str
    model: str
    place: str
    session: str | None
    turn: str | None
    most: Amount
    seconds: float
    heed_breaker: bool = True


class Done(NamedTuple):
    """What came of a call. `took` counts towards the limits; the counts are None where nobody knows them."""

    outcome: str
    took: Amount
    input_tokens: int | None
    output_tokens: int | None
    micro_usd: int | None
    tries: int
    latency_ms: int
    outage: bool = False
    """Whether the provider failed, which the breaker counts."""
    answered: bool = False
    rest: float = 0.0
    """Seconds for which the provider asked to be left alone."""


class Spent(NamedTuple):
    """What one model took for one purpose on one day, in calls of one outcome."""

    day: str
    purpose: str
    model: str
    outcome: str
    calls: int
    input_tokens: int
    output_tokens: int
    held_tokens: int
    held_micro_usd: int
    unpriced: int
    """Calls whose price nobody knows."""
    latency_ms: int


class ModelCalls:
    """The `model_calls` and `model_places` tables."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def begin(self, wanted: Wanted, limits: Sequence[Limit], now: datetime) -> Started | Refused:
        """Take the room for a call, or say why there is none.

        A day counts with all that are dated later, so that a clock that goes back gives no second allowance.
        """
        with self._engine.transaction():
            # One transaction looks and reserves, so that of two processes at the limit only one gets through.
            if wanted.heed_breaker and (until := self._open(wanted, now)):
                return Refused(None, None, Amount(0, 0), None, until)
            for limit in limits:
                held = self._held(limit.span, wanted.session, wanted.turn, now)
                if held is not None and (unit := limit.passed(held, wanted.most)):
                    return Refused(limit.span, unit, held, limit)
            if wanted.heed_breaker:
                self._let_one_through(wanted, now)
            day = _day(now)
            self._engine.rows(
                "delete from model_calls where day < :oldest", {"oldest": _day(now - timedelta(days=KEPT_DAYS))}
            )
            made = self._engine.rows(
                "insert into model_calls (day, started_at, purpose, model, session, turn, held_tokens, held_micro_usd,"
                " tries, outcome) values (:day, :now, :purpose, :model, :session, :turn, :tokens, :micro_usd, 0,"
                " :outcome) returning id",
                {
                    "day": day,
                    "now": store_time(now),
                    "purpose": wanted.purpose,
                    "model": wanted.model,
                    "session": wanted.session,
                    "turn": wanted.turn,
                    **wanted.most._asdict(),
                    "outcome": UNDER_WAY,
                },
            )
        return Started(int(made[0]["id"]))

    def end(self, started: Started, place: str, done: Done, now: datetime) -> None:
        """Give back what a call did not take, and tell the breaker how the provider did."""
        with self._engine.transaction():
            self._engine.rows(
                "update model_calls set held_tokens = :tokens, held_micro_usd = :held_micro_usd,"
                " input_tokens = :input_tokens, output_tokens = :output_tokens, micro_usd = :micro_usd,"
                " tries = :tries, latency_ms = :latency_ms, outcome = :outcome where id = :id",
                {
                    "id": started.id,
                    "tokens": done.took.tokens,
                    "held_micro_usd": done.took.micro_usd,
                    "input_tokens": done.input_tokens,
                    "output_tokens": done.output_tokens,
                    "micro_usd": done.micro_usd,
                    "tries": done.tries,
                    "latency_ms": done.latency_ms,
                    "outcome": done.outcome,
                },
            )
            if done.outage:
                self._failed(place, done.rest, now)
            elif done.answered:
                self._engine.rows("delete from model_places where place = :place", {"place": place})

    def held(self, span: Span, now: datetime, session: str | None = None, turn: str | None = None) -> Amount:
        """What counts towards the limits of a span; nothing for a turn or session that is not named."""
        return self._held(span, session, turn, now) or Amount(0, 0)

    def by_day(self, since: str) -> list[Spent]:
        """What was called from a day on, by day, purpose, model and outcome."""
        found = self._engine.rows(
            "select day, purpose, model, outcome, count(*) as calls, sum(coalesce(input_tokens, 0)) as input_tokens,"
            " sum(coalesce(output_tokens, 0)) as output_tokens, sum(held_tokens) as held_tokens,"
            " sum(held_micro_usd) as held_micro_usd, sum(case when micro_usd is null then 1 else 0 end) as unpriced,"
            " sum(coalesce(latency_ms, 0)) as latency_ms"
            " from model_calls where day >= :since group by day, purpose, model, outcome"
            " order by day, purpose, model, outcome",
            {"since": since},
        )
        # PostgreSQL adds up to numbers of another type.
        counts = ("calls", "input_tokens", "output_tokens", "held_tokens", "held_micro_usd", "unpriced", "latency_ms")
        return [Spent(**{**row, **{name: int(row[name]) for name in counts}}) for row in found]

    def resting(self, now: datetime) -> dict[str, str]:
        """The providers that are left alone now, and until when."""
        found = self._engine.rows(
            "select place, open_until from model_places where open_until > :now and open_until <= :most order by place",
            _window(now),
        )
        return {row["place"]: row["open_until"] for row in found}

    def _held(self, span: Span, session: str | None, turn: str | None, now: datetime) -> Amount | None:
        given: dict[str, Any]
        if span == "turn":
            which, given = "turn = :turn", {"turn": turn}
        elif span == "session":
            which, given = "session = :session", {"session": session}
        else:
            day = _day(now)
            which, given = "day >= :day", {"day": day if span == "day" else f"{day[:7]}-01"}
        if None in given.values():
            # A limit of 0 holds for a call outside of any turn too.
            return Amount(0, 0)
        row = self._engine.rows(
            "select coalesce(sum(held_tokens), 0) as tokens, coalesce(sum(held_micro_usd), 0) as micro_usd"
            f" from model_calls where {which}",
            given,
        )[0]
        return Amount(int(row["tokens"]), int(row["micro_usd"]))

    def _open(self, wanted: Wanted, now: datetime) -> str | None:
        found = self._engine.rows(
            "select open_until from model_places where place = :place and open_until > :now and open_until <= :most",
            {"place": wanted.place, **_window(now)},
        )
        return str(found[0]["open_until"]) if found else None

    def _let_one_through(self, wanted: Wanted, now: datetime) -> None:
        """After the rest one call tries for all; the others wait for what comes of it."""
        until = now + timedelta(seconds=min(wanted.seconds, LONGEST.total_seconds()))
        self._engine.rows(
            "update model_places set open_until = :until where place = :place and open_until is not null",
            {"place": wanted.place, "until": store_time(until)},
        )

    def _failed(self, place: str, rest: float, now: datetime) -> None:
        failures = int(
            self._engine.rows(
                "insert into model_places (place, failures) values (:place, 1)"
                " on conflict (place) do update set failures = model_places.failures + 1 returning failures",
                {"place": place},
            )[0]["failures"]
        )
        # A provider may ask for a day; that would be its word over the owner's.
        pause = timedelta(seconds=min(max(rest, 0.0), LONGEST.total_seconds()))
        if failures >= FAILURES:
            pause = max(pause, min(SHORTEST * 2 ** min(failures - FAILURES, 10), LONGEST))
        if pause:
            self._engine.rows(
                "update model_places set open_until = :until where place = :place",
                {"place": place, "until": store_time(now + pause)},
            )


def _day(now: datetime) -> str:
    return store_time(now)[:10]


def _window(now: datetime) -> dict[str, str]:
    """A rest lies ahead, and no further than the longest: a clock that went back makes none longer."""
    return {"now": store_time(now), "most": store_time(now + LONGEST)}
