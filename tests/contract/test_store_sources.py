"""What belongs to a source goes with it, from every table the schema has."""

from collections.abc import Callable
from typing import Any

import pytest

from finding import found_pages
from gbrain.errors import InvalidParams
from gbrain.store.clients import BY_TOKEN, Grant
from gbrain.store.engine import Match, Terms
from gbrain.store.files import File
from gbrain.store.refs import Ref
from gbrain.store.sessions import Cursor
from gbrain.store.store import Store
from gbrain.types import View, Written

REF = Ref(None, "[[b]]", "", "b", "", "", "", 1, "", 0, None, None, None)

NOT_KEYS = {"effective_date_source", "link_source", "resource", "source"}
"""Columns that tell where something came from, which is no source of the brain."""


@pytest.fixture
def planted(store: Store, put: Callable[..., Written], say: Callable[..., int], clock: Any) -> Store:
    """`other` with a row in every table that belongs to a source, linked to and from `default`."""
    pages = {}
    for source in ("default", "other"):
        for slug, private in (("a", False), ("b", True)):
            fields = {"title": f"Lantern {slug}", "aliases": ["lamp"], "tags": ["t"], "private": private}
            pages[source, slug] = put(slug, f"lantern {slug}", source=source, **fields).page_id
            if slug == "b":
                with store.engine.transaction():
                    both = View((source,), True, clock.text)
                    store.pages.rename(both, put(f"{slug}-1", "x", source=source).page_id, f"{slug}-2", by="file")
            say(f"{slug} is lit", source_id=source, visibility="private" if private else "world")
        store.refs.replace(source, {pages[source, "a"]: [REF._replace(wanted_source=source)]})
        store.files.put(source, File("a.md", pages[source, "a"], 1, "x", 1, 1, True, (), None))
        store.timeline.add(source, pages[source, "a"], "2031-05-04", "lit", None, None, clock.text)
        store.sessions.put(source, "c", "s", Cursor(clock.text, 1, 1), clock.text, clock.text)
        store.turns.claim(source, "k", "h", 60, clock.text)
        store.harvests.admit(source, "s", "n", 1, clock.text, clock.text)
    for start, end in (("default", "other"), ("other", "default"), ("other", "other")):
        store.links.add(start, pages[start, "a"], pages[end, "b"], "near", "manual", None)
    store.clients.add("laptop", BY_TOKEN, Grant(("read",), ("other", "default")), clock.text, token="t")
    store.clients.add("all", BY_TOKEN, Grant(("read",), None), clock.move(seconds=1), token="u")
    store.oauth.add_code("app", {"sources": ["other"]}, clock.text, clock.text)
    return store


def rows(store: Store, table: str, source: str) -> int:
    (row,) = store.engine.rows(f"select count(*) as n from {table} where source_id = :id", {"id": source})
    return int(row["n"])


def tables(store: Store) -> set[str]:
    return {name for name, shape in store.engine.shapes().items() if "source_id" in shape.columns}


def found(store: Store, view: View) -> list[int]:
    return sorted(id for id, _ in found_pages(store, view, Match(must=(Terms(("lantern",)),)), 10))


def test_every_table_of_sources_is_known_and_planted(planted: Store) -> None:
    known = set(planted.engine.sourced())
    assert known > tables(planted) > {"pages", "facts", "links"}
    empty = [table for table in known if not rows(planted, table, "other")]
    assert not empty, (
        "write a row for the source `other` in `planted` of tests/contract/test_store_sources.py, so that renaming and"
        " removing a source are seen to reach the table"
    )
    named = {
        (table, column)
        for table, shape in planted.engine.shapes().items()
        for column in shape.columns
        if "source" in column and column not in NOT_KEYS and column != "source_id"
    }
    assert named == {("clients", "sources"), ("refs", "wanted_source")}, (
        "a column that names sources in another way needs care of its own"
    )


def test_another_id_reaches_every_row(planted: Store, view: Callable[..., View]) -> None:
    before = {table: rows(planted, table, "other") for table in planted.engine.sourced()}
    hits = found(planted, view("other"))
    assert hits
    with planted.transaction():
        planted.sources.rename("other", "office")
        planted.vectors.moved("office")
        planted.clients.move_source("other", "office")
    assert {table: rows(planted, table, "office") for table in before} == before
    assert not any(rows(planted, table, "other") for table in before)
    assert planted.sources.ids() == ["default", "office"]
    assert found(planted, view("office")) == hits
    wanted = planted.engine.rows("select source_id, wanted_source from refs order by source_id")
    assert [tuple(row.values()) for row in wanted] == [("default", "default"), ("office", "office")]
    assert [client.grant.sources for client in planted.clients.all()] == [("office", "default"), None]
    (code,) = planted.engine.rows("select details from oauth_codes")
    assert code["details"] == '{"sources": ["office"]}'


def test_a_broken_off_rename_changes_nothing(planted: Store) -> None:
    before = {table: rows(planted, table, "other") for table in planted.engine.sourced()}

    def broken_off() -> None:
        with planted.transaction():
            planted.sources.rename("other", "office")
            planted.sources.add(planted.sources.all()[0])

    with pytest.raises(InvalidParams):
        broken_off()
    assert {table: rows(planted, table, "other") for table in before} == before


def test_a_removed_source_leaves_nothing(planted: Store, view: Callable[..., View]) -> None:
    own = found(planted, view("default"))
    gone = found(planted, view("other"))
    with planted.transaction():
        planted.sources.remove("other")
        planted.clients.move_source("other", None)
    assert not any(rows(planted, table, "other") for table in planted.engine.sourced())
    assert planted.sources.ids() == ["default"]
    both = view("default", "other")
    assert found(planted, both) == own
    assert not planted.pages.by_ids(both, gone)
    planted.sources.ensure("other", "2031-05-04T22:10:00.000000Z")
    assert found(planted, both) == own
    page = planted.pages.get(both, "b")
    assert page is not None
    assert planted.links.backlinks(both, page.id) == len(planted.links.of(both, page.id, "in")) == 0
    assert planted.engine.rows("select id from links where to_id not in (select id from pages)") == []
    assert [client.grant.sources for client in planted.clients.all()] == [("default",), None]
