"""Query: a search that asks in other words too."""

from typing import Any

import pytest

from gbrain.errors import InvalidParams
from gbrain.ops.query import expanded
from gbrain.registry import context


def slugs(caller: Any, query: str, **more: Any) -> list[str]:
    return [row["slug"] for row in caller("query", query=query, **more)]


@pytest.fixture
def protocols(page: Any) -> None:
    page("concepts/mcp", "How agents reach tools.\n", "title: Model Context Protocol")
    page("notes/long", "Errors of the Model Context Protocol are typed.\n")
    page("notes/short", "The MCP server keeps typed errors.\n")
    page("notes/else", "The kettle is in the kitchen.\n")


def test_an_abbreviation_finds_what_is_written_out_and_back(local: Any, protocols: Any) -> None:
    assert "notes/long" not in [row["slug"] for row in local("search", query="MCP")]
    reply = local.reply("query", query="MCP")
    assert {row["slug"] for row in reply.value} == {"concepts/mcp", "notes/long", "notes/short"}
    through = {row["slug"]: row.get("found_through") for row in reply.value}
    assert through["notes/long"] == "Model Context Protocol"
    assert through["notes/short"] is None
    assert reply.meta["retrieval"]["expansion_applied"] is True
    assert reply.meta["retrieval"]["also_asked"] == ["Model Context Protocol"]
    found = local("query", query="Model Context Protocol")
    assert (found[0]["slug"], found[0]["evidence"]) == ("concepts/mcp", "exact_title_match")
    assert "notes/short" in [row["slug"] for row in found]


def test_an_alias_is_an_abbreviation_too(local: Any, page: Any) -> None:
    page("places/tower", "A tower.\n", "title: The tower", "aliases: [North Quay Lantern]")
    page("notes/nql", "The NQL was painted.\n")
    page("notes/long", "The north quay lantern was lit.\n")
    assert "notes/long" in slugs(local, "NQL painted")
    assert "notes/nql" in slugs(local, "who painted the North Quay Lantern?")


def test_no_expand_is_the_plain_search(local: Any, protocols: Any) -> None:
    reply = local.reply("query", query="MCP", expand=False)
    assert reply.value == local("search", query="MCP")
    assert reply.meta["retrieval"]["expansion_applied"] is False
    assert "also_asked" not in reply.meta["retrieval"]


def test_each_side_of_a_comparison_is_answered(local: Any, page: Any) -> None:
    for number in range(12):
        page(f"lamps/{number}", f"The copper lamp number {number} is bright.\n")
    page("notes/bell", "The iron bell rings hourly.\n")
    reply = local.reply("query", query="compare the copper lamp with the iron bell", limit=4)
    assert "notes/bell" in [row["slug"] for row in reply.value]
    assert any(row["slug"].startswith("lamps/") for row in reply.value)
    assert reply.meta["crag"]["query_shape"] == "compound"


def test_names_come_first_by_rule(local: Any, page: Any) -> None:
    page("people/dana", "A pilot.\n", "title: Tea and Coffee?")
    for number in range(4):
        page(f"notes/{number}", "Tea and coffee, tea and coffee.\n")
    assert slugs(local, "Tea and Coffee?")[0] == "people/dana"


def test_confidence_says_how_far_the_best_hit_goes(local: Any, protocols: Any) -> None:
    def crag(text: str) -> Any:
        return local.reply("query", query=text).meta["crag"]

    assert crag("Model Context Protocol")["confidence"] == "strong"
    assert crag("typed errors of the server")["confidence"] == "strong"
    weak = crag("zzyx flurb")
    assert (weak["confidence"], weak["reason"]) == ("weak", "nothing was found")
    assert crag("when was the kettle bought for the kitchen")["query_shape"] == "temporal"


def test_another_callers_names_expand_nothing(local: Any, remote: Any, page: Any) -> None:
    page("private/one", "Secret.\n", "title: Zebra Quay Lantern", "visibility: private")
    page("notes/open", "The zebra quay lantern is known.\n")
    reply = remote.reply("query", query="ZQL")
    assert reply.value == []
    assert reply.meta["retrieval"]["expansion_applied"] is False
    assert local.reply("query", query="ZQL").meta["retrieval"]["expansion_applied"] is True


def test_a_query_is_needed(local: Any) -> None:
    with pytest.raises(InvalidParams):
        local("query")
    assert local("query", query="") == local("query", query="   ") == []


def test_an_expander_takes_the_place_of_the_names(local: Any, protocols: Any) -> None:
    ctx = context(local.brain, local.caller)
    said = expanded(ctx, "MCP", lambda text: ["", text, "agents and tools", "agents and tools"])
    assert said.ways == ("agents and tools",)
