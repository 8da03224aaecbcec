"""What the brain would have answered at an earlier moment, through the door, on both engines."""

from typing import Any

import pytest

from gbrain.errors import InvalidParams

THEN, LATER = "2031-05-05", "2031-05-20"


@pytest.fixture
def history(local: Any, page: Any, clock: Any) -> dict[str, Any]:
    """A page that is rewritten, one that is deleted, one that comes later; facts that end; a link that comes later."""
    page(
        "people/dana-oakes",
        "Dana surveys lighthouses.\n\n## Timeline\n\n- **2031-05-01** | Signed the lease\n",
        "title: Dana Oakes",
        "aliases: [The Surveyor]",
        "tags: [walker]",
    )
    page("companies/acme", "Acme sells rope.\n", "title: Acme")
    page("notes/gone", "The harbour budget is a secret lantern.\n", "title: Harbour")
    local.link("people/dana-oakes", "companies/acme", "works_at")
    local("remember", fact="lives in Lisbon", provenance="t", entity="Dana Oakes")
    owed = local("remember", fact="owes Sam the lease", provenance="t", entity="Dana Oakes", kind="commitment")["id"]
    clock.move(days=10)
    page(
        "people/dana-oakes",
        "Dana paints bridges.\n\n## Timeline\n\n- **2031-05-12** | Moved\n",
        "title: Dana Reed",
        "tags: [painter]",
    )
    page("companies/later", "Later sells lighthouses.\n", "title: Later")
    local("delete_page", slug="notes/gone")
    local.link("companies/later", "people/dana-oakes", "backs")
    local("remember", fact="lives in Porto", provenance="t", entity="Dana Reed")
    local("forget", id=str(owed), reason="paid")
    clock.move(days=10)
    return {"owed": int(owed)}


class TestEntity:
    @pytest.mark.parametrize("name", ["people/dana-oakes", "Dana Oakes", "the surveyor", "Dana Reed"])
    def test_a_card_as_it_was(self, history: Any, local: Any, remote: Any, name: str) -> None:
        for ask in (local, remote):
            card = ask("entity", name=name, as_of=THEN)["card"]
            assert card["entity"] == {"slug": "people/dana-oakes", "title": "Dana Oakes", "type": "person"}
            assert (card["summary"], card["aka"]) == ("Dana surveys lighthouses.", ["the surveyor"])
            assert [one["text"] for one in card["open_threads"]] == ["owes Sam the lease", "Signed the lease"]
            assert [edge["slug"] for edge in card["edges"]] == ["companies/acme"]
            assert (card["backlink_count"], card["active_fact_count"]) == (0, 2)
            assert card["last_touched"]["last_timeline_date"] == "2031-05-01T00:00:00.000Z"

    def test_a_link_is_told_from_the_text_on_that_made_it(self, local: Any, page: Any, clock: Any) -> None:
        page("companies/acme", "Acme.\n", "title: Acme")
        page("people/reed", "Reed works at [[companies/acme]] as a diver.\n", "title: Reed")
        page("people/ana", "Ana.\n", "title: Ana")
        clock.move(days=5)
        page("people/ana", "Ana advises [[companies/acme]].\n", "title: Ana")
        page("people/reed", "Reed works at [[companies/acme]] as a captain.\n", "title: Reed")
        clock.move(days=5)
        edges = local("entity", name="Acme", as_of=THEN)["card"]["edges"]
        assert [(edge["slug"], edge["context"]) for edge in edges] == [("people/reed", None)]
        assert {edge["slug"] for edge in local("entity", name="Acme", as_of="now")["card"]["edges"]} == {
            "people/reed", "people/ana"
        }  # fmt: skip

    def test_of_now_it_is_the_card_of_now(self, history: Any, local: Any) -> None:
        then, now = (local("entity", name="Dana Reed", **more)["card"] for more in ({"as_of": "now"}, {}))
        assert then == now
        assert (now["summary"], now["backlink_count"]) == ("Dana paints bridges.", 1)

    def test_one_that_came_later_is_not_found_and_nothing_of_now_is_suggested(self, history: Any, local: Any) -> None:
        for name in ("Later", "companies/later", "Latr"):
            found = local("entity", name=name, as_of=THEN)
            assert (found["found"], found["suggestions"]) == (False, [])

    def test_one_that_was_deleted_since_is_told(self, history: Any, local: Any) -> None:
        assert (
            local("entity", name="Harbour", as_of=THEN)["card"]["summary"] == "The harbour budget is a secret lantern."
        )
        assert not local("entity", name="Harbour", as_of=LATER)["found"]
        assert not local("entity", name="Harbour")["found"]

    def test_what_is_not_known_of_then_is_said(self, history: Any, local: Any) -> None:
        reply = local.reply("entity", name="Dana Oakes", as_of=THEN)
        told = next(one for one in reply.warnings if one["code"] == "replayed")
        assert told["as_of"] == "2031-05-05T00:00:00.000Z"
        assert any("links" in part for part in told["not_replayed"])
        with pytest.raises(InvalidParams):
            local("entity", name="Dana Oakes", as_of="lately")

    def test_a_name_that_only_facts_bore(self, local: Any, page: Any, clock: Any) -> None:
        local("remember", fact="moved to Porto", provenance="t", entity="Ana Silva")
        clock.move(days=3)
        page("people/ana-silva", "Has a page.\n", "title: Ana Silva")
        clock.move(days=3)
        assert local("entity", name="Ana Silva", as_of="2031-05-03")["found"] is False


class TestSearch:
    def slugs(self, ask: Any, query: str, **more: Any) -> list[str]:
        return [row["slug"] for row in ask("search", query=query, **more)]

    def test_texts_of_then_are_searched(self, history: Any, local: Any, remote: Any) -> None:
        for ask in (local, remote):
            assert self.slugs(ask, "who surveys lighthouses", as_of=THEN) == ["people/dana-oakes"]
            assert self.slugs(ask, "bridges", as_of=THEN) == []
            assert self.slugs(ask, "bridges", as_of=LATER) == ["people/dana-oakes"]
            assert self.slugs(ask, "harbour budget", as_of=THEN) == ["notes/gone"]
            assert self.slugs(ask, "rope", as_of=THEN) == ["companies/acme"]
            assert self.slugs(ask, "rope", as_of="2031-05-01") == []
            assert "people/dana-oakes" not in self.slugs(ask, "lighthouses", as_of=LATER)

    def test_a_hit_tells_the_passage_and_the_title_of_then(self, history: Any, local: Any) -> None:
        reply = local.reply("search", query="lighthouses", as_of=THEN, explain=True)
        assert reply.value[0]["title"] == "Dana Oakes"
        assert "lighthouses" in reply.value[0]["chunk_text"]
        assert reply.value[0]["explain"]["arm"] == "all_words"
        assert reply.meta["retrieval"]["vector_enabled"] is False
        assert reply.meta["retrieval"]["degraded"] == [{"stage": "vector_off", "reason": "replayed"}]

    def test_a_name_of_then_comes_first(self, history: Any, local: Any) -> None:
        row = local("search", query="Dana Oakes", as_of=THEN)[0]
        assert (row["slug"], row["title"], row["title_match"]) == ("people/dana-oakes", "Dana Oakes", True)
        assert local("search", query="The Surveyor", as_of=THEN)[0]["alias_hit"] is True

    def test_filters_look_at_then(self, history: Any, local: Any) -> None:
        assert self.slugs(local, "lighthouses", as_of=THEN, tags=["walker"]) == ["people/dana-oakes"]
        assert self.slugs(local, "lighthouses", as_of=THEN, tags=["painter"]) == []
        assert self.slugs(local, "lighthouses", as_of=THEN, types=["company"]) == []
        assert self.slugs(local, "lighthouses", as_of=THEN, since="2031-05-01", until="2031-05-01") == [
            "people/dana-oakes"
        ]

    def test_of_an_unwritten_page_both_ways_score_alike(self, local: Any, page: Any, clock: Any) -> None:
        for number in range(3):
            page(f"notes/{number}", f"Tide table number {number} of the harbour.\n")
        clock.move(days=1)
        now = local("search", query="tide harbour")
        assert [row["score"] for row in local("search", query="tide harbour", as_of="now")] == [
            row["score"] for row in now
        ]
        page("notes/1", "Something else.\n")
        then = {row["slug"]: row["score"] for row in local("search", query="tide harbour", as_of=THEN)}
        assert set(then) == {"notes/0", "notes/1", "notes/2"}
        assert abs(then["notes/1"] - then["notes/0"]) < 0.02

    def test_chinese_is_found(self, local: Any, page: Any, clock: Any) -> None:
        page("notes/灯塔", "灯塔项目的预算。\n")
        clock.move(days=1)
        page("notes/灯塔", "别的内容。\n")
        clock.move(days=1)
        for query in ("预算", "算"):
            assert self.slugs(local, query, as_of=THEN) == ["notes/灯塔"], query
            assert self.slugs(local, query) == [], query

    def test_a_brain_that_is_empty_by_now(self, local: Any, page: Any, clock: Any) -> None:
        page("notes/a", "Lantern oil.\n")
        clock.move(days=1)
        local("delete_page", slug="notes/a")
        assert self.slugs(local, "lantern", as_of=THEN) == ["notes/a"]


class TestPack:
    def test_a_pack_as_it_was(self, history: Any, local: Any, remote: Any) -> None:
        for ask in (local, remote):
            pack = ask("context_pack", entities="Dana Oakes, Later", as_of=THEN)
            assert [card["title"] for card in pack["cards"]] == ["Dana Oakes"]
            assert {fact["fact"] for fact in pack["facts"]} == {"lives in Lisbon", "owes Sam the lease"}
            assert all(fact["context"] is None for fact in pack["facts"])
            assert "Porto" not in pack["text"]

    def test_what_was_recent_then_comes_along(self, local: Any, page: Any, clock: Any) -> None:
        page("people/dana-oakes", "Dana.\n", "title: Dana Oakes")
        local("remember", fact="the kettle is broken", provenance="t")
        clock.move(days=10)
        for as_of, facts in ((THEN, ["the kettle is broken"]), (LATER, [])):
            found = local("context_pack", entities="Dana Oakes", as_of=as_of)["facts"]
            assert [fact["fact"] for fact in found] == facts


class TestRecall:
    def test_a_question_brings_the_pages_of_then(self, history: Any, local: Any) -> None:
        reply = local("recall", query="who surveys lighthouses", as_of=THEN)
        assert [hit["slug"] for hit in reply["results"]] == ["people/dana-oakes"]
        assert "lighthouses" in reply["results"][0]["chunk"]

    def test_a_fact_is_told_without_the_end_that_came_later(self, history: Any, local: Any) -> None:
        facts = {fact["fact"]: fact for fact in local("recall", entity="Dana Oakes", as_of=THEN)["facts"]}
        owed = facts["owes Sam the lease"]
        assert (owed["expired_at"], owed["superseded_by"], owed["context"]) == (None, None, None)
        assert owed["effective_confidence"] > 0.9
        now = local("recall", entity="Dana Oakes", include_expired=True)["facts"]
        assert next(fact for fact in now if fact["id"] == history["owed"])["context"] == "forgotten: paid"


class TestPrivacy:
    def test_a_page_that_is_private_by_now_is_private_then(
        self, local: Any, remote: Any, page: Any, clock: Any
    ) -> None:
        page("people/dana-oakes", "MARKER lantern.\n", "title: Dana Oakes")
        page("companies/acme", "Acme.\n", "title: Acme")
        local.link("people/dana-oakes", "companies/acme", "works_at")
        clock.move(days=1)
        page("people/dana-oakes", "MARKER lantern, kept.\n", "title: Dana Oakes", "visibility: private")
        clock.move(days=1)
        assert remote("search", query="marker lantern", as_of=THEN) == []
        assert remote("entity", name="Dana Oakes", as_of=THEN)["found"] is False
        card = remote("entity", name="Acme", as_of=THEN)["card"]
        assert (card["edges"], card["backlink_count"]) == ([], 0)
        assert local("search", query="marker lantern", as_of=THEN) != []

    def test_a_version_that_was_private_stays_so(self, local: Any, remote: Any, page: Any, clock: Any) -> None:
        page("people/dana-oakes", "MARKER lantern.\n", "title: Secret Keeper", "visibility: private")
        clock.move(days=1)
        page("people/dana-oakes", "Public.\n", "title: Dana Oakes")
        clock.move(days=1)
        for name in ("Dana Oakes", "Secret Keeper", "people/dana-oakes"):
            assert remote("entity", name=name, as_of=THEN)["found"] is False
            assert remote("context_pack", entities=name, as_of=THEN)["cards"] == []
            assert remote("search", query=name, as_of=THEN) == []
        assert local("entity", name="Secret Keeper", as_of=THEN)["found"]

    def test_what_was_erased_stays_erased(self, local: Any, clock: Any) -> None:
        id = local("remember", fact="owes a thousand", provenance="t", entity="Dana Oakes")["id"]
        clock.move(days=2)
        local("forget", id=id)
        local("prove_forgotten", id=id, erase=True)
        assert local("recall", entity="Dana Oakes", as_of=THEN)["facts"] == []
        assert local("recall", query="owes a thousand", as_of=THEN)["facts"] == []
        assert local("context_pack", entities="Dana Oakes", as_of=THEN)["facts"] == []

    def test_a_page_past_its_expiry_is_told_of_a_moment_before_it(self, local: Any, page: Any, clock: Any) -> None:
        page("notes/a", "MARKER lantern.\n", "title: Short Walk", "expiry: 2031-05-06")
        clock.move(days=10)
        assert local("search", query="marker lantern", as_of=THEN)[0]["slug"] == "notes/a"
        assert local("entity", name="Short Walk", as_of=THEN)["found"]
        assert local("search", query="marker lantern", as_of="2031-05-07") == []
        assert local("entity", name="Short Walk", as_of="2031-05-07")["found"] is False
