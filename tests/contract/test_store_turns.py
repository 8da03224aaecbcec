"""A turn is read once, by one process."""

from gbrain.store.store import Store

SAID = "2031-05-04T22:10:00.000000Z"


def test_a_turn_is_taken_once_and_remembers_its_facts(store: Store, another_store: Store) -> None:
    assert store.turns.claim("default", "k", "one", 60, SAID).state == "taken"
    assert another_store.turns.claim("default", "k", "two", 60, SAID).state == "held"
    assert another_store.turns.claim("other", "k", "two", 60, SAID).state == "taken"
    store.turns.finish("default", "k", "one", [3, 4], "extract-1 m", SAID)
    done = another_store.turns.claim("default", "k", "two", 60, SAID)
    assert (done.state, done.facts) == ("done", (3, 4))
    assert another_store.turns.claim("default", "k", "two", 60, SAID, again=True).state == "taken"


def test_a_claim_that_failed_or_ran_out_is_taken_over(store: Store, another_store: Store) -> None:
    assert store.turns.claim("default", "k", "one", 60, SAID).state == "taken"
    another_store.turns.fail("default", "k", "two")
    assert another_store.turns.claim("default", "k", "two", 60, SAID).state == "held"
    store.turns.fail("default", "k", "one")
    assert another_store.turns.claim("default", "k", "two", -1, SAID).state == "taken"
    assert store.turns.claim("default", "k", "one", 60, SAID).state == "taken"


def test_who_lost_a_claim_does_not_settle_it(store: Store, another_store: Store) -> None:
    assert store.turns.claim("default", "k", "one", -1, SAID).state == "taken"
    assert another_store.turns.claim("default", "k", "two", 60, SAID).state == "taken"
    store.turns.finish("default", "k", "one", [1], "extract-1 m", SAID)
    assert store.turns.claim("default", "k", "one", 60, SAID).state == "held"


def test_a_session_has_a_cap_that_all_servers_share(store: Store, another_store: Store) -> None:
    def admits(which: Store, name: str, session: str = "s", before: str = "2020") -> bool:
        return which.harvests.admit("default", session, name, 2, SAID, before)

    assert admits(store, "a")
    assert admits(another_store, "b")
    assert not admits(store, "c")
    assert admits(store, "b")
    assert admits(store, "c", "t")
    assert admits(store, "d", "u", "2032")
    assert admits(store, "c")
