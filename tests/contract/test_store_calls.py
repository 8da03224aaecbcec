"""The meter and the brake: room is taken before a call, and no two processes pass a limit together."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from gbrain.domain.spending import Amount, Limit
from gbrain.store.calls import FAILURES, LONGEST, SHORTEST, Done, Refused, Started, Wanted
from gbrain.store.store import Store

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
PLACE = "openai@api.example"
WANTED = Wanted("extract", "openai:m", PLACE, "s-1", "t-1", Amount(100, 50), 60.0)
FAILED = Done("server_error", Amount(0, 0), 0, 0, 0, 3, 900, outage=True)
ANSWERED = Done("stop", Amount(30, 12), 20, 10, 12, 1, 250, answered=True)


def tokens(span: str, most: int | None) -> list[Limit]:
    return [Limit(span, most, None)]  # type: ignore[arg-type]


def begun(store: Store, wanted: Wanted = WANTED, limits: list[Limit] | None = None, now: datetime = NOON) -> Started:
    started = store.calls.begin(wanted, limits or [], now)
    assert isinstance(started, Started)
    return started


def refused(store: Store, wanted: Wanted = WANTED, limits: list[Limit] | None = None, now: datetime = NOON) -> Refused:
    said = store.calls.begin(wanted, limits or [], now)
    assert isinstance(said, Refused)
    return said


def test_what_is_wanted_counts_until_it_is_known_what_was_taken(store: Store) -> None:
    call = begun(store)
    assert store.calls.held("day", NOON) == (100, 50)
    store.calls.end(call, PLACE, ANSWERED, NOON)
    for held in (store.calls.held("day", NOON), store.calls.held("session", NOON, session="s-1")):
        assert held == (30, 12)
    assert store.calls.held("session", NOON, session="s-2") == store.calls.held("turn", NOON) == (0, 0)
    [row] = store.calls.by_day("2031-05-04")
    assert tuple(row) == ("2031-05-04", "extract", "openai:m", "stop", 1, 20, 10, 30, 12, 0, 250)


def test_a_call_that_was_broken_off_counts_in_full_for_good(store: Store, another_store: Store) -> None:
    begun(store)
    assert another_store.calls.held("month", NOON + timedelta(days=20)) == (100, 50)
    assert [row.outcome for row in another_store.calls.by_day("2031-05-04")] == ["under_way"]


@pytest.mark.parametrize("span", ["turn", "session", "day", "month"])
def test_a_limit_is_reached_exactly(store: Store, span: str) -> None:
    limits = tokens(span, 250)
    begun(store, limits=limits)
    begun(store, limits=limits)
    said = refused(store, limits=limits)
    assert (said.span, said.unit, said.held) == (span, "tokens", (200, 100))
    begun(store, WANTED._replace(most=Amount(50, 0)), limits)
    assert [row.calls for row in store.calls.by_day("2031-05-04")] == [3]


def test_money_is_a_limit_of_its_own(store: Store) -> None:
    limits = [Limit("day", None, 120)]
    begun(store, limits=limits)
    begun(store, limits=limits)
    assert refused(store, limits=limits).unit == "usd"
    begun(store, WANTED._replace(most=Amount(10**9, 0)), limits)


@pytest.mark.parametrize("span", ["turn", "session", "day", "month"])
@pytest.mark.parametrize("limits", [(0, None), (None, 0)])
def test_a_limit_of_nothing_allows_nothing(store: Store, span: str, limits: tuple[int | None, int | None]) -> None:
    nobody = WANTED._replace(session=None, turn=None, most=Amount(0, 0))
    assert refused(store, nobody, [Limit(span, *limits)]).span == span  # type: ignore[arg-type]
    assert store.calls.by_day("2000-01-01") == []


def test_spans_are_apart(store: Store) -> None:
    limits = [Limit("turn", 100, None), Limit("session", 200, None), Limit("day", 300, None), Limit("month", 400, None)]
    assert refused_after(store, limits, WANTED, NOON) == "turn"
    assert refused_after(store, limits, WANTED._replace(turn="t-2"), NOON) == "turn"
    assert refused_after(store, limits, WANTED._replace(turn="t-3"), NOON) == "session"
    assert refused_after(store, limits, WANTED._replace(turn="t-3", session="s-2"), NOON) == "turn"
    tomorrow = NOON + timedelta(days=1)
    assert refused_after(store, limits, WANTED._replace(turn="t-4", session="s-3"), NOON) == "day"
    assert refused_after(store, limits, WANTED._replace(turn="t-4", session="s-3"), tomorrow) == "turn"
    assert refused_after(store, limits, WANTED._replace(turn="t-5", session="s-4"), tomorrow) == "month"


def refused_after(store: Store, limits: list[Limit], wanted: Wanted, now: datetime) -> str | None:
    """Call as long as it is allowed; the span that ends it."""
    for _ in range(5):
        said = store.calls.begin(wanted, limits, now)
        if isinstance(said, Refused):
            return said.span
    return None


def test_a_clock_that_goes_back_gives_nothing_again(store: Store) -> None:
    for span, back in (("day", timedelta(days=3)), ("month", timedelta(days=40))):
        wanted = WANTED._replace(session=span)
        begun(store, wanted)
        assert refused(store, wanted, tokens(span, 150), NOON - back).span == span
    assert store.calls.held("day", NOON + timedelta(days=1)) == (0, 0)


def test_two_processes_at_a_limit_do_not_pass_it(store: Store, another_store: Store) -> None:
    limits = tokens("day", 1000)

    def many(calls: Store) -> int:
        return sum(isinstance(calls.calls.begin(WANTED, limits, NOON), Started) for _ in range(8))

    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(many, (store, another_store))) == 10
    assert store.calls.held("day", NOON) == (1000, 500)


def fail(store: Store, times: int, now: datetime = NOON) -> None:
    for _ in range(times):
        store.calls.end(begun(store, now=now), PLACE, FAILED, now)


def test_a_provider_that_keeps_failing_is_left_alone_by_all(store: Store, another_store: Store) -> None:
    fail(store, FAILURES)
    said = refused(another_store)
    assert said.open_until == "2031-05-04T12:01:00.000000Z"
    assert another_store.calls.resting(NOON) == {PLACE: said.open_until}
    begun(store, WANTED._replace(place="other"))
    begun(store, WANTED._replace(heed_breaker=False))


def test_after_the_rest_one_tries_for_all(store: Store, another_store: Store) -> None:
    fail(store, FAILURES)
    later = NOON + SHORTEST
    trial = begun(another_store, now=later)
    refused(store, now=later)
    another_store.calls.end(trial, PLACE, FAILED, later)
    refused(store, now=later + SHORTEST)
    again = later + 2 * SHORTEST
    store.calls.end(begun(store, now=again), PLACE, ANSWERED, again)
    for _ in range(3):
        begun(another_store, now=again)
    assert store.calls.resting(again) == {}


def test_an_answer_in_between_begins_the_count_anew(store: Store) -> None:
    fail(store, FAILURES - 1)
    store.calls.end(begun(store), PLACE, ANSWERED, NOON)
    fail(store, FAILURES - 1)
    begun(store)


def test_a_provider_that_asks_for_a_rest_gets_it(store: Store) -> None:
    store.calls.end(begun(store), PLACE, FAILED._replace(rest=120.0), NOON)
    refused(store, now=NOON + timedelta(seconds=119))
    begun(store, now=NOON + timedelta(seconds=120))


def test_no_rest_is_longer_than_the_longest_whatever_the_clock_does(store: Store) -> None:
    store.calls.end(begun(store), PLACE, FAILED._replace(rest=10.0**9), NOON)
    refused(store, now=NOON + LONGEST - timedelta(seconds=1))
    begun(store, now=NOON - timedelta(days=2))
    begun(store, now=NOON + LONGEST)


def test_rows_of_long_ago_go(store: Store) -> None:
    begun(store, now=NOON - timedelta(days=500))
    begun(store)
    assert [row.day for row in store.calls.by_day("2000-01-01")] == ["2031-05-04"]
