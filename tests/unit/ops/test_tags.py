"""Tags of the text and tags by hand."""

from typing import Any

import pytest

from gbrain.errors import InvalidParams, NotFound


def test_tags_of_text_and_hand_are_one_sorted_list(local: Any, page: Any) -> None:
    page("notes/a", "Text.\n", "tags: [b, a]")
    assert local("add_tag", slug="notes/a", tag=" by  hand ") == {"status": "ok", "tags": ["a", "b", "by hand"]}
    assert local("add_tag", slug="notes/a", tag="a")["tags"] == ["a", "b", "by hand"]
    assert local("get_tags", slug="Notes/A") == ["a", "b", "by hand"]
    assert local("get_tags", slug="notes/none") == []


def test_a_tag_by_hand_outlives_rewrites(local: Any, page: Any) -> None:
    page("notes/a", "Text.\n", "tags: [x, y]")
    local("add_tag", slug="notes/a", tag="x")
    page("notes/a", "Other.\n")
    assert local("get_tags", slug="notes/a") == ["x"]


def test_removing_a_tag_by_hand_keeps_the_version(local: Any, page: Any) -> None:
    page("notes/a")
    local("add_tag", slug="notes/a", tag="x")
    assert local("remove_tag", slug="notes/a", tag="x") == {"status": "ok", "removed": True, "tags": []}
    assert local("remove_tag", slug="notes/a", tag="x") == {"status": "ok", "removed": False, "tags": []}
    assert local("get_page", slug="notes/a")["version"] == 1


def test_removing_a_tag_of_the_text_rewrites_its_header_alone(local: Any, remote: Any, page: Any) -> None:
    page("notes/a", "\n\n# Kept   as is\r\n\n", "title: A", "tags: [x, y]")
    local("add_tag", slug="notes/a", tag="x")
    assert remote("remove_tag", slug="notes/a", tag="x") == {"status": "ok", "removed": True, "tags": ["y"]}
    versions = local("get_versions", slug="notes/a", include_content=True)
    assert versions[0]["content"] == "---\ntitle: A\ntags: [y]\n---\n\n\n# Kept   as is\r\n\n"
    assert (versions[0]["version"], versions[0]["reason"]) == (2, "untag x")
    assert local("get_page", slug="notes/a")["tags"] == ["y"]
    local("remove_tag", slug="notes/a", tag="y")
    assert local("get_page", slug="notes/a")["tags"] == []


def test_bad_tags_and_missing_pages_are_refused(local: Any, page: Any) -> None:
    page("notes/a")
    for tag in ("", "  ", "a,b", "x" * 101, "a\x07b"):
        with pytest.raises(InvalidParams):
            local("add_tag", slug="notes/a", tag=tag)
    for name in ("add_tag", "remove_tag"):
        with pytest.raises(NotFound):
            local(name, slug="notes/none", tag="x")


def test_tags_of_the_body_are_tags_and_stay_there(local: Any, page: Any) -> None:
    page("notes/a", "Tea with #friends, not `#code`.\n", "tags: ['#x', Friends]")
    page("notes/b", "Tea with #friends.\n")
    assert local("get_tags", slug="notes/a") == ["Friends", "x"]
    assert [row["slug"] for row in local("list_pages", tag="friends")] == ["notes/b"]
    local("add_tag", slug="notes/b", tag="hand")
    reply = local.reply("remove_tag", slug="notes/b", tag="friends")
    assert (reply.value["removed"], reply.value["tags"]) == (False, ["friends", "hand"])
    assert [warning["code"] for warning in reply.warnings] == ["tag_in_text"]
    assert "Tea with #friends" in local("get_page", slug="notes/b")["compiled_truth"]
    printed = local("fetch", id="notes/b")["text"]
    assert "tags:\n  - hand\n---" in printed
    assert local("put_page", slug="notes/b", content=printed)["status"] == "skipped"
    page("notes/b", "Tea.\n")
    assert local("get_tags", slug="notes/b") == ["hand"]


def test_a_nested_tag_is_found_by_those_above_it(local: Any, page: Any) -> None:
    def found(tag: str) -> list[str]:
        rows = [row["slug"] for row in local("list_pages", tag=tag, sort="slug")]
        assert rows == sorted(local("resolve_slugs", partial="notes", tags=[tag]))
        return rows

    page("notes/one", "Went by #boat/sail/small.\n")
    page("notes/two", "Rowed.\n", "tags: [boat]")
    page("notes/three", "Walked.\n")
    local("add_tag", slug="notes/three", tag="boat/oars")
    assert found("boat") == ["notes/one", "notes/three", "notes/two"]
    assert found("boat/sail") == ["notes/one"]
    assert local("get_tags", slug="notes/one") == ["boat/sail/small"]
    assert local("get_stats")["tag_count"] == 3
    local("remove_tag", slug="notes/three", tag="boat")
    local("remove_tag", slug="notes/three", tag="boat/oars")
    local("add_tag", slug="notes/one", tag="boat")
    page("notes/one", "Went.\n")
    assert found("boat") == ["notes/one", "notes/two"]
    assert found("boat/sail") == []
