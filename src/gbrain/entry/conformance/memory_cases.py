"""Several calls each: what remember, forget and recall do to facts, and when a fact lapses."""

import time
from datetime import UTC, datetime
from json import dumps

from gbrain.entry.conformance.probe import ORIGIN, PAGES, Case, Probe, check, declaring

CASES: list[Case] = []
LATE: list[Case] = []
"""Asked after all others: they wait, or save so much that older facts leave the default window."""

_FACT_KEYS = {
    *("id", "fact", "kind", "entity_slug", "visibility", "notability", "valid_from", "valid_until", "expired_at"),
    *("superseded_by", "consolidated_at", "consolidated_into", "source", "source_session", "context", "confidence"),
    *("created_at", "fact_id", "provenance"),
}
_case, _late = declaring(CASES), declaring(LATE)

_SPANS = {
    "30d": 2_592_000,
    "12h": 43_200,
    "45m": 2_700,
    "90s": 90,
    "30 days": 2_592_000,
    "12 hours": 43_200,
    "1 hr": 3_600,
    "5 min": 300,
    "60 sec": 60,
    "30D": 2_592_000,
    "30 d": 2_592_000,
    " 30d ": 2_592_000,
    "366d": 31_622_400,
}
_DATES = {
    "2099-12-31": "2099-12-31T00:00:00.000Z",
    "2099-01-15T10:00:00Z": "2099-01-15T10:00:00.000Z",
    "2099-01-15T10:00:00+02:00": "2099-01-15T08:00:00.000Z",
    # Without an offset the contract leaves the zone to the server, so only the days around are fixed.
    "2099-01-15 10:00": "2099-01-1",
    "12/31/2099": "2099-12-3",
    "Dec 31 2099": "2099-12-3",
}


@_case("remember.unknown-parameter")
def _unknown_parameter(probe: Probe) -> None:
    """A misspelt parameter is named: beside the reply, or in the refusal of a strict server."""
    answer = probe.call("remember", **probe.claim(), entitty="x")
    told = dumps([answer.notes, answer.meta.get("warnings"), answer.body.get("suggestion")])
    check("entitty" in told and "entity" in told.replace("entitty", ""), "entitty named and entity suggested", told)


@_case("remember.again", "better")
def _again(probe: Probe) -> None:
    """The same claim again is a duplicate, with and without an entity."""
    for more in ({}, {"entity": "{slug}"}):
        claim = probe.claim()
        first = probe.ok("remember", **claim, **more)
        second = probe.ok("remember", **{**claim, "fact": claim["fact"].upper().replace(" ", "  ")}, **more)
        check((second["status"], second["id"]) == ("duplicate", first["id"]), f"duplicate of {first['id']}", second)


@_case("remember.forgotten-again")
def _forgotten_again(probe: Probe) -> None:
    """What was forgotten is inserted fresh when it is said again."""
    claim = probe.claim()
    first = probe.ok("remember", **claim)
    probe.ok("forget", id=first["id"])
    second = probe.ok("remember", **claim)
    check(second["status"] == "inserted" and second["id"] != first["id"], "a fresh insert", second)


@_case("remember.other-entity")
def _other_entity(probe: Probe) -> None:
    """The same claim about someone else is another fact."""
    claim = probe.claim()
    first = probe.ok("remember", **claim, entity="{slug}")
    second = probe.ok("remember", **claim, entity="people/other-{token}")
    check(second["status"] == "inserted" and second["id"] != first["id"], "another fact", second)


@_case("remember.supersedes", "better")
def _supersedes(probe: Probe) -> None:
    """A new value of the same attribute takes the place of the old one, and exactly one is live."""
    values = [f"{probe.names['title']} lives in {town}" for town in ("Lisbon", "Porto")]
    old, new = (probe.save(fact=text, entity="{slug}") for text in values)
    check(new["status"] == "superseded" and new["id"] != old["id"], "superseded by a new fact", new)
    check(probe.about(grep="lives in") == values[1:], "only the new one", probe.wire.last[1])
    replaced = {fact["fact_id"]: fact for fact in probe.facts(supersessions=True)}[old["id"]]
    check(
        replaced["expired_at"] and str(replaced["superseded_by"]) == new["id"],
        "the old one with its successor",
        replaced,
    )


@_case("remember.ttl-refresh", "better")
def _ttl_refresh(probe: Probe) -> None:
    """A claim said again with a longer ttl holds longer."""
    claim = probe.claim()
    first = probe.ok("remember", **claim, ttl="1h")
    second = probe.ok("remember", **claim, ttl="3h")
    check(second["valid_until"] > first["valid_until"], f"an end after {first['valid_until']}", second)


@_case("remember.private-twin", "better")
def _private_twin(probe: Probe) -> None:
    """Saying what a private fact says does not reveal that fact."""
    claim = probe.claim()
    hidden = probe.ok("remember", **claim, visibility="private", ttl="10m")
    open_one = probe.ok("remember", **claim)
    check(open_one["status"] == "inserted" and open_one["id"] != hidden["id"], "a fact of its own", open_one)
    check(claim["fact"] in [fact["fact"] for fact in probe.facts()], "the fact in recall")


@_case("forget.twice")
def _twice(probe: Probe) -> None:
    """forget expires a fact once, says so, and succeeds again without effect; spaces around the id do not count."""
    id = probe.save()["id"]
    first = probe.ok("forget", id=f" {id} ", reason="asked to")
    check(first["expired"] is True and first["reason"] == "asked to", "expired and the reason", first)
    second = probe.ok("forget", id=id)
    check(
        second["expired"] is False and second["reason"] is None and second["id"] == id,
        "expired false, reason null",
        second,
    )


@_case("ttl.zero", "better")
def _ttl_zero(probe: Probe) -> None:
    """A ttl of nothing is refused, or at least never shown."""
    for ttl in ("0s", "0d"):
        answer = probe.call("remember", **probe.claim(), ttl=ttl)
        shown = not answer.failed and answer.body["id"] in [fact["fact_id"] for fact in probe.facts(limit=100)]
        check(not shown, f"no live fact with ttl {ttl}", answer.body)


@_case("ttl.iso-hint", "better")
def _iso_hint(probe: Probe) -> None:
    """An ISO 8601 duration is refused with the shorthand to use."""
    body = probe.refused("invalid_params", "remember", **probe.claim(), ttl="P30D")
    check("30d" in body["message"] + body["suggestion"], "30d named", body)


# recall


@_case("recall.round-trip")
def _round_trip(probe: Probe) -> None:
    """A saved fact comes back whole, with explicit nulls."""
    fact = next((fact for fact in probe.facts(entity="{slug}") if fact["fact_id"] == probe.names["tea"]), None)
    check(fact is not None, "the fact that was saved", probe.wire.last[1])
    assert fact is not None
    check(fact.keys() >= _FACT_KEYS, "every key", sorted(_FACT_KEYS - fact.keys()))
    check(fact["provenance"] == fact["source"] == ORIGIN, "the provenance", fact)
    check((fact["kind"], fact["visibility"]) == ("preference", "world"), "kind and visibility", fact)
    check(str(fact["id"]) == fact["fact_id"], "id as the integer of fact_id", fact)
    nulls = ("valid_until", "expired_at", "superseded_by", "consolidated_at", "consolidated_into", "context")
    check(all(fact[key] is None for key in nulls), "nulls", fact)


@_case("recall.order")
def _order(probe: Probe) -> None:
    """The newest fact of an entity comes first, and total counts what came."""
    probe.save("the north gate was painted", entity="{slug}", kind="event")
    probe.save("a parcel of seeds arrived", entity="{slug}", kind="event")
    body = probe.ok("recall", entity="{slug}")
    check("a parcel of seeds" in body["facts"][0]["fact"], "the newest first", body["facts"][0])
    times = [fact["valid_from"] for fact in body["facts"]]
    check(times == sorted(times, reverse=True) and body["total"] == len(times), "newest first, total right", times)


@_case("recall.names", needs=PAGES)
def _names(probe: Probe) -> None:
    """recall takes a slug, a title or an alias."""
    found = [[fact["fact_id"] for fact in probe.facts(entity=name)] for name in ("{slug}", "{title}", "{alias}")]
    check(found[0] and found[0] == found[1] == found[2], "the same facts by each name", found)


@_case("recall.grep")
def _grep(probe: Probe) -> None:
    """grep keeps the facts that hold a text, in any case."""
    check(probe.about(grep="OOLONG") == [probe.names["tea_text"]], "the one fact about oolong", probe.wire.last[1])
    check(probe.about(grep="zzq%") == [], "no fact", probe.wire.last[1])


@_case("recall.expired")
def _expired(probe: Probe) -> None:
    """A forgotten fact is gone, and there again with include_expired."""
    id = probe.save("the east door is green", entity="{slug}", kind="event")["id"]
    probe.ok("forget", id=id)
    live = {fact["fact_id"] for fact in probe.facts(entity="{slug}")}
    ended = {fact["fact_id"]: fact for fact in probe.facts(entity="{slug}", include_expired=True)}
    check(id not in live and id in ended, "the fact only with include_expired", sorted(ended))
    check(ended[id]["expired_at"], "expired_at", ended[id])


@_case("recall.supersessions")
def _supersessions(probe: Probe) -> None:
    """supersessions gives only facts that were replaced."""
    check(all(fact["superseded_by"] is not None for fact in probe.facts(supersessions=True)), "replaced facts only")


@_case("recall.budget")
def _budget(probe: Probe) -> None:
    """A budget keeps the longest prefix that fits, at a quarter token a UTF-16 unit, and counts the rest."""
    probe.save("a 𝄞 clef 🎼 and a 🫖 pot were drawn", entity="{slug}", kind="event")
    every = probe.ok("recall", entity="{slug}")["facts"]
    costs = [-(-len(fact["fact"].encode("utf-16-le")) // 8) for fact in every]
    for budget in (costs[0], costs[0] + costs[1] - 1, sum(costs)):
        body = probe.ok("recall", entity="{slug}", budget_tokens=budget)
        kept = max(n for n in range(len(costs) + 1) if sum(costs[:n]) <= budget)
        wanted = (kept, budget, sum(costs[:kept]), len(costs) - kept)
        got = (len(body["facts"]), body["budget_tokens"], body["budget_used"], body["dropped_count"])
        check(got == wanted, f"(facts, budget_tokens, budget_used, dropped_count) {wanted}", got)


@_case("recall.query-facts", "better")
def _query_facts(probe: Probe) -> None:
    """A query finds facts by their words, and does not return every recent fact."""
    found = [fact["fact"] for fact in probe.facts(query="who prefers oolong {token}?")]
    check(found[:1] == [probe.names["tea_text"]], "the fact about oolong first", found)
    check(probe.facts(query="zzqqxv") == [], "no fact for a word nobody used", probe.wire.last[1])


@_case("recall.query-pages", needs=PAGES)
def _query_pages(probe: Probe) -> None:
    """A query finds pages by what they say."""
    _page_found(probe, "lighthouse {token}")


@_case("recall.query-title", "better", PAGES)
def _query_title(probe: Probe) -> None:
    """A query finds a page by its title."""
    _page_found(probe, "{title}")


def _page_found(probe: Probe, query: str) -> None:
    rows = probe.ok("recall", query=query)["results"]
    row = next((row for row in rows if row["slug"] == probe.names["slug"]), None)
    check(row is not None, f"the page of this run for {query}", rows)
    assert row is not None
    check({"title", "chunk", "evidence"} <= row.keys() and row["provenance"] == row["slug"], "a whole row", row)
    check(row["create_safety"] in ("exists", "probable", "unknown"), "a create_safety", row)


@_late("recall.limit")
def _limit(probe: Probe) -> None:
    """limit: 50 unless given, 100 at most; zero, negative and fractional ones count as not given."""
    for _ in range(101):
        probe.save()
    for limit, wanted in ((1, 1), (1000, 100), (0, 50), (-1, 50), (1.5, 50), (None, 50)):
        got = len(probe.facts(limit=limit))
        check(got == wanted, f"{wanted} facts for limit {limit}", got)


@_late("ttl.lapses", "better")
def _lapses(probe: Probe) -> None:
    """A fact is gone from recall once its ttl has passed, to the second; said again it is inserted fresh."""
    deadline = time.monotonic() + 10
    while any(fact["fact_id"] == probe.names["brief"] for fact in probe.facts(entity="people/brief-{token}")):
        check(time.monotonic() < deadline, "a fact with ttl 1s to lapse", probe.names["brief"])
        time.sleep(0.05)
    again = probe.ok("remember", fact=probe.names["brief_text"], provenance=ORIGIN, entity="people/brief-{token}")
    fresh = again["status"] == "inserted" and again["id"] != probe.names["brief"]
    check(probe.names["brief"] and fresh and again["valid_until"] is None, "a fresh fact", again)


def _span_case(text: str, seconds: int) -> None:
    @_case(f"ttl.span:{text}")
    def _span(probe: Probe) -> None:
        """A span is counted from now, to the millisecond."""
        until = probe.save(ttl=text)["valid_until"]
        drift = datetime.fromisoformat(until).timestamp() - datetime.now(UTC).timestamp() - seconds
        check(len(until) == 24 and abs(drift) < 60, f"an end {seconds} s from now", until)


def _date_case(text: str, start: str) -> None:
    @_case(f"ttl.date:{text}")
    def _date(probe: Probe) -> None:
        """A date or time is taken as it is, in UTC."""
        until = probe.save(ttl=text)["valid_until"]
        check(len(until) == 24 and until.endswith("Z") and until.startswith(start), f"{start}...", until)


for _text, _seconds in _SPANS.items():
    _span_case(_text, _seconds)
for _text, _start in _DATES.items():
    _date_case(_text, _start)
