"""What is asked of a generated brain: one series a verb and kind of argument, the same over every way in."""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from gbrain.bench.figures import Bar
from gbrain.bench.generate import page_text
from gbrain.bench.world import Being, World, misspelt

MOST_LINKED = 20
SMALL = 50_000
"""Up to this many pages the bars of a brain of 20,000 pages hold, above it those of 200,000."""


class Series(NamedTuple):
    """Calls of one operation that are measured together. `bars` hold at operation level."""

    name: str
    operation: str
    arguments: list[dict[str, Any]]
    bars: tuple[Bar, ...] = ()


def reads(world: World, rng: random.Random, calls: int) -> list[Series]:
    """The series that change nothing."""
    card = (Bar("p99", 3.0 if world.size.pages <= SMALL else 6.0),)
    about, most = (Bar("p50", 1.0), Bar("p99", 5.0)), world.beings[:MOST_LINKED]
    someone = _someone(world, rng, calls)
    return [
        Series("entity, found", "entity", [{"name": _a_name(rng, being)} for being in someone], card),
        Series("entity, misspelt", "entity", [{"name": misspelt(rng, being.title)} for being in someone], card),
        Series("entity, unknown", "entity", [{"name": " ".join(world.words(rng, 2))} for _ in range(calls)], card),
        Series("entity, most linked", "entity", _over(most, "name", calls), (Bar("p99", 10.0),)),
        Series("recall by entity", "recall", [{"entity": _a_name(rng, being)} for being in someone], about),
        Series("recall, most facts", "recall", _over(most, "entity", calls), about[1:]),
        Series("recall by query", "recall", [{"query": " ".join(world.words(rng, 3))} for _ in range(calls)]),
        Series("search", "search", [{"query": " ".join(world.words(rng, 2))} for _ in range(calls)]),
        Series("context_pack", "context_pack", [_pack(world, rng) for _ in range(calls)]),
        Series("delta, a day", "delta", [{"since": "2031-05-03T22:10:00Z", "budget_tokens": 800}] * calls),
        Series("get_page", "get_page", [{"slug": being.slug} for being in someone]),
        Series("get_backlinks", "get_backlinks", [{"slug": being.slug} for being in someone]),
    ]


def writes(world: World, rng: random.Random, calls: int, salt: str) -> list[Series]:
    """The series that write; `salt` keeps what two ways in write apart."""
    someone = _someone(world, rng, calls)
    claims = [_claim(world, rng, being, number, salt) for number, being in enumerate(someone)]
    new = [Being(f"notes/{salt}-{number}", f"{salt} {number}", "note", ()) for number in range(calls)]
    pages = [{"slug": being.slug, "content": page_text(being, world.body(rng))} for being in new]
    again = [{"slug": being.slug, "content": page_text(being, world.body(rng)), "expected_version": 1} for being in new]
    return [
        Series("remember", "remember", claims, (Bar("p50", 5.0),)),
        Series("remember, known", "remember", claims),
        Series("put_page, new", "put_page", pages),
        Series("put_page, changed", "put_page", again),
    ]


def _someone(world: World, rng: random.Random, count: int) -> list[Being]:
    """Pages as they are asked for: half evenly, half the well-known ones."""
    pages = world.size.pages
    return [world.beings[world.known(rng) if at % 2 else rng.randrange(pages)] for at in range(count)]


def _a_name(rng: random.Random, being: Being) -> str:
    return rng.choice((being.title, being.title, being.slug, *being.aliases[:1]))


def _over(beings: Sequence[Being], key: str, calls: int) -> list[dict[str, Any]]:
    return [{key: beings[at % len(beings)].slug} for at in range(max(calls // 2, len(beings)))]


def _pack(world: World, rng: random.Random) -> dict[str, Any]:
    names = [world.beings[world.known(rng)].slug for _ in range(4)]
    return {"entities": ",".join(names), "budget_tokens": 800}


def _claim(world: World, rng: random.Random, being: Being, number: int, salt: str) -> dict[str, Any]:
    text, kind = world.claim(rng, 1_000_000 + number)
    return {"fact": f"{text} ({salt})", "kind": kind, "provenance": "bench", "entity": being.slug}
