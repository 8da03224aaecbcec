"""Quantiles, bars and the table."""

import pytest

from gbrain.bench.figures import Bar, Figure, as_json, quantile, shown, summed, table, timed


def test_a_quantile_is_one_of_the_values() -> None:
    values = [float(value) for value in range(100, 0, -1)]
    assert (quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1.0)) == (50, 99, 100)
    assert quantile([3.0], 0.5) == quantile([3.0], 0.99) == 3


def test_every_argument_is_called_once() -> None:
    called: list[int] = []
    numbers = timed(called.append, range(30))
    assert called == list(range(30))
    assert set(numbers) == {"p50", "p99", "max", "cpu", "cpu99"}
    assert 0 <= numbers["p50"] <= numbers["p99"] <= numbers["max"]


def test_a_bar_is_reached_up_to_its_value() -> None:
    figure = Figure("g", "n", "ms", 3, {"p50": 1.0, "p99": 5.1}, (Bar("p50", 1.0), Bar("p99", 5.0)))
    assert figure.missed == (Bar("p99", 5.0),)


def test_the_table_says_what_was_missed() -> None:
    figures = [
        Figure("operation", "recall", "ms", 9, summed([1.0, 2.0]), (Bar("p99", 5),)),
        Figure("operation", "entity", "ms", 9, summed([1.0, 7.0]), (Bar("p99", 5),)),
        Figure("operation", "card", "ms", 9, summed([1.0, 7.0], [1.0, 2.0]), (Bar("p99", 5),)),
        Figure("disk", "empty", "MB", 1, {"size": 0.2}),
    ]
    lines = [" ".join(line.split()) for line in table(figures).splitlines()]
    assert lines[0] == "operation n p50 p99 max cpu cpu99"
    assert lines[1] == "recall 9 1 2 2 ms p99 <= 5: pass"
    assert lines[2] == "entity 9 1 7 7 ms p99 <= 5: MISSED p99"
    assert lines[3] == "card 9 1 7 7 1 2 ms p99 <= 5: MISSED p99 (its processor time is within: a busy machine)"
    assert lines[5:] == ["disk n size", "empty 1 0.200 MB"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (0.0421, "0.042"), (1.234, "1.23"), (12.34, "12.3"), (123.4, "123"), (2000.0, "2000")],
)
def test_numbers_have_three_digits(value: float, text: str) -> None:
    assert shown(value) == text


def test_the_file_holds_the_bars() -> None:
    figure = Figure("g", "n", "ms", 3, {"p50": 1.23456}, (Bar("p50", 1.0),))
    assert as_json(figure) == {
        "group": "g",
        "name": "n",
        "unit": "ms",
        "n": 3,
        "p50": 1.2346,
        "bars": [{"of": "p50", "most": 1.0, "reached": False}],
    }
