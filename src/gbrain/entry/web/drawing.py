"""Plots as inline SVG, made here: bars by day, funnels, intervals on a time axis. The style sheet has the colours."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from markupsafe import Markup, escape

WIDTH, HEIGHT = 640, 140
_LEFT, _BOTTOM, _TOP = 36, 20, 8


class Bar(NamedTuple):
    """The values of one day, or of one other thing that stands on the axis."""

    name: str
    values: tuple[float, ...]


class Span(NamedTuple):
    """A stretch of time on the axis; `end` is None while it lasts."""

    name: str
    start: datetime
    end: datetime | None
    kind: str
    link: str = ""


def days(told: Sequence[tuple[str, tuple[float, ...]]], last: date, count: int = 28) -> list[Bar]:
    """One bar for each of the last so many days, also for those of which nothing is told."""
    held = dict(told)
    empty = tuple(0.0 for _ in next(iter(held.values()), (0.0,)))
    names = [(last - timedelta(days=back)).isoformat() for back in range(count - 1, -1, -1)]
    return [Bar(name, held.get(name, empty)) for name in names]


def bars(told: Sequence[Bar], title: str, series: Sequence[str], unit: str = "") -> Markup:
    """Bars side by side for each name; a screen reader reads the table below, which is there for it alone."""
    most = _round_up(max((value for bar in told for value in bar.values), default=0))
    wide = (WIDTH - _LEFT) / max(1, len(told))
    parts = [_axis(most, unit)]
    for at, bar in enumerate(told):
        each = wide * 0.8 / max(1, len(bar.values))
        for number, value in enumerate(bar.values):
            tall = (HEIGHT - _BOTTOM - _TOP) * value / most if most else 0
            x, y = _LEFT + at * wide + wide * 0.1 + number * each, HEIGHT - _BOTTOM - tall
            label = f"{bar.name}: {_number(value)}{unit} {series[number]}"
            parts.append(
                f'<rect class="s{number}" x="{x:.1f}" y="{y:.1f}" width="{each:.1f}" height="{tall:.1f}">'
                f"<title>{escape(label)}</title></rect>"
            )
        if at in (0, len(told) - 1):
            anchor = "start" if at == 0 else "end"
            x = _LEFT + (0 if at == 0 else WIDTH - _LEFT)
            parts.append(
                f'<text class="day" x="{x:.1f}" y="{HEIGHT - 5}" text-anchor="{anchor}">{escape(bar.name)}</text>'
            )
    rows = "".join(
        f"<tr><th>{escape(bar.name)}</th>{''.join(f'<td>{_number(value)}</td>' for value in bar.values)}</tr>"
        for bar in told
    )
    head = "".join(f"<th>{escape(one)}</th>" for one in ("", *series))
    legend = "".join(f'<li class="s{number}">{escape(one)}</li>' for number, one in enumerate(series))
    return _figure(title, "".join(parts), f'<ul class="legend">{legend}</ul>', f"<tr>{head}</tr>{rows}", HEIGHT)


def funnel(steps: Sequence[tuple[str, int]], title: str) -> Markup:
    """Rows that grow narrower: how many came as far as each step."""
    most = max((count for _, count in steps), default=0)
    parts, row = [], 26
    for at, (name, count) in enumerate(steps):
        wide = (WIDTH - 220) * count / most if most else 0
        y = at * row + 4
        parts.append(f'<text x="0" y="{y + 15}">{escape(name)}</text>')
        parts.append(f'<rect class="s0" x="170" y="{y}" width="{max(wide, 1):.1f}" height="{row - 6}"></rect>')
        parts.append(f'<text x="{176 + wide:.1f}" y="{y + 15}">{count:,}</text>')
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{count:,}</td></tr>" for name, count in steps)
    return _figure(title, "".join(parts), "", rows, row * len(steps) + 8)


def intervals(spans: Sequence[Span], title: str, now: datetime) -> Markup:
    """Stretches of time, one a row, on one axis that ends now."""
    if not spans:
        return Markup("")
    first = min(span.start for span in spans)
    last = max([now, *(span.end for span in spans if span.end is not None)])
    length = max((last - first).total_seconds(), 1.0)
    row, left = 24, 8
    parts = []
    for at, span in enumerate(spans):
        end = span.end or now
        x = left + (WIDTH - 2 * left) * (span.start - first).total_seconds() / length
        wide = max(3.0, (WIDTH - 2 * left) * max(0.0, (end - span.start).total_seconds()) / length)
        y = at * row + 4
        until = span.end.date().isoformat() if span.end else "now"
        label = f"{span.name}: {span.start.date().isoformat()} to {until}, {span.kind}"
        shape = (
            f'<rect class="{escape(span.kind)}" x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{row - 8}" rx="3">'
            f"<title>{escape(label)}</title></rect>"
        )
        anchor, at_x = ("end", WIDTH - left - 4) if x > WIDTH / 2 else ("start", x + 6)
        shape += f'<text x="{at_x:.1f}" y="{y + 12}" text-anchor="{anchor}">{escape(span.name[:60])}</text>'
        parts.append(f'<a href="{escape(span.link)}">{shape}</a>' if span.link else shape)
    foot = len(spans) * row + 14
    parts.append(f'<text x="{left}" y="{foot}">{first.date().isoformat()}</text>')
    parts.append(f'<text x="{WIDTH - left}" y="{foot}" text-anchor="end">{last.date().isoformat()}</text>')
    rows = "".join(
        f"<tr><th>{escape(span.name)}</th><td>{span.start.date().isoformat()}</td>"
        f"<td>{span.end.date().isoformat() if span.end else 'now'}</td><td>{escape(span.kind)}</td></tr>"
        for span in spans
    )
    return _figure(title, "".join(parts), "", rows, foot + 6)


def _figure(title: str, shapes: str, legend: str, rows: str, height: float) -> Markup:
    # What holds links is no picture: a screen reader would not lead into it.
    role = "group" if "<a " in shapes else "img"
    return Markup(
        f'<figure class="plot"><figcaption>{escape(title)}</figcaption>'
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="{role}" aria-label="{escape(title)}">{shapes}</svg>{legend}'
        f'<div class="read-aloud"><table><caption>{escape(title)}</caption>{rows}</table></div></figure>'
    )


def _axis(most: float, unit: str) -> str:
    bottom = HEIGHT - _BOTTOM
    lines = [
        f'<line x1="{_LEFT}" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}"></line>'
        f'<text x="{_LEFT - 4}" y="{y + 4:.1f}" text-anchor="end">{_number(most * share)}{escape(unit)}</text>'
        for share in ((0, 0.5, 1) if most % 2 == 0 or most < 1 else (0, 1))
        for y in (bottom - (bottom - _TOP) * share,)
    ]
    return f'<g class="axis">{"".join(lines)}</g>'


def _round_up(value: float) -> float:
    """The next number of the form 1, 2 or 5 times a power of ten, so that an axis has round marks."""
    if value <= 0:
        return 1.0
    step = 10.0 ** (len(str(int(value))) - 1) if value >= 1 else 10.0**-3
    while True:
        for times in (1, 2, 5, 10):
            if step * times >= value:
                return step * times
        step *= 10


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"
