"""Operations on the brain itself: who asks, what can be asked, and what there is."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from gbrain import __version__, catalogue, registry
from gbrain.domain.times import wire_time
from gbrain.mounts import BrainInUse, in_use
from gbrain.registry import Context, Param, operation
from gbrain.types import SURFACES, Entry, Surface


class WhoamiReply(TypedDict):
    """The caller as the brain takes it. `source` is where writes go, `sources` what reads may see.

    A client with a token also learns its name, when that ends (null: never), and the slugs it is bound to. `brain` is
    the brain that answers, for callers of this machine.
    """

    transport: str
    client: str
    remote: bool
    scopes: list[str]
    sources: list[str]
    source: str
    surface: Surface
    token_name: NotRequired[str]
    expires_at: NotRequired[str | None]
    slugs: NotRequired[list[str]]
    brain: NotRequired[BrainInUse]


class ToolLine(TypedDict):
    """A tool in one line; one that is not on the caller's surface cannot be called before that is widened."""

    name: str
    one_line: str
    available: bool


class Area(TypedDict):
    """Tools of one subject."""

    area: str
    tools: list[ToolLine]


class Definition(TypedDict):
    """A tool as `tools/list` defines it."""

    name: str
    title: str
    description: str
    inputSchema: dict[str, Any]
    outputSchema: dict[str, Any]
    annotations: dict[str, Any]


class ToolsReply(TypedDict):
    """The catalogue, or the definitions that were asked for, or what became of asking for a surface."""

    catalog: NotRequired[list[Area]]
    tools: NotRequired[list[Definition]]
    unknown: NotRequired[list[str]]
    surface: NotRequired[Surface]
    persisted: NotRequired[bool]
    reason: NotRequired[str]


class StatsReply(TypedDict):
    """Counts of what this caller may see. `fact_count` is of facts that hold now."""

    page_count: int
    link_count: int
    tag_count: int
    timeline_entry_count: int
    fact_count: int
    facts_superseded: int
    facts_lapsed: int
    pages_by_type: dict[str, int]


class HealthReply(TypedDict):
    """How complete the brain is: shares from 0 to 1 (1 when there is nothing), and pages no link touches."""

    page_count: int
    fact_count: int
    link_coverage: float
    timeline_coverage: float
    summary_coverage: float
    orphan_pages: int


class IdentityReply(TypedDict):
    """Which brain this is."""

    brain_id: str
    version: str
    engine: str
    page_count: int
    sources: list[str]


@operation(
    scope="read",
    surface="starter",
    title="Say who is asking",
    examples=("gbrain whoami", "gbrain call whoami '{}'"),
)
def whoami(ctx: Context) -> WhoamiReply:
    """Say how the brain sees this caller: transport, scopes, sources, surface; and which brain it is."""
    caller = ctx.caller
    reply: WhoamiReply = {
        "transport": caller.transport if caller.remote else "local",
        "client": caller.client,
        "remote": caller.remote,
        "scopes": sorted(caller.scopes),
        "sources": _sources(ctx),
        "source": ctx.source,
        "surface": caller.surface,
    }
    client = ctx.store.clients.get(caller.client) if caller.transport == "http" else None
    if client is not None:
        reply["token_name"] = client.name
        reply["expires_at"] = wire_time(client.grant.expires_at)
    if caller.slugs is not None:
        reply["slugs"] = list(caller.slugs)
    if caller.transport != "http":
        # An agent on the local pipe is told the name; where the operator keeps what is the operator's to know.
        reply["brain"] = in_use(ctx.chosen, places=not caller.remote)
    return reply


@operation(
    scope="read",
    surface="starter",
    title="Look up tools",
    cli=None,
    examples=("gbrain call request_tools '{}'", 'gbrain call request_tools \'{"tools": ["put_page"]}\''),
)
def request_tools(
    ctx: Context,
    tools: Annotated[list[str] | None, Param("Names of tools whose whole definitions are wanted.")] = None,
    surface: Annotated[Literal["verbs", "starter", "full"] | None, Param("The surface to change to.")] = None,
) -> ToolsReply:
    """List every tool by subject in one line each, or give the definitions of some.

    A tool beyond the surface of this server is listed as not available; its owner can widen the surface.
    """
    reply: ToolsReply = {}
    if surface is not None:
        reply = {
            "surface": ctx.caller.surface,
            "persisted": False,
            "reason": "a server keeps the surface it was started with; start it again with: "
            f"gbrain serve --surface {surface}, or set it first: gbrain config set mcp_surface {surface}",
        }
    if tools is not None:
        entries = {name: entry for name, entry in catalogue.OPERATIONS.items() if _permitted(ctx, entry)}
        known = [name for name in dict.fromkeys(tools) if name in entries]
        reply["tools"] = [_definition(found) for name in known if (found := registry.find(name)) is not None]
        unknown = [name[:64] for name in dict.fromkeys(tools) if name not in entries]
        if unknown:
            reply["unknown"] = unknown
    elif surface is None:
        reply["catalog"] = _catalog(ctx)
    return reply


@operation(
    scope="admin",
    mutates=False,
    surface="full",
    title="Count what there is",
    cli="stats",
    examples=("gbrain stats",),
)
def get_stats(ctx: Context) -> StatsReply:
    """Count the pages, links, tags, timeline entries and facts of the brain."""
    kinds, facts = ctx.store.pages.count_by_type(ctx.view), ctx.store.facts.totals(ctx.view)
    return {
        "page_count": sum(kinds.values()),
        "link_count": ctx.store.links.count(ctx.view),
        "tag_count": ctx.store.tags.count(ctx.view),
        "timeline_entry_count": ctx.store.timeline.count(ctx.view),
        "fact_count": int(facts["active"]),
        "facts_superseded": int(facts["superseded"]),
        "facts_lapsed": int(facts["lapsed"]),
        "pages_by_type": kinds,
    }


@operation(
    scope="admin",
    mutates=False,
    surface="full",
    title="Say how complete the brain is",
    cli="health",
    examples=("gbrain health",),
)
def get_health(ctx: Context) -> HealthReply:
    """Say how many pages have links, a timeline and a summary, and how many nothing leads to or from."""
    held = ctx.store.pages.coverage(ctx.view)
    pages = int(held["pages"])
    return {
        "page_count": pages,
        "fact_count": int(ctx.store.facts.totals(ctx.view)["active"]),
        "link_coverage": _share(held["linked"], pages),
        "timeline_coverage": _share(held["dated"], pages),
        "summary_coverage": _share(held["summarised"], pages),
        "orphan_pages": pages - int(held["linked"]),
    }


@operation(
    scope="read",
    surface="full",
    title="Say which brain this is",
    cli=None,
    examples=("gbrain call get_brain_identity '{}'",),
)
def get_brain_identity(ctx: Context) -> IdentityReply:
    """Say which brain answers: its id, the version of gbrain, its engine and size."""
    return {
        "brain_id": ctx.brain_id,
        "version": __version__,
        "engine": ctx.store.engine.name,
        "page_count": sum(ctx.store.pages.count_by_type(ctx.view).values()),
        "sources": _sources(ctx),
    }


def _sources(ctx: Context) -> list[str]:
    known, granted = ctx.store.sources.ids(), ctx.caller.sources
    return known if granted is None else [source for source in known if source in granted]


def _permitted(ctx: Context, entry: Entry) -> bool:
    """Whether the caller could ever call this: by scope, place and slugs, whatever its surface."""
    caller = ctx.caller
    fenced = caller.slugs is None or entry.fenced
    return entry.scope in caller.scopes and fenced and entry.reaches(caller)


def _catalog(ctx: Context) -> list[Area]:
    areas: dict[str, list[ToolLine]] = {}
    reach = SURFACES.index(ctx.caller.surface)
    for name, entry in catalogue.OPERATIONS.items():
        if _permitted(ctx, entry):
            area = "verbs" if entry.surface == "verbs" else entry.module.rpartition(".")[2]
            available = SURFACES.index(entry.surface) <= reach
            areas.setdefault(area, []).append({"name": name, "one_line": entry.summary, "available": available})
    return [{"area": area, "tools": lines} for area, lines in areas.items()]


def _definition(found: registry.Operation) -> Definition:
    details = f"\n\n{found.details}" if found.details else ""
    return {
        "name": found.name,
        "title": found.title,
        "description": f"{found.summary}{details}",
        "inputSchema": found.input_schema(),
        "outputSchema": found.output_schema(),
        "annotations": found.annotations(),
    }


def _share(part: Any, whole: int) -> float:
    return round(int(part) / whole, 4) if whole else 1.0
