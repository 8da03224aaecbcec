"""The usage log: counts by day, client and operation, and nothing else."""

from gbrain.store.store import Store

OLD = "2031-01-01"


def test_counts_add_up(store: Store) -> None:
    store.usage.add([("2031-05-04", "a", "recall", 3, 1), ("2031-05-04", "a", "remember", 1, 0)], OLD)
    store.usage.add([("2031-05-04", "a", "recall", 2, 0), ("2031-05-04", "b", "recall", 0, 5)], OLD)
    assert [tuple(row) for row in store.usage.since(OLD)] == [
        ("2031-05-04", "a", "recall", 5, 1),
        ("2031-05-04", "a", "remember", 1, 0),
        ("2031-05-04", "b", "recall", 0, 5),
    ]


def test_old_days_go(store: Store) -> None:
    for day in ("2031-04-01", "2031-04-02", "2031-05-04"):
        store.usage.add([(day, "a", "recall", 1, 0)], OLD)
    store.usage.add([("2031-05-04", "a", "recall", 1, 0)], "2031-04-02")
    assert [(row.day, row.ok) for row in store.usage.since(OLD)] == [("2031-04-02", 1), ("2031-05-04", 2)]


def test_a_window_of_days(store: Store) -> None:
    for day in ("2031-04-01", "2031-05-04"):
        store.usage.add([(day, "a", "recall", 1, 0)], OLD)
    assert [row.day for row in store.usage.since("2031-04-02")] == ["2031-05-04"]
    assert store.usage.since("2031-05-05") == []


def test_two_servers_count_together(store: Store, another_store: Store) -> None:
    for each in (store, another_store) * 5:
        each.usage.add([("2031-05-04", "a", "recall", 1, 1)], OLD)
    assert [(row.ok, row.failed) for row in store.usage.since(OLD)] == [(10, 10)]


def test_any_text_can_stand_for_a_client(store: Store) -> None:
    names = ["%", "_", "'; drop table usage; --", "\\", "公司", "A", "a"]
    store.usage.add([("2031-05-04", name, "recall", 1, 0) for name in names], OLD)
    assert sorted(row.client_id for row in store.usage.since(OLD)) == sorted(names)
