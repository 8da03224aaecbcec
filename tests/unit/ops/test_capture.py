"""Capturing texts."""

from typing import Any

import pytest

from gbrain.errors import InvalidParams, VersionConflict

TEXT = "Ask Dana about the mooring. It is loose.\n"


def test_a_capture_lands_in_the_inbox(local: Any) -> None:
    kept = local("capture", content=TEXT)
    assert kept["slug"] == f"inbox/2031-05-04-{kept['content_hash'][:8]}"
    assert (kept["channel"], kept["status"], kept["version"]) == ("capture", "created_or_updated", 1)
    found = local("get_page", slug=kept["slug"])
    assert found["title"] == "Ask Dana about the mooring."
    assert found["compiled_truth"] == TEXT.strip()
    assert (found["type"], found["ingested_via"], found["source_kind"]) == ("note", "capture", "local")


def test_the_same_text_is_kept_once(local: Any, remote: Any, page: Any) -> None:
    first = local("capture", content=TEXT)
    for spelling in (TEXT, TEXT.replace(" ", "  ").replace("\n", "\r\n")):
        again = remote("capture", content=spelling)
        assert (again["slug"], again["status"], again["version"]) == (first["slug"], "skipped", 1)
        assert "before" in again["dedupe"]
    local("put_page", slug=first["slug"], content="Edited since.\n")
    again = local("capture", content=TEXT)
    assert (again["status"], again["version"]) == ("skipped", 2)
    assert local("get_page", slug=first["slug"])["compiled_truth"] == "Edited since."


def test_type_and_title_go_into_the_text(local: Any) -> None:
    kept = local("capture", content="---\ntags: [x]\n---\n# Walk\n\nAlong the quay.\n", type="idea", slug="ideas/walk")
    found = local("get_page", slug="ideas/walk")
    assert (kept["slug"], found["type"], found["title"], found["tags"]) == ("ideas/walk", "idea", "Walk", ["x"])
    assert found["compiled_truth"] == "# Walk\n\nAlong the quay."


def test_a_named_slug_obeys_versions(local: Any, remote: Any) -> None:
    local("capture", content="one", slug="notes/a")
    with pytest.raises(VersionConflict):
        remote("capture", content="two", slug="notes/a")
    assert remote("capture", content="two", slug="notes/a", expected_version=1)["version"] == 2


def test_blank_texts_are_refused(local: Any) -> None:
    for content in ("", " \n\t"):
        with pytest.raises(InvalidParams) as caught:
            local("capture", content=content)
        assert "gbrain capture" in caught.value.suggestion
