"""The card of a name, through the door."""

import json
from typing import Any

import pytest

from gbrain.brain import Brain
from gbrain.errors import InvalidParams
from gbrain.registry import call
from gbrain.types import Caller


def page(brain: Brain, slug: str, **front: str) -> None:
    header = "".join(f"{key}: {value}\n" for key, value in front.items())
    brain.put_page(slug=slug, content=f"---\n{header}---\n\nSome text about it. And more.\n")


def remote(brain: Brain, name: str) -> Any:
    return call(brain, Caller.stdio(), "entity", {"name": name}).value


class TestHits:
    @pytest.mark.parametrize(
        "name", ["people/dana-oakes", "Dana Oakes", "dana oakes", "D. Oakes", "dana-oakes", "“D. Oakes”"]
    )
    def test_every_exact_name_leads_to_the_page(self, brain: Brain, name: str) -> None:
        page(brain, "people/dana-oakes", title="Dana Oakes", aliases="[D. Oakes, the surveyor]")
        reply = brain.entity(name=name)
        assert reply["found"]
        assert reply["card"]["entity"] == {"slug": "people/dana-oakes", "title": "Dana Oakes", "type": "person"}
        assert reply["card"]["aka"] == ["d. oakes", "the surveyor"]
        assert reply["card"]["summary"] == "Some text about it."
        assert "suggestions" not in reply

    def test_an_alias_goes_before_a_title_and_the_others_are_suggested(self, brain: Brain) -> None:
        page(brain, "people/one", title="Sam")
        page(brain, "people/two", title="Samuel Reed", aliases="[Sam]")
        reply = brain.entity(name="Sam")
        assert reply["card"]["entity"]["slug"] == "people/two"
        assert reply["suggestions"] == [{"slug": "people/one", "title": "Sam", "create_safety": "exists"}]

    def test_a_folder_of_entities_goes_before_an_archive_touched_later(self, brain: Brain, clock: Any) -> None:
        page(brain, "people/alice-example", title="Alice")
        clock.move(days=1)
        page(brain, "archive/alice-example", title="Old Alice")
        assert brain.entity(name="alice-example")["card"]["entity"]["slug"] == "people/alice-example"

    def test_threads_edges_and_counts(self, brain: Brain) -> None:
        page(brain, "people/dana-oakes", title="Dana Oakes")
        page(brain, "companies/acme", title="Acme")
        brain.call("add_link", {"from": "people/dana-oakes", "to": "companies/acme", "link_type": "works_at"})
        brain.remember(fact="owes Sam the lease", provenance="t", entity="Dana Oakes", kind="commitment")
        brain.remember(fact="prefers tea", provenance="t", entity="Dana Oakes")
        brain.add_timeline_entry(slug="people/dana-oakes", date="2031-05-01", summary="signed")
        brain.add_timeline_entry(slug="people/dana-oakes", date="2029-01-01", summary="long ago")
        card = brain.entity(name="Dana Oakes")["card"]
        assert [(thread["kind"], thread["text"]) for thread in card["open_threads"]] == [
            ("commitment", "owes Sam the lease"),
            ("recent_event", "signed"),
        ]
        assert card["open_threads"][1]["date"] == "2031-05-01T00:00:00.000Z"
        assert card["edges"] == [{"type": "works_at", "direction": "out", "slug": "companies/acme", "context": None}]
        assert card["active_fact_count"] == 2
        assert brain.entity(name="Acme")["card"]["backlink_count"] == 1

    def test_a_name_that_only_facts_bear_has_a_card_too(self, brain: Brain) -> None:
        brain.remember(fact="moved to Porto", provenance="t", entity="Ana Silva")
        card = brain.entity(name="ana silva")["card"]
        assert card["entity"] == {"slug": "ana-silva", "title": "Ana Silva", "type": "unwritten"}
        assert (card["summary"], card["active_fact_count"]) == ("moved to Porto", 1)


class TestMisses:
    @pytest.mark.parametrize("name", ["", "  ", "\n"])
    def test_a_blank_name_is_refused(self, brain: Brain, name: str) -> None:
        with pytest.raises(InvalidParams):
            brain.entity(name=name)

    @pytest.mark.parametrize("name", ["nobody", "x" * 300, "'; delete from x --", "%", "*", "\U0001f300"])
    def test_a_miss_has_a_list_of_suggestions(self, brain: Brain, name: str) -> None:
        page(brain, "people/dana-oakes", title="Dana Oakes")
        reply = brain.entity(name=name)
        assert (reply["found"], reply["suggestions"]) == (False, [])

    @pytest.mark.parametrize("name", ["Alise Example", "Alcie Example", "alice exmple", "Exampel"])
    def test_a_misspelt_name_is_suggested_not_found(self, brain: Brain, name: str) -> None:
        page(brain, "people/alice-example", title="Alice Example")
        reply = brain.entity(name=name)
        assert not reply["found"]
        assert [row["slug"] for row in reply["suggestions"]] == ["people/alice-example"]

    def test_a_first_name_two_people_share_names_both(self, brain: Brain) -> None:
        page(brain, "people/dana-oakes-example", title="Dana Oakes")
        page(brain, "people/dana-reed-sample", title="Dana Reed")
        reply = brain.entity(name="Dana")
        assert not reply["found"]
        assert {row["slug"] for row in reply["suggestions"]} == {"people/dana-oakes-example", "people/dana-reed-sample"}
        assert {row["create_safety"] for row in reply["suggestions"]} == {"probable"}


class TestPrivacy:
    def test_a_private_page_is_a_plain_miss_and_never_suggested(self, brain: Brain) -> None:
        page(brain, "people/alice-example", title="Alice Example", visibility="private")
        for name in ("Alice Example", "people/alice-example", "Alise Example", "alice"):
            reply = remote(brain, name)
            assert (reply["found"], reply["suggestions"]) == (False, [])
        assert brain.entity(name="Alice Example")["found"]

    def test_its_links_and_facts_do_not_show_on_a_card(self, brain: Brain) -> None:
        page(brain, "people/dana-oakes", title="Dana Oakes")
        page(brain, "notes/marker", visibility="private")
        brain.call("add_link", {"from": "notes/marker", "to": "people/dana-oakes", "context": "MARKER"})
        brain.remember(fact="MARKER", provenance="t", entity="Dana Oakes", kind="commitment", visibility="private")
        card = remote(brain, "Dana Oakes")["card"]
        assert "marker" not in json.dumps(card).lower()
        assert (card["backlink_count"], card["active_fact_count"], card["open_threads"]) == (0, 0, [])
        assert brain.entity(name="Dana Oakes")["card"]["backlink_count"] == 1
