"""From a fact to its whole story: where it comes from, what it replaced, what replaced it, and who has read it."""

import json
import os
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, TypedDict

from gbrain import plain
from gbrain.ambient import bank
from gbrain.domain.times import decayed_confidence, parse_store, wire_time
from gbrain.errors import NotFound
from gbrain.journal import READS, USAGE, Journal
from gbrain.ops.memory import fact_id
from gbrain.ops.recall import MOST, ranked_facts
from gbrain.ops.retrieval import SEARCHED
from gbrain.ops.sourced import facts_view
from gbrain.registry import Context, Param, operation
from gbrain.store.fact_filter import Filter
from gbrain.store.stories import Told

LONGEST_TURN = 8_000
WORD_FOR_WORD = "verbatim"


class IntervalRow(TypedDict):
    """One stretch in which a fact of the chain held. `until` is null where it still holds, or `ends` lies ahead."""

    id: str
    fact: str
    entity_slug: str | None
    since: str | None
    until: str | None
    ended_as: str | None
    provenance: str
    reason: str | None


class ConsentRow(TypedDict):
    """The consent in force when a fact was saved."""

    id: str
    mode: str
    given_at: str | None
    given_by: str | None


class TurnRow(TypedDict):
    """The turn that a fact was made of; `text` only while the turn lies in the bank."""

    said_at: str | None
    state: str
    made_by: str | None
    file: str | None
    text: str | None


class ReaderRow(TypedDict):
    """How often somebody was given a fact, and when for the last time."""

    client: str
    operation: str
    times: int
    last: str | None


class RowPlace(TypedDict):
    """The row of a fact in the text of its page."""

    slug: str
    row: str


class RecalledRow(TypedDict):
    """What `recall` makes of a fact for a query. `rank` is its place, null where it is not among the first `of`.

    `words` is the share of the query's words that it holds, the rare ones counting more; `meaning` how alike it is,
    null where meaning was not looked at; `score` the sum that ranks it, with a little for what is sure.
    """

    rank: int | None
    of: int
    words: float | None
    meaning: float | None
    score: float | None
    says: str


class WhyReply(TypedDict):
    """The story of one fact. `state` is live, lapsed, replaced, forgotten or joined.

    `made_by` is the version of the prompt and the model, or `verbatim`; `recall` is there with a query. `consent`,
    `turn`, `read_by` and `saved_by` are for the person at this machine alone and null or empty for everybody else.
    """

    id: str
    fact: str
    kind: str
    entity_slug: str | None
    source_id: str
    visibility: str
    state: str
    confidence: float
    confidence_now: float
    notability: str
    valid_from: str | None
    valid_until: str | None
    ended_at: str | None
    saved_at: str | None
    saved_by: str | None
    session: str | None
    provenance: str
    made_by: str
    dated: str | None
    note: str | None
    consent: ConsentRow | None
    turn: TurnRow | None
    replaced: list[IntervalRow]
    replaced_by: list[IntervalRow]
    row: RowPlace | None
    recall: RecalledRow | None
    read_by: list[ReaderRow]


@operation(
    scope="read",
    surface="full",
    title="Tell the story of a fact",
    positional=("id",),
    examples=("gbrain why 12", 'gbrain why 12 --query "what does Dana drink"'),
)
def why(
    ctx: Context,
    id: Annotated[str, Param("The id of the fact, as every read shows it.")],
    query: Annotated[str | None, Param("What was asked: then its place in the answer, and what ranks it.")] = None,
) -> WhyReply:
    """Tell where a fact comes from: its words of origin, who saved it, what it replaced, and what replaced it.

    With a query also why `recall` gives it or leaves it out. The person at this machine sees the turn it was made of
    too, the consent it was saved under, and who has read it.
    """
    number = fact_id(id)
    held = ctx.store.stories.get(ctx.view, number) if number else None
    if held is None:
        raise NotFound("there is no such fact", "pass its number; gbrain recall shows every fact's id")
    local = not ctx.caller.remote
    age = max(0.0, (ctx.now - parse_store(held.valid_from)).total_seconds() / 86400)
    state = _state(ctx, held)
    return {
        "id": str(held.id),
        "fact": held.fact,
        "kind": held.kind,
        "entity_slug": held.entity_slug,
        "source_id": held.source_id,
        "visibility": held.visibility,
        "state": state,
        "confidence": held.confidence,
        "confidence_now": round(decayed_confidence(held.confidence, held.kind, age), 4) if state == "live" else 0.0,
        "notability": held.notability,
        "valid_from": wire_time(held.valid_from),
        "valid_until": wire_time(held.valid_until),
        "ended_at": wire_time(held.expired_at),
        "saved_at": wire_time(held.created_at),
        "saved_by": held.saved_by if local else None,
        "session": held.session,
        "provenance": held.provenance,
        "made_by": held.made_by or WORD_FOR_WORD,
        "dated": held.dated,
        "note": _note(ctx, held),
        "consent": _consent(ctx, held) if local else None,
        "turn": _turn(ctx, held) if local else None,
        "replaced": [_interval(ctx, one) for one in ctx.store.stories.before(ctx.view, held.id)],
        "replaced_by": [_interval(ctx, one) for one in ctx.store.stories.after(ctx.view, held)],
        "row": _row(held),
        "recall": _recalled(ctx, held, state, query) if query and query.strip() else None,
        "read_by": readers(ctx, held.id) if local else [],
    }


def _recalled(ctx: Context, fact: Told, state: str, query: str) -> RecalledRow:
    """The place of a fact among those that `recall` ranks for a query at most, or why it has none."""
    view = facts_view(ctx)
    ranked, reason = ranked_facts(ctx, view, query, Filter(), MOST, None)
    for rank, one in enumerate(ranked, 1):
        if one.fact.id == fact.id:
            meaning = round(one.meaning, 4) if one.meaning is not None else None
            by = "words and meaning" if meaning is not None and one.words else "meaning" if meaning else "words"
            return {
                "rank": rank,
                "of": len(ranked),
                "words": round(one.words, 4),
                "meaning": meaning,
                "score": round(one.score, 4),
                "says": f"found by {by}",
            }
    if state != "live":
        says = f"it is {state}, and recall gives what holds; --include-expired gives the rest"
    elif fact.source_id not in view.sources:
        says = f"it is in source {fact.source_id}, which this read leaves out"
    elif len(ranked) == MOST:
        says = f"{MOST} others answer better"
    else:
        alike = "nor means the like" if reason in SEARCHED else "and meaning was not looked at"
        says = f"it holds too few of the query's words, {alike}"
    return {"rank": None, "of": len(ranked), "words": None, "meaning": None, "score": None, "says": says}


def _state(ctx: Context, fact: Told) -> str:
    if fact.expired_at is not None:
        if fact.expired_reason == "joined":
            return "joined"
        return "replaced" if fact.expired_reason == "superseded" and not _is_cut(ctx, fact) else "forgotten"
    return "lapsed" if fact.valid_until is not None and fact.valid_until <= ctx.now_text else "live"


def _is_cut(ctx: Context, fact: Told) -> bool:
    """Whether what came in the place of a fact is not for this reader, who then hears of none."""
    if not ctx.caller.remote or fact.superseded_by is None:
        return False
    return ctx.store.stories.get(ctx.view, fact.superseded_by) is None


def _note(ctx: Context, fact: Told) -> str | None:
    """What is noted beside a fact; it may name what came in its place."""
    return None if _is_cut(ctx, fact) else fact.context


def _interval(ctx: Context, fact: Told) -> IntervalRow:
    until = min((one for one in (fact.expired_at, fact.valid_until) if one is not None), default=None)
    state = _state(ctx, fact)
    return {
        "id": str(fact.id),
        "fact": fact.fact,
        "entity_slug": fact.entity_slug,
        "since": wire_time(fact.valid_from),
        "until": wire_time(until),
        "ended_as": None if state == "live" else state,
        "provenance": fact.provenance,
        "reason": _note(ctx, fact),
    }


def _consent(ctx: Context, fact: Told) -> ConsentRow | None:
    if fact.consent is None:
        return None
    mode, _, id = fact.consent.partition(":")
    given = next((one for one in ctx.store.consents.all() if one.id == id), None)
    return {
        "id": id,
        "mode": mode,
        "given_at": wire_time(given.given_at) if given else None,
        "given_by": given.given_by if given else None,
    }


def _turn(ctx: Context, fact: Told) -> TurnRow | None:
    read = ctx.store.turns.of_fact(fact.source_id, fact.id)
    file = _banked(ctx, fact)
    if read is None and file is None:
        return None
    text = None
    if file is not None:
        try:
            handle = os.open(file, plain.READ_ITSELF)
            with open(handle, "rb") as opened:
                text = opened.read(4 * LONGEST_TURN).decode("utf-8", "replace").removesuffix("\n")[:LONGEST_TURN]
        except OSError:
            file = None
    return {
        "said_at": wire_time(read.said_at) if read else None,
        "state": read.state if read else "done",
        "made_by": read.made_by if read else fact.made_by,
        "file": file,
        "text": text,
    }


def _banked(ctx: Context, fact: Told) -> str | None:
    """The banked turn of a fact: its file's receipt names the facts that were made of it."""
    folder = bank.folder(ctx.home)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return None
    for name in names:
        parsed = bank.parse(name.removesuffix(bank.INGESTED)) if name.endswith(bank.INGESTED) else None
        if parsed is None or parsed[0] != bank.plain_id(fact.session):
            continue
        try:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                told = json.load(file)
        except (OSError, ValueError):
            continue
        if isinstance(told, dict) and fact.id in (told.get("facts") or ()):
            path = os.path.join(folder, name.removesuffix(bank.INGESTED))
            return path if os.path.lexists(path) else None
    return None


def _row(fact: Told) -> RowPlace | None:
    if fact.row_key is None or fact.entity_slug is None:
        return None
    return {"slug": fact.entity_slug, "row": fact.row_key}


def readers(ctx: Context, id: int) -> list[ReaderRow]:
    """Who was given a fact, from the logs of calls, which hold ids and no text."""
    return _counted(_reads(ctx, "facts", {id}))


def page_readers(ctx: Context, source: str, slug: str) -> list[ReaderRow]:
    """Who was given a page, or a passage of it, from the same logs; in some answers the slug stands alone."""
    return _counted(_reads(ctx, "pages", {f"{source}:{slug}", slug}))


def _counted(lines: Iterable[dict[str, Any]]) -> list[ReaderRow]:
    found: dict[tuple[str, str], list[Any]] = {}
    for line in lines:
        key = str(line.get("client") or "unknown"), str(line.get("verb") or line.get("operation") or "")
        times, last = found.get(key, [0, ""])
        found[key] = [times + 1, max(last, str(line.get("ts") or ""))]
    return [
        {"client": client, "operation": verb, "times": times, "last": wire_time(last) if last else None}
        for (client, verb), (times, last) in sorted(found.items(), key=lambda one: one[1][1], reverse=True)
    ]


def _reads(ctx: Context, kind: str, wanted: set[Any]) -> Iterator[dict[str, Any]]:
    """The calls whose answers held one of these facts or pages."""
    journal = Journal(ctx.home)
    for line in (*journal.read(USAGE), *journal.read(READS)):
        held = line.get(kind)
        if line.get("brain_id") == ctx.brain_id and isinstance(held, list) and any(one in wanted for one in held):
            yield line
