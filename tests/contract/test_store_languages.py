"""The language of a source: what is found is the same on every engine, while the indexes follow a change and after."""

from collections.abc import Callable
from typing import Any

import pytest

from finding import found_pages
from gbrain.store.engine import Match
from gbrain.store.fact_filter import Filter
from gbrain.store.languages import BATCH, Language
from gbrain.store.store import Store
from gbrain.store.terms import any_of, query_terms
from gbrain.types import View, Written

Put = Callable[..., Written]
Say = Callable[..., int]
Views = Callable[..., View]


def said(store: Store, view: View, query: str) -> set[str]:
    match = any_of(query, "body", store.languages.asked(view.sources))
    return {fact.fact for fact, _ in store.facts.search(view, match, Filter(), 50)}


def pages(store: Store, view: View, query: str) -> set[str]:
    """The slugs of the pages that hold every word."""
    match = Match(must=tuple(query_terms(query, store.languages.asked(view.sources))))
    found = found_pages(store, view, match, 50)
    return {page.slug for page in store.pages.by_ids(view, [id for id, _ in found])}


def change(store: Store, source: str, language: str) -> tuple[int, int]:
    store.languages.begin(source, language)
    counts = (
        store.languages.follow(source, "pages", store.pages.index_again),
        store.languages.follow(source, "facts", store.facts.index_again),
    )
    assert store.languages.end(source, language)
    return counts


HOUSES = "Die Häuser am Hafen wurden verkauft"


def test_english_is_where_every_source_begins(store: Store, local: View) -> None:
    assert store.languages.of("default") == Language("english", ("english",))
    assert store.languages.of("no such source") == Language("english", ("english",))
    assert store.languages.asked(()) == ("english",)


@pytest.mark.parametrize(
    ("language", "text", "query"),
    [
        ("german", HOUSES, "haus"),
        ("french", "Elle préfère les chevaux noirs", "cheval noir"),
        ("spanish", "Las canciones de la orquesta", "canción orquestas"),
        ("russian", "Встреча с новыми инженерами", "инженер встречи"),
        ("turkish", "Toplantı notlarından", "notlar"),
    ],
)
def test_words_are_found_in_another_form(
    store: Store, say: Say, put: Put, local: View, language: str, text: str, query: str
) -> None:
    change(store, "default", language)
    say(text)
    put("notes/one", text)
    assert said(store, local, query) == {text}
    assert pages(store, local, query) == {"notes/one"}


def test_without_stemming_only_the_word_itself_is_found(store: Store, say: Say, local: View) -> None:
    change(store, "default", "none")
    say("keeps bees")
    assert said(store, local, "bees") == {"keeps bees"}
    assert said(store, local, "bee") == set()


@pytest.mark.parametrize("language", ["english", "german", "none"])
def test_chinese_and_japanese_need_no_language(store: Store, say: Say, local: View, language: str) -> None:
    change(store, "default", language)
    say("灯塔项目在周五上线")
    for query in ("灯塔", "灯", "项目", "上线"):
        assert said(store, local, query) == {"灯塔项目在周五上线"}, query
    assert said(store, local, "塔灯") == set()


def test_what_was_there_follows(store: Store, say: Say, put: Put, local: View) -> None:
    say(HOUSES)
    say("the same, in private: Häuser", visibility="private")
    put("notes/haeuser", HOUSES, aliases=["Hafenhäuser"])
    assert said(store, local, "haus") == set()
    assert change(store, "default", "german") == (1, 2)
    assert len(said(store, local, "haus")) == 2
    assert pages(store, local, "haus hafen") == {"notes/haeuser"}
    assert [named.slug for named in store.names.near(local, "hafenhausr")] == ["notes/haeuser"]


def test_no_other_source_changes(store: Store, say: Say, local: View, view: Views) -> None:
    say(HOUSES, source_id="other")
    assert change(store, "default", "german") == (0, 0)
    assert said(store, view("other"), "haus") == set()
    assert store.languages.of("other").written == "english"


def test_a_question_to_sources_in_several_languages(store: Store, say: Say, view: Views) -> None:
    change(store, "other", "german")
    say("She was running races")
    say(HOUSES, source_id="other")
    both = view("default", "other")
    assert store.languages.asked(both.sources) == ("english", "german")
    assert said(store, both, "haus") == {HOUSES}
    assert said(store, both, "race") == {"She was running races"}
    assert said(store, both, "haus race") == {HOUSES, "She was running races"}
    assert said(store, view("default"), "haus") == set()


def test_a_change_that_was_broken_off_loses_nothing(store: Store, say: Say, put: Put, local: View) -> None:
    say("The houses were sold")
    put("notes/houses", "The houses were sold")
    store.languages.begin("default", "german")
    say(HOUSES)
    assert store.languages.of("default") == Language("german", ("english", "german"))
    assert said(store, local, "house") == {"The houses were sold"}
    assert said(store, local, "haus") == {HOUSES}
    assert pages(store, local, "house sold") == {"notes/houses"}
    # A third one, and back to the first: whatever may still stand in the index is asked for.
    store.languages.begin("default", "none")
    store.languages.begin("default", "english")
    assert store.languages.of("default") == Language("english", ("english", "german", "none"))
    assert said(store, local, "house") == {"The houses were sold"}
    assert not store.languages.end("default", "german")
    assert change(store, "default", "german") == (1, 2)
    assert store.languages.of("default") == Language("german", ("german",))
    assert said(store, local, "haus") == {HOUSES}


def test_more_than_one_batch(store: Store, say: Say, local: View) -> None:
    with store.transaction():
        for number in range(BATCH + 1):
            say(f"Haus {number}")
    assert change(store, "default", "german") == (0, BATCH + 1)


def test_claims_are_compared_in_the_language_of_their_source(store: Store, say: Say, claim: Any, local: View) -> None:
    change(store, "default", "german")
    for number in range(70):
        say(f"Anna hat Buch {number} gelesen", "Anna")
    say("Anna wohnt in den Häusern am Hafen", "Anna")
    for number in range(70, 140):
        say(f"Anna hat Buch {number} gelesen", "Anna")
    near = store.facts.near(local, claim("Anna wohnt im Haus am Hafen", "Anna"))
    assert "Anna wohnt in den Häusern am Hafen" in [fact.fact for fact in near]
