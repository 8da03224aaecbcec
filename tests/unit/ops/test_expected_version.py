"""The version that a change is based on: which writes take it, and what a write behind it does."""

from typing import Any

import pytest

from folder_notes import Notes
from gbrain import Brain, MemoryWriter, registry
from gbrain.errors import VersionConflict

TAKES = {
    "add_reference", "add_tag", "add_timeline_entry", "capture", "delete_page", "put_page", "record_feedback",
    "record_lesson", "remove_tag", "revert_version", "save_user_profile", "update_project_context",
}  # fmt: skip
DO_NOT = {
    "remember": "facts are rows of their own, and the text follows in the sweep",
    "forget": "ends a fact, by its id",
    "turns_drop": "deletes a banked turn, which is no page",
    "turns_retry": "reads a banked turn, which is no page",
    "forget_fact": "ends a fact, by its id",
    "extract_facts": "saves facts as remember does",
    "accept_facts": "facts are rows of their own",
    "correct": "facts are rows of their own",
    "move_fact": "facts are rows of their own",
    "invalidate": "ends a fact, by its id",
    "restore_fact": "facts are rows of their own",
    "merge_facts": "ends a fact, by its id",
    "add_link": "a link is a row of its own; no text changes",
    "remove_link": "a link is a row of its own; no text changes",
    "restore_page": "a deleted page has nothing that could have changed since",
}
PROFILE = "memory/user/profile"


@pytest.mark.guard
def test_every_write_of_a_page_takes_it_and_no_other_does() -> None:
    writes = {found.name: found for found in registry.load_all() if found.scope in registry.WRITING}
    here = "of tests/unit/ops/test_expected_version.py"
    assert set(writes) - TAKES - set(DO_NOT) == set(), (
        f"one that changes the text of a page takes `expected_version` and stands in TAKES {here}; add any other to"
        " DO_NOT there, with the reason"
    )
    assert (TAKES | set(DO_NOT)) - set(writes) == set(), f"no longer there: take them out {here}"
    takes = {name for name, found in writes.items() if "expected_version" in {param.name for param in found.params}}
    assert takes == TAKES, f"what takes `expected_version` is not what TAKES {here} says"


@pytest.mark.parametrize(
    ("name", "arguments", "slug"),
    [
        ("save_user_profile", {"key": "tea", "value": "green"}, PROFILE),
        ("record_feedback", {"action": "mails", "approved": True}, "memory/feedback/2031-05"),
        ("update_project_context", {"updates": {"stage": "beta"}, "project": "lantern"}, "memory/project/lantern"),
        ("add_reference", {"category": "sailing", "content": "Tides"}, "memory/reference/sailing"),
        ("add_tag", {"slug": "a", "tag": "x"}, "a"),
        ("remove_tag", {"slug": "a", "tag": "kept"}, "a"),
        ("add_timeline_entry", {"slug": "a", "date": "2031-05-04", "summary": "Met"}, "a"),
    ],
)
class TestEach:
    def test_a_version_that_never_was_changes_nothing(
        self, local: Any, name: str, arguments: dict[str, Any], slug: str
    ) -> None:
        local("put_page", slug=slug, content="---\ntags: [kept]\n---\n\nText.\n")
        for expected in (0, 7):
            with pytest.raises(VersionConflict) as refused:
                local(name, **arguments, expected_version=expected)
            assert refused.value.detail["current_version"] == 1
        page = local("get_page", slug=slug)
        assert (page["version"], page["tags"], local("get_timeline", slug=slug)) == (1, ["kept"], [])

    def test_behind_what_does_not_touch_it_is_joined(
        self, remote: Any, name: str, arguments: dict[str, Any], slug: str
    ) -> None:
        remote("put_page", slug=slug, content="---\ntags: [kept]\n---\n\nText.\n")
        remote("put_page", slug=slug, content="---\ntags: [kept]\n---\n\nText, mended.\n", expected_version=1)
        reply = remote(name, **arguments, expected_version=1)
        assert "Text, mended." in remote("get_page", slug=slug)["compiled_truth"]
        if slug != "a":
            assert (reply["status"], reply["version"], reply["merged"]) == ("written", 3, True)


def test_a_key_that_somebody_else_changed_is_a_conflict(remote: Any) -> None:
    for value in ("black", "white"):
        remote("save_user_profile", key="tea", value=value)
    with pytest.raises(VersionConflict) as refused:
        remote("save_user_profile", key="Tea", value="green", expected_version=1)
    [hunk] = refused.value.detail["hunks"]
    assert hunk["line"] == 3
    assert [word in hunk[side] for word, side in (("black", "base"), ("white", "current"), ("green", "yours"))] == [
        True
    ] * 3
    assert remote("get_page", slug=PROFILE)["version"] == 2
    assert remote("save_user_profile", key="tea", value="white", expected_version=1)["status"] == "skipped"
    assert remote("save_user_profile", key="milk", value="none", expected_version=1)["merged"] is True
    assert "merged" not in remote("save_user_profile", key="tea", value="green", expected_version=3)
    with pytest.raises(VersionConflict):
        remote("update_project_context", updates={"a": "1"}, project="new", expected_version=2)
    assert remote("update_project_context", updates={"a": "1"}, project="new", expected_version=0)["version"] == 1


def test_a_lesson_that_somebody_made_surer_is_a_conflict(brain: Brain) -> None:
    writer = MemoryWriter(brain)
    for confidence in (0.5, 0.6):
        writer.record_lesson("Pause the queue.", confidence=confidence)
    with pytest.raises(VersionConflict):
        writer.record_lesson("Pause the queue.", confidence=0.9, expected_version=1)
    assert writer.record_lesson("Pause the queue.", confidence=0.9, expected_version=2)["version"] == 3


def test_a_tag_in_a_file_joins_and_is_held_to_its_version(brain: Brain, tmp_path: Any) -> None:
    notes = Notes(brain, tmp_path / "notes")
    file = notes.write("a.md", "One.\n")
    notes.sync()
    file.write_text("Two.\n")
    notes.ask("add_tag", slug="a", tag="x", expected_version=1)
    assert file.read_text() == "---\ntags:\n  - x\n---\n\nTwo.\n"
    with pytest.raises(VersionConflict):
        notes.ask("add_tag", slug="a", tag="y", expected_version=9)
    assert "y" not in file.read_text()
