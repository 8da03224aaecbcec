"""Files that were moved, and edited on the way: the page stays the same one, and is still found by its former slug."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from folder_notes import KINDS, Notes
from gbrain import Brain
from gbrain.errors import NotFound, VersionConflict


@pytest.fixture
def notes(brain: Brain, tmp_path: Path) -> Notes:
    return Notes(brain, tmp_path / "notes")


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "x")


class TestRenames:
    def test_a_renamed_file_takes_its_history_links_and_facts_along(self, notes: Notes, local: Any) -> None:
        old = notes.write("people/dana.md", "# Dana Oakes\n\nRows.\n")
        notes.write("b.md", "Other.\n")
        notes.sync()
        old.write_bytes(b"# Dana Oakes\n\nRows and swims.\n")
        notes.sync()
        store = notes.brain.store
        fact = notes.ask("remember", fact="likes tea", provenance="x", entity="people/dana")
        notes.ask("add_link", **{"from": "b", "to": "people/dana"})
        (notes.folder / "team").mkdir()
        old.rename(notes.folder / "team" / "dana-oakes.md")
        told = notes.sync()
        assert [told[kind] for kind in KINDS] == [0, 0, 1, 0]
        assert told["changes"] == [
            {
                "change": "renamed",
                "path": "team/dana-oakes.md",
                "slug": "team/dana-oakes",
                "before": "people/dana.md",
                "slug_before": "people/dana",
            }
        ]
        assert [row["content"] for row in notes.versions("team/dana-oakes")][-1] == "# Dana Oakes\n\nRows.\n"
        page = notes.get("people/dana")
        assert (page["slug"], page["moved_from"]) == ("team/dana-oakes", "people/dana")
        links = notes.ask("get_backlinks", slug="team/dana-oakes")
        assert [link["from_slug"] for link in links] == ["b"]
        assert store.engine.rows("select entity_slug from facts where id = :id", {"id": int(fact["id"])}) == [
            {"entity_slug": "team/dana-oakes"}
        ]
        assert notes.counts() == (0, 0, 0, 0)

    def test_links_that_name_the_former_slug_still_lead_there(self, notes: Notes) -> None:
        old = notes.write("people/dana.md", "# Dana Oakes\n")
        notes.write("a.md", "With [[people/dana]].\n")
        notes.write("people/z.md", "See [her](dana.md).\n")
        notes.sync()
        moved = old.rename(notes.folder / "people" / "dana-m.md")
        change = notes.sync()["changes"][0]
        assert (change["change"], change["slug_before"]) == ("renamed", "people/dana")
        notes.write("later.md", "Again with [[people/dana]].\n")
        notes.sync()
        assert notes.ask("list_unresolved_links") == []
        backlinks = notes.ask("get_backlinks", slug="people/dana")
        assert sorted(link["from_slug"] for link in backlinks) == ["a", "later", "people/z"]
        moved.rename(notes.folder / "people" / "third.md")
        notes.sync()
        assert notes.get("people/dana")["slug"] == notes.get("people/dana-m")["slug"] == "people/third"
        assert len(notes.ask("get_backlinks", slug="people/third")) == 3

    def test_every_read_follows_a_former_slug(self, notes: Notes) -> None:
        old = notes.write(
            "people/dana.md", "---\ntags: [boats]\n---\n# Dana Oakes\n\n## Timeline\n\n- **2031-03-02** | Won.\n"
        )
        notes.write("b.md", "See [[people/dana]].\n")
        notes.sync()
        notes.ask("remember", fact="likes tea", provenance="x", entity="people/dana")
        old.rename(notes.folder / "people" / "d.md")
        notes.sync()
        for name in ("get_backlinks", "get_timeline", "get_tags", "get_versions", "traverse_graph"):
            assert notes.ask(name, slug="people/dana") == notes.ask(name, slug="people/d") != [], name
        assert notes.ask("fetch", id="people/dana")["id"] == "work:people/d"
        assert notes.ask("get_page", slug="people/dana", fuzzy=True)["resolved_slug"] == "people/d"
        assert notes.ask("entity", name="people/dana")["card"]["entity"]["slug"] == "people/d"
        assert len(notes.ask("recall", entity="people/dana")["facts"]) == 1
        fact = notes.ask("remember", fact="likes rain", provenance="x", entity="people/dana")
        rows = notes.brain.store.engine.rows("select entity_slug from facts where id = :id", {"id": int(fact["id"])})
        assert rows[0]["entity_slug"] == "people/d"

    def test_a_write_to_a_former_slug_is_told_the_new_one(self, notes: Notes) -> None:
        old = notes.write("a.md", "# One\n")
        notes.sync()
        old.rename(notes.folder / "b.md")
        with pytest.raises(VersionConflict, match="called 'b' now"):
            notes.ask("put_page", slug="a", content="# One, mine\n", expected_version=1)
        with pytest.raises(NotFound, match="called 'b' now"):
            notes.ask("delete_page", slug="a")
        notes.ask("put_page", slug="a", content="# Another\n", expected_version=0)
        assert (notes.get("a")["title"], notes.get("b")["title"]) == ("Another", "One")
        (notes.folder / "a.md").unlink()
        notes.sync()
        with pytest.raises(NotFound, match="deleted"):
            notes.get("a")

    def test_what_is_private_is_not_told_by_its_former_slug(self, notes: Notes, remote: Any) -> None:
        old = notes.write("a.md", "---\nvisibility: private\n---\n# One\n")
        notes.sync()
        old.rename(notes.folder / "b.md")
        notes.sync()
        assert notes.get("a")["slug"] == "b"
        with pytest.raises(NotFound) as seen:
            remote("get_page", slug="a")
        with pytest.raises(NotFound) as never:
            remote("get_page", slug="z")
        assert seen.value.message.replace("'a'", "'z'") == never.value.message

    def test_links_by_a_former_slug_come_back_with_the_page(self, notes: Notes) -> None:
        old = notes.write("a.md", "# One\n")
        notes.write("c.md", "With [[a]].\n")
        notes.sync()
        moved = old.rename(notes.folder / "b.md")
        notes.sync()
        text = moved.read_text()
        moved.unlink()
        notes.sync()
        assert notes.ask("get_links", slug="c") == []
        moved.write_text(text)
        notes.sync()
        assert [link["to_slug"] for link in notes.ask("get_links", slug="c")] == ["b"]

    @pytest.mark.parametrize("others", [0, 60])
    @pytest.mark.parametrize("begun", [False, True])
    def test_a_brain_made_anew_knows_from_git_what_pages_were_called(
        self, notes: Notes, others: int, begun: bool
    ) -> None:
        for number in range(others):
            notes.write(f"n{number}.md", f"{number}\n")
        place = notes.folder / "sub"
        notes.write("sub/Dana Öakes.md", "# Dana Oakes\n\nRows on Sundays.\n")
        notes.write("sub/a.md", "With [[sub/dana-oakes]] and [her](dana-oakes.md).\n")
        notes.write("sub/taken.md", "# Another\n\nText of its own.\n")
        git(notes.folder, "init", "-q")
        commit(notes.folder)
        git(place, "mv", "Dana Öakes.md", "dana.md")
        commit(notes.folder)
        git(place, "mv", "taken.md", "moved.md")
        notes.write("sub/dana.md", "# Dana Oakes\n\nRows on Sundays. Swims.\n")
        commit(notes.folder)
        git(place, "mv", "dana.md", "d.md")
        notes.write("sub/taken.md", "# Here again\n")
        commit(notes.folder)
        if begun:
            # As a first sync leaves it that was broken off.
            notes.sync(paths=["sub/d.md"])
        notes.sync()
        assert notes.get("sub/dana-oakes")["moved_from"] == "sub/dana-oakes"
        assert notes.get("sub/dana-oakes")["slug"] == notes.get("sub/dana")["slug"] == "sub/d"
        assert notes.get("sub/taken")["title"] == "Here again"
        assert notes.ask("list_unresolved_links") == []
        assert [link["from_slug"] for link in notes.ask("get_backlinks", slug="sub/d")] == ["sub/a"]

    def test_renamed_and_edited(self, notes: Notes) -> None:
        text = "# Dana Oakes\n\nRows on Sundays.\n\nLives in Bergen. Has a boat.\n"
        old = notes.write("people/dana.md", text)
        notes.write("a.md", "With [[people/dana]].\n")
        notes.sync()
        old.unlink()
        notes.write("team/oakes.md", text.replace("Bergen", "Oslo"))
        dry = notes.sync(dry_run=True)
        told = notes.sync()
        assert dry["changes"][0]["change"] == told["changes"][0]["change"] == "renamed"
        assert [told[kind] for kind in KINDS] == [0, 0, 1, 0]
        assert [row["content"] for row in notes.versions("people/dana")] == [text.replace("Bergen", "Oslo"), text]
        assert [link["from_slug"] for link in notes.ask("get_backlinks", slug="team/oakes")] == ["a"]
        assert notes.counts() == (0, 0, 0, 0)

    @pytest.mark.parametrize(
        ("gone", "new"),
        [
            # Little of it is left.
            (["# Dana\n\nRows on Sundays.\n\nBergen.\n"], ["# Dana\n\nNothing of it all stayed here.\n"]),
            # Two that it could be.
            (["One and the same.\n\nA.\n", "One and the same.\n\nB.\n"], ["One and the same.\n\nC.\n"]),
            # Two that could be it.
            (["One and the same.\n\nA.\n"], ["One and the same.\n\nB.\n", "One and the same.\n\nC.\n"]),
            # Made to one pattern, about two people.
            (["# Dana Oakes\n\n## What we know\n\n## Open\n"], ["# Mira Sol\n\n## What we know\n\n## Open\n"]),
        ],
    )
    def test_what_may_be_another_page_is_one(self, notes: Notes, gone: list[str], new: list[str]) -> None:
        for number, text in enumerate(gone):
            notes.write(f"old{number}.md", text)
        notes.sync()
        for number in range(len(gone)):
            (notes.folder / f"old{number}.md").unlink()
        for number, text in enumerate(new):
            notes.write(f"new{number}.md", text)
        assert notes.counts() == (len(new), 0, 0, len(gone))
        assert notes.get("new0")["version"] == 1

    def test_what_is_moved_as_it_was_is_told_first(self, notes: Notes) -> None:
        text = "# Plan\n\nMeet at the harbour at noon.\n\nBring rope.\n"
        old = notes.write("plan.md", text)
        notes.sync()
        old.rename(notes.folder / "z-plan.md")
        notes.write("a-copy.md", text.replace("rope", "oars"))
        assert notes.counts() == (1, 0, 1, 0)
        assert notes.get("plan")["slug"] == "z-plan"

    def test_onto_a_slug_that_had_a_page(self, notes: Notes) -> None:
        first, second = notes.write("a.md", "A.\n"), notes.write("b.md", "B.\n")
        notes.sync()
        second.unlink()
        notes.sync()
        first.rename(notes.folder / "b.md")
        assert notes.counts() == (0, 0, 1, 0)
        assert [row["content"] for row in notes.versions("b")] == ["A.\n", "B.\n"]
        with pytest.raises(NotFound):
            notes.get("a")

    def test_files_that_change_places(self, notes: Notes) -> None:
        first, second = notes.write("a.md", "A.\n"), notes.write("b.md", "B.\n")
        notes.sync()
        first.rename(notes.folder / "c.md")
        second.rename(first)
        (notes.folder / "c.md").rename(notes.folder / "b.md")
        notes.sync()
        assert (notes.get("a")["compiled_truth"], notes.get("b")["compiled_truth"]) == ("B.", "A.")

    def test_another_case_of_the_name_is_the_same_page(self, notes: Notes) -> None:
        file = notes.write("Notes/One.md", "One.\n")
        notes.sync()
        (notes.folder / "notes").mkdir()
        file.rename(notes.folder / "notes" / "one.md")
        notes.sync()
        assert notes.get("notes/one")["version"] == 1
        assert set(notes.brain.store.files.all("work")) == {"notes/one.md"}
