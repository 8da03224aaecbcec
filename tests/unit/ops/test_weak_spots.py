"""Where systems of this kind give way: what the contract names as weak, one test a spot that no other test holds."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from gbrain.errors import BrainError, InvalidParams, NotFound
from unit.ops.conftest import Asker

ALICE = "people/alice-example"


def said(ask: Asker, fact: str, **more: Any) -> dict[str, Any]:
    reply: dict[str, Any] = ask("remember", fact=fact, provenance="chat", **more)
    return reply


def texts(reply: dict[str, Any]) -> list[str]:
    return sorted(row["fact"] for row in reply["facts"])


class TestRemember:
    def test_a_fact_has_a_size(self, remote: Asker) -> None:
        for size in (8_001, 20_000, 2_000_000):
            with pytest.raises(InvalidParams) as refused:
                said(remote, "x" * size)
            assert f"{size:,}" in refused.value.message
            assert "8,000" in refused.value.message
        assert said(remote, "x" * 8_000)["status"] == "inserted"

    def test_the_same_again_is_known_without_a_model_and_without_an_entity(self, remote: Asker) -> None:
        for entity in (None, ALICE):
            first = said(remote, "Likes green tea", entity=entity)
            for again in ("Likes green tea", "likes  GREEN tea", " Likes\ngreen tea. "):
                told = said(remote, again, entity=entity)
                assert (told["status"], told["id"]) == ("duplicate", first["id"])
        assert texts(remote("recall")) == ["Likes green tea"] * 2

    def test_another_claim_of_another_kind_is_kept(self, remote: Asker) -> None:
        said(remote, "plays chess on Sundays", entity=ALICE)
        told = said(remote, "plays chess on Sundays with Bob Sample", entity=ALICE, kind="preference")
        assert told["status"] == "inserted"
        assert len(remote("recall", entity=ALICE)["facts"]) == 2

    def test_a_claim_of_several_lines_is_one_line_in_store_and_file(self, local: Asker, tmp_path: Path) -> None:
        folder = tmp_path / "notes"
        folder.mkdir()
        local("sources_add", id="work", path=str(folder))
        told = said(local, "rows at dawn\nand | at\r\n\tdusk", entity=ALICE, source_id="work")
        assert told["status"] == "inserted"
        assert texts(local("recall", source_id="work")) == ["rows at dawn and | at dusk"]
        local("sweep")
        assert "rows at dawn and \\| at dusk" in (folder / f"{ALICE}.md").read_text()
        assert local("sync_brain", source_id="work", pull=False)["status"] == "ok"
        assert texts(local("recall", source_id="work")) == ["rows at dawn and | at dusk"]

    def test_a_name_of_any_script_is_a_slug_or_none(self, local: Asker) -> None:
        for name, slug in (("公司/深度求索", "公司/深度求索"), ("!!!", None), ("Ünïcode Ñame", "unicode-name")):
            assert said(local, f"builds models as {name}", entity=name)["entity_slug"] == slug

    def test_g7_a_name_that_two_share_ties_to_neither(self, remote: Asker, page: Any) -> None:
        people = ("people/dana-oakes-example", "people/dana-reed-sample")
        firms = ("companies/harbor-capital-example", "companies/delta-capital-example")
        for slug in (*people, *firms):
            page(slug, "Somebody.\n", f"title: {' '.join(slug.split('/')[1].split('-')[:2]).title()}")
        for fact, name, could in (
            ("moved the review to Thursday", "Dana", people),
            ("raised a seed round", "Quartz Capital", firms),
        ):
            reply = remote.reply("remember", fact=fact, provenance="chat", entity=name)
            assert reply.value["entity_slug"] not in could
            assert {slug for warning in reply.warnings for slug in warning["candidates"]} == set(could)
        found = remote("entity", name="Dana")
        assert (found["found"], {row["slug"] for row in found["suggestions"]}) == (False, set(people))
        page(people[1], "Somebody.\n", "title: Dana Reed", "aliases: [D. Reed]")
        assert said(remote, "prefers tea", entity="D. Reed")["entity_slug"] == people[1]
        assert [texts(remote("recall", entity=slug)) for slug in people] == [[], ["prefers tea"]]

    def test_an_end_before_now_or_beyond_all_years_is_refused(self, local: Asker) -> None:
        for ttl in ("2020-01-01", "0d", "0s", "9999999999d", "99999999999999999999d"):
            with pytest.raises(InvalidParams):
                said(local, "is on the train", ttl=ttl)
        assert local("recall", include_expired=True)["facts"] == []


class TestForget:
    def test_what_is_no_id_is_not_found(self, remote: Asker) -> None:
        said(remote, "likes tea")
        for id in ("99999999999999999999", "-1", "0", "1.5", "abc", "", " ", "people/x", "9" * 400, "١"):
            with pytest.raises(NotFound) as missed:
                remote("forget", id=id)
            assert "gbrain recall" in missed.value.suggestion, id


class TestRecall:
    def test_filters_hold_together(self, local: Asker, clock: Any) -> None:
        said(local, "rows at dawn", entity=ALICE)
        said(local, "sails", entity="people/bob-sample")
        clock.move(days=2)
        said(local, "rows at dusk", entity=ALICE)
        assert texts(local("recall", entity=ALICE, since="1d")) == ["rows at dusk"]
        assert texts(local("recall", entity=ALICE, grep="DAWN")) == ["rows at dawn"]
        assert texts(local("recall", since="1d", grep="dawn")) == []

    def test_a_grep_is_looked_for_before_the_limit(self, local: Asker, clock: Any) -> None:
        said(local, "keeps a zebra", entity=ALICE)
        for number in range(60):
            clock.move(seconds=1)
            said(local, f"errand number {number}", entity=ALICE)
        assert texts(local("recall", entity=ALICE, grep="ZEBRA", limit=1)) == ["keeps a zebra"]

    def test_a_question_ranks_facts_and_finds_nothing_where_nothing_is(self, remote: Asker) -> None:
        for fact in ("likes green tea", "works in Porto", "rows at dawn"):
            said(remote, fact, entity=ALICE)
        assert remote("recall", query="zzzqqq")["facts"] == []
        assert texts(remote("recall", query="does she like tea"))[0] == "likes green tea"

    def test_a_title_and_an_alias_find_a_page_that_does_not_say_them(self, remote: Asker, page: Any) -> None:
        page(ALICE, "Leads the survey.\n", "title: Alice Example", "aliases: [Ali]")
        for asked in ("Alice Example", "ali"):
            assert [row["slug"] for row in remote("recall", query=asked)["results"]] == [ALICE]

    def test_a_word_that_is_wrong_or_missing_still_finds(self, remote: Asker, page: Any) -> None:
        page("notes/harbour", "The harbour budget was agreed on Wednesday.\n")
        for asked in ("harbour budget sailing", "what did we agree about the harbour budget"):
            assert [row["slug"] for row in remote("search", query=asked)] == ["notes/harbour"]

    def test_since_that_is_no_time_is_refused_everywhere(self, local: Asker) -> None:
        asked: list[tuple[str, dict[str, Any]]] = [
            ("recall", {}),
            ("context_pack", {"entities": ALICE}),
            ("delta", {}),
            ("synthesize", {"question": "Who leads?"}),
            ("think", {"question": "Who leads?"}),
        ]
        for name, more in asked:
            with pytest.raises(InvalidParams) as refused:
                local(name, since="the other day", **more)
            assert refused.value.suggestion, name


class TestPacks:
    def test_since_leaves_older_threads_out_of_cards_too(self, local: Asker, page: Any, clock: Any) -> None:
        page(ALICE, "Leads.\n", "title: Alice Example")
        local("add_timeline_entry", slug=ALICE, date="2031-05-01", summary="signed the lease")
        said(local, "owes Sam the keys", entity=ALICE, kind="commitment")
        clock.move(days=3)
        said(local, "owes Sam the map", entity=ALICE, kind="commitment")
        pack = local("context_pack", entities=ALICE, since="2031-05-07")
        assert [thread["text"] for thread in pack["cards"][0]["open_threads"]] == ["owes Sam the map"]
        assert [thread["text"] for thread in pack["open_threads"]] == ["owes Sam the map"]
        assert "signed the lease" not in pack["text"]

    def test_dates_are_iso(self, local: Asker, page: Any) -> None:
        page(ALICE, "Leads.\n", "title: Alice Example")
        local("add_timeline_entry", slug=ALICE, date="2031-05-01", summary="signed the lease")
        pack = local("context_pack", entities=ALICE)
        (thread,) = pack["open_threads"]
        assert datetime.fromisoformat(thread["date"]).date().isoformat() == "2031-05-01"
        assert "signed the lease (2031-05-01)" in pack["text"]

    def test_a_session_never_goes_back_nor_is_told_twice(self, local: Asker, page: Any, clock: Any) -> None:
        local("delta", session_id="s")
        before, given = "", []
        for step in range(6):
            clock.move(seconds=1)
            if step % 2:
                page(f"notes/{step}")
                said(local, f"thing number {step} happened", entity=f"thing-{step}")
            reply = local("delta", session_id="s")
            assert reply["since"] >= before
            before = reply["since"]
            given += [row["slug"] for row in reply["pages"]] + texts(reply)
        assert len(given) == len(set(given)) == 6


class TestPrivatePages:
    @pytest.fixture(autouse=True)
    def hidden(self, page: Any) -> None:
        page(ALICE, "Leads.\n", "title: Alice Example")
        page("people/hidden", f"Works with [[{ALICE}]] on MARKER.\n", "title: Hidden", "visibility: private")

    def test_no_reader_is_told_of_one(self, local: Asker, remote: Asker) -> None:
        asked: list[tuple[str, dict[str, Any]]] = [
            ("entity", {"name": "Alice Example"}),
            ("entity", {"name": "Hidden"}),
            ("context_pack", {"entities": "Alice Example, Hidden"}),
            ("delta", {"since": "1970-01-01"}),
            ("volunteer_context", {"window": "We met Hidden and Alice Example."}),
            ("think", {"question": "Who works with Alice Example?"}),
        ]
        for name, arguments in asked:
            told = str(remote(name, **arguments))
            assert "people/hidden" not in told, name
            assert "MARKER" not in told, name
        assert "MARKER" in str(local("think", question="Who works with Alice Example?"))

    def test_nobody_else_writes_or_deletes_one(self, local: Asker, remote: Asker) -> None:
        for name, asked in (
            ("put_page", {"content": "Now public.\n"}),
            ("delete_page", {}),
            ("add_tag", {"tag": "x"}),
            ("add_timeline_entry", {"date": "2031", "summary": "x"}),
        ):
            with pytest.raises(BrainError):
                remote(name, slug="people/hidden", **asked)
        assert "MARKER" in local("get_page", slug="people/hidden")["compiled_truth"]
        assert remote("search", query="MARKER") == []


def test_the_table_of_facts_stays_in_the_file_whoever_writes_the_page(
    local: Asker, remote: Asker, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    local("sources_add", id="work", path=str(folder))
    here: dict[str, Any] = {"slug": ALICE, "source_id": "work"}
    local("put_page", content="# Alice\n\nRows.\n", **here)
    said(local, "likes tea", entity=ALICE, source_id="work")
    local("sweep")
    file = folder / f"{ALICE}.md"
    for ask, word in ((local, "Sails"), (remote, "Flies")):
        version = local("get_page", **here)["version"]
        ask("put_page", content=f"# Alice\n\n{word}.\n", expected_version=version, **here)
        assert word in file.read_text()
        assert "| 1 | likes tea |" in file.read_text()
    local("revert_version", version_id=1, **here)
    assert "Rows." in file.read_text()
    assert "| 1 | likes tea |" in file.read_text()
    assert texts(local("recall", source_id="work")) == ["likes tea"]


class TestMistakesAreTheCallers:
    def test_they_are_named_and_never_a_defect(self, local: Asker, page: Any) -> None:
        page(ALICE)
        asked: list[tuple[str, dict[str, Any], str]] = [
            ("list_pages", {"updated_after": "yesterday-ish"}, "invalid_params"),
            ("put_page", {"slug": "a/../b", "content": "x"}, "invalid_params"),
            ("add_link", {"from": ALICE, "to": "people/none"}, "not_found"),
            ("add_link", {"from": ALICE, "to": ALICE}, "invalid_params"),
            ("traverse_graph", {"slug": ALICE, "depth": 99}, "invalid_params"),
            ("traverse_graph", {"slug": ALICE, "depth": -1}, "invalid_params"),
            ("add_timeline_entry", {"slug": ALICE, "date": "2031-02-31", "summary": "x"}, "invalid_params"),
            ("add_timeline_entry", {"slug": ALICE, "date": "2031-02-01", "summary": " "}, "invalid_params"),
            ("sources_add", {"id": "Not One!"}, "invalid_params"),
            ("sources_add", {"id": "work", "path": "/nowhere/at/all"}, "invalid_params"),
            ("sources_remove", {"id": "nowhere"}, "not_found"),
            ("sync_brain", {}, "invalid_params"),
            ("sync_brain", {"source_id": "default"}, "invalid_params"),
        ]
        for name, arguments, code in asked:
            with pytest.raises(BrainError) as refused:
                local(name, **arguments)
            assert (refused.value.code, bool(refused.value.suggestion)) == (code, True), (name, arguments)

    def test_no_agent_takes_a_source_away(self, local: Asker, remote: Asker, page: Any) -> None:
        local("sources_add", id="work")
        local("put_page", slug="notes/a", content="A.\n", source_id="work")
        with pytest.raises(BrainError) as refused:
            remote("sources_remove", id="work", confirm_destructive=True)
        assert refused.value.code == "unknown_tool"
        assert local("get_page", slug="notes/a", source_id="work")["version"] == 1


class TestLinks:
    def test_a_link_into_another_source_leads_there_from_any_folder(self, local: Asker, page: Any) -> None:
        local("sources_add", id="gstack")
        local("put_page", slug="plans/x", content="X.\n", source_id="gstack")
        assert page("notes/a", "See [[gstack:plans/x]] now.\n")["auto_links"]["created"] == 1
        (edge,) = local("get_links", slug="notes/a", source_id="__all__")
        assert (edge["to_source_id"], edge["to_slug"]) == ("gstack", "plans/x")

    def test_a_reference_that_leads_nowhere_is_named_and_leads_there_later(self, local: Asker, page: Any) -> None:
        made = page("notes/a", "With [[people/nobody]] and [N](people/none).\n")["auto_links"]
        assert [row["name"] for row in made["unresolved"]] == ["people/nobody", "people/none"]
        page("people/nobody")
        assert [row["to_slug"] for row in local("get_links", slug="notes/a")] == ["people/nobody"]

    def test_what_stands_around_a_link_holds_no_row_of_facts(self, local: Asker, remote: Asker, page: Any) -> None:
        page("people/bob-sample")
        row = "| 1 | owes MARKER | fact | 1.0 | private | medium | 2026-11-29 | | user | |"
        fence = f"<!--- gbrain:facts:begin -->\n{row}\n<!--- gbrain:facts:end -->\n"
        page(ALICE, f"Works with [[people/bob-sample]]\n{fence}")
        for ask in (local, remote):
            (edge,) = ask("get_links", slug=ALICE)
            assert edge["context"] == "Works with people/bob-sample"
            assert "MARKER" not in str(ask("entity", name=ALICE))

    def test_a_sentence_types_its_own_link(self, local: Asker, page: Any) -> None:
        for slug in ("people/bob-sample", "companies/acme", "companies/beta"):
            page(slug)
        person, meeting = "type: person", "type: meeting"
        page(ALICE, "CEO of [[companies/acme]]. She invested in [[companies/beta]].\n", person)
        page("people/reed", "He does not work at [[companies/acme]].\n", person)
        page("meetings/m", "With [[people/bob-sample]] at [[companies/acme]].\n", meeting)
        found = {
            slug: {row["to_slug"]: row["link_type"] for row in local("get_links", slug=slug)}
            for slug in (ALICE, "people/reed", "meetings/m")
        }
        assert found == {
            ALICE: {"companies/acme": "works_at", "companies/beta": "invested_in"},
            "people/reed": {"companies/acme": "mentions"},
            "meetings/m": {"people/bob-sample": "attended", "companies/acme": "mentions"},
        }

    def test_reading_links_anew_takes_front_matter_in(self, local: Asker, page: Any) -> None:
        page("companies/acme")
        local("config_set", key="auto_link", value="off")
        page(ALICE, "Alice.\n", "type: person", "company: companies/acme")
        assert local("extract", what="links")["links_created"] == 1
        (edge,) = local("get_links", slug=ALICE)
        assert (edge["link_type"], edge["origin_field"]) == ("works_at", "company")
        assert local("extract", what="links")["links_created"] == 0

    def test_a_backlink_bears_the_day_and_the_words_of_what_it_tells_of(
        self, local: Asker, page: Any, clock: Any
    ) -> None:
        page("people/bob-sample", "Bob.\n", "title: Bob Sample")
        page("meetings/m", "With [[people/bob-sample]].\n", "type: meeting", "date: 2026-01-02")
        clock.move(days=30)
        (found,) = local("check_backlinks")["findings"]
        assert found["bullet"].startswith("- **2026-01-02** | Referenced in [M](../meetings/m.md) -- With ")
