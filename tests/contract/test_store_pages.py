"""Pages: versions, what a write was based on, deletion and return, lists, the stream of changes, search."""

from collections.abc import Callable
from typing import Any

import pytest

from finding import found_pages
from gbrain.errors import NotFound, ScopeDenied, VersionConflict
from gbrain.store.engine import Match, Terms
from gbrain.store.store import Store
from gbrain.store.terms import any_of
from gbrain.types import Draft, View, Written

Views = Callable[..., View]
Put = Callable[..., Written]


@pytest.fixture
def write(store: Store, draft: Callable[..., Draft], view: Views) -> Callable[..., Written]:
    """A write as an agent makes it: refused over a page whose version it does not name."""

    def as_agent(slug: str, body: str, expected: int | None = None, **fields: Any) -> Written:
        return store.pages.write(
            view(private=False),
            "default",
            draft(slug, body, **fields),
            by="an agent",
            reason=None,
            expected=expected,
            blind=False,
        )

    return as_agent


def body(store: Store, view: View, slug: str) -> str | None:
    page = store.pages.get(view, slug)
    return page.body if page else None


class TestVersions:
    def test_a_page_begins_at_version_one(self, store: Store, put: Put, local: View) -> None:
        written = put("lamp", "It hangs.", title="A lamp", tags=["brass"], aliases=["Lampy"], summary="hangs")
        assert (written.version, written.status) == (1, "created")
        page = store.pages.get(local, "lamp")
        assert page is not None
        assert (page.id, page.slug, page.title, page.version, page.body) == (
            written.page_id,
            "lamp",
            "A lamp",
            1,
            "It hangs.",
        )
        assert (page.tags, page.summary, page.modified_by, page.deleted_at) == (("brass",), "hangs", "tester", None)
        assert page.created_at == page.last_modified == local.now
        assert page.content.endswith(page.body)

    def test_every_version_is_kept(self, store: Store, put: Put, view: Views, clock: Any) -> None:
        for number in range(1, 5):
            assert put("lamp", f"text {number}").version == number
            clock.move(minutes=1)
        versions = store.pages.versions(view(), "lamp", 100)
        assert [version["version"] for version in versions] == [4, 3, 2, 1]
        assert [version["beginning"] for version in versions] == [f"text {n}" for n in (4, 3, 2, 1)]
        assert versions[0]["characters"] == len("---\ntitle: lamp\n---\ntext 4")
        times = [version["modified_at"] for version in versions]
        assert times == sorted(times, reverse=True)
        assert [row["version"] for row in store.pages.versions(view(), "lamp", 2)] == [4, 3]
        assert [row["version"] for row in store.pages.versions(view(), "lamp", 2, 3)] == [2, 1]
        for number in (1, 4):
            version = store.pages.version(view(), "lamp", number)
            assert version is not None
            assert version.content.splitlines()[-1] == f"text {number}"
        assert store.pages.version(view(), "lamp", 5) is None
        page = store.pages.get(view(), "lamp")
        assert page is not None
        assert page.created_at < page.last_modified
        assert page.content_hash == versions[0]["content_hash"]

    def test_the_same_content_again_is_skipped(self, store: Store, put: Put, view: Views, clock: Any) -> None:
        first = put("lamp", "It hangs.")
        clock.move(hours=1)
        again = put("lamp", "It hangs.")
        assert again == Written(first.page_id, 1, "skipped")
        assert len(store.pages.versions(view(), "lamp", 100)) == 1
        assert store.pages.changed_after(view(), 1, 10) == []

    def test_a_private_version_of_a_page_that_is_public_now_is_hidden(
        self, store: Store, put: Put, local: View, remote: View
    ) -> None:
        put("lamp", "hidden", private=True)
        put("lamp", "shown")
        assert [row["version"] for row in store.pages.versions(local, "lamp", 9)] == [2, 1]
        assert [row["version"] for row in store.pages.versions(remote, "lamp", 9)] == [2]
        assert store.pages.version(local, "lamp", 1) is not None
        assert store.pages.version(remote, "lamp", 1) is None

    def test_an_old_text_again_is_a_new_version(self, store: Store, put: Put, local: View) -> None:
        for text in ("one", "two", "one"):
            put("lamp", text)
        assert [row["version"] for row in store.pages.versions(local, "lamp", 100)] == [3, 2, 1]
        assert body(store, local, "lamp") == "one"

    @pytest.mark.parametrize(
        "text",
        ["", " ", "灯塔项目 🏮", "a\u2028b\x1f\x7f", "line\r\nline\n\n", "x" * 1_000_000, "%s {0} :name ?1"],
        ids=len,
    )
    def test_any_body_comes_back_as_it_was(self, store: Store, put: Put, local: View, text: str) -> None:
        put("lamp", text)
        assert body(store, local, "lamp") == text


class TestExpectedVersion:
    def test_a_write_based_on_the_current_version_is_made(self, write: Callable[..., Written]) -> None:
        write("lamp", "v1")
        assert write("lamp", "v2", expected=1) == Written(1, 2, "updated")

    def test_the_second_of_two_that_read_the_same_version_is_refused(
        self, store: Store, write: Callable[..., Written], local: View
    ) -> None:
        write("projects/lantern-example", "v1")
        write("projects/lantern-example", "v1\nA: ship Friday", expected=1)
        with pytest.raises(VersionConflict) as refused:
            write("projects/lantern-example", "v1\nB: budget 40k", expected=1)
        assert refused.value.detail["current_version"] == 2
        assert refused.value.detail["expected_version"] == 1
        assert refused.value.detail["modified_by"] == "an agent"
        assert "2" in refused.value.suggestion
        assert "gbrain get projects/lantern-example" in refused.value.suggestion
        assert body(store, local, "projects/lantern-example") == "v1\nA: ship Friday"
        assert len(store.pages.versions(local, "projects/lantern-example", 100)) == 2

    @pytest.mark.parametrize("expected", [None, 0, 1, 3, 99, -1])
    def test_anything_but_the_current_version_changes_nothing(
        self, store: Store, write: Callable[..., Written], local: View, expected: int | None
    ) -> None:
        write("lamp", "v1")
        write("lamp", "v2", expected=1)
        with pytest.raises(VersionConflict) as refused:
            write("lamp", "v3", expected=expected)
        assert refused.value.detail["current_version"] == 2
        assert body(store, local, "lamp") == "v2"
        assert [row["slug"] for row in store.pages.changed_after(local, 2, 10)] == []

    def test_a_stale_base_is_a_conflict_even_with_the_same_content(self, write: Callable[..., Written]) -> None:
        write("lamp", "v1")
        write("lamp", "v2", expected=1)
        with pytest.raises(VersionConflict):
            write("lamp", "v2", expected=1)
        assert write("lamp", "v2", expected=2).status == "skipped"
        assert write("lamp", "v2").status == "skipped"

    def test_zero_means_that_there_must_be_no_page(self, write: Callable[..., Written]) -> None:
        assert write("lamp", "v1", expected=0).status == "created"
        with pytest.raises(VersionConflict):
            write("lamp", "v2", expected=0)

    @pytest.mark.parametrize("expected", [1, 2, -1])
    def test_a_page_that_is_not_there_has_no_version(
        self, store: Store, write: Callable[..., Written], local: View, expected: int
    ) -> None:
        with pytest.raises(VersionConflict) as refused:
            write("lamp", "v1", expected=expected)
        assert refused.value.detail["current_version"] is None
        assert store.pages.get(local, "lamp", deleted=True) is None

    def test_the_operator_may_write_without_a_base(self, put: Put, write: Callable[..., Written]) -> None:
        write("lamp", "v1")
        assert put("lamp", "v2").version == 2

    def test_the_same_slug_in_another_source_is_another_page(self, store: Store, put: Put, view: Views) -> None:
        first, second = put("lamp", "ours"), put("lamp", "theirs", source="other")
        assert first.page_id != second.page_id
        assert second.version == 1
        assert body(store, view(), "lamp") == "ours"
        assert body(store, view("other"), "lamp") == "theirs"


class TestPrivatePages:
    @pytest.mark.parametrize("expected", [None, 0, 1, 2])
    def test_one_who_may_not_see_a_page_cannot_write_it(
        self, store: Store, put: Put, write: Callable[..., Written], local: View, expected: int | None
    ) -> None:
        put("diary", "mine", private=True)
        with pytest.raises(VersionConflict if expected else ScopeDenied) as refused:
            write("diary", "theirs", expected=expected)
        told = str(refused.value.envelope())
        assert "mine" not in told
        if expected:
            with pytest.raises(VersionConflict) as absent:
                write("nothing", "theirs", expected=expected)
            assert told.replace("diary", "nothing") == str(absent.value.envelope())
        page = store.pages.get(local, "diary")
        assert page is not None
        assert (page.body, page.private, page.version) == ("mine", True, 1)

    def test_nor_delete_or_bring_it_back(self, store: Store, put: Put, local: View, remote: View) -> None:
        put("diary", "mine", private=True)
        with pytest.raises(NotFound):
            store.pages.set_deleted(remote, "diary", deleted=True, by="an agent")
        store.pages.set_deleted(local, "diary", deleted=True, by="me")
        with pytest.raises(NotFound):
            store.pages.set_deleted(remote, "diary", deleted=False, by="an agent")

    def test_nor_take_the_slug_of_a_deleted_one(
        self, store: Store, put: Put, write: Callable[..., Written], local: View
    ) -> None:
        put("diary", "mine", private=True)
        store.pages.set_deleted(local, "diary", deleted=True, by="me")
        with pytest.raises(ScopeDenied):
            write("diary", "theirs")


class TestDeletion:
    def test_a_deleted_page_comes_back_as_it_was(self, store: Store, put: Put, view: Views, clock: Any) -> None:
        put("lamp", "It hangs on brass.", tags=["brass"], aliases=["Lampy"])
        before = store.pages.get(view(), "lamp")
        clock.move(minutes=1)
        row, changed = store.pages.set_deleted(view(), "lamp", deleted=True, by="me")
        assert changed
        assert row["deleted_at"] == clock.text
        assert store.pages.get(view(), "lamp") is None
        hidden = store.pages.get(view(), "lamp", deleted=True)
        assert hidden is not None
        assert hidden.deleted_at == clock.text
        assert found_pages(store, view(), any_of("brass"), 10) == []
        clock.move(minutes=1)
        row, changed = store.pages.set_deleted(view(), "lamp", deleted=False, by="me")
        assert changed
        assert row["deleted_at"] is None
        after = store.pages.get(view(), "lamp")
        assert before is not None
        assert after == before._replace(last_modified=clock.text, modified_by="me")
        assert [id for id, _ in found_pages(store, view(), any_of("brass"), 10)] == [before.id]
        assert store.names.aliases([before.id]) == {before.id: ["lampy"]}

    @pytest.mark.parametrize("deleted", [True, False])
    def test_again_changes_nothing(self, store: Store, put: Put, view: Views, clock: Any, deleted: bool) -> None:
        put("lamp")
        store.pages.set_deleted(view(), "lamp", deleted=deleted, by="me")
        number = store.pages.last_change()
        clock.move(minutes=1)
        row, changed = store.pages.set_deleted(view(), "lamp", deleted=deleted, by="me")
        assert not changed
        assert row["last_modified"] < clock.text
        assert store.pages.last_change() == number

    def test_what_is_not_there_cannot_be_deleted(self, store: Store, view: Views, put: Put) -> None:
        put("lamp", source="other")
        for deleted in (True, False):
            with pytest.raises(NotFound) as refused:
                store.pages.set_deleted(view(), "lamp", deleted=deleted, by="me")
            assert "gbrain " in refused.value.suggestion
        assert store.pages.get(view("other"), "lamp") is not None

    def test_deleting_in_one_source_leaves_the_other(self, store: Store, put: Put, view: Views) -> None:
        put("readme", source="default")
        put("readme", source="other")
        store.pages.set_deleted(view(), "readme", deleted=True, by="me")
        assert store.pages.get(view("other"), "readme") is not None
        assert len(found_pages(store, view("other"), any_of("readme"), 10)) == 1

    def test_a_new_text_brings_a_deleted_page_back_as_its_next_version(
        self, store: Store, put: Put, write: Callable[..., Written], local: View
    ) -> None:
        put("lamp", "v1")
        store.pages.set_deleted(local, "lamp", deleted=True, by="me")
        with pytest.raises(VersionConflict):
            write("lamp", "v2", expected=1)
        assert write("lamp", "v2", expected=0).version == 2
        assert body(store, local, "lamp") == "v2"
        assert [id for id, _ in found_pages(store, local, any_of("v2"), 10)] == [1]
        assert found_pages(store, local, any_of("v1"), 10) == []

    def test_the_same_text_brings_a_deleted_page_back_too(
        self, store: Store, put: Put, write: Callable[..., Written], local: View
    ) -> None:
        put("lamp", "v1")
        store.pages.set_deleted(local, "lamp", deleted=True, by="me")
        assert write("lamp", "v1").status != "skipped"
        assert body(store, local, "lamp") == "v1"


class TestHeaders:
    def headers(self, store: Store, view: View, **wanted: Any) -> list[str]:
        given: dict[str, Any] = {
            "type": None,
            "tag": None,
            "updated_after": None,
            "deleted": False,
            "order": "updated_desc",
            "limit": 100,
            "offset": 0,
        }
        return [row["slug"] for row in store.pages.headers(view, **{**given, **wanted})]

    @pytest.fixture
    def filled(self, put: Put, clock: Any) -> None:
        for slug, kind, tags in (("c", "note", ["x"]), ("a", "person", ["x", "y"]), ("b", "note", [])):
            put(slug, type=kind, tags=tags)
            clock.move(minutes=1)
        put("c", "again", tags=["x"])

    @pytest.mark.usefixtures("filled")
    @pytest.mark.parametrize(
        ("wanted", "slugs"),
        [
            ({}, ["c", "b", "a"]),
            ({"order": "updated_asc"}, ["a", "b", "c"]),
            ({"order": "created_desc"}, ["b", "a", "c"]),
            ({"order": "slug"}, ["a", "b", "c"]),
            ({"type": "note"}, ["c", "b"]),
            ({"tag": "x"}, ["c", "a"]),
            ({"tag": "x", "type": "person"}, ["a"]),
            ({"tag": "%"}, []),
            ({"type": "' or 1=1 --"}, []),
            ({"limit": 1}, ["c"]),
            ({"limit": 2, "offset": 1}, ["b", "a"]),
            ({"offset": 9}, []),
            ({"updated_after": "2031-05-04T22:11:30.000000Z"}, ["c", "b"]),
        ],
        ids=str,
    )
    def test_filters_and_orders(self, store: Store, view: Views, wanted: dict[str, Any], slugs: list[str]) -> None:
        assert self.headers(store, view(), **wanted) == slugs

    def test_the_deleted_are_listed_when_asked_for(self, store: Store, put: Put, local: View) -> None:
        put("lamp")
        store.pages.set_deleted(local, "lamp", deleted=True, by="me")
        assert self.headers(store, local) == []
        assert self.headers(store, local, deleted=True) == ["lamp"]


class TestChanges:
    def test_numbers_grow_in_the_order_of_commits_whatever_the_clock_says(
        self, store: Store, put: Put, view: Views, clock: Any
    ) -> None:
        put("a")
        clock.move(hours=-3)
        put("b")
        put("a", "again")
        store.pages.set_deleted(view(), "b", deleted=True, by="me")
        store.pages.set_deleted(view(), "b", deleted=False, by="me")
        assert [(row["slug"], row["changed"]) for row in store.pages.changed_after(view(), 0, 10)] == [
            ("a", 3),
            ("b", 5),
        ]
        assert store.pages.changed_after(view(), 5, 10) == []
        assert [row["slug"] for row in store.pages.changed_after(view(), 0, 1)] == ["a"]
        assert store.pages.last_change() == 5

    def test_one_moment_is_divided_by_slug(self, store: Store, put: Put, local: View) -> None:
        for slug in ("b", "c", "a"):
            put(slug)
        assert [row["slug"] for row in store.pages.changed(local, local.now, "", 10)] == ["a", "b", "c"]
        assert [row["slug"] for row in store.pages.changed(local, local.now, "a", 10)] == ["b", "c"]
        assert [row["slug"] for row in store.pages.changed(local, local.now, "c", 10)] == []

    def test_the_number_before_a_moment(self, store: Store, put: Put, clock: Any) -> None:
        assert store.pages.change_before(clock.text) == 0
        put("a")
        between = clock.move(minutes=1)
        clock.move(minutes=1)
        put("b")
        assert store.pages.change_before("2030-01-01T00:00:00.000000Z") == 0
        assert store.pages.change_before(between) == 1
        assert store.pages.change_before(clock.move(minutes=1)) == 2


class TestSearch:
    def test_a_rewrite_is_found_by_its_new_words_alone(self, store: Store, put: Put, local: View) -> None:
        id = put("a", "brass", title="Lamp", aliases=["Shiny"]).page_id
        put("a", "copper", title="Torch", aliases=["Dull"])
        for word in ("brass", "lamp", "shiny"):
            assert found_pages(store, local, any_of(word), 10) == []
        for word in ("copper", "torch", "dull"):
            assert [found for found, _ in found_pages(store, local, any_of(word), 10)] == [id]

    def test_hidden_pages_never_crowd_out_the_seen(self, store: Store, put: Put, remote: View) -> None:
        for number in range(250):
            put(f"diary/{number}", "lantern", title="Lantern", private=True)
        seen = put("open", "a word, and then another word, and one lantern at the end of it all").page_id
        assert [id for id, _ in found_pages(store, remote, any_of("lantern"), 5)] == [seen]

    def test_more_than_one_slice_of_ids(self, store: Store, put: Put, local: View) -> None:
        with store.transaction():
            ids = [put(f"p{number:03}").page_id for number in range(503)]
        backwards = ids[::-1]
        assert [page.id for page in store.pages.by_ids(local, backwards)] == backwards
        assert len(found_pages(store, local, Match(should=(Terms(("p",), prefix=True),)), 600)) == 503
