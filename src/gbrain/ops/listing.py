"""Every fact, as a person looks through them: by entity, kind, origin, consent, state and words."""

from typing import Annotated, Literal, TypedDict

from gbrain.domain.slugs import normalise_slug
from gbrain.domain.times import wire_time
from gbrain.ops.sourced import facts_view
from gbrain.registry import Context, Param, operation
from gbrain.store.stories import STATES, Told, Wanted
from gbrain.types import Kind, View, Visibility

State = Literal["live", "lapsed", "replaced", "forgotten", "all"]
MOST = 200


class ListedFact(TypedDict):
    """A fact as a list shows it; `state` is live, lapsed, replaced or forgotten."""

    id: str
    fact: str
    kind: str
    entity_slug: str | None
    source_id: str
    visibility: str
    state: str
    valid_from: str | None
    valid_until: str | None
    ended_at: str | None
    saved_at: str | None
    saved_by: str | None
    provenance: str
    consent: str | None
    confidence: float


class FactsReply(TypedDict):
    """A part of the list, the newest first; `next` continues it, null at its end."""

    facts: list[ListedFact]
    next: str | None


@operation(
    scope="read",
    surface="full",
    title="List facts",
    cli="facts",
    local_only=True,
    examples=("gbrain facts", "gbrain facts --entity people/dana-oakes --state all", "gbrain facts --unreviewed"),
)
def list_facts(
    ctx: Context,
    entity: Annotated[str | None, Param("Only facts about this slug.", names="entity")] = None,
    kind: Annotated[Kind | None, Param("Only facts of this kind.")] = None,
    state: Annotated[State, Param("live, lapsed, replaced, forgotten, or all.")] = "live",
    origin: Annotated[str | None, Param("Only facts whose provenance holds this.")] = None,
    saved_by: Annotated[str | None, Param("Only facts that this client saved.")] = None,
    consent: Annotated[str | None, Param("Only facts saved under this consent.")] = None,
    visibility: Annotated[Visibility | None, Param("Only world, or only private facts.")] = None,
    words: Annotated[str | None, Param("Only facts that hold these words as they stand, in any case.")] = None,
    unreviewed: Annotated[bool, Param("Only what was saved out of turns and is not reviewed yet.")] = False,
    before: Annotated[str | None, Param("Continue: `next` of the reply before.")] = None,
    limit: Annotated[int, Param("At most this many.", minimum=1, maximum=MOST)] = 50,
) -> FactsReply:
    """List facts by what is known about them, the newest first; nothing is ranked."""
    view, about = _about(ctx, normalise_slug(entity)) if entity else (ctx.view, Wanted())
    wanted = about._replace(
        kind=kind,
        state=state if state != "all" else None,
        origin=origin,
        saved_by=saved_by,
        consent=consent,
        visibility=visibility,
        words=words,
        unreviewed=unreviewed or None,
        before=int(before) if before and before.isascii() and before.isdigit() and len(before) < 19 else None,
    )
    found = ctx.store.stories.listed(view, wanted, int(limit) + 1)
    more = len(found) > limit
    found = found[: int(limit)]
    return {"facts": [listed(fact, ctx.now_text) for fact in found], "next": str(found[-1].id) if more else None}


def _about(ctx: Context, slug: str) -> tuple[View, Wanted]:
    """The facts about a slug, and what other sources were told of the page by its name."""
    view = facts_view(ctx)
    pages = [page for page in ctx.store.names.find(ctx.view, slug) if page.arm == "slug"]
    bare = tuple(
        dict.fromkeys(
            key for page in pages for key in ctx.store.facts.bare_keys(view, page.source_id, page.slug, page.title)
        )
    )
    if not bare:
        return ctx.view, Wanted(entity=(slug,))
    return view, Wanted(entity=(slug, *bare), home=ctx.view.sources, bare=bare)


def listed(fact: Told, now: str) -> ListedFact:
    """A fact as a list shows it at a moment."""
    return {
        "id": str(fact.id),
        "fact": fact.fact,
        "kind": fact.kind,
        "entity_slug": fact.entity_slug,
        "source_id": fact.source_id,
        "visibility": fact.visibility,
        "state": state_of(fact, now),
        "valid_from": wire_time(fact.valid_from),
        "valid_until": wire_time(fact.valid_until),
        "ended_at": wire_time(fact.expired_at),
        "saved_at": wire_time(fact.created_at),
        "saved_by": fact.saved_by,
        "provenance": fact.provenance,
        "consent": fact.consent,
        "confidence": fact.confidence,
    }


def state_of(fact: Told, now: str) -> str:
    """One of STATES: whether a fact holds at a moment, or how it ended."""
    if fact.expired_at is not None:
        return "replaced" if fact.superseded_by is not None else "forgotten"
    lapsed = fact.valid_until is not None and fact.valid_until <= now
    return STATES[1] if lapsed else STATES[0]
