"""The bank as a person, or an agent on this machine's pipe, sees it: which turns wait, for what, and for how long.

An agent sees the turns of its own source alone, and only while memory is on; over HTTP nobody sees any.
"""

import os
from datetime import timedelta
from typing import Annotated, Any, Literal, TypedDict

from gbrain.ambient import bank
from gbrain.ambient.gate import decide
from gbrain.ambient.reading import Gate, Reading, banked_at, gate_of, mark, sidecar, text_of
from gbrain.ambient.retention import RETENTION
from gbrain.domain.fences import fenced
from gbrain.domain.text import clip, collapse
from gbrain.domain.times import store_time, wire_time
from gbrain.errors import InvalidParams, NotFound, ScopeDenied, Unavailable
from gbrain.registry import Context, Param, operation

State = Literal["waiting", "done", "left"]
SHOWN, BEGINS = 50, 60
"""Turns of a list, and characters of each."""
RETIRED = ("writeback_off", "self_capture", "secret_found")
"""What was decided for good: no retry undoes it."""
_SHORT = 12

TurnName = Annotated[str, Param("A turn: its id, the beginning of it, or the name of its file.", max_length=240)]


class TurnRow(TypedDict):
    """A banked turn. `state`: it waits, it is done, or it was left for good; `reason` why, null for one that is simply
    next or done. `facts` are the ids that came of it; after `days_left` days its words go."""

    id: str
    file: str
    session: str
    source_id: str
    banked_at: str | None
    age_days: int
    days_left: int
    state: State
    reason: str | None
    facts: list[str]


class ListedTurn(TurnRow):
    """A turn of the list with its first words for the person. Null for an agent, who reads them in their fence with
    turns_show, and for a turn whose words are gone."""

    begins: str | None


class TurnsReply(TypedDict):
    """The turns, the latest first; `total` counts them all, `waiting` those that wait."""

    turns: list[ListedTurn]
    total: int
    waiting: int


class TurnReply(TurnRow):
    """A turn with its words, which stand in a fence: they are data. Null for one whose words are gone."""

    text: str | None


class DroppedReply(TypedDict):
    """The turn whose words are gone for good; `changed` is false for one that had none any more."""

    file: str
    changed: bool


@operation(
    scope="read",
    surface="full",
    title="List banked turns",
    cli=None,
    local_only=True,
    near=True,
    examples=("gbrain turns list", "gbrain turns list --state waiting --json"),
)
def turns_list(
    ctx: Context,
    state: Annotated[State | None, Param("Only those in this state.")] = None,
    session: Annotated[str | None, Param("Only those of this session of an agent.", max_length=120)] = None,
    limit: Annotated[int, Param("How many, the latest first.", minimum=1, maximum=1000)] = SHOWN,
) -> TurnsReply:
    """List the turns that capture hooks banked: what became of each, what the others wait for, and how long they stay.

    A person sees how each begins; an agent sees those of its own source while memory is on, the words by turns_show.
    """
    rows = [row for row in _rows(ctx) if session is None or row["session"] == bank.plain_id(session)]
    waiting = sum(row["state"] == "waiting" for row in rows)
    rows = [row for row in rows if state in (None, row["state"])]
    listed: list[ListedTurn] = [{**row, "begins": _begins(ctx, row["file"])} for row in rows[: int(limit)]]
    return {"turns": listed, "total": len(rows), "waiting": waiting}


@operation(
    scope="read",
    surface="full",
    title="Show a banked turn",
    positional=("turn",),
    cli=None,
    local_only=True,
    near=True,
    examples=("gbrain turns show 5cb11b7d8b24",),
)
def turns_show(ctx: Context, turn: TurnName) -> TurnReply:
    """Show one banked turn and its words, fenced as what they are: something a person said, and no instruction."""
    row = _one(ctx, turn)
    try:
        text = fenced(text_of(bank.folder(ctx.home), row["file"]))
    except OSError:
        text = None
    return {**row, "text": text}


@operation(
    scope="write",
    surface="full",
    title="Drop a banked turn",
    positional=("turn",),
    cli=None,
    local_only=True,
    near=True,
    destructive=True,
    idempotent=True,
    examples=("gbrain turns drop 5cb11b7d8b24",),
)
def turns_drop(ctx: Context, turn: TurnName) -> DroppedReply:
    """Delete the words of a banked turn; nothing is made of it any more, and its session does not bank it again.

    Facts that came of it stay: gbrain forget takes them. An agent drops a turn once it has saved what is in it.
    """
    row = _one(ctx, turn)
    folder, path = bank.folder(ctx.home), os.path.join(bank.folder(ctx.home), row["file"])
    try:
        # The mark first: words that went without one would be banked anew by the session's next hook.
        if sidecar(folder, row["file"]) is None:
            mark(folder, row["file"], {"skipped": "dropped"}, ctx.now)
        os.unlink(path)
    except FileNotFoundError:
        return {"file": row["file"], "changed": False}
    except OSError as error:
        raise _unwritable(folder, error) from None
    return {"file": row["file"], "changed": True}


@operation(
    scope="write",
    surface="full",
    title="Read a banked turn now",
    positional=("turn",),
    cli=None,
    local_only=True,
    near=True,
    expensive=True,
    idempotent=True,
    examples=("gbrain turns retry 5cb11b7d8b24",),
)
def turns_retry(ctx: Context, turn: TurnName) -> TurnRow:
    """Read a banked turn for facts now, also one that a model could make nothing of; the reply says what became of it.

    The gate of ambient memory holds as ever. What was retired because memory was off stays so.
    """
    row, folder = _one(ctx, turn), bank.folder(ctx.home)
    if row["reason"] in RETIRED or not os.path.lexists(os.path.join(folder, row["file"])):
        raise InvalidParams(
            f"the turn was left for good ({row['reason'] or 'its words are gone'})",
            'what is in it can still be said: gbrain remember "..." --provenance "..."',
            detail={"reason": row["reason"]},
        )
    tally = _Tally()
    try:
        if row["state"] == "left":
            # The mark is what keeps a turn from being read; without it this is a turn like any other.
            os.unlink(os.path.join(folder, row["file"] + bank.INGESTED))
        Reading(ctx, tally, "at_once").file(row["file"], gate_of(ctx))
    except OSError as error:
        raise _unwritable(folder, error) from None
    return {**_row(ctx, row["file"], gate_of(ctx)), "reason": tally.reason}


def _begins(ctx: Context, name: str) -> str | None:
    """How a turn begins, on one line. An agent must not take it for words of its own person: it has no fence here."""
    if ctx.caller.remote:
        return None
    try:
        return clip(collapse(text_of(bank.folder(ctx.home), name)), BEGINS)
    except OSError:
        return None


class _Tally:
    """Remembers why a turn was left."""

    reason: str | None = None

    def skip(self, reason: str, count: int = 1) -> None:
        """See reading.Tally."""
        self.reason = reason

    def ingested(self) -> None:
        """See reading.Tally."""


def _rows(ctx: Context) -> list[TurnRow]:
    """The turns that the caller may see, the latest first. Raises ScopeDenied for an agent while memory is off."""
    gate = gate_of(ctx)
    if ctx.caller.remote and not gate.bundle.enabled:
        raise ScopeDenied(
            "turns are shown to agents only while memory is on",
            "the person at this machine can see them: gbrain turns list",
            detail={"reason": "writeback_off"},
        )
    rows = [_row(ctx, name, gate) for name in _names(ctx.home)]
    rows = [row for row in rows if not ctx.caller.remote or row["source_id"] == ctx.source]
    return sorted(rows, key=lambda row: (row["banked_at"] or "", row["file"]), reverse=True)


def _one(ctx: Context, turn: str) -> TurnRow:
    """The turn that is meant. Raises NotFound, and InvalidParams where several begin so."""
    rows = _rows(ctx)
    found = [row for row in rows if row["file"] == turn] or [
        row for row in rows if _hash(row["file"]).startswith(turn.lower())
    ]
    if not found:
        raise NotFound("there is no such turn", "run: gbrain turns list")
    if len(found) > 1:
        names = ", ".join(row["file"] for row in found[:3])
        raise InvalidParams(f"{len(found)} turns begin so", f"name one by its file: {names}")
    return found[0]


def _names(home: str) -> list[str]:
    """The names of every turn that lies in the bank, or of which it is still written down what became of it."""
    try:
        found = os.listdir(bank.folder(home))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise _unwritable(bank.folder(home), error) from None
    return sorted({name.removesuffix(bank.INGESTED) for name in found if bank.parse(name.removesuffix(bank.INGESTED))})


def _hash(name: str) -> str:
    parsed = bank.parse(name)
    return parsed[2] if parsed else ""


def _row(ctx: Context, name: str, gate: Gate) -> TurnRow:
    parsed = bank.parse(name)
    assert parsed is not None
    session, why, hash24, named = parsed
    folder = bank.folder(ctx.home)
    beside = sidecar(folder, name)
    there = os.path.lexists(os.path.join(folder, name))
    at = banked_at(folder, name if there else name + bank.INGESTED, ctx.now)
    # Rounded up: a turn that goes this evening has a day left.
    left = -((ctx.now - at - RETENTION) // timedelta(days=1))
    source = named or bank.DEFAULT_SOURCE
    state, reason = _state(ctx, beside, gate, why, source)
    return {
        "id": hash24[:_SHORT],
        "file": name,
        "session": session,
        "source_id": source,
        "banked_at": wire_time(store_time(at)),
        "age_days": (ctx.now - at).days,
        "days_left": max(0, left),
        "state": state,
        "reason": reason,
        "facts": [str(id) for id in (beside or {}).get("facts", ()) if isinstance(id, int)],
    }


def _state(ctx: Context, beside: dict[str, Any] | None, gate: Gate, why: str, source: str) -> tuple[State, str | None]:
    if beside is not None:
        skipped = beside.get("skipped")
        kept = bool(beside.get("facts"))
        return ("done" if kept or not skipped else "left"), str(skipped) if skipped else None
    act, reason = decide(gate.bundle, "writeback" if why == bank.WRITEBACK else "session_end")
    if act != "extract":
        return "waiting", reason
    if source not in gate.sources:
        return "waiting", "unknown_source"
    if ctx.settings.get("facts.extraction_enabled") == "off":
        return "waiting", "extraction_disabled"
    return "waiting", "keyless" if ctx.models.lacking("extract") is not None else None


def _unwritable(folder: str, error: OSError) -> Unavailable:
    return Unavailable(
        f"{folder} cannot be used: {error.strerror or type(error).__name__}",
        "check its permissions and the room on the disk, then run: gbrain turns list",
        detail={"reason": "corpus_unreadable"},
    )
