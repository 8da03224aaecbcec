"""A source brought up to its folder: what each kind of change does, and what is left alone."""

import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from folder_notes import Notes
from gbrain import Brain, Caller, registry
from gbrain.domain.places import Selection
from gbrain.errors import InvalidParams, NotFound, UnknownTool


@pytest.fixture
def notes(brain: Brain, tmp_path: Path) -> Notes:
    return Notes(brain, tmp_path / "notes")


class TestChanges:
    def test_new_files_become_pages_and_are_found(self, notes: Notes) -> None:
        notes.write("people/Dana Oakes.md", "---\ntitle: Dana Oakes\ntags: [rower]\n---\nRows at dawn.\n")
        notes.write("deep/er/note.MD", "# Mooring\n\nGreen rope.\n")
        told = notes.sync()
        assert told["status"] == "synced"
        assert [(one["change"], one["path"], one["slug"]) for one in told["changes"]] == [
            ("added", "deep/er/note.MD", "deep/er/note"),
            ("added", "people/Dana Oakes.md", "people/dana-oakes"),
        ]
        page = notes.get("people/dana-oakes")
        assert (page["title"], page["type"], page["tags"], page["version"]) == ("Dana Oakes", "person", ["rower"], 1)
        assert (page["source_kind"], page["source_uri"], page["modified_by"]) == (
            "file",
            "people/Dana Oakes.md",
            "file",
        )
        hits = notes.ask("search", query="green rope")
        assert [hit["slug"] for hit in hits] == ["deep/er/note"]

    def test_items_of_a_timeline_that_are_no_entries_are_counted(self, notes: Notes) -> None:
        def told() -> list[str]:
            reply = notes.brain.ask(Caller.local("cli"), "sync_brain", {"source_id": "work"})
            assert reply.value["status"] == "ok"
            return [one["message"] for one in reply.warnings if one["code"] == "undated_items"]

        plain = "- 2031-03-01 met\n- 2031-03-02: left\n- **2031-03-03**: back\n"
        notes.write("a.md", f"# A\n\n- 2031-02-28 no timeline yet\n\n## Timeline\n\n- **2031-03-30** | Met\n{plain}")
        notes.write("b.md", f"# B\n\n## Notes\n\n{plain}")
        [said] = told()
        assert said.startswith("work: items under ## Timeline that are no entries: 3;")
        assert "`- **2031-03-30** | " in said
        assert said.endswith("gbrain lint --source work")
        assert told() == []

    def test_a_second_sync_writes_nothing(self, notes: Notes) -> None:
        for number in range(5):
            notes.write(f"n{number}.md", f"Note {number}.\n")
        notes.sync()
        before, rows = notes.change_number(), notes.brain.store.files.all("work")
        told = notes.sync()
        assert (told["status"], told["unchanged"], told["changes"]) == ("up_to_date", 5, [])
        assert (notes.change_number(), notes.brain.store.files.all("work")) == (before, rows)

    def test_a_changed_file_is_the_next_version_byte_for_byte(self, notes: Notes) -> None:
        file = notes.write("a.md", "---\ntitle: A # kept\n---\r\nOne.  \r\n")
        notes.sync()
        file.write_bytes(b"---\ntitle: A # kept\n---\r\nTwo.  \r\n")
        assert notes.counts() == (0, 1, 0, 0)
        assert [row["content"] for row in notes.versions("a")] == [
            "---\ntitle: A # kept\n---\r\nTwo.  \r\n",
            "---\ntitle: A # kept\n---\r\nOne.  \r\n",
        ]

    def test_a_change_of_bytes_alone_is_kept_too(self, notes: Notes) -> None:
        file = notes.write("a.md", "---\ntitle: A\n---\nOne.\n")
        notes.sync()
        file.write_bytes(b"---\ntitle: 'A'\n---\n\nOne.\n")
        assert notes.counts() == (0, 1, 0, 0)
        assert notes.versions("a")[0]["content"] == "---\ntitle: 'A'\n---\n\nOne.\n"

    def test_a_file_that_only_looks_changed_is_no_change(self, notes: Notes) -> None:
        file = notes.write("a.md", "One.\n")
        notes.sync()
        os.utime(file, (1, 1))
        assert notes.counts() == (0, 0, 0, 0)

    def test_full_reads_what_looks_unchanged(self, notes: Notes) -> None:
        file = notes.write("a.md", "One.\n")
        notes.sync()
        held = file.stat()
        file.write_bytes(b"Two.\n")
        os.utime(file, ns=(held.st_atime_ns, held.st_mtime_ns))
        assert notes.counts() == (0, 0, 0, 0)
        assert notes.counts(full=True) == (0, 1, 0, 0)

    def test_a_dry_run_tells_and_changes_nothing(self, notes: Notes) -> None:
        notes.write("a.md", "One.\n")
        assert notes.counts(dry_run=True) == (1, 0, 0, 0)
        assert notes.brain.store.files.all("work") == {}
        with pytest.raises(NotFound):
            notes.get("a")
        assert notes.counts() == (1, 0, 0, 0)


class TestRemovals:
    def test_a_removed_file_deletes_its_page_so_that_it_comes_back(self, notes: Notes) -> None:
        file = notes.write("a.md", "One.\n")
        notes.write("b.md", "Two.\n")
        notes.sync()
        file.unlink()
        assert notes.counts() == (0, 0, 0, 1)
        with pytest.raises(NotFound):
            notes.get("a")
        notes.write("a.md", "One again.\n")
        assert notes.counts() == (1, 0, 0, 0)
        assert [row["content"] for row in notes.versions("a")] == ["One again.\n", "One.\n"]

    def test_what_never_came_from_a_file_stays(self, notes: Notes) -> None:
        view = registry.context(notes.brain, Caller.local(), source="work")
        from gbrain.sources.pages import read_draft

        draft = read_draft("kept", "Written here.", view.now)
        notes.brain.store.pages.write(view.view, "work", draft, by="x", reason=None, expected=None, blind=True)
        notes.write("a.md", "One.\n")
        notes.sync()
        (notes.folder / "a.md").unlink()
        assert notes.counts() == (0, 0, 0, 1)
        assert notes.get("kept")["version"] == 1

    @pytest.mark.parametrize(("total", "gone", "held"), [(60, 6, False), (20, 6, True), (300, 51, True), (8, 5, False)])
    def test_many_at_once_are_held_back_until_they_are_confirmed(
        self, notes: Notes, total: int, gone: int, held: bool
    ) -> None:
        for number in range(total):
            notes.write(f"n{number}.md", f"Note {number}.\n")
        notes.sync()
        for number in range(gone):
            (notes.folder / f"n{number}.md").unlink()
        notes.write("new.md", "New.\n")
        told = notes.sync()
        assert (told["added"], told["removed"], told["held_back"]) == ((1, 0, gone) if held else (1, gone, 0))
        assert told["status"] == ("partial" if held else "synced")
        if held:
            assert "--confirm-removals" in told["troubles"][0]["hint"]
            assert notes.get("n0")["version"] == 1
            assert notes.counts(confirm_removals=True) == (0, 0, 0, gone)

    def test_a_folder_that_is_not_there_removes_nothing(self, notes: Notes) -> None:
        notes.write("a.md", "One.\n")
        notes.sync()
        notes.folder.rename(notes.folder.with_name("elsewhere"))
        told = notes.sync(confirm_removals=True)
        assert (told["status"], told["removed"]) == ("failed", 0)
        assert notes.get("a")["version"] == 1

    def test_the_page_of_the_same_slug_in_another_source_stays(self, notes: Notes, tmp_path: Path, local: Any) -> None:
        other = tmp_path / "blue"
        other.mkdir()
        notes.brain.sources_add(id="blue", path=str(other))
        for folder in (notes.folder, other):
            (folder / "README.md").write_text("Read me.\n")
            (folder / "more.md").write_text("More.\n")
        assert notes.brain.sync_brain(all=True)["status"] == "ok"
        (notes.folder / "README.md").unlink()
        assert notes.brain.sync_brain(source_id="work")["sources"][0]["removed"] == 1
        assert notes.brain.get_page(slug="readme", source_id="blue")["version"] == 1
        with pytest.raises(NotFound):
            notes.get("readme")
        assert notes.ask("restore_page", slug="readme")["status"] == "restored"


class TestTroubles:
    def test_headers_from_the_real_world(self, notes: Notes) -> None:
        texts = {
            "a.md": b"---\ntitle: Re: harbour walk with alice-example\n---\nA.\n",
            "b.md": b"---\ntitle: B\nhome: `C:\\lantern\\notes`\n---\nB.\n",
            "c.md": b"\xef\xbb\xbf---\r\ntitle: C\r\n---\r\nC.\r\n",
            "d.md": b"---\ntitle: D\n---",
            "e.md": b"---\n\nA rule, and no header.\n",
            "f.md": b"---\ntags: lantern\n---\nF.\n",
            "f2.md": b'---\ntags: "[a, b]"\n---\nF2.\n',
            "g.md": b"---\ntitle: G\ntags: [x, y]\n---\nG.\n",
        }
        for path, data in texts.items():
            notes.write(path, data)
        reply = notes.brain.sync_brain(source_id="work")
        assert (reply["status"], reply["sources"][0]["status"]) == ("partial", "partial")
        assert [(one["path"], one["line"]) for one in reply["sources"][0]["troubles"]] == [("a.md", 2), ("b.md", 3)]
        titles = {slug: notes.get(slug)["title"] for slug in "abcdg"}
        assert titles == {"a": "Re: harbour walk with alice-example", "b": "B", "c": "C", "d": "D", "g": "G"}
        assert notes.get("e")["compiled_truth"].startswith("---\n\nA rule")
        assert [notes.get(slug)["tags"] for slug in ("f", "f2", "g")] == [["lantern"], ["[a, b]"], ["x", "y"]]
        before = notes.change_number()
        again = notes.sync()
        assert (again["status"], again["changes"], notes.change_number()) == ("partial", [], before)
        notes.write("b.md", b"---\ntitle: B\nhome: '`C:\\lantern\\notes`'\n---\nB.\n")
        mended = notes.sync()
        assert [one["path"] for one in mended["changes"]] == ["b.md"]
        assert [one["path"] for one in mended["troubles"]] == ["a.md"]
        for path, data in texts.items():
            assert path == "b.md" or (notes.folder / path).read_bytes() == data

    def test_a_bad_file_is_named_and_holds_nothing_back(self, notes: Notes) -> None:
        notes.write("bad.md", b"---\n\tx: [\n---\nBad.\n")
        notes.write("latin.md", b"Gr\xfc\xdfe\n")
        notes.write("nul.md", b"a\0b")
        notes.write("long.md", b"x" * (4 * 1024 * 1024 + 1))
        notes.write("...md", b"hidden\n")
        notes.write("!!!.md", b"No name.\n")
        notes.write("good.md", b"Good.\n")
        told = notes.sync()
        assert (told["added"], told["skipped"], told["status"]) == (1, 5, "partial")
        assert [one["path"] for one in told["troubles"]] == ["!!!.md", "bad.md", "latin.md", "long.md", "nul.md"]
        assert all(one["message"] and one["hint"] for one in told["troubles"])

    def test_a_page_whose_file_turns_bad_stays_as_it_was(self, notes: Notes) -> None:
        file = notes.write("a.md", "---\ntitle: A\n---\nOne.\n")
        notes.sync()
        file.write_bytes(b"---\n\tx: [\n---\nTwo.\n")
        assert notes.sync()["status"] == "partial"
        assert notes.get("a")["compiled_truth"] == "One."
        assert notes.sync()["status"] == "partial"
        file.write_bytes(b"---\ntitle: A\n---\nTwo.\n")
        assert notes.sync()["status"] == "synced"
        assert notes.get("a")["compiled_truth"] == "Two."

    def test_an_unfinished_merge_is_named_and_read(self, notes: Notes) -> None:
        marks = "<<<<<<< HEAD\r\nOurs.\r\n=======\r\nTheirs.\r\n>>>>>>> 7ce2d71\r\n"
        notes.write("a.md", f"---\r\ntitle: A\r\n---\r\nText.\r\n{marks}")
        notes.write("b.md", f"How git says it:\n\n```\n{marks}```\n\n<<<<<<< is no conflict\n")
        told = notes.sync()
        assert told["status"] == "partial"
        assert [(one["path"], one["line"]) for one in told["troubles"]] == [("a.md", 5)]
        assert "Theirs." in notes.get("a")["compiled_truth"]
        notes.write("a.md", "Ours and theirs.\n")
        assert notes.sync()["status"] == "synced"

    def test_two_files_of_one_slug_are_both_named(self, notes: Notes) -> None:
        composed, decomposed = (unicodedata.normalize(form, "Grüße.md") for form in ("NFC", "NFD"))
        notes.write(composed, "One form.\n")
        notes.write(decomposed, "The other.\n")
        told = notes.sync()
        assert (told["added"], told["skipped"], told["status"]) == (1, 1, "partial")
        [trouble] = told["troubles"]
        assert {unicodedata.normalize("NFC", trouble["path"])} == {composed}
        assert trouble["path"] not in trouble["message"]
        assert any(form in trouble["message"] for form in (composed, decomposed))
        assert notes.sync()["changes"] == []
        kept = decomposed if trouble["path"] == composed else composed
        (notes.folder / kept).unlink()
        assert notes.sync()["status"] == "synced"
        assert len(notes.versions("gruße")) == 2

    @pytest.mark.parametrize(
        "name", ["林小满.md", "مرسى.md", "Причал.md", "ก ข.md", "café/naïve.md", "a\nb.md", "x" * 200 + ".md"]
    )
    def test_names_of_many_scripts(self, notes: Notes, name: str) -> None:
        notes.write(name, "Text.\n")
        told = notes.sync()
        assert (told["added"], told["status"]) == (1, "synced")
        assert notes.get(told["changes"][0]["slug"])["version"] == 1

    def test_names_that_are_no_text(self, notes: Notes) -> None:
        with open(os.fsencode(notes.folder) + b"/gr\xfcn.md", "wb") as file:
            file.write(b"Text.\n")
        notes.write("good.md", "Good.\n")
        told = notes.sync()
        assert (told["added"], told["skipped"]) == (1, 1)
        assert "UTF-8" in told["troubles"][0]["message"]


class TestLinks:
    def test_links_are_followed_inside_the_folder_alone(self, notes: Notes, tmp_path: Path) -> None:
        secret = tmp_path / "secret.md"
        secret.write_text("MARKER\n")
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside" / "x.md").write_text("MARKER\n")
        notes.write("real/a.md", "A.\n")
        (notes.folder / "alias.md").symlink_to("real/a.md")
        (notes.folder / "leak.md").symlink_to(secret)
        (notes.folder / "dir").symlink_to(tmp_path / "outside")
        (notes.folder / "loop").symlink_to(".")
        (notes.folder / "self.md").symlink_to("self.md")
        (notes.folder / "nowhere.md").symlink_to("gone.md")
        (notes.folder / "nowhere").symlink_to("gone")
        told = notes.sync()
        assert [one["slug"] for one in told["changes"]] == ["alias", "real/a"]
        assert [one["path"] for one in told["troubles"]] == ["dir", "leak.md", "nowhere.md", "self.md"]
        rows = notes.brain.store.engine.rows("select content from page_versions")
        assert not any("MARKER" in row["content"] for row in rows)


class TestWhoAndWhat:
    def test_the_source_with_a_folder_is_meant_where_none_is_named(self, notes: Notes) -> None:
        notes.brain.selection = Selection(flag="default")
        assert [one["source_id"] for one in notes.brain.sync_brain()["sources"]] == ["work"]

    def test_what_cannot_be_synced_is_refused(self, notes: Notes, local: Any) -> None:
        with pytest.raises(InvalidParams, match="no folder"):
            local("sync_brain", source_id="default")
        with pytest.raises(NotFound):
            local("sync_brain", source_id="nope")
        with pytest.raises(InvalidParams):
            local("sync_brain", source_id="work", all=True)

    def test_no_source_has_a_folder(self, brain: Brain) -> None:
        with pytest.raises(InvalidParams, match="no source has a folder"):
            brain.sync_brain()

    def test_agents_do_not_see_it(self, notes: Notes, remote: Any) -> None:
        with pytest.raises(UnknownTool):
            remote("sync_brain")
