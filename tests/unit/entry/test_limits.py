"""Token buckets, on a clock that moves when it is told to."""

import pytest

from gbrain.entry.limits import Buckets, Guesses, network


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


def test_to_look_takes_nothing() -> None:
    clock = Clock()
    buckets = Buckets(1.0, 1.0, clock=clock)
    assert [buckets.wait("a") for _ in range(5)] == [0] * 5
    assert buckets.take("a") == 0
    assert [buckets.wait("a") for _ in range(5)] == [1] * 5
    clock.now += 1
    assert buckets.take("a") == 0


def test_guesses_are_not_looked_at_and_known_tokens_are() -> None:
    clock = Clock()
    guesses = Guesses(Buckets(0.5, 3.0, clock=clock))
    guesses.right("known")
    for _ in range(3):
        assert guesses.wait("10.0.0.7", "guess") == 0
        guesses.wrong("10.0.0.7")
    assert guesses.wait("10.0.0.7", "guess") == 2
    assert guesses.wait("10.0.0.7", "known") == 0
    assert guesses.wait("10.0.0.8", "guess") == 0
    clock.now += 2
    assert guesses.wait("10.0.0.7", "guess") == 0


def test_the_tokens_that_are_remembered_are_bounded() -> None:
    guesses = Guesses(Buckets(0.5, 1.0, clock=Clock()), most=2)
    for token in ("a", "b", "a", "c"):
        guesses.right(token)
    guesses.wrong("10.0.0.7")
    assert [guesses.wait("10.0.0.7", token) for token in "abc"] == [0, 2, 0]


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("10.0.0.7", "10.0.0.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
    ],
)
def test_what_a_guesser_has_to_itself(address: str, counted: str) -> None:
    assert network(address) == counted
