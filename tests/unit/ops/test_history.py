"""The versions of a page: list, diff, revert."""

from pathlib import Path
from typing import Any

import pytest

from folder_notes import Notes
from gbrain import Brain
from gbrain.errors import InvalidParams, NotFound, VersionConflict


def test_private_versions_stay_hidden_when_the_page_is_published(local: Any, remote: Any, page: Any) -> None:
    page("notes/a", "MARKER\n", "visibility: private")
    page("notes/a", "Public.\n")
    assert [row["version"] for row in local("get_versions", slug="notes/a")] == [2, 1]
    shown = remote("get_versions", slug="notes/a", include_content=True)
    assert [row["version"] for row in shown] == [2]
    with pytest.raises(NotFound):
        remote("revert_version", slug="notes/a", version_id=1, expected_version=2)


def test_history_and_revert(local: Any, remote: Any, page: Any) -> None:
    page("notes/a", "First words.\n", "title: One")
    page("notes/a", "Second words.\n", "title: Two")
    rows = local("get_versions", slug="notes/a")
    assert [(row["id"], row["version"], row["excerpt"], row["reason"]) for row in rows] == [
        (2, 2, "Second words.", None),
        (1, 1, "First words.", None),
    ]
    assert "content" not in rows[0]
    assert local("get_versions", slug="notes/a", include_content=True, limit=1)[0]["content"].endswith("words.\n")
    with pytest.raises(VersionConflict):
        remote("revert_version", slug="notes/a", version_id=1)
    assert remote("revert_version", slug="notes/a", version_id=1, expected_version=2)["version"] == 3
    assert local("get_page", slug="notes/a")["title"] == "One"
    assert local("get_versions", slug="notes/a")[0]["reason"] == "revert to version 1"
    assert local("revert_version", slug="notes/a", version_id=1)["status"] == "skipped"
    for number in (9, 2**40):
        with pytest.raises(NotFound) as caught:
            local("revert_version", slug="notes/a", version_id=number)
        assert caught.value.suggestion == "run: gbrain history notes/a"
    with pytest.raises(InvalidParams):
        local("revert_version", slug="notes/a", version_id=0)
    assert local("get_versions", slug="notes/none") == []


def test_a_version_based_on_an_old_one_can_come_back(local: Any, page: Any) -> None:
    page("notes/a", "one\n")
    local("put_page", slug="notes/a", content="---\nversion: 1\n---\ntwo\n")
    page("notes/a", "three\n")
    assert local("revert_version", slug="notes/a", version_id=2)["version"] == 4
    assert local("get_page", slug="notes/a")["compiled_truth"] == "two"


def test_a_long_history_is_read_page_by_page(local: Any, page: Any) -> None:
    for number in range(1, 8):
        page("notes/a", f"text {number}\n")
    seen: list[int] = []
    while rows := local("get_versions", slug="notes/a", limit=3, **({"before": seen[-1]} if seen else {})):
        seen += [row["version"] for row in rows]
    assert seen == [7, 6, 5, 4, 3, 2, 1]


def test_every_version_says_who_wrote_it_and_why(local: Any, remote: Any, page: Any) -> None:
    page("notes/a", "one\n")
    remote("put_page", slug="notes/a", content="two\n", expected_version=1, reason="the lease was signed")
    local("put_page", slug="notes/a", content="two\nthree\n", expected_version=2)
    rows = local("get_versions", slug="notes/a")
    assert [(row["modified_by"], row["reason"]) for row in rows] == [
        ("local", None),
        ("agent-example", "the lease was signed"),
        ("local", None),
    ]
    local("revert_version", slug="notes/a", version_id=1, reason="signed by mistake")
    assert local("get_versions", slug="notes/a")[0]["reason"] == "revert to version 1: signed by mistake"


def test_a_revert_over_a_later_version_is_refused_not_joined(local: Any, page: Any) -> None:
    for text in ("one\n\nlast\n", "two\n\nlast\n", "two\n\nlast\n\nnew\n"):
        page("notes/a", text)
    with pytest.raises(VersionConflict) as caught:
        local("revert_version", slug="notes/a", version_id=1, expected_version=2)
    assert caught.value.detail["current_version"] == 3
    assert local("get_page", slug="notes/a")["version"] == 3


def test_diff_of_two_versions(local: Any, page: Any) -> None:
    page("notes/a", "one\ntwo\nthree\n", "title: A")
    page("notes/a", "one\n2\nthree\n", "title: A")
    page("notes/a", "one\n2\nthree\n", "title: B")
    found = local("diff_versions", slug="notes/a", from_version=1, to_version=2)
    assert found["diff"].splitlines() == [
        "--- notes/a version 1",
        "+++ notes/a version 2",
        "@@ -2,6 +2,6 @@",
        " title: A",
        " ---",
        " one",
        "-two",
        "+2",
        " three",
        " ",
    ]
    assert (found["added"], found["removed"]) == (1, 1)
    assert "+title: B" in local("diff_versions", slug="notes/a")["diff"]
    whole = local("diff_versions", slug="notes/a", from_version=1)
    assert (whole["from_version"], whole["to_version"], whole["added"]) == (1, 3, 2)
    assert local("diff_versions", slug="notes/a", from_version=2, to_version=2)["diff"] == ""
    with pytest.raises(NotFound) as caught:
        local("diff_versions", slug="notes/a", from_version=9)
    assert caught.value.suggestion == "run: gbrain history notes/a"
    with pytest.raises(NotFound):
        local("diff_versions", slug="notes/none")


def test_a_diff_tells_nothing_private(local: Any, remote: Any, page: Any) -> None:
    page("notes/a", "MARKER\n", "visibility: private")
    rows = "| 1 | MARKER | fact | 1.0 | private |\n| 2 | tea | fact | 1.0 | world |\n"
    page("notes/a", f"Text.\n\n## Facts\n\n<!--- gbrain:facts:begin -->\n{rows}<!--- gbrain:facts:end -->\n")
    local("put_page", slug="notes/a", content="Public.\n", drop_facts=True)
    with pytest.raises(NotFound):
        remote("diff_versions", slug="notes/a", from_version=1)
    shown = remote("diff_versions", slug="notes/a", from_version=2)["diff"]
    assert "tea" in shown
    assert "MARKER" not in shown
    assert "MARKER" in local("diff_versions", slug="notes/a", from_version=2)["diff"]


class TestPagesThatMoved:
    """Versions of a page whose file was renamed, and of one that was deleted and came back."""

    def test_renamed(self, brain: Brain, tmp_path: Path) -> None:
        notes = Notes(brain, tmp_path / "notes")
        old = notes.write("old.md", "# Rope\n\nSee [[a]]. One.\n")
        notes.write("a.md", "A.\n")
        notes.write("b.md", "B.\n")
        notes.sync()
        old.write_text("# Rope\n\nSee [[b]]. Two.\n")
        notes.sync()
        new = old.rename(notes.folder / "new.md")
        assert notes.counts() == (0, 0, 1, 0)
        for slug in ("new", "old"):
            versions = [row["version"] for row in notes.ask("get_versions", slug=slug)]
            assert versions[-2:] == [2, 1]
            diff = notes.ask("diff_versions", slug=slug, from_version=1, to_version=2)
            assert (diff["slug"], diff["added"], diff["removed"]) == ("new", 1, 1)
        current = notes.get("new")["version"]
        reply = notes.ask("revert_version", slug="new", version_id=1, expected_version=current)
        assert (reply["slug"], reply["version"]) == ("new", current + 1)
        assert new.read_text() == "# Rope\n\nSee [[a]]. One.\n"
        assert [link["to_slug"] for link in notes.ask("get_links", slug="new")] == ["a"]
        with pytest.raises(VersionConflict):
            notes.ask("revert_version", slug="new", version_id=2, expected_version=current)
        assert notes.counts() == (0, 0, 0, 0)

    def test_deleted_and_restored(self, local: Any, remote: Any, page: Any) -> None:
        page("a", "A.\n")
        page("rope", "See [[a]]. One.\n")
        local("put_page", slug="rope", content="Two.\n")
        local("delete_page", slug="rope")
        for ask in (local, remote):
            assert ask("get_versions", slug="rope") == []
            for name, more in (("diff_versions", {}), ("revert_version", {"version_id": 1})):
                with pytest.raises(NotFound):
                    ask(name, slug="rope", **more)
        local("restore_page", slug="rope")
        assert [row["version"] for row in remote("get_versions", slug="rope")] == [2, 1]
        assert remote("diff_versions", slug="rope", from_version=1)["diff"].splitlines()[3:5] == [
            "-See [[a]]. One.",
            "+Two.",
        ]
        with pytest.raises(VersionConflict):
            remote("revert_version", slug="rope", version_id=1)
        assert local("revert_version", slug="rope", version_id=1, expected_version=2)["version"] == 3
        assert [link["to_slug"] for link in local("get_links", slug="rope")] == ["a"]
        assert "One." in local("get_page", slug="rope")["compiled_truth"]


class TestAsOf:
    def test_a_page_is_read_as_it_stood(self, local: Any, page: Any, clock: Any) -> None:
        page("notes/a", "First words.\n", "title: One", "tags: [old]", "expiry: 2031-05-05")
        clock.move(days=10)
        page("notes/a", "Second words.\n", "title: Two")
        clock.move(days=10)
        seen = local("get_page", slug="notes/a", as_of="2031-05-10")
        assert (seen["title"], seen["version"], seen["compiled_truth"]) == ("One", 1, "First words.")
        assert (seen["tags"], seen["expiry"]) == (["old"], "2031-05-06T00:00:00.000Z")
        assert (seen["last_modified"], seen["modified_by"]) == ("2031-05-04T22:10:00.000Z", "local")
        assert local("get_page", slug="notes/a", as_of="2031-05-15") == local("get_page", slug="notes/a")
        with pytest.raises(NotFound, match="there was no page"):
            local("get_page", slug="notes/a", as_of="2031-05-01")
        with pytest.raises(InvalidParams):
            local("get_page", slug="notes/a", as_of="lately")

    def test_one_that_went_since_is_still_told(self, local: Any, remote: Any, page: Any, clock: Any) -> None:
        page("notes/a", "Gone.\n", "aliases: [Short walk]", "expiry: 2031-05-06")
        page("notes/b", "Deleted.\n")
        clock.move(days=10)
        local("delete_page", slug="notes/b")
        for ask in (local, remote):
            found = ask("get_page", slug="short walk", fuzzy=True, as_of="2031-05-05")
            assert found["resolved_slug"] == "notes/a"
            with pytest.raises(NotFound):
                ask("get_page", slug="short walk", fuzzy=True)
            assert ask("get_page", slug="notes/a", fuzzy=True)["slug"] == "notes/a"
            assert ask("get_page", slug="notes/b", as_of="2031-05-05")["compiled_truth"] == "Deleted."
            with pytest.raises(NotFound, match="deleted"):
                ask("get_page", slug="notes/b", as_of="now")

    def test_versions_that_were_private_stay_so(self, local: Any, remote: Any, page: Any, clock: Any) -> None:
        page("notes/a", "MARKER\n", "visibility: private")
        clock.move(days=1)
        page("notes/a", "Public.\n")
        assert local("get_page", slug="notes/a", as_of="2031-05-05")["compiled_truth"] == "MARKER"
        with pytest.raises(NotFound) as hidden:
            remote("get_page", slug="notes/a", as_of="2031-05-05")
        with pytest.raises(NotFound) as never:
            remote("get_page", slug="notes/a", as_of="2031-05-01")
        assert hidden.value.message.replace("05-05", "05-01") == never.value.message
