"""Several calls each: entity cards, packs, deltas, and that nothing private reaches a client."""

from datetime import datetime
from json import dumps
from typing import Any

from gbrain.entry.conformance.probe import OWN, PAGES, Case, Probe, check, declaring

SECRET = "umbra-ledger"
"""A word that stands only in private text."""
WORLD, HIDDEN = "people/gbrain-conformance-world", "people/gbrain-conformance-hidden"
OWN_PAGES = 55
"""How many pages of our own server's brain a client can see, the one of the run included."""

CASES: list[Case] = []
_case = declaring(CASES)


@_case("entity.threads", needs=PAGES)
def _threads(probe: Probe) -> None:
    """Open commitments stand on the card; private ones do not."""
    threads = probe.ok("entity", name="{slug}")["card"]["open_threads"]
    check(
        len(threads) <= 3 and probe.names["promise_text"] in [thread["text"] for thread in threads],
        "the commitment",
        threads,
    )
    check(
        all(thread["kind"] in ("commitment", "recent_event") and thread["date"] for thread in threads),
        "kind and date",
        threads,
    )
    check(SECRET not in dumps(probe.wire.last[1]), "no private text", threads)


@_case("entity.typo", "better", PAGES)
def _typo(probe: Probe) -> None:
    """A misspelt name suggests the right page."""
    body = probe.ok("entity", name=probe.names["title"].replace("Conformance", "Conformnace"))
    near = [row["slug"] for row in body.get("suggestions", ())]
    check(not body["found"] and probe.names["slug"] in near, "the page among the suggestions", body)


@_case("context_pack.own-facts", "better", PAGES)
def _own_facts(probe: Probe) -> None:
    """The facts of a pack begin with those about its entities."""
    facts = probe.ok("context_pack", entities="{slug}")["facts"]
    check(facts and facts[0]["entity_slug"] == probe.names["slug"], "a fact about the entity first", facts[:1])
    check(
        {"fact", "kind", "entity_slug", "valid_from", "context", "confidence"} <= facts[0].keys(), "every key", facts[0]
    )


@_case("context_pack.same-bytes", "better", PAGES)
def _same_bytes(probe: Probe) -> None:
    """The same pack twice is the same text."""
    first, second = (probe.ok("context_pack", entities="{slug}, people/other-{token}", budget_tokens=300) for _ in "12")
    check(first["text"] == second["text"] and first["text"], "the same text twice", second["text"])


@_case("context_pack.since", "better", PAGES)
def _pack_since(probe: Probe) -> None:
    """since holds for the threads of the cards too."""
    body = probe.ok("context_pack", entities="{slug}", since="2099-01-01")
    check(body["open_threads"] == body["cards"][0]["open_threads"] == [], "no thread from the future", body["cards"][0])


def _now(probe: Probe, session: str) -> str:
    """The server's own time: where a new session starts."""
    return str(probe.ok("delta", session_id=f"conformance-{probe.names['token']}-{session}")["since"])


@_case("delta.page", needs=PAGES)
def _delta_page(probe: Probe) -> None:
    """A page that changed is in the delta, whole."""
    pages = probe.ok("delta", since="{start}")["pages"]
    page: dict[str, Any] = next((page for page in pages if page["slug"] == probe.names["slug"]), {})
    check({"slug", "source_id", "title", "updated_at"} <= page.keys(), "the page of this run", pages[:3])


@_case("delta.fact")
def _delta_fact(probe: Probe) -> None:
    """A fact saved since then is in the delta."""
    claim, began = probe.claim(), _now(probe, "fact")
    probe.ok("remember", **claim)
    body = probe.ok("delta", since=began)
    check([fact["fact"] for fact in body["facts"]] == [claim["fact"]], "the fact just saved", body["facts"][:2])


@_case("delta.session")
def _session(probe: Probe) -> None:
    """A session starts empty, then gets what is new."""
    session = f"conformance-{probe.names['token']}-one"
    first = probe.ok("delta", session_id=session)
    check(first["pages"] == first["facts"] == [] and first["has_more"] is False, "an empty first delta", first)
    probe.save("the session saw a kite")
    second = probe.ok("delta", session_id=session)
    check("saw a kite" in dumps(second["facts"]), "the new fact", second)


@_case("delta.once", "better")
def _once(probe: Probe) -> None:
    """A session gets each fact once, and its cursor never moves back."""
    session = f"conformance-{probe.names['token']}-two"
    moments: list[datetime] = []
    seen: list[str] = []
    for step in range(5):
        if step in (1, 2):
            probe.save(f"kite number {step} rose")
        body = probe.ok("delta", session_id=session)
        seen += [fact["fact"] for fact in body["facts"]]
        moments += [datetime.fromisoformat(body["since"])] if not moments else []
        moments.append(datetime.fromisoformat(body["next_cursor"]["since"]))
    check(sum("kite number" in text for text in seen) == 2 == len(seen), "two facts, each once", seen)
    check(moments == sorted(moments), "a cursor that only moves forward", moments)


@_case("delta.session-since")
def _session_since(probe: Probe) -> None:
    """An explicit since works in a session too, and moves its cursor."""
    session = f"conformance-{probe.names['token']}-three"
    body = probe.ok("delta", session_id=session, since="2001-01-01")
    check(body["since"] == "2001-01-01T00:00:00.000Z" and body["facts"], "the facts since then", body["since"])
    cursor = datetime.fromisoformat(probe.ok("delta", session_id=session)["since"])
    check(cursor >= datetime.fromisoformat("2001-01-01T00:00:00.000Z"), "a cursor from there on", cursor)


@_case("delta.resume")
def _resume(probe: Probe) -> None:
    """next_cursor, fed back, goes on behind what was given."""
    first = probe.ok("delta", since="{start}")
    cursor = first["next_cursor"]
    second = probe.ok("delta", since=cursor["since"], since_slug=cursor["slug"])
    again = {page["slug"] for page in first["pages"]} & {page["slug"] for page in second["pages"]}
    check(not again, "no page twice", sorted(again))


@_case("delta.paging", needs=OWN)
def _paging(probe: Probe) -> None:
    """Pages come oldest first, fifty a call, and following the cursor gives each exactly once."""
    slugs: list[str] = []
    since, slug = "1970-01-01T00:00:00Z", None
    for _ in range(20):
        body = probe.ok("delta", since=since, since_slug=slug)
        check(len(body["pages"]) <= 50, "fifty pages at most", len(body["pages"]))
        slugs += [page["slug"] for page in body["pages"]]
        since, slug = body["next_cursor"]["since"], body["next_cursor"]["slug"]
        if not body["has_more"]:
            break
    check(not body["has_more"] and len(slugs) == len(set(slugs)) == OWN_PAGES, f"{OWN_PAGES} pages, each once", slugs)


# Privacy and what rides beside a reply


@_case("privacy.recall")
def _private_recall(probe: Probe) -> None:
    """A private fact is in no answer, whatever flag is set."""
    for verb, arguments in (
        ("recall", {"limit": 100, "include_expired": True}),
        ("recall", {"entity": "{slug}"}),
        ("recall", {"query": SECRET}),
        ("recall", {"grep": SECRET}),
        ("context_pack", {"entities": "{slug}", "include_private": True}),
        ("delta", {"since": "1h", "entities": "{slug}", "include_private": True}),
        ("entity", {"name": "{slug}"}),
    ):
        probe.ok(verb, **arguments)
        check(SECRET not in dumps(probe.wire.last[1]), f"no private text from {verb}", arguments)


@_case("privacy.forget")
def _private_forget(probe: Probe) -> None:
    """A private fact cannot be told from one that does not exist."""
    hidden = probe.refused("not_found", "forget", id="{private}")
    absent = probe.refused("not_found", "forget", id="999999999")
    check(hidden == absent, "the same error as for an unknown id", hidden)


@_case("privacy.pages", "better", OWN)
def _private_pages(probe: Probe) -> None:
    """Neither the text nor the slug of a private page reaches a client, not even as an edge or a change."""
    miss = probe.ok("entity", name=HIDDEN)
    check(miss["found"] is False, "a miss for a private page", miss)
    card = probe.ok("entity", name=WORLD)["card"]
    check(card["edges"] == [] and card["backlink_count"] == 0, "no edge from a private page", card)
    for verb, arguments in (
        ("entity", {"name": "gbrain conformance hiden"}),
        ("context_pack", {"entities": f"{WORLD}, {HIDDEN}"}),
        ("delta", {"since": "1970-01-01", "entities": HIDDEN}),
        ("recall", {"query": f"{SECRET} hidden page"}),
    ):
        body = probe.ok(verb, **arguments)
        body.pop("entities", None)
        check(SECRET not in dumps(body) and HIDDEN not in dumps(body), f"nothing private from {verb}", body)


@_case("meta.hot-memory", "better")
def _hot_memory(probe: Probe) -> None:
    """The recent facts beside a reply are at most ten, never private, and never one that was just forgotten."""
    id = probe.save("the hot memory lamp is lit")["id"]
    before = probe.call("entity", name="{slug}").meta.get("brain_hot_memory", {}).get("facts", [])
    check(id in [str(fact["id"]) for fact in before], "the fact just saved", before)
    check(len(before) <= 10 and SECRET not in dumps(before), "at most ten, none private", before)
    probe.ok("forget", id=id)
    after = probe.call("entity", name="{slug}").meta.get("brain_hot_memory", {}).get("facts", [])
    check(id not in [str(fact["id"]) for fact in after], "no forgotten fact", after)
