"""Writes that are based on an older version: joined, or refused with both sides of each clash."""

from pathlib import Path
from typing import Any

import pytest

from gbrain import Brain
from gbrain.domain.places import Selection
from gbrain.errors import InvalidParams, VersionConflict

SLUG = "projects/lantern-example"
TEXT = "---\ntags: [a]\nstage: seed\n---\nFirst.\n\nSecond.\n\nThird.\n"


def conflict(ask: Any, content: str, expected: int | None, name: str = "put_page") -> VersionConflict:
    with pytest.raises(VersionConflict) as caught:
        ask(name, slug=SLUG, content=content, expected_version=expected)
    return caught.value


def test_a_change_of_another_place_is_joined(local: Any, remote: Any) -> None:
    local("put_page", slug=SLUG, content=TEXT)
    local("put_page", slug=SLUG, content=TEXT.replace("First", "1st").replace("[a]", "[a, b]"), expected_version=1)
    content = TEXT.replace("Third", "3rd").replace("[a]", "[c]").replace("seed", "A")
    reply = remote("put_page", slug=SLUG, content=content, expected_version=1)
    assert (reply["merged"], reply["version"], reply["status"]) == (True, 3, "created_or_updated")
    found = local("get_page", slug=SLUG)
    assert found["compiled_truth"] == "1st.\n\nSecond.\n\n3rd."
    assert (found["tags"], found["frontmatter"]) == (["b", "c"], {"stage": "A"})
    version = local("get_versions", slug=SLUG)[0]
    assert (version["modified_by"], version["reason"]) == (
        "agent-example",
        "a change, based on version 1, joined with version 2",
    )


def test_a_clash_changes_nothing_and_shows_both_sides(local: Any, remote: Any) -> None:
    for text in (TEXT, TEXT.replace("Second", "2nd").replace("seed", "A")):
        local("put_page", slug=SLUG, content=text)
    refused = conflict(remote, TEXT.replace("Second", "Zwei").replace("seed", "B"), 1)
    assert refused.exit_code == 5
    assert refused.detail["current_version"] == 2
    assert refused.detail["hunks"] == [
        {"line": None, "key": "stage", "base": "stage: seed\n", "current": "stage: A\n", "yours": "stage: B\n"},
        {"line": 3, "key": None, "base": "Second.\n", "current": "2nd.\n", "yours": "Zwei.\n"},
    ]
    assert f"gbrain diff {SLUG} 1" in refused.suggestion
    assert local("get_page", slug=SLUG)["version"] == 2


def test_a_stale_write_that_adds_nothing_is_skipped(local: Any, remote: Any) -> None:
    for text in (TEXT, TEXT + "\nFourth.\n"):
        local("put_page", slug=SLUG, content=text)
    for content in (TEXT, TEXT + "\nFourth.\n"):
        same = remote("put_page", slug=SLUG, content=content, expected_version=1)
        assert (same["status"], same["version"]) == ("skipped", 2)
        assert "merged" not in same


def test_a_capture_over_a_page_is_joined_too(local: Any, remote: Any) -> None:
    for text in (TEXT, TEXT.replace("First", "1st")):
        local("put_page", slug=SLUG, content=text)
    assert conflict(remote, TEXT, None, "capture").detail["current_version"] == 2
    done = remote("capture", slug=SLUG, content=TEXT.replace("Third", "3rd"), expected_version=1)
    assert (done["version"], done["merged"]) == (3, True)
    assert local("get_page", slug=SLUG)["compiled_truth"] == "1st.\n\nSecond.\n\n3rd."


def test_a_text_that_names_its_version_is_joined(local: Any) -> None:
    for text in (TEXT, TEXT.replace("First", "1st")):
        local("put_page", slug=SLUG, content=text)
    edited = TEXT.replace("stage: seed", "stage: seed\nversion: 1").replace("Third", "3rd")
    assert local("put_page", slug=SLUG, content=edited)["merged"] is True
    assert local("get_page", slug=SLUG)["compiled_truth"] == "1st.\n\nSecond.\n\n3rd."


@pytest.mark.parametrize("expected", [0, 3, 99])
def test_what_no_version_is_behind_is_refused(local: Any, expected: int) -> None:
    for text in (TEXT, TEXT.replace("First", "1st")):
        local("put_page", slug=SLUG, content=text)
    assert conflict(local, TEXT.replace("Third", "3rd"), expected).detail["current_version"] == 2


def test_a_page_deleted_meanwhile_is_a_conflict(local: Any) -> None:
    local("put_page", slug=SLUG, content=TEXT)
    local("delete_page", slug=SLUG)
    assert conflict(local, TEXT + "More.\n", 1).detail["current_version"] is None


def test_without_git_a_stale_write_is_a_conflict(local: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (TEXT, TEXT.replace("First", "1st")):
        local("put_page", slug=SLUG, content=text)
    monkeypatch.setenv("PATH", "/nowhere")
    refused = conflict(local, TEXT.replace("Third", "3rd"), 1)
    assert refused.detail["reason"] == "git_missing"
    assert "git" in refused.message
    assert local("get_page", slug=SLUG)["version"] == 2


def test_a_private_base_is_not_told(local: Any, remote: Any) -> None:
    for text in ("---\nvisibility: private\n---\nMARKER\n", TEXT, TEXT.replace("Second", "2nd")):
        local("put_page", slug=SLUG, content=text)
    refused = conflict(remote, TEXT.replace("Second", "Zwei"), 1)
    assert refused.detail["hunks"] == []
    assert "MARKER" not in str(refused.envelope())


def test_many_clashes_are_counted(local: Any) -> None:
    base, current, yours = ("".join(f"{word} {n}\n\n" for n in range(30)) for word in ("base", "current", "yours"))
    for text in (base, current):
        local("put_page", slug=SLUG, content=text)
    refused = conflict(local, yours, 1)
    assert (len(refused.detail["hunks"]), refused.detail["hunks_left_off"]) == (20, 10)


def test_the_editor_is_the_newer_version(brain: Brain, local: Any, remote: Any, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    local("sources_add", id="work", path=str(folder))
    brain.selection = Selection(flag="work")
    local("put_page", slug=SLUG, content="v1\n")
    assert remote("put_page", slug=SLUG, content="v1 / A: ship Friday\n", expected_version=1)["version"] == 2
    assert conflict(remote, "v1 / B: budget 40k\n", 1).detail["current_version"] == 2
    read = remote("get_page", slug=SLUG)["version"]
    file = folder / f"{SLUG}.md"
    saved = file.read_bytes().replace(b"Friday", b"Monday")
    file.write_bytes(saved)
    refused = conflict(remote, "v1 / A: ship Friday / B: budget 40k\n", read)
    assert refused.detail["current_version"] == 3
    assert refused.detail["hunks"][0]["current"] == "v1 / A: ship Monday\n"
    assert file.read_bytes() == saved


class TestFacts:
    rows = "| 1 | rows | fact | 1.0 | world |\n| 2 | MARKER | fact | 1.0 | private |\n"
    fence = f"## Facts\n\n<!--- gbrain:facts:begin -->\n{rows}<!--- gbrain:facts:end -->\n"
    text = f"First.\n\nSecond.\n\n{fence}"

    def stored(self, local: Any) -> str:
        content: str = local("get_versions", slug=SLUG, include_content=True)[0]["content"]
        return content

    def test_a_text_without_the_fence_keeps_it(self, local: Any) -> None:
        local("put_page", slug=SLUG, content=self.text)
        local("put_page", slug=SLUG, content="New.\n", expected_version=1)
        assert self.stored(local) == f"New.\n\n{self.fence}"
        assert local("put_page", slug=SLUG, content="New.\n")["status"] == "skipped"
        with pytest.raises(InvalidParams):
            local("put_page", slug=SLUG, content="")
        local("put_page", slug=SLUG, content="New.\n", drop_facts=True)
        assert self.stored(local) == "New.\n"

    def test_what_an_agent_was_shown_is_no_change(self, local: Any, remote: Any) -> None:
        local("put_page", slug=SLUG, content=self.text)
        shown = remote("fetch", id=SLUG)["text"]
        assert "MARKER" not in shown
        assert remote("put_page", slug=SLUG, content=shown)["status"] == "skipped"
        remote("put_page", slug=SLUG, content=shown.replace("First", "1st").replace("| rows |", "| ~~rows~~ |"))
        assert self.stored(local).endswith(self.fence.replace("| rows |", "| ~~rows~~ |"))

    def test_an_agent_cannot_drop_what_it_may_not_see(self, local: Any, remote: Any) -> None:
        local("put_page", slug=SLUG, content=self.text)
        remote("put_page", slug=SLUG, content="New.\n", expected_version=1, drop_facts=True)
        assert "MARKER" in self.stored(local)
        assert "| rows |" not in self.stored(local)
        assert "MARKER" not in str(remote("get_page", slug=SLUG))

    def test_stale_writes_are_joined_around_it(self, local: Any, remote: Any) -> None:
        local("put_page", slug=SLUG, content=self.text)
        local("put_page", slug=SLUG, content=self.text.replace("| rows |", "| rows daily |"), expected_version=1)
        assert remote("put_page", slug=SLUG, content="1st.\n\nSecond.\n", expected_version=1)["merged"] is True
        assert self.stored(local) == self.text.replace("| rows |", "| rows daily |").replace("First", "1st")

    def test_a_clash_in_the_fence_shows_no_hidden_row(self, local: Any, remote: Any) -> None:
        local("put_page", slug=SLUG, content=self.text)
        local("put_page", slug=SLUG, content=self.text.replace("rows", "R").replace("MARKER", "MARKER 2"))
        shown = "\n".join(line for line in self.text.replace("rows", "Q").split("\n") if "private" not in line)
        refused = conflict(remote, shown, 1)
        assert len(refused.detail["hunks"]) == 1
        assert "MARKER" not in str(refused.envelope())
