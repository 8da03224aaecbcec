"""Callers bound to slugs: they read and write those pages and the facts about them, and learn of nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gbrain import Brain, BrainError, catalogue, open_brain, registry
from gbrain.errors import NotFound, ScopeDenied, UnknownTool
from gbrain.ops.hot import hot_facts
from gbrain.registry import call, load_all, visible
from gbrain.types import Caller

MARK = "wintergreen"
OWN, OTHER = "people/dana-oakes", f"people/{MARK}-oakes"
BOUND = Caller.http("bound", frozenset({"read", "write", "admin"}), None, slugs=(OWN, "notes/new"))
FREE = Caller.http("free", frozenset({"read", "write", "admin"}), None)
LOCAL = Caller.local()


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    with open_brain(str(tmp_path / "home"), create=True) as made:
        own = "---\ntitle: Dana Oakes\nsummary: Rows\n---\nRows.\n\n<!-- timeline -->\n\n- 2031-05-01: rowed"
        head = f"---\ntitle: {MARK} Oakes\naliases: [Dana O, dana]\ntags: [{MARK}]\n---\n"
        other = f"{head}{MARK} rows too. [[{OWN}]] [[{MARK}]]"
        made.put_page(slug=OWN, content=own)
        made.put_page(slug=OTHER, content=other)
        made.add_link(from_=OTHER, to=OWN, link_type="knows", context=f"{MARK} said so", link_source=f"by-{MARK}")
        made.add_link(from_=OWN, to=OTHER, link_type="knows", link_source=f"by-{MARK}")
        made.add_timeline_entry(slug=OTHER, date="2031-05-02", summary=MARK)
        made.add_tag(slug=OWN, tag="rower")
        for text, entity in ((f"{MARK} likes tea", OTHER), (f"{MARK} is no entity", None), ("likes milk", OWN)):
            made.remember(fact=text, provenance="a test", entity=entity)
        yield made


def ask(brain: Brain, operation: str, caller: Caller = BOUND, /, **arguments: Any) -> Any:
    return call(brain, caller, operation, arguments).value


def refusal(brain: Brain, operation: str, /, **arguments: Any) -> BrainError:
    with pytest.raises(BrainError) as refused:
        ask(brain, operation, **arguments)
    text = refused.value.message + refused.value.suggestion + json.dumps(refused.value.detail)
    assert MARK not in text.replace(str(arguments.get("slug")), "").replace(str(arguments.get("name")), "")
    return refused.value


READS: dict[str, list[dict[str, Any]]] = {
    "entity": [{"name": "Dana Oakes"}, {"name": "dana"}, {"name": "Oakes"}],
    "recall": [{}, {"query": "rows tea oakes"}, {"entity": "dana"}, {"include_expired": True}, {"supersessions": True}],
    "context_pack": [{"entities": f"{OWN}, dana, oakes"}],
    "delta": [{"since": "2020-01-01"}, {"session_id": "s"}],
    "volunteer_context": [{"window": f"Dana Oakes, {MARK} Oakes and Dana O met. See {OWN} and {OTHER}."}],
    "get_page": [{"slug": OWN}, {"slug": "dana", "fuzzy": True}],
    "list_pages": [{}, {"include_deleted": True}],
    "search": [{"query": "rows"}, {"query": "oakes"}, {"query": "dana"}],
    "query": [{"query": "rows"}, {"query": "compare dana with oakes"}, {"query": "DO"}],
    "search_diagnose": [{"query": "rows tea", "target": OWN}],
    "why_page": [{"slug": OWN, "query": "rows tea"}],
    "why": [{"id": "3"}, {"id": "3", "query": "rows tea"}],
    "resolve_slugs": [{"partial": "oak"}, {"partial": "dana"}],
    "fetch": [{"id": OWN}],
    "get_links": [{"slug": OWN}],
    "get_backlinks": [{"slug": OWN}],
    "list_unresolved_links": [{}, {"slug": OWN}],
    "traverse_graph": [{"slug": OWN, "direction": "both"}, {"slug": OWN}],
    "list_link_sources": [{}],
    "get_timeline": [{"slug": OWN}],
    "get_tags": [{"slug": OWN}],
    "get_versions": [{"slug": OWN}],
    "diff_versions": [{"slug": OWN}],
    "whoami": [{}],
    "get_brain_identity": [{}],
    "sources_list": [{}],
    "sources_current": [{}],
    "request_tools": [{}],
    "think": [{"question": "rows tea oakes"}, {"question": "when did Dana Oakes row?", "anchor": "dana"}],
}


@pytest.mark.parametrize(("name", "arguments"), [(name, given) for name, rows in READS.items() for given in rows])
def test_no_read_tells_of_anything_else(brain: Brain, name: str, arguments: dict[str, Any]) -> None:
    reply = call(brain, BOUND, name, arguments)
    told = json.dumps([reply.value, reply.meta, reply.warnings], ensure_ascii=False)
    assert MARK not in told


def test_the_same_reads_do_tell_others(brain: Brain) -> None:
    telling = {
        name
        for name, rows in READS.items()
        for given in rows
        if MARK in json.dumps(call(brain, FREE, name, given).value, ensure_ascii=False)
    }
    silent = {
        "get_page",
        "fetch",
        "get_timeline",
        "get_tags",
        "get_versions",
        "diff_versions",
        "search_diagnose",
        "why_page",
        "why",
        "whoami",
        "get_brain_identity",
        "sources_list",
        "sources_current",
    }
    assert set(READS) - telling - silent - {"request_tools", "context_pack"} == set(), (
        "their arguments in READS find nothing but Dana Oakes: let them reach for the other page, or, where the reply"
        " is about one named page alone, add them to `silent`"
    )


@pytest.mark.guard
def test_every_operation_a_bound_caller_may_read_with_was_tried() -> None:
    reads = {operation.name for operation in visible(BOUND) if operation.scope == "read"}
    assert reads - {"synthesize"} - set(READS) == set(), (
        "add each to READS of tests/unit/test_fence.py, with arguments about Dana Oakes"
    )


def test_counts_are_of_what_may_be_seen(brain: Brain) -> None:
    assert ask(brain, "get_brain_identity")["page_count"] == 1
    card = ask(brain, "entity", name=OWN)["card"]
    assert (card["backlink_count"], card["edges"], card["active_fact_count"]) == (0, [], 1)
    assert ask(brain, "entity", FREE, name=OWN)["card"]["backlink_count"] > 0
    assert [fact["fact"] for fact in ask(brain, "recall")["facts"]] == ["likes milk"]
    assert ask(brain, "list_link_sources") == []


def test_another_page_reads_as_one_that_is_not_there(brain: Brain) -> None:
    hidden = refusal(brain, "get_page", slug=OTHER)
    missing = refusal(brain, "get_page", slug="people/nobody-oakes")
    assert type(hidden) is type(missing) is NotFound
    assert hidden.message.replace(OTHER, "") == missing.message.replace("people/nobody-oakes", "")
    assert hidden.suggestion == missing.suggestion


class TestWriting:
    @pytest.mark.parametrize(
        ("name", "arguments"),
        [
            ("put_page", {"slug": OTHER, "content": "x"}),
            ("put_page", {"slug": "notes/free", "content": "x"}),
            ("delete_page", {"slug": OTHER}),
            ("restore_page", {"slug": OTHER}),
            ("revert_version", {"slug": OTHER, "version_id": 1}),
            ("add_tag", {"slug": OTHER, "tag": "x"}),
            ("remove_tag", {"slug": OTHER, "tag": MARK}),
            ("add_timeline_entry", {"slug": OTHER, "date": "2031-05-03", "summary": "x"}),
            ("add_link", {"from": OTHER, "to": OWN}),
            ("add_link", {"from": OWN, "to": OTHER}),
            ("remove_link", {"from": OWN, "to": OTHER}),
            ("capture", {"content": "x", "slug": OTHER}),
            ("capture", {"content": "x"}),
            ("remember", {"fact": "x", "provenance": "y"}),
            ("remember", {"fact": "x", "provenance": "y", "entity": OTHER}),
            ("remember", {"fact": "x", "provenance": "y", "entity": "Dana Oakes"}),
            ("remember", {"fact": "x", "provenance": "y", "entity": ""}),
        ],
    )
    def test_what_names_another_slug_or_none_is_refused(
        self, brain: Brain, name: str, arguments: dict[str, Any]
    ) -> None:
        before = brain.store.engine.rows("select count(*) as n, max(changed) as c from pages")
        facts = brain.store.engine.rows("select count(*) as n from facts")
        with pytest.raises(ScopeDenied) as refused:
            call(brain, BOUND, name, arguments)
        assert OWN in refused.value.suggestion
        assert MARK not in refused.value.message + refused.value.suggestion
        assert brain.store.engine.rows("select count(*) as n, max(changed) as c from pages") == before
        assert brain.store.engine.rows("select count(*) as n from facts") == facts
        with pytest.raises(ScopeDenied):
            call(brain, BOUND, name, {**arguments, "dry_run": True})

    def test_its_own_pages_it_writes(self, brain: Brain) -> None:
        version = ask(brain, "get_page", slug=OWN)["version"]
        assert (
            ask(brain, "put_page", slug="People/Dana Oakes", content="Rows.", expected_version=version)["slug"] == OWN
        )
        assert ask(brain, "put_page", slug="notes/new", content="New.")["version"] == 1
        assert ask(brain, "add_link", **{"from": OWN, "to": "notes/new"})["created"]
        assert ask(brain, "add_tag", slug=OWN, tag="x")["tags"] == ["rower", "x"]
        assert ask(brain, "delete_page", slug="notes/new")["status"] == "soft_deleted"
        assert ask(brain, "restore_page", slug="notes/new")["status"] == "restored"
        assert ask(brain, "remember", fact="swims", provenance="x", entity=OWN)["entity_slug"] == OWN

    def test_a_fact_of_another_page_is_not_there_to_forget(self, brain: Brain) -> None:
        ids = {row["fact"]: str(row["id"]) for row in brain.store.engine.rows("select id, fact from facts")}
        for text in (f"{MARK} likes tea", f"{MARK} is no entity"):
            assert type(refusal(brain, "forget", id=ids[text])) is NotFound
            assert type(refusal(brain, "forget_fact", id=int(ids[text]))) is NotFound
            with pytest.raises(BrainError):
                ask(brain, "remember", fact="x", provenance="y", entity=OWN, replaces=ids[text])
        assert ask(brain, "forget", id=ids["likes milk"])["expired"]

    def test_a_page_that_takes_a_name_takes_no_facts_with_it(self, brain: Brain) -> None:
        brain.remember(fact=f"{MARK} pays the harbour", provenance="x", entity="Zed Example")
        ask(brain, "put_page", slug="notes/new", content="---\ntitle: Zed Example\naliases: [zed-example]\n---\nx")
        told = json.dumps(ask(brain, "recall", entity="notes/new")) + json.dumps(
            ask(brain, "entity", name="Zed Example")
        )
        assert MARK not in told

    def test_the_same_claim_elsewhere_stays_unknown(self, brain: Brain) -> None:
        reply = ask(brain, "remember", fact=f"{MARK} likes tea", provenance="x", entity=OWN)
        assert reply["status"] == "inserted"


class TestWhatIsShown:
    def test_operations_without_a_fence_are_not_there(self, brain: Brain) -> None:
        shown = {operation.name for operation in visible(BOUND)}
        assert {"remember", "forget", "put_page", "recall"} <= shown
        closed = {name for name, entry in catalogue.OPERATIONS.items() if not entry.fenced}
        assert not shown & closed
        for name in closed:
            with pytest.raises(UnknownTool):
                call(brain, BOUND, name, {})

    @pytest.mark.guard
    def test_a_write_is_closed_unless_it_says_how_it_is_fenced(self) -> None:
        for operation in load_all():
            where = f"{operation.name} in {operation.function.__module__}"
            assert operation.fenced == (operation.scope == "read" or operation.fence is not None)
            names = {param.name for param in operation.params}
            assert set(operation.fence or ()) <= names, f"{where}: `fence=` names what is no parameter"
            if operation.scope == "write" and {"slug", "from", "entity"} & names:
                assert operation.fence, f"{where}: add `fence=` with the parameters that name a page"

    def test_the_catalogue_says_the_same(self) -> None:
        assert {item.name: item.fenced for item in load_all()} == {
            name: entry.fenced for name, entry in catalogue.OPERATIONS.items()
        }

    def test_it_knows_its_slugs(self, brain: Brain) -> None:
        assert ask(brain, "whoami")["slugs"] == [OWN, "notes/new"]
        assert "slugs" not in ask(brain, "whoami", FREE)

    def test_hot_memory_is_fenced_too(self, brain: Brain) -> None:
        hot = registry.context(brain, BOUND)
        assert [fact.fact for fact in hot_facts(hot, None)] == ["likes milk"]


def test_a_caller_bound_to_nothing_sees_nothing(brain: Brain) -> None:
    nobody = BOUND._replace(slugs=())
    assert ask(brain, "list_pages", nobody) == []
    assert ask(brain, "recall", nobody)["facts"] == []
    assert ask(brain, "list_link_sources", nobody) == []
    assert ask(brain, "get_brain_identity", nobody)["page_count"] == 0


def test_a_client_whose_sources_are_gone_writes_nowhere(brain: Brain) -> None:
    caller = Caller.http("x", frozenset({"read", "write"}), ("gone",))
    assert ask(brain, "recall", caller)["facts"] == []
    with pytest.raises(ScopeDenied):
        ask(brain, "remember", caller, fact="x", provenance="y")
    with pytest.raises(ScopeDenied):
        ask(brain, "put_page", caller, slug="x", content="y")
