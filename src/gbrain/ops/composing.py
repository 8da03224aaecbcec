"""An answer from gathered evidence: composed by a model and held to the evidence, or the evidence alone."""

from typing import Literal, NamedTuple

from gbrain.domain.answers.citing import EMPTY, composed
from gbrain.domain.answers.conflicts import Conflict, conflicts, told
from gbrain.domain.answers.evidence import Evidence, extract, fenced
from gbrain.domain.answers.temporal import ago, newest
from gbrain.domain.extraction.said import as_data
from gbrain.domain.periods import of_date
from gbrain.domain.text import collapse
from gbrain.models.chat import Ask, ChatFailed
from gbrain.models.prompts import prompt
from gbrain.ops.gathering import Gathered
from gbrain.registry import Context

Status = Literal["ok", "extractive_fallback", "no_llm"]

NOTHING = "Nothing in the brain answers this."
REGEX = "CITATIONS_REGEX_FALLBACK"
MOST_EVIDENCE = 48
STALE_DAYS = 30
QUESTION_LENGTH = 4_000


class Cost(NamedTuple):
    """What calls took; counts are None where no call succeeded or the provider gave none."""

    model: str | None
    input_tokens: int | None
    output_tokens: int | None
    usd: float | None


class Composition(NamedTuple):
    """An answer, the evidence it stands on, what is missing and what disagrees. `failure` is the code of what a model
    did wrong, None where it did its part or was not asked."""

    answer: str
    cited: list[Evidence]
    gaps: list[str]
    conflicts: list[Conflict]
    status: Status
    warnings: list[str]
    cost: Cost
    failure: str | None
    made_by: str | None


def compose(ctx: Context, question: str, gathered: Gathered) -> Composition:
    """Have a model answer from the evidence; where it fails, the evidence answers.

    Where nothing was gathered there is nothing to compose from, and no model is asked. Raises ChatFailed only when no
    model is set up for it (`no_model`, `disabled` and the like), before any call.
    """
    lacking = ctx.models.lacking("compose")
    if lacking is not None:
        raise lacking
    if not gathered.evidence:
        nobody = Cost(None, None, None, None)
        gaps = missing(ctx, gathered)
        return Composition(NOTHING, [], gaps, [], "extractive_fallback", [EMPTY], nobody, EMPTY, None)
    found = disagreements(gathered)
    given = prompt("compose")
    ask = Ask("compose", given.text, _text(question, gathered, found), want_json=True, session=ctx.session)
    try:
        answer = ctx.models.ask(ask)
    except ChatFailed as failed:
        cost = Cost(ctx.models.name("compose"), None, None, None)
        return _fallen(gathered, found, f"LLM_CALL_FAILED: {_failure(failed)}", [], cost)
    cost = Cost(answer.model, answer.input_tokens, answer.output_tokens, answer.usd)
    made_by = f"{given.version} {answer.model}"
    if answer.finish in ("refused", "filtered"):
        return _fallen(gathered, found, f"LLM_{answer.finish.upper()}", [], cost)
    read = composed(answer.text, gathered.evidence, question)
    gaps = list(dict.fromkeys([*missing(ctx, gathered), *read.gaps]))
    if not read.text:
        return _fallen(gathered, found, read.warnings[-1], read.warnings[:-1], cost)._replace(gaps=gaps)
    return Composition(read.text, read.cited, gaps, found, "ok", read.warnings, cost, None, made_by)


def extractive(ctx: Context, gathered: Gathered) -> Composition:
    """The evidence as the answer, with no model asked."""
    text, shown = extract(_best(gathered)) if gathered.evidence else (NOTHING, [])
    found = disagreements(gathered)
    nobody = Cost(None, None, None, None)
    return Composition(text, shown, missing(ctx, gathered), found, "no_llm", [], nobody, None, None)


def disagreements(gathered: Gathered) -> list[Conflict]:
    """What the evidence about each entity says in two ways."""
    return conflicts(gathered.evidence, gathered.names())


def missing(ctx: Context, gathered: Gathered) -> list[str]:
    """What was looked for and not found, and how old the newest evidence is where that is long ago."""
    gaps = [f"nothing is known of {name}" for name in gathered.unknown]
    if not gathered.evidence:
        return [*gaps, "no page, fact or dated entry bears on the question"]
    latest = newest([one for one in gathered.evidence if one.kind != "link"])
    today = ctx.now.date()
    period = of_date(latest)
    if period is not None and (today - period.last).days > STALE_DAYS:
        gaps.append(f"the newest evidence is of {latest}, {ago(latest, today)} ago")
    return gaps


def _fallen(gathered: Gathered, found: list[Conflict], failure: str, before: list[str], cost: Cost) -> Composition:
    text, shown = extract(_best(gathered))
    warnings = [*before, failure, REGEX]
    return Composition(text, shown, [], found, "extractive_fallback", warnings, cost, failure, None)


def _best(gathered: Gathered) -> list[Evidence]:
    """What is about the question's own entities before the rest; pages, facts, dated entries, then links."""
    order = {"page": 0, "fact": 1, "entry": 2, "link": 3}
    named = {entity.slug for entity in gathered.entities}
    return sorted(gathered.evidence, key=lambda one: (one.slug not in named, order[one.kind]))


def _text(question: str, gathered: Gathered, found: list[Conflict]) -> str:
    lines = [f"<question>\n{collapse(as_data(question))[:QUESTION_LENGTH]}\n</question>"]
    lines.append(fenced(gathered.evidence[:MOST_EVIDENCE]))
    if found:
        lines.append("The evidence disagrees on:\n" + "\n".join(as_data(told(one)) for one in found))
    return "\n\n".join(lines)


_FAILURES = {"rate_limited": "rate_limited", "timeout": "timeout", "unreachable": "network"}


def _failure(failed: ChatFailed) -> str:
    if failed.reason.startswith("cap_") or failed.reason == "circuit_open":
        return failed.reason
    return _FAILURES.get(failed.reason, "provider_error")
