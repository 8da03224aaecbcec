"""What an agent's session is told: a pack at its start and after a compaction, before a turn what it calls to mind.

One answer for a hook that runs alone, which looks into the store, and for a server that is asked over its socket: both
bring something that runs a statement. It loads nothing that a hook may not.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from gbrain import offered
from gbrain.ambient import bank
from gbrain.domain.fences import fenced, prints
from gbrain.domain.offers.core import GATE, MOST, TOKENS, Limits, Offer, limits, offers, text
from gbrain.domain.offers.reading import Said
from gbrain.domain.offers.scope import ACROSS, reach
from gbrain.domain.places import Selection, extent
from gbrain.domain.times import parse_clock, store_time
from gbrain.settings import Settings
from gbrain.store.about import Rows
from gbrain.store.config import Config
from gbrain.store.offering import Offering
from gbrain.store.sources import Sources
from gbrain.upward import SOURCE, found_upward
from gbrain.view import View

if TYPE_CHECKING:
    from gbrain.store.engine import Engine

SETTING = "memory.auto_recall"
WRITEBACK = "memory.auto_writeback"
READERS = ("facts.extraction_model", "models.default")
"""Where one of these is set, a model reads banked turns, and no agent is asked to."""
START, PROMPT, BEFORE, AFTER = LANES = ("start", "prompt", "before-compact", "after-compact")
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
    # Prompts are far more than starts, and need none of it.
    from gbrain.ambient import pack

    waiting = bank.waiting(home, about.source) if _unread(stored) else 0
    told = _told(pack.text(engine, view, asked, waiting))
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


def _told(body: str, notes: Sequence[str] = ()) -> Answer:
    whole = fenced(body)
    return Answer(whole, (*notes, *(f"line {found}" for found in prints(whole)))) if whole else Answer()


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
