"""Pages: read, write with a version, list, delete, restore, history, revert."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from gbrain import Brain
from gbrain.errors import BrainError, InvalidParams, NotFound, ScopeDenied, VersionConflict
from gbrain.ops.writing import MOST_BYTES
from gbrain.sources.pages import canonical_text

ALICE = """---
type: person
title: Alice Example
aliases: [Ali, A. Example]
tags: [founder, sailing]
confidence: 0.8
date: 2031-03
---
Alice runs the harbour.

<!-- timeline -->

- **2031-03-30** | Chat — joined the harbour
"""


def printed(found: dict[str, Any]) -> str:
    """What `get` prints of a reply."""
    lifted = {key: found[key] for key in ("type", "title", "tags", "version", "last_modified", "modified_by")}
    return canonical_text(found["frontmatter"], found["compiled_truth"], found["timeline"], **lifted)


def test_a_page_has_every_member_of_its_shape(local: Any, remote: Any) -> None:
    written = local("put_page", slug="People/Alice-Example", content=ALICE)
    assert written == {
        "slug": "people/alice-example",
        "source_id": "default",
        "status": "created_or_updated",
        "title": "Alice Example",
        "version": 1,
        "last_modified": "2031-05-04T22:10:00.000Z",
        "modified_by": "local",
        "content_hash": written["content_hash"],
        "auto_links": {"created": 0, "removed": 0, "errors": 0, "unresolved": []},
        "auto_timeline": {"created": 1, "removed": 0},
    }
    found = remote("get_page", slug="people/alice-example")
    assert found == {
        "id": 1,
        "source_id": "default",
        "slug": "people/alice-example",
        "type": "person",
        "title": "Alice Example",
        "compiled_truth": "Alice runs the harbour.",
        "timeline": "- **2031-03-30** | Chat — joined the harbour",
        "frontmatter": {"aliases": ["Ali", "A. Example"], "confidence": 0.8, "date": "2031-03"},
        "tags": ["founder", "sailing"],
        "version": 1,
        "last_modified": "2031-05-04T22:10:00.000Z",
        "modified_by": "local",
        "confidence": 0.8,
        "expiry": None,
        "effective_date": "2031-03",
        "effective_date_source": "date",
        "source_kind": None,
        "source_uri": None,
        "ingested_via": None,
        "ingested_at": None,
        "content_hash": written["content_hash"],
        "created_at": "2031-05-04T22:10:00.000Z",
        "updated_at": "2031-05-04T22:10:00.000Z",
        "deleted_at": None,
    }


def test_content_can_be_left_out(local: Any, page: Any) -> None:
    page("notes/a")
    assert not {"compiled_truth", "timeline"} & local("get_page", slug="notes/a", include_content=False).keys()


def test_what_get_prints_is_no_change(local: Any, clock: Any) -> None:
    local("put_page", slug="people/alice-example", content=ALICE)
    local("add_tag", slug="people/alice-example", tag="by hand")
    clock.move(days=1)
    text = printed(local("get_page", slug="people/alice-example"))
    assert "version: 1\n" in text
    assert "  - by hand\n" in text
    again = local("put_page", slug="people/alice-example", content=text)
    assert (again["status"], again["version"]) == ("skipped", 1)
    assert again["last_modified"] == "2031-05-04T22:10:00.000Z"


def test_an_edited_print_is_checked_against_its_version(local: Any) -> None:
    local("put_page", slug="people/alice-example", content=ALICE)
    first = printed(local("get_page", slug="people/alice-example"))
    assert local("put_page", slug="people/alice-example", content=first.replace("harbour.", "port."))["version"] == 2
    with pytest.raises(VersionConflict) as caught:
        local("put_page", slug="people/alice-example", content=first.replace("harbour.", "quay."))
    assert caught.value.detail["current_version"] == 2
    assert "port." in local("get_page", slug="people/alice-example")["compiled_truth"]


def test_a_copy_under_a_new_slug_is_based_on_nothing(local: Any) -> None:
    local("put_page", slug="people/alice-example", content=ALICE)
    local("put_page", slug="people/alice-example", content=ALICE + "\nMore.\n")
    text = printed(local("get_page", slug="people/alice-example"))
    assert local("put_page", slug="people/alice-copy", content=text)["version"] == 1


def test_a_stale_write_is_refused_with_the_current_version(local: Any, remote: Any, page: Any) -> None:
    page("projects/lantern-example", "v1\n")
    read = remote("get_page", slug="projects/lantern-example")["version"]
    one = remote("put_page", slug="projects/lantern-example", content="v1 / A: ship Friday", expected_version=read)
    assert one["version"] == 2
    with pytest.raises(VersionConflict) as caught:
        remote("put_page", slug="projects/lantern-example", content="v1 / B: budget 40k", expected_version=read)
    assert caught.value.detail == {
        "slug": "projects/lantern-example",
        "current_version": 2,
        "expected_version": 1,
        "last_modified": "2031-05-04T22:10:00.000Z",
        "modified_by": "agent-example",
        "hunks": [
            {
                "line": 1,
                "key": None,
                "base": "v1\n",
                "current": "v1 / A: ship Friday\n",
                "yours": "v1 / B: budget 40k\n",
            }
        ],
    }
    assert "expected_version: 2" in caught.value.suggestion
    assert local("get_page", slug="projects/lantern-example")["compiled_truth"] == "v1 / A: ship Friday"


def test_only_the_owner_may_write_blindly(local: Any, remote: Any, page: Any) -> None:
    page("notes/a", "one\n")
    with pytest.raises(VersionConflict):
        remote("put_page", slug="notes/a", content="two")
    assert local("put_page", slug="notes/a", content="two")["version"] == 2
    with pytest.raises(VersionConflict):
        local("put_page", slug="notes/a", content="three", expected_version=0)
    with pytest.raises(VersionConflict):
        local("put_page", slug="notes/new", content="three", expected_version=4)
    assert remote("put_page", slug="notes/new", content="three", expected_version=0)["version"] == 1


@pytest.mark.parametrize(
    "slug",
    ["", "/a", "a/", "a//b", "../a", "a/../b", "a\x07b", "a‮b", "a\\b", "a%2fb", "a: b", "a#b", ".git/x", "x" * 256],
)
def test_bad_slugs_are_refused_with_a_better_one(local: Any, slug: str) -> None:
    for name, more in (("put_page", {"content": "x"}), ("get_page", {}), ("delete_page", {}), ("get_tags", {})):
        with pytest.raises(InvalidParams) as caught:
            local(name, slug=slug, **more)
        assert "use" in caught.value.suggestion


def test_broken_front_matter_is_refused_with_its_line(local: Any) -> None:
    with pytest.raises(InvalidParams) as caught:
        local("put_page", slug="notes/a", content="---\ntitle: A\ntags:\n\t- b\n---\nText.\n")
    assert caught.value.detail["line"] == 4
    assert "line" in caught.value.suggestion
    with pytest.raises(NotFound):
        local("get_page", slug="notes/a")


def test_doubtful_front_matter_is_stored_and_named(local: Any) -> None:
    reply = local.reply("put_page", slug="notes/a", content="---\ntitle: Re: a walk\nconfidence: high\n---\nText.\n")
    assert [(warning["code"], warning["line"], warning["key"]) for warning in reply.warnings] == [
        ("front_matter", 2, "title"),
        ("front_matter", 3, "confidence"),
    ]
    assert local("get_page", slug="notes/a")["title"] == "Re: a walk"
    assert local("get_page", slug="notes/a")["confidence"] is None


def test_front_matter_of_another_slug_is_refused(local: Any) -> None:
    with pytest.raises(InvalidParams) as caught:
        local("put_page", slug="notes/a", content="---\nslug: notes/b\n---\nText.\n")
    assert "slug: notes/a" in caught.value.suggestion
    assert local("put_page", slug="notes/a", content="---\nslug: Notes/A\n---\nText.\n")["version"] == 1


def test_an_empty_text_does_not_replace_a_page_by_accident(local: Any, page: Any) -> None:
    page("notes/a", "Something.\n")
    for content in ("", " \n", "---\ntitle: A\n---\n\n"):
        with pytest.raises(InvalidParams) as caught:
            local("put_page", slug="notes/a", content=content)
        assert "gbrain delete notes/a" in caught.value.suggestion
    assert local("put_page", slug="notes/a", content="", allow_empty=True)["version"] == 2
    assert local("put_page", slug="notes/empty", content="")["version"] == 1


def test_a_text_over_the_limit_is_refused(local: Any) -> None:
    with pytest.raises(InvalidParams):
        local("put_page", slug="notes/a", content="é" * (MOST_BYTES // 2 + 1))


def test_the_origin_of_a_remote_text_is_stamped(local: Any, remote: Any) -> None:
    remote("put_page", slug="notes/r", content="R.", source_kind="manual", source_uri="file:///x")
    found = local("get_page", slug="notes/r")
    assert (found["source_kind"], found["source_uri"], found["ingested_via"]) == ("mcp", None, "put_page")
    assert found["ingested_at"] == "2031-05-04T22:10:00.000Z"
    assert found["modified_by"] == "agent-example"
    local("put_page", slug="notes/l", content="L.", source_kind="email", source_uri="mail:1")
    found = local("get_page", slug="notes/l")
    assert (found["source_kind"], found["source_uri"], found["ingested_via"]) == ("email", "mail:1", None)


def test_private_pages_read_as_missing(local: Any, remote: Any, page: Any) -> None:
    page("people/hidden-example", "MARKER\n", "visibility: private", "aliases: [Shade]", "tags: [secret]")
    local("add_timeline_entry", slug="people/hidden-example", date="2031", summary="MARKER")
    slug = {"slug": "people/hidden-example"}
    for name, more in (
        ("get_page", {}),
        ("get_page", {"fuzzy": True}),
        ("get_page", {"include_deleted": True}),
        ("delete_page", {}),
        ("restore_page", {}),
        ("revert_version", {"version_id": 1}),
        ("add_tag", {"tag": "x"}),
        ("remove_tag", {"tag": "secret"}),
        ("add_timeline_entry", {"date": "2031", "summary": "x"}),
    ):
        with pytest.raises(NotFound) as caught:
            remote(name, **slug, **more)
        assert caught.value.suggestion.startswith("run: gbrain search")
    for name in ("get_versions", "get_tags", "get_links", "get_backlinks", "get_timeline", "traverse_graph"):
        assert remote(name, **slug) == []
    assert remote("list_pages") == remote("list_pages", include_deleted=True) == []
    for version, refusal in ((None, ScopeDenied), (0, ScopeDenied), (1, VersionConflict), (2, VersionConflict)):
        with pytest.raises(refusal) as refused:
            remote("put_page", **slug, content="mine now", expected_version=version)
        assert "MARKER" not in str(refused.value.envelope())
    assert local("get_page", **slug)["version"] == 1


def test_private_rows_of_a_facts_fence_are_not_shown(local: Any, remote: Any, page: Any) -> None:
    rows = "| 1 | likes tea | fact | 1.0 | world |\n| 2 | MARKER | fact | 1.0 | private |\n"
    fence = f"Text.\n\n## Facts\n\n<!--- gbrain:facts:begin -->\n{rows}<!--- gbrain:facts:end -->\n"
    page("people/a", fence)
    assert "MARKER" in local("get_page", slug="people/a")["compiled_truth"]
    shown = remote("get_page", slug="people/a")["compiled_truth"]
    assert "likes tea" in shown
    assert "MARKER" not in shown
    assert "MARKER" not in str(remote("get_versions", slug="people/a", include_content=True))
    assert remote("search", query="MARKER") == []


def test_an_expired_page_leaves_reads_the_day_after_its_date(local: Any, clock: Any) -> None:
    content = "---\nexpiry: 2031-05-05\n---\nOn the night train.\n"
    assert not local.reply("put_page", slug="notes/a", content=content).warnings
    assert local("get_page", slug="notes/a")["expiry"] == "2031-05-06T00:00:00.000Z"
    clock.move(hours=25, minutes=49)
    assert not local.reply("get_page", slug="notes/a").warnings
    clock.move(minutes=1)
    assert [w["code"] for w in local.reply("get_page", slug="notes/a").warnings] == ["expired"]
    with pytest.raises(NotFound) as caught:
        local("fetch", id="notes/a")
    assert "expiry" in caught.value.message
    assert local("list_pages") == local("search", query="night train") == []
    assert [w["code"] for w in local.reply("put_page", slug="notes/b", content=content).warnings] == ["expired"]


def test_delete_and_restore(local: Any, page: Any, clock: Any) -> None:
    page("notes/a", "Text about lanterns.\n", "aliases: [Lamp]", "tags: [x]")
    page("notes/b")
    local.link("notes/a", "notes/b")
    gone = local("delete_page", slug="notes/a")
    assert gone == {
        "status": "soft_deleted",
        "slug": "notes/a",
        "source_id": "default",
        "deleted_at": "2031-05-04T22:10:00.000Z",
        "recoverable_until": "2031-05-07T22:10:00.000Z",
    }
    clock.move(hours=1)
    assert local("delete_page", slug="notes/a")["status"] == "already_soft_deleted"
    assert local("delete_page", slug="notes/a")["deleted_at"] == gone["deleted_at"]
    with pytest.raises(NotFound) as caught:
        local("get_page", slug="notes/a")
    assert caught.value.suggestion == "run: gbrain restore notes/a"
    assert local("search", query="lamp") == local("get_backlinks", slug="notes/b") == []
    assert [row["slug"] for row in local("list_pages")] == ["notes/b"]
    assert [row.get("deleted_at") for row in local("list_pages", include_deleted=True, sort="slug")] == [
        gone["deleted_at"],
        None,
    ]
    assert local("restore_page", slug="notes/a")["status"] == "restored"
    assert local("restore_page", slug="notes/a")["status"] == "already_active"
    assert local("search", query="lamp")[0]["slug"] == "notes/a"
    assert len(local("get_backlinks", slug="notes/b")) == 1
    assert local("get_page", slug="notes/a")["tags"] == ["x"]


def test_a_deletion_can_name_its_version(local: Any, page: Any) -> None:
    page("notes/a", "one\n")
    page("notes/a", "two\n")
    with pytest.raises(VersionConflict) as caught:
        local("delete_page", slug="notes/a", expected_version=1)
    assert caught.value.detail["current_version"] == 2
    assert local("delete_page", slug="notes/a", expected_version=2)["status"] == "soft_deleted"


def test_a_write_over_a_deleted_page_brings_it_back(local: Any, page: Any) -> None:
    page("notes/a", "one\n")
    local("delete_page", slug="notes/a")
    assert page("notes/a", "two\n")["version"] == 2
    assert local("get_page", slug="notes/a")["compiled_truth"] == "two"


def test_list_filters_and_orders(local: Any, page: Any, clock: Any) -> None:
    for slug, header in (("people/c", "type: person"), ("notes/b", "tags: [x]"), ("notes/a", "tags: [x, y]")):
        page(slug, "Text.\n", header)
        clock.move(hours=1)

    def slugs(**more: Any) -> list[str]:
        return [row["slug"] for row in local("list_pages", **more)]

    assert slugs() == slugs(limit=0) == ["notes/a", "notes/b", "people/c"]
    assert slugs(sort="updated_asc") == ["people/c", "notes/b", "notes/a"]
    assert slugs(sort="slug", limit=1, offset=1) == ["notes/b"]
    assert slugs(type="person") == ["people/c"]
    assert slugs(tag="x", sort="slug") == ["notes/a", "notes/b"]
    assert slugs(updated_after="2031-05-04T23:30:00Z") == ["notes/a"]
    for wrong in ({"updated_after": "garbage"}, {"limit": -1}, {"sort": "random"}, {"updated_after": "2031-13-45"}):
        with pytest.raises(InvalidParams):
            local("list_pages", **wrong)


def test_fuzzy_reads_say_what_a_name_led_to(local: Any, page: Any) -> None:
    page("people/alice-example", "Text.\n", "title: Alice Example", "aliases: [Ali]")
    for name in ("people/alice-example", "Alice Example", "ALI", "alice-example", "Alise Exmple"):
        assert local("get_page", slug=name, fuzzy=True)["resolved_slug"] == "people/alice-example"
    with pytest.raises(NotFound) as caught:
        local("get_page", slug="alice-example")
    assert "gbrain get people/alice-example" in caught.value.suggestion
    assert caught.value.detail == "page_not_found"
    with pytest.raises(NotFound):
        local("get_page", slug="Zebulon Quartz", fuzzy=True)


def test_the_fallback_date_stays_the_day_of_creation(local: Any, page: Any, clock: Any) -> None:
    page("notes/a", "one\n")
    clock.move(days=9)
    page("notes/a", "two\n")
    found = local("get_page", slug="notes/a")
    assert (found["effective_date"], found["effective_date_source"]) == ("2031-05-04", "fallback")


def test_a_later_page_owns_the_facts_of_its_names(local: Any, remote: Any, page: Any) -> None:
    names = {"Bob Builder": "builds boats", "bob-b": "sails at dawn", "The Fixer": "mends clocks"}
    for name, fact in names.items():
        local("remember", fact=fact, provenance="test", entity=name)
    page("people/bob-b", "Bob.\n", "title: Bob Builder", "aliases: [The Fixer]")
    facts = local("recall", entity="people/bob-b")["facts"]
    assert {fact["fact"] for fact in facts} == set(names.values())
    assert {fact["entity_slug"] for fact in facts} == {"people/bob-b"}


def test_a_page_whose_name_is_shared_or_private_owns_nothing(local: Any, page: Any) -> None:
    local("remember", fact="likes tea", provenance="test", entity="Dana Reed")
    page("people/dana-1", "Dana.\n", "title: Dana Reed", "visibility: private")
    assert local("recall")["facts"][0]["entity_slug"] == "dana-reed"
    local("remember", fact="hides tea", provenance="test", entity="Dana Reed", visibility="private")
    page("people/dana-2", "Dana.\n", "title: Dana Reed")
    slugs = {row["fact"]: row["entity_slug"] for row in local("recall")["facts"]}
    assert slugs["likes tea"] == "people/dana-2", "a hidden page decides nothing about what everybody reads"
    assert slugs["hides tea"] != "people/dana-2"


def test_hand_tags_missing_from_a_print_are_named(local: Any, page: Any) -> None:
    page("notes/a", "one\n", "tags: [x]")
    local("add_tag", slug="notes/a", tag="kept")
    text = printed(local("get_page", slug="notes/a")).replace("  - kept\n", "")
    reply = local.reply("put_page", slug="notes/a", content=text.replace("one", "two"))
    assert [warning["code"] for warning in reply.warnings] == ["tags_kept"]
    assert local("get_tags", slug="notes/a") == ["kept", "x"]


def test_dry_run_writes_nothing(local: Any) -> None:
    shown = local("put_page", slug="notes/a", content="x", dry_run=True)
    assert (shown["dry_run"], shown["action"], shown["slug"]) == (True, "put_page", "notes/a")
    assert local("list_pages") == []


def test_every_refusal_says_what_to_do(local: Any, remote: Any, page: Any) -> None:
    page("notes/a", "x\n")
    for caller, name, arguments in (
        (remote, "put_page", {"slug": "notes/a", "content": "y"}),
        (local, "put_page", {"slug": "notes/a"}),
        (local, "get_page", {"slug": "notes/zz"}),
        (local, "delete_page", {"slug": "notes/zz"}),
        (local, "get_page", {"slug": "notes/a", "nonsense": 1}),
        (local, "get_page", {"slug": 7}),
    ):
        with pytest.raises(BrainError) as caught:
            caller(name, **arguments)
        assert caught.value.suggestion


def test_concurrent_writers_of_one_version_have_one_winner(brain: Brain, local: Any, page: Any) -> None:
    page("notes/a", "start\n")

    def attempt(number: int) -> str:
        try:
            return str(local("put_page", slug="notes/a", content=f"by {number}", expected_version=1)["status"])
        except VersionConflict as error:
            return error.code

    with ThreadPoolExecutor(4) as pool:
        outcomes = sorted(pool.map(attempt, range(8)))
    assert outcomes == ["created_or_updated"] + ["version_conflict"] * 7
    assert local("get_page", slug="notes/a")["version"] == 2
