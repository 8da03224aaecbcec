"""The neighbourhood of a page as a picture: laid out here, links coloured by their type, each page one click away."""

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy
from markupsafe import Markup, escape
from numpy.typing import NDArray
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gbrain.entry.web.frame import Frame, number
from gbrain.entry.web.showing import Shown

MOST_PAGES, MOST_LINKS = 300, 1200
NAMED = 80
"""Up to so many pages all names are shown at once; beyond, that of the page under the pointer or in focus."""
COLOURS = 4
STEPS = 120
SIDE = 1000.0
ROOM, ROOM_EACH = 160.0, 36.0
"""Half a side of the picture, about in pixels of the screen: of any, and for the root of how many pages are in it."""


class Edge(NamedTuple):
    """A link of the picture."""

    start: str
    end: str
    kind: str


def routes(frame: Frame, shown: Shown) -> list[BaseRoute]:
    """The picture, and the form that chooses its middle."""

    def graph(request: Request) -> Response:
        slug = request.query_params.get("slug", "").strip()
        depth = min(3, max(1, number(request.query_params.get("depth"))))
        picture, kinds, count = Markup(""), [], 0
        if slug:
            slug = frame.ask(request, "get_page", slug=slug, fuzzy=True, source_id="__all__")["slug"]
            walked = frame.ask(request, "traverse_graph", slug=slug, direction="both", depth=depth, source_id="__all__")
            edges = chosen(slug, walked)
            kinds = ranked_kinds(edges)
            names = sorted({slug, *(end for edge in edges for end in edge[:2])})
            count = len(names)
            picture = drawn(slug, names, edges, kinds, depth)
        start = frame.ask(request, "list_pages", limit=20, source_id="__all__") if not slug else []
        return frame.page(
            request, "graph.html", slug=slug, depth=depth, picture=picture, kinds=kinds, count=count, start=start
        )

    return [Route("/graph", shown.page(graph))]


def chosen(slug: str, walked: Sequence[Any]) -> list[Edge]:
    """The links nearest to the middle, up to as many pages as a picture stays readable with."""
    pages, edges = {slug}, dict[Edge, None]()
    for one in sorted(walked, key=lambda row: row["depth"]):
        ends = {one["from_slug"], one["to_slug"]}
        if len(pages | ends) > MOST_PAGES or len(edges) >= MOST_LINKS:
            continue
        pages |= ends
        edges[Edge(one["from_slug"], one["to_slug"], one["link_type"])] = None
    return list(edges)


def ranked_kinds(edges: Sequence[Edge]) -> list[str]:
    """The types of link, the most frequent first."""
    counts: dict[str, int] = {}
    for edge in edges:
        counts[edge.kind] = counts.get(edge.kind, 0) + 1
    return sorted(counts, key=lambda kind: (-counts[kind], kind))


def layout(names: Sequence[str], edges: Sequence[Edge], middle: str) -> NDArray[numpy.float64]:
    """Places of pages in a square, the same for the same graph: the springs of Fruchterman and Reingold (1991)."""
    seeds = [int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") for name in names]
    angles = numpy.array(seeds, dtype=numpy.float64) / 2**64 * 2 * numpy.pi
    reach = (numpy.array(seeds, dtype=numpy.float64) % 997 / 997 * 0.6 + 0.2) * SIDE / 2
    at = numpy.stack([numpy.cos(angles) * reach, numpy.sin(angles) * reach], axis=1)
    at[names.index(middle)] = 0.0
    index = {name: number for number, name in enumerate(names)}
    pairs = numpy.array([(index[edge.start], index[edge.end]) for edge in edges], dtype=numpy.int64).reshape(-1, 2)
    wanted = SIDE / max(1.0, len(names) ** 0.5) * 0.8
    for step in range(STEPS):
        # Each pair pushes by 1/distance; sums over pairs as products of matrices are quick for 300 pages too.
        squares = (at**2).sum(axis=1)
        weight = wanted**2 / numpy.maximum(squares[:, None] + squares[None, :] - 2 * (at @ at.T), 1.0)
        push = at * weight.sum(axis=1)[:, None] - weight @ at
        if len(pairs):
            along = at[pairs[:, 0]] - at[pairs[:, 1]]
            pull = along * (numpy.sqrt((along**2).sum(axis=1)) / wanted)[:, None]
            numpy.subtract.at(push, pairs[:, 0], pull)
            numpy.add.at(push, pairs[:, 1], pull)
        push -= at * 0.02
        length = numpy.maximum(numpy.sqrt((push**2).sum(axis=1)), 0.01)
        heat = SIDE * 0.1 * (1 - step / STEPS)
        at += push / length[:, None] * numpy.minimum(length, heat)[:, None]
        at -= at[names.index(middle)]
    # Springs say how places lie to each other. So many pages keep their names readable in so large a square.
    at *= (ROOM + ROOM_EACH * len(names) ** 0.5) / max(1.0, float(numpy.abs(at).max()))
    return at


def drawn(middle: str, names: Sequence[str], edges: Sequence[Edge], kinds: Sequence[str], depth: int) -> Markup:
    """The picture as SVG; each page leads to its own neighbourhood."""
    places = layout(names, edges, middle)
    at = {name: (float(x), float(y)) for name, (x, y) in zip(names, places, strict=True)}
    # Names stand to the right of their places.
    wide, high = (max(120.0, *(abs(place[axis]) for place in at.values())) + (150, 40)[axis] for axis in (0, 1))
    colours = {kind: min(number, COLOURS) for number, kind in enumerate(kinds)}
    crowd = ' class="many"' if len(names) > NAMED else ""
    parts = []
    for edge in edges:
        (x1, y1), (x2, y2) = at[edge.start], at[edge.end]
        label = escape(f"{edge.start} {edge.kind or 'links to'} {edge.end}")
        parts.append(
            f'<line class="e{colours[edge.kind]}" x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}">'
            f"<title>{label}</title></line>"
        )
    for name in names:
        (x, y), radius = at[name], 11 if name == middle else 7
        short = name.rsplit("/", 1)[-1].replace("-", " ")
        href = escape(f"/graph?slug={name}&depth={depth}")
        parts.append(
            f'<a href="{href}" class="{"middle" if name == middle else "page"}" aria-label="{escape(name)}">'
            f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{radius}"><title>{escape(name)}</title></circle>'
            f'<text x="{x + radius + 4:.0f}" y="{y + 4:.0f}">{escape(short[:28])}</text></a>'
        )
    box = f"{-wide:.0f} {-high:.0f} {2 * wide:.0f} {2 * high:.0f}"
    return Markup(
        f'<svg{crowd} viewBox="{box}" role="group" aria-label="Pages around {escape(middle)}">{"".join(parts)}</svg>'
    )
