"""The verb `synthesize`. Without a model it says so; it never makes an answer up."""

from typing import Annotated, Any, Literal, TypedDict

from gbrain.domain.times import parse_since
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
    synthesis_status: str
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
    for moment in (since, until):
        if moment:
            parse_since(moment, ctx.now)
    detail: dict[str, Any] = {"reason": "no_model"}
    raise Unavailable(
        "no language model is configured, so nothing can be composed",
        'read the evidence itself: gbrain recall --query "WORDS"',
        detail=detail,
    )
