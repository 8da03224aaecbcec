"""What is known of the files of a source, and a page that gets another slug."""

from collections.abc import Callable
from typing import Any

from gbrain.store.files import File
from gbrain.store.store import Store
from gbrain.types import View, Written


def file(path: str, page_id: int | None = None, **fields: Any) -> File:
    made = File(path, page_id, None if page_id is None else 1, "0" * 64, 1_900_000_000_123_456_789, 5)
    return made._replace(**fields)


def test_what_is_put_comes_back(store: Store, put: Callable[..., Written]) -> None:
    page = put("a").page_id
    whole = file("sub/ä b.md", page, doubts=((3, "what", "hint"), (None, "x", "y")), pending=("write", ".h", ""))
    for one in (whole, file("z.md", readable=False)):
        store.files.put("default", one)
    assert store.files.all("default") == {"sub/ä b.md": whole, "z.md": file("z.md", readable=False)}
    assert store.files.all("other") == {}
    changed = whole._replace(pending=("gone", 12345678901234, 1_900_000_000_123_456_789), doubts=(), size=6)
    store.files.put("default", changed)
    assert store.files.at("default", ["sub/ä b.md", "nope"]) == {"sub/ä b.md": changed}
    assert store.files.count("default") == 1
    store.files.remove("default", "sub/ä b.md")
    assert set(store.files.all("default")) == {"z.md"}


def test_files_under_a_path(store: Store) -> None:
    for path in ("a.md", "a/b.md", "a/b/c.md", "a0.md", "a/", "ab/c.md", "A/b.md"):
        store.files.put("default", file(path))
    assert set(store.files.under("default", ["a"])) == {"a/b.md", "a/b/c.md", "a/"}
    assert set(store.files.under("default", ["a.md", "a/b"])) == {"a.md", "a/b/c.md"}


def test_the_file_of_a_page(store: Store, put: Callable[..., Written], view: Callable[..., View]) -> None:
    one, other = put("one").page_id, put("one", source="other").page_id
    store.files.put("default", file("one.md", one))
    store.files.put("other", file("uno.md", other))
    assert store.files.of_slug("default", "one") == file("one.md", one)
    assert store.files.of_slug("default", "two") is None
    assert store.files.of_pages("default", [one, other]) == {one: file("one.md", one)}
    assert store.files.slugs("default", [one, other]) == {one: "one"}
    assert not store.files.is_private("default", "one")
    put("secret", private=True)
    assert store.files.is_private("default", "secret")
    store.pages.set_deleted(view(), "one", deleted=True, by="x")
    assert store.files.slugs("default", [one]) == {}
    assert store.files.of_slug("default", "one") == file("one.md", one)


def test_a_renamed_page_is_found_by_its_new_name_alone(
    store: Store, put: Callable[..., Written], view: Callable[..., View]
) -> None:
    page = put("people/dana-oakes", "Rows.", title="Dana").page_id
    before = store.pages.last_change()
    store.pages.rename(view(), page, "team/d-mast", by="file")
    assert store.pages.last_change() == before + 1
    assert store.pages.get(view(), "people/dana-oakes") is None
    held = store.pages.get(view(), "team/d-mast")
    assert held is not None
    assert (held.id, held.version, held.modified_by) == (page, 1, "file")
    assert [found.slug for found in store.names.find(view(), "d-mast")] == ["team/d-mast"]
    assert store.names.find(view(), "dana-oakes") == []
    assert store.names.near(view(), "oakes") == []
