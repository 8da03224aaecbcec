"""Facts: what a claim is compared with, ends and beginnings, the text index, adoption by a page."""

from collections.abc import Callable
from typing import Any

import pytest

from gbrain.store.fact_filter import Filter
from gbrain.store.facts import NEAR_LIMIT, NewFact, entity_term
from gbrain.store.store import Store
from gbrain.store.terms import any_of
from gbrain.types import View

Say = Callable[..., int]
Claim = Callable[..., NewFact]
Views = Callable[..., View]


def texts(store: Store, view: View, **wanted: Any) -> list[str]:
    return [fact.fact for fact in store.facts.select(view, Filter(**wanted), 100)]


def search(store: Store, view: View, words: str, **wanted: Any) -> list[int]:
    return [fact.id for fact, _ in store.facts.search(view, any_of(words, "body"), Filter(**wanted), 100)]


class TestSaving:
    def test_a_fact_comes_back_as_it_was_saved(self, store: Store, say: Say, local: View) -> None:
        id = say(
            "prefers green tea",
            "Dana Oakes",
            kind="preference",
            visibility="private",
            valid_until="2031-05-05T00:10:00.000001Z",
            session="s1",
            notability="high",
            confidence=0.5,
            context="kitchen",
        )
        fact = store.facts.get(local, id)
        assert fact is not None
        assert (fact.fact, fact.kind, fact.visibility, fact.entity_slug) == (
            "prefers green tea",
            "preference",
            "private",
            "dana-oakes",
        )
        assert (fact.valid_from, fact.valid_until, fact.created_at) == (
            local.now,
            "2031-05-05T00:10:00.000001Z",
            local.now,
        )
        assert (fact.session, fact.notability, fact.confidence, fact.context) == ("s1", "high", 0.5, "kitchen")
        assert (fact.expired_at, fact.superseded_by, fact.provenance) == (None, None, "a test")

    def test_an_id_is_never_given_twice(self, store: Store, say: Say, local: View) -> None:
        first, second = say("one"), say("two")
        store.engine.rows("delete from facts where id = :id", {"id": second})
        assert say("three") > second > first
        assert store.facts.get(local, second) is None

    @pytest.mark.parametrize("id", [0, -1, 2**62, 2**63 - 1])
    def test_no_fact_has_such_an_id(self, store: Store, say: Say, local: View, id: int) -> None:
        say("one")
        assert store.facts.get(local, id) is None

    @pytest.mark.parametrize(
        "text", ["'", "灯塔项目 🏮", "a\u2028b", "x" * 8_000, 'NEAR("a', "%_\\", "\x01"], ids=ascii
    )
    def test_any_text_is_kept_and_found(self, store: Store, say: Say, local: View, text: str) -> None:
        id = say(text, "Dana Oakes")
        held = store.facts.get(local, id)
        assert held is not None
        assert held.fact == text
        if any_of(text).should:
            assert search(store, local, text) == [id]


class TestLists:
    @pytest.fixture
    def ids(self, say: Say, clock: Any) -> dict[str, int]:
        ids = {"a": say("a", "Dana", session="s1", kind="event")}
        clock.move(minutes=1)
        ids["b"] = say("b", "Dana", session="s2")
        clock.move(minutes=1)
        ids["c"] = say("c", "Bob", session="s1")
        ids["d"] = say("d", None, session="s1", valid_from="2020-01-01T00:00:00.000000Z")
        ids["b2"] = say("b2", "Dana", session="s2", replaces=[ids["b"]])
        return ids

    @pytest.mark.usefixtures("ids")
    @pytest.mark.parametrize(
        ("wanted", "expected"),
        [
            ({}, ["b2", "c", "a", "d"]),
            ({"live": False}, ["b2", "c", "b", "a", "d"]),
            ({"entity_keys": ("dana",)}, ["b2", "a"]),
            ({"entity_keys": ("dana", "bob")}, ["b2", "c", "a"]),
            ({"entity_keys": ("",)}, ["d"]),
            ({"entity_keys": ()}, []),
            ({"session": "s1"}, ["d", "c", "a"]),
            ({"session": "s1", "entity_keys": ("dana",)}, ["a"]),
            ({"session": "%"}, []),
            ({"kind": "event"}, ["a"]),
            ({"kind": "event", "entity_keys": ("bob",)}, []),
            ({"since": "2031-05-04T22:11:00.000000Z"}, ["b2", "c"]),
            ({"since": "2031-05-04T22:11:00.000000Z", "live": False}, ["b2", "c", "b"]),
            ({"superseded": True}, ["b"]),
            ({"superseded": True, "entity_keys": ("bob",)}, []),
        ],
        ids=str,
    )
    def test_every_condition_must_hold(
        self, store: Store, view: Views, wanted: dict[str, Any], expected: list[str]
    ) -> None:
        assert texts(store, view(), **wanted) == expected

    def test_pages_of_a_list_join_without_gap_or_repeat(self, store: Store, say: Say, local: View) -> None:
        for number in range(25):
            say(str(number))
        parts = [store.facts.select(local, Filter(), 10, offset) for offset in (0, 10, 20, 30)]
        assert [fact.fact for part in parts for fact in part] == [str(number) for number in range(24, -1, -1)]

    def test_streams_go_in_the_order_of_commits(self, store: Store, view: Views, ids: dict[str, int]) -> None:
        assert [fact.fact for fact in store.facts.after_id(view(), ids["a"], 10)] == ["c", "d", "b2"]
        assert [fact.fact for fact in store.facts.after_id(view(), ids["a"], 2)] == ["c", "d"]
        assert [fact.fact for fact in store.facts.after_time(view(), "2031-05-04T22:10:00.000000Z", 10)] == [
            "c",
            "d",
            "b2",
        ]
        assert store.facts.last_id() == ids["b2"]

    def test_the_id_before_a_moment(self, store: Store, ids: dict[str, int]) -> None:
        assert store.facts.id_before("2030-01-01T00:00:00.000000Z") == ids["a"] - 1
        assert store.facts.id_before("2031-05-04T22:10:00.000000Z") == ids["a"]
        assert store.facts.id_before("2031-05-04T22:10:30.000000Z") == ids["a"]
        assert store.facts.id_before("2040-01-01T00:00:00.000000Z") == store.facts.last_id()

    def test_counts(self, store: Store, view: Views, say: Say, clock: Any, ids: dict[str, int]) -> None:
        say("short", "Dana", valid_until=clock.text)
        assert store.facts.count(view(), Filter(("dana",)), 100) == 2
        assert store.facts.count(view(), Filter(("dana",)), 1) == 1
        assert store.facts.totals(view()) == {"total": 6, "active": 4, "superseded": 1, "lapsed": 1}


class TestEnds:
    def test_a_forgotten_fact_leaves_every_answer_and_stays_in_history(
        self, store: Store, say: Say, view: Views, clock: Any
    ) -> None:
        id = say("likes skiing", "Dana")
        before = clock.text
        clock.move(minutes=1)
        assert store.facts.expire(view(), id, "moved away")
        assert texts(store, view()) == search(store, view(), "skiing") == []
        assert search(store, view(), "skiing", live=False) == [id]
        held = store.facts.get(view(), id)
        assert held is not None
        assert (held.expired_at, held.superseded_by) == (clock.text, None)
        assert texts(store, view(as_of=before)) == ["likes skiing"]

    def test_the_first_end_counts(self, store: Store, say: Say, view: Views, clock: Any) -> None:
        id = say("likes skiing")
        first = clock.move(minutes=1)
        assert store.facts.expire(view(), id, None)
        clock.move(minutes=1)
        assert not store.facts.expire(view(), id, "again")
        held = store.facts.get(view(), id)
        assert held is not None
        assert held.expired_at == first

    def test_what_is_replaced_ends_as_its_successor_begins(
        self, store: Store, say: Say, view: Views, clock: Any
    ) -> None:
        old = [say("lives in Lisbon", "Dana"), say("has moved to Lisbon", "Dana")]
        moment = clock.move(minutes=1)
        new = say("lives in Porto", "Dana", replaces=old)
        for id in old:
            held = store.facts.get(view(), id)
            assert held is not None
            assert (held.expired_at, held.superseded_by) == (moment, new)
        assert texts(store, view()) == ["lives in Porto"]

    def test_what_has_ended_is_not_replaced_again(self, store: Store, say: Say, view: Views, clock: Any) -> None:
        old = say("lives in Lisbon", "Dana")
        store.facts.expire(view(), old, None)
        clock.move(minutes=1)
        say("lives in Porto", "Dana", replaces=[old])
        held = store.facts.get(view(), old)
        assert held is not None
        assert held.superseded_by is None

    def test_a_span_may_be_made_longer_or_endless(self, store: Store, say: Say, view: Views, clock: Any) -> None:
        id = say("is on the night train", valid_until="2031-05-05T00:10:00.000000Z")
        store.facts.extend(id, "2031-05-05T01:00:00.000000Z")
        clock.move(hours=2, minutes=30)
        assert texts(store, view()) == ["is on the night train"]
        store.facts.extend(id, None)
        clock.move(days=9_999)
        assert texts(store, view()) == ["is on the night train"]

    def test_a_fact_holds_until_its_very_instant(self, store: Store, say: Say, local: View) -> None:
        say("is on the night train", valid_until="2031-05-05T00:10:00.000000Z")
        for moment, there in (("00:09:59.999999", True), ("00:10:00.000000", False), ("00:10:00.000001", False)):
            at = local._replace(now=f"2031-05-05T{moment}Z")
            assert bool(texts(store, at)) == there
            assert bool(search(store, at, "train")) == there
            assert texts(store, at, live=False) == ["is on the night train"]


class TestForgotten:
    """Whether the background may bring a claim back."""

    def test_only_a_claim_that_was_forgotten_last(
        self, store: Store, say: Say, claim: Claim, view: Views, clock: Any
    ) -> None:
        new = claim("likes skiing", "Dana")
        assert not store.facts.forgotten(new)
        id = say("likes skiing", "Dana")
        assert not store.facts.forgotten(new)
        store.facts.expire(view(), id, None)
        assert store.facts.forgotten(new)
        assert not store.facts.forgotten(claim("likes skiing", "Bob"))
        assert not store.facts.forgotten(claim("likes skiing", "Dana", source_id="other"))
        again = say("likes skiing", "Dana")
        assert not store.facts.forgotten(new)
        clock.move(minutes=1)
        say("dislikes skiing", "Dana", replaces=[again])
        assert not store.facts.forgotten(new)

    def test_a_lapsed_claim_was_not_forgotten(self, store: Store, say: Say, claim: Claim, local: View) -> None:
        say("is on the train", "Dana", valid_until=local.now)
        assert not store.facts.forgotten(claim("is on the train", "Dana"))


class TestComparison:
    """What a new claim meets: the same text, near ones, and what came in between."""

    @pytest.mark.parametrize("text", ["Likes  GREEN tea", "likes green tea.", "LIKES GREEN TEA"])
    def test_the_same_text_in_another_spelling(
        self, store: Store, say: Say, claim: Claim, local: View, text: str
    ) -> None:
        id = say("likes green tea", "Dana")
        same = store.facts.same(local, claim(text, "Dana"))
        assert same is not None
        assert same.id == id

    def test_of_the_same_thing_only(self, store: Store, say: Say, claim: Claim, local: View) -> None:
        say("likes green tea", "Dana")
        for other in (claim("likes green tea", "Bob"), claim("likes green tea")):
            assert store.facts.same(local, other) is None
            assert store.facts.near(local, other) == []
            assert list(store.facts.newer(local, other, 0)) == []

    def test_what_came_in_since(self, store: Store, say: Say, claim: Claim, local: View) -> None:
        first, second = say("one", "Dana"), say("two", "Dana")
        say("three", "Bob")
        assert [fact.id for fact in store.facts.newer(local, claim("x", "Dana"), 0)] == [first, second]
        assert [fact.id for fact in store.facts.newer(local, claim("x", "Dana"), first)] == [second]

    def test_every_fact_of_a_little_known_entity(self, store: Store, say: Say, claim: Claim, local: View) -> None:
        ids = {say(f"wholly different claim {number}", "Dana") for number in range(NEAR_LIMIT)}
        assert {fact.id for fact in store.facts.near(local, claim("nothing alike", "Dana"))} == ids

    @pytest.mark.parametrize("entity", ["Dana", None])
    def test_the_likest_of_very_many(
        self, store: Store, say: Say, claim: Claim, local: View, entity: str | None
    ) -> None:
        with store.transaction():
            for number in range(150):
                say(f"wholly different claim {number} about gardens", entity)
            wanted = say("signed the harbour lantern contract in Lisbon", entity)
            for number in range(150):
                say(f"another different claim {number} about bridges", entity)
        near = store.facts.near(local, claim("has signed the lantern contract for the harbour", entity))
        assert wanted in [fact.id for fact in near]
        assert len(near) <= NEAR_LIMIT

    @pytest.mark.parametrize(
        ("held", "said"),
        [
            ("lives in Lisbon", "lives in Porto"),
            ("works at Acme", "works at Globex"),
            ("favourite colour is blue", "favourite colour is green"),
            ("住在上海", "住在北京"),
            ("the wifi password is written on the fridge", "wifi password: on the door"),
        ],
    )
    def test_another_value_of_an_attribute_is_met_however_much_is_known(
        self, store: Store, say: Say, claim: Claim, local: View, held: str, said: str
    ) -> None:
        with store.transaction():
            wanted = say(held, "Dana")
            for number in range(NEAR_LIMIT + 90):
                say(f"wholly different claim {number} about gardens", "Dana")
        assert wanted in [fact.id for fact in store.facts.near(local, claim(said, "Dana"))]

    @pytest.mark.parametrize("entity", ["Dana", None])
    @pytest.mark.parametrize("dead", ["superseded", "forgotten", "lapsed"])
    def test_facts_that_ended_never_crowd_out_the_one_that_holds(
        self, store: Store, say: Say, claim: Claim, local: View, entity: str | None, dead: str
    ) -> None:
        with store.transaction():
            for number in range(NEAR_LIMIT + 10):
                say(f"wholly different claim {number} about gardens", entity)
            last: list[int] = []
            for number in range(NEAR_LIMIT + 10):
                if dead == "lapsed":
                    say(f"lives in Lisbon district {number}", entity, valid_until=local.now)
                else:
                    last = [say(f"lives in Lisbon district {number}", entity, replaces=last if dead[0] == "s" else [])]
                if dead == "forgotten":
                    store.facts.expire(local, last[0], None)
            holds = say("lives in Lisbon district seven", entity, replaces=last)
        near = store.facts.near(local, claim("lives in Lisbon district eight", entity))
        assert holds in [fact.id for fact in near]

    @pytest.mark.parametrize("how", [{"visibility": "private"}, {"source_id": "other"}])
    def test_nor_do_facts_that_may_not_be_seen(
        self, store: Store, say: Say, claim: Claim, remote: View, how: dict[str, str]
    ) -> None:
        with store.transaction():
            for number in range(NEAR_LIMIT + 10):
                say(f"ships the lantern on Friday {number}", **how)
            holds = say("ships the lantern on Friday the third or so")
        near = store.facts.near(remote, claim("ships the lantern on Friday"))
        assert [fact.id for fact in near] == [holds]


class TestTextIndex:
    def test_more_ended_than_live_hits(self, store: Store, say: Say, view: Views) -> None:
        with store.transaction():
            for number in range(900):
                store.facts.expire(view(), say(f"tea {number}"), None)
            id = say("there is, among a great many other words, some tea as well")
        assert search(store, view(), "tea") == [id]
        assert len(store.facts.search(view(), any_of("tea"), Filter(live=False), 1_000)) == 901

    def test_a_fact_is_found_by_the_name_it_is_about(self, store: Store, say: Say, local: View) -> None:
        id = say("prefers tea", "Dana Quillfeather")
        assert search(store, local, "quillfeather") == [id]

    @pytest.mark.parametrize("word", ["edana", entity_term("dana"), "e"])
    def test_the_mark_of_an_entity_is_not_a_word(self, store: Store, say: Say, local: View, word: str) -> None:
        say("prefers tea", "Dana")
        assert search(store, local, word) == []

    def test_marks_of_entities_differ(self) -> None:
        keys = ["", "e", "a", "a-b", "a b", "a/b", "ab", "a'b", "灯塔", "灯", "é", "e\u0301", "A"]
        marks = [entity_term(key) for key in keys]
        assert len(set(marks)) == len(keys)
        assert all(mark.isascii() and mark.isalnum() for mark in marks)


class TestAdoption:
    def test_facts_about_a_name_go_to_the_page_that_bears_it(self, store: Store, say: Say, local: View) -> None:
        ids = [say("prefers tea", "Dana Oakes"), say("rows at dawn", "dana-oakes")]
        others = [
            say("prefers coffee", "Dana Reed"),
            say("no name"),
            say("unclear", None, entity_name="Dana", entity_key="dana"),
        ]
        slug = "people/dana-oakes"
        with store.transaction():
            assert len(store.facts.adopt("default", slug, ["dana-oakes", "dana oakes", "dana"], "world")) == 2
            assert store.facts.adopt("default", slug, ["dana-oakes", "dana oakes", "dana"], "world") == []
        assert [fact.id for fact in store.facts.select(local, Filter(entity_keys=(slug,)), 9)] == ids[::-1]
        for id in ids:
            held = store.facts.get(local, id)
            assert held is not None
            assert held.entity_slug == slug
        assert search(store, local, "tea", entity_keys=(slug,)) == [ids[0]]
        assert sorted(search(store, local, "oakes")) == ids
        assert len(store.facts.select(local, Filter(entity_keys=("dana-reed", "", "dana")), 9)) == len(others)

    def test_a_claim_said_again_after_adoption_is_known(
        self, store: Store, say: Say, claim: Claim, local: View
    ) -> None:
        id = say("prefers tea", "Dana Oakes")
        store.facts.adopt("default", "people/dana-oakes", ["dana-oakes"], "world")
        again = claim("prefers tea", "people/dana-oakes")
        same = store.facts.same(local, again)
        assert same is not None
        assert same.id == id
        assert [fact.id for fact in store.facts.near(local, again)] == [id]

    def test_another_source_keeps_its_own(self, store: Store, say: Say, view: Views) -> None:
        id = say("prefers tea", "Dana Oakes", source_id="other")
        assert store.facts.adopt("default", "people/dana-oakes", ["dana-oakes"], "world") == []
        held = store.facts.get(view("other"), id)
        assert held is not None
        assert held.entity_slug == "dana-oakes"
