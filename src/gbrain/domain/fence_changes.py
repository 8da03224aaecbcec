"""What the rows of a facts fence change about the facts that are known: added, forgotten, put in other words."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from gbrain.domain.facts_fence import Row
from gbrain.domain.text import collapse


class Known(NamedTuple):
    """A fact as it is kept: its id, the key of its row, what it says, and whether it holds."""

    id: int
    key: str
    row: Row
    live: bool


class Change(NamedTuple):
    """One thing to do: `add` a row (a struck one as a fact that holds no more), `forget` a fact because of its struck
    row, or `replace` a fact by what its row says now."""

    what: Literal["add", "forget", "replace"]
    row: Row
    id: int | None = None


def changes(rows: Sequence[Row], known: Iterable[Known]) -> list[Change]:
    """What makes the facts say what the rows say; nothing, when asked again.

    A row belongs to the fact with its key; one without a key to a live fact that says the same as visibly, if no other
    row has it. What ended in the store stays ended, whatever its row says. A fact whose row is gone is left alone: rows
    get lost in rewrites, and only striking one forgets it.
    """
    by_key = {fact.key: fact for fact in known}
    named = {row.key for row in rows if row.key is not None}
    by_claim = {_said(fact.row): fact for fact in by_key.values() if fact.live and fact.key not in named}
    steps: list[Change] = []
    seen: set[str] = set()
    for row in rows:
        fact = by_key.get(row.key) if row.key is not None else by_claim.get(_said(row))
        if fact is None:
            steps.append(Change("add", row))
        elif fact.key not in seen:
            seen.add(fact.key)
            if fact.live and row.struck:
                steps.append(Change("forget", row, fact.id))
            elif fact.live and _differ(row, fact.row):
                steps.append(Change("replace", row, fact.id))
    return steps


def _said(row: Row) -> tuple[str, str]:
    return collapse(row.claim).casefold(), row.visibility


def _differ(row: Row, held: Row) -> bool:
    """Whether a row says something else than its fact. One without a beginning says nothing of that."""
    started = row if row.valid_from is not None else row._replace(valid_from=held.valid_from)
    return _content(started) != _content(held)


def _content(row: Row) -> tuple[object, ...]:
    """What makes a row another fact: not its number, key, source, context or further columns, which a fact has not."""
    return (
        row.claim,
        row.kind,
        round(row.confidence, 2),
        row.visibility,
        row.notability,
        row.valid_from,
        row.valid_until,
    )
