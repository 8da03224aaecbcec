"""What a model answered when it was asked for the facts of a turn, read tolerantly and believed in nothing."""

import json
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from gbrain.domain.extraction.said import as_data
from gbrain.domain.text import collapse, fold, raw_terms

KINDS = ("event", "preference", "commitment", "belief", "fact")
NOTABILITY = ("high", "medium", "low")
TRANSIENCE = ("lasting", "transient")
LONGEST = 500
MOST = 10
"""How many facts of one turn are kept."""
LONGEST_ENTITY, LONGEST_UNIT = 255, 40
MOST_READ = 2_000_000
"""Characters of an answer that are looked at; a longer one is no answer to a turn."""


class Told(NamedTuple):
    """One fact as a model told it. `entity` is a name, not yet tied to anything; `valid_from` the words of a date."""

    fact: str
    kind: str
    entity: str | None
    confidence: float
    notability: str
    transient: bool
    valid_from: str | None
    metric: str | None
    value: float | None
    unit: str | None
    period: str | None


class Malformed(ValueError):
    """The answer holds no object with a list of facts."""


def read(answer: str) -> list[Told]:
    """The facts of an answer, at most MOST, in its order. Raises Malformed when it has none to read.

    One code fence is taken off, then the text must be JSON, or hold an object with `facts` somewhere. What lacks a
    fact or a kind is left out; of anything else odd the usual value is taken.
    """
    found = _document(answer)
    if found is None:
        raise Malformed("no object with a list of facts")
    told = (_told(item) for item in found)
    return [one for one in told if one is not None][:MOST]


def admitted(told: Told, admission: str) -> bool:
    """Whether a fact is notable enough: `all` takes everything, `salient` leaves out what is low."""
    return admission == "all" or told.notability != "low"


def _document(answer: str) -> list[Any] | None:
    if len(answer) > MOST_READ:
        return None
    for found in objects(answer):
        if isinstance(found.get("facts"), list):
            facts: list[Any] = found["facts"]
            return facts
    return None


def objects(answer: str) -> Iterator[dict[str, Any]]:
    """The JSON objects that stand in an answer, the outermost first: the whole of it, or one inside prose."""
    text = answer.strip().removeprefix("\ufeff")
    if text.startswith("```"):
        text = text.partition("\n")[2].rpartition("```")[0].strip() or text
    decoder, at, tries = json.JSONDecoder(strict=False), text.find("{"), 0
    while at >= 0 and tries < 200:
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end, found = at + 1, None
        if isinstance(found, dict):
            yield found
        at, tries = text.find("{", end), tries + 1


def _told(item: Any) -> Told | None:
    if not isinstance(item, dict) or not isinstance(item.get("fact"), str) or not isinstance(item.get("kind"), str):
        return None
    fact = _clean(item["fact"])
    if not any(char.isalnum() for char in fact):
        return None
    value = number(item.get("value"))
    metric = _word(item.get("metric"), LONGEST_UNIT) if value is not None else None
    return Told(
        fact if len(fact) <= LONGEST else fact[: LONGEST - 3] + "...",
        _one_of(item["kind"], KINDS, "fact"),
        _word(item.get("entity"), LONGEST_ENTITY),
        _confidence(item.get("confidence")),
        _one_of(item.get("notability"), NOTABILITY, "medium"),
        _one_of(item.get("transience"), TRANSIENCE, "lasting") == "transient",
        _word(item.get("valid_from"), LONGEST_UNIT),
        metric.casefold() if metric else None,
        value if metric else None,
        _word(item.get("unit"), LONGEST_UNIT) if metric else None,
        _word(item.get("period"), LONGEST_UNIT) if metric else None,
    )


def _clean(text: str) -> str:
    """One line that holds nothing a store or a later prompt would trip over."""
    return collapse(as_data("".join(char for char in text if char.isprintable() or char.isspace())))


def _word(value: Any, most: int) -> str | None:
    text = _clean(value) if isinstance(value, str) else ""
    return text if text and len(text) <= most and text.casefold() not in ("null", "none", "n/a", "unknown") else None


def _one_of(value: Any, allowed: tuple[str, ...], default: str) -> str:
    folded = value.strip().casefold() if isinstance(value, str) else ""
    return folded if folded in allowed else default


def _confidence(value: Any) -> float:
    given = number(value)
    return 1.0 if given is None else min(1.0, max(0.0, given))


def number(value: Any) -> float | None:
    """A finite number, also as a text of digits; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value.replace(",", "") if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def only_quoted(fact: str, own: str, quoted: str) -> bool:
    """Whether a fact is in what somebody else said and not in the person's own words.

    Told by the words of the fact: hardly any of them in the one, most of them in the other.
    """
    words = set(_stems(fact))
    if not words or not quoted:
        return False
    mine, theirs = words & set(_stems(own)), words & set(_stems(quoted))
    return len(theirs) * 2 > len(words) and len(mine) * 3 <= len(words)


def _stems(text: str) -> list[str]:
    return [term[:5] for term in raw_terms(fold(text)) if len(term) > 3 or not term.isascii() or term.isdigit()]
