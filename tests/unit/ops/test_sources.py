"""Sources: adding, listing, and who may."""

from pathlib import Path
from typing import Any

import pytest

from gbrain import Brain, Caller, registry
from gbrain.errors import InvalidParams, NotFound, ScopeDenied, UnknownTool


def ids(reply: Any) -> list[str]:
    return [row["id"] for row in reply["sources"]]


class TestAdd:
    def test_a_source_without_a_folder(self, local: Any) -> None:
        assert local("sources_add", id="work") == {
            "id": "work",
            "name": "work",
            "local_path": None,
            "federated": None,
            "default": False,
            "page_count": 0,
            "unnamed": "default",
        }
        assert ids(local("sources_list")) == ["default", "work"]

    def test_a_source_with_a_folder_and_a_name(self, local: Any, tmp_path: Path) -> None:
        folder = tmp_path / "notes"
        folder.mkdir()
        made = local("sources_add", id="work", path=str(folder), name="  Work  notes ", federated=True)
        assert made["local_path"] == str(folder.resolve())
        assert (made["name"], made["federated"]) == ("Work notes", True)

    def test_twice_is_refused(self, local: Any) -> None:
        local("sources_add", id="work")
        with pytest.raises(InvalidParams, match="already"):
            local("sources_add", id="work")

    @pytest.mark.parametrize("id", ["__all__", "*", "../x", "Work", "x" * 200, " "])
    def test_what_is_no_id_is_refused(self, local: Any, id: str) -> None:
        with pytest.raises(InvalidParams):
            local("sources_add", id=id)
        assert ids(local("sources_list")) == ["default"]

    def test_folders_never_lie_in_each_other(self, local: Any, tmp_path: Path) -> None:
        (tmp_path / "notes" / "inner").mkdir(parents=True)
        (tmp_path / "notes-2").mkdir()
        local("sources_add", id="work", path=str(tmp_path / "notes"))
        for path in (tmp_path / "notes", tmp_path / "notes" / "inner", tmp_path):
            with pytest.raises(InvalidParams, match="'work'"):
                local("sources_add", id="other", path=str(path))
        assert local("sources_add", id="other", path=str(tmp_path / "notes-2"))["local_path"]

    def test_a_folder_has_to_be_there(self, local: Any, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        for path in (tmp_path / "none", tmp_path / "file"):
            with pytest.raises(InvalidParams, match="no folder"):
                local("sources_add", id="work", path=str(path))

    def test_an_agent_gives_no_folder(self, remote: Any, tmp_path: Path) -> None:
        with pytest.raises(ScopeDenied):
            remote("sources_add", id="work", path=str(tmp_path))
        assert remote("sources_add", id="work")["id"] == "work"

    def test_whoever_is_held_to_sources_adds_none_and_learns_none(self, brain: Brain, local: Any) -> None:
        local("sources_add", id="payroll")
        held = Caller.http("h", frozenset({"read", "admin"}), ("default",))
        said = set()
        for id in ("payroll", "free"):
            with pytest.raises(ScopeDenied) as refused:
                registry.call(brain, held, "sources_add", {"id": id})
            said.add((refused.value.message, refused.value.suggestion))
        assert len(said) == 1


class TestList:
    def test_counts_are_what_the_caller_may_read(self, brain: Brain, local: Any, remote: Any, page: Any) -> None:
        local("sources_add", id="work")
        page("notes/open")
        page("notes/secret", "x", "visibility: private")
        counts = {
            caller: asked("sources_list")["sources"][0]["page_count"]
            for caller, asked in (("local", local), ("remote", remote))
        }
        assert counts == {"local": 2, "remote": 1}

    def test_only_granted_ones_are_there(self, brain: Brain, local: Any) -> None:
        local("sources_add", id="payroll")
        held = Caller.http("h", frozenset({"read"}), ("default",))
        assert ids(registry.call(brain, held, "sources_list").value) == ["default"]

    def test_folders_are_shown_on_this_machine_alone(self, local: Any, remote: Any, tmp_path: Path) -> None:
        local("sources_add", id="work", path=str(tmp_path))
        assert local("sources_list")["sources"][1]["local_path"] == str(tmp_path.resolve())
        assert remote("sources_list")["sources"][1]["local_path"] is None


def fill(local: Any, source: str, *slugs: str) -> None:
    for slug in slugs:
        local(
            "put_page",
            slug=slug,
            content=f"---\ntitle: {slug} of {source}\n---\nHarbour of {source}.\n",
            source_id=source,
        )


class TestG3:
    """The same slug in two sources."""

    @pytest.fixture
    def two(self, local: Any) -> Any:
        for source in ("red", "blue"):
            local("sources_add", id=source)
            fill(local, source, "readme", f"notes/{source}")
            local("add_link", **{"from": f"notes/{source}", "to": "readme", "source_id": source})
        return local

    def test_a_delete_touches_one_source(self, two: Any) -> None:
        two("delete_page", slug="readme", source_id="red")
        with pytest.raises(NotFound):
            two("get_page", slug="readme", source_id="red")
        assert two("search", query="readme", source_id="red") == []
        assert two("get_page", slug="readme", source_id="blue")["title"] == "readme of blue"
        assert [row["slug"] for row in two("search", query="readme", source_id="blue")] == ["readme"]
        assert [row["from_slug"] for row in two("get_backlinks", slug="readme", source_id="blue")] == ["notes/blue"]
        with pytest.raises(InvalidParams, match="the source red has"):
            two("restore_page", slug="readme")
        assert two("restore_page", slug="readme", source_id="red")["source_id"] == "red"
        assert two("get_page", slug="readme", source_id="red")["title"] == "readme of red"

    @pytest.mark.parametrize(
        ("name", "arguments"),
        [
            ("delete_page", {"slug": "readme"}),
            ("add_tag", {"slug": "readme", "tag": "x"}),
            ("remove_tag", {"slug": "readme", "tag": "x"}),
            ("add_timeline_entry", {"slug": "readme", "date": "2031-05-04", "summary": "x"}),
            ("revert_version", {"slug": "readme", "version_id": 1}),
            ("add_link", {"from": "notes/red", "to": "readme"}),
            ("remove_link", {"from": "readme", "to": "notes/red"}),
        ],
    )
    @pytest.mark.parametrize("who", ["local", "remote"])
    def test_a_write_with_no_source_is_refused_and_names_both(
        self, two: Any, remote: Any, name: str, arguments: dict[str, str], who: str
    ) -> None:
        before = two("list_pages", source_id="*", limit=20)
        with pytest.raises(InvalidParams) as refused:
            (two if who == "local" else remote)(name, **arguments)
        assert "readme" in refused.value.message or "notes/red" in refused.value.message
        assert "red" in refused.value.message
        if name not in ("add_link", "remove_link"):
            assert "blue" in refused.value.message
        assert "source_id: " in refused.value.suggestion
        assert two("list_pages", source_id="*", limit=20) == before
        for source in ("red", "blue"):
            assert two("get_tags", slug="readme", source_id=source) == []

    def test_only_sources_the_caller_may_use_are_named(self, brain: Brain, two: Any) -> None:
        held = Caller.http("h", frozenset({"read", "write"}), ("red", "default"))
        said = registry.call(brain, held, "delete_page", {"slug": "readme"})
        assert (said.value["source_id"], said.meta["sources"]) == ("red", ["default"])
        assert two("get_page", slug="readme", source_id="blue")["deleted_at"] is None

    def test_a_hidden_page_makes_nothing_unclear(self, brain: Brain, local: Any, remote: Any) -> None:
        local("sources_add", id="red")
        local("put_page", slug="readme", content="---\nvisibility: private\n---\nx", source_id="red")
        local("put_page", slug="readme", content="y", source_id="default")
        with pytest.raises(InvalidParams):
            local("delete_page", slug="readme")
        assert remote("delete_page", slug="readme")["source_id"] == "default"

    def test_a_deleted_page_makes_nothing_unclear(self, two: Any) -> None:
        two("delete_page", slug="readme", source_id="red")
        with pytest.raises(InvalidParams, match="blue"):
            two("delete_page", slug="readme")  # the only one, yet in a source that unnamed calls leave out
        two("sources_federate", id="blue")
        assert two("delete_page", slug="readme")["source_id"] == "blue"

    def test_a_file_that_no_sync_has_seen_counts(self, local: Any, page: Any, tmp_path: Any) -> None:
        page("readme", "Of the store.")
        local("sources_add", id="notes", path=str(tmp_path))
        (tmp_path / "readme.md").write_text("Of the folder.\n")
        with pytest.raises(InvalidParams, match="'readme'") as refused:
            local("delete_page", slug="readme")
        assert refused.value.detail["sources"] == ["default", "notes"]
        assert (tmp_path / "readme.md").read_text() == "Of the folder.\n"
        assert local("delete_page", slug="readme", source_id="default")["status"] == "soft_deleted"
        tmp_path.joinpath("only.md").write_text("Only here.\n")
        with pytest.raises(InvalidParams, match="notes"):
            local("delete_page", slug="only")


class TestReads:
    def test_unnamed_reads_take_the_federated_in(self, local: Any, page: Any) -> None:
        page("notes/home")
        for source in ("open", "shut"):
            local("sources_add", id=source, federated=source == "open")
            fill(local, source, f"notes/{source}")
            local("remember", fact=f"rows at {source}", provenance="x", entity=f"notes/{source}", source_id=source)
        reply = local.reply("list_pages")
        assert {row["slug"] for row in reply.value} == {"notes/home", "notes/open"}
        assert reply.meta["sources"] == ["default", "open"]
        assert {row["fact"] for row in local("recall")["facts"]} == {"rows at open"}
        assert {row["slug"] for row in local("list_pages", source_id="*")} == {"notes/home", "notes/open", "notes/shut"}
        local("sources_unfederate", id="open")
        assert local.reply("list_pages").meta["sources"] == ["default"]

    def test_what_a_source_was_told_of_a_name_meets_its_page_in_another(self, local: Any) -> None:
        local("sources_add", id="open", federated=True)
        text = "---\ntitle: Dana Oakes\naliases: [Dana]\n---\nRows.\n"
        local("put_page", slug="people/dana-oakes", content=text, source_id="open")
        boat = local("remember", fact="has a boat", provenance="x", entity="Dana Oakes")
        assert boat["entity_slug"] == "dana-oakes"
        local("remember", fact="sends the deck", provenance="x", entity="Dana Oakes", kind="commitment")
        told = ["sends the deck", "has a boat"]
        card = local("entity", name="dana")["card"]
        assert (card["entity"]["slug"], card["active_fact_count"]) == ("people/dana-oakes", 2)
        assert [thread["text"] for thread in card["open_threads"]] == told[:1]
        for name in ("dana", "Dana Oakes", "people/dana-oakes"):
            assert {row["fact"] for row in local("recall", entity=name)["facts"]} == set(told)
        pack = local("context_pack", entities="dana")
        assert {row["fact"] for row in pack["facts"]} == set(told)
        assert {row["slug"] for row in pack["open_threads"]} == {"people/dana-oakes"}
        local("sources_unfederate", id="open")
        assert local("recall", entity="dana")["facts"] == []

    def test_a_page_named_with_its_source_has_what_others_were_told_of_it(self, local: Any) -> None:
        local("sources_add", id="open", federated=True)
        text = "---\ntitle: Dana Oakes\n---\nRows.\n"
        local("put_page", slug="people/dana-oakes", content=text, source_id="open")
        named = "open:people/dana-oakes"
        local("remember", fact="rows", provenance="x", entity=named)
        local("remember", fact="has a boat", provenance="x", entity="Dana Oakes")
        reply = local.reply("recall", entity=named)
        assert {row["fact"] for row in reply.value["facts"]} == {"rows", "has a boat"}
        assert reply.meta["sources"] == ["default", "open"]
        assert local("entity", name=named)["card"]["active_fact_count"] == 2
        assert {row["fact"] for row in local("recall", entity=named, query="boat")["facts"]} == {"has a boat"}
        local("put_page", slug="people/dana-oakes", content=text, source_id="default")
        local("remember", fact="sings", provenance="x", entity="people/dana-oakes")
        assert [row["fact"] for row in local("recall", entity=named)["facts"]] == ["rows"]
        local("sources_unfederate", id="open")
        assert [row["fact"] for row in local("recall", entity=named)["facts"]] == ["rows"]

    def test_a_name_whose_page_another_source_has_is_told_so(self, local: Any, remote: Any, page: Any) -> None:
        page("people/dana-reed", "Rows.\n", "title: Dana Reed")
        local("sources_add", id="open", federated=True)
        header = "---\ntitle: Ana Reis\n---\nRows.\n"
        local("put_page", slug="people/ana-reis", content=header, source_id="open")
        said = {"fact": "has a boat", "provenance": "x", "entity": "Ana Reis"}
        for asker in (local, remote):
            note = asker.reply("remember", **said).warnings[0]
            assert (note["code"], note["candidates"]) == ("entity_elsewhere", ["open:people/ana-reis"])
        local("put_page", slug="people/ana", content=header, source_id="open")
        note = remote.reply("remember", **said).warnings[0]
        assert set(note["candidates"]) == {"open:people/ana-reis", "open:people/ana"}
        assert "joined to none of them" in note["message"]

    def test_what_a_writer_may_not_read_shapes_no_note(self, brain: Brain, local: Any, remote: Any) -> None:
        header = "---\ntitle: Ana Reis\n---\nRows.\n"
        hidden = header.replace("title", "visibility: private\ntitle")
        for source, federated in (("open", True), ("shut", None)):
            local("sources_add", id=source, federated=federated)
        local("put_page", slug="people/ana-reis", content=header, source_id="shut")
        local("put_page", slug="people/ana-reis", content=hidden, source_id="open")
        said = {"fact": "has a boat", "provenance": "x", "entity": "Ana Reis"}
        assert remote.reply("remember", **said).warnings == []
        writer = Caller.http(client="w", scopes=frozenset({"write"}), sources=("default", "shut"))
        assert registry.call(brain, writer, "remember", said).warnings == []

    def test_of_two_pages_the_own_one_is_read_and_the_other_named(self, local: Any, page: Any) -> None:
        local("sources_add", id="open", federated=True)
        fill(local, "open", "readme")
        assert local("get_page", slug="readme")["source_id"] == "open"
        local("put_page", slug="readme", content="x", source_id="default")
        reply = local.reply("get_page", slug="readme")
        assert reply.value["source_id"] == "default"
        assert [(note["code"], note["sources"]) for note in reply.warnings] == [("also_elsewhere", ["open"])]

    def test_a_write_never_shadows_the_page_that_was_read(self, local: Any) -> None:
        local("sources_add", id="open", federated=True)
        fill(local, "open", "readme")
        with pytest.raises(InvalidParams, match="'open'") as refused:
            local("put_page", slug="readme", content="x")
        assert "source_id: open" in refused.value.suggestion
        assert local("put_page", slug="readme", content="x", source_id="open")["version"] == 2
        assert local("put_page", slug="readme", content="x", source_id="default")["version"] == 1

    def test_an_id_that_names_its_source_is_fetched_from_there(self, local: Any) -> None:
        local("sources_add", id="shut")
        fill(local, "shut", "readme")
        assert local("fetch", id="shut:readme")["metadata"]["source_id"] == "shut"
        with pytest.raises(NotFound):
            local("fetch", id="readme")


class TestCurrent:
    def test_it_says_which_and_why(self, local: Any) -> None:
        reply = local("sources_current")
        assert (reply["source_id"], reply["tier"], reply["reads"]) == ("default", "seed_default", ["default"])
        assert [row["tier"] for row in reply["resolver_chain"]][-1] == "seed_default"
        local("sources_add", id="work")
        assert local("sources_default", id="work")["default"]
        assert local("sources_current")["tier"] == "brain_default"
        assert local("put_page", slug="a", content="x")["source_id"] == "work"

    def test_a_client_learns_of_its_grants_alone(self, brain: Brain, local: Any) -> None:
        local("sources_add", id="payroll")
        local("sources_default", id="payroll")
        held = Caller.http("h", frozenset({"read"}), ("default",))
        reply = registry.call(brain, held, "sources_current").value
        assert (reply["source_id"], reply["tier"], reply["reads"]) == ("default", "grant", ["default"])
        assert "payroll" not in str(reply)

    def test_a_folder_moves_nothing_that_is_kept(self, local: Any, tmp_path: Path) -> None:
        assert local("sources_add", id="work", path=str(tmp_path))["unnamed"] == "work"
        fill(local, "work", "a")
        assert local("sources_add", id="more")["unnamed"] == "work"
        assert local("sources_current")["source_id"] == "work"

    def test_a_brain_in_use_goes_on_writing_where_it_did(self, local: Any, page: Any, tmp_path: Path) -> None:
        page("a")
        assert local("sources_add", id="work", path=str(tmp_path))["unnamed"] == "default"
        assert local("sources_current")["tier"] == "brain_default"


class TestRename:
    def test_a_name_is_for_people(self, local: Any) -> None:
        local("sources_add", id="work")
        assert local("sources_rename", id="work", name="Work notes")["name"] == "Work notes"
        assert ids(local("sources_list")) == ["default", "work"]

    def test_a_new_id_takes_everything_along(self, local: Any) -> None:
        local("sources_add", id="work", federated=True)
        fill(local, "work", "readme")
        local("remember", fact="rows", provenance="x", entity="readme", source_id="work")
        local("auth_create", name="laptop", sources=["work", "default"])
        local("sources_default", id="work")
        reply = local("sources_rename", id="work", new_id="office")
        assert (reply["id"], reply["was"], reply["name"], reply["page_count"]) == ("office", "work", "office", 1)
        assert local("get_page", slug="readme")["source_id"] == "office"
        assert [row["slug"] for row in local("search", query="harbour")] == ["readme"]
        assert local("recall", entity="readme")["facts"][0]["fact"] == "rows"
        assert local("auth_list")["clients"][0]["sources"] == ["office", "default"]
        assert local("put_page", slug="readme", content="y")["version"] == 2

    @pytest.mark.parametrize(
        ("given", "kind"),
        [
            ({"id": "work"}, InvalidParams),
            ({"id": "work", "new_id": "default"}, InvalidParams),
            ({"id": "work", "new_id": "../x"}, InvalidParams),
            ({"id": "work", "new_id": "__all__"}, InvalidParams),
            ({"id": "default", "new_id": "other"}, InvalidParams),
            ({"id": "nope", "name": "x"}, NotFound),
            ({"id": "work", "name": "\x1b"}, InvalidParams),
        ],
    )
    def test_what_cannot_be_changes_nothing(self, local: Any, given: dict[str, str], kind: type[Exception]) -> None:
        local("sources_add", id="work")
        before = local("sources_list")
        with pytest.raises(kind):
            local("sources_rename", **given)
        assert local("sources_list") == before


class TestRemove:
    def test_what_would_go_is_told_first(self, local: Any) -> None:
        local("sources_add", id="work")
        fill(local, "work", "a", "b")
        local("remember", fact="rows", provenance="x", source_id="work")
        with pytest.raises(InvalidParams, match="2 pages, all their versions and 1 facts") as refused:
            local("sources_remove", id="work")
        assert refused.value.suggestion.endswith("gbrain sources remove work --yes")
        assert ids(local("sources_list")) == ["default", "work"]

    def test_it_takes_its_own_and_no_files(self, local: Any, page: Any, tmp_path: Path) -> None:
        (tmp_path / "kept.md").write_text("kept")
        page("a", "[[b]]")
        local("sources_add", id="work", path=str(tmp_path))
        fill(local, "work", "a", "b")
        local("auth_create", name="laptop", sources=["work"])
        gone = local("sources_remove", id="work", confirm_destructive=True)
        assert gone == {"id": "work", "pages_deleted": 2, "facts_deleted": 0, "local_path": str(tmp_path.resolve())}
        assert sorted(file.name for file in tmp_path.glob("*.md")) == ["a.md", "b.md", "kept.md"]
        assert local("get_page", slug="a")["source_id"] == "default"
        assert local("search", query="harbour", source_id="*") == []
        local("sources_add", id="work")
        assert local("auth_list")["clients"][0]["sources"] == [], "an old grant holds for no later source of the name"

    @pytest.mark.parametrize("id", ["default", "chosen"])
    def test_the_one_that_is_meant_stays(self, local: Any, id: str) -> None:
        local("sources_add", id="chosen")
        local("sources_default", id="chosen")
        with pytest.raises(InvalidParams, match="cannot be removed"):
            local("sources_remove", id=id, confirm_destructive=True)

    def test_an_empty_one_goes_without_a_word(self, local: Any) -> None:
        local("sources_add", id="work")
        assert local("sources_remove", id="work")["pages_deleted"] == 0


@pytest.mark.parametrize("name", ["rename", "remove", "federate", "unfederate", "default"])
def test_agents_change_no_sources(remote: Any, name: str) -> None:
    with pytest.raises(UnknownTool):
        remote(f"sources_{name}", id="default")
