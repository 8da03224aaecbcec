"""Links and dated entries follow from texts: made, kept unresolved, resolved later, and gone with the text."""

from collections.abc import Callable
from typing import Any

import pytest

from gbrain.ops import wiring
from gbrain.registry import context

NONE = {"created": 0, "removed": 0, "errors": 0, "unresolved": []}


def out(ask: Any, slug: str) -> list[tuple[str, str, str]]:
    return sorted((row["to_slug"], row["link_type"], row["link_source"]) for row in ask("get_links", slug=slug))


def into(ask: Any, slug: str) -> list[tuple[str, str, str]]:
    return sorted((row["from_slug"], row["link_type"], row["link_source"]) for row in ask("get_backlinks", slug=slug))


def swept(local: Any) -> wiring.Tally:
    """What the sweep does: one pass over the pages whose texts are not linked yet."""
    ctx = context(local.brain, local.caller)
    return wiring.reconcile_pending(ctx, ctx.view.sources, 1000)


class TestText:
    def test_a_text_makes_its_links_and_takes_them_along(self, local: Any, page: Any) -> None:
        page("people/bob", "Bob.")
        made = page("notes/walk", "Walked with [[people/bob]] and [[people/eve]].")
        assert made["auto_links"] == {
            **NONE,
            "created": 1,
            "unresolved": [{"field": None, "name": "people/eve"}],
        }
        assert out(local, "notes/walk") == [("people/bob", "mentions", "markdown")]
        assert page("notes/walk", "Walked.")["auto_links"] == {**NONE, "removed": 1}
        assert out(local, "notes/walk") == []

    def test_a_heading_says_what_its_list_is(self, local: Any, page: Any) -> None:
        for slug in ("people/bob", "companies/tin", "media/report", "notes/inside", "notes/after"):
            page(slug)
        page(
            "concepts/tea",
            "Tea.\n\n## See also\n\n- [[people/bob]], [[companies/tin]]\n- made after [[notes/inside]]\n\n"
            "## 来源\n\n1. [[media/report]] - on leaves\n\n# More\n\n- [[notes/after]]\n",
        )
        assert {slug: type for slug, type, _ in out(local, "concepts/tea")} == {
            "people/bob": "related_to",
            "companies/tin": "related_to",
            "notes/inside": "mentions",
            "media/report": "source",
            "notes/after": "mentions",
        }

    @pytest.mark.parametrize(
        ("text", "type"),
        [
            ("## See also\n[[people/bob]]\n", "related_to"),
            ("See also\n--------\n\n- [[people/bob]]\n", "related_to"),
            ("Sources\n===\n[[people/bob]]\n", "source"),
            ("**See also:**\n[[people/bob]]\n", "related_to"),
            ("__参见__：\n\n- [[people/bob]]\n", "related_to"),
            ("## See also\r\n\r\n**People**\r\n\r\n- [[people/bob]]\r\n", "related_to"),
            ("**See also**\n\nTea.\n\n**More**\n\n- [[people/bob]]\n", "mentions"),
            ("See also\n---\n\nTea.\n\nMore\n---\n\n- [[people/bob]]\n", "mentions"),
            ("```\n## See also\n```\n\n- [[people/bob]]\n", "mentions"),
            ("    ## See also\n\n- [[people/bob]]\n", "mentions"),
            ("## See also\n\n```\n# no heading\n```\n\n- [[people/bob]]\n", "related_to"),
        ],
    )
    def test_headings_of_every_form_count_and_code_does_not(self, local: Any, page: Any, text: str, type: str) -> None:
        page("people/bob")
        page("concepts/tea", text)
        assert [found for _, found, _ in out(local, "concepts/tea")] == [type]

    def test_who_is_named_beside_a_meeting_did_not_attend_it(self, local: Any, page: Any) -> None:
        for slug in ("people/bob", "people/eve", "people/ann"):
            page(slug)
        page("meetings/walk", "With [[people/bob]].\n\n## See also\n\n- [[people/eve]]\n- notes of [[people/ann]]\n")
        assert {slug: type for slug, type, _ in out(local, "meetings/walk")} == {
            "people/bob": "attended",
            "people/eve": "related_to",
            "people/ann": "mentions",
        }

    def test_a_link_made_by_hand_stays(self, local: Any, page: Any) -> None:
        page("people/bob")
        page("notes/walk", "With [[people/bob]].")
        local.link("notes/walk", "people/bob", "mentions")
        page("notes/walk", "Alone.")
        assert out(local, "notes/walk") == [("people/bob", "mentions", "manual")]

    def test_links_tell_where_they_were_seen(self, local: Any, page: Any) -> None:
        page("people/bob")
        page("notes/walk", "First. We walked with [[people/bob|Bob]]. Last.")
        row = local("get_links", slug="notes/walk")[0]
        assert "walked with" in row["context"]
        assert (row["origin_slug"], row["origin_field"], row["link_source"]) == ("notes/walk", None, "markdown")

    def test_the_words_of_a_link_follow_the_text(self, local: Any, page: Any) -> None:
        page("people/bob")
        page("people/eve")
        page("notes/walk", "We walked with [[people/bob]].")
        page("notes/walk", "Eve is [[people/eve]].\n\nWe walked with [[people/bob]].")
        page("notes/walk", "Eve is [[people/eve]].\n\nA boat with [[people/bob]].")
        words = {row["to_slug"]: row["context"] for row in local("get_links", slug="notes/walk")}
        assert words == {"people/eve": "Eve is people/eve.", "people/bob": "A boat with people/bob."}

    def test_a_page_does_not_link_to_itself(self, local: Any, page: Any) -> None:
        assert page("notes/walk", "[[notes/walk]] and [[walk]]")["auto_links"] == NONE
        assert out(local, "notes/walk") == []

    def test_the_same_text_again_changes_nothing(self, local: Any, page: Any) -> None:
        page("people/bob")
        page("notes/walk", "With [[people/bob]].")
        before = local("get_links", slug="notes/walk")
        assert page("notes/walk", "With [[people/bob]]. Twice.")["auto_links"] == NONE
        after = local("get_links", slug="notes/walk")
        assert [row["to_slug"] for row in after] == [row["to_slug"] for row in before]

    def test_backlinks_are_counted_with_the_text(self, local: Any, page: Any) -> None:
        page("people/bob")
        for text, count in (("[[people/bob]]", 1), ("nobody", 0), ("people/bob", 1)):
            page("notes/walk", text)
            assert local("entity", name="people/bob")["card"]["backlink_count"] == count

    def test_capture_and_revert_make_links_too(self, local: Any, page: Any) -> None:
        page("people/bob")
        captured = local("capture", content="Ask [[people/bob]] about it")
        assert captured["auto_links"]["created"] == 1
        page("notes/walk", "With [[people/bob]].")
        page("notes/walk", "Alone.")
        assert local("revert_version", slug="notes/walk", version_id=1)["auto_links"]["created"] == 1
        assert out(local, "notes/walk") == [("people/bob", "mentions", "markdown")]


class TestNames:
    def test_a_link_waits_for_its_page(self, local: Any, page: Any) -> None:
        page("notes/walk", "With [[people/eve]], [Eve](../people/eve.md) and [[Eve]].")
        assert out(local, "notes/walk") == []
        page("people/eve")
        assert {to for to, _, _ in out(local, "notes/walk")} == {"people/eve"}
        assert local("list_unresolved_links") == []

    def test_a_bare_path_waits_too_and_is_not_listed(self, local: Any, page: Any) -> None:
        page("notes/walk", "The plan is in ideas/harbour, and/or elsewhere.")
        assert local("list_unresolved_links") == []
        page("ideas/harbour")
        assert out(local, "notes/walk") == [("ideas/harbour", "mentions", "markdown")]

    def test_an_alias_leads_to_its_page(self, local: Any, page: Any) -> None:
        page("notes/walk", "With [[Dana O]].")
        page("people/dana-oakes", "Dana.", "aliases: [Dana O]")
        assert out(local, "notes/walk") == [("people/dana-oakes", "mentions", "wikilink-resolved")]
        page("people/dana-oakes", "Dana.")
        assert out(local, "notes/walk") == []

    def test_a_name_that_two_pages_bear_ties_to_neither(self, local: Any, page: Any) -> None:
        page("people/dana")
        page("notes/walk", "With [[dana]].")
        assert out(local, "notes/walk") == [("people/dana", "mentions", "wikilink-resolved")]
        page("projects/dana")
        assert out(local, "notes/walk") == []
        assert local("list_unresolved_links")[0]["candidates"] == ["people/dana", "projects/dana"]
        local("delete_page", slug="projects/dana")
        assert out(local, "notes/walk") == [("people/dana", "mentions", "wikilink-resolved")]
        local("restore_page", slug="projects/dana")
        assert out(local, "notes/walk") == []

    def test_the_exact_slug_comes_first(self, local: Any, page: Any) -> None:
        page("people/dana")
        page("notes/walk", "With [[dana]].")
        page("dana")
        assert out(local, "notes/walk") == [("dana", "mentions", "markdown")]

    def test_a_path_never_leads_to_another_folder(self, local: Any, page: Any) -> None:
        page("companies/dana")
        page("notes/walk", "With [[people/dana]].")
        assert out(local, "notes/walk") == []

    def test_a_deleted_page_is_unresolved_until_it_is_back(self, local: Any, page: Any) -> None:
        page("people/dana")
        page("notes/walk", "With [[people/dana]].")
        local("delete_page", slug="people/dana")
        assert [row["name"] for row in local("list_unresolved_links")] == ["people/dana"]
        local("restore_page", slug="people/dana")
        assert local("list_unresolved_links") == []
        assert out(local, "notes/walk") == [("people/dana", "mentions", "markdown")]

    def test_a_page_that_very_many_wait_for(self, local: Any, page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(wiring, "NAMED_AT_ONCE", 3)
        for number in range(5):
            page(f"notes/n{number}", "With [[people/eve]].")
        page("people/eve")
        assert swept(local)["links_created"] == 5
        assert len(into(local, "people/eve")) == 5

    def test_very_many_pages_that_name_one_another_are_done_once(
        self, local: Any, page: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(wiring, "NAMED_AT_ONCE", 3)
        for number in range(6):
            page(f"d{number}/readme", "See [[readme]].")
        swept(local)
        assert swept(local)["pages"] == 0
        assert len(local("list_unresolved_links")) == 6

    def test_a_text_that_comes_while_its_links_wait_is_read(
        self, local: Any, remote: Any, page: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(wiring, "NAMED_AT_ONCE", 0)
        page("people/bob")
        page("notes/walk", "With [[people/eve]].")
        page("people/eve")
        remote("put_page", slug="notes/walk", content="With [[people/bob]].", expected_version=1)
        swept(local)
        assert out(local, "notes/walk") == [("people/bob", "mentions", "markdown")]


FIELDS = [
    ("people/dana", "person", "company: companies/acme", ("people/dana", "companies/acme", "works_at")),
    ("people/dana", "person", "companies: [Acme]", ("people/dana", "companies/acme", "works_at")),
    ("people/dana", "person", "founded: '[[companies/acme]]'", ("people/dana", "companies/acme", "founded")),
    ("companies/lantern", "company", "key_people: [Bob]", ("people/bob", "companies/lantern", "works_at")),
    ("companies/lantern", "company", "partner: people/bob", ("people/bob", "companies/lantern", "yc_partner")),
    ("companies/lantern", "company", "investors: [acme]", ("companies/acme", "companies/lantern", "invested_in")),
    ("deals/lantern-a", "deal", "investors: Bob, Acme", ("people/bob", "deals/lantern-a", "invested_in")),
    ("deals/lantern-a", "deal", "lead: companies/acme", ("companies/acme", "deals/lantern-a", "led_round")),
    ("meetings/m", "meeting", "attendees:\n  - [[people/bob]]", ("people/bob", "meetings/m", "attended")),
    ("meetings/m", "meeting", "attendees: [{name: Bob, role: host}]", ("people/bob", "meetings/m", "attended")),
    ("notes/n", "note", "sources: [meetings/old]", ("meetings/old", "notes/n", "discussed_in")),
    ("notes/n", "note", "source: meetings/old", ("notes/n", "meetings/old", "source")),
    ("notes/n", "note", "related: [meetings/old]", ("notes/n", "meetings/old", "related_to")),
    ("notes/n", "note", "see_also: '[[meetings/old|Old]]'", ("notes/n", "meetings/old", "related_to")),
]  # fmt: skip


class TestFields:
    @pytest.mark.parametrize(("slug", "type", "header", "edge"), FIELDS)
    def test_fields(self, local: Any, page: Any, slug: str, type: str, header: str, edge: tuple[str, str, str]) -> None:
        for other in ("companies/acme", "people/bob", "meetings/old"):
            page(other)
        page(slug, "Text.", f"type: {type}", header)
        rows = [*local("get_links", slug=slug), *local("get_backlinks", slug=slug)]
        found = [(row["from_slug"], row["to_slug"], row["link_type"]) for row in rows]
        assert edge in found
        row = rows[found.index(edge)]
        assert (row["origin_slug"], row["origin_field"]) == (slug, header.partition(":")[0])
        assert row["link_source"] == "frontmatter"
        page(slug, "Text.", f"type: {type}")
        assert not [*local("get_links", slug=slug), *local("get_backlinks", slug=slug)]

    def test_a_field_of_another_type_of_page_says_nothing(self, local: Any, page: Any) -> None:
        page("companies/acme")
        assert page("notes/n", "Text.", "company: companies/acme")["auto_links"] == NONE
        assert out(local, "notes/n") == []

    def test_an_address_is_listed(self, page: Any) -> None:
        made = page("notes/n", "Text.", "source: https://example.com/a")
        assert made["auto_links"]["unresolved"] == [{"field": "source", "name": "https://example.com/a"}]

    def test_two_pages_may_say_the_same(self, local: Any, page: Any) -> None:
        page("people/dana", "Dana.", "company: companies/acme")
        page("companies/acme", "Acme.", "key_people: [people/dana]")
        assert len(out(local, "people/dana")) == 2
        page("companies/acme", "Acme.")
        assert out(local, "people/dana") == [("companies/acme", "works_at", "frontmatter")]


class TestTimeline:
    BULLET = "- **2031-03-30** | Mail — Joined the crew\n"

    def entries(self, local: Any) -> list[tuple[str, str, str | None]]:
        return [(row["date"], row["summary"], row["source"]) for row in local("get_timeline", slug="people/dana")]

    def test_entries_come_and_go_with_the_text(self, local: Any, page: Any) -> None:
        made = page("people/dana", f"She rows. [Source: chat, 2031-04-01]\n\n## Timeline\n\n{self.BULLET}")
        assert made["auto_timeline"] == {"created": 2, "removed": 0}
        assert self.entries(local) == [
            ("2031-04-01", "She rows.", "chat"),
            ("2031-03-30", "Joined the crew", "Mail"),
        ]
        assert page("people/dana", "She rows.")["auto_timeline"] == {"created": 0, "removed": 2}
        assert self.entries(local) == []

    def test_an_entry_added_by_hand_stays(self, local: Any, page: Any) -> None:
        page("people/dana", self.BULLET)
        added = local("add_timeline_entry", slug="people/dana", date="2031-03-30", summary="Joined the crew")
        assert added["status"] == "skipped"
        local("add_timeline_entry", slug="people/dana", date="2031-05", summary="Left")
        assert page("people/dana", "Nothing dated.")["auto_timeline"] == {"created": 0, "removed": 0}
        assert [summary for _, summary, _ in self.entries(local)] == ["Left", "Joined the crew"]

    def test_a_changed_detail_is_the_entry_anew(self, local: Any, page: Any) -> None:
        page("people/dana", self.BULLET)
        page("people/dana", self.BULLET + "  with two others\n")
        assert [row["detail"] for row in local("get_timeline", slug="people/dana")] == ["with two others"]


class TestTrust:
    def test_a_remote_text_waits_for_the_sweep(self, local: Any, remote: Any, page: Any) -> None:
        page("people/bob")
        made = remote("put_page", slug="notes/walk", content="With [[people/bob]].\n\n- **2031-03-30** | Walked\n")
        assert made["auto_links"]["skipped"] == made["auto_timeline"]["skipped"] == "remote"
        assert "extract" in made["auto_links"]["hint"]
        assert out(local, "notes/walk") == []
        done = swept(local)
        assert (done["pages"], done["links_created"], done["timeline_created"]) == (1, 1, 1)
        assert out(remote, "notes/walk") == [("people/bob", "mentions", "markdown")]
        assert swept(local)["pages"] == 0

    def test_the_sweep_is_bounded(self, local: Any, remote: Any) -> None:
        for number in range(3):
            remote("put_page", slug=f"notes/n{number}", content="Text.")
        ctx = context(local.brain, local.caller)
        assert wiring.pending(ctx, ctx.view.sources) == 3
        assert wiring.reconcile_pending(ctx, ctx.view.sources, 2)["pages"] == 2
        assert wiring.pending(ctx, ctx.view.sources) == 1

    def test_a_deletion_by_a_remote_caller_is_looked_at_by_the_sweep(self, local: Any, remote: Any, page: Any) -> None:
        page("people/dana")
        page("projects/dana")
        page("notes/walk", "With [[dana]].")
        remote("delete_page", slug="projects/dana")
        swept(local)
        assert out(local, "notes/walk") == [("people/dana", "mentions", "wikilink-resolved")]

    def test_a_private_page_makes_no_name_unclear_for_others(self, local: Any, remote: Any, page: Any) -> None:
        page("people/dana")
        page("secret/dana", "Hidden.", "visibility: private")
        page("notes/walk", "With [[dana]].")
        assert out(remote, "notes/walk") == [("people/dana", "mentions", "wikilink-resolved")]

    def test_a_reference_to_a_source_that_is_none_is_told_to_the_operator(
        self, local: Any, remote: Any, page: Any
    ) -> None:
        local("sources_add", id="team")
        local("put_page", slug="people/bob", content="Bob.", source_id="team")
        page("notes/a", "[[team:people/bob]], [[team:people/eve]] and [[nope:people/bob]], 5 %% of it. [[people/ann]]")
        assert [row["name"] for row in local("list_unresolved_links")] == [
            "team:people/eve", "nope:people/bob", "people/ann",
        ]  # fmt: skip
        assert [row["name"] for row in remote("list_unresolved_links")] == ["people/ann"]

    def test_a_link_to_a_private_page_reads_as_unresolved_for_others(self, local: Any, remote: Any, page: Any) -> None:
        page("people/eve", "Hidden.", "visibility: private")
        page("notes/walk", "With [[people/eve]] and [[people/nobody]].")
        assert [row["name"] for row in local("list_unresolved_links")] == ["people/nobody"]
        assert [row["name"] for row in remote("list_unresolved_links")] == ["people/eve", "people/nobody"]

    def test_candidates_are_those_the_reader_sees(self, local: Any, remote: Any, page: Any) -> None:
        for slug in ("people/dana", "projects/dana"):
            page(slug)
        page("secret/dana", "Hidden.", "visibility: private")
        page("notes/walk", "With [[dana]].")
        assert "secret/dana" in local("list_unresolved_links")[0]["candidates"]
        assert remote("list_unresolved_links")[0]["candidates"] == ["people/dana", "projects/dana"]

    def test_what_a_private_page_says_of_others_stays_private(self, local: Any, remote: Any, page: Any) -> None:
        page("people/bob")
        page("companies/acme", "Acme.", "key_people: [people/bob]")
        page("people/dana", "Hidden: [[people/bob]]", "visibility: private", "related: [people/bob]")
        assert len(into(local, "people/bob")) == 2
        assert into(remote, "people/bob") == []
        assert out(remote, "people/bob") == [("companies/acme", "works_at", "frontmatter")]
        page("companies/acme", "Acme.", "key_people: [people/bob]", "visibility: private")
        assert out(remote, "people/bob") == []
        assert remote("entity", name="people/bob")["card"]["backlink_count"] == 0
        page("companies/acme", "Acme.", "key_people: [people/bob]")
        assert out(remote, "people/bob") == [("companies/acme", "works_at", "frontmatter")]
        assert remote("entity", name="companies/acme")["card"]["backlink_count"] == 1

    def test_private_facts_on_a_page_make_no_links(self, local: Any, page: Callable[..., Any]) -> None:
        page("people/bob")
        fence = "<!--- gbrain:facts:begin -->\n| 1 | owes [[people/bob]] | private |\n<!--- gbrain:facts:end -->\n"
        assert page("people/dana", f"Dana.\n\n## Facts\n\n{fence}")["auto_links"] == NONE


class TestSettings:
    def test_links_can_be_left_alone(self, local: Any, remote: Any, page: Any) -> None:
        page("people/bob")
        page("notes/a", "With [[people/bob]].")
        assert local("config_set", key="auto_link", value="false")["value"] == "off"
        made = page("notes/a", "Alone.\n\n- **2031-03-30** | Walked\n")
        assert "auto_links" not in made
        assert made["auto_timeline"]["created"] == 1
        assert out(local, "notes/a") == [("people/bob", "mentions", "markdown")]
        assert "auto_links" not in remote("put_page", slug="notes/b", content="[[people/bob]]")

    def test_so_can_the_timeline(self, local: Any, page: Any) -> None:
        local("config_set", key="auto_timeline", value="off")
        made = page("notes/a", "- **2031-03-30** | Walked\n")
        assert "auto_timeline" not in made
        assert local("get_timeline", slug="notes/a") == []
