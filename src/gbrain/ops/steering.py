"""What a person sets right by hand: a claim corrected, ended, taken back, joined with another, or moved.

No row is changed in what it says: each of these writes a successor, or ends a fact with its reason, so that what was
known at any earlier moment stays readable.
"""

from functools import lru_cache
from typing import Annotated, Any, NamedTuple, TypedDict

from gbrain.domain.similarity import Claim, claim, fingerprint
from gbrain.domain.slugs import tail
from gbrain.domain.text import collapse
from gbrain.domain.times import parse_instant, store_time, wire_time
from gbrain.errors import InvalidParams, NotFound
from gbrain.ops.binding import bind
from gbrain.ops.memory import claim_text, fact_id, strike_ended
from gbrain.registry import Context, Param, operation
from gbrain.store.erasing import ERASED
from gbrain.store.facts import NewFact
from gbrain.store.stories import MOST, Told

LONGEST_REASON = 500
ANEW = "say it again: gbrain remember TEXT --provenance WHERE"
MOST_COMPARED = MOST
"""How many facts of one entity are compared for conflicts, the latest."""
ENTITIES_READ = 200
"""How many entities one statement reads for conflicts."""

Id = Annotated[str, Param("The id of the fact, as every read shows it.")]
Reason = Annotated[str | None, Param("Why, in a few words.", max_length=LONGEST_REASON)]


class SteeredReply(TypedDict):
    """What was done: the fact that holds now (None: none does) and until when, those that ended, and how to take it
    back."""

    id: str | None
    fact: str | None
    entity_slug: str | None
    valid_until: str | None
    ended: list[str]
    changed: bool
    undo: str | None


class SideRow(TypedDict):
    """One of the facts that disagree."""

    id: str
    fact: str
    value: str
    provenance: str
    source_id: str
    visibility: str
    created_at: str | None


class ConflictRow(TypedDict):
    """Facts that give one attribute of one entity different values, the latest first, and what to do about it."""

    entity_slug: str | None
    attribute: str
    sides: list[SideRow]
    resolve: str


class ConflictsReply(TypedDict):
    """Every conflict, by entity; `next` continues where the list was cut. `partly`: what has more live facts than are
    compared at once, of which the latest were."""

    conflicts: list[ConflictRow]
    next: str | None
    partly: list[str]


@operation(
    scope="steer",
    surface="full",
    title="Correct a fact",
    positional=("id", "fact"),
    local_only=True,
    fence=(),
    idempotent=True,
    examples=('gbrain correct 12 "lives in Porto" --reason "I misread the letter"',),
)
def correct(
    ctx: Context, id: Id, fact: Annotated[str, Param("The claim as it should be.")], reason: Reason = None
) -> SteeredReply:
    """Put a right claim in the place of a wrong one; the wrong one stays in the history with the reason."""
    text = claim_text(fact)
    held = _live(ctx, id)
    if collapse(held.fact) == text:
        return _done(None, held, [], undo=None)
    return _followed(
        ctx, held, held_as(held, ctx, f"corrected by hand, was fact {held.id}", fact=text), reason, "corrected"
    )


@operation(
    scope="steer",
    surface="full",
    title="Move a fact to another entity",
    positional=("id",),
    cli="move",
    local_only=True,
    fence=("entity",),
    idempotent=True,
    examples=("gbrain move 12 --entity people/dana-oakes",),
)
def move_fact(
    ctx: Context,
    id: Id,
    entity: Annotated[str, Param("Whom or what it is about: a slug, a name or an alias.", names="entity")],
    reason: Reason = None,
) -> SteeredReply:
    """File a fact under another entity; the claim, its origin and its dates stay."""
    held = _live(ctx, id)
    bound = bind(ctx._replace(source=held.source_id), entity)
    if bound.slug is None:
        raise NotFound(f"nothing is surely meant by {entity[:64]!r}", "pass a slug; gbrain search NAME finds it")
    if bound.key == held.entity_key:
        return _done(None, held, [], undo=None)
    moved = held_as(held, ctx, held.provenance, key=bound.key, slug=bound.slug, name=bound.name)
    if bound.private and moved.visibility == "world":
        ctx.warn("saved_private", f"{bound.slug} is a private page, so the fact is private now")
        moved = moved._replace(visibility="private")
    return _followed(ctx, held, moved, reason, f"moved from {held.entity_slug or 'no entity'}")


@operation(
    scope="steer",
    surface="full",
    title="Say that a fact does not hold",
    positional=("id",),
    local_only=True,
    fence=(),
    destructive=True,
    idempotent=True,
    examples=('gbrain invalidate 12 --reason "never was so"', "gbrain invalidate 12 --until 2031-05-04"),
)
def invalidate(
    ctx: Context,
    id: Id,
    reason: Reason = None,
    until: Annotated[str | None, Param("It was right until then: an ISO date or time. Left out: it never was.")] = None,
) -> SteeredReply:
    """Say that a claim was wrong, or held only until a day; it leaves every answer and stays in the history."""
    ends = store_time(parse_instant(until, ctx.now)) if until else None
    with ctx.store.transaction():
        held = _told(ctx, id)
        if ends is not None and not held.valid_from < ends <= ctx.now_text:
            raise InvalidParams(
                f"fact {held.id} holds from {wire_time(held.valid_from)} on, so it cannot have ended then",
                "pass a day after that and not after today, or leave out --until",
            )
        if held.expired_at is not None:
            return _done(None, held, [], undo=None)
        if ends is not None:
            ctx.store.stories.held_until(held.id, ends)
            ctx.store.stories.note(held.id, _because("held until then", reason))
        else:
            ctx.store.facts.expire(ctx.view, held.id, _because("never so", reason))
    strike_ended(ctx, (held.id,))
    return _done(None, held, [held.id], undo=f"gbrain restore '#{held.id}'")


@operation(
    scope="steer",
    surface="full",
    title="Bring a fact back",
    positional=("id",),
    cli=None,
    local_only=True,
    fence=(),
    idempotent=True,
    examples=("gbrain restore '#12'",),
)
def restore_fact(ctx: Context, id: Id, reason: Reason = None) -> SteeredReply:
    """Let a claim that was forgotten or replaced hold again, with the dates it had.

    What replaced it ends, unless the two were only joined as the same. The end that was stated with it stays: once that
    has passed, nothing brings the claim back but saying it again.
    """
    with ctx.store.transaction():
        held = _told(ctx, id)
        if held.fact == ERASED:
            raise InvalidParams(
                f"the words of fact {held.id} are erased, so nothing can bring them back",
                ANEW,
            )
        if held.holds(ctx.now_text):
            return _done(None, held, [], until=held.valid_until, undo=None)
        last = next(iter(reversed(ctx.store.stories.after(ctx.view, held))), None)
        if last is not None and last.expired_at is None and _print(last) == _print(held):
            return _done(None, last, [], until=last.valid_until, undo=None)
        if _is_over(ctx, held):
            raise InvalidParams(f"fact {held.id} was to hold until {wire_time(held.promised)}, which has passed", ANEW)
        again = held_as(held, ctx, held.provenance)._replace(valid_until=held.promised)
        joined = held.expired_reason == JOINED
        ended = [last.id] if last is not None and last.expired_at is None and not joined else []
        # Forgetting the restored one would not bring back what has ended for it.
        undo = f"gbrain restore '#{ended[0]}'" if ended and last is not None and last.holds(ctx.now_text) else None
        id_now = _put(ctx, again, ended)
        until = _told(ctx, str(id_now)).valid_until
        # Else it points to what replaced it, and that is its history.
        if held.superseded_by is None:
            ctx.store.stories.succeed(held.id, id_now, _because(f"brought back as fact {id_now}", reason))
        for one in ended:
            ctx.store.stories.note(one, _because(f"taken back: fact {held.id} holds again", reason))
    strike_ended(ctx, ended)
    return _done(id_now, held, ended, until=until, undo=undo or f"gbrain forget {id_now}")


JOINED = "joined"
"""How a fact ended that says the same as another."""


@operation(
    scope="steer",
    surface="full",
    title="Join two facts that say the same",
    positional=("keep", "drop"),
    cli="merge",
    local_only=True,
    fence=(),
    idempotent=True,
    examples=("gbrain merge 12 15",),
)
def merge_facts(
    ctx: Context,
    keep: Annotated[str, Param("The id of the fact that stays.")],
    drop: Annotated[str, Param("The id of the fact that says the same, or is wrong beside it.")],
    reason: Reason = None,
) -> SteeredReply:
    """Let one of two facts stand for both; the other ends and points to it."""
    with ctx.store.transaction():
        kept, dropped = _live(ctx, keep), _told(ctx, drop)
        _joinable(kept, dropped)
        if dropped.expired_at is not None:
            return _done(None, kept, [], undo=None)
        ctx.store.facts.supersede((dropped.id,), kept.id, ctx.now_text)
        ctx.store.stories.end_as(dropped.id, JOINED, _because(f"joined with fact {kept.id}", reason))
    strike_ended(ctx, (dropped.id,))
    return _done(kept.id, kept, [dropped.id], until=kept.valid_until, undo=f"gbrain restore '#{dropped.id}'")


def _joinable(kept: Told, dropped: Told) -> None:
    if kept.id == dropped.id:
        raise InvalidParams("both are the same fact", "pass the ids of two facts; gbrain recall shows them")
    if kept.source_id != dropped.source_id:
        raise InvalidParams(
            f"they are in two sources: {kept.source_id} and {dropped.source_id}",
            f"end the one that is wrong: gbrain invalidate {dropped.id}",
        )
    if dropped.visibility == "world" and kept.visibility == "private":
        raise InvalidParams(
            f"fact {kept.id} is private and fact {dropped.id} is not, so its readers would lose it",
            f"keep the other one: gbrain merge {dropped.id} {kept.id}",
        )


class AcceptedReply(TypedDict):
    """How many facts were accepted by this call."""

    accepted: int


@operation(
    scope="steer",
    surface="full",
    title="Accept facts that were saved unasked",
    positional=("ids",),
    cli="accept",
    local_only=True,
    idempotent=True,
    fence=(),
    examples=("gbrain accept 12 13",),
)
def accept_facts(
    ctx: Context, ids: Annotated[list[str], Param("The ids of the facts, as `gbrain facts --unreviewed` shows them.")]
) -> AcceptedReply:
    """Say that facts which were taken out of turns may stand; they leave the list of those to review.

    They hold all along: this only says that a person has seen them. `gbrain forget` drops one.
    """
    found = [_told(ctx, id).id for id in ids]
    with ctx.store.transaction():
        return {"accepted": ctx.store.stories.reviewed(found, ctx.now_text)}


@operation(
    scope="read",
    surface="full",
    title="List facts that disagree",
    local_only=True,
    examples=("gbrain conflicts",),
)
def conflicts(
    ctx: Context,
    after: Annotated[str, Param("Continue after this: `next` of the reply before.")] = "",
    limit: Annotated[int, Param("At most this many.", minimum=1, maximum=500)] = 50,
) -> ConflictsReply:
    """List live facts that give the same attribute of someone or something different values, with both origins.

    A later value replaces an earlier one by itself where both stand in one source and are seen by the same readers;
    what is left is for a person to decide.
    """
    found: list[ConflictRow] = []
    partly: list[str] = []
    at = after
    while some := ctx.store.stories.live(ctx.view, at, ENTITIES_READ):
        groups: dict[str, list[Told]] = {}
        for fact in some:
            groups.setdefault(fact.entity_key, []).append(fact)
        if len(some) > MOST_COMPARED and len(groups) > 1:
            # The last one may have been cut; it comes again, first.
            groups.popitem()
        for at, facts in groups.items():
            found += _disagreeing(facts[:MOST_COMPARED]) if at else []
            if len(facts) > MOST_COMPARED and at:
                partly.append(facts[0].entity_slug or at)
            if len(found) >= limit:
                return {"conflicts": found, "next": at, "partly": partly}
    return {"conflicts": found, "next": None, "partly": partly}


class _Said(NamedTuple):
    fact: Told
    value: tuple[str, ...]


def _disagreeing(facts: list[Told]) -> list[ConflictRow]:
    """The attributes that facts about one entity give several values."""
    stated: dict[tuple[str, frozenset[str]], list[_Said]] = {}
    for fact in facts:
        read = _read(fact)
        if read.attribute is not None and read.attribute.value and not read.attribute.soft:
            for name, about, value in read.attribute.values():
                stated.setdefault((name, about), []).append(_Said(fact, value))
    rows: list[ConflictRow] = []
    for (attribute, _), said in stated.items():
        said.sort(key=lambda one: one.fact.id, reverse=True)
        first = said[0].fact
        second = next((one.fact for one in said if _differ(one.value, said[0].value)), None)
        if second is None:
            continue
        rows.append(
            {
                "entity_slug": first.entity_slug,
                "attribute": attribute,
                "sides": [_side(one) for one in said],
                "resolve": f"gbrain merge {first.id} {second.id}"
                if first.source_id == second.source_id and first.visibility == second.visibility
                else f"gbrain invalidate {second.id}",
            }
        )
    return rows


def _differ(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Whether neither value only says the other more exactly."""
    return not (set(one) <= set(two) or set(two) <= set(one))


def _read(fact: Told) -> Claim:
    names = fact.entity_name, tail(fact.entity_slug or "").replace("-", " ")
    return _claim(fact.fact, tuple(name for name in names if name))


@lru_cache(maxsize=65_536)
def _claim(fact: str, names: tuple[str, ...]) -> Claim:
    """A claim as the comparison reads it; the viewer looks at the same facts again and again."""
    return claim(fact, names)


def _side(one: _Said) -> SideRow:
    fact = one.fact
    return {
        "id": str(fact.id),
        "fact": fact.fact,
        "value": " ".join(one.value),
        "provenance": fact.provenance,
        "source_id": fact.source_id,
        "visibility": fact.visibility,
        "created_at": wire_time(fact.created_at),
    }


def held_as(
    held: Told,
    ctx: Context,
    provenance: str,
    *,
    fact: str | None = None,
    key: str | None = None,
    slug: str | None = None,
    name: str | None = None,
) -> NewFact:
    """A successor of a fact: the same claim with the same dates, unless something else is said."""
    moved = key is not None
    return NewFact(
        source_id=held.source_id,
        fact=fact or held.fact,
        kind=held.kind,
        entity_slug=slug if moved else held.entity_slug,
        entity_name=name if moved else held.entity_name,
        entity_key=key if key is not None else held.entity_key,
        visibility=held.visibility,
        valid_from=held.valid_from,
        valid_until=held.valid_until,
        provenance=provenance,
        session=held.session if fact is None else ctx.session,
        notability=held.notability,
        confidence=held.confidence if fact is None else 1.0,
        fingerprint=fingerprint(fact or held.fact),
        dated=held.dated,
        metric=held.metric if fact is None else None,
        value=held.value if fact is None else None,
        unit=held.unit if fact is None else None,
        period=held.period if fact is None else None,
        made_by=held.made_by if fact is None else None,
        consent=held.consent if fact is None else None,
        saved_by=held.saved_by if fact is None else ctx.who,
    )


def _followed(ctx: Context, held: Told, new: NewFact, reason: str | None, how: str) -> SteeredReply:
    """Put a successor in the place of a fact. Raises InvalidParams when somebody ended it meanwhile."""
    with ctx.store.transaction():
        _live(ctx, str(held.id))
        id = _put(ctx, new, (held.id,))
        ctx.store.stories.note(held.id, _because(how, reason))
    strike_ended(ctx, (held.id,))
    value = _done(id, held, [held.id], until=new.valid_until, undo=f"gbrain restore '#{held.id}'")
    return {**value, "fact": new.fact, "entity_slug": new.entity_slug}


def _put(ctx: Context, new: NewFact, ended: Any) -> int:
    """Save a claim, or find it saved already, and end others for it."""
    same = ctx.store.facts.same(ctx.view._replace(sources=(new.source_id,)), new)
    if same is None:
        return ctx.store.facts.insert(new, ctx.now_text, replaces=tuple(ended))
    ctx.store.facts.supersede(tuple(id for id in ended if id != same.id), same.id, ctx.now_text)
    return same.id


def _print(fact: Told) -> tuple[str, str]:
    return fact.entity_key, fingerprint(fact.fact)


def _because(what: str, reason: str | None) -> str:
    return f"{what}: {collapse(reason)}" if reason and reason.strip() else what


def _told(ctx: Context, id: str) -> Told:
    number = fact_id(id)
    found = ctx.store.stories.get(ctx.view, number) if number else None
    if found is None:
        raise NotFound("there is no such fact", "run: gbrain recall, which shows every fact's id")
    return found


def _live(ctx: Context, id: str) -> Told:
    held = _told(ctx, id)
    if not held.holds(ctx.now_text):
        by = next(iter(reversed(ctx.store.stories.after(ctx.view, held))), None)
        raise InvalidParams(
            f"fact {held.id} does not hold any more" + (f"; fact {by.id} came in its place" if by else ""),
            f"pass {by.id} instead" if by else ANEW if _is_over(ctx, held) else _back(held),
        )
    return held


def _back(held: Told) -> str:
    return f"bring it back first: gbrain restore '#{held.id}'"


def _is_over(ctx: Context, held: Told) -> bool:
    """Whether the end that was stated with a fact has passed."""
    return held.promised is not None and held.promised <= ctx.now_text


def _done(id: int | None, held: Told, ended: list[int], *, undo: str | None, until: str | None = None) -> SteeredReply:
    return {
        "id": str(id) if id is not None else None,
        "fact": held.fact,
        "entity_slug": held.entity_slug,
        "valid_until": wire_time(until),
        "ended": [str(one) for one in ended],
        "changed": bool(ended) or id is not None,
        "undo": undo,
    }
