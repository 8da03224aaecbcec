"""remember, forget and recall, through the door."""

from pathlib import Path
from typing import Any

import pytest

from gbrain import open_brain, registry
from gbrain.brain import Brain
from gbrain.errors import InvalidParams
from gbrain.types import Caller


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
    assert str(later) > str(first)
    assert end(None) == later


def test_recall_says_which_arms_ran(brain: Brain) -> None:

    brain.remember(fact="prefers tea", provenance="t")
    meta = registry.call(brain, Caller.stdio(), "recall", {"query": "tea"}).meta["retrieval"]
    assert meta["arms"] == ["exact", "keyword"]
    assert meta["degraded"] == [{"stage": "embed_unavailable", "reason": "off"}]
    assert "retrieval" not in registry.call(brain, Caller.stdio(), "recall", {}).meta


def test_a_fact_about_a_private_page_is_private(brain: Brain) -> None:

    brain.put_page(slug="people/secret", content="---\ntitle: Secret Person\nvisibility: private\n---\n\nText.\n")
    reply = registry.call(
        brain, Caller.local(), "remember", {"fact": "likes tea", "provenance": "t", "entity": "Secret Person"}
    )
    assert [warning["code"] for warning in reply.warnings] == ["saved_private"]
    assert registry.call(brain, Caller.stdio(), "recall", {}).value["facts"] == []
    assert [row["fact"] for row in brain.recall(entity="Secret Person")["facts"]] == ["likes tea"]


def test_the_end_of_a_chain_of_replacements_is_named(brain: Brain) -> None:
    ids = [brain.remember(fact="works at Acme", provenance="t", entity="Dana Oakes")["id"]]
    for employer in ("Globex", "Initech"):
        ids.append(brain.remember(fact=f"works at {employer}", provenance="t", entity="Dana Oakes")["id"])
    with pytest.raises(InvalidParams) as refused:
        brain.remember(fact="is retired", provenance="t", entity="Dana Oakes", replaces=ids[0])
    assert refused.value.detail["successor"] == ids[-1]


class TestNamesWithoutAPage:
    @pytest.fixture(autouse=True)
    def known(self, brain: Brain) -> None:
        brain.remember(fact="is allergic to peanuts", provenance="t", entity="Marta Weiss")

    def test_a_first_name_is_not_a_second_person(self, brain: Brain) -> None:
        reply = registry.call(
            brain, Caller.stdio(), "remember", {"fact": "sails", "provenance": "t", "entity": "Marta"}
        )
        assert reply.value["entity_slug"] is None
        assert reply.warnings[0]["candidates"] == ["marta-weiss"]

    def test_the_card_suggests_the_whole_name(self, brain: Brain) -> None:
        assert [row["slug"] for row in brain.entity(name="Marta")["suggestions"]] == ["marta-weiss"]

    def test_recall_says_who_was_meant(self, brain: Brain) -> None:
        reply = registry.call(brain, Caller.stdio(), "recall", {"entity": "Marta"})
        assert reply.value["facts"] == []
        assert reply.warnings[0]["candidates"] == ["marta-weiss"]
        assert "marta-weiss" in reply.warnings[0]["message"]

    @pytest.mark.parametrize(
        "question", ["what can Marta not eat", "I'm cooking for Marta tonight, anything to watch out for?", "peanuts"]
    )
    def test_a_question_that_names_someone_brings_what_is_known(self, brain: Brain, question: str) -> None:
        assert [row["fact"] for row in brain.recall(query=question)["facts"]] == ["is allergic to peanuts"]

    def test_private_names_are_suggested_to_nobody_else(self, brain: Brain) -> None:
        brain.remember(fact="sings", provenance="t", entity="Otto Brandt", visibility="private")
        for name in ("entity", "recall"):
            asked = {"name": "Otto"} if name == "entity" else {"entity": "Otto"}
            reply = registry.call(brain, Caller.stdio(), name, asked)
            assert "otto-brandt" not in str(reply)


class TestAPageThatIsPrivate:
    def test_the_owner_still_finds_what_was_saved_before(self, brain: Brain) -> None:
        brain.remember(fact="plays chess", provenance="t", entity="Tom Lind")
        brain.put_page(slug="people/tom-lind", content="---\ntitle: Tom Lind\nvisibility: private\n---\n\nSecret.\n")
        assert [row["fact"] for row in brain.recall(entity="Tom Lind")["facts"]] == ["plays chess"]
        assert brain.entity(name="Tom Lind")["card"]["active_fact_count"] == 1

    def test_an_alias_elsewhere_does_not_hide_the_facts_of_a_title(self, brain: Brain) -> None:
        brain.put_page(slug="people/tom-lind", content="---\ntitle: Tom Lind\n---\n\nText.\n")
        brain.remember(fact="plays chess", provenance="t", entity="people/tom-lind")
        brain.put_page(slug="companies/lind", content="---\naliases: [Tom Lind]\n---\n\nCo.\n")
        assert [row["fact"] for row in brain.recall(entity="Tom Lind")["facts"]] == ["plays chess"]


def test_values_may_be_given_in_place(brain: Brain) -> None:
    brain.remember("prefers tea", provenance="t")
    assert brain.forget("#1")["expired"]
    assert "remember" in dir(brain)
    with pytest.raises(TypeError):
        brain.forget("1", "reason")


def test_a_blind_overwrite_says_how_to_go_back(brain: Brain) -> None:
    brain.put_page(slug="notes/a", content="one\n")
    reply = registry.call(brain, Caller.local(), "put_page", {"slug": "notes/a", "content": "two\n"})
    assert reply.warnings[0]["suggestion"] == "gbrain revert notes/a 1 brings it back"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I live in Berlin", "I live in Hamburg"),
        ("My phone number is 111", "My phone number is 222"),
        ("The API base URL is https://a.example", "The API base URL is https://b.example"),
        ("我住在北京", "我住在上海"),
        ("I work at Harbour Labs as a welder", "I joined Corvid Optics last week"),
        ("I live in Oslo with my sister", "I moved to Porto"),
    ],
)
def test_a_claim_that_names_its_subject_needs_no_entity_to_be_replaced(brain: Brain, before: str, after: str) -> None:
    brain.remember(before, provenance="t")
    assert brain.remember(after, provenance="t")["status"] == "superseded"
    assert [row["fact"] for row in brain.recall()["facts"]] == [after]


def test_a_claim_calls_an_entity_by_the_words_of_its_slug_before_it_has_a_page(brain: Brain) -> None:
    brain.remember("Ines Moor works at Harbour Labs as a welder", provenance="t", entity="people/ines-moor")
    told = brain.remember("She works at Corvid Optics", provenance="t", entity="people/ines-moor")
    assert told["status"] == "superseded"


def test_a_claim_about_nobody_in_particular_replaces_nothing(brain: Brain) -> None:
    brain.remember("lives in Berlin", provenance="t")
    assert brain.remember("lives in Porto", provenance="t")["status"] == "inserted"


def test_every_name_of_the_user_is_one_entity(brain: Brain) -> None:
    for name in ("me", "I", "the user", "user", "我"):
        hobby = f"likes hobby number {len(name)}{name[0]}"
        assert brain.remember(hobby, provenance="t", entity=name)["entity_slug"] == "user"
    assert len(brain.recall("me")["facts"]) == 5
    assert brain.entity("the user")["card"]["active_fact_count"] == 5


class TestWhatIsHiddenDecidesNothing:
    """The same calls with and without private rows give a remote caller the same replies."""

    def test_the_order_of_hits(self, tmp_path: Path) -> None:
        orders = set()
        for hidden in ("", "merger", "lantern"):
            with open_brain(str(tmp_path / (hidden or "none")), create=True) as brain:
                brain.remember("talked about the merger plan", provenance="t", entity="a")
                brain.remember("talked about the lantern plan", provenance="t", entity="b")
                for number in range(6 if hidden else 0):
                    text = f"{hidden} {hidden} private words {number}"
                    brain.remember(text, provenance="t", entity=f"p{number}", visibility="private")
                    brain.put_page(slug=f"p/{number}", content=f"---\nvisibility: private\n---\n\n{text}\n")
                rows = registry.call(brain, Caller.stdio(), "recall", {"query": "merger lantern"}).value["facts"]
                orders.add(tuple(row["fact"] for row in rows))
        assert len(orders) == 1

    def test_a_private_successor(self, brain: Brain) -> None:
        old = brain.remember("earns 90k", provenance="t", entity="a")["id"]
        brain.remember("earns 100k", provenance="t", entity="a", visibility="private", replaces=old)
        for asked in ({"include_expired": True}, {"supersessions": True}):
            rows = registry.call(brain, Caller.stdio(), "recall", asked).value["facts"]
            assert [row["superseded_by"] for row in rows] in ([None], [])
        remote = {"fact": "earns 95k", "provenance": "t", "replaces": old}
        with pytest.raises(InvalidParams) as refused:
            registry.call(brain, Caller.stdio(), "remember", remote)
        assert "2" not in refused.value.message + refused.value.suggestion

    @pytest.mark.parametrize("state", ["deleted", "expired"])
    def test_a_private_page_protects_its_facts_also_when_it_is_gone(self, brain: Brain, clock: Any, state: str) -> None:
        expiry = "expiry: 2031-05-05\n" if state == "expired" else ""
        brain.put_page(slug="people/x", content=f"---\ntitle: Tom Quill\nvisibility: private\n{expiry}---\n\nText.\n")
        if state == "deleted":
            brain.delete_page(slug="people/x")
        clock.move(days=3)
        brain.remember("likes herring", provenance="t", entity="Tom Quill")
        assert registry.call(brain, Caller.stdio(), "recall", {}).value["facts"] == []


class TestAdoptedFacts:
    def test_one_of_two_values_stays(self, brain: Brain) -> None:
        brain.remember("phone number is 111", provenance="t", entity="Dana Oakes")
        brain.remember("phone number is 222", provenance="t", entity="D. Oakes")
        brain.put_page(slug="people/dana", content="---\ntitle: Dana Oakes\naliases: [D. Oakes]\n---\n\nText.\n")
        assert [row["fact"] for row in brain.recall("Dana Oakes")["facts"]] == ["phone number is 222"]

    def test_one_of_two_repeats_stays(self, brain: Brain) -> None:
        first = brain.remember("likes tea", provenance="t", entity="Dana Oakes")["id"]
        brain.remember("likes tea", provenance="t", entity="D. Oakes")
        brain.put_page(slug="people/dana", content="---\ntitle: Dana Oakes\naliases: [D. Oakes]\n---\n\nText.\n")
        assert [row["fact_id"] for row in brain.recall("Dana Oakes")["facts"]] == [first]

    def test_a_page_does_not_take_over_the_user(self, brain: Brain) -> None:
        brain.remember("lives in Oslo", provenance="t", entity="me")
        brain.put_page(slug="glossary/user", content="Someone who uses it.\n")
        brain.remember("lives in Bergen", provenance="t", entity="user")
        assert [row["fact"] for row in brain.recall("me")["facts"]] == ["lives in Bergen"]
        brain.put_page(slug="people/kim", content="---\ntitle: Kim\naliases: [me]\n---\n\nText.\n")
        assert brain.recall("me")["facts"][0]["entity_slug"] == "people/kim"


def test_the_end_of_a_slug_ties_only_people_and_companies(brain: Brain) -> None:
    brain.put_page(slug="planets/venus", content="---\ntitle: The second planet\n---\n\nText.\n")
    assert brain.remember("opened in Turin", provenance="t", entity="Venus")["entity_slug"] != "planets/venus"


def test_a_blank_question_finds_nothing(brain: Brain) -> None:
    brain.remember("likes tea", provenance="t")
    assert brain.recall(query=" ")["facts"] == []


def test_the_past_is_told_as_it_was(brain: Brain, clock: Any) -> None:
    brain.remember("is on the train", provenance="t", entity="bob", ttl="2h")
    clock.move(hours=1)
    then = clock.now
    clock.move(hours=5)
    assert brain.recall("bob", as_of=then.isoformat())["facts"][0]["effective_confidence"] > 0.9


def test_of_facts_that_answer_alike_the_surer_comes_first(brain: Brain, clock: Any) -> None:
    said = ("keeps the harbour lantern", "trims the harbour lantern", "cleans the harbour lantern")
    web = brain.remember(said[0], provenance="article on the web", entity="ann")["id"]
    old = brain.remember(said[1], provenance="chat", entity="ben")["id"]
    own = brain.remember(said[2], provenance="chat", entity="cleo")["id"]
    assert [row["fact_id"] for row in brain.recall(query="harbour lantern")["facts"]][-1] == web
    clock.move(days=400)
    new = brain.remember("fills the harbour lantern", provenance="chat", entity="dan")["id"]
    assert [row["fact_id"] for row in brain.recall(query="harbour lantern")["facts"]] == [new, old, own, web]


def test_a_long_name_is_refused(brain: Brain) -> None:
    with pytest.raises(InvalidParams):
        brain.remember("likes tea", provenance="t", entity="x" * 300)


def test_the_reason_of_an_end_is_kept(brain: Brain) -> None:
    brain.remember("likes tea", provenance="t")
    brain.forget("1", reason="it was coffee")
    assert brain.recall(include_expired=True)["facts"][0]["context"] == "forgotten: it was coffee"


@pytest.mark.parametrize("told", [{"fact": "my password is hunter"}, {"provenance": "chat, token: a1b2hunter"}])
def test_a_secret_is_refused_and_not_repeated(local: Any, told: dict[str, str]) -> None:
    with pytest.raises(InvalidParams) as refused:
        local("remember", **{"fact": "rows on Sundays", "provenance": "chat", **told})
    error = refused.value
    assert error.detail["reason"] == "secret_found"
    assert "hunter" not in f"{error.message} {error.suggestion} {error.detail}"
    assert local("recall", query="password rows")["facts"] == []


def test_where_nothing_holds_any_more_recall_says_so(local: Any, remote: Any, clock: Any) -> None:
    id = local("remember", fact="likes tea", provenance="t", entity="Ana Silva")["id"]
    hidden = local("remember", fact="owes a boat", provenance="t", entity="Reed Sample", visibility="private")["id"]
    local("put_page", slug="people/dana-oakes", content="---\ntitle: Dana Oakes\n---\nDana.\n")
    for one in (id, hidden):
        local("forget", id=one)
    for ask, name, code, suggestion in (
        (local, "Ana Silva", "no_facts_hold", 'gbrain recall "Ana Silva" --include-expired'),
        (remote, "Ana Silva", "no_facts_hold", 'gbrain recall "Ana Silva" --include-expired'),
        (local, "Reed Sample", "no_facts_hold", 'gbrain recall "Reed Sample" --include-expired'),
        (remote, "Reed Sample", "no_facts", 'gbrain recall --query "Reed Sample"'),
        (remote, "Dana Oakes", "no_facts", "gbrain get people/dana-oakes"),
    ):
        (warning,) = ask.reply("recall", entity=name).warnings
        assert (warning["code"], warning["suggestion"]) == (code, suggestion)
