"""Operations on sources: the named places of a brain, and which of them a call reads and writes."""

import os
from typing import Annotated, TypedDict

from gbrain.domain.source_ids import checked_id
from gbrain.domain.text import collapse
from gbrain.errors import InvalidParams, ScopeDenied
from gbrain.registry import Context, Param, operation
from gbrain.types import Source

NAME_LENGTH = 100

SourceName = Annotated[str, Param("The id of the source.", max_length=200)]


class SourceRow(TypedDict):
    """One source. `local_path` is shown on this machine alone; `page_count` is what the caller may read."""

    id: str
    name: str
    local_path: str | None
    federated: bool | None
    default: bool
    page_count: int


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
) -> SourceRow:
    """Add a source: a named place for pages and facts, with a folder of Markdown or without one."""
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
        if path is not None:
            made = made._replace(local_path=_folder(path, ctx.store.sources.all()))
        ctx.store.sources.add(made)
    return _row(ctx, made, 0)


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
    counts = ctx.store.sources.page_counts(ctx.view._replace(sources=tuple(source.id for source in held)))
    return {"sources": [_row(ctx, source, counts.get(source.id, 0)) for source in held]}


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
