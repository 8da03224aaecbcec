"""Three-way merges of page texts."""

import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from gbrain.sources.frontmatter import parse
from gbrain.sources.merge import Hunk, canonical, merge, merge_lines, merge_mappings

SLUG = "people/dana-oakes"
LINES = "".join(f"line {number}\n" for number in range(1, 10))


def merged(base: str, current: str, yours: str) -> str:
    """The merged text; a conflict fails the test."""
    outcome = merge(SLUG, base, current, yours)
    assert outcome.content is not None, outcome
    return outcome.content


def clash(base: str, current: str, yours: str) -> tuple[Hunk, ...]:
    """The hunks of a conflict; a merge fails the test."""
    outcome = merge(SLUG, base, current, yours)
    assert outcome.content is None
    return outcome.hunks


class TestLines:
    def test_changes_in_different_places_are_joined(self) -> None:
        current, yours = LINES.replace("line 2", "LINE 2"), LINES.replace("line 8\n", "line 8\nand more\n")
        assert merged(LINES, current, yours) == LINES.replace("line 2", "LINE 2").replace(
            "line 8\n", "line 8\nand more\n"
        )

    def test_the_same_change_on_both_sides_is_one(self) -> None:
        changed = LINES.replace("line 2", "LINE 2")
        assert merged(LINES, changed, changed) == changed
        assert merged(LINES, changed + "last\n", changed) == changed + "last\n"
        assert merged(LINES, changed, LINES.replace("line 2\n", "LINE 2\n") + "end\n") == changed + "end\n"

    def test_the_same_insertion_on_both_sides_stands_once(self) -> None:
        both = LINES.replace("line 5\n", "line 5\nnew\n")
        assert merged(LINES, both.replace("line 1\n", ""), both) == both.replace("line 1\n", "")

    @pytest.mark.parametrize(
        ("current", "yours", "hunk"),
        [
            (("line 5", "A"), ("line 5", "B"), Hunk(5, None, "line 5\n", "A\n", "B\n")),
            (("line 5\n", ""), ("line 5", "B"), Hunk(5, None, "line 5\n", "", "B\n")),
            (("line 5", "A"), ("line 5\n", ""), Hunk(5, None, "line 5\n", "A\n", "")),
            (("line 5\n", "line 5\nA\n"), ("line 5\n", "line 5\nB\n"), Hunk(6, None, "", "A\n", "B\n")),
            (("line 5", "A"), ("line 6", "B"), Hunk(5, None, "line 5\nline 6\n", "A\nline 6\n", "line 5\nB\n")),
            (("line 9\n", ""), ("line 9\n", "line 9\nB\n"), Hunk(9, None, "line 9\n", "", "line 9\nB\n")),
        ],
        ids=["edit-edit", "delete-edit", "edit-delete", "insert-insert", "neighbours", "delete-append"],
    )
    def test_changes_in_one_place_are_a_conflict(
        self, current: tuple[str, str], yours: tuple[str, str], hunk: Hunk
    ) -> None:
        assert clash(LINES, LINES.replace(*current), LINES.replace(*yours)) == (hunk,)

    def test_the_line_is_that_of_the_current_text(self) -> None:
        current = "top\n" + LINES.replace("line 8", "A")
        yours = LINES.replace("line 8", "B").replace("line 3\n", "line 3\nx\ny\nz\n").replace("line 5\n", "")
        assert [hunk.line for hunk in clash(LINES, current, yours)] == [9]

    def test_texts_full_of_markers_are_texts(self) -> None:
        strange = "<<<<<<< current\n=======\n" + LINES + "|||||||||||| base\n>>>>>>> yours\n"
        assert (
            merged(strange, strange + "A\n", strange.replace("line 2", "B")) == strange.replace("line 2", "B") + "A\n"
        )
        (hunk,) = clash(strange, strange.replace("line 5", "======="), strange.replace("line 5", ">>>>>>> yours"))
        assert (hunk.base, hunk.current, hunk.yours) == ("line 5\n", "=======\n", ">>>>>>> yours\n")

    def test_no_setting_of_the_person_decides(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        (tmp_path / ".gitconfig").write_text("[merge]\n  conflictstyle = nonsense\n", encoding="utf-8")
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("GIT_DIR", "/nowhere")
        assert merged(LINES, LINES + "A\n", "B\n" + LINES) == "B\n" + LINES + "A\n"

    def test_without_git_a_merge_is_not_attempted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "/nowhere")
        assert merge(SLUG, LINES, LINES + "A\n", "B\n" + LINES).failure == "git_missing"
        assert merged(LINES, LINES + "A\n", LINES) == LINES + "A\n", "where one side did not change, git is not needed"

    @settings(max_examples=60)
    @given(st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "<<<<<<<\n", "=======\n"]), max_size=8), st.data())
    def test_a_side_that_did_not_change_gives_the_other(self, lines: list[str], data: st.DataObject) -> None:
        base = "".join(lines)
        other = "".join(data.draw(st.permutations(lines)))
        assert merge_lines(base, other, base) == (other, [])
        assert merge_lines(base, base, other) == (other, [])
        assert merge_lines(base, other, other) == (other, [])


class TestBodies:
    def test_what_a_reader_was_shown_merges_with_what_a_person_typed(self) -> None:
        base = "\n\nDana rows.\n\n## Timeline\n\n- **2031-05-01** | Rowed\n"
        current = base.replace("rows", "rows and sails")
        yours = canonical(base) + "- **2031-05-02** | Sailed\n"
        assert "<!-- timeline -->" in yours
        assert merged(base, current, yours) == current + "- **2031-05-02** | Sailed\n"

    def test_line_ends_stay(self) -> None:
        base = LINES.replace("\n", "\r\n")
        assert merged(base, base + "A\r\n", "B\n" + LINES) == "B\r\n" + base + "A\r\n"

    def test_a_missing_last_line_feed_is_no_change(self) -> None:
        base = LINES.rstrip("\n")
        assert merged(base, base.replace("line 2", "A"), base + "\nB\n") == LINES.replace("line 2", "A") + "B\n"


class TestFrontMatter:
    def header(self, *lines: str, body: str = "Text.\n") -> str:
        return "---\n" + "".join(f"{line}\n" for line in lines) + f"---\n{body}"

    def test_keys_merge_one_by_one(self) -> None:
        base = self.header("a: 1", "b: 1", "c: 1", "d: 1")
        current = self.header("a: 2", "b: 1", "d: 1", "e: x")
        yours = self.header("a: 1", "b: 2", "c: 1", "f: y")
        outcome = parse(merged(base, current, yours))
        assert outcome.frontmatter == {"a": 2, "b": 2, "e": "x", "f": "y"}
        assert outcome.body == "Text.\n"

    def test_one_key_changed_in_two_ways_is_a_conflict(self) -> None:
        base, current, yours = (self.header(f"stage: {stage}", "x: 1") for stage in ("seed", "A", "B"))
        assert clash(base, current, yours) == (Hunk(None, "stage", "stage: seed\n", "stage: A\n", "stage: B\n"),)
        gone = self.header("x: 1")
        assert clash(base, gone, yours) == (Hunk(None, "stage", "stage: seed\n", "", "stage: B\n"),)
        assert clash(gone, current, yours) == (Hunk(None, "stage", "", "stage: A\n", "stage: B\n"),)

    def test_lists_merge_as_sets(self) -> None:
        base = self.header("tags: [a, b, c]", "aliases: Ann, Bo")
        current = self.header("tags: [b, c, d]", "aliases: Ann")
        yours = self.header("tags: a, b, e", "aliases: [Ann, Bo, Cy]")
        outcome = parse(merged(base, current, yours))
        assert (outcome.tags, outcome.aliases) == (["b", "d", "e"], ["Ann", "Cy"])

    def test_lists_of_mappings_do_not(self) -> None:
        base, current, yours = (self.header(f"team: [{{name: {name}}}]") for name in ("a", "b", "c"))
        assert [hunk.key for hunk in clash(base, current, yours)] == ["team"]

    def test_mappings_merge_by_their_own_keys(self) -> None:
        base, current, yours = {"m": {"a": 1, "b": 1}}, {"m": {"a": 2, "b": 1}}, {"m": {"a": 1, "b": 2, "c": 3}}
        assert merge_mappings(base, current, yours) == ({"m": {"a": 2, "b": 2, "c": 3}}, [])
        _, hunks = merge_mappings(base, current, {"m": {"a": 3, "b": 1}})
        assert hunks == [Hunk(None, "m.a", "a: 1\n", "a: 2\n", "a: 3\n")]

    def test_what_a_print_adds_is_no_change(self) -> None:
        base = "# Old name\n\nText.\n\nLast.\n"
        current = base.replace("Old", "New")
        yours = "---\ntype: person\ntitle: Old name\nversion: 1\nmodified_by: local\n---\n\n" + base + "More.\n"
        assert merged(base, current, yours) == current + "More.\n"

    def test_true_is_not_one(self) -> None:
        base, current, yours = (self.header(f"x: {value}") for value in ("1", "1", "true"))
        assert parse(merged(base, current, yours)).frontmatter == {"x": True}

    def test_body_and_header_conflicts_come_together(self) -> None:
        base, current, yours = (self.header(f"x: {word}", body=f"{word}\n") for word in "abc")
        assert [(hunk.key, hunk.line) for hunk in clash(base, current, yours)] == [("x", None), (None, 1)]

    def test_a_body_that_looks_like_a_header_stays_body(self) -> None:
        base = "Text.\n\nMiddle.\n\nLast.\n"
        current = "---\n---\nx: 1\n---\n" + base.replace("Last", "End")
        outcome = parse(merged("---\n---\nx: 1\n---\n" + base, current, "x: 1\n---\nText!\n\nMiddle.\n\nLast.\n"))
        assert outcome.frontmatter == {}
        assert outcome.body.splitlines()[:3] == ["x: 1", "---", "Text!"]
        assert "End." in outcome.body


def test_git_is_there() -> None:
    assert shutil.which("git"), "the tests of merges need git"
