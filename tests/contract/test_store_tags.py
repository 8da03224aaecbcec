"""Tags: those of a page's text follow the text, the others stay."""

from collections.abc import Callable

import pytest

from gbrain.store.store import Store
from gbrain.types import View, Written

Put = Callable[..., Written]


def tags(store: Store, page: int) -> tuple[str, ...]:
    return store.tags.of([page]).get(page, ())


def test_a_rewrite_replaces_the_tags_of_the_text_alone(store: Store, put: Put) -> None:
    page = put("a", "1", tags=["x", "y"]).page_id
    store.tags.add("default", page, "by-hand")
    assert tags(store, page) == ("by-hand", "x", "y")
    put("a", "2", tags=["y", "z"])
    assert tags(store, page) == ("by-hand", "y", "z")
    put("a", "3")
    assert tags(store, page) == ("by-hand",)


def test_a_tag_is_on_a_page_once(store: Store, put: Put, local: View) -> None:
    page = put("a", tags=["x", "x"]).page_id
    store.tags.add("default", page, "x")
    assert tags(store, page) == ("x",)
    assert store.tags.count(local) == 1


def test_a_tag_that_was_put_by_hand_stays_when_the_text_had_it_too(store: Store, put: Put) -> None:
    page = put("a", "1", tags=["x"]).page_id
    store.tags.add("default", page, "x")
    put("a", "2")
    assert tags(store, page) == ("x",)


def test_removal_says_whether_there_was_one(store: Store, put: Put) -> None:
    page = put("a", tags=["x"]).page_id
    assert store.tags.remove(page, "x")
    assert not store.tags.remove(page, "x")
    assert tags(store, page) == ()


@pytest.mark.parametrize("tag", ["灯塔", "%", "'", "a b", "x" * 500, "🏮"])
def test_any_text_is_a_tag(store: Store, put: Put, local: View, tag: str) -> None:
    page = put("a", tags=[tag]).page_id
    put("b")
    assert tags(store, page) == (tag,)
    found = store.pages.headers(
        local, type=None, tag=tag, updated_after=None, deleted=False, order="slug", limit=9, offset=0
    )
    assert [row["slug"] for row in found] == ["a"]


def test_many_pages_at_once(store: Store, put: Put, local: View) -> None:
    with store.transaction():
        ids = [put(f"p{number}", tags=["x"]).page_id for number in range(1_001)]
    assert store.tags.of(ids) == dict.fromkeys(ids, ("x",))
    assert store.tags.of([]) == {}
    assert store.tags.count(local) == 1_001


def test_only_tags_of_pages_that_are_seen_are_counted(store: Store, put: Put, view: Callable[..., View]) -> None:
    put("open", tags=["a"])
    put("private", tags=["a", "b"], private=True)
    put("elsewhere", tags=["a", "b", "c", "d"], source="other")
    put("deleted", tags=["a", "b", "c"])
    store.pages.set_deleted(view(), "deleted", deleted=True, by="me")
    assert store.tags.count(view()) == 3
    assert store.tags.count(view(private=False)) == 1
    assert store.tags.count(view("default", "other")) == 7
