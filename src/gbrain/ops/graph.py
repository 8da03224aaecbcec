"""Operations on links: typed edges between pages, and walks over them."""

import re
from collections.abc import Sequence
from typing import Annotated, Literal, NotRequired, TypedDict

from gbrain.domain.slugs import normalise_slug
from gbrain.domain.text import collapse, fold
from gbrain.domain.walk import Around, Edge, Walk, walk
from gbrain.errors import InvalidParams
from gbrain.ops.pages import Slug
from gbrain.ops.which_page import page_to_change
from gbrain.registry import Context, Param, operation
from gbrain.store.lists import LIST_LIMIT, slices
from gbrain.types import Link, Named

MANAGED = frozenset({"frontmatter", "markdown", "mentions", "wikilink", "wikilink-resolved"})
"""Link sources that follow from the text of pages; only reading that text makes or removes them."""

DEPTH, DEEPEST = 5, 10
MOST_NODES, MOST_EDGES = 1000, 5000
LINKS_LIMIT, LINKS_MOST = 200, 1000

LinkType = Annotated[str | None, Param("What sort of link, such as works_at.")]
LinkLimit = Annotated[int, Param("At most this many, the oldest first.", minimum=1, maximum=LINKS_MOST)]
LinkOffset = Annotated[int, Param("Leave out this many first.", minimum=0, maximum=10_000_000)]


class AddLinkReply(TypedDict):
    """`created` is False when the same link was there; its context is then the new one."""

    status: Literal["ok"]
    created: bool


class RemoveLinkReply(TypedDict):
    """How many links went."""

    status: Literal["ok"]
    removed: int


class LinkRow(TypedDict):
    """A link and where it was seen; `date` says when what it tells began or ended, if its words do."""

    from_slug: str
    from_source_id: str
    to_slug: str
    to_source_id: str
    link_type: str
    context: str | None
    link_source: str
    origin_slug: str | None
    origin_source_id: str | None
    origin_field: str | None
    date: NotRequired[str]


class LinkSourceRow(TypedDict):
    """How many links one source made."""

    link_source: str
    count: int


class NodeLink(TypedDict):
    """A link that leaves a node."""

    to_slug: str
    link_type: str


class GraphNode(TypedDict):
    """A page met on a walk, at its least distance from the start."""

    slug: str
    title: str
    type: str
    depth: int
    links: list[NodeLink]


class GraphEdge(TypedDict):
    """A link met on a walk; those at depth 1 touch the start."""

    from_slug: str
    to_slug: str
    link_type: str
    context: str | None
    depth: int


@operation(
    scope="write",
    surface="starter",
    title="Link two pages",
    positional=("from", "to"),
    cli="link",
    idempotent=True,
    examples=("gbrain link people/dana-oakes companies/harbor-capital --link-type works_at",),
    fence=("from", "to"),
)
def add_link(
    ctx: Context,
    from_: Annotated[str, Param("The slug of the page the link leaves.", names="page")],
    to: Annotated[str, Param("The slug of the page it leads to.")],
    link_type: LinkType = None,
    context: Annotated[str | None, Param("The words in which the link was seen.", max_length=1000)] = None,
    link_source: Annotated[str | None, Param("What made the link; manual unless given.")] = None,
) -> AddLinkReply:
    """Link one page to another with a type; the same link is made once."""
    kind, source = _link_type(link_type or ""), _link_source(link_source or "manual")
    # The next write of the page would remove it again.
    if source in MANAGED:
        raise InvalidParams(
            f"links of the source {source!r} are made from the text of pages",
            "leave out link_source, or write the link into the page: gbrain put SLUG",
        )
    with ctx.store.transaction():
        start, end = page_to_change(ctx, from_), page_to_change(ctx, to)
        if start.id == end.id:
            raise InvalidParams("a page cannot be linked to itself", "pass another page as to; gbrain list shows them")
        words = collapse(context or "") or None
        created = ctx.store.links.add(start.source_id, start.id, end.id, kind, source, words, ctx.now_text)
    return {"status": "ok", "created": created}


@operation(
    scope="write",
    surface="full",
    title="Unlink two pages",
    positional=("from", "to"),
    cli="unlink",
    destructive=True,
    idempotent=True,
    examples=("gbrain unlink people/dana-oakes companies/harbor-capital --link-type works_at",),
    fence=("from", "to"),
)
def remove_link(
    ctx: Context,
    from_: Annotated[str, Param("The slug of the page the link leaves.", names="page")],
    to: Annotated[str, Param("The slug of the page it leads to.")],
    link_type: LinkType = None,
    link_source: Annotated[str | None, Param("Only links that this source made.")] = None,
) -> RemoveLinkReply:
    """Remove the links from one page to another: all of them, or those of one type or source."""
    kind = _link_type(link_type) if link_type is not None else None
    source = _link_source(link_source) if link_source is not None else None
    with ctx.store.transaction():
        start, end = page_to_change(ctx, from_), page_to_change(ctx, to)
        removed = ctx.store.links.remove(start.id, end.id, kind, source)
    return {"status": "ok", "removed": removed}


@operation(
    scope="read",
    surface="starter",
    title="List the links that leave a page",
    positional=("slug",),
    cli=None,
    examples=("gbrain links of people/dana-oakes",),
)
def get_links(ctx: Context, slug: Slug, limit: LinkLimit = LINKS_LIMIT, offset: LinkOffset = 0) -> list[LinkRow]:
    """List the links from a page to others."""
    return _links(ctx, slug, "out", int(limit), int(offset))


@operation(
    scope="read",
    surface="starter",
    title="List the links that lead to a page",
    positional=("slug",),
    cli="backlinks",
    examples=("gbrain backlinks companies/harbor-capital",),
)
def get_backlinks(ctx: Context, slug: Slug, limit: LinkLimit = LINKS_LIMIT, offset: LinkOffset = 0) -> list[LinkRow]:
    """List the links from other pages to this one."""
    return _links(ctx, slug, "in", int(limit), int(offset))


@operation(
    scope="read",
    surface="starter",
    title="Count links by what made them",
    cli="link-sources",
    examples=("gbrain link-sources",),
)
def list_link_sources(ctx: Context) -> list[LinkSourceRow]:
    """Count the links of the brain by what made them, the most first."""
    return [
        {"link_source": row["link_source"], "count": int(row["count"])} for row in ctx.store.links.sources(ctx.view)
    ]


@operation(
    scope="read",
    surface="starter",
    title="Walk the links around a page",
    positional=("slug",),
    cli="graph",
    examples=("gbrain graph people/dana-oakes --depth 2", "gbrain graph companies/harbor-capital --direction in"),
)
def traverse_graph(
    ctx: Context,
    slug: Slug,
    depth: Annotated[float, Param("How many links far.", minimum=0, maximum=DEEPEST)] = DEPTH,
    link_type: LinkType = None,
    direction: Annotated[Literal["in", "out", "both"] | None, Param("Which way to walk; out unless given.")] = None,
) -> list[GraphNode] | list[GraphEdge]:
    """Walk from a page along its links: every page once, at its least distance.

    Without a type and a direction the pages come back, each with the links that leave it; with either, the links do. At
    most 1,000 pages are visited; a warning says when there are more.
    """
    kind = _link_type(link_type) if link_type is not None else None
    start = ctx.store.pages.get(ctx.view, normalise_slug(slug))
    # As `get_links` has it: a page that is not there has no links.
    if start is None:
        return []
    found = walk(
        start.id,
        lambda ids: _around(ctx, ids, direction or "out", kind),
        direction=direction or "out",
        depth=int(depth),
        most=MOST_NODES,
    )
    if found.truncated:
        ctx.warn(
            "truncated",
            f"the walk stopped at {len(found.depths):,} pages and {len(found.steps):,} links; there are more",
            suggestion="pass a smaller depth, or a link_type",
        )
    pages = _named(ctx, list(found.depths))
    as_nodes = direction is None and link_type is None
    return _nodes(ctx, found, pages) if as_nodes else _edges(found, pages)


def _links(ctx: Context, slug: str, direction: Literal["out", "in"], limit: int, offset: int) -> list[LinkRow]:
    page = ctx.store.pages.get(ctx.view, normalise_slug(slug))
    if page is None:
        return []
    # One more than is shown tells whether there are more.
    found = ctx.store.links.of(ctx.view, page.id, direction, limit=limit + 1, offset=offset)
    if len(found) > limit:
        ctx.warn("truncated", f"there are more links; pass offset: {offset + limit} for the next ones")
    return [_row(link) for link in found[:limit]]


def _row(link: Link) -> LinkRow:
    row: LinkRow = {
        "from_slug": link.from_slug,
        "from_source_id": link.from_source_id,
        "to_slug": link.to_slug,
        "to_source_id": link.to_source_id,
        "link_type": link.link_type,
        "context": link.context,
        "link_source": link.link_source,
        "origin_slug": link.origin_slug,
        "origin_source_id": link.from_source_id if link.origin_slug is not None else None,
        "origin_field": link.origin_field,
    }
    if link.date is not None:
        row["date"] = link.date
    return row


def _around(ctx: Context, ids: Sequence[int], direction: str, link_type: str | None) -> Around:
    edges: dict[int, Edge] = {}
    complete = True
    for part in slices(ids, LIST_LIMIT):
        rows = ctx.store.links.around(ctx.view, part, direction, link_type, MOST_EDGES + 1)
        # A page with more links is shown with a part of them, and the walk says so.
        complete = complete and len(rows) <= MOST_EDGES
        for row in rows[:MOST_EDGES]:
            edges[row["id"]] = Edge(row["id"], row["from_id"], row["to_id"], row["link_type"], row["context"])
    return Around(list(edges.values()), complete)


def _named(ctx: Context, ids: Sequence[int]) -> dict[int, Named]:
    return {page.page_id: page for part in slices(ids) for page in ctx.store.names.pages(ctx.view, part, "walk")}


def _nodes(ctx: Context, found: Walk, pages: dict[int, Named]) -> list[GraphNode]:
    leaving: dict[int, list[Edge]] = {}
    for edge in _around(ctx, list(found.depths), "out", None).edges:
        leaving.setdefault(edge.from_id, []).append(edge)
    ends = {edge.to_id for edges in leaving.values() for edge in edges}
    named = {**pages, **_named(ctx, [id for id in ends if id not in pages])}
    return [
        {
            "slug": pages[id].slug,
            "title": pages[id].title,
            "type": pages[id].type,
            "depth": depth,
            "links": [
                {"to_slug": named[edge.to_id].slug, "link_type": edge.link_type}
                for edge in leaving.get(id, ())
                if edge.to_id in named
            ],
        }
        for id, depth in found.depths.items()
        if id in pages
    ]


def _edges(found: Walk, pages: dict[int, Named]) -> list[GraphEdge]:
    return [
        {
            "from_slug": pages[edge.from_id].slug,
            "to_slug": pages[edge.to_id].slug,
            "link_type": edge.link_type,
            "context": edge.context,
            "depth": depth,
        }
        for edge, depth in found.steps
        if edge.from_id in pages and edge.to_id in pages
    ]


def _link_type(text: str) -> str:
    """The type as it is kept: lower-case words joined by `_`, or "" for a link without one."""
    if text == "" or re.fullmatch("[a-z][a-z0-9_]{0,63}", text):
        return text
    near = "_".join(re.findall("[a-z0-9]+", fold(text)))[:64].strip("_").lstrip("0123456789_")
    raise InvalidParams(
        "a link type is lower-case letters, digits and `_`, at most 64, a letter first",
        f"pass link_type: {near}" if near else "pass a link_type such as works_at",
    )


def _link_source(text: str) -> str:
    if re.fullmatch("[a-z][a-z0-9-]{0,63}", text):
        return text
    near = "-".join(re.findall("[a-z0-9]+", fold(text)))[:64].strip("-").lstrip("0123456789-")
    raise InvalidParams(
        "a link source is lower-case letters, digits and `-`, at most 64, a letter first",
        f"pass link_source: {near}" if near else "leave out link_source, which makes it manual",
    )
