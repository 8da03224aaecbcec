"""What an agent's session is told: a pack at its start and after a compaction, before a turn what it calls to mind.

One answer for a hook that runs alone, which looks into the store, and for a server that is asked over its socket: both
bring something that runs a statement. It loads nothing that a hook may not.
"""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from gbrain import offered
from gbrain.ambient import bank
from gbrain.domain.fences import fenced, prints
from gbrain.domain.offers.choosing import Bearer
from gbrain.domain.offers.core import GATE, MOST, TOKENS, Detail, Limits, Offer, limits, offers, text
from gbrain.domain.offers.reading import Said
from gbrain.domain.offers.scope import ACROSS, reach
from gbrain.domain.offers.words import name_key
from gbrain.domain.places import Selection, extent
from gbrain.domain.text import clip, collapse, estimate_tokens
from gbrain.domain.times import parse_clock, store_time
from gbrain.settings import Settings
from gbrain.store.about import Rows
from gbrain.store.briefing import Briefing, Claim, Standing
from gbrain.store.config import Config
from gbrain.store.offering import Offering
from gbrain.store.sources import Sources
from gbrain.types import View
from gbrain.upward import SOURCE, found_upward

if TYPE_CHECKING:
    from gbrain.store.engine import Engine

SETTING = "memory.auto_recall"
WRITEBACK = "memory.auto_writeback"
READERS = ("facts.extraction_model", "models.default")
"""Where one of these is set, a model reads banked turns, and no agent is asked to."""
START, PROMPT, BEFORE, AFTER = LANES = ("start", "prompt", "before-compact", "after-compact")
STANDING, PREFERENCES, COMMITMENTS, CHANGES = 6, 4, 5, 5
"""So many of each a pack holds."""
LINE = 160
PACK_TOKENS = 700
"""Tokens of a pack: less than any agent cuts."""
NOTED = Limits(most=8, tokens=100_000, details=0)
"""What of a conversation is noted before it is compacted."""


class Request(NamedTuple):
    """What a hook asks, for an agent's program (`channel`).

    `turns`: the last ones, the oldest first, the newest being the prompt. `offered` and `standing` are places
    (`SOURCE:SLUG`) of this session; `since` is when the last session here began, "" where none is known.
    """

    lane: str
    session: str
    folder: str | None = None
    source: str | None = None
    turns: tuple[Said, ...] = ()
    offered: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    since: str = ""
    channel: str = ""
    resumed: bool = False
    """Whether the session holds its pack still, so that only what changed is news."""


class Answer(NamedTuple):
    """A text for the context, fenced, "" for nothing; and lines for what the session was told (`ambient.marks`)."""

    text: str = ""
    notes: tuple[str, ...] = ()


def clock() -> datetime:
    """The present moment, as `GBRAIN_CLOCK` moves it."""
    moved = os.environ.get("GBRAIN_CLOCK", "")
    return parse_clock(moved, _now)() if moved else _now()


def answer(engine: Rows, home: str, asked: Request, now: datetime) -> Answer:
    """What to tell, from the brain of a home. Raises BrainError for a source that is not there, and what the engine
    raises."""
    # Reading is all that is done with it here, and all that a bare connection can.
    reading = cast("Engine", engine)
    stored = Config(reading, lambda: now).all()
    settings = Settings(stored.get)
    mode = settings.get(SETTING)
    if mode == "off" or asked.lane not in LANES:
        return Answer()
    dotfile, named = found_upward(SOURCE, asked.folder) if asked.folder else (None, None)
    selection = Selection(asked.source, None, named, dotfile, asked.folder)
    known = Sources(reading).all()
    about = extent(selection, known, None, None, remote=False)
    sources = reach(settings.get(ACROSS), about.source, about.reads, known, about.granted)
    if not sources:
        return Answer()
    view = View(sources, mode == "private", store_time(now))
    if asked.lane == PROMPT:
        made = offers(asked.turns, Offering(engine, view), limits(_settings(settings)), offered=_places(asked.offered))
        noted = [offered.Noted(one.source_id, one.slug, one.arm, one.confidence) for one in made]
        offered.note(home, noted, asked.channel or "operation", asked.session, view.now)
        return _told(text(made), [f"offer {_place(offer)}" for offer in made])
    if asked.lane == BEFORE:
        return _noted(Offering(engine, view), asked)
    waiting = bank.waiting(home, about.source) if _unread(stored) else 0
    told = _pack(Briefing(engine, view), Offering(engine, view), asked, waiting)
    notes = [f"start {view.now}"]
    if asked.lane == AFTER:
        # What the pack does not hold is gone from the context, and may be offered again.
        notes += ["forget offer", *(f"offer {place}" for place in asked.offered if f"[{place}]" in told.text)]
    return told._replace(notes=(*told.notes, *notes))


def _settings(settings: Settings) -> dict[str, str]:
    return {key: settings.get(key) for key in (GATE, MOST, TOKENS)}


def _unread(stored: Mapping[str, str]) -> bool:
    """Whether turns are banked and no model reads them."""
    return stored.get(WRITEBACK) in ("salient", "all") and not any(stored.get(key) for key in READERS)


def _noted(lookup: Offering, asked: Request) -> Answer:
    """What the window is about, so that the pack after the compaction begins with it: the newest first."""
    found = [_place(offer) for offer in offers(asked.turns, lookup, NOTED, fresh=len(asked.turns))]
    places = list(dict.fromkeys([*found, *reversed(asked.offered)]))[: NOTED.most]
    return Answer("", ("forget standing", *(f"standing {place}" for place in places)))


def _pack(briefing: Briefing, lookup: Offering, asked: Request, waiting: int) -> Answer:
    changed = _changed(briefing, asked)
    if asked.resumed:
        return _told(_whole([changed]))
    turns = ("Turns of earlier sessions", [_awaiting(waiting)] if waiting else [])
    standing = _standing(briefing, lookup, asked)
    details = lookup.details([_bearer(found) for found in standing], 3)
    commitments = sorted(briefing.commitments(COMMITMENTS), key=lambda claim: claim.date)
    open_ones = {claim.fact for claim in commitments}
    lines = [_entity(found, details.get(_key(found.place), []), open_ones) for found in standing]
    parts = [
        ("Standing entities", lines),
        ("What the person prefers", [_claim(claim, dated=False) for claim in briefing.preferences(PREFERENCES)]),
        ("Open commitments", [_claim(claim) for claim in commitments]),
        changed,
        turns,
    ]
    return _told(_whole(parts))


def _standing(briefing: Briefing, lookup: Offering, asked: Request) -> list[Standing]:
    """What stood in the window that was compacted, the page of the folder, then what facts are about of late."""
    noted = briefing.at(asked.standing) if asked.standing else []
    key = name_key(os.path.basename(asked.folder or ""))
    bearers = lookup.named([key]) if key else []
    project = [Standing(*bearer[:5]) for bearer in bearers if bearer.type in ("project", "company", "product")]
    lively = briefing.lively(STANDING)
    found = {one.place: one for one in (*noted, *(project if len(project) == 1 else ()), *lively)}
    return list(found.values())[:STANDING]


def _changed(briefing: Briefing, asked: Request) -> tuple[str, list[str]]:
    if not asked.since:
        return "", []
    facts = briefing.facts_since(asked.since, asked.session, CHANGES)
    pages = briefing.pages_since(asked.since, asked.standing, CHANGES)
    lines = [_claim(claim) for claim in facts]
    lines += [f"- {_line(page.title)} [{page.source_id}:{page.slug}] changed ({page.date[:10]})" for page in pages]
    return f"Since the last session here ({asked.since[:10]})", lines


def _awaiting(count: int) -> str:
    turns, them = ("turns await", "them") if count > 1 else ("turn awaits", "it")
    return (
        f"{count} {turns} you: said in earlier sessions, and no model is set to read {them}. Use turns_list and"
        " turns_show, save what is worth keeping with remember, then turns_drop."
    )


def _whole(parts: Iterable[tuple[str, list[str]]]) -> str:
    """Sections with their lines, as many as the budget takes; a section of none is left out."""
    said: list[str] = []
    left = PACK_TOKENS
    for heading, lines in parts:
        held: list[str] = []
        for line in lines:
            left -= estimate_tokens(line)
            if left >= 0:
                held.append(line)
        said += [f"## {heading}", *held] if held else []
    return "\n".join(said)


def _told(body: str, notes: Sequence[str] = ()) -> Answer:
    whole = fenced(body)
    return Answer(whole, (*notes, *(f"line {found}" for found in prints(whole)))) if whole else Answer()


def _entity(found: Standing, details: Sequence[Detail], told: Collection[str]) -> str:
    """A line on a page; what is told elsewhere in the pack is left out of it."""
    facts = [detail.text for detail in details if detail.text not in told][:1]
    said = [f"**{_line(found.title)}** [{found.place}]", *(_line(part) for part in (found.summary, *facts) if part)]
    return "- " + " — ".join(said)


def _claim(claim: Claim, *, dated: bool = True) -> str:
    where = f"{claim.source_id}:{claim.entity_slug}" if claim.entity_slug else claim.source_id
    return f"- {_line(claim.fact)}" + (f" ({claim.date[:10]})" if dated else "") + f" [{where}]"


def _line(words: str) -> str:
    return clip(collapse(words), LINE).replace("<", "‹").replace(">", "›")


def _bearer(found: Standing) -> Bearer:
    return Bearer(*found, key="", form="slug")


def _place(offer: Offer) -> str:
    return f"{offer.source_id}:{offer.slug}"


def _key(place: str) -> tuple[str, str]:
    source, _, slug = place.partition(":")
    return source, slug


def _places(places: Iterable[str]) -> set[tuple[str, str]]:
    return {_key(place) for place in places}


def _now() -> datetime:
    return datetime.now(UTC)


def of_wire(said: Mapping[str, Any]) -> Request:
    """The request in what came over a socket; what is missing or of another kind is as if nobody had said it."""

    def texts(key: str) -> str:
        value = said.get(key)
        return value if isinstance(value, str) else ""

    def lists(key: str) -> list[Any]:
        value = said.get(key)
        return value if isinstance(value, list) else []

    turns = [Said(str(turn[0]), str(turn[1])) for turn in lists("turns") if isinstance(turn, list) and len(turn) == 2]
    return Request(
        texts("lane"),
        texts("session"),
        texts("folder") or None,
        texts("source") or None,
        tuple(turns),
        tuple(map(str, lists("offered"))),
        tuple(map(str, lists("standing"))),
        texts("since"),
        texts("channel"),
        said.get("resumed") is True,
    )
