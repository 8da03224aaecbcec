"""Links: the same edge once, removal, and the state of the origin that is kept on every row."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from gbrain.store.links import MENTIONS
from gbrain.store.store import Store
from gbrain.types import View, Written

Put = Callable[..., Written]
Views = Callable[..., View]


@pytest.fixture
def pages(put: Put) -> dict[str, int]:
    return {slug: put(slug).page_id for slug in ("a", "b", "c", "hub")}


@pytest.fixture
def link(store: Store, pages: dict[str, int], clock: Any) -> Callable[..., bool]:
    def add(origin: str, target: str, kind: str = "", by: str = "manual", context: str | None = None) -> bool:
        with store.transaction():
            return store.links.add("default", pages[origin], pages[target], kind, by, context)

    return add


def seen(store: Store, view: View, page: int) -> tuple[int, int]:
    """Backlinks by count and by list: two ways that must agree."""
    return store.links.backlinks(view, page), len(store.links.of(view, page, "in", counted=True))


class TestEdges:
    def test_an_edge_tells_where_it_was_seen(
        self, store: Store, pages: dict[str, int], link: Callable[..., bool], local: View
    ) -> None:
        assert link("a", "hub", "works_at", "manual", "since spring")
        edge = store.links.of(local, pages["a"], "out")[0]
        assert (edge.from_slug, edge.to_slug, edge.link_type, edge.link_source, edge.context) == (
            "a",
            "hub",
            "works_at",
            "manual",
            "since spring",
        )
        assert edge.from_source_id == edge.to_source_id == "default"
        assert store.links.of(local, pages["hub"], "in") == [edge]
        assert store.links.of(local, pages["hub"], "out") == []

    def test_the_same_edge_is_kept_once_with_its_latest_context(
        self, store: Store, pages: dict[str, int], link: Callable[..., bool], local: View
    ) -> None:
        assert link("a", "hub", context="one")
        assert not link("a", "hub", context="two")
        assert not link("a", "hub")
        assert [edge.context for edge in store.links.of(local, pages["a"], "out")] == ["two"]

    def test_another_type_source_or_direction_is_another_edge(
        self, store: Store, pages: dict[str, int], link: Callable[..., bool], local: View
    ) -> None:
        assert all([link("a", "hub"), link("a", "hub", "x"), link("a", "hub", "", "auto"), link("hub", "a")])
        assert len(store.links.of(local, pages["a"], "out")) == 3
        assert store.links.count(local) == 4

    @pytest.mark.parametrize(
        ("kind", "by", "left"),
        [(None, None, 0), ("x", None, 2), (None, "auto", 2), ("x", "auto", 3), ("", "manual", 2), ("y", None, 3)],
    )
    def test_removal_by_type_and_source(
        self,
        store: Store,
        pages: dict[str, int],
        link: Callable[..., bool],
        local: View,
        kind: str | None,
        by: str | None,
        left: int,
    ) -> None:
        link("a", "hub")
        link("a", "hub", "x")
        link("a", "hub", "", "auto")
        link("hub", "a", "x")
        gone = store.links.remove(pages["a"], pages["hub"], kind, by)
        assert (gone, len(store.links.of(local, pages["a"], "out"))) == (3 - left, left)
        assert len(store.links.of(local, pages["hub"], "out")) == 1

    def test_mere_mentions_are_not_counted(
        self, store: Store, pages: dict[str, int], link: Callable[..., bool], local: View
    ) -> None:
        link("a", "hub", "", MENTIONS)
        link("b", "hub")
        assert seen(store, local, pages["hub"]) == (1, 1)
        assert len(store.links.of(local, pages["hub"], "in")) == 2
        assert store.links.sources(local) == [
            {"link_source": "manual", "count": 1},
            {"link_source": MENTIONS, "count": 1},
        ]

    def test_around_walks_in_each_direction(
        self, store: Store, pages: dict[str, int], link: Callable[..., bool], local: View
    ) -> None:
        link("a", "hub", "x")
        link("hub", "b", "y")
        link("b", "c", "x")

        def walk(direction: str, kind: str | None = None) -> list[tuple[str, str]]:
            rows = store.links.around(local, [pages["hub"]], direction, kind, 10)
            return [(row["from_slug"], row["to_slug"]) for row in rows]

        assert walk("out") == [("hub", "b")]
        assert walk("in") == [("a", "hub")]
        assert walk("both") == [("a", "hub"), ("hub", "b")]
        assert walk("both", "x") == [("a", "hub")]
        assert store.links.around(local, [], "both", None, 10) == []

    def test_a_walk_from_more_pages_than_one_list_takes(self, store: Store, put: Put, local: View) -> None:
        with store.transaction():
            ids = [put(f"p{number}").page_id for number in range(1_100)]
            for origin, target in pairwise(ids):
                store.links.add("default", origin, target, "", "manual", None)
        assert len(store.links.around(local, ids, "both", None, 5_000)) == 1_099


class TestOriginState:
    """A hub's backlinks are counted without reading its neighbours, so each row must follow its origin page."""

    @pytest.mark.parametrize("born", ["open", "private"])
    def test_it_follows_privacy_deletion_and_return(
        self, store: Store, put: Put, view: Views, clock: Any, born: str
    ) -> None:
        hub = put("hub").page_id
        origin = put("a", private=born == "private").page_id
        with store.transaction():
            store.links.add("default", origin, hub, "", "manual", None)

        def counts() -> tuple[int, int]:
            by_local, by_remote = (seen(store, view(private=private), hub) for private in (True, False))
            assert by_local[0] == by_local[1]
            assert by_remote[0] == by_remote[1]
            return by_local[0], by_remote[0]

        assert counts() == ((1, 1) if born == "open" else (1, 0))
        put("a", "now private", private=True)
        assert counts() == (1, 0)
        put("a", "now open", private=False)
        assert counts() == (1, 1)
        store.pages.set_deleted(view(), "a", deleted=True, by="me")
        assert counts() == (0, 0)
        store.pages.set_deleted(view(), "a", deleted=False, by="me")
        assert counts() == (1, 1)
        store.pages.set_deleted(view(), "a", deleted=True, by="me")
        put("a", "written anew", private=True)
        assert counts() == (1, 0)

    def test_it_follows_the_expiry_of_the_origin(self, store: Store, put: Put, view: Views, clock: Any) -> None:
        hub, origin = put("hub").page_id, put("a").page_id
        with store.transaction():
            store.links.add("default", origin, hub, "", "manual", None)
        put("a", "ends soon", expiry="2031-05-04T23:00:00.000000Z")
        assert seen(store, view(), hub) == (1, 1)
        clock.move(minutes=50)
        assert clock.text == "2031-05-04T23:00:00.000000Z"
        assert seen(store, view(), hub) == (0, 0)
        put("a", "goes on")
        assert seen(store, view(), hub) == (1, 1)

    def test_an_edge_from_a_page_that_is_hidden_already(self, store: Store, put: Put, view: Views, clock: Any) -> None:
        hub = put("hub").page_id
        deleted, private, expired = (
            put("d").page_id,
            put("p", private=True).page_id,
            put("e", expiry=clock.text).page_id,
        )
        store.pages.set_deleted(view(), "d", deleted=True, by="me")
        with store.transaction():
            for origin in (deleted, private, expired):
                store.links.add("default", origin, hub, "", "manual", None)
        assert seen(store, view(), hub) == (1, 1)
        assert seen(store, view(private=False), hub) == (0, 0)

    def test_a_deleted_target_comes_back_with_its_backlinks(
        self, store: Store, pages: dict[str, int], link: Callable[..., bool], local: View
    ) -> None:
        link("a", "hub")
        store.pages.set_deleted(local, "hub", deleted=True, by="me")
        assert store.links.of(local, pages["a"], "out") == []
        store.pages.set_deleted(local, "hub", deleted=False, by="me")
        assert seen(store, local, pages["hub"]) == (1, 1)
