"""From a hit or an offered line to what ranked and offered its page, and who has read it."""

from typing import Any

import pytest

from gbrain.errors import NotFound
from unit.ops.conftest import page

__all__ = ["page"]

DANA = "people/dana-oakes"


@pytest.fixture
def dana(page: Any) -> None:
    page(DANA, "Dana surveys lighthouses.\n", "title: Dana Oakes")
    page("notes/other", "Rope is sold at the quay.\n", "title: Quay")


class TestSearched:
    def test_the_arms_and_scores_of_a_hit_are_told(self, dana: Any, local: Any, remote: Any) -> None:
        for ask in (local, remote):
            told = ask("why_page", slug=DANA, query="who surveys lighthouses")
            assert told["search"]["returned"] is True
            assert told["search"]["explain"]["arm"] == "all_words"
            assert told["search"]["explain"]["parts"]
            assert told["offer"]["offered"] is False

    def test_without_a_query_only_the_gate_is_told(self, dana: Any, local: Any) -> None:
        told = local("why_page", slug=DANA)
        assert (told["search"], told["offer"]) == (None, None)
        assert told["gate"] == {"min_confidence": 0.7, "max_pages": 3, "max_tokens": 160}

    def test_one_that_is_not_there(self, local: Any) -> None:
        with pytest.raises(NotFound):
            local("why_page", slug="people/nobody")

    def test_a_private_page_is_not_found_by_an_agent(self, page: Any, remote: Any) -> None:
        page("people/secret", "Secret.\n", "visibility: private", "title: Secret Keeper")
        with pytest.raises(NotFound):
            remote("why_page", slug="people/secret", query="Secret Keeper")


class TestOffered:
    def test_a_text_that_names_it_and_the_gate_it_passes(self, dana: Any, local: Any) -> None:
        told = local("why_page", slug=DANA, query="What did Dana Oakes say?")["offer"]
        assert told["offered"] is True
        assert told["rank"] == 1
        assert told["confidence"] >= 0.7
        local("config_set", key="offers.gate", value="1.0")
        told = local("why_page", slug=DANA, query="Dana said so")["offer"]
        assert told["offered"] is False
        assert "offers.gate" in told["says"] or told["rank"] is None

    def test_each_time_it_was_offered_and_what_opened_it(self, dana: Any, local: Any, remote: Any) -> None:
        remote("volunteer_context", window="What did Dana Oakes say?")
        remote("get_page", slug=DANA)
        (one,) = local("why_page", slug=DANA)["offers"]
        assert (one["channel"], one["opened_by"]) == ("operation", "get_page")
        assert one["confidence"] >= 0.7
        assert remote("why_page", slug=DANA)["offers"] == []
        assert local("why_page", slug="notes/other")["offers"] == []


class TestReaders:
    def counts(self, rows: Any) -> dict[tuple[str, str], int]:
        return {(row["client"], row["operation"]): row["times"] for row in rows}

    def test_every_read_of_a_page_counts(self, dana: Any, local: Any, remote: Any) -> None:
        for _ in range(2):
            remote("search", query="lighthouses")
        remote("query", query="lighthouses")
        remote("get_page", slug=DANA)
        remote("fetch", id=DANA)
        remote("recall", query="lighthouses")
        remote("entity", name=DANA)
        remote("context_pack", entities="Dana Oakes")
        local("get_page", slug=DANA)
        told = local("why_page", slug=DANA)["read_by"]
        names = ("search", "query", "get_page", "fetch", "recall", "entity", "context_pack")
        assert self.counts(told) == {
            **{("agent-example", name): 2 if name == "search" else 1 for name in names},
            ("local", "get_page"): 1,
        }
        assert remote("why_page", slug=DANA)["read_by"] == []
        assert local("why_page", slug="notes/other")["read_by"] == []

    def test_packs_and_deltas_count_as_reads_of_facts(self, dana: Any, local: Any, remote: Any, clock: Any) -> None:
        id = local("remember", fact="likes tea", provenance="t", entity="Dana Oakes")["id"]
        remote("recall", entity="Dana Oakes")
        remote("context_pack", entities="Dana Oakes")
        clock.move(hours=1)
        remote("delta", since="1d")
        assert self.counts(local("why", id=id)["read_by"]) == {
            ("agent-example", "recall"): 1, ("agent-example", "context_pack"): 1, ("agent-example", "delta"): 1
        }  # fmt: skip
