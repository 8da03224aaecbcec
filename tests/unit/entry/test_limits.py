"""Token buckets, on a clock that moves when it is told to."""

from gbrain.entry.limits import Buckets


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_then_the_rate() -> None:
    clock = Clock()
    buckets = Buckets(2.0, 5.0, clock=clock)
    assert [buckets.take("a") for _ in range(6)] == [0, 0, 0, 0, 0, 1]
    clock.now += 0.5
    assert [buckets.take("a") for _ in range(2)] == [0, 1]
    clock.now += 3600
    assert [buckets.take("a") for _ in range(6)] == [0, 0, 0, 0, 0, 1]


def test_the_wait_is_long_enough_and_no_longer() -> None:
    clock = Clock()
    buckets = Buckets(0.1, 1.0, clock=clock)
    assert buckets.take("a") == 0
    wait = buckets.take("a")
    assert wait == 10
    clock.now += wait - 1
    assert buckets.take("a") == 1
    clock.now += 1
    assert buckets.take("a") == 0


def test_clients_do_not_share() -> None:
    buckets = Buckets(1.0, 1.0, clock=Clock())
    assert [buckets.take(key) for key in ("a", "b", "a", "b")] == [0, 0, 1, 1]


def test_a_refused_call_costs_nothing() -> None:
    clock = Clock()
    buckets = Buckets(1.0, 1.0, clock=clock)
    assert buckets.take("a") == 0
    assert {buckets.take("a") for _ in range(100)} == {1}
    clock.now += 1
    assert buckets.take("a") == 0


def test_no_rate_is_no_limit() -> None:
    buckets = Buckets(0.0, 0.0, clock=Clock())
    assert {buckets.take("a") for _ in range(1000)} == {0}


def test_the_keys_are_bounded_and_the_busy_ones_stay() -> None:
    buckets = Buckets(1.0, 1.0, most=10, clock=Clock())
    for number in range(1000):
        assert buckets.take(f"stranger-{number}") == 0
        assert buckets.take("known") == (1 if number else 0)
