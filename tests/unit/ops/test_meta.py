"""Who asks, what can be asked, what there is, settings."""

from typing import Any

import pytest

from gbrain import Brain, Caller, __version__, catalogue
from gbrain.errors import InvalidParams, ScopeDenied, UnknownTool

STARTER = {
    *("get_page", "put_page", "list_pages", "capture", "search", "resolve_slugs", "get_backlinks", "get_links"),
    *("add_link", "list_link_sources", "traverse_graph", "add_timeline_entry", "get_timeline", "whoami"),
    *("request_tools", "sources_list", "sync_brain", "extract_facts", "think", "query"),
}


@pytest.mark.guard
def test_the_starter_surface_is_as_the_contract_lists_it() -> None:
    assert {name for name, entry in catalogue.OPERATIONS.items() if entry.surface == "starter"} == STARTER, (
        'the starter surface is a contract, STARTER of tests/unit/ops/test_meta.py: a new operation is `surface="full"`'
    )


def test_whoami(brain: Brain, local: Any, remote: Any) -> None:
    kind = brain.store.engine.name
    assert remote("whoami") == {
        "transport": "stdio",
        "client": "agent-example",
        "remote": True,
        "scopes": ["admin", "read", "write"],
        "sources": ["default"],
        "source": "default",
        "surface": "full",
        "brain": {"name": "host", "kind": kind, "selected_by": "given"},
    }
    assert (local("whoami")["transport"], local("whoami")["remote"]) == ("local", False)
    told = local("whoami")["brain"]
    assert (told["name"], told["kind"]) == ("host", kind)
    assert told["place"].startswith("postgresql://" if kind == "postgres" else brain.home)
    over_http = brain.call("whoami", caller=Caller.http("someone", frozenset({"read"}), ("default",)))
    assert "brain" not in over_http, "where the operator keeps what is not for other machines"


def test_the_catalogue_of_tools_says_what_can_be_called(brain: Brain, local: Any) -> None:
    found = brain.call("request_tools", caller=Caller.stdio("starter"))["catalog"]
    lines = {tool["name"]: tool for area in found for tool in area["tools"]}
    assert found[0]["area"] == "verbs"
    # An agent has no admin scope unless it is given one.
    assert {name for name, tool in lines.items() if tool["available"]} == STARTER - {"sync_brain"} | {
        *("remember", "entity", "synthesize", "forget", "recall", "context_pack", "delta")
    }
    assert not lines["delete_page"]["available"]
    assert "config_set" not in lines
    assert all(tool["one_line"] for tool in lines.values())
    own = {tool["name"] for area in local("request_tools")["catalog"] for tool in area["tools"]}
    assert own == set(catalogue.OPERATIONS)


def test_definitions_and_surfaces_of_tools(remote: Any) -> None:
    found = remote("request_tools", tools=["put_page", "nonsense", "put_page", "config_set"])
    assert [tool["name"] for tool in found["tools"]] == ["put_page"]
    assert found["unknown"] == ["nonsense", "config_set"]
    schema = found["tools"][0]["inputSchema"]
    assert schema["required"] == ["slug", "content"]
    assert schema["properties"]["expected_version"]["type"] == "integer"
    asked = remote("request_tools", surface="starter")
    assert (asked["persisted"], asked["surface"]) == (False, "full")
    assert "gbrain serve --surface starter" in asked["reason"]
    assert "catalog" not in asked


def test_link_tools_name_their_ends_from_and_to(remote: Any) -> None:
    found = remote("request_tools", tools=["add_link", "remove_link"])["tools"]
    assert [tool["inputSchema"]["required"] for tool in found] == [["from", "to"]] * 2


def test_stats_count_what_the_caller_may_see(local: Any, remote: Any, page: Any) -> None:
    page("people/a", "A.\n", "tags: [x]")
    page("notes/b", "B.\n", "tags: [y, z]", "visibility: private")
    local.link("people/a", "notes/b")
    local("add_timeline_entry", slug="notes/b", date="2031", summary="x")
    local("remember", fact="likes tea", provenance="test")
    local("remember", fact="likes secrets", provenance="test", visibility="private")
    assert local("get_stats") == {
        "page_count": 2,
        "link_count": 1,
        "tag_count": 3,
        "timeline_entry_count": 1,
        "fact_count": 2,
        "facts_superseded": 0,
        "facts_lapsed": 0,
        "pages_by_type": {"note": 1, "person": 1},
    }
    assert remote("get_stats") == {
        "page_count": 1,
        "link_count": 0,
        "tag_count": 1,
        "timeline_entry_count": 0,
        "fact_count": 1,
        "facts_superseded": 0,
        "facts_lapsed": 0,
        "pages_by_type": {"person": 1},
    }


def test_health_gives_shares(local: Any, page: Any) -> None:
    assert local("get_health")["link_coverage"] == 1.0
    for name in "abcd":
        page(f"notes/{name}", "Text.\n" if name == "a" else "# Heading\n")
    local.link("notes/a", "notes/b")
    local("add_timeline_entry", slug="notes/c", date="2031", summary="x")
    assert local("get_health") == {
        "page_count": 4,
        "fact_count": 0,
        "link_coverage": 0.5,
        "timeline_coverage": 0.25,
        "summary_coverage": 0.25,
        "orphan_pages": 2,
    }


def test_counting_needs_the_admin_scope(brain: Brain) -> None:
    reader = Caller(True, "http", "reader", frozenset({"read"}), None, "full")
    for name in ("get_stats", "get_health"):
        with pytest.raises(ScopeDenied):
            brain.call(name, caller=reader)


def test_identity(local: Any, brain: Brain) -> None:
    assert local("get_brain_identity") == {
        "brain_id": brain.id,
        "version": __version__,
        "engine": brain.store.engine.name,
        "page_count": 0,
        "sources": ["default"],
    }


def test_settings_are_read_changed_and_unset(local: Any, brain: Brain) -> None:
    assert local("config_get", key="search.mode")["value"] == "conservative"
    changed = local("config_set", key="search.mode", value=" Balanced ")
    assert (changed["value"], changed["stored"], changed["default"]) == ("balanced", "balanced", "conservative")
    assert brain.settings.get("search.mode") == "balanced"
    assert local("config_unset", key="search.mode")["stored"] is None
    listed = local("config_list")["settings"]
    assert {"search.mode", "mcp_surface"} <= {row["key"] for row in listed}
    assert all((not row["choices"] or row["value"] in (*row["choices"], "unset")) and row["doc"] for row in listed)


def test_bad_settings_are_refused(local: Any) -> None:
    with pytest.raises(InvalidParams) as caught:
        local("config_set", key="search.mode", value="bogus")
    assert "conservative, balanced, tokenmax" in caught.value.message
    with pytest.raises(InvalidParams) as unknown:
        local("config_get", key="search.mod")
    assert "search.mode" in unknown.value.suggestion
    assert local("config_get", key="search.mode")["stored"] is None


def test_settings_are_for_the_person_at_this_machine(remote: Any) -> None:
    for name, arguments in (("config_list", {}), ("config_set", {"key": "search.mode", "value": "balanced"})):
        with pytest.raises(UnknownTool):
            remote(name, **arguments)
