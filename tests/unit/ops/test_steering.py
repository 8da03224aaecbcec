"""Facts set right by hand: every move has a successor or a reason, and a way back."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from gbrain import Brain
from gbrain.errors import BrainError, InvalidParams, NotFound

DANA, REED = "people/dana-oakes", "people/reed-sample"


def say(local: Any, fact: str, entity: str | None = DANA, **more: Any) -> str:
    id: str = local("remember", fact=fact, provenance="chat", entity=entity, **more)["id"]
    return id


def live(local: Any, entity: str | None = DANA) -> list[str]:
    return sorted(fact["fact"] for fact in local("recall", entity=entity)["facts"])


class TestCorrect:
    def test_the_right_claim_takes_the_place_and_the_dates_of_the_wrong_one(self, local: Any, clock: Any) -> None:
        wrong = say(local, "lives in Lisbon", kind="fact", visibility="private", ttl="30d")
        clock.move(days=2)
        told = local("correct", id=wrong, fact="lives in Porto", reason="misread")
        assert (told["ended"], told["fact"], told["entity_slug"]) == ([wrong], "lives in Porto", DANA)
        [row] = local("recall", entity=DANA)["facts"]
        assert (row["fact_id"], row["visibility"], row["valid_until"][:10]) == (told["id"], "private", "2031-06-03")
        assert local("why", id=wrong)["note"] == "corrected: misread"
        assert [one["fact"] for one in local("recall", entity=DANA, as_of="2031-05-05")["facts"]] == ["lives in Lisbon"]

    def test_the_same_again_changes_nothing(self, local: Any) -> None:
        id = say(local, "lives in Lisbon")
        assert not local("correct", id=f"#{id}", fact=" lives in  Lisbon ")["changed"]
        assert live(local) == ["lives in Lisbon"]

    def test_what_holds_no_more_names_what_came_in_its_place(self, local: Any) -> None:
        first = say(local, "lives in Lisbon")
        second = local("correct", id=first, fact="lives in Porto")["id"]
        with pytest.raises(InvalidParams, match="does not hold") as refused:
            local("correct", id=first, fact="lives in Braga")
        assert second in refused.value.suggestion
        local("forget", id=second)
        with pytest.raises(InvalidParams) as refused:
            local("correct", id=second, fact="lives in Braga")
        assert f"gbrain restore '#{second}'" in refused.value.suggestion

    @pytest.mark.parametrize("fact", ["", "   ", "my password is hunter2-Zebra", "x" * 8001])
    def test_a_text_that_is_no_claim_is_refused_and_nothing_ends(self, local: Any, fact: str) -> None:
        id = say(local, "lives in Lisbon")
        with pytest.raises(BrainError):
            local("correct", id=id, fact=fact)
        assert live(local) == ["lives in Lisbon"]

    @pytest.mark.parametrize("id", ["0", "99", "-1", "x", "9" * 30, "#"])
    def test_no_such_fact(self, local: Any, id: str) -> None:
        for name, more in (("correct", {"fact": "x y"}), ("invalidate", {}), ("restore_fact", {}), ("why", {})):
            with pytest.raises(NotFound, match="no such fact"):
                local(name, id=id, **more)


class TestInvalidate:
    def test_it_leaves_every_answer_and_comes_back(self, local: Any) -> None:
        id = say(local, "lives in Lisbon")
        assert local("invalidate", id=id, reason="never did")["undo"] == f"gbrain restore '#{id}'"
        assert live(local) == []
        assert local("why", id=id)["note"] == "forgotten: never so: never did"
        assert local("restore_fact", id=f"#{id}")["changed"]
        assert live(local) == ["lives in Lisbon"]
        assert not local("invalidate", id=id)["changed"]

    def test_until_a_day_it_held(self, local: Any, clock: Any) -> None:
        id = say(local, "lives in Lisbon")
        clock.move(days=10)
        local("invalidate", id=id, until="2031-05-08")
        assert live(local) == []
        assert [one["fact"] for one in local("recall", entity=DANA, as_of="2031-05-07")["facts"]] == ["lives in Lisbon"]
        assert local("recall", entity=DANA, as_of="2031-05-09")["facts"] == []
        assert local("why", id=id)["state"] == "lapsed"

    @pytest.mark.parametrize("until", ["2031-05-01", "2031-09-01"])
    def test_a_day_before_it_began_or_ahead_is_refused(self, local: Any, until: str) -> None:
        id = say(local, "lives in Lisbon")
        with pytest.raises(InvalidParams, match="holds from"):
            local("invalidate", id=id, until=until)
        assert live(local) == ["lives in Lisbon"]


class TestRestore:
    def test_what_replaced_it_ends(self, local: Any) -> None:
        first = say(local, "lives in Lisbon")
        second = local("correct", id=first, fact="lives in Porto")["id"]
        told = local("restore_fact", id=first, reason="it was right")
        assert told["ended"] == [second]
        assert live(local) == ["lives in Lisbon"]
        assert local("why", id=second)["note"] == f"taken back: fact {first} holds again: it was right"

    def test_twice_is_once(self, local: Any) -> None:
        id = say(local, "lives in Lisbon")
        local("forget", id=id)
        assert local("restore_fact", id=id)["changed"]
        assert not local("restore_fact", id=id)["changed"]
        assert live(local) == ["lives in Lisbon"]

    @pytest.mark.parametrize("move", ["forget", "correct", "invalidate", "until"])
    def test_the_end_that_was_stated_comes_back_with_it(self, local: Any, clock: Any, move: str) -> None:
        id = say(local, "is in Lisbon", ttl="3d")
        clock.move(days=1)
        more = {"correct": {"fact": "is in Porto"}, "until": {"until": "2031-05-05"}}.get(move, {})
        local("invalidate" if move == "until" else move, id=id, **more)
        told = local("restore_fact", id=f"id={id}")
        assert told["valid_until"] == "2031-05-07T22:10:00.000Z"
        assert live(local) == ["is in Lisbon"]
        clock.move(days=2)
        assert live(local) == []

    def test_what_was_without_an_end_comes_back_without_one(self, local: Any, clock: Any) -> None:
        id = say(local, "lives in Lisbon")
        clock.move(days=10)
        local("invalidate", id=id, until="2031-05-08")
        local("invalidate", id=id, until="2031-05-06")
        assert local("restore_fact", id=id)["valid_until"] is None
        clock.move(days=400)
        assert live(local) == ["lives in Lisbon"]

    @pytest.mark.parametrize("forgotten", [True, False])
    def test_an_end_that_has_passed_is_named_and_nothing_is_done(self, local: Any, clock: Any, forgotten: bool) -> None:
        id = say(local, "is in Lisbon", ttl="1d")
        if forgotten:
            local("forget", id=id)
        clock.move(days=2)
        with pytest.raises(InvalidParams, match="2031-05-05T22:10") as refused:
            local("restore_fact", id=id)
        assert "gbrain remember" in refused.value.suggestion
        with pytest.raises(InvalidParams, match="does not hold") as refused:
            local("correct", id=id, fact="is in Porto")
        assert "gbrain remember" in refused.value.suggestion
        assert live(local) == []

    def test_its_undo_brings_back_what_ended_for_it(self, local: Any) -> None:
        first = say(local, "lives in Lisbon")
        second = local("correct", id=first, fact="lives in Porto")["id"]
        told = local("restore_fact", id=first)
        assert told["undo"] == f"gbrain restore '#{second}'"
        assert local("restore_fact", id=second)["ended"] == [told["id"]]
        assert live(local) == ["lives in Porto"]

    def test_where_nothing_ended_for_it_its_undo_forgets_it(self, local: Any) -> None:
        id = say(local, "lives in Lisbon")
        local("forget", id=id)
        told = local("restore_fact", id=id)
        assert told["undo"] == f"gbrain forget {told['id']}"

    def test_a_claim_brought_back_is_no_more_a_forgotten_one(self, brain: Brain, local: Any) -> None:
        id = say(local, "lives in Lisbon")
        local("forget", id=id)
        local("restore_fact", id=id)
        [row] = local("recall", entity=DANA)["facts"]
        assert (row["provenance"], row["valid_from"]) == ("chat", local("why", id=id)["valid_from"])


class TestMerge:
    def test_one_stands_for_both_and_the_way_back(self, local: Any) -> None:
        keep, drop = say(local, "likes tea"), say(local, "rows on Sundays")
        told = local("merge_facts", keep=keep, drop=drop)
        assert live(local) == ["likes tea"]
        assert local("why", id=drop)["state"] == "joined"
        assert not local("merge_facts", keep=keep, drop=drop)["changed"]
        assert told["undo"] == f"gbrain restore '#{drop}'"
        assert local("restore_fact", id=drop)["ended"] == []
        assert live(local) == ["likes tea", "rows on Sundays"]

    def test_readers_never_lose_what_they_could_see(self, local: Any) -> None:
        private, world = say(local, "likes tea", visibility="private"), say(local, "rows on Sundays")
        with pytest.raises(InvalidParams, match="private") as refused:
            local("merge_facts", keep=private, drop=world)
        assert f"gbrain merge {world} {private}" in refused.value.suggestion
        with pytest.raises(InvalidParams, match="same fact"):
            local("merge_facts", keep=world, drop=f"#{world}")

    def test_two_sources_are_kept_apart(self, local: Any) -> None:
        local("sources_add", id="work", federated=True)
        one, two = say(local, "likes tea"), say(local, "rows on Sundays", source_id="work")
        with pytest.raises(InvalidParams, match="two sources"):
            local("merge_facts", keep=one, drop=two)


class TestAtOnce:
    """Two people, or two tabs, at the same moment: the second learns what the first did."""

    @staticmethod
    def both(local: Any, *moves: tuple[str, dict[str, str]]) -> list[Any]:
        start = Barrier(len(moves))

        def go(move: tuple[str, dict[str, str]]) -> Any:
            start.wait()
            try:
                return local(move[0], **move[1])
            except InvalidParams as error:
                return error

        with ThreadPoolExecutor(len(moves)) as pool:
            return list(pool.map(go, moves))

    def test_two_corrections_leave_one_claim(self, local: Any) -> None:
        for at in range(10):
            id = say(local, "lives in Lisbon", who := f"people/c{at}")
            told = self.both(local, *(("correct", {"id": id, "fact": fact}) for fact in ("in Porto", "in Braga")))
            assert len(live(local, who)) == 1
            [late] = [one for one in told if isinstance(one, InvalidParams)]
            assert "came in its place" in late.message

    def test_two_merges_the_other_way_round_lose_nothing(self, local: Any) -> None:
        for at in range(10):
            one, two = (say(local, fact, who := f"people/m{at}") for fact in ("likes tea", "rows on Sundays"))
            self.both(local, *(("merge_facts", {"keep": a, "drop": b}) for a, b in ((one, two), (two, one))))
            assert len(live(local, who)) == 1

    def test_a_merge_never_stands_on_what_was_forgotten(self, local: Any) -> None:
        for at in range(10):
            one, two = (say(local, fact, f"people/f{at}") for fact in ("likes tea", "rows on Sundays"))
            merged, _ = self.both(local, ("merge_facts", {"keep": one, "drop": two}), ("forget", {"id": one}))
            assert local("why", id=two)["state"] == ("live" if isinstance(merged, InvalidParams) else "joined")


class TestMove:
    def test_the_claim_goes_with_its_origin_and_dates(self, local: Any, clock: Any) -> None:
        id = say(local, "likes tea")
        clock.move(days=1)
        told = local("move_fact", id=id, entity=REED)
        assert (live(local), live(local, REED)) == ([], ["likes tea"])
        [row] = local("recall", entity=REED)["facts"]
        assert (row["provenance"], row["valid_from"][:10]) == ("chat", "2031-05-04")
        assert not local("move_fact", id=told["id"], entity=REED)["changed"]
        assert local("restore_fact", id=id)["ended"] == [told["id"]]
        assert (live(local), live(local, REED)) == (["likes tea"], [])

    def test_a_name_that_means_nobody_moves_nothing(self, local: Any) -> None:
        local("put_page", slug=DANA, content="# Dana Oakes\n")
        local("put_page", slug="people/dana-reed", content="# Dana Reed\n")
        id = say(local, "likes tea")
        with pytest.raises(NotFound):
            local("move_fact", id=id, entity="Dana")
        assert live(local) == ["likes tea"]


class TestConflicts:
    def test_both_sides_with_origin_and_one_move(self, local: Any) -> None:
        world, private = say(local, "lives in Lisbon"), say(local, "lives in Porto", visibility="private")
        say(local, "likes tea")
        [found] = local("conflicts")["conflicts"]
        assert [side["id"] for side in found["sides"]] == [private, world]
        assert {side["value"] for side in found["sides"]} == {"lisbon", "porto"}
        assert found["resolve"] == f"gbrain invalidate {world}"
        local("invalidate", id=world)
        assert local("conflicts") == {"conflicts": [], "next": None, "partly": []}

    def test_a_role_hides_no_employer_and_disagrees_at_one(self, local: Any) -> None:
        say(local, "works at Acme as a cook")
        say(local, "works at Globex", visibility="private")
        [found] = local("conflicts")["conflicts"]
        assert (found["attribute"], {side["value"] for side in found["sides"]}) == ("work", {"acme", "globex"})
        say(local, "works at Acme as a baker", entity=REED)
        say(local, "works at Acme as a head baker", entity=REED, visibility="private")
        assert len(local("conflicts")["conflicts"]) == 1
        say(local, "works at Acme as a driver", entity=REED, visibility="private")
        found = local("conflicts")["conflicts"][1]
        assert (found["attribute"], {side["value"] for side in found["sides"]}) == ("role", {"baker", "driver"})

    def test_a_cut_list_goes_on(self, local: Any) -> None:
        for at in range(5):
            say(local, "lives in Lisbon", f"people/p{at}")
            say(local, "lives in Porto", f"people/p{at}", visibility="private")
        first = local("conflicts", limit=2)
        rest = local("conflicts", after=first["next"], limit=50)
        slugs = [one["entity_slug"] for one in first["conflicts"] + rest["conflicts"]]
        assert slugs == [f"people/p{at}" for at in range(5)]


class TestReview:
    def test_what_was_saved_unasked_waits_until_a_person_has_seen_it(self, local: Any, remote: Any) -> None:
        say(local, "likes tea")
        one, two = (
            local("remember", fact=fact, provenance="hook:writeback, s1", entity=DANA)["id"]
            for fact in ("rows on Sundays", "owns a red boat")
        )
        waiting = [row["id"] for row in local("list_facts", unreviewed=True)["facts"]]
        assert waiting == [two, one]
        assert local("accept_facts", ids=[one, f"#{one}"])["accepted"] == 1
        assert local("accept_facts", ids=[one])["accepted"] == 0
        local("forget", id=two)
        assert local("list_facts", unreviewed=True)["facts"] == []
        assert live(local) == ["likes tea", "rows on Sundays"]

    def test_one_that_is_not_there_accepts_none(self, local: Any) -> None:
        id = local("remember", fact="rows on Sundays", provenance="hook:writeback, s1")["id"]
        with pytest.raises(NotFound):
            local("accept_facts", ids=[id, "99"])
        assert len(local("list_facts", unreviewed=True)["facts"]) == 1


def test_no_agent_may(remote: Any, local: Any) -> None:
    id = say(local, "lives in Lisbon")
    for name, arguments in (
        ("correct", {"id": id, "fact": "x y"}),
        ("invalidate", {"id": id}),
        ("restore_fact", {"id": id}),
        ("merge_facts", {"keep": id, "drop": id}),
        ("move_fact", {"id": id, "entity": REED}),
        ("conflicts", {}),
        ("accept_facts", {"ids": [id]}),
    ):
        with pytest.raises(BrainError) as refused:
            remote(name, **arguments)
        assert refused.value.code == "unknown_tool"
