"""A lease is held by one at a time, and ends by itself."""

from gbrain.store.store import Store


def test_one_holds_it_until_it_is_given_back(store: Store, another_store: Store) -> None:
    assert store.leases.take("embedding", "one", 60)
    assert store.leases.take("embedding", "one", 60)
    assert not another_store.leases.take("embedding", "two", 60)
    assert another_store.leases.take("sweeping", "two", 60)
    another_store.leases.give_back("embedding", "two")
    assert not another_store.leases.take("embedding", "two", 60)
    store.leases.give_back("embedding", "one")
    assert another_store.leases.take("embedding", "two", 60)


def test_one_that_has_ended_is_taken_over(store: Store, another_store: Store) -> None:
    assert store.leases.take("embedding", "one", -1)
    assert another_store.leases.take("embedding", "two", 60)
    assert not store.leases.take("embedding", "one", 60)
