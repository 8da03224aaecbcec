"""What was offered, by which channel, and which of it was opened: a local log without any text.

A line of the log is `{"ts", "event": "offered", "source", "slug", "arm", "confidence", "channel", "session"}`, or the
same with `"event": "opened"`, `via` and no more than source and slug. It may lose lines, and never raises.
"""

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from gbrain.journal import Journal

LOG = os.path.join("integrations", "offers", "offers.jsonl")
TAIL = 128 * 1024
"""So much of the log is looked at when something is opened."""
OPEN_HOURS = 24
"""An offer counts as opened when its page is read within so many hours."""
CHANNELS = ("claude-code", "codex", "gemini", "opencode", "openclaw", "operation", "watch")
"""Ways that offers go: the hooks of five agents, the operation `volunteer_context`, and `gbrain watch`."""


class Noted(NamedTuple):
    """An offer as the log keeps it."""

    source_id: str
    slug: str
    arm: str
    confidence: float


class Count(NamedTuple):
    """How much was offered by one arm or channel, how much of it was opened, and when last (store text)."""

    name: str
    offered: int
    opened: int
    last: str


class Time(NamedTuple):
    """One time that a page was offered, and when and by which operation it was then opened (times are store text)."""

    at: str
    channel: str
    arm: str
    confidence: float
    opened_at: str | None = None
    opened_by: str | None = None


def note(home: str | None, offers: Iterable[Noted], channel: str, session: str | None, now: str) -> None:
    """Add what was offered to the log; `now` is store text. Of the session only a checksum is kept."""
    journal = Journal(home)
    for offer in offers:
        journal.append(
            LOG,
            {
                "ts": now,
                "event": "offered",
                "source": offer.source_id,
                "slug": offer.slug,
                "arm": offer.arm,
                "confidence": offer.confidence,
                "channel": channel,
                "session": _mark(session),
            },
        )


def told(home: str | None, channel: str, session: str | None) -> frozenset[tuple[str, str]]:
    """Source and slug of what this session was offered by this channel, as far as the end of the log tells."""
    mark = _mark(session)
    if not mark:
        return frozenset()
    return frozenset(
        (line["source"], line["slug"])
        for line in _tail(home)
        if line["event"] == "offered" and line.get("session") == mark and line.get("channel") == channel
    )


def opened(home: str | None, reply: Any, arguments: Mapping[str, Any], name: str, now: str) -> None:
    """Note the pages that a read has opened, if they were offered in the last day and not opened since."""
    places = _read_by(name, reply, arguments)
    for source, slug in places:
        waiting: list[str] = []
        for line in _tail(home, slug):
            if line["event"] == "opened":
                waiting = [place for place in waiting if place != line["source"]]
            elif _hours(line["ts"], now) <= OPEN_HOURS:
                waiting.append(line["source"])
        found = source if source in waiting else waiting[-1] if waiting and source is None else None
        if found is not None:
            line = {"ts": now, "event": "opened", "source": found, "slug": slug, "via": name}
            Journal(home).append(LOG, line)


def counted(home: str | None, since: str) -> tuple[list[Count], list[Count]]:
    """What was offered from a moment on (store text), by arm and by channel, most first.

    What was opened counts for the newest offer of the page that came before.
    """
    arms: dict[str, list[Any]] = {}
    channels: dict[str, list[Any]] = {}
    waiting: dict[tuple[str, str], list[list[Any]]] = {}
    for line in lines(home):
        if line["ts"] < since:
            continue
        place = (line["source"], line["slug"])
        if line["event"] == "offered":
            counts = [
                held.setdefault(str(line.get(key, "?")), [0, 0, ""])
                for held, key in ((arms, "arm"), (channels, "channel"))
            ]
            for count in counts:
                count[0] += 1
                count[2] = line["ts"]
            waiting[place] = counts
        else:
            for count in waiting.pop(place, ()):
                count[1] += 1
    return _listed(arms), _listed(channels)


def lines(home: str | None) -> list[dict[str, Any]]:
    """Every line of the log that is whole, oldest first."""
    return _sound(Journal(home).read(LOG))


def of_page(home: str | None, source: str, slug: str) -> list[Time]:
    """Every time that a page was offered, as far as the log goes back, oldest first, and what opened it then."""
    times: list[Time] = []
    for line in lines(home):
        if (line["source"], line["slug"]) != (source, slug):
            continue
        if line["event"] == "offered":
            sure = line.get("confidence")
            sure = float(sure) if isinstance(sure, int | float) else 0.0
            times.append(Time(line["ts"], str(line.get("channel", "?")), str(line.get("arm", "?")), sure))
        elif times and times[-1].opened_at is None:
            times[-1] = times[-1]._replace(opened_at=line["ts"], opened_by=str(line.get("via", "?")))
    return times


def _listed(counts: dict[str, list[Any]]) -> list[Count]:
    return sorted((Count(name, *count) for name, count in counts.items()), key=lambda one: (-one.offered, one.name))


def _read_by(name: str, reply: Any, arguments: Mapping[str, Any]) -> list[tuple[str | None, str]]:
    """Source, where the reply says it, and slug of the pages that an operation showed as a whole or as a card."""
    if name == "recall":
        entity = arguments.get("entity")
        return [(None, entity)] if isinstance(entity, str) and entity else []
    if not isinstance(reply, dict):
        return []
    if name == "get_page":
        return [(reply.get("source_id"), reply["slug"])] if "slug" in reply else []
    if name == "fetch":
        metadata = reply.get("metadata", {})
        return [(metadata.get("source_id"), str(reply.get("url", "")).removeprefix("gbrain://page/").partition("/")[2])]
    cards = [reply["card"]["entity"]] if "card" in reply else reply.get("cards", [])
    return [(None, card["slug"]) for card in cards]


READERS = frozenset({"get_page", "fetch", "entity", "context_pack", "recall"})
"""The operations that open a page."""


def _tail(home: str | None, slug: str = "") -> list[dict[str, Any]]:
    """The lines at the end of the log, or those of a slug alone: only these are parsed then."""
    if home is None:
        return []
    try:
        with open(os.path.join(home, LOG), "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TAIL))
            data = file.read(TAIL)
    except OSError:
        return []
    wanted = json.dumps(slug, ensure_ascii=False).encode("utf-8", "replace") if slug else b""
    found = []
    for line in data.split(b"\n") if wanted in data else ():
        if wanted in line:
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
    return _sound(found)


def _sound(lines: Iterable[Any]) -> list[dict[str, Any]]:
    """The lines that are whole."""
    wanted = ("ts", "event", "source", "slug")
    return [
        line
        for line in lines
        if isinstance(line, dict)
        and all(isinstance(line.get(key), str) for key in wanted)
        and line["event"] in ("offered", "opened")
    ]


def _mark(session: str | None) -> str:
    if not session:
        return ""
    # Loaded when something is offered.
    from zlib import crc32

    return f"{crc32(session.encode('utf-8', 'replace')):08x}"


def _hours(then: str, now: str) -> float:
    """Hours between two moments of store text; many where one is none."""
    # Loaded when something offered is opened: nothing else here needs a calendar.
    from gbrain.domain.times import parse_store

    try:
        return (parse_store(now) - parse_store(then)).total_seconds() / 3600
    except ValueError:
        return 1e9
