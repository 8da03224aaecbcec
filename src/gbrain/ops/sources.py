"""Operations on sources: the named places of a brain, and which of them a call reads and writes."""

import os
from functools import partial
from typing import Annotated, NotRequired, TypedDict

from gbrain.domain.offers.scope import ACROSS, renamed
from gbrain.domain.places import SEED, Step, steps, unnamed
from gbrain.domain.source_ids import checked_id
from gbrain.domain.text import collapse
from gbrain.errors import InvalidParams, NotFound, ScopeDenied
from gbrain.registry import Context, Param, operation
from gbrain.settings import nearest
from gbrain.store.sources import Held
from gbrain.types import Source

NAME_LENGTH = 100

SourceName = Annotated[str, Param("The id of the source.", max_length=200)]

_of_one = partial(operation, scope="admin", surface="full", positional=("id",), cli=None, local_only=True)
"""Declares a change to one source, which is for the person at this machine."""


class SourceRow(TypedDict):
    """One source. `local_path` is shown on this machine alone; `page_count` is what the caller may read."""

    id: str
    name: str
    local_path: str | None
    federated: bool | None
    default: bool
    page_count: int


class AddReply(SourceRow):
    """The new source, and the one that is meant where none is named, now that it is there."""

    unnamed: str


class TierRow(TypedDict):
    """What one way of choosing a source says. `detail` is told on this machine alone."""

    tier: str
    source_id: str | None
    detail: NotRequired[str]


class CurrentReply(TypedDict):
    """The source that is meant where none is named, the tier that said so, and what reads then take in."""

    source_id: str | None
    tier: str
    detail: NotRequired[str]
    reads: list[str]
    resolver_chain: list[TierRow]


class RenameReply(SourceRow):
    """The source as it is called now. `was`: its id before."""

    was: str


class RemoveReply(TypedDict):
    """What went with the source. Its folder, if it had one, stays as it is."""

    id: str
    pages_deleted: int
    facts_deleted: int
    local_path: str | None


class SourcesReply(TypedDict):
    """The sources the caller may use, by id."""

    sources: list[SourceRow]


@operation(
    scope="admin",
    surface="full",
    title="Add a source",
    positional=("id",),
    cli=None,
    examples=("gbrain sources add work --path .", "gbrain sources add ideas --federated"),
)
def sources_add(
    ctx: Context,
    id: SourceName,
    path: Annotated[str | None, Param("The folder of Markdown its pages come from.", max_length=4096)] = None,
    name: Annotated[str | None, Param("What people call it; the id unless given.", max_length=NAME_LENGTH)] = None,
    federated: Annotated[bool | None, Param("Whether reads that name no source take it in too.")] = None,
) -> AddReply:
    """Add a source: a named place for pages and facts, with a folder of Markdown or without one.

    Where unnamed writes went before there was anything, they may go to the first source that has a folder; where
    something is kept already, they stay. The reply says which.
    """
    if ctx.caller.sources is not None:
        raise ScopeDenied(
            "adding a source needs access to all of them", "ask the brain's owner to run: gbrain sources add ID"
        )
    if path is not None and ctx.caller.remote:
        raise ScopeDenied(
            "only the person at this machine gives a source its folder",
            "leave out path, or ask them: gbrain sources add",
        )
    made = Source(checked_id(id), _name(name) if name else id, None, federated, False, ctx.now_text)
    with ctx.store.transaction():
        before = ctx.store.sources.all()
        if path is not None and made.id not in {source.id for source in before}:
            made = made._replace(local_path=_folder(path, before))
        ctx.store.sources.add(made)
        unnamed = _stay(ctx, before)
    return {**_row(ctx, made, 0), "unnamed": unnamed}


@operation(
    scope="read",
    surface="starter",
    title="List the sources",
    cli=None,
    examples=("gbrain sources list", "gbrain sources list --json"),
)
def sources_list(ctx: Context) -> SourcesReply:
    """List the sources you may use, with their pages, and which of them an unnamed source means."""
    granted = ctx.caller.sources
    held = [source for source in ctx.store.sources.all() if granted is None or source.id in granted]
    # With the caller's view, or the counts would tell of private pages.
    counts = ctx.store.sources.page_counts(ctx.view._replace(sources=tuple(source.id for source in held)))
    return {"sources": [_row(ctx, source, counts.get(source.id, 0)) for source in held]}


@operation(
    scope="read",
    surface="full",
    title="Say which source is meant",
    cli=None,
    examples=("gbrain sources current", "gbrain sources current --json"),
)
def sources_current(ctx: Context) -> CurrentReply:
    """Say which source is meant where none is named, why, and which sources reads then take in."""
    place = ctx.extent.place
    granted = ctx.extent.granted
    chain = list(steps(ctx.selection, ctx.store.sources.all()))
    rows = [_tier(ctx, step) for step in chain if step.source is None or step.source in granted]
    if place.tier not in {row["tier"] for row in rows}:
        rows.insert(0, _tier(ctx, place))
    return {**_tier(ctx, place), "reads": list(ctx.view.sources), "resolver_chain": rows}


@operation(
    scope="admin",
    surface="full",
    title="Rename a source",
    positional=("id", "name"),
    cli=None,
    local_only=True,
    idempotent=True,
    examples=('gbrain sources rename work "Work notes"', "gbrain sources rename work --new-id office"),
)
def sources_rename(
    ctx: Context,
    id: SourceName,
    name: Annotated[str | None, Param("What people call it from now on.", max_length=NAME_LENGTH)] = None,
    new_id: Annotated[str | None, Param("Its id from now on, in every page, fact and grant.", max_length=200)] = None,
) -> RenameReply:
    """Change what a source is called, or its id.

    A new id reaches everything the brain keeps, clients' grants too. What was written elsewhere stays as it is: texts
    that cite the old id, .gbrain-source files, and the command lines of servers.
    """
    if name is None and new_id is None:
        raise InvalidParams("a source needs a new name or a new id", f"run: gbrain sources rename {id[:64]} NAME")
    sources, after = ctx.store.sources, checked_id(new_id) if new_id is not None else id
    with ctx.store.transaction():
        held = _found(ctx, id)
        if after != id:
            _refuse_rename(ctx, id, after)
            sources.rename(id, after)
            # Processes hold vectors in memory by source, and would go on under the old id.
            ctx.store.vectors.moved(after)
            ctx.store.clients.move_source(id, after)
            if (across := ctx.store.config.get(ACROSS)) is not None:
                ctx.store.config.set(ACROSS, renamed(across, id, after))
        held = held._replace(id=after, name=_name(name) if name else after if held.name == id else held.name)
        sources.change(held)
    return {**_row(ctx, held, _count(ctx, after)), "was": id}


@_of_one(
    title="Remove a source",
    destructive=True,
    examples=("gbrain sources remove work --yes",),
)
def sources_remove(
    ctx: Context,
    id: SourceName,
    confirm_destructive: Annotated[bool, Param("Delete its pages and facts, for good.")] = False,
) -> RemoveReply:
    """Remove a source with its pages, their versions and its facts, for good. The files of its folder stay."""
    sources = ctx.store.sources
    with ctx.store.transaction():
        source = _found(ctx, id)
        before = sources.all()
        if source.id == SEED or source.is_default:
            raise _kept(source)
        held = sources.held(id)
        if any(held) and not confirm_destructive:
            raise InvalidParams(
                f"removing {id!r} deletes {_pages(held)}, all their versions and {held.facts:,} facts, for good",
                f"if that is meant, run: gbrain sources remove {id} --yes",
                detail={"reason": "confirmation_needed", "pages": held.pages + held.deleted, "facts": held.facts},
            )
        sources.remove(id)
        ctx.store.clients.move_source(id, None)
        if unnamed(before) != id:
            _stay(ctx, before)
    pages = held.pages + held.deleted
    return {"id": id, "pages_deleted": pages, "facts_deleted": held.facts, "local_path": source.local_path}


@_of_one(
    title="Take a source into unnamed reads",
    idempotent=True,
    examples=("gbrain sources federate work",),
)
def sources_federate(ctx: Context, id: SourceName) -> SourceRow:
    """Let reads that name no source take this one in too."""
    return _federate(ctx, id, federated=True)


@_of_one(
    title="Keep a source out of unnamed reads",
    idempotent=True,
    examples=("gbrain sources unfederate work",),
)
def sources_unfederate(ctx: Context, id: SourceName) -> SourceRow:
    """Keep this source apart: only reads that name it or ask for all see it, and reads from within see no other."""
    return _federate(ctx, id, federated=False)


@_of_one(
    title="Choose the source that is meant",
    idempotent=True,
    examples=("gbrain sources default work",),
)
def sources_default(ctx: Context, id: SourceName) -> SourceRow:
    """Make this the source that is meant where nothing else names one."""
    with ctx.store.transaction():
        held = _found(ctx, id)
        ctx.store.sources.choose(id)
    return _row(ctx, held._replace(is_default=True), _count(ctx, id))


def _federate(ctx: Context, id: str, *, federated: bool) -> SourceRow:
    with ctx.store.transaction():
        held = _found(ctx, id)._replace(federated=federated)
        ctx.store.sources.change(held)
    return _row(ctx, held, _count(ctx, id))


def _stay(ctx: Context, before: list[Source]) -> str:
    """Let unnamed writes go on to where they went `before`, if anything is kept there; where they go now."""
    was, now = unnamed(before), unnamed(ctx.store.sources.all())
    # With one more source another may be the one that is meant; writes that name none would silently go elsewhere.
    if was == now or not (ctx.caller.remote or any(ctx.store.sources.held(was))):
        return now
    ctx.store.sources.choose(was)
    return was


def _found(ctx: Context, id: str) -> Source:
    held = {source.id: source for source in ctx.store.sources.all()}
    if id not in held:
        near = nearest(id[:64], list(held))
        raise NotFound(
            f"there is no source {id[:64]!r}",
            f"did you mean {near}? run: gbrain sources list" if near else "run: gbrain sources list",
        )
    return held[id]


def _pages(held: Held) -> str:
    gone = f" and {held.deleted:,} deleted before" if held.deleted else ""
    return f"{held.pages:,} page{'' if held.pages == 1 else 's'}{gone}"


def _kept(source: Source) -> InvalidParams:
    if source.id == SEED:
        return InvalidParams(
            f"{SEED!r} cannot be removed: every brain has it", "delete its pages instead: gbrain delete SLUG"
        )
    return InvalidParams(
        f"{source.id!r} cannot be removed: it is the one that is meant where none is named",
        "choose another first: gbrain sources default ID",
    )


def _refuse_rename(ctx: Context, id: str, after: str) -> None:
    if id == SEED:
        raise InvalidParams(
            f"the source {SEED!r} keeps its id: every brain has it",
            f'give it another name: gbrain sources rename {SEED} "NAME"',
        )
    if any(source.id == after for source in ctx.store.sources.all()):
        raise InvalidParams(f"there is a source {after!r} already", "choose another id; run: gbrain sources list")


def _count(ctx: Context, id: str) -> int:
    return ctx.store.sources.page_counts(ctx.view._replace(sources=(id,))).get(id, 0)


def _tier(ctx: Context, step: Step) -> TierRow:
    row: TierRow = {"tier": step.tier, "source_id": step.source}
    if step.detail and not ctx.caller.remote:
        row["detail"] = step.detail
    return row


def _row(ctx: Context, source: Source, pages: int) -> SourceRow:
    return {
        "id": source.id,
        "name": source.name,
        "local_path": None if ctx.caller.remote else source.local_path,
        "federated": source.federated,
        "default": source.is_default,
        "page_count": pages,
    }


def _name(text: str) -> str:
    name = collapse(text)
    if not name or not name.isprintable():
        raise InvalidParams("a source needs a name of printable characters", "leave out name to use the id")
    return name


def _folder(text: str, held: list[Source]) -> str:
    """The absolute path of a folder no other source has; folders within each other would mix two sources up."""
    # Links resolved, or two names of one folder would be two sources.
    path = os.path.realpath(os.path.expanduser(text))
    if not os.path.isdir(path):
        raise InvalidParams(f"there is no folder {text[:200]!r}", "make it first, or pass the path of another one")
    for other in held:
        if other.local_path and os.path.commonpath([path, other.local_path]) in (path, other.local_path):
            raise InvalidParams(
                f"the folder of source {other.id!r}, {other.local_path}, and this one lie in each other",
                "choose a folder beside it; run: gbrain sources list",
            )
    return path
