"""Saving one claim: find what it repeats or replaces, then write, so that exactly one version of a claim is live."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from gbrain.domain.similarity import Claim, claim, compare, fingerprint
from gbrain.errors import InvalidParams
from gbrain.registry import Context
from gbrain.store.facts import NewFact, said_of
from gbrain.store.store import Store
from gbrain.types import Fact, View

ALIKE = 0.95
"""From this cosine on a fact may be what a claim repeats or replaces, whatever words it says it in."""
MEANT = 10


class Saved(NamedTuple):
    """What became of a claim. `lexical` says that it was compared with what shares its words, not its meaning."""

    id: int
    status: Literal["inserted", "duplicate", "superseded", "skipped"]
    valid_until: str | None
    replaced: tuple[int, ...]
    lexical: bool


@lru_cache(maxsize=1024)
def _read(fact: str, names: tuple[str, ...]) -> Claim:
    """A claim as the comparison reads it; a server compares the same facts again and again."""
    return claim(fact, names)


def save(
    ctx: Context, new: NewFact, names: tuple[str, ...], *, replaces: int | None = None, background: bool = False
) -> Saved:
    """Insert a claim, or find that it repeats or replaces live ones, in one transaction.

    `replaces` makes a correction explicit and skips the comparison. In the `background` a forgotten claim is
    skipped: only saying it again on purpose brings it back. Raises InvalidParams when `replaces` names no live fact.
    """
    facts, view = ctx.store.facts, ctx.view._replace(sources=(new.source_id,))
    # Also on facts that were asked for: which is which, only the consent in force at that time can tell later.
    agreed = ctx.store.consents.in_force()
    new = new._replace(fingerprint=fingerprint(new.fact), consent=agreed.stamp if agreed else None)
    new = new if new.saved_by else new._replace(saved_by=ctx.who)
    spoken = _read(new.fact, names)
    # Comparing takes longer than others may wait for the lock of writers. So what is there is compared before the
    # transaction, and in it only what came meanwhile.
    seen = facts.last_id()
    before: list[tuple[str, Fact]] = []
    lexical = True
    if replaces is None:
        near = facts.near(view, new)
        meant = _meant(ctx, view, new)
        if meant is not None:
            lexical = False
            known = {fact.id for fact in near}
            near = [*near, *(fact for fact in meant if fact.id not in known)]
        before = _related(spoken, new, near, names)
    with ctx.store.transaction():
        # Looked up in the transaction: of two agents that save the same claim at once the second finds it.
        same = facts.same(view, new)
        if same is not None and same.id != replaces:
            if replaces is not None:
                facts.supersede((_replaceable(ctx.store, view, replaces).id,), same.id, view.now)
                return _repeated(ctx.store, same, new, lexical=False)._replace(
                    status="superseded", replaced=(replaces,)
                )
            return _repeated(ctx.store, same, new, lexical=False)
        # A turn may be read long after it was said, and after the person had its claim forgotten.
        if background and facts.forgotten(new):
            return Saved(0, "skipped", None, (), False)
        if replaces is not None:
            return _inserted(ctx.store, new, view.now, (_replaceable(ctx.store, view, replaces).id,), lexical=False)
        fresh = _related(spoken, new, facts.newer(view, new, seen), names)
        # What was live at the look may have been forgotten or replaced since.
        related = [
            (relation, fact) for relation, fact in before if facts.get(view, fact.id, live=True) is not None
        ] + fresh
        repeated = next((fact for relation, fact in related if relation == "duplicate"), None)
        ended = tuple(fact.id for relation, fact in related if relation == "supersedes")
        if repeated is not None:
            facts.supersede(ended, repeated.id, view.now)
            return _repeated(ctx.store, repeated, new, lexical=lexical)._replace(replaced=ended)
        return _inserted(ctx.store, new, view.now, ended, lexical=lexical)


def _meant(ctx: Context, view: View, new: NewFact) -> list[Fact] | None:
    """Facts about the same thing that mean nearly what a claim does, also where they share no word; None where there
    is no model, or it does not answer at once. Comparing them goes by the same rules."""
    told = said_of(new.entity_name, new.entity_slug, new.fact)
    ids = ctx.meaning.near_facts(view, told, MEANT, ALIKE)
    if ids is None:
        return None
    return [
        fact
        for fact in ctx.store.facts.by_ids(view, ids)
        if fact.entity_slug == new.entity_slug and fact.visibility == new.visibility
    ]


def _related(spoken: Claim, new: NewFact, facts: Iterable[Fact], names: tuple[str, ...]) -> list[tuple[str, Fact]]:
    related = []
    for fact in facts:
        held = _read(fact.fact, names)
        same_entity = bool(new.entity_key) or (_names_subject(held) and _names_subject(spoken))
        verdict = compare(held, spoken, same_kind=fact.kind == new.kind, kind=new.kind, same_entity=same_entity)
        if verdict.relation in ("same", "duplicate"):
            related.append(("duplicate", fact))
        elif verdict.relation == "supersedes":
            related.append(("supersedes", fact))
    return related


def settle(store: Store, view: View, ids: Sequence[int], names: tuple[str, ...]) -> None:
    """Compare facts that have just come to an entity with those it had, as if each were saved now: of two that repeat
    each other the earlier stays, of two values of one attribute the later."""
    for id in ids:
        fact = store.facts.get(view, id, live=True)
        if fact is None:
            continue
        new = NewFact(
            fact.source_id,
            fact.fact,
            fact.kind,
            fact.entity_slug,
            None,
            fact.entity_slug or "",
            fact.visibility,
            fact.valid_from,
            fact.valid_until,
            fact.provenance,
        )
        others = [other for other in store.facts.near(view, new) if other.id != id]
        for relation, other in _related(_read(fact.fact, names), new, others, names):
            # Ids grow in the order of commits, which no moved clock turns round.
            first, last = sorted((id, other.id))
            ended, by = (last, first) if relation == "duplicate" else (first, last)
            store.facts.supersede((ended,), by, view.now)


def _names_subject(claim: Claim) -> bool:
    """Whether a claim filed under nothing says itself what it is about, as "my phone number is ..." does."""
    return claim.attribute is not None and bool(claim.attribute.about)


def _repeated(store: Store, held: Fact, new: NewFact, *, lexical: bool) -> Saved:
    """A claim said again: a running end moves out to a later one that was given, never in."""
    until = held.valid_until
    if until is not None and new.valid_until is not None and new.valid_until > until:
        until = new.valid_until
        store.facts.extend(held.id, until)
    return Saved(held.id, "duplicate", until, (), lexical)


def _inserted(store: Store, new: NewFact, now: str, ended: tuple[int, ...], *, lexical: bool) -> Saved:
    id = store.facts.insert(new, now, replaces=ended)
    return Saved(id, "superseded" if ended else "inserted", new.valid_until, ended, lexical)


def _replaceable(store: Store, view: View, id: int) -> Fact:
    held = store.facts.get(view, id)
    if held is None:
        raise InvalidParams(
            "there is no such fact to replace",
            "leave out replaces, or find the id with: gbrain recall --query WORDS",
        )
    if held.superseded_by is not None:
        successor = _successor(store, view, held)
        raise InvalidParams(
            f"fact {id} was already replaced by fact {successor}",
            f'pass replaces: "{successor}"',
            detail={"reason": "already_superseded", "successor": str(successor)},
        )
    if held.expired_at is not None:
        raise InvalidParams(
            f"fact {id} does not hold any more, so there is nothing to replace",
            "leave out replaces to save the claim as a new fact",
        )
    return held


def _successor(store: Store, view: View, held: Fact) -> int:
    """The end of the chain of facts that replaced one another; each id is higher than the one before."""
    while held.superseded_by is not None:
        after = store.facts.get(view, held.superseded_by)
        if after is None:
            return held.superseded_by
        held = after
    return held.id
