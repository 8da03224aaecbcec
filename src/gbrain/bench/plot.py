"""A scatter plot as SVG, for figures that are looked at in a browser."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT, EDGE = 760, 460, 60
TICKS = 5


class Point(NamedTuple):
    """One measurement."""

    name: str
    x: float
    y: float


def scatter(points: Sequence[Point], x_name: str, y_name: str) -> str:
    """The points with their names, axes from zero (across) and from the least value (up), in any colour scheme."""
    most = max((point.x for point in points), default=1.0) * 1.35 or 1.0
    low = min((point.y for point in points), default=0.0) // 10 * 10
    high = max(max((point.y for point in points), default=100.0), low + 10)

    def across(x: float) -> float:
        return round(EDGE + x / most * (WIDTH - 2 * EDGE), 1)

    def up(y: float) -> float:
        return round(HEIGHT - EDGE - (y - low) / (high - low) * (HEIGHT - 2 * EDGE), 1)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
        ' font-size="11" fill="#777">',
        f'<path d="M{EDGE} {EDGE}V{HEIGHT - EDGE}H{WIDTH - EDGE}" fill="none" stroke="#777"/>',
        f'<text x="{WIDTH - EDGE}" y="{HEIGHT - 18}" text-anchor="end">{escape(x_name)}</text>',
        f'<text x="{EDGE}" y="{EDGE - 22}">{escape(y_name)}</text>',
    ]
    for tick in range(TICKS + 1):
        x, y = most * tick / TICKS, low + (high - low) * tick / TICKS
        lines.append(f'<text x="{across(x)}" y="{HEIGHT - EDGE + 16}" text-anchor="middle">{x:.3g}</text>')
        lines.append(f'<text x="{EDGE - 6}" y="{up(y)}" text-anchor="end">{y:.4g}</text>')
    for point in points:
        x, y = across(point.x), up(point.y)
        lines.append(f'<circle cx="{x}" cy="{y}" r="4" fill="#2a7"><title>{escape(point.name)}</title></circle>')
        lines.append(f'<text x="{x + 7}" y="{y + 4}">{escape(point.name)}</text>')
    return "\n".join([*lines, "</svg>", ""])
