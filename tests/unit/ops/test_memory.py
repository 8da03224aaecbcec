"""remember, forget and recall, through the door."""

import pytest

from gbrain.brain import Brain
from gbrain.errors import InvalidParams


def test_a_grep_looks_through_every_match_of_a_query(brain: Brain) -> None:
    brain.remember(fact="tea with zebra stripes on the cup", provenance="t")
    for number in range(130):
        brain.remember(fact=f"tea number {number} tea tea", provenance="t", entity=f"cup-{number}")
    found = brain.recall(query="tea", grep="zebra", limit=5)["facts"]
    assert [row["fact"] for row in found] == ["tea with zebra stripes on the cup"]


def test_a_correction_that_is_known_already_still_ends_what_it_corrects(brain: Brain) -> None:
    wrong = brain.remember(fact="the review is in the blue room", provenance="t")["id"]
    right = brain.remember(fact="all reviews happen upstairs", provenance="t")["id"]
    reply = brain.remember(fact="all reviews happen upstairs", provenance="t", replaces=wrong)
    assert (reply["id"], reply["status"]) == (right, "superseded")
    assert [row["fact_id"] for row in brain.recall()["facts"]] == [right]
    assert brain.recall(supersessions=True)["facts"][0]["superseded_by"] == int(right)


def test_a_fact_replaced_once_names_its_successor(brain: Brain) -> None:
    first = brain.remember(fact="the code is A-113", provenance="t")["id"]
    second = brain.remember(fact="it was changed to B-7", provenance="t", replaces=first)["id"]
    with pytest.raises(InvalidParams) as refused:
        brain.remember(fact="it was changed to C-9", provenance="t", replaces=first)
    assert refused.value.detail == {"reason": "already_superseded", "successor": second}


def test_a_repeat_moves_a_running_end_out_and_never_in(brain: Brain) -> None:
    def end(ttl: str | None) -> str | None:
        return brain.remember(fact="is on the night train", provenance="t", entity="bob", ttl=ttl)["valid_until"]

    first = end("2h")
    assert end("1h") == first
    later = end("3h")
    assert first is not None and later is not None and later > first
    assert end(None) is None
    assert end("1h") is None


def test_recall_says_which_arms_ran(brain: Brain) -> None:
    from gbrain.registry import call
    from gbrain.types import Caller

    brain.remember(fact="prefers tea", provenance="t")
    meta = call(brain, Caller.stdio(), "recall", {"query": "tea"}).meta["retrieval"]
    assert meta["arms"] == ["exact", "keyword"]
    assert meta["degraded"] == [{"stage": "vector", "reason": "no_provider"}]
    assert "retrieval" not in call(brain, Caller.stdio(), "recall", {}).meta


def test_a_fact_about_a_private_page_is_private(brain: Brain) -> None:
    from gbrain.registry import call
    from gbrain.types import Caller

    brain.put_page(slug="people/secret", content="---\ntitle: Secret Person\nvisibility: private\n---\n\nText.\n")
    reply = call(brain, Caller.local(), "remember", {"fact": "likes tea", "provenance": "t", "entity": "Secret Person"})
    assert [warning["code"] for warning in reply.warnings] == ["saved_private"]
    assert call(brain, Caller.stdio(), "recall", {}).value["facts"] == []
    assert [row["fact"] for row in brain.recall(entity="Secret Person")["facts"]] == ["likes tea"]
