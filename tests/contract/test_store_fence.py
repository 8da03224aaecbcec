"""A reader bound to slugs on every engine: pages, facts, links and counts of those slugs alone."""

from collections.abc import Callable

import pytest

from finding import found_pages
from gbrain.store.engine import Match, Row, Terms
from gbrain.store.fact_filter import Filter
from gbrain.store.store import Store
from gbrain.types import View, Written

OWN, SECOND, OTHER = "people/dana-oakes", "项目/灯塔", "people/other-oakes"


@pytest.fixture(autouse=True)
def filled(store: Store, put: Callable[..., Written], say: Callable[..., int], view: Callable[..., View]) -> None:
    """Three pages that link to one another, each with a fact, a tag and a timeline entry; and a fact of nothing."""
    ids = {
        slug: put(slug, f"rows {slug}", title=f"Oakes {slug}", tags=["rower"], aliases=["the one"]).page_id
        for slug in (OWN, SECOND, OTHER)
    }
    with store.transaction():
        for start in ids.values():
            for end in ids.values():
                if start != end:
                    store.links.add("default", start, end, "knows", "manual", None)
            store.timeline.add("default", start, "2031-05-04", "rowed", None, None, view().now)
    for slug in (OWN, SECOND, OTHER, None):
        say(f"lantern of {slug}", None, entity_slug=slug, entity_name=None, entity_key=slug or "")


def headers(store: Store, view: View) -> list[Row]:
    return store.pages.headers(
        view, type=None, tag=None, updated_after=None, deleted=True, order="slug", limit=10, offset=0
    )


def bound(view: View, *slugs: str) -> View:
    return view._replace(slugs=slugs)


@pytest.mark.parametrize("slugs", [(OWN,), (OWN, SECOND), ("nobody",), ("%",), ("' or 1=1 --",), ()])
def test_only_its_own_is_there(store: Store, local: View, slugs: tuple[str, ...]) -> None:
    reader = bound(local, *slugs)
    seen = {slug for slug in (OWN, SECOND, OTHER) if slug in slugs}
    every = Match(must=(Terms(("lantern",)),))
    assert {row["slug"] for row in headers(store, reader)} == seen
    assert {slug for slug in (OWN, SECOND, OTHER) if store.pages.get(reader, slug)} == seen
    assert {page.slug for page in store.names.find(reader, "the one")} == seen
    assert {page.slug for page in store.names.near(reader, "oakes", 10)} <= seen
    assert {fact.entity_slug for fact in store.facts.select(reader, Filter(), 10)} == seen
    assert {fact.entity_slug for fact, _ in store.facts.search(reader, every, Filter(), 10)} == seen
    assert {fact.entity_slug for fact in store.facts.after_id(reader, 0, 10)} == seen
    assert len(found_pages(store, reader, Match(must=(Terms(("row",)),)), 10)) == len(seen)
    assert sum(store.pages.count_by_type(reader).values()) == len(seen)
    assert store.facts.totals(reader)["total"] == len(seen)
    assert store.tags.count(reader) == store.timeline.count(reader) == len(seen)
    between = len(seen) * (len(seen) - 1)
    assert store.links.count(reader) == between
    assert sum(row["count"] for row in store.links.sources(reader)) == between


def test_links_to_and_from_others_are_not_there(store: Store, local: View) -> None:
    page = store.pages.get(local, OWN)
    assert page is not None
    assert store.links.backlinks(local, page.id) == 2
    for slugs, links in (((OWN,), []), ((OWN, SECOND), [SECOND])):
        reader = bound(local, *slugs)
        assert store.links.backlinks(reader, page.id) == len(links)
        assert [link.to_slug for link in store.links.of(reader, page.id, "out")] == links
        assert [link.from_slug for link in store.links.of(reader, page.id, "in")] == links
        around = store.links.around(reader, [page.id], "both", None, 10)
        assert len(around) == 2 * len(links)


def test_history_is_fenced_too(store: Store, local: View, say: Callable[..., int]) -> None:
    old = {slug: store.facts.select(bound(local, slug), Filter(), 1)[0].id for slug in (OWN, OTHER)}
    for slug, id in old.items():
        say(f"beacon of {slug}", None, entity_slug=slug, entity_name=None, entity_key=slug, replaces=[id])
    reader = bound(local, OWN)
    assert [fact.id for fact in store.facts.select(reader, Filter(superseded=True), 10)] == [old[OWN]]
    assert store.facts.get(reader, old[OTHER]) is None
    assert len(store.facts.select(reader, Filter(live=False), 10)) == 2
    assert store.pages.versions(reader, OTHER, 100) == []
    assert len(store.pages.versions(reader, OWN, 100)) == 1


def test_what_replaced_a_fact_is_named_only_where_it_may_be_read(
    store: Store, local: View, say: Callable[..., int]
) -> None:
    old = store.facts.select(bound(local, OWN), Filter(), 1)[0].id
    new = say("beacon", None, entity_slug=OTHER, entity_name=None, entity_key=OTHER, replaces=[old])
    held = {slugs: store.facts.get(bound(local, *slugs), old) for slugs in ((OWN,), (OWN, OTHER))}
    assert {slugs: fact and fact.superseded_by for slugs, fact in held.items()} == {(OWN,): None, (OWN, OTHER): new}


def test_a_reader_bound_to_nothing_is_bound_all_the_same(store: Store, local: View) -> None:
    reader = bound(local)
    assert reader.slugs == ()
    assert headers(store, reader) == []
    assert store.links.count(reader) == 0
