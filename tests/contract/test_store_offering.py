"""What offers are looked up in: the names of pages, as both engines and a bare read-only connection give them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gbrain.domain.offers.callings import callings
from gbrain.domain.offers.choosing import Bearer
from gbrain.domain.offers.core import Detail
from gbrain.domain.offers.words import name_key
from gbrain.store.about import UNWRITTEN
from gbrain.store.briefing import OWN, Briefing
from gbrain.store.glance import Glance
from gbrain.store.offering import Offering
from gbrain.store.sqlite import SQLiteEngine
from gbrain.store.store import Store
from gbrain.types import View, Written

Put = Callable[..., Written]
Say = Callable[..., int]


@pytest.fixture
def named(store: Store, view: Callable[..., View]) -> Callable[..., list[tuple[str, str, str]]]:
    def found(*names: str, **reader: Any) -> list[tuple[str, str, str]]:
        bearers = ask(store, view(*reader.pop("sources", ()), **reader), *names)
        return sorted((bearer.source_id, bearer.slug, bearer.form) for bearer in bearers)

    return found


def ask(store: Store, reader: View, *names: str) -> list[Bearer]:
    """By an engine and, where there is a file, by a glance into it: both must say the same."""
    keys = [name if "/" in name else name_key(name) for name in names]
    bearers = Offering(store.engine, reader).named(keys)
    if isinstance(store.engine, SQLiteEngine):
        glance = Glance(store.engine.path)
        assert Offering(glance, reader).named(keys) == bearers
        glance.close()
    return bearers


def test_a_page_is_found_by_all_it_is_called(put: Put, named: Callable[..., Any]) -> None:
    put("people/dana-oakes", title="Dana Oakes", type="person", aliases=["Dee"])
    slug = "people/dana-oakes"
    assert named("Dana Oakes") == [("default", slug, "title")]
    assert named("dee", "OAKES", "dana", slug) == [
        ("default", slug, form) for form in ("alias", "given", "slug", "surname")
    ]
    assert named("an", "dana oakes x", "people/dana") == []


def test_names_follow_the_page(store: Store, put: Put, local: View, named: Callable[..., Any]) -> None:
    put("people/dana-oakes", title="Dana Oakes", type="person", aliases=["Dee"])
    page = put("people/dana-oakes", "x", title="Dana Reed", type="person").page_id
    assert named("oakes", "dee") == []
    assert named("reed") == [("default", "people/dana-oakes", "surname")]
    store.pages.rename(local, page, "people/dana-reed", by="test")
    assert named("reed") == [("default", "people/dana-reed", "surname")]
    assert named("dana oakes") == []
    store.pages.set_deleted(local, "people/dana-reed", deleted=True, by="test")
    assert named("reed") == []
    store.pages.set_deleted(local, "people/dana-reed", deleted=False, by="test")
    assert named("reed") == [("default", "people/dana-reed", "surname")]
    rows = store.engine.rows("select count(*) as n from callings")
    assert rows[0]["n"] == len(callings("Dana Reed", "dana-reed", "person", ()))


def test_only_what_the_reader_may_see_bears_a_name(put: Put, say: Say, named: Callable[..., Any]) -> None:
    put("people/a", title="Dana Oakes", type="person", private=True)
    put("people/b", title="Dana Oakes", type="person", source="other")
    say("plays chess", entity="peter-lind", visibility="private")
    assert named("Dana Oakes", "Peter Lind", private=False) == []
    assert named("Dana Oakes", "Peter Lind") == [
        ("default", "people/a", "title"),
        ("default", "peter-lind", "facts"),
    ]
    assert named("Dana Oakes", sources=("other",)) == [("other", "people/b", "title")]


def test_what_only_facts_are_about_bears_a_name(store: Store, put: Put, say: Say, local: View, remote: View) -> None:
    say("likes tea", entity="people/jo-ham", visibility="world")
    say("sells boats", entity="ida-holm", visibility="world")
    say("is ill", entity="people/ann-lee", visibility="private")
    put("people/eve-moss", title="Eve Reed", type="person", private=True)
    say("sings", entity="people/eve-moss", visibility="world")
    say("prefers tabs", entity="user", visibility="world")
    found = ask(store, remote, "Jo Ham", "people/jo-ham", "Ida Holm", "Ann Lee", "Eve Moss", "user")
    # A private page is as if it were not there: what is said openly of its slug must not show that it is.
    assert sorted((one.slug, one.form, one.title, one.type) for one in found) == [
        ("ida-holm", "facts", "Ida Holm", UNWRITTEN),
        ("people/eve-moss", "facts", "Eve Moss", "person"),
        ("people/jo-ham", "facts", "Jo Ham", "person"),
        ("people/jo-ham", "slug", "Jo Ham", "person"),
    ]
    briefing = Briefing(store.engine, remote)
    told = [
        ("default:people/eve-moss", "Eve Moss"), ("default:ida-holm", "Ida Holm"), ("default:people/jo-ham", "Jo Ham")
    ]  # fmt: skip
    assert [(one.place, one.title) for one in briefing.lively(9)] == told
    places = ["default:people/jo-ham", "default:ida-holm", "default:people/ann-lee", "default:people/eve-moss"]
    assert [(one.place, one.title) for one in briefing.at(places)] == told[::-1]
    assert [one.place for one in Briefing(store.engine, local).at(places)] == places


def test_what_stands_about_the_person(
    store: Store, put: Put, say: Say, local: View, remote: View, view: Callable[..., View]
) -> None:
    def told(reader: View, preferences: int = 9, others: int = 9) -> tuple[list[str], list[str]]:
        found = Briefing(store.engine, reader).person(preferences, others)
        if isinstance(store.engine, SQLiteEngine):
            glance = Glance(store.engine.path)
            assert Briefing(glance, reader).person(preferences, others) == found
            glance.close()
        return [claim.fact for claim in found[0]], [claim.fact for claim in found[1]]

    def world(fact: str, entity: str | None = "user", **more: Any) -> int:
        return say(fact, entity=entity, visibility="world", **more)

    put("people/ann", title="Ann Lee", type="person", aliases=["me", "I"])
    world("the fair is in May", entity=None)
    world("I am allergic to penicillin", entity=None)
    world("works at the mill")
    world("has a daughter")
    world("sings in a choir", entity="people/ann")
    world("sings elsewhere", entity="people/ann", source_id="other")
    world("thinks tea is best", kind="belief", notability="high")
    world("had twins", kind="event", notability="high")
    world("had soup", kind="event")
    world("promised a deck", kind="commitment")
    world("may be ill", confidence=0.3)
    world("is rather tall", confidence=0.8)
    world("likes tea", kind="preference")
    world("likes jazz", entity=None, kind="preference")
    world("Dana rows", entity="people/dana")
    say("has a secret", entity="user", visibility="private")
    ended = world("lives in Leeds")
    store.facts.expire(local, ended, "moved")
    world("is in Oslo", valid_until="2000-01-01T00:00:00.000000Z")
    world("keeps bees", source_id="other")
    order = ["had twins", "sings in a choir", "has a daughter", "works at the mill", "is rather tall",
             "thinks tea is best", "I am allergic to penicillin", "the fair is in May"]  # fmt: skip
    assert told(remote) == (["likes tea", "likes jazz"], order)
    assert told(local) == (["likes tea", "likes jazz"], [order[0], "has a secret", *order[1:-1], order[-1]])
    assert told(remote, 1, 2) == (["likes tea"], order[:2])
    both = told(view("default", "other", private=False))[1]
    assert ("keeps bees" in both, "sings in a choir" in both, "sings elsewhere" in both) == (True, True, False)
    assert told(view("other", private=False)) == ([], ["keeps bees"])


def test_what_was_told_of_the_person_in_one_moment_is_not_lost(store: Store, say: Say, remote: View) -> None:
    with store.transaction():
        for number in range(OWN + 5):
            say(f"owns book {number}", entity="user", visibility="world")
    _, found = Briefing(store.engine, remote).person(1, 3)
    assert [claim.fact for claim in found] == [f"owns book {OWN + 5 - back}" for back in (1, 2, 3)]


def test_the_first_source_comes_first(store: Store, put: Put, view: Callable[..., View]) -> None:
    put("people/a", title="Dana Oakes", type="person")
    put("people/a", title="Dana Oakes", type="person", source="other")
    ranks = {bearer.source_id: bearer.rank for bearer in ask(store, view("other", "default"), "dana oakes")}
    assert ranks == {"other": 0, "default": 1}


def test_thousands_of_names_are_asked_for_and_a_common_one_is_cut(store: Store, put: Put, local: View) -> None:
    for number in range(30):
        put(f"people/dana-{number}", title="Dana", type="person")
    put("people/last", title="Zora Last", type="person")
    found = ask(store, local, *(f"name {number}" for number in range(3_000)), "zora last", "dana")
    assert len(found) == 31


def test_open_threads_come_before_facts(store: Store, put: Put, say: Say, local: View, remote: View) -> None:
    put("people/a", title="Dana Oakes", type="person")
    say("likes tea", entity="people/a", confidence=0.9, visibility="world")
    say("sends the deck", entity="people/a", kind="commitment", visibility="world")
    say("has a secret", entity="people/a", visibility="private", kind="commitment")
    say("may be ill", entity="people/a", confidence=0.3, visibility="world")
    (bearer,) = ask(store, remote, "dana oakes")
    told = Offering(store.engine, remote).details([bearer], 5)["default", "people/a"]
    assert [detail.text for detail in told] == ["sends the deck", "likes tea"]
    assert told[1] == Detail("fact", "likes tea", "")
    assert len(Offering(store.engine, local).details([bearer], 5)["default", "people/a"]) == 3


def test_a_glance_is_for_brains_and_only_reads(tmp_path: Path, store: Store, put: Put) -> None:
    with pytest.raises(OSError, match="unable to open"):
        Glance(str(tmp_path / "nowhere.db"))
    (tmp_path / "other.db").write_bytes(b"")
    with pytest.raises(OSError, match="no brain"):
        Glance(str(tmp_path / "other.db"))
    (tmp_path / "text.db").write_text("no database at all" * 100)
    with pytest.raises(OSError, match="not a database"):
        Glance(str(tmp_path / "text.db"))
    if isinstance(store.engine, SQLiteEngine):
        put("people/a", title="Dana Oakes", type="person")
        glance = Glance(store.engine.path)
        with pytest.raises(OSError, match="readonly"):
            glance.rows("delete from callings")
        with pytest.raises(OSError, match="no such table"):
            glance.rows("select * from nowhere")
        glance.close()


def test_the_words_that_stand_in_names(store: Store, put: Put, local: View) -> None:
    put("people/a", title="Dana O'Brien", type="person", aliases=["Señor Dee"])
    asked = {"dana", "brien", "o", "senor", "dee", "nothing", *(f"word{number}" for number in range(1_000))}
    assert Offering(store.engine, local).heard(asked) == {"dana", "brien", "o", "senor", "dee"}
    assert Offering(store.engine, local._replace(sources=("other",))).heard(asked) == set()
