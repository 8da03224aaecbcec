"""The operation `think`: an answer over everything the brain holds, by dates where they tell it, else by a model."""

from typing import Annotated, Literal, NamedTuple, NotRequired, TypedDict

from gbrain.domain.answers.conflicts import Conflict, told
from gbrain.domain.answers.evidence import Evidence, extract
from gbrain.domain.answers.temporal import newest
from gbrain.domain.slugs import slugify
from gbrain.domain.text import clip, collapse
from gbrain.errors import InvalidParams
from gbrain.ops.composing import Composition, Cost, compose, disagreements, extractive
from gbrain.ops.gathering import SYNTHESIZED, Gathered, gather, period_of
from gbrain.ops.temporal import from_dates
from gbrain.registry import Context, Param, operation

LONGEST_SLUG = 60


class Citation(TypedDict):
    """What an answer stands on. `row_num` is the id of a fact, null for a page; `page_slug` is null for a fact that is
    about nothing by name."""

    page_slug: str | None
    source_id: str
    row_num: int | None
    citation_index: int


class Extractive(TypedDict):
    """The evidence itself, where no model composed from it."""

    answer: str
    citations: list[Citation]


class Usage(TypedDict):
    """What the call took; null where there was none, or it failed."""

    input_tokens: int | None
    output_tokens: int | None
    usd_estimate: float | None


class Side(TypedDict):
    """One of the sayings that disagree; the first of a conflict counts."""

    text: str
    date: str
    provenance: str
    page_slug: str | None
    source_id: str
    row_num: int | None


class ConflictRow(TypedDict):
    """Evidence that gives one attribute of one entity several values."""

    attribute: str
    sides: list[Side]


class Diagnostics(TypedDict):
    """How the answer came about: `answered_by` model, timeline, trajectory or evidence; `newest_evidence` is a date."""

    answered_by: str
    entities: list[str]
    newest_evidence: str | None
    evidence: int
    prompt: str | None
    degraded: NotRequired[str]


class ThinkReply(TypedDict):
    """An answer with what it stands on, what is missing, and what disagrees."""

    question: str
    answer: str
    citations: list[Citation]
    gaps: list[str]
    conflicts: list[ConflictRow]
    pagesGathered: int
    takesGathered: int
    graphHits: int
    modelUsed: str | None
    rounds: int
    warnings: list[str]
    synthesisOk: bool
    synthesis_status: Literal["ok", "extractive_fallback", "no_llm"]
    extractive: NotRequired[Extractive]
    usage: Usage
    diagnostics: Diagnostics
    saved_slug: str | None
    evidence_inserted: int
    take_row: int | None
    remote_persisted_blocked: bool


class _Thought(NamedTuple):
    made: Composition
    by: str
    rounds: int


@operation(
    scope="read",
    surface="starter",
    title="Think (may call a model)",
    positional=("question",),
    expensive=True,
    examples=(
        'gbrain think "when did Dana join Harbor Capital?"',
        'gbrain think "how did the ARR of Acme change since January?"',
    ),
)
def think(
    ctx: Context,
    question: Annotated[str, Param("What to find out from the brain.")],
    anchor: Annotated[str | None, Param("A name or slug the question is about, where it does not say.")] = None,
    since: Annotated[str | None, Param("Only evidence from then on: an ISO date or time, or a span.")] = None,
    until: Annotated[str | None, Param("Only evidence up to then.")] = None,
    save: Annotated[bool, Param("Keep the answer as a page. Only for the person at this machine.")] = False,
) -> ThinkReply:
    """Answer a question over pages, facts, links and dated entries, with what is missing and what disagrees.

    Questions about time are answered by dates alone where these tell: when something was, how long ago, what a figure
    was then, how it went. Everything else is composed by a model, if one is set, and checked against the evidence.
    """
    if not question.strip():
        raise InvalidParams("the question is empty", 'ask something: gbrain think "WORDS"')
    gathered = gather(ctx, question, period_of(ctx, since, until), anchor)
    thought = _thought(ctx, question, gathered)
    reply = _reply(question, gathered, thought)
    if save and ctx.caller.remote:
        reply["remote_persisted_blocked"] = True
    elif save and thought.made.cited and thought.made.status == "ok":
        reply["saved_slug"] = _saved(ctx, question, thought.made)
    return reply


def _thought(ctx: Context, question: str, gathered: Gathered) -> _Thought:
    dated = from_dates(ctx, question, gathered)
    if dated is not None:
        nobody = Cost(None, None, None, None)
        found = disagreements(gathered)
        made = Composition(dated.answer, dated.cited, dated.gaps, found, "ok", [], nobody, None, None)
        return _Thought(made, dated.ground, 0)
    if ctx.models.lacking("compose") is not None:
        return _Thought(extractive(ctx, gathered), "evidence", 0)
    made = compose(ctx, question, gathered)
    return _Thought(made, "model" if made.status == "ok" else "evidence", 1 if gathered.evidence else 0)


def _reply(question: str, gathered: Gathered, thought: _Thought) -> ThinkReply:
    made = thought.made
    diagnostics: Diagnostics = {
        "answered_by": thought.by,
        "entities": [entity.slug for entity in gathered.entities],
        "newest_evidence": newest(gathered.evidence) or None,
        "evidence": len(gathered.evidence),
        "prompt": made.made_by,
    }
    if gathered.degraded is not None:
        diagnostics["degraded"] = gathered.degraded
    reply: ThinkReply = {
        "question": question,
        "answer": made.answer,
        "citations": _citations(made.cited),
        "gaps": made.gaps,
        "conflicts": [_conflict(one) for one in made.conflicts],
        "pagesGathered": gathered.pages,
        "takesGathered": gathered.takes,
        "graphHits": gathered.links,
        "modelUsed": made.cost.model if thought.by != "evidence" or made.failure else None,
        "rounds": thought.rounds,
        "warnings": made.warnings,
        "synthesisOk": made.status == "ok",
        "synthesis_status": made.status,
        "usage": {
            "input_tokens": made.cost.input_tokens,
            "output_tokens": made.cost.output_tokens,
            "usd_estimate": made.cost.usd,
        },
        "diagnostics": diagnostics,
        "saved_slug": None,
        "evidence_inserted": 0,
        "take_row": None,
        "remote_persisted_blocked": False,
    }
    if made.status != "ok" and gathered.evidence:
        text, shown = extract(made.cited)
        reply["extractive"] = {"answer": text, "citations": _citations(shown)}
    return reply


def _citations(cited: list[Evidence]) -> list[Citation]:
    return [
        {"page_slug": one.slug, "source_id": one.source_id, "row_num": one.row, "citation_index": place}
        for place, one in enumerate(cited, 1)
    ]


def _conflict(found: Conflict) -> ConflictRow:
    return {
        "attribute": found.attribute,
        "sides": [
            {
                "text": side.text,
                "date": side.evidence.date,
                "provenance": side.evidence.origin,
                "page_slug": side.evidence.slug,
                "source_id": side.evidence.source_id,
                "row_num": side.evidence.row,
            }
            for side in found.sides
        ],
    }


def _saved(ctx: Context, question: str, made: Composition) -> str:
    """Keep an answer as a page of its day; the same question of the same day is the next version of it."""
    # A page's text is YAML, which takes 20 ms to load, and few answers are kept.
    from gbrain.ops.writing import read_text, write

    day = ctx.now.date().isoformat()
    slug = f"{SYNTHESIZED}{day}-{(slugify(clip(question, LONGEST_SLUG).rstrip('…')) or 'answer')}"
    sources = "\n".join(f"- [[{one.slug}]]" for one in {one.slug: one for one in made.cited if one.slug}.values())
    disagree = "".join(f"- {told(one)}\n" for one in made.conflicts)
    title = collapse(question).replace('"', "'")[:120]
    text = f'---\ntitle: "{title}"\ntype: analysis\n---\n\n{made.answer}\n\n[Source: synthesis, {day}]\n'
    text += f"\n## Stands on\n\n{sources}\n" if sources else ""
    text += f"\n## Disagree\n\n{disagree}" if disagree else ""
    write(ctx, read_text(ctx, slug, text).draft, None, {}, reason="think --save")
    return slug
