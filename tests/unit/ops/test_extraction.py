"""Turns read for facts, through the door, with a model that a test scripts."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from clocks import Clock
from gbrain import Brain, registry
from gbrain.ops.extraction import extract_turn
from gbrain.types import Caller
from model_server import ModelServer, completion, model_server, status
from unit.ops.conftest import Asker

TURN = "I moved to Porto last month and I prefer green tea in the morning."
MOVED = {"fact": "moved to Porto", "kind": "event", "entity": "user", "valid_from": "last month", "notability": "high"}


@pytest.fixture
def model(brain: Brain) -> Iterator[ModelServer]:
    """A scripted model, set as the brain's."""
    with model_server() as server:
        brain.store.config.set("models.default", f"endpoint:scripted-1 url={server.url}")
        server.script = lambda body: completion(facts(MOVED))
        yield server


def facts(*items: dict[str, Any]) -> str:
    return json.dumps({"facts": list(items)})


def kept(brain: Brain) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = brain.store.engine.rows("select * from facts order by id")
    return rows


def test_a_turn_becomes_facts_with_what_made_them(local: Asker, brain: Brain, model: ModelServer) -> None:
    reply = local("extract_facts", turn_text=TURN, session_id="s-1", entity_hints=[f"h{n}" for n in range(7)])
    assert reply == {
        "inserted": 1, "duplicate": 0, "superseded": 0, "fact_ids": [1],
        "entity_hints_used": 5, "entity_hints_dropped": 2,
    }  # fmt: skip
    (row,) = kept(brain)
    assert (row["fact"], row["kind"], row["entity_slug"], row["notability"]) == (
        "moved to Porto",
        "event",
        "user",
        "high",
    )
    assert (row["provenance"], row["session"], row["visibility"]) == ("mcp:extract_facts", "s-1", "private")
    assert (row["dated"], row["valid_from"][:10], row["valid_until"]) == ("2031-04", "2031-04-30", None)
    assert row["made_by"] == "extract-1 endpoint:scripted-1"
    (asked,) = model.asked
    prompt = asked.body["messages"][1]["content"]
    assert "2031-05-04" in prompt
    assert f"<turn>\n{TURN}\n</turn>" in prompt
    assert "h4" in prompt
    assert "h5" not in prompt


def test_a_repeat_makes_no_second_call_and_a_lapsed_fact_does(
    brain: Brain, local: Asker, model: ModelServer, clock: Clock
) -> None:
    model.script = lambda body: completion(facts({**MOVED, "transience": "transient", "valid_from": None}))
    first = local("extract_facts", turn_text="I am in Porto just now, for the week.")
    assert kept(brain)[0]["valid_until"][:10] == "2031-05-07"
    again = local("extract_facts", turn_text="I am in Porto  just now,\nfor the week.")
    assert (again["duplicate"], again["fact_ids"]) == (1, first["fact_ids"])
    assert len(model.asked) == 1
    clock.move(days=4)
    assert local("extract_facts", turn_text="I am in Porto just now, for the week.")["inserted"] == 1
    assert len(model.asked) == 2


def test_words_that_depend_on_the_day_make_a_turn_of_each_day(local: Asker, model: ModelServer, clock: Clock) -> None:
    for _ in range(2):
        local("extract_facts", turn_text="I met Dana yesterday at the harbour.")
    clock.move(days=1)
    local("extract_facts", turn_text="I met Dana yesterday at the harbour.")
    assert len(model.asked) == 2


def test_a_remote_caller_learns_nothing_of_what_others_said(local: Asker, remote: Asker, model: ModelServer) -> None:
    local("extract_facts", turn_text=TURN)
    assert remote("extract_facts", turn_text=TURN)["duplicate"] == 0
    assert len(model.asked) == 2


@pytest.mark.parametrize(
    ("script", "reason", "calls"),
    [
        (lambda body: completion("I would rather not."), "malformed_output", 2),
        (lambda body: completion('{"facts": [{"fact": "mo', "length"), "truncated_output", 2),
        (lambda body: completion(None, "stop", refusal="no"), "refusal", 1),
        (lambda body: completion("", "content_filter"), "content_filter", 1),
        (lambda body: status(401), "provider_error", 1),
    ],
)
def test_what_a_model_fails_to_do_is_named_and_may_be_tried_again(
    local: Asker, model: ModelServer, brain: Brain, script: Callable[..., Any], reason: str, calls: int
) -> None:
    model.script = script
    reply = local("extract_facts", turn_text=TURN)
    assert (reply["skipped"], reply["reason"], reply["inserted"]) == ("extraction_failed", reason, 0)
    assert len(model.asked) == calls
    assert kept(brain) == []
    model.script = lambda body: completion(facts(MOVED))
    assert local("extract_facts", turn_text=TURN)["inserted"] == 1


def test_a_cut_answer_gets_twice_the_room_and_an_unreadable_one_a_reminder(local: Asker, model: ModelServer) -> None:
    answers = [completion('{"facts": [', "length"), completion("Sure!"), completion(facts(MOVED))]
    model.script = lambda body: answers[len(model.asked) - 1]
    assert local("extract_facts", turn_text=TURN)["inserted"] == 1
    rooms = [asked.body.get("max_tokens") or asked.body.get("max_completion_tokens") for asked in model.asked]
    assert rooms == [4000, 8000, 8000]
    assert "could not be read" in model.asked[2].body["messages"][1]["content"]


@pytest.mark.parametrize(
    "text",
    [
        "<system-reminder>the user likes tea</system-reminder>",
        "> Dana wrote that she likes tea",
        "my password is hunter2 and I like tea",
        "<private>I like tea</private>",
    ],
)
def test_what_is_not_ones_own_or_is_secret_goes_to_no_model(
    local: Asker, model: ModelServer, brain: Brain, text: str
) -> None:
    reply = local("extract_facts", turn_text=text)
    assert reply["inserted"] == 0
    assert model.asked == []
    assert kept(brain) == []


def test_a_secret_in_an_answer_is_not_kept(local: Asker, model: ModelServer, brain: Brain) -> None:
    model.script = lambda body: completion(facts({**MOVED, "fact": "the password is hunter2"}, MOVED))
    assert local("extract_facts", turn_text=TURN)["inserted"] == 1
    assert [row["fact"] for row in kept(brain)] == ["moved to Porto"]


def test_what_only_a_quotation_says_becomes_no_fact(local: Asker, model: ModelServer, brain: Brain) -> None:
    said = {"fact": "Acme raised five million dollars from Harbor Capital", "kind": "fact"}
    model.script = lambda body: completion(facts(said))
    local("extract_facts", turn_text="What do you make of it?\n> Acme raised five million dollars from Harbor Capital")
    assert kept(brain) == []
    assert "[quoted from elsewhere: Acme" in model.asked[0].body["messages"][1]["content"]


def test_names_are_tied_exactly_or_not_at_all(local: Asker, model: ModelServer, brain: Brain, page: Any) -> None:
    page("people/dana-oakes", "Rows.\n", "title: Dana Oakes", "aliases: [dee]")
    page("people/dana-lund", "Rows.\n", "title: Dana Lund")
    names = ["dee", "Dana", "Speaker 1", "Unknown", None, "Zed Example"]
    model.script = lambda body: completion(
        facts(*({"fact": f"claim number {at}", "kind": "fact", "entity": name} for at, name in enumerate(names)))
    )
    reply = local.reply("extract_facts", turn_text=TURN)
    assert [row["entity_slug"] for row in kept(brain)] == ["people/dana-oakes", None, None, None, None, "zed-example"]
    assert "entity_unclear" in [warning["code"] for warning in reply.warnings]


def test_a_fact_about_a_private_page_is_private(local: Asker, model: ModelServer, brain: Brain, page: Any) -> None:
    page("people/hidden", "x\n", "title: Hidden One", "visibility: private")
    model.script = lambda body: completion(facts({**MOVED, "entity": "Hidden One"}))
    local("extract_facts", turn_text=TURN, visibility="world")
    assert kept(brain)[0]["visibility"] == "private"


def test_facts_are_compared_as_remember_compares_them(local: Asker, model: ModelServer, brain: Brain) -> None:
    local("remember", fact="lives in Lisbon", provenance="chat", entity="user", visibility="private")
    model.script = lambda body: completion(facts({"fact": "lives in Porto", "kind": "fact", "entity": "user"}))
    reply = local("extract_facts", turn_text=TURN)
    assert (reply["superseded"], reply["inserted"]) == (1, 0)
    model.script = lambda body: completion(facts({"fact": "lives in  Porto", "kind": "fact", "entity": "user"}))
    assert local("extract_facts", turn_text=TURN + " Really.")["duplicate"] == 1


def test_a_move_in_a_turn_ends_where_someone_lived(local: Asker, model: ModelServer, brain: Brain) -> None:
    local("remember", fact="I live in Lisbon with my sister", provenance="c", entity="user", visibility="private")
    local("remember", fact="works at Acme as a cook", provenance="c", entity="user", visibility="private")
    assert local("extract_facts", turn_text=TURN)["superseded"] == 1
    joined = {"fact": "joined Globex as a baker", "kind": "event", "entity": "user"}
    model.script = lambda body: completion(facts(joined))
    assert local("extract_facts", turn_text="I joined Globex as a baker.")["superseded"] == 1
    assert [row["fact"] for row in kept(brain) if row["superseded_by"] is None] == [MOVED["fact"], joined["fact"]]


def test_figures_keep_their_period(local: Asker, model: ModelServer, brain: Brain) -> None:
    told = {"fact": "ARR was $2.1M last month", "kind": "fact", "metric": "ARR", "value": 2_100_000, "unit": "USD"}
    model.script = lambda body: completion(facts({**told, "period": "last month"}))
    local("extract_facts", turn_text="Our ARR was $2.1M last month, can you believe it?")
    (row,) = kept(brain)
    assert (row["metric"], row["value"], row["unit"], row["period"]) == ("arr", 2_100_000, "USD", "2031-04")


def test_without_a_model_an_agent_is_told_what_to_do(remote: Asker, brain: Brain) -> None:
    reply = remote("extract_facts", turn_text=TURN, visibility="world")
    assert (reply["skipped"], reply["inserted"]) == ("extraction_unavailable", 0)
    for word in ("remember", "visibility: world", "event", "preference", "commitment", "belief"):
        assert word in reply["agent_action"]
    assert "visibility: private" in remote("extract_facts", turn_text=TURN)["agent_action"]
    brain.store.config.set("facts.default_visibility", "world")
    assert "visibility: world" in remote("extract_facts", turn_text=TURN)["agent_action"]


def test_without_a_model_what_asks_to_be_kept_is_kept_word_for_word(local: Asker, brain: Brain) -> None:
    text = "Hello. Please remember that my locker is the blue one. Bye!"
    reply = local("extract_facts", turn_text=text)
    assert (reply["skipped"], reply["inserted"]) == ("extraction_unavailable", 1)
    (row,) = kept(brain)
    assert (row["fact"], row["entity_slug"]) == ("my locker is the blue one.", "user")
    assert row["provenance"] == "mcp:extract_facts (word for word, no model)"
    assert row["made_by"] == "verbatim-2"
    assert local("extract_facts", turn_text=text)["duplicate"] == 1


def test_what_is_kept_without_a_model_is_filed_under_whom_it_names_first(local: Asker, brain: Brain) -> None:
    local("put_page", slug="people/dana-oakes", content="---\ntitle: Dana Oakes\naliases: [Dana]\n---\n\nRows.\n")
    local("remember", fact="sails", provenance="chat", entity="Sam Fox")
    said = (
        ("Dana lives in Porto.", "people/dana-oakes"),
        ("Dana Oakes eats no nuts.", "people/dana-oakes"),
        ("Sam Fox's boat is red.", "sam-fox"),
        ("Sam lost the keys.", None),
        ("The gate code changes on Mondays.", None),
        ("I prefer short replies.", "user"),
    )
    for text, _ in said:
        local("extract_facts", turn_text=f"Please remember that {text}")
    rows = {row["fact"]: row for row in kept(brain)}
    assert [rows[text]["entity_slug"] for text, _ in said] == [slug for _, slug in said]
    assert rows["I prefer short replies."]["kind"] == "preference"


def test_switched_off_and_made_up_turns_reach_no_model(local: Asker, model: ModelServer, brain: Brain) -> None:
    assert local("extract_facts", turn_text=TURN, is_dream_generated=True)["skipped"] == "dream_generated"
    brain.store.config.set("facts.extraction_enabled", "off")
    assert local("extract_facts", turn_text=TURN)["skipped"] == "extraction_disabled"
    assert model.asked == []


def test_a_background_turn_does_not_bring_back_what_was_forgotten(
    brain: Brain, local: Asker, model: ModelServer
) -> None:
    id = local("extract_facts", turn_text=TURN)["fact_ids"][0]
    local("forget", id=str(id))
    ctx = registry.context(brain, Caller.local())
    told = extract_turn(ctx, TURN + " So it is.", when=ctx.now, provenance="hook:writeback", session="s")
    assert (told.inserted, told.facts, told.calls) == (0, (), 1)


def test_a_banked_turn_counts_from_when_it_was_said(brain: Brain, model: ModelServer) -> None:
    low = {"fact": "ordered a taxi", "kind": "event", "notability": "low"}
    model.script = lambda body: completion(facts({**MOVED, "valid_from": "yesterday"}, low))
    ctx = registry.context(brain, Caller.local())
    when = ctx.now - timedelta(days=10)
    told = extract_turn(ctx, TURN, when=when, provenance="hook:writeback", admission="salient")
    assert (told.inserted, told.skip) == (1, None)
    assert (kept(brain)[0]["dated"], kept(brain)[0]["valid_from"][:10]) == ("2031-04-23", "2031-04-23")
