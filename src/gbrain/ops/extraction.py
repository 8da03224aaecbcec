"""A turn read for facts: the one way from what a person said to claims in the store, asked for or ambient."""

import os
from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Literal, NamedTuple

from gbrain.domain.entities import SELF
from gbrain.domain.extraction.answer import Malformed, Told, admitted, only_quoted, read
from gbrain.domain.extraction.floor import VERSION, about_self, asked_to_keep
from gbrain.domain.extraction.said import Said, as_data, said, without_injected
from gbrain.domain.periods import of_date, relative, resolve
from gbrain.domain.secrets import secret
from gbrain.domain.signals import write_signals
from gbrain.domain.text import collapse
from gbrain.domain.times import parse_duration, store_time
from gbrain.models.chat import Answer, Ask, ChatFailed
from gbrain.models.prompts import prompt
from gbrain.ops.binding import UNBOUND, Bound, bind, bind_known
from gbrain.ops.memory import strike_ended
from gbrain.ops.saving import Saved, save
from gbrain.ops.sourced import within
from gbrain.registry import Context
from gbrain.store.facts import NewFact
from gbrain.types import Visibility

Admission = Literal["salient", "all"]
Skip = Literal[
    "extraction_unavailable",
    "extraction_failed",
    "extraction_disabled",
    "nothing_said",
    "secret_found",
    "held",
    "withdrawn",
]

HINTS = 5
"""How many names a model is told of that the turn may be about."""
HELD_SECONDS = 300.0
"""How long a process may take over one turn: two calls, each with its retries."""
_NO_NAME = ("unknown", "speaker", "participant", "assistant", "interviewer", "someone", "person", "human")


def _wanted() -> bool:
    return True


HOOK = "hook"
"""Who saved a fact that was taken out of a turn unasked."""


class Outcome(NamedTuple):
    """What became of a turn.

    `facts` are the ids of the facts that are known from it, new or not; the counts say what happened to each. `calls`
    counts calls of a model. `skip` is None for a turn that was read, now or before (`repeated`); otherwise:

    extraction_unavailable: no model is set. What the turn asked to remember was saved as it stands (`inserted`).
    extraction_failed: the model was asked, or not because of a cap; `reason` says which. The turn may come again.
    extraction_disabled: `facts.extraction_enabled` is off.
    nothing_said: nothing of the person's own words is in it.
    secret_found: it holds a secret, so it went to no model and nothing of it was kept; `reason` names the rule.
    held: another process is reading it at this moment.
    withdrawn: by the time the model had answered, `wanted` said no. Nothing of the answer was kept.
    """

    inserted: int = 0
    duplicate: int = 0
    superseded: int = 0
    facts: tuple[int, ...] = ()
    skip: Skip | None = None
    reason: str | None = None
    calls: int = 0
    repeated: bool = False
    hints_used: int = 0
    hints_dropped: int = 0


def extract_turn(
    ctx: Context,
    text: str,
    *,
    when: datetime,
    provenance: str,
    session: str | None = None,
    source: str | None = None,
    visibility: Visibility | None = None,
    admission: Admission = "all",
    hints: Sequence[str] = (),
    context: str | None = None,
    background: bool = True,
    repeated_at: datetime | None = None,
    wanted: Callable[[], bool] = _wanted,
) -> Outcome:
    """Read one turn for facts and save them, with at most one reading of the same turn.

    `when` is when it was said: relative dates count from it, and facts without a date hold from it. `provenance` is
    kept on every fact. `source` is the caller's source unless given. `visibility` None is what
    `facts.default_visibility` says, private where it says nothing. `admission` `salient` leaves out what is of low
    notability. `background` is for what nobody asked for at this moment: a fact that was forgotten stays so.
    `repeated_at` is when a turn was said again: what it says holds from then, should it be read again. `wanted` is
    asked once more when the model has answered, which takes long.

    The turn is claimed in the store before a model is asked, by a key made of its words, source and reader: a second
    process, a restart or a repeat makes no second call. It is read again only when every fact it made has lapsed. What
    a model failed to do may be tried again by calling again. Never raises for a model's fault; store errors are raised.
    """
    ctx = within(ctx, source) if source and source != ctx.source else ctx
    turn = said(text)
    used, dropped = min(len(hints), HINTS), max(0, len(hints) - HINTS)
    seen = visibility or default_visibility(ctx)
    asked = _Asked(turn, when, provenance, session, seen, admission, context, background, repeated_at, wanted)
    return _read(ctx, asked, text, list(hints)[:HINTS])._replace(hints_used=used, hints_dropped=dropped)


def preview_turn(ctx: Context, text: str, *, when: datetime, session: str | None) -> "Facts":
    """What a model makes of a turn, of any notability: as `extract_turn`, but nothing is claimed or saved."""
    turn = said(text)
    if turn.empty:
        return Facts([], VERSION, None, 0)
    key = sha256(f"preview\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
    read = facts_of(ctx, turn.marked, when, (), session, key)
    told = [one for one in read.told if not only_quoted(one.fact, turn.own, turn.quoted) and secret(one.fact) is None]
    return read._replace(told=told)


def default_visibility(ctx: Context) -> Visibility:
    """The visibility of facts that were taken out of a turn: world only where somebody said so."""
    return "world" if ctx.settings.get("facts.default_visibility") == "world" else "private"


class _Asked(NamedTuple):
    turn: Said
    when: datetime
    provenance: str
    session: str | None
    visibility: Visibility
    admission: Admission
    context: str | None
    background: bool
    repeated_at: datetime | None
    wanted: Callable[[], bool]


def _read(ctx: Context, asked: _Asked, text: str, hints: list[str]) -> Outcome:
    if asked.turn.empty:
        return Outcome(skip="nothing_said")
    if ctx.settings.get("facts.extraction_enabled") == "off":
        return Outcome(skip="extraction_disabled")
    # Before the model: what is sent to a provider is out of our hands.
    found = secret(without_injected(text))
    if found is not None:
        return Outcome(skip="secret_found", reason=found)
    if ctx.models.lacking("extract") is not None:
        # No claim: saving the same words twice is found to be a duplicate, and the turn may come again once there is a
        # model.
        saved = [_kept(ctx, asked, claim) for claim in asked_to_keep(asked.turn.own)]
        return _outcome(saved)._replace(skip="extraction_unavailable")
    turns, key, holder = ctx.store.turns, turn_key(ctx, asked), os.urandom(8).hex()
    said_at = store_time(asked.when)
    claim = turns.claim(ctx.source, key, holder, HELD_SECONDS, said_at)
    # Said once more, a fact that ran out may hold again; one that was forgotten stays so.
    if claim.state == "done" and claim.facts and _all_lapsed(ctx, claim.facts):
        claim = turns.claim(ctx.source, key, holder, HELD_SECONDS, said_at, again=True)
        asked = asked._replace(when=asked.repeated_at or asked.when)
    if claim.state == "held":
        return Outcome(skip="held")
    if claim.state == "done":
        known = [fact.id for fact in ctx.store.facts.by_ids(ctx.view, claim.facts)]
        return Outcome(duplicate=len(known), facts=tuple(known), repeated=True)
    return _taken(ctx, asked, hints, key, holder)


def _kept(ctx: Context, asked: _Asked, claim: str) -> Saved:
    """Save what was asked to be remembered, under whom its first words name for certain."""
    bound = bind(ctx, SELF) if about_self(claim) and ctx.caller.slugs is None else bind_known(ctx, claim)
    prefers = any(signal.name == "preference" for signal in write_signals(claim))
    new = _plain(ctx, asked, claim)._replace(
        kind="preference" if prefers else "fact",
        entity_slug=bound.slug,
        entity_name=bound.name,
        entity_key=bound.key,
        visibility="private" if bound.private else asked.visibility,
    )
    return _save(ctx, asked, new, bound.names)


def turn_key(ctx: Context, asked: _Asked) -> str:
    """The turn's name in the store: the same words, of the same day where they say "yesterday", are one turn.

    A remote caller has turns of its own, so that the answer to one never tells what somebody else said.
    """
    words = collapse(asked.turn.marked)
    # "I fly tomorrow" means another day each time it is said; without such words a repeat is a repeat.
    day = asked.when.date().isoformat() if relative(words) else ""
    reader = "" if ctx.view.private else ctx.caller.client
    parts = (words, day, reader, asked.visibility, asked.admission)
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _all_lapsed(ctx: Context, ids: Sequence[int]) -> bool:
    """Whether every fact of a turn has run out; one that was forgotten or replaced did not."""
    held = ctx.store.facts.by_ids(ctx.view, ids, live=False)
    return bool(held) and all(
        fact.expired_at is None and fact.valid_until is not None and fact.created_at < fact.valid_until <= ctx.now_text
        for fact in held
    )


def _taken(ctx: Context, asked: _Asked, hints: list[str], key: str, holder: str) -> Outcome:
    """Ask the model for the facts of a claimed turn and save them; the claim is settled either way."""
    settled = False
    try:
        answer = facts_of(ctx, asked.turn.marked, asked.when, hints, asked.session, key)
        if answer.reason is not None:
            return Outcome(skip="extraction_failed", reason=answer.reason, calls=answer.calls)
        # A model takes seconds, in which memory may have been turned off; then nothing of its answer is kept.
        if not asked.wanted():
            return Outcome(skip="withdrawn", calls=answer.calls)
        told = [one for one in answer.told if admitted(one, asked.admission)]
        told = [one for one in told if not only_quoted(one.fact, asked.turn.own, asked.turn.quoted)]
        told = [one for one in told if secret(one.fact) is None]
        saved = []
        for one in told:
            # One after the other: a fact may be what the next one's entity is bound by.
            bound = _bound(ctx, one.entity)
            new = _new(ctx, asked, one, bound)._replace(made_by=answer.made_by)
            saved.append(_save(ctx, asked, new, bound.names))
        outcome = _outcome(saved)._replace(calls=answer.calls)
        ctx.store.turns.finish(ctx.source, key, holder, outcome.facts, answer.made_by, ctx.now_text)
        settled = True
        return outcome
    finally:
        if not settled:
            # Else a turn that failed would wait for the claim to run out.
            ctx.store.turns.fail(ctx.source, key, holder)


def _bound(ctx: Context, name: str | None) -> Bound:
    """Tie the name a model gave, exactly or not at all; a label of a speaker is no name."""
    if name is None or name.casefold().strip(" 0123456789#:-_") in _NO_NAME:
        return UNBOUND
    return bind(ctx, name)


def _new(ctx: Context, asked: _Asked, told: Told, bound: Bound) -> NewFact:
    said_on = asked.when.date()
    dated = resolve(told.valid_from, said_on) if told.valid_from else None
    period = (resolve(told.period, said_on) if told.period else None) or (dated if told.metric else None)
    new = _plain(ctx, asked, told.fact)
    until = None
    if told.transient:
        span = parse_duration(ctx.settings.get("memory.auto_writeback_transient_ttl"))
        until = store_time(asked.when + span) if span else None
    return new._replace(
        kind=told.kind,
        entity_slug=bound.slug,
        entity_name=bound.name,
        entity_key=bound.key,
        visibility="private" if bound.private else asked.visibility,
        valid_from=began(dated, asked.when),
        valid_until=until,
        notability=told.notability,
        confidence=told.confidence,
        dated=dated,
        metric=told.metric,
        value=told.value,
        unit=told.unit,
        period=period,
    )


def _plain(ctx: Context, asked: _Asked, fact: str) -> NewFact:
    """A fact as it was said, tied to nothing."""
    told = NewFact(ctx.source, fact, "fact", None, None, "", asked.visibility, store_time(asked.when), None, "")
    told = told._replace(provenance=asked.provenance, session=asked.session, context=asked.context, made_by=VERSION)
    # Who happens to read a banked turn is nobody who said or saved anything.
    return told._replace(saved_by=HOOK) if asked.background else told


def _save(ctx: Context, asked: _Asked, new: NewFact, names: tuple[str, ...]) -> Saved:
    if new.made_by == VERSION:
        new = new._replace(provenance=f"{new.provenance} (word for word, no model)")
    saved = save(ctx, new, names, background=asked.background)
    strike_ended(ctx, saved.replaced)
    return saved


def began(dated: str | None, when: datetime) -> str:
    """From when a fact holds: from a day that was told; what is only known to the month or year, or lies ahead, holds
    from when it was said, or from the end of a month or year that is over."""
    period = of_date(dated) if dated else None
    if period is None or period.last >= when.date():
        return store_time(when)
    return store_time(
        when.replace(
            year=period.last.year,
            month=period.last.month,
            day=period.last.day,
            hour=0,
            minute=0,
            second=0,
            microsecond=0,
        )
    )


def _outcome(saved: Sequence[Saved]) -> Outcome:
    states = [one.status for one in saved]
    ids = tuple(dict.fromkeys(one.id for one in saved if one.status != "skipped"))
    return Outcome(states.count("inserted"), states.count("duplicate"), states.count("superseded"), ids)


class Facts(NamedTuple):
    """What a model made of a turn, or why it made nothing; `made_by` is the version of the prompt, and the model."""

    told: list[Told]
    made_by: str
    reason: str | None
    calls: int


def facts_of(ctx: Context, marked: str, when: datetime, hints: Sequence[str], session: str | None, turn: str) -> Facts:
    """Ask the model for the facts of a turn that was made ready (`said`). Never raises for a model's fault.

    An answer that was cut is asked for once more with twice the room, one that cannot be read once with a reminder.
    `reason` is what failed: refusal, content_filter, truncated_output, malformed_output, provider_error, or the name
    that the port has for it: timeout, rate_limited, circuit_open, one of its caps.
    """
    given = prompt("extract")
    room = int(ctx.settings.get("facts.extraction_max_tokens"))
    # A hint may come from a page: it is data in the prompt, like the turn itself.
    names = ", ".join(collapse(as_data(hint))[:100] for hint in hints)
    text = f"Written on {when.date().isoformat()} ({when:%A})."
    text += f" It may be about: {names}." if names else ""
    text += f"\n<turn>\n{marked}\n</turn>"
    ask = Ask("extract", given.text, text, room, want_json=True, session=session, turn=turn)
    calls, grown, reminded = 0, False, False
    while True:
        calls += 1
        try:
            answer = ctx.models.ask(ask)
        except ChatFailed as failed:
            return Facts([], given.version, _FAILED.get(failed.reason, failed.reason), calls)
        made_by = f"{given.version} {answer.model}"
        reason = _ENDED.get(answer.finish)
        if reason is not None:
            return Facts([], made_by, reason, calls)
        told = _readable(answer)
        if told is not None:
            return Facts(told, made_by, None, calls)
        if answer.finish == "length":
            if grown:
                return Facts([], made_by, "truncated_output", calls)
            grown, ask = True, ask._replace(max_output_tokens=room * 2)
        elif reminded:
            return Facts([], made_by, "malformed_output", calls)
        else:
            reminded, ask = True, ask._replace(text=f"{text}\n\n{prompt('again').text}")


def _readable(answer: Answer) -> list[Told] | None:
    try:
        return read(answer.text)
    except Malformed:
        return None


_ENDED = {"refused": "refusal", "filtered": "content_filter"}
_FAILED = dict.fromkeys(
    ("unreachable", "server_error", "malformed", "rejected", "auth", "bad_settings"), "provider_error"
)
