"""Figures, the bars they must reach, and the table of both."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, inf
from time import perf_counter, thread_time
from typing import Any, NamedTuple


class Bar(NamedTuple):
    """What one number of a figure must not exceed, or not fall below."""

    of: str
    most: float = inf
    least: float = -inf

    def holds(self, value: float) -> bool:
        """Whether a value reaches this bar."""
        return self.least <= value <= self.most

    @property
    def told(self) -> str:
        """The bar as a condition, `p50 <= 12`."""
        return f"{self.of} <= {self.most:g}" if self.most < inf else f"{self.of} >= {self.least:g}"


class Figure(NamedTuple):
    """One thing measured `n` times: its numbers by name (`p50`, `p99`, `max`, `cpu`...), their unit, and its bars."""

    group: str
    name: str
    unit: str
    n: int
    numbers: dict[str, float]
    bars: tuple[Bar, ...] = ()

    @property
    def missed(self) -> tuple[Bar, ...]:
        """The bars that are not reached."""
        return tuple(bar for bar in self.bars if not bar.holds(self.numbers[bar.of]))


def timed(call: Callable[[Any], object], arguments: Iterable[Any]) -> dict[str, float]:
    """p50, p99 and the slowest of one call an argument, in ms of wall time; `cpu` and `cpu99` in ms of this thread."""
    walls, cpus = list[float](), list[float]()
    for argument in arguments:
        wall, cpu = perf_counter(), thread_time()
        call(argument)
        cpus.append((thread_time() - cpu) * 1000)
        walls.append((perf_counter() - wall) * 1000)
    return summed(walls, cpus)


def summed(walls: Sequence[float], cpus: Sequence[float] = ()) -> dict[str, float]:
    """The numbers of a series of calls."""
    numbers = {"p50": quantile(walls, 0.5), "p99": quantile(walls, 0.99), "max": max(walls)}
    if cpus:
        numbers |= {"cpu": quantile(cpus, 0.5), "cpu99": quantile(cpus, 0.99)}
    return numbers


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def told(head: Mapping[str, Any], figures: Sequence[Figure], file: str | None, *, strict: bool) -> int:
    """Print the figures under what they were measured on, and write them to a file if one is named; 1 when strict and
    a bar is missed, else 0."""
    print(f"\n{', '.join(f'{key} {value}' for key, value in head.items())}\n")
    print(table(figures))
    missed = [figure for figure in figures if figure.missed]
    barred = sum(bool(figure.bars) for figure in figures)
    print(f"\n{barred - len(missed)} of {barred} figures with a bar reach it")
    if file:
        with open(file, "w", encoding="utf-8") as out:
            json.dump({"head": dict(head), "figures": [as_json(figure) for figure in figures]}, out, indent=2)
    return 1 if strict and missed else 0


def table(figures: Sequence[Figure]) -> str:
    """The figures by group, a line each, with their bars and whether they are reached."""
    lines: list[str] = []
    for group in dict.fromkeys(figure.group for figure in figures):
        rows = [figure for figure in figures if figure.group == group]
        columns = list(dict.fromkeys(name for row in rows for name in row.numbers))
        width = max(len(group), *(len(row.name) for row in rows))
        lines += ["", f"{group:<{width}}  {'n':>6}  " + "  ".join(f"{name:>8}" for name in columns)]
        for row in rows:
            cells = [shown(row.numbers[name]) if name in row.numbers else "" for name in columns]
            lines.append(
                f"{row.name:<{width}}  {row.n:>6}  "
                + "  ".join(f"{cell:>8}" for cell in cells)
                + f"  {row.unit:<5} {_verdict(row)}".rstrip()
            )
    return "\n".join(lines).lstrip("\n")


def shown(value: float) -> str:
    """A number with three significant digits, or whole."""
    if value == int(value):
        return f"{int(value)}"
    return (
        f"{value:.3f}"
        if value < 1
        else f"{value:.2f}"
        if value < 10
        else f"{value:.1f}"
        if value < 100
        else f"{value:.0f}"
    )


def as_json(figure: Figure) -> dict[str, Any]:
    """A figure for the file."""
    return {
        "group": figure.group,
        "name": figure.name,
        "unit": figure.unit,
        "n": figure.n,
        **{name: round(value, 4) for name, value in figure.numbers.items()},
        "bars": [_bar(bar, bar not in figure.missed) for bar in figure.bars],
    }


def from_json(told: Mapping[str, Any]) -> Figure:
    """A figure of a file that `as_json` went into. Raises KeyError where it is none."""
    bars = tuple(Bar(bar["of"], bar.get("most", inf), bar.get("least", -inf)) for bar in told["bars"])
    numbers = {name: value for name, value in told.items() if name not in ("group", "name", "unit", "n", "bars")}
    return Figure(told["group"], told["name"], told["unit"], told["n"], numbers, bars)


def _bar(bar: Bar, reached: bool) -> dict[str, Any]:
    ends = {name: value for name, value in (("most", bar.most), ("least", bar.least)) if abs(value) < inf}
    return {"of": bar.of, **ends, "reached": reached}


def _verdict(figure: Figure) -> str:
    if not figure.bars:
        return ""
    wanted = ", ".join(bar.told for bar in figure.bars)
    if not figure.missed:
        return f"{wanted}: pass"
    missed = ", ".join(bar.of for bar in figure.missed)
    twins = {"p50": "cpu", "p99": "cpu99"}
    spent = {bar: figure.numbers.get(twins.get(bar.of, "")) for bar in figure.missed}
    waited = all(cpu is not None and bar.holds(cpu) for bar, cpu in spent.items())
    return f"{wanted}: MISSED {missed}" + (" (its processor time is within: a busy machine)" if waited else "")
