"""Facts that one source was told of a name, and the page of that name in another source."""

from collections.abc import Callable
from typing import Any

import pytest

from gbrain.domain.offers.choosing import meant
from gbrain.domain.offers.words import name_key
from gbrain.store.offering import Offering
from gbrain.store.store import Store
from gbrain.types import View, Written

Put = Callable[..., Written]
Say = Callable[..., int]
BOTH = ("default", "other")


@pytest.fixture
def dana(put: Put, say: Say) -> None:
    put("people/dana-oakes", title="Dana Oakes", type="person", aliases=["Dee Oakes"], source="other")
    say("has a boat", entity="dana-oakes", visibility="world")
    say("sends the deck", entity="dee-oakes", kind="commitment", visibility="private")


def keys(store: Store, reader: View) -> set[str]:
    return set(store.facts.bare_keys(reader, "other", "people/dana-oakes", "Dana Oakes"))


@pytest.mark.usefixtures("dana")
def test_a_name_told_elsewhere_leads_to_the_one_page_that_bears_it(store: Store, view: Callable[..., View]) -> None:
    assert keys(store, view(*BOTH)) == {"dana-oakes", "dee-oakes"}
    assert keys(store, view("other")) == set()
    assert keys(store, view("default")) == set()


@pytest.mark.usefixtures("dana")
@pytest.mark.parametrize(
    "another",
    [
        {"slug": "people/dana", "title": "Dana Oakes"},
        {"slug": "people/dana", "title": "Dana", "aliases": ["Dana Oakes"]},
        {"slug": "companies/dana-oakes", "title": "Oakes and Dana"},
    ],
)
def test_another_page_of_that_name_keeps_it(
    store: Store, put: Put, view: Callable[..., View], another: dict[str, Any]
) -> None:
    put(**another, source="other")
    assert keys(store, view(*BOTH)) == {"dee-oakes"}


@pytest.mark.usefixtures("dana")
def test_what_a_reader_may_not_see_has_no_say(store: Store, put: Put, view: Callable[..., View]) -> None:
    put("people/dana", title="Dana Oakes", source="other", private=True)
    assert keys(store, view(*BOTH)) == {"dee-oakes"}
    assert keys(store, view(*BOTH, private=False)) == {"dana-oakes", "dee-oakes"}


def test_the_same_slug_in_both_sources_is_two_pages(
    store: Store, put: Put, say: Say, view: Callable[..., View]
) -> None:
    put("people/dana-oakes", title="Dana Oakes", type="person", source="other")
    say("has a boat", entity="people/dana-oakes", visibility="world")
    assert keys(store, view(*BOTH)) == {"people/dana-oakes"}
    put("people/dana-oakes", title="Dana of the North", type="person")
    assert keys(store, view(*BOTH)) == set()


@pytest.mark.usefixtures("dana")
def test_the_facts_are_counted_and_offered_with_the_page(store: Store, view: Callable[..., View]) -> None:
    for private, told in ((True, ["sends the deck", "has a boat"]), (False, ["has a boat"])):
        reader = view(*BOTH, private=private)
        page = store.pages.get(reader, "people/dana-oakes")
        assert page is not None
        assert store.facts.count(reader, store.facts.about(reader, page), 100) == len(told)
        lookup = Offering(store.engine, reader)
        bearer = meant(lookup.named([name_key("Dana Oakes")]))
        assert bearer is not None
        assert bearer.place == ("other", "people/dana-oakes")
        assert [detail.text for detail in lookup.details([bearer], 5)[bearer.place]] == told
    alone = view("other")
    page = store.pages.get(alone, "people/dana-oakes")
    assert page is not None
    assert store.facts.count(alone, store.facts.about(alone, page), 100) == 0
