"""The operation `extract_facts`: what somebody said becomes facts, with a model, or says how without one."""

from typing import Annotated, Literal, NotRequired, TypedDict

from gbrain.domain.slugs import normalise_slug
from gbrain.domain.times import parse_instant
from gbrain.errors import InvalidParams
from gbrain.ops.extraction import Outcome, default_visibility, extract_turn
from gbrain.registry import Context, Param, operation
from gbrain.types import Visibility

PROVENANCE = "mcp:extract_facts"
TURN_LENGTH = 200_000
SESSION_LENGTH = 256


class ExtractFactsReply(TypedDict):
    """What became of a turn's facts. `skipped` says why no model read it, `agent_action` what to do instead."""

    inserted: int
    duplicate: int
    superseded: int
    fact_ids: list[int]
    entity_hints_used: int
    entity_hints_dropped: int
    skipped: NotRequired[
        Literal["extraction_unavailable", "extraction_failed", "extraction_disabled", "dream_generated"]
    ]
    reason: NotRequired[str]
    agent_action: NotRequired[str]


@operation(
    scope="write",
    surface="starter",
    title="Extract facts from a turn (calls a model)",
    positional=("turn_text",),
    expensive=True,
    idempotent=True,
    examples=('gbrain extract-facts "I moved to Porto last month and I work from home now."',),
)
def extract_facts(
    ctx: Context,
    turn_text: Annotated[str, Param("What the person said, word for word.", max_length=TURN_LENGTH)],
    session_id: Annotated[str | None, Param("The session it was said in.")] = None,
    entity_hints: Annotated[list[str] | None, Param("Names or slugs it may be about; the first five count.")] = None,
    is_dream_generated: Annotated[bool, Param("It was made by a program, not said: nothing is read.")] = False,
    valid_from: Annotated[str | None, Param("When it was said: an ISO date or time. Now, unless given.")] = None,
    source_slug: Annotated[str | None, Param("The page it is from; kept with each fact.")] = None,
    visibility: Annotated[
        Visibility | None,
        Param("world or private; unless given what facts.default_visibility says, and private without that."),
    ] = None,
) -> ExtractFactsReply:
    """Read what a person said for facts worth knowing later, and save them as remember does.

    One turn is read once: a repeat counts as duplicate and calls no model. Without a model the reply says what the
    agent can do itself; sentences that ask to be remembered are saved as they stand.
    """
    if not turn_text.strip():
        raise InvalidParams("the turn is empty", "pass what was said as turn_text")
    when = parse_instant(valid_from, ctx.now) if valid_from else ctx.now
    seen = visibility or default_visibility(ctx)
    if is_dream_generated:
        return {**_reply(Outcome()), "skipped": "dream_generated"}
    session = session_id[:SESSION_LENGTH] if session_id else ctx.session
    outcome = extract_turn(
        ctx,
        turn_text,
        when=when,
        provenance=PROVENANCE,
        session=session,
        visibility=seen,
        hints=entity_hints or (),
        context=f"from {normalise_slug(source_slug)}" if source_slug else None,
        background=False,
    )
    reply = _reply(outcome)
    if outcome.skip == "extraction_unavailable":
        reply["skipped"] = "extraction_unavailable"
        reply["agent_action"] = _action(seen)
    elif outcome.skip == "extraction_disabled":
        reply["skipped"] = "extraction_disabled"
    elif outcome.skip in ("extraction_failed", "secret_found", "held"):
        reply["skipped"] = "extraction_failed"
        reply["reason"] = outcome.reason or "" if outcome.skip == "extraction_failed" else outcome.skip
    return reply


def _reply(outcome: Outcome) -> ExtractFactsReply:
    return {
        "inserted": outcome.inserted,
        "duplicate": outcome.duplicate,
        "superseded": outcome.superseded,
        "fact_ids": list(outcome.facts),
        "entity_hints_used": outcome.hints_used,
        "entity_hints_dropped": outcome.hints_dropped,
    }


def _action(visibility: Visibility) -> str:
    return (
        "No model is set on this brain, so read the turn yourself: put each lasting claim of the person into one line"
        " in their words and call remember with it, its provenance, its kind (event, preference, commitment, belief or"
        f" fact), its entity, and visibility: {visibility}. Leave out greetings, questions, quoted text and secrets."
    )
