"""Facts that ran out: who reads them still, and who does not. One test a row of the table of expiry."""

from typing import Any

import pytest

from clocks import Clock
from gbrain import registry
from unit.ops.conftest import Asker

PAST, LATER = "is in Lisbon today", "is in Porto until Friday"
LASTING = "is allergic to nuts"


@pytest.fixture
def told(local: Asker, clock: Clock) -> dict[str, str]:
    """Three facts about one person, by their text: one lapsed, one that will, one that lasts."""
    ids = {}
    for fact, ttl in ((PAST, "1h"), (LATER, "3d"), (LASTING, None)):
        given: dict[str, Any] = {"fact": fact, "provenance": "chat, today", "entity": "people/dana-oakes"}
        ids[fact] = local("remember", **given, **({"ttl": ttl} if ttl else {}))["id"]
    clock.move(hours=2)
    return ids


def facts(reply: Any) -> set[str]:
    return {row["fact"] for row in reply["facts"]}


def test_l1_facts_of_an_entity_are_those_that_hold(local: Asker, told: dict[str, str]) -> None:
    assert facts(local("recall", entity="people/dana-oakes")) == {LATER, LASTING}
    card = local("entity", name="people/dana-oakes")
    assert PAST not in str(card)
    assert card["card"]["active_fact_count"] == 2


@pytest.mark.parametrize("filters", [{"since": "3d ago"}, {"session_id": "s1"}], ids=["l2-since", "l2-session"])
def test_l2_so_are_those_since_a_moment_and_of_a_session(local: Asker, clock: Clock, filters: dict[str, str]) -> None:
    for fact, ttl in ((PAST, "1h"), (LATER, "3d"), (LASTING, "")):
        given = {"fact": fact, "provenance": "chat", "ttl": ttl}
        registry.call(local.brain, local.caller, "remember", given, session="s1")
    clock.move(hours=2)
    assert facts(local("recall", **filters)) == {LATER, LASTING}


def test_l3_what_lapsed_is_no_duplicate(local: Asker, clock: Clock, told: dict[str, str]) -> None:
    said: dict[str, Any] = {"provenance": "chat, later", "entity": "people/dana-oakes"}
    assert local("remember", fact=PAST, **said)["status"] == "inserted"
    assert local("remember", fact=LASTING, **said)["status"] == "duplicate"
    # Without an entity the latest facts are looked through instead.
    for fact in (PAST, LASTING):
        local("remember", fact=f"Wes {fact}", provenance="chat", ttl="1h" if fact == PAST else None)
    clock.move(hours=2)
    assert local("remember", fact=f"Wes {PAST}", provenance="chat")["status"] == "inserted"
    assert local("remember", fact=f"Wes {LASTING}", provenance="chat")["status"] == "duplicate"


def test_l4_what_lapsed_is_read_by_who_asks_for_it(local: Asker, told: dict[str, str]) -> None:
    assert facts(local("recall", entity="people/dana-oakes", include_expired=True)) == {PAST, LATER, LASTING}


def test_l5_what_is_said_again_after_it_lapsed_is_a_new_fact(local: Asker, told: dict[str, str]) -> None:
    again = local("remember", fact=PAST, provenance="chat, later", entity="people/dana-oakes")
    assert (again["status"], again["id"] == told[PAST]) == ("inserted", False)
    rows = local("recall", entity="people/dana-oakes", include_expired=True)["facts"]
    assert {str(row["id"]) for row in rows if row["fact"] == PAST} == {told[PAST], again["id"]}
    live = local("recall", entity="people/dana-oakes")["facts"]
    assert [str(row["id"]) for row in live if row["fact"] == PAST] == [again["id"]]


def test_l6_a_replaced_fact_that_lapsed_is_listed_as_replaced_alone(local: Asker, clock: Clock) -> None:
    given: dict[str, Any] = {"provenance": "chat", "entity": "people/dana-oakes"}
    first = local("remember", fact="likes green tea a lot", kind="preference", ttl="1h", **given)["id"]
    local("correct", id=first, fact="likes black tea a lot")
    clock.move(hours=2)
    assert "likes green tea a lot" in facts(local("recall", entity="people/dana-oakes", supersessions=True))
    assert "likes green tea a lot" not in facts(local("recall", entity="people/dana-oakes"))


def test_l7_counts_know_what_holds(local: Asker, clock: Clock) -> None:
    given: dict[str, Any] = {"provenance": "chat", "entity": "people/dana-oakes"}
    local("remember", fact=PAST, ttl="1h", **given)
    local("remember", fact=LASTING, **given)
    clock.move(hours=2)
    stats = local("get_stats")
    assert (stats["fact_count"], stats["facts_lapsed"], local("get_health")["fact_count"]) == (1, 1, 1)
    assert local("entity", name="people/dana-oakes")["card"]["active_fact_count"] == 1


def test_l8_nothing_waits_to_be_consolidated(local: Asker, told: dict[str, str]) -> None:
    reply = local("recall", entity="people/dana-oakes", include_pending=True)
    assert reply["pending_consolidation_count"] == 0, "facts are not gathered into others, so none waits for that"
