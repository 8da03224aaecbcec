"""One screen about the brain: what it holds, what was saved last, what waits, what runs out soon."""

import os
from datetime import timedelta
from typing import Annotated, TypedDict

from gbrain import home as homes
from gbrain.ambient import bank
from gbrain.domain.times import store_time, wire_time
from gbrain.registry import Context, Param, operation
from gbrain.store.stories import Told
from gbrain.store.unread import UNREAD, unread_files

SOON = timedelta(days=3)
WEEKS = timedelta(days=28)
SHOWN = 5


class SavedRow(TypedDict):
    """A fact as a list of the last ones shows it; `ended_at` where it holds no more."""

    id: str
    fact: str
    entity_slug: str | None
    source_id: str
    visibility: str
    saved_at: str | None
    saved_by: str | None
    provenance: str
    valid_until: str | None
    ended_at: str | None


class WaitingReply(TypedDict):
    """What waits: banked turns, texts for a vector, facts that are not yet in files, files that the last sync could
    not read."""

    turns: int
    vectors: int
    files: int
    unread: int


class DayRow(TypedDict):
    """How many facts were saved and ended on a day."""

    day: str
    saved: int
    ended: int


class UnreadRow(TypedDict):
    """A file of a source's folder that the last sync could not read, and why."""

    source_id: str
    path: str
    message: str


class StatusReply(TypedDict):
    """The brain at a glance. `bytes` is null where the database is a server's; `unread` names the first few."""

    home: str
    engine: str
    bytes: int | None
    writeback: str
    consent: str | None
    pages: int
    facts: int
    sources: int
    last: list[SavedRow]
    lapsing: list[SavedRow]
    waiting: WaitingReply
    unread: list[UnreadRow]
    days: list[DayRow]
    opened_by: str | None
    now: str


@operation(
    scope="read",
    surface="full",
    title="Show the brain at a glance",
    local_only=True,
    examples=("gbrain status",),
)
def status(
    ctx: Context,
    limit: Annotated[int, Param("How many of the last facts.", minimum=1, maximum=500)] = SHOWN,
) -> StatusReply:
    """Show the brain at a glance: its size, the mode of saving, the last facts, what waits and what runs out soon."""
    view, stories = ctx.view, ctx.store.stories
    agreed = ctx.store.consents.in_force()
    soon = store_time(ctx.now + SOON)
    unread = _unread(ctx)
    return {
        "home": ctx.home,
        "engine": ctx.store.engine.name,
        "bytes": _bytes(ctx),
        "writeback": agreed.mode if agreed else "off",
        "consent": agreed.id if agreed else None,
        "pages": sum(ctx.store.pages.count_by_type(view).values()),
        "facts": int(ctx.store.facts.totals(view)["active"]),
        "sources": len(ctx.store.sources.ids()),
        "last": [saved_row(fact) for fact in stories.latest(view, int(limit))],
        "lapsing": [saved_row(fact) for fact in stories.lapsing(view, soon, SHOWN)],
        "waiting": {
            "turns": _turns(ctx.home),
            "vectors": _vectors(ctx),
            "files": _files(ctx),
            "unread": len(unread),
        },
        "unread": unread[:SHOWN],
        "days": [
            {"day": day, "saved": saved, "ended": ended}
            for day, saved, ended in stories.days(view, store_time(ctx.now - WEEKS))
        ],
        "opened_by": ctx.store.config.opened_by(),
        "now": wire_time(ctx.now_text) or "",
    }


def saved_row(fact: Told) -> SavedRow:
    """A fact for a list."""
    return {
        "id": str(fact.id),
        "fact": fact.fact,
        "entity_slug": fact.entity_slug,
        "source_id": fact.source_id,
        "visibility": fact.visibility,
        "saved_at": wire_time(fact.created_at),
        "saved_by": fact.saved_by,
        "provenance": fact.provenance,
        "valid_until": wire_time(fact.valid_until),
        "ended_at": wire_time(fact.expired_at),
    }


def _bytes(ctx: Context) -> int | None:
    if ctx.store.engine.name != "sqlite":
        return None
    database = homes.database_path(ctx.home)
    return sum(os.path.getsize(path) for path in (database, database + "-wal") if os.path.exists(path))


def _turns(home: str) -> int:
    """Banked turns that nothing was made of yet."""
    try:
        names = set(os.listdir(bank.folder(home)))
    except OSError:
        return 0
    return sum(1 for name in names if bank.parse(name) is not None and name + bank.INGESTED not in names)


def _vectors(ctx: Context) -> int:
    """Texts that await a vector of the model in force; none where there is no model."""
    space = ctx.store.vectors.space()
    return ctx.store.vectors.counts(space)[1] if space is not None else 0


def _unread(ctx: Context) -> list[UnreadRow]:
    """The files of folders that the last sync could not read."""
    return [
        {"source_id": source.id, "path": one.path, "message": one.message}
        for source in ctx.store.sources.all()
        if source.local_path
        for one in unread_files(ctx.store.config.mark(UNREAD + source.id))
    ]


def _files(ctx: Context) -> int:
    """Pages whose files do not yet say what their facts say."""
    folders = [source.id for source in ctx.store.sources.all() if source.local_path]
    return ctx.store.fact_rows.count_due(folders) if folders else 0
