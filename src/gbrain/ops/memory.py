"""The verbs that write facts: remember and forget."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal, NotRequired, TypedDict

from gbrain.domain.text import blank, collapse
from gbrain.domain.times import parse_ttl, store_time, wire_time
from gbrain.errors import InvalidParams, NotFound, ProvenanceRequired
from gbrain.ops.binding import Bound, bind
from gbrain.ops.secrecy import refuse_secret
from gbrain.registry import Context, Param, operation
from gbrain.store.facts import NewFact
from gbrain.types import Kind, Visibility

if TYPE_CHECKING:
    from gbrain.ops.saving import Saved

FACT_LENGTH = 8_000
PROVENANCE_LENGTH = 500


class RememberReply(TypedDict):
    """What `remember` did. `id` is the fact to pass to `forget` or `replaces`."""

    id: str
    status: Literal["inserted", "duplicate", "superseded"]
    status_text: str
    entity_slug: str | None
    valid_until: str | None
    degraded_dedup: NotRequired[bool]
    protocol_version: Literal[1]


class ForgetReply(TypedDict):
    """`expired` is False when the fact had ended already."""

    id: str
    expired: bool
    reason: str | None
    protocol_version: Literal[1]


class ForgetFactReply(TypedDict):
    """What `forget_fact` did."""

    id: int
    expired: bool
    reason: str | None


@operation(
    scope="write",
    surface="verbs",
    title="remember (memory write)",
    positional=("fact",),
    idempotent=True,
    examples=(
        'gbrain remember "prefers green tea" --provenance "chat, 2031-05-04" --entity "Dana Oakes" --kind preference',
        'gbrain remember "is in Lisbon" --provenance "chat" --entity dana-oakes --ttl 3d',
    ),
    fence=("entity",),
)
def remember(
    ctx: Context,
    fact: Annotated[str, Param("One claim in one line, in the user's own words.")],
    provenance: Annotated[str, Param("Where it comes from: harness, session, date. At most 500 characters.")],
    ttl: Annotated[
        str | None,
        Param('How long it holds: a span such as "3d", "12h", or a date. Leave out for a lasting fact.'),
    ] = None,
    entity: Annotated[
        str | None,
        Param(
            'Whom or what it is about: a page slug (people/dana-oakes), a name or alias, or "user" for the user.',
            max_length=255,
            names="entity",
        ),
    ] = None,
    kind: Annotated[Kind, Param("What sort of claim it is.")] = "fact",
    visibility: Annotated[
        Visibility,
        Param("world: agents of this brain may read it; private: only the person at this machine."),
    ] = "world",
    replaces: Annotated[str | None, Param("The id of a fact that this one corrects.")] = None,
) -> RememberReply:
    """Save one claim with its origin, so that every agent knows it from now on.

    A claim already known is not saved twice, and a new value of the same attribute replaces the old one. Names are
    never guessed: an unclear entity is left open and the reply names who it could be.
    """
    text = claim_text(fact)
    # The words that claims are compared by take 25 ms to load, which a server must not spend before its first answer.
    from gbrain.ops.saving import save

    until = parse_ttl(ttl, ctx.now)
    bound = bind(ctx, entity)
    new = NewFact(
        ctx.source,
        text,
        kind,
        bound.slug,
        bound.name,
        bound.key,
        _narrowed(ctx, bound, visibility),
        ctx.now_text,
        store_time(until) if until else None,
        _provenance(provenance),
        ctx.session,
    )
    saved = save(ctx, new, bound.names, replaces=fact_id(replaces) if replaces is not None else None)
    strike_ended(ctx, saved.replaced)
    reply: RememberReply = {
        "id": str(saved.id),
        "status": saved.status if saved.status != "skipped" else "duplicate",
        "status_text": _status_text(saved),
        "entity_slug": bound.slug,
        "valid_until": wire_time(saved.valid_until),
        "protocol_version": 1,
    }
    if until is not None and saved.valid_until is None:
        ctx.warn("ttl_ignored", f"fact {saved.id} is known to hold without an end, so the ttl was left out")
    return {**reply, "degraded_dedup": True} if saved.lexical else reply


@operation(
    scope="write",
    surface="verbs",
    title="forget (expire a fact)",
    positional=("id",),
    destructive=True,
    idempotent=True,
    examples=('gbrain forget 12 --reason "moved away"',),
    fence=(),
)
def forget(
    ctx: Context,
    id: Annotated[str, Param("The fact_id that recall or remember gave.")],
    reason: Annotated[str | None, Param("Why, in a few words.", max_length=500)] = None,
) -> ForgetReply:
    """Make a fact no longer hold; it leaves every answer at once and stays in the history."""
    number = fact_id(id)
    expired = _expire(ctx, number, reason)
    return {"id": str(number), "expired": expired, "reason": reason, "protocol_version": 1}


@operation(
    scope="write",
    surface="full",
    title="Forget a fact by its integer id",
    positional=("id",),
    cli=None,
    destructive=True,
    idempotent=True,
    fence=(),
)
def forget_fact(
    ctx: Context,
    id: Annotated[float, Param("The integer id of the fact.")],
    reason: Annotated[str | None, Param("Why, in a few words.", max_length=500)] = None,
) -> ForgetFactReply:
    """As forget, for callers that keep integer ids."""
    # JSON has one kind of number, and what the database cannot hold means no fact.
    number = int(id) if float(id).is_integer() and abs(id) < 2**63 else 0
    return {"id": number, "expired": _expire(ctx, number, reason), "reason": reason}


def _narrowed(ctx: Context, bound: Bound, visibility: Visibility) -> Visibility:
    """Private for a fact about a private page: as a world fact it would tell that the page is there."""
    if bound.private and visibility == "world":
        ctx.warn("saved_private", f"{bound.slug} is a private page, so the fact was saved as private")
        return "private"
    return visibility


def claim_text(fact: str) -> str:
    """A claim in one line; raises InvalidParams for one that is empty, too long, or holds a secret."""
    text = collapse(fact)
    # The text as it was given: what it is made into has other line ends and spaces than the rules look for.
    refuse_secret("fact", fact)
    if blank(text):
        raise InvalidParams("the fact is empty", "pass the claim as fact, in one line")
    if len(text) > FACT_LENGTH:
        raise InvalidParams(
            f"the fact is too long: {len(text):,} characters, {FACT_LENGTH:,} at most",
            "save one claim a call; a longer text belongs on a page: gbrain put SLUG",
        )
    return text


def _provenance(text: str) -> str:
    refuse_secret("provenance", text)
    kept = text.strip()
    if blank(kept):
        raise ProvenanceRequired("a fact needs its origin", 'pass provenance, such as "chat with Dana, 2031-05-04"')
    if len(kept) > PROVENANCE_LENGTH:
        raise InvalidParams(
            f"provenance is too long: {len(kept):,} characters, {PROVENANCE_LENGTH} at most",
            "name the origin: harness, session and date are enough",
        )
    return kept


def _status_text(saved: "Saved") -> str:
    if saved.status == "duplicate":
        return f"already known as fact {saved.id}"
    if saved.status == "superseded":
        return f"remembered as fact {saved.id}; it replaces fact {', '.join(str(id) for id in saved.replaced)}"
    return f"remembered as fact {saved.id}"


def fact_id(text: str) -> int:
    """The row id a wire id means, also behind `#` or `id=`; what cannot be one means no fact: id 0."""
    digits = text.strip().removeprefix("id=").removeprefix("#")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else 0


def _expire(ctx: Context, id: int, reason: str | None) -> bool:
    with ctx.store.transaction():
        if id <= 0 or ctx.store.facts.get(ctx.view, id) is None:
            raise NotFound("there is no such fact", "run: gbrain recall, which shows every fact's id")
        expired = ctx.store.facts.expire(ctx.view, id, reason)
    if expired:
        strike_ended(ctx, (id,))
    return expired


def strike_ended(ctx: Context, ids: Sequence[int]) -> None:
    """Strike the rows of facts that have just ended, so that an index made anew from files does not revive them."""
    # It may write files, so it follows the commit of what ended them; what a kill leaves undone the sweep does.
    pages = ctx.store.fact_rows.unstruck(ids)
    if pages:
        from gbrain.ops.fence import strike  # the words that claims are compared by take 25 ms to load

        strike(ctx, pages)
