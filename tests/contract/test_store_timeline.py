"""The timeline: dated evidence at its own precision, once each."""

from collections.abc import Callable
from typing import Any

import pytest

from gbrain.store.store import Store
from gbrain.types import PageFilter, TimelineEntry, View, Written


@pytest.fixture
def page(put: Callable[..., Written]) -> int:
    return put("projects/lantern").page_id


@pytest.fixture
def note(store: Store, page: int, clock: Any) -> Callable[..., TimelineEntry | None]:
    def add(date: str, summary: str = "lit", at: int = page, **more: str) -> TimelineEntry | None:
        with store.transaction():
            return store.timeline.add("default", at, date, summary, more.get("source"), more.get("detail"), clock.text)

    return add


def dates(store: Store, view: View, page: int, **span: Any) -> list[str]:
    return [entry.date for entry in store.timeline.of(view, page, **span)]


def test_an_entry_comes_back_as_it_was_noted(
    store: Store, page: int, note: Callable[..., TimelineEntry | None], local: View
) -> None:
    entry = note("2031-05-04", "lit the lamp", source="the log", detail="at dusk")
    assert entry is not None
    assert entry == TimelineEntry(entry.id, page, "2031-05-04", "lit the lamp", "the log", "at dusk", local.now)
    assert store.timeline.of(local, page) == [entry]


def test_the_same_entry_is_noted_once(
    store: Store, page: int, put: Callable[..., Written], note: Callable[..., TimelineEntry | None], local: View
) -> None:
    assert note("2031-05-04")
    assert note("2031-05-04") is None
    assert note("2031-05-04", detail="at dusk") is None
    assert note("2031-05-04", "put out")
    assert note("2031-05")
    assert note("2031-05-04", at=put("another").page_id)
    assert len(store.timeline.of(local, page)) == 3
    assert store.timeline.count(local) == 4


def test_newest_first_and_both_ends_included(
    store: Store, page: int, note: Callable[..., TimelineEntry | None], local: View
) -> None:
    for date in ("2031-05-04", "2030", "2031-05", "2031-06-01", "2029-12-31"):
        note(date)
    assert dates(store, local, page) == ["2031-06-01", "2031-05-04", "2031-05", "2030", "2029-12-31"]
    assert dates(store, local, page, since="2031-05-05") == ["2031-06-01", "2031-05"]
    assert dates(store, local, page, since="2031-05-04") == ["2031-06-01", "2031-05-04", "2031-05"]
    assert dates(store, local, page, since="2031-06") == ["2031-06-01"]
    assert dates(store, local, page, until="2030-12-31") == ["2030", "2029-12-31"]
    assert dates(store, local, page, until="2031-05") == ["2031-05-04", "2031-05", "2030", "2029-12-31"]
    assert dates(store, local, page, until="2029") == ["2029-12-31"]
    assert dates(store, local, page, since="2030", until="2031-05-03") == ["2031-05", "2030"]
    assert dates(store, local, page, limit=2) == ["2031-06-01", "2031-05-04"]
    assert dates(store, local, page, since="2040") == []


def test_entries_go_and_come_with_their_page(
    store: Store, page: int, note: Callable[..., TimelineEntry | None], local: View
) -> None:
    note("2031-05-04")
    store.pages.set_deleted(local, "projects/lantern", deleted=True, by="me")
    assert dates(store, local, page) == []
    assert store.timeline.count(local) == 0
    store.pages.set_deleted(local, "projects/lantern", deleted=False, by="me")
    assert dates(store, local, page) == ["2031-05-04"]


class TestPagesOfATime:
    @pytest.fixture
    def dated(self, put: Callable[..., Written]) -> Callable[[str, str], int]:
        return lambda slug, date: put(slug, effective_date=date, effective_date_source="date").page_id

    def test_by_their_own_date_and_by_entries_the_latest_first(
        self,
        store: Store,
        page: int,
        note: Callable[..., TimelineEntry | None],
        local: View,
        dated: Callable[[str, str], int],
    ) -> None:
        third, month = dated("a", "2030-06-03"), dated("b", "2030-06")
        dated("c", "2030-07-01")
        note("2030-06-03", "lit")
        note("2030-06-20", "put out")
        assert store.timeline.pages(local, "2030-06-03", "2030-06-03", 9) == [
            (third, "2030-06-03", ""),
            (page, "2030-06-03", "lit"),
        ]
        assert store.timeline.pages(local, "2030-06", "2030-06-30", 9) == [
            (page, "2030-06-20", "put out"),
            (third, "2030-06-03", ""),
            (month, "2030-06", ""),
        ]
        assert store.timeline.pages(local, "2030-06", "2030-06-30", 1) == [(page, "2030-06-20", "put out")]
        assert store.timeline.pages(local, "2030-06", "2030-06-30", 9, PageFilter(until="2030-06-10"))[0][0] == page
        assert store.timeline.pages(local, "2030-06", "2030-06-30", 9, PageFilter(types=("none",))) == []

    def test_what_is_hidden_is_of_no_time(
        self, store: Store, put: Callable[..., Written], local: View, remote: View, view: Callable[..., View]
    ) -> None:
        hidden = put("a", effective_date="2030-06-03", effective_date_source="date", private=True).page_id
        assert [row[0] for row in store.timeline.pages(local, "2030", "2030-12-31", 9)] == [hidden]
        assert store.timeline.pages(remote, "2030", "2030-12-31", 9) == []
        assert store.timeline.pages(view("another"), "2030", "2030-12-31", 9) == []

    def test_a_day_that_nobody_stated_is_none(self, store: Store, page: int, local: View) -> None:
        assert store.timeline.pages(local, "0001", "9999-12-31", 9) == []
