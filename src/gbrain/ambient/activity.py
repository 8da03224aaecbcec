"""What happened lately, as it would be watched: facts saved and ended, pages written, turns banked, offers made."""

from datetime import datetime, timedelta
from typing import Annotated, Any, NamedTuple, TypedDict

from gbrain import offered
from gbrain.ambient.capture import LOG
from gbrain.domain.text import clip, collapse
from gbrain.domain.times import parse_since, store_time, wire_time
from gbrain.journal import Journal
from gbrain.registry import Context, Param, operation

DAY = timedelta(days=1)
LONGEST_TEXT = 160


class EventRow(TypedDict):
    """One thing that happened. `what` is saved, ended, wrote, offered, opened or hook; `id` names a fact or page."""

    at: str
    what: str
    id: str
    text: str
    who: str


class ActivityReply(TypedDict):
    """What happened after a moment, the earliest first; `now` is the moment of the answer."""

    events: list[EventRow]
    now: str


class _Event(NamedTuple):
    at: str
    what: str
    id: str
    text: str
    who: str


@operation(
    scope="read",
    surface="full",
    title="Tell what happened lately",
    cli="log",
    local_only=True,
    examples=("gbrain log", 'gbrain log --since "3h ago"'),
)
def activity(
    ctx: Context,
    since: Annotated[
        str | None, Param('From then on: an ISO date or time, or "3h ago"; the last day unless given.')
    ] = None,
    limit: Annotated[int, Param("At most this many, the last ones.", minimum=1, maximum=1000)] = 50,
) -> ActivityReply:
    """Tell what happened lately: facts saved and ended, pages written, offered and opened, and what the hooks did."""
    start = parse_since(since, ctx.now) if since else ctx.now - DAY
    most = int(limit)
    since_text = store_time(start)
    events = [*_facts(ctx, since_text, most), *_pages(ctx, since_text, most)]
    events += [*_offers(ctx, since_text), *_hooks(ctx, start)]
    events.sort()
    return {
        "events": [
            {"at": wire_time(one.at) or "", "what": one.what, "id": one.id, "text": one.text, "who": one.who}
            for one in events[-most:]
        ],
        "now": wire_time(ctx.now_text) or "",
    }


def _facts(ctx: Context, since: str, most: int) -> list[_Event]:
    stories = ctx.store.stories
    saved = [
        _Event(
            fact.created_at,
            "saved",
            f"#{fact.id}",
            _told(fact.fact, fact.entity_slug),
            fact.saved_by or fact.provenance,
        )
        for fact in stories.saved(ctx.view, since, most)
    ]
    ended = [
        _Event(
            fact.expired_at or "", "ended", f"#{fact.id}", _told(fact.fact, fact.entity_slug), fact.expired_reason or ""
        )
        for fact in stories.ended(ctx.view, since, most)
    ]
    return saved + ended


def _pages(ctx: Context, since: str, most: int) -> list[_Event]:
    return [
        _Event(
            row["modified_at"], "wrote", row["slug"], f"{row['title']} (version {row['version']})", row["modified_by"]
        )
        for row in ctx.store.stories.written(ctx.view, since, most)
    ]


def _offers(ctx: Context, since: str) -> list[_Event]:
    """What agents were offered, and what they then opened."""
    return [
        _Event(
            str(line["ts"]),
            str(line["event"]),
            f"{line['source']}:{line['slug']}",
            f"arm {line.get('arm')}, {line.get('confidence')} sure" if line["event"] == "offered" else "",
            str(line.get("channel") or line.get("via") or ""),
        )
        for line in offered.lines(ctx.home)
        if line["ts"] > since
    ]


def _hooks(ctx: Context, start: datetime) -> list[_Event]:
    """What capture and harvest did; their log holds codes and counts alone."""
    found = []
    for line in Journal(ctx.home).read(LOG):
        at = _moment(line.get("ts"))
        if at is None or at <= start:
            continue
        counts = [
            f"{value} {key}" for key, value in line.items() if isinstance(value, int) and key in _COUNTED and value
        ]
        text = " ".join(str(word) for word in (line.get("outcome"), line.get("reason"), *counts) if word)
        found.append(
            _Event(store_time(at), "hook", str(line.get("event") or "hook"), text, str(line.get("harness") or ""))
        )
    return found


_COUNTED = ("inserted", "duplicate", "superseded")


def _moment(told: Any) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(told).replace("Z", "+00:00"))
    except ValueError:
        return None
    return at if at.tzinfo else None


def _told(fact: str, entity: str | None) -> str:
    return clip(collapse(f"{fact} ({entity})" if entity else fact), LONGEST_TEXT)
