"""What was saved unasked, taken back: every fact of one consent."""

from typing import Annotated, TypedDict

from gbrain.domain.times import wire_time
from gbrain.errors import NotFound
from gbrain.ops.memory import strike_ended
from gbrain.registry import Context, Param, operation
from gbrain.store.consents import Consent
from gbrain.types import Fact

BACKSTOP = "hook:writeback"
"""How the provenance of facts begins that the backstop took out of turns."""
SHOWN, BATCH = 20, 200


class CapturedRow(TypedDict):
    """A fact that would go, or has gone."""

    id: str
    source_id: str
    fact: str
    provenance: str


class ForgetCapturedReply(TypedDict):
    """What was saved under a consent: how many facts, the first of them, and how many were forgotten."""

    consent: str
    mode: str
    given_at: str | None
    dry_run: bool
    count: int
    others: int
    facts: list[CapturedRow]
    forgotten: int


class ConsentRow(TypedDict):
    """A change of the mode in which agents save unasked."""

    consent: str
    mode: str
    given_at: str | None
    given_by: str


class ConsentsReply(TypedDict):
    """Every change of the mode, latest first; the first is in force."""

    consents: list[ConsentRow]


@operation(
    scope="read",
    surface="full",
    title="List what was agreed to",
    local_only=True,
    examples=("gbrain consents",),
)
def consents(ctx: Context) -> ConsentsReply:
    """List when saving unasked was turned on and off, and by whom. Facts saved meanwhile bear the id."""
    return {
        "consents": [
            {"consent": one.id, "mode": one.mode, "given_at": wire_time(one.given_at), "given_by": one.given_by}
            for one in ctx.store.consents.all()
        ]
    }


@operation(
    scope="admin",
    surface="full",
    title="Forget what was saved unasked",
    cli=None,
    local_only=True,
    destructive=True,
    idempotent=True,
    examples=("gbrain forget --captured-under 0a1b2c3d", "gbrain forget --captured-under 0a1b2c3d --yes"),
)
def forget_captured(
    ctx: Context,
    consent: Annotated[str, Param("The id of the consent, as `gbrain consents` shows it.")],
    include_remember: Annotated[bool, Param("Also facts that agents saved with `remember` meanwhile.")] = False,
    dry_run: Annotated[bool, Param("Tell which facts would go; forget nothing.")] = True,
) -> ForgetCapturedReply:
    """Forget the facts that were taken out of turns under one consent, in every source.

    An agent that calls `remember` does not say whether it was asked to, so those facts stay unless they are
    included.
    """
    agreed = _agreed(ctx, consent)
    everywhere = ctx._replace(view=ctx.view._replace(sources=tuple(ctx.store.sources.ids())))
    every = _all(everywhere, agreed)
    taken = every if include_remember else [fact for fact in every if fact.provenance.startswith(BACKSTOP)]
    forgotten = 0
    # In short transactions: a month of facts in one would hold up every other writer.
    for start in () if dry_run else range(0, len(taken), BATCH):
        with ctx.store.transaction():
            for fact in taken[start : start + BATCH]:
                reason = f"saved under consent {agreed.id}, taken back"
                forgotten += ctx.store.facts.expire(everywhere.view, fact.id, reason)
        strike_ended(everywhere, [fact.id for fact in taken[start : start + BATCH]])
    return {
        "consent": agreed.id,
        "mode": agreed.mode,
        "given_at": wire_time(agreed.given_at),
        "dry_run": dry_run,
        "count": len(taken),
        "others": len(every) - len(taken),
        "facts": [
            {"id": str(fact.id), "source_id": fact.source_id, "fact": fact.fact, "provenance": fact.provenance}
            for fact in taken[:SHOWN]
        ],
        "forgotten": forgotten,
    }


def _all(ctx: Context, agreed: Consent) -> list[Fact]:
    found: list[Fact] = []
    while some := ctx.store.facts.captured(ctx.view, agreed.id, found[-1].id if found else 0, BATCH):
        found += some
    return found


def _agreed(ctx: Context, id: str) -> Consent:
    wanted = id.strip().lower().rpartition(":")[2]
    found = next((one for one in ctx.store.consents.all() if one.id == wanted), None)
    if found is None:
        raise NotFound("there is no such consent", "run: gbrain consents, which shows the id of each")
    return found
