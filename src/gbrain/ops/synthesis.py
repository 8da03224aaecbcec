"""The verb `synthesize`. Without a model it says so; it never makes an answer up."""

from typing import Annotated, Literal, TypedDict

from gbrain.domain.answers.conflicts import told
from gbrain.errors import InvalidParams, Unavailable
from gbrain.registry import Context, Param, operation


class Cost(TypedDict):
    """What the answer took; counts are null when no call succeeded."""

    model: str | None
    input_tokens: int | None
    output_tokens: int | None
    usd_estimate: float | None


class SynthesizeReply(TypedDict):
    """An answer composed across pages, with the slugs it stands on and what was not found."""

    answer: str
    sources: list[str]
    gaps: list[str]
    cost: Cost
    synthesis_status: Literal["ok", "extractive_fallback"]
    pages_gathered: int
    takes_gathered: int
    warnings: list[str]
    protocol_version: Literal[1]


@operation(
    scope="read",
    surface="verbs",
    title="synthesize (slow, costly: calls a model)",
    positional=("question",),
    expensive=True,
    examples=('gbrain synthesize "what did we decide about the launch?" --since 2031-05-01',),
)
def synthesize(
    ctx: Context,
    question: Annotated[str, Param("What to answer from the brain.")],
    since: Annotated[str | None, Param("Only evidence from then on: an ISO date or time, or a span.")] = None,
    until: Annotated[str | None, Param("Only evidence up to then.")] = None,
) -> SynthesizeReply:
    """Compose an answer across many pages with a language model, citing what it stands on."""
    if not question.strip():
        raise InvalidParams("the question is empty", "pass what you want to know as question")
    # What gathers and composes is 20 modules, and a server must have the verb's schema before its first answer.
    from gbrain.ops.composing import compose
    from gbrain.ops.gathering import gather, period_of

    within = period_of(ctx, since, until)
    lacking = ctx.models.lacking("compose")
    if lacking is not None:
        raise lacking
    gathered = gather(ctx, question, within)
    made = compose(ctx, question, gathered)
    if made.failure is not None and not gathered.evidence:
        raise Unavailable(
            f"nothing in the brain bears on the question, so there is nothing to compose from: {made.failure}",
            'ask with other words, or look for them: gbrain recall --query "WORDS"',
            detail={"reason": made.failure, "gaps": made.gaps},
        )
    return {
        "answer": made.answer,
        "sources": list(dict.fromkeys(one.slug for one in made.cited if one.slug is not None)),
        "gaps": made.gaps,
        "cost": {
            "model": made.cost.model,
            "input_tokens": made.cost.input_tokens,
            "output_tokens": made.cost.output_tokens,
            "usd_estimate": made.cost.usd,
        },
        "synthesis_status": "ok" if made.status == "ok" else "extractive_fallback",
        "pages_gathered": gathered.pages,
        "takes_gathered": gathered.takes,
        "warnings": [*made.warnings, *(f"CONFLICT: {told(one)}" for one in made.conflicts)],
        "protocol_version": 1,
    }
