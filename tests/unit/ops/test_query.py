"""Query: a search that asks in other words too."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from gbrain.errors import InvalidParams
from model_server import ModelServer, completion, model_server, status


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


def test_newer_pages_come_before_older_ones_that_answer_as_well(local: Any, page: Any) -> None:
    page("notes/a-old", "The copper lamp is bright.\n", "date: 2020-01-04")
    page("notes/b-new", "The copper lamp was polished and is bright.\n", "date: 2031-05-04")
    page("notes/c-far", "The copper bell.\n", "date: 2031-05-04")
    assert slugs(local, "copper lamp bright")[:2] == ["notes/a-old", "notes/b-new"]
    for recency in ("on", "strong"):
        found = local("query", query="copper lamp bright", recency=recency)
        assert [row["slug"] for row in found][:2] == ["notes/b-new", "notes/a-old"]
        assert found[0]["recency_boost"] > found[1]["recency_boost"] == 0
    assert "recency_boost" not in local("query", query="copper lamp bright")[0]
    assert len(local("query", query="copper", recency="on", limit=1)) == 1
    with pytest.raises(InvalidParams):
        local("query", query="copper", recency="always")


def test_a_name_stays_first_however_old_its_page_is(local: Any, page: Any) -> None:
    page("notes/lamp", "Bright.\n", "title: Copper lamp", "date: 2001-01-04")
    page("notes/new", "The copper lamp, the copper lamp.\n", "date: 2031-05-04")
    assert slugs(local, "Copper lamp", recency="strong") == ["notes/lamp", "notes/new"]


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


@pytest.fixture
def model(local: Any) -> Iterator[ModelServer]:
    with model_server() as server:
        local.brain.store.config.set("models.expand", f"endpoint:scripted-1 url={server.url}")
        yield server


def test_a_model_says_it_in_other_words(local: Any, protocols: Any, model: ModelServer) -> None:
    ways = ["", "MCP", "kettle", "kettle", 7, "word " * 50, "a", "b", "c"]
    model.script = lambda body: completion(json.dumps({"ways": ways}))
    reply = local.reply("query", query="MCP")
    assert {row["slug"]: row.get("found_through") for row in reply.value} == {
        "concepts/mcp": None,
        "notes/short": None,
        "notes/else": "kettle",
    }
    told = reply.meta["retrieval"]
    assert (told["expanded_by"], told["also_asked"]) == ("model", ["kettle", "a", "b"])
    assert [row["stage"] for row in told["degraded"]] == ["embed_unavailable"]
    sent = json.dumps(model.asked[0].body)
    assert "<question>" in sent
    assert "Model Context Protocol" not in sent
    local("query", query="MCP", expand=False)
    local("search", query="MCP")
    local("query", query="  ")
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (lambda body: status(401), "auth"),
        (lambda body: completion("no JSON"), "malformed"),
        (lambda body: completion("[]"), "malformed"),
        (lambda body: completion('{"ways": "kettle"}'), "malformed"),
        (lambda body: completion("[" * 100_000), "malformed"),
    ],
)
def test_where_the_model_fails_the_names_answer_and_it_is_said(
    local: Any, protocols: Any, model: ModelServer, script: Any, reason: str
) -> None:
    model.script = script
    reply = local.reply("query", query="MCP")
    assert {row["slug"] for row in reply.value} == {"concepts/mcp", "notes/long", "notes/short"}
    told = reply.meta["retrieval"]
    assert told["expanded_by"] == "names"
    assert {"stage": "expand_unavailable", "reason": reason} in told["degraded"]


def test_without_a_model_nothing_is_amiss(local: Any, protocols: Any) -> None:
    told = local.reply("query", query="MCP").meta["retrieval"]
    assert told["expanded_by"] == "names"
    assert "expand_unavailable" not in [row["stage"] for row in told["degraded"]]
    assert local.reply("query", query="MCP", expand=False).meta["retrieval"]["expanded_by"] == "nothing"
