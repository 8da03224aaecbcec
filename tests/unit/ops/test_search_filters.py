"""Filters hold before limits: a page or fact that fits is found however many that do not fit come before it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import databases
from embedding_server import Endpoint, endpoint
from gbrain import Brain, Caller, home as homes, open_brain
from gbrain.errors import InvalidParams

MANY = 2_500


@pytest.fixture(scope="module")
def server() -> Iterator[Endpoint]:
    with endpoint() as running:
        yield running


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def crowded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, server: Endpoint
) -> Iterator[Brain]:
    """2,500 pages with the words, one of them with the rare tag and type, and vectors of all."""
    home: Path = tmp_path_factory.mktemp("crowded") / "home"
    if request.param == "postgres":
        home.mkdir(0o700)
        homes.set_database_url(str(home), databases.emptied())
    with pytest.MonkeyPatch.context() as patch, open_brain(str(home), create=True) as brain:
        if request.param == "postgres":
            brain.store.engine.rows("create extension if not exists vector")
        patch.setenv("GBRAIN_EMBEDDING_PROVIDER", "")
        with brain.store.transaction():
            for number in range(MANY):
                brain.put_page(slug=f"many/{number}", content="harbour lantern budget of the north quay\n")
        rare = "---\ntype: meeting\ntags: [rare]\n---\n" + "ships and rope and tar " * 20 + "harbour\n"
        brain.put_page(slug="rare/one", content=rare)
        brain.put_page(slug="rare/old", content=rare.replace("type: meeting\ntags: [rare]", "date: 2001-03"))
        brain.put_page(slug="rare/two", content="zebra zebra zebra\n")
        brain.remember(fact="keeps the harbour bell", provenance="a test", entity="rare/one")
        for number in range(300):
            brain.remember(fact=f"harbour harbour note {number}", provenance="a test", entity=f"many/{number}")
        for key, value in (("provider", "endpoint"), ("model", "m"), ("url", server.url)):
            brain.config_set(key=f"embedding.{key}", value=value)
        assert brain.embed()["waiting"] == 0
        yield brain


@pytest.mark.parametrize(
    "wanted", [{"tags": ["rare"]}, {"types": ["meeting"]}, {"types": ["meeting"], "tags": ["rare"]}]
)
@pytest.mark.parametrize("words", ["harbour", "harbour lantern budget", "harbour zebra", "the harbour"])
def test_a_rare_tag_or_type_is_found_behind_thousands(crowded: Brain, wanted: Any, words: str) -> None:
    for operation in ("search", "query"):
        rows = crowded.call(operation, {"query": words, "limit": 3, **wanted})
        assert [row["slug"] for row in rows] == ["rare/one"], operation
    told = crowded.recall(query=words, limit=3, **wanted)
    assert [row["slug"] for row in told["results"]] == ["rare/one"]
    assert [fact["entity_slug"] for fact in told["facts"]] in (["rare/one"], [])
    assert crowded.resolve_slugs(partial="rare", **wanted) == ["rare/one"]


@pytest.mark.parametrize("words", ["harbour", "harbour lantern budget", "the harbour", "rare/old"])
def test_a_period_is_found_behind_thousands(crowded: Brain, words: str) -> None:
    for operation in ("search", "query"):
        for wanted in ({"until": "2001"}, {"since": "2001-03-10", "until": "2001-04-01"}, {"until": "2002-01-01"}):
            rows = crowded.call(operation, {"query": words, "limit": 3, **wanted})
            assert [row["slug"] for row in rows] == ["rare/old"], (operation, wanted)
        assert crowded.call(operation, {"query": words, "until": "2001-02"}) == []
        newest = crowded.call(operation, {"query": words, "since": "3d"})
        assert newest or words == "rare/old"
        assert "rare/old" not in [row["slug"] for row in newest]
        with pytest.raises(InvalidParams, match="someday"):
            crowded.call(operation, {"query": words, "since": "someday"})


def test_a_page_outside_the_period_is_told_why(crowded: Brain) -> None:
    told = crowded.call("search_diagnose", {"query": "harbour", "target": "rare/old", "since": "2030"})
    assert told["verdict"] == "not returned: neither its date nor an entry of its timeline is from 2030 to now"


def test_part_of_a_name_with_type_tag_and_source(crowded: Brain) -> None:
    assert sorted(crowded.resolve_slugs(partial="rare")) == ["rare/old", "rare/one", "rare/two"]
    assert crowded.resolve_slugs(partial="rare", types=["meeting"], tags=["rare"], source_id="default") == ["rare/one"]
    assert crowded.resolve_slugs(partial="rare", types=["note"], tags=["rare"]) == []
    assert crowded.resolve_slugs(partial="many", types=["meeting"]) == []
    crowded.sources_add(id="empty")
    assert crowded.resolve_slugs(partial="rare", types=["meeting"], source_id="empty") == []


def test_facts_are_filtered_by_the_page_they_are_about(crowded: Brain) -> None:
    assert [fact["fact"] for fact in crowded.recall(query="harbour", limit=2, tags=["rare"])["facts"]] == [
        "keeps the harbour bell"
    ]
    assert [fact["fact"] for fact in crowded.recall(tags=["rare"])["facts"]] == ["keeps the harbour bell"]
    assert crowded.recall(query="harbour", tags=["none"])["facts"] == []


def test_vectors_took_part(crowded: Brain) -> None:
    reply = crowded.ask(Caller.local(), "search", {"query": "harbour", "tags": ["rare"]})
    assert "vector" in reply.meta["retrieval"]["arms"]
    empty = crowded.ask(Caller.local(), "search", {"query": "harbour", "tags": ["none"]})
    assert empty.value == []
    assert empty.meta["retrieval"]["empty"] == "filtered"
