"""Pages written through to their files: which bytes change, what an editor saved meanwhile, where the walls are."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gbrain import Brain, Caller, registry
from gbrain.domain.places import Selection
from gbrain.errors import InvalidParams, NotFound, ScopeDenied, Unavailable, VersionConflict
from gbrain.ops.folders.mirror import Mirror
from gbrain.types import Written

PERSON = b"\xef\xbb\xbf---\r\n# mine\r\ntitle: A # as I write it\r\ntags: [x]\r\n---\r\n\r\nOne.  \r\nTwo\r\n"


class Desk:
    """A source `work` with a folder, written to by agents and by an editor."""

    def __init__(self, brain: Brain, folder: Path) -> None:
        self.brain = brain
        self.folder = folder
        folder.mkdir()
        brain.sources_add(id="work", path=str(folder))
        brain.selection = Selection(flag="work")

    def ask(self, name: str, /, caller: Caller | None = None, **arguments: Any) -> Any:
        return self.brain.call(name, arguments, caller=caller)

    def put(self, slug: str, content: str, **more: Any) -> Any:
        return self.ask("put_page", slug=slug, content=content, **more)

    def edit(self, path: str, data: str | bytes) -> None:
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_bytes(data if isinstance(data, bytes) else data.encode())

    def bytes(self, path: str) -> bytes:
        return (self.folder / path).read_bytes()

    def sync(self) -> Any:
        return self.ask("sync_brain", source_id="work")["sources"][0]

    def text(self, slug: str) -> str:
        rows = self.ask("get_versions", slug=slug, include_content=True)
        content: str = rows[0]["content"]
        return content

    def files(self) -> list[str]:
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file())


AGENT = Caller.stdio(client="agent-example")


@pytest.fixture
def desk(brain: Brain, tmp_path: Path) -> Desk:
    return Desk(brain, tmp_path / "notes")


def test_a_new_file_goes_where_its_folder_is_however_that_is_spelt(desk: Desk) -> None:
    for path in ("Notes/Größe/a.md", "two/a.md", "Two/b.md", ".Old/c.md"):
        desk.edit(path, "Text.\n")
    desk.sync()
    for slug in ("notes/grosse/new", "notes/plain", "two/new", "TWO/other", "old/new", "root"):
        desk.put(slug, "New.\n", expected_version=0)
    made = {path for path in desk.files() if "New." in (desk.folder / path).read_text()}
    assert made == {"Notes/Größe/new.md", "Notes/plain.md", "two/new.md", "two/other.md", "old/new.md", "root.md"}
    assert desk.sync()["status"] == "up_to_date"
    assert desk.ask("get_page", slug="notes/grosse/new")["version"] == 1


def test_a_file_that_went_comes_back_where_it_was(desk: Desk) -> None:
    desk.edit("Notes/a.md", "Text.\n")
    desk.sync()
    (desk.folder / "Notes" / "a.md").unlink()
    desk.put("notes/a", "Said by an agent.\n")
    assert desk.files() == ["Notes/a.md"]
    assert desk.sync()["status"] == "up_to_date"


class TestWhatIsWritten:
    def test_a_new_page_is_a_new_file(self, desk: Desk) -> None:
        reply = desk.put("people/dana-oakes", "# Dana Oakes\n\nRows.\n")
        assert reply["write_through"] == {"written": True, "path": str(desk.folder / "people" / "dana-oakes.md")}
        assert desk.bytes("people/dana-oakes.md") == b"# Dana Oakes\n\nRows.\n"
        assert (desk.sync()["status"], desk.files()) == ("up_to_date", ["people/dana-oakes.md"])

    def test_an_agent_is_not_told_where_the_folder_is(self, desk: Desk) -> None:
        reply = desk.put("a", "A.\n", caller=AGENT)
        assert reply["write_through"] == {"written": True, "path": "a.md"}

    def test_a_page_that_was_got_and_comes_back_keeps_every_byte_it_did_not_change(self, desk: Desk) -> None:
        desk.edit("a.md", PERSON)
        desk.sync()
        page = desk.ask("fetch", id="a")["text"]
        assert desk.put("a", page)["status"] == "skipped"
        assert desk.bytes("a.md") == PERSON
        desk.put("a", page.replace("Two", "Three"))
        assert desk.bytes("a.md") == PERSON.replace(b"Two", b"Three")
        assert desk.text("a").encode() == desk.bytes("a.md")

    def test_a_tag_changes_one_line(self, desk: Desk) -> None:
        desk.edit("a.md", PERSON)
        desk.sync()
        assert desk.ask("add_tag", slug="a", tag="y")["tags"] == ["x", "y"]
        assert desk.bytes("a.md") == PERSON.replace(b"[x]", b"[x, y]")
        assert desk.ask("remove_tag", slug="a", tag="x") == {"status": "ok", "removed": True, "tags": ["y"]}
        assert desk.bytes("a.md") == PERSON.replace(b"[x]", b"[y]")
        assert desk.ask("get_tags", slug="a") == ["y"]

    def test_a_dated_line_is_added_at_the_end(self, desk: Desk) -> None:
        desk.edit("a.md", PERSON)
        desk.sync()
        entry = {"slug": "a", "date": "2031-03-30", "summary": "Joined Harbor"}
        assert desk.ask("add_timeline_entry", **entry, source="chat", detail="As a rower")["status"] == "ok"
        first = b"\r\n<!-- timeline -->\r\n\r\n- **2031-03-30** | chat \xe2\x80\x94 Joined Harbor\r\n  As a rower\r\n"
        assert desk.bytes("a.md") == PERSON + first
        desk.ask("add_timeline_entry", slug="a", date="2031-04-01", summary="Left", caller=AGENT)
        assert desk.bytes("a.md") == PERSON + first + b"- **2031-04-01** | Left\r\n"
        desk.ask("add_timeline_entry", slug="a", date="2031", summary="Some time")
        assert desk.ask("add_timeline_entry", **entry)["status"] == "skipped"
        assert desk.bytes("a.md") == PERSON + first + b"- **2031-04-01** | Left\r\n"
        assert desk.sync()["status"] == "up_to_date"
        told = [(row["date"], row["summary"]) for row in desk.ask("get_timeline", slug="a")]
        assert sorted(told) == [("2031", "Some time"), ("2031-03-30", "Joined Harbor"), ("2031-04-01", "Left")]

    def test_every_other_write_reaches_the_file(self, desk: Desk) -> None:
        captured = desk.ask("capture", content="Buy rope.")
        assert b"Buy rope." in desk.bytes(f"{captured['slug']}.md")
        desk.put("a", "One.\n")
        desk.put("a", "Two.\n")
        desk.ask("revert_version", slug="a", version_id=1)
        assert desk.bytes("a.md") == b"One.\n"
        assert desk.sync()["status"] == "up_to_date"

    def test_a_slug_that_no_path_makes_is_named_in_the_file(self, desk: Desk) -> None:
        desk.put("josé/ñandú", "Runs.\n")
        assert desk.bytes("josé/ñandú.md") == "---\nslug: josé/ñandú\n---\n\nRuns.\n".encode()
        desk.brain.store.engine.rows("delete from files")
        assert desk.sync()["changes"][0]["slug"] == "josé/ñandú"
        assert desk.ask("get_page", slug="josé/ñandú")["version"] == 1

    def test_mode_and_link_are_kept(self, desk: Desk) -> None:
        desk.edit("real/a.md", "A.\n")
        (desk.folder / "real" / "a.md").chmod(0o640)
        (desk.folder / "link.md").symlink_to("real/a.md")
        desk.sync()
        desk.put("link", "B.\n")
        assert (desk.folder / "link.md").is_symlink()
        assert desk.bytes("real/a.md") == b"B.\n"
        assert stat.S_IMODE((desk.folder / "real" / "a.md").stat().st_mode) == 0o640

    def test_a_source_without_a_folder_says_nothing_of_files(self, desk: Desk) -> None:
        desk.brain.selection = Selection(flag="default")
        assert "write_through" not in desk.put("a", "A.\n")


class TestAnEditorMeanwhile:
    def test_the_file_is_the_newer_version_first(self, desk: Desk) -> None:
        desk.put("a", "v1\n")
        read = desk.ask("get_page", slug="a")["version"]
        desk.edit("a.md", "edited\n")
        with pytest.raises(VersionConflict) as refused:
            desk.put("a", "v1 / B: budget 40k\n", expected_version=read, caller=AGENT)
        assert refused.value.detail["current_version"] == 2
        assert desk.bytes("a.md") == b"edited\n"
        assert desk.text("a") == "edited\n"

    def test_what_does_not_touch_is_joined(self, desk: Desk) -> None:
        desk.put("a", "One.\n\nTwo.\n\nThree.\n")
        desk.edit("a.md", "One.\n\nTwo.\n\nThree, saved.\n")
        reply = desk.put("a", "One, written.\n\nTwo.\n\nThree.\n", expected_version=1, caller=AGENT)
        assert (reply["merged"], reply["version"]) == (True, 3)
        assert desk.bytes("a.md") == b"One, written.\n\nTwo.\n\nThree, saved.\n"

    def test_a_file_nobody_has_seen_yet_counts_too(self, desk: Desk) -> None:
        desk.edit("a.md", "Saved.\n")
        with pytest.raises(VersionConflict):
            desk.put("a", "Written.\n", expected_version=0)
        assert desk.bytes("a.md") == b"Saved.\n"

    def test_a_file_that_was_taken_away_deletes_its_page_first(self, desk: Desk) -> None:
        desk.put("a", "One.\n")
        (desk.folder / "a.md").unlink()
        with pytest.raises(VersionConflict):
            desk.put("a", "Two.\n", expected_version=1)
        assert desk.files() == []

    def test_a_file_that_moved_is_written_where_it_is(self, desk: Desk) -> None:
        desk.put("a", "# Title\n\nOne.\n")
        (desk.folder / "a.md").rename(desk.folder / "b.md")
        with pytest.raises(VersionConflict):
            desk.put("a", "# Title\n\nTwo.\n", expected_version=1)
        assert desk.put("b", "# Title\n\nTwo.\n", expected_version=1)["version"] == 2
        assert desk.files() == ["b.md"]

    def test_a_file_that_is_no_page_now_is_not_written_over(self, desk: Desk) -> None:
        desk.put("a", "One.\n")
        broken = b"---\n\tx: [\n---\nMine.\n"
        desk.edit("a.md", broken)
        with pytest.raises(VersionConflict, match="line 2") as refused:
            desk.put("a", "Two.\n", expected_version=1)
        assert "gbrain sync" in refused.value.suggestion
        assert desk.bytes("a.md") == broken

    @pytest.mark.parametrize(
        ("saved", "joined", "told"),
        [
            ("One.\n\nTwo.\n\nThree, saved.\n", "One, written.\n\nTwo.\n\nThree, saved.\n", False),
            ("Saved.\n", "Saved.\n", True),
        ],
    )
    def test_saved_between_the_commit_and_the_file(self, desk: Desk, saved: str, joined: str, told: bool) -> None:
        desk.put("a", "One.\n\nTwo.\n\nThree.\n")
        ctx = registry.context(desk.brain, AGENT)
        content = "One, written.\n\nTwo.\n\nThree.\n"
        mirror = Mirror(ctx, "work", str(desk.folder), "a")
        mirror.look()
        mirror.stage(content, private=False)
        draft = desk.brain.store.pages.get(ctx.view, "a")
        assert draft is not None
        with desk.brain.store.transaction():
            written = self._written(desk, ctx, content)
            mirror.note(written)
        desk.edit("a.md", saved)
        mirror.land()
        assert desk.bytes("a.md").decode() == desk.text("a") == joined
        assert [warning["code"] for warning in ctx.warnings] == (["file"] if told else [])
        texts = [row["content"] for row in desk.ask("get_versions", slug="a", include_content=True)]
        assert content in texts
        assert (desk.sync()["status"], desk.files()) == ("up_to_date", ["a.md"])

    def _written(self, desk: Desk, ctx: Any, content: str) -> Written:
        from gbrain.sources.pages import read_draft

        draft = read_draft("a", content, ctx.now)
        return desk.brain.store.pages.write(ctx.view, "work", draft, by="x", reason=None, expected=1, blind=False)

    def test_a_writer_that_died_is_finished_by_the_next(self, desk: Desk) -> None:
        desk.put("a", "One.\n")
        ctx = registry.context(desk.brain, AGENT)
        mirror = Mirror(ctx, "work", str(desk.folder), "a")
        mirror.look()
        mirror.stage("Two.\n", private=False)
        with desk.brain.store.transaction():
            mirror.note(self._written(desk, ctx, "Two.\n"))
        assert desk.bytes("a.md") == b"One.\n"
        assert desk.put("a", "Two.\n\nThree.\n", expected_version=2)["version"] == 3
        assert desk.bytes("a.md") == b"Two.\n\nThree.\n"
        assert desk.files() == ["a.md"]


class TestDeleting:
    def test_the_file_goes_and_comes_back_byte_for_byte(self, desk: Desk) -> None:
        desk.edit("Deep/A b.md", PERSON)
        desk.sync()
        desk.ask("delete_page", slug="deep/a-b")
        assert desk.files() == []
        assert desk.sync()["status"] == "up_to_date"
        assert desk.ask("restore_page", slug="deep/a-b")["status"] == "restored"
        assert (desk.files(), desk.bytes("Deep/A b.md")) == (["Deep/A b.md"], PERSON)
        assert desk.sync()["status"] == "up_to_date"

    def test_a_file_that_is_put_back_brings_its_page_back(self, desk: Desk) -> None:
        desk.put("a", "One.\n")
        held = (desk.folder / "a.md").stat()
        desk.ask("delete_page", slug="a")
        desk.edit("a.md", "One.\n")
        os.utime(desk.folder / "a.md", ns=(held.st_atime_ns, held.st_mtime_ns))
        assert desk.sync()["added"] == 1
        assert desk.ask("get_page", slug="a")["compiled_truth"] == "One."

    def test_what_was_saved_meanwhile_is_kept_as_a_version(self, desk: Desk) -> None:
        desk.put("a", "One.\n")
        desk.edit("a.md", "Saved.\n")
        with pytest.raises(VersionConflict):
            desk.ask("delete_page", slug="a", expected_version=1)
        assert desk.bytes("a.md") == b"Saved.\n"
        desk.ask("delete_page", slug="a", expected_version=2)
        desk.ask("restore_page", slug="a")
        assert desk.bytes("a.md") == b"Saved.\n"


class TestWalls:
    def test_a_private_page_gets_no_file_and_keeps_the_one_it_has(self, desk: Desk) -> None:
        hidden = "---\nvisibility: private\n---\nSecret.\n"
        assert desk.put("s", hidden)["write_through"] == {"written": False, "skipped": "private"}
        assert desk.files() == []
        desk.edit("p.md", hidden)
        desk.sync()
        desk.put("p", hidden.replace("Secret", "Still secret"))
        assert desk.bytes("p.md").decode() == hidden.replace("Secret", "Still secret")

    def test_private_facts_never_reach_a_file(self, desk: Desk) -> None:
        fence = "## Facts\n\n<!--- gbrain:facts:begin -->\n{}<!--- gbrain:facts:end -->\n"
        row = "| 1 | likes tea | fact | 1.0 | {} |\n"
        with pytest.raises(InvalidParams, match="private row"):
            desk.put("a", fence.format(row.format("private")))
        assert desk.files() == []
        desk.edit("b.md", fence.format(row.format("private")))
        desk.sync()
        desk.put("b", "More.\n\n" + fence.format(row.format("private")))
        assert desk.bytes("b.md").startswith(b"More.\n")

    def test_an_agent_learns_nothing_of_a_private_file(self, desk: Desk) -> None:
        desk.edit("p.md", "---\nvisibility: private\n---\nSecret.\n")
        desk.sync()
        with pytest.raises(NotFound):
            desk.ask("get_page", slug="p", caller=AGENT)
        with pytest.raises(ScopeDenied):
            desk.put("p", "Mine.\n", caller=AGENT)
        desk.edit("p.md", "---\n\tx: [\nvisibility: private\n---\nSecret.\n")
        with pytest.raises(ScopeDenied) as refused:
            desk.put("p", "Mine.\n", caller=AGENT)
        assert "line" not in refused.value.message
        assert b"Secret" in desk.bytes("p.md")

    def test_nothing_is_written_outside_of_the_folder(self, desk: Desk, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        (desk.folder / "dir").symlink_to(outside)
        with pytest.raises(Unavailable, match="leads out"):
            desk.put("dir/a", "A.\n")
        assert list(outside.iterdir()) == []
        with pytest.raises(NotFound):
            desk.ask("get_page", slug="dir/a")

    def test_a_folder_that_is_away_takes_no_writes(self, desk: Desk) -> None:
        desk.put("a", "One.\n")
        desk.folder.rename(desk.folder.with_name("away"))
        with pytest.raises(Unavailable, match="cannot be read"):
            desk.put("a", "Two.\n")
        assert desk.ask("get_page", slug="a")["version"] == 1

    def test_what_is_refused_leaves_nothing_behind(self, desk: Desk) -> None:
        desk.put("a", "One.\n")
        with pytest.raises(InvalidParams):
            desk.put("a", "")
        with pytest.raises(VersionConflict):
            desk.put("a", "Two.\n", expected_version=7)
        assert [path.name for path in desk.folder.iterdir()] == ["a.md"]


def test_many_writers_and_an_editor_lose_no_line(desk: Desk, page: Callable[..., Any]) -> None:
    lines = [f"line {number}" for number in range(6)]
    desk.put("a", "\n\n".join(lines) + "\n")
    version = 1
    for number in range(6):
        desk.edit("a.md", desk.bytes("a.md").decode().replace(f"line {number}", f"line {number} saved", 1))
        text = desk.ask("get_page", slug="a")["compiled_truth"].replace(
            f"line {(number + 3) % 6}", f"line {(number + 3) % 6} written", 1
        )
        version = desk.put("a", text, expected_version=version)["version"]
    told = desk.bytes("a.md").decode()
    assert all("saved" in line and "written" in line for line in told.strip().split("\n\n")), told
