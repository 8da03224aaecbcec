"""Pages past their expiry: out of every answer, still to be read by whoever asks for them, and deleted when asked."""

from pathlib import Path
from typing import Any

import pytest

from gbrain import Brain
from gbrain.domain.places import Selection
from gbrain.errors import InvalidParams

PAST = "# Dana Oakes\n\nRows the lantern boat.\n"


@pytest.fixture
def lapsed(page: Any, clock: Any) -> None:
    page("people/dana-oakes", PAST, "expiry: 2031-05-10", "aliases: [Dee]")
    page("notes/stays", "See [[people/dana-oakes]] and the lantern.\n")
    clock.move(days=10)


@pytest.mark.usefixtures("lapsed")
class TestPastItsExpiry:
    def test_it_is_in_no_answer(self, local: Any) -> None:
        assert [hit["slug"] for hit in local("search", query="lantern")] == ["notes/stays"]
        assert "people/dana-oakes" not in str(local("entity", name="Dee"))
        assert "Rows the lantern" not in str(local("context_pack", entities="Dana Oakes, Dee"))
        assert "Rows the lantern" not in str(local("recall", query="lantern boat"))
        assert [row["slug"] for row in local("list_pages")] == ["notes/stays"]

    def test_it_is_read_by_whoever_names_it(self, local: Any, remote: Any) -> None:
        for ask in (local, remote):
            reply = ask.reply("get_page", slug="people/dana-oakes")
            assert (reply.value["title"], [one["code"] for one in reply.warnings]) == ("Dana Oakes", ["expired"])
            assert [row["version"] for row in ask("get_versions", slug="people/dana-oakes")] == [1]
            assert ask("diff_versions", slug="people/dana-oakes")["to_version"] == 1

    def test_its_links_and_name_lead_nowhere(self, local: Any, remote: Any) -> None:
        for ask in (local, remote):
            assert ask("resolve_slugs", partial="dana") == []
            assert ask("get_links", slug="notes/stays") == []
            assert "dana-oakes" not in str(ask("recall", entity="people/dana-oakes")["facts"])

    def test_it_is_listed_and_deleted_when_asked(self, local: Any) -> None:
        told = local("purge", expired=True)
        assert [(row["slug"], row["expiry"]) for row in told["pages"]] == [
            ("people/dana-oakes", "2031-05-11T00:00:00.000Z")
        ]
        assert (told["dry_run"], told["deleted"]) == (True, 0)
        assert local("purge", expired=True, dry_run=False)["deleted"] == 1
        assert local("purge", expired=True)["pages"] == []
        assert local("restore_page", slug="people/dana-oakes")["status"] == "restored"

    def test_nothing_goes_unless_it_is_named(self, local: Any) -> None:
        with pytest.raises(InvalidParams):
            local("purge", dry_run=False)


def test_its_file_goes_too_unless_it_was_given_more_time(brain: Brain, local: Any, tmp_path: Path, clock: Any) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    brain.sources_add(id="work", path=str(folder))
    brain.selection = Selection(flag="work")
    for name in ("a", "b"):
        local("put_page", slug=name, content=f"---\nexpiry: 2031-05-10\n---\n\n{name}\n")
    clock.move(days=10)
    (folder / "b.md").write_text("---\nexpiry: 2032-05-10\n---\n\nb\n")
    reply = local.reply("purge", expired=True, dry_run=False)
    assert (reply.value["deleted"], [warning["code"] for warning in reply.warnings]) == (1, ["not_deleted"])
    assert sorted(path.name for path in folder.iterdir()) == ["b.md"]


LAPSED = "---\nexpiry: 2031-05-10\n---\n\n"


def test_a_file_that_changed_or_is_not_its_own_stays(brain: Brain, local: Any, tmp_path: Path, clock: Any) -> None:
    local("put_page", slug="c", content=LAPSED + "A page of a source without a folder.\n")
    local("put_page", slug="d", content=LAPSED + "So is this.\n")
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "c.md").write_text("Another page of that slug.\n")
    brain.sources_add(id="work", path=str(folder))
    brain.sync_brain(source_id="work")
    brain.selection = Selection(flag="work")
    for name in ("a", "b"):
        local("put_page", slug=name, content=f"{LAPSED}{name}\n")
    clock.move(days=10)
    (folder / "b.md").write_text(LAPSED + "b, and a line that nobody has looked at\n")
    (folder / "a.txt").write_text("Beside it.\n")
    (folder / "d.md").write_text("A file that was never synced.\n")
    reply = local.reply("purge", expired=True, dry_run=False)
    assert (reply.value["deleted"], [warning["code"] for warning in reply.warnings]) == (3, ["not_deleted"])
    assert sorted(path.name for path in folder.iterdir()) == ["a.txt", "b.md", "c.md", "d.md"]
    assert "nobody has looked at" in (folder / "b.md").read_text()
    assert "nobody has looked at" in local("get_page", slug="b")["compiled_truth"]


def test_facts_about_it_are_told_as_of_a_moment_before_its_expiry(
    local: Any, remote: Any, page: Any, clock: Any
) -> None:
    page("people/dana-oakes", PAST, "expiry: 2031-05-10", "aliases: [Lantern Dana]")
    local("remember", fact="Dana rows the lantern boat", provenance="x", entity="people/dana-oakes")
    clock.move(days=10)
    for ask in (local, remote):
        for name in ("people/dana-oakes", "Lantern Dana"):
            told = ask("recall", entity=name, as_of="2031-05-06")["facts"]
            assert [row["fact"] for row in told] == ["Dana rows the lantern boat"]
        assert ask("recall", entity="Lantern Dana")["facts"] == []
        assert ask("recall", entity="people/dana-oakes", as_of="2031-05-03")["facts"] == []
