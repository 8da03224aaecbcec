"""Row-level security on PostgreSQL: what the database shows when the store's own predicate fails."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import databases
from gbrain import Brain, Caller, open_brain, registry
from gbrain.brain import join_database
from gbrain.errors import BrainError, Unavailable
from gbrain.store import visibility
from gbrain.store.engine import Reach
from gbrain.store.postgres import PostgresEngine
from gbrain.types import View

ROLE = "walled"
MARKS = ("marker", "secret", "payroll", "salary")
AGENT = Caller.stdio(client="agent-example")._replace(sources=("default",))
"""A remote caller that is granted one source of two."""

READS: list[tuple[str, dict[str, Any]]] = [
    ("recall", {}),
    ("recall", {"entity": "people/open", "include_expired": True}),
    ("recall", {"query": "lantern MARKER salary harbour"}),
    ("entity", {"name": "people/secret"}),
    ("entity", {"name": "Dana"}),
    ("entity", {"name": "people/open"}),
    ("context_pack", {"entities": "people/open, people/secret, Dana MARKER"}),
    ("delta", {"since": "2001-01-01"}),
    ("search", {"query": "MARKER"}),
    ("search", {"query": "lantern"}),
    ("search", {"query": "Dana MARKER"}),
    ("get_page", {"slug": "people/secret"}),
    ("get_versions", {"slug": "people/secret"}),
    ("get_links", {"slug": "people/open"}),
    ("get_backlinks", {"slug": "people/open"}),
    ("get_timeline", {"slug": "people/secret"}),
    ("get_tags", {"slug": "people/secret"}),
    ("list_pages", {}),
    ("list_pages", {"tag": "MARKER"}),
    ("resolve_slugs", {"partial": "dana"}),
    ("traverse_graph", {"slug": "people/open", "direction": "both"}),
    ("list_link_sources", {}),
    ("get_stats", {}),
    ("get_health", {}),
    ("get_brain_identity", {}),
    ("fetch", {"id": "people/secret"}),
    ("whoami", {}),
]
WRITES: list[tuple[str, dict[str, Any]]] = [
    ("put_page", {"slug": "people/secret", "content": "overwritten", "expected_version": 1}),
    ("delete_page", {"slug": "people/secret"}),
    ("add_tag", {"slug": "people/secret", "tag": "mine"}),
    ("add_link", {"from": "people/secret", "to": "people/open"}),
    ("add_timeline_entry", {"slug": "people/secret", "date": "2031", "summary": "mine"}),
    ("revert_version", {"slug": "people/secret", "version_id": 1}),
]


@pytest.fixture(scope="session")
def role() -> str:
    """A role that is no superuser and may bypass nothing."""
    databases.shared().sql(f"create role {ROLE} login")
    return ROLE


@pytest.fixture
def url(role: str) -> str:
    server = databases.shared()
    return server.url(server.create(owner=role), user=role)


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path / "home")


@pytest.fixture
def brain(url: str, home: str) -> Iterator[Brain]:
    """A brain behind the wall, with private text and another source's in it."""
    with join_database(home, url, walls=True) as brain:
        plant(brain)
        yield brain


def switch_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the store's own predicate away."""
    monkeypatch.setattr(visibility, "pages", lambda *, deleted=False: "1 = 1")
    monkeypatch.setattr(visibility, "facts", lambda view, *, live=True: "1 = 1")
    monkeypatch.setattr(visibility, "links_in", lambda view=None: "1 = 1")


@pytest.fixture
def open_store(brain: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store of a planted brain without its own predicate."""
    switch_off(monkeypatch)


def plant(brain: Brain) -> None:
    def page(title: str, tag: str, body: str, header: str = "") -> str:
        return f"---\ntitle: {title}\naliases: [{title[::-1]}]\ntags: [{tag}]\n{header}---\n\n{body}\n"

    brain.store.sources.ensure("payroll", "2031-05-04T22:10:00.000000Z")
    brain.put_page(slug="people/open", content=page("Dana Open", "walk", "harbour lantern"))
    brain.put_page(slug="people/near", content=page("Dana Near", "walk", "harbour walks"))
    brain.put_page(
        slug="people/secret", content=page("Dana MARKER", "MARKER", "MARKER lantern", "visibility: private\n")
    )
    for start, end in (("open", "near"), ("open", "secret"), ("secret", "open")):
        brain.add_link(
            **{"from": f"people/{start}", "to": f"people/{end}", "context": "MARKER" * ("secret" in end + start)}
        )
    brain.add_timeline_entry(slug="people/secret", date="2031-05-04", summary="MARKER happened")
    brain.remember(fact="likes harbour lanterns", provenance="a test", entity="people/open")
    brain.remember(fact="owes MARKER a lantern", provenance="a test", entity="people/open", visibility="private")
    with open_brain(brain.home, source="payroll") as other:
        other.put_page(slug="people/open", content=page("Dana MARKER", "MARKER", "MARKER salary lantern"))
        other.put_page(slug="people/paid", content=page("Dana Paid MARKER", "MARKER", "MARKER salary"))
        other.remember(fact="earns a MARKER salary", provenance="a test", entity="people/open")


def asked(brain: Brain, name: str, arguments: dict[str, Any], caller: Caller = AGENT) -> str:
    """Everything a caller is told, without the words it sent."""
    try:
        reply = registry.call(brain, caller, name, arguments)
        said = json.dumps([reply.value, reply.meta, reply.warnings], ensure_ascii=False, default=str)
    except BrainError as error:
        said = json.dumps(error.envelope())
    for word in sorted(
        {word for value in arguments.values() for word in str(value).replace(",", " ").split()}, key=len
    ):
        said = said.replace(word, "")
    return said.lower()


def leaks(brain: Brain) -> list[str]:
    return [
        f"{name} {arguments}"
        for name, arguments in READS
        if any(mark in asked(brain, name, arguments) for mark in MARKS)
    ]


def test_nothing_is_told_with_both_walls(brain: Brain) -> None:
    assert leaks(brain) == []


@pytest.mark.usefixtures("open_store")
def test_the_second_wall_holds_alone(brain: Brain) -> None:
    assert leaks(brain) == []


def test_without_it_the_same_store_tells(url: str, home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with join_database(home, url) as brain:
        plant(brain)
        switch_off(monkeypatch)
        assert len(leaks(brain)) > 15


@pytest.mark.usefixtures("open_store")
def test_counts_do_not_depend_on_what_is_hidden(brain: Brain) -> None:
    stats = registry.call(brain, AGENT, "get_stats", {}).value
    assert stats["page_count"] == 2
    assert stats["fact_count"] == 1
    assert stats["link_count"] == 1
    assert stats["timeline_entry_count"] == 0


@pytest.mark.usefixtures("open_store")
@pytest.mark.parametrize(("name", "arguments"), WRITES, ids=[name for name, _ in WRITES])
def test_a_hidden_page_is_not_written(brain: Brain, name: str, arguments: dict[str, Any]) -> None:
    def held() -> list[dict[str, Any]]:
        tables = ("pages", "page_versions", "tags", "links", "timeline")
        return [row for table in tables for row in brain.store.engine.rows(f"select * from {table} order by source_id")]

    before = held()
    with pytest.raises(BrainError):
        registry.call(brain, AGENT, name, arguments)
    assert held() == before


@pytest.mark.usefixtures("open_store")
def test_a_hidden_fact_is_not_forgotten(brain: Brain) -> None:
    ids = [row["id"] for row in brain.store.engine.rows("select id from facts order by id")]
    asked_for = [asked(brain, "forget", {"id": str(id)}) for id in ids]
    assert sum("not_found" in said for said in asked_for) == 2
    assert len(brain.store.engine.rows("select id from facts where expired_at is null")) == 2


def test_the_owner_sees_everything(brain: Brain) -> None:
    assert len(brain.recall(entity="people/open")["facts"]) == 2
    assert brain.get_page(slug="people/secret")["title"] == "Dana MARKER"
    assert {row["slug"] for row in brain.search(query="lantern")} == {"people/open", "people/secret"}


def test_an_agent_works_behind_the_wall(brain: Brain) -> None:
    """Writing what one may not read, numbers that go on, counters of hidden rows: all as without the wall."""

    def call(name: str, **arguments: Any) -> Any:
        return registry.call(brain, AGENT, name, arguments).value

    before = brain.store.engine.rows("select max(changed) as n from pages")[0]["n"]
    put = call("put_page", slug="notes/new", content="---\ntitle: New\nvisibility: private\n---\n\nlantern\n")
    assert put["version"] == 1
    assert brain.store.engine.rows("select max(changed) as n from pages")[0]["n"] == before + 1
    private = call("remember", fact="keeps a private thing", provenance="a test", visibility="private")
    assert private["status"] == "inserted"
    open_fact = call("remember", fact="walks at noon", provenance="a test", entity="people/open")
    assert call("remember", fact="walks at noon", provenance="a test", entity="people/open")["status"] == "duplicate"
    assert call("forget", id=open_fact["id"])["expired"] is True
    assert call("put_page", slug="people/near", content="# Near\n\nrewritten", expected_version=1)["version"] == 2
    assert call("delete_page", slug="people/near")["status"]
    assert call("restore_page", slug="people/near")["status"]
    cursor = call("delta", session_id="one", since="2001-01-01")
    assert cursor["protocol_version"] == 1


def test_what_is_hidden_is_kept_in_order_behind_the_wall(brain: Brain) -> None:
    """A page that an agent writes takes over private facts too; kept counts and names hold for hidden rows."""

    def call(name: str, **arguments: Any) -> Any:
        return registry.call(brain, AGENT, name, arguments).value

    brain.remember(fact="owes a private thing", provenance="a test", entity="Rowan Pike", visibility="private")
    brain.remember(fact="lives in Lisbon", provenance="a test", entity="Rowan Pike")
    call("put_page", slug="people/rowan-pike", content="# Rowan Pike\n\nrows\n")
    facts = brain.recall(entity="people/rowan-pike")["facts"]
    assert sorted(fact["visibility"] for fact in facts) == ["private", "world"]
    call("add_link", **{"from": "people/rowan-pike", "to": "people/open"})
    store = brain.store
    mine = View(("default",), True, "2031-05-04T22:10:00.000000Z")
    page = store.pages.get(mine, "people/open")
    assert page is not None
    with store.engine.within(Reach(("default",), False)):
        assert store.links.backlinks(mine._replace(private=False), page.id) == 1
        assert store.names.hidden(mine, "Dana MARKER")
    assert store.links.backlinks(mine, page.id) == 2
    call("remove_link", **{"from": "people/rowan-pike", "to": "people/open"})
    assert store.links.backlinks(mine, page.id) == 1


def test_another_sources_rows_cannot_be_written(brain: Brain) -> None:
    engine = brain.store.engine
    with engine.within(Reach(("default",), False)), engine.unveiled(), pytest.raises(Unavailable):
        engine.rows(
            "insert into facts (source_id, fact, fingerprint, kind, entity_key, visibility, notability, valid_from,"
            " provenance, confidence, created_at) values ('payroll', 'x', 'x', 'fact', '', 'world', 'medium', 'x', 'x',"
            " 1.0, 'x')"
        )


def test_a_statement_outside_any_request_sees_nothing_it_was_not_given(brain: Brain, url: str) -> None:
    """A session that sets nothing, such as one of psql, is shown nothing, though it is the tables' owner."""
    database = url.partition("@/")[2].partition("?")[0]
    tables = ("pages", "page_versions", "facts", "links", "tags", "aliases", "timeline", "sources", "name_words")
    tables += ("backlink_counts",)
    for table in tables:
        assert databases.shared().sql(f"select * from {table}", database=database, user=ROLE) == []
    assert brain.store.engine.rows("select id from sources order by id") == [{"id": "default"}, {"id": "payroll"}]


def test_every_table_of_sources_is_behind_it(brain: Brain) -> None:
    engine = brain.store.engine
    assert isinstance(engine, PostgresEngine)
    walled = {
        row["name"]
        for row in engine.rows("select relname as name from pg_class where relrowsecurity and relforcerowsecurity")
    }
    sourced = {name for name, shape in engine.shapes().items() if "source_id" in shape.columns}
    assert walled == sourced | {"sources", "chunks"}


def test_a_superuser_cannot_stand_behind_it(tmp_path: Path) -> None:
    server = databases.shared()
    with pytest.raises(Unavailable, match="sees through row-level security") as raised:
        join_database(str(tmp_path / "home"), server.url(server.create()), walls=True)
    assert "gbrain init" in raised.value.suggestion
    assert not (tmp_path / "home" / "brain.json").exists()


def test_a_process_that_opens_the_brain_learns_of_the_wall(brain: Brain, open_store: None) -> None:
    with open_brain(brain.home) as again:
        assert leaks(again) == []


def test_the_wall_comes_down_again(brain: Brain, open_store: None) -> None:
    engine = brain.store.engine
    assert isinstance(engine, PostgresEngine)
    engine.wall(up=False)
    assert leaks(brain) != []
    engine.wall()
    assert leaks(brain) == []
