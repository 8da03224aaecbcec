"""The story of a fact: the person here reads all of it, an agent what it may see."""

import json
import os
from typing import Any

from gbrain import Brain
from gbrain.ambient import bank

DANA = "people/dana-oakes"


def say(ask: Any, fact: str, **more: Any) -> str:
    id: str = ask("remember", fact=fact, provenance="chat, 2031-05-04", entity=DANA, **more)["id"]
    return id


def test_from_first_claim_to_last(local: Any, remote: Any, clock: Any) -> None:
    first = say(remote, "lives in Lisbon")
    clock.move(days=1)
    second = say(remote, "lives in Porto")
    clock.move(days=1)
    third = local("correct", id=second, fact="lives in Braga", reason="misheard")["id"]
    told = local("why", id=f"#{third}")
    assert [(one["fact"], one["ended_as"]) for one in told["replaced"]] == [
        ("lives in Lisbon", "replaced"),
        ("lives in Porto", "replaced"),
    ]
    assert [one["until"][:10] for one in told["replaced"]] == ["2031-05-05", "2031-05-06"]
    assert (told["state"], told["made_by"], told["saved_by"], told["replaced_by"]) == ("live", "verbatim", "local", [])
    assert [one["id"] for one in local("why", id=first)["replaced_by"]] == [second, third]
    assert local("why", id=first)["saved_by"] == "agent-example"


def test_who_has_read_it_is_counted(local: Any, remote: Any) -> None:
    id, other = say(local, "likes tea"), say(local, "rows on Sundays")
    local("forget", id=other)
    remote("recall", entity=DANA)
    remote("recall", entity=DANA)
    local("recall", entity=DANA)
    read = {one["client"]: one["times"] for one in local("why", id=id)["read_by"]}
    assert read == {"agent-example": 2, "local": 1}
    assert local("why", id=other)["read_by"] == []
    assert remote("why", id=id)["read_by"] == []


def test_the_consent_and_the_turn_are_for_the_person_here(brain: Brain, local: Any, remote: Any) -> None:
    local("config_set", key="memory.auto_writeback", value="all")
    id = say(local, "likes tea")
    given = local("consents")["consents"][0]
    folder = bank.folder(brain.home)
    os.makedirs(folder)
    session = "s-1"
    brain.store.engine.rows("update facts set session = :s where id = :id", {"s": session, "id": int(id)})
    name = bank.name(session, "0" * 24, None)
    with open(os.path.join(folder, name), "w") as file:
        file.write("I like tea a lot\n")
    with open(os.path.join(folder, name + bank.INGESTED), "w") as file:
        json.dump({"facts": [int(id)]}, file)
    told = local("why", id=id)
    assert (told["consent"]["id"], told["consent"]["mode"]) == (given["consent"], "all")
    assert (told["turn"]["text"], told["turn"]["file"]) == ("I like tea a lot", os.path.join(folder, name))
    seen = remote("why", id=id)
    assert (seen["consent"], seen["turn"], seen["saved_by"], seen["provenance"]) == (
        None,
        None,
        None,
        "chat, 2031-05-04",
    )


def test_a_story_ends_before_what_a_reader_may_not_see(local: Any, remote: Any) -> None:
    private = say(local, "lives in Lisbon", visibility="private")
    world = say(local, "likes tea")
    local("merge_facts", keep=world, drop=private)
    assert [one["id"] for one in local("why", id=world)["replaced"]] == [private]
    assert remote("why", id=world)["replaced"] == []


def test_nothing_tells_of_a_fact_that_came_in_its_place_and_is_private(local: Any, remote: Any) -> None:
    first = say(local, "rows on Sundays")
    id = local("correct", id=first, fact="rows on Mondays")["id"]
    local("put_page", slug="people/reed-sample", content="---\nvisibility: private\n---\n# Reed Sample\n")
    moved = local("move_fact", id=id, entity="people/reed-sample", reason="is Reed")
    assert local("why", id=id)["state"] == "replaced"
    told = remote("why", id=id)
    assert (told["state"], told["note"], told["replaced_by"]) == ("forgotten", None, [])
    [after] = remote("why", id=first)["replaced_by"]
    assert (after["ended_as"], after["reason"]) == ("forgotten", None)
    assert "Reed" not in str(remote("why", id=first))
    assert [one["id"] for one in local("why", id=id)["replaced_by"]] == [moved["id"]]


def test_with_a_query_it_tells_the_place_in_recall(local: Any, remote: Any) -> None:
    tea, rows, old = say(local, "drinks green tea"), say(local, "rows on Sundays"), say(local, "drinks tea with milk")
    local("forget", id=old)
    say(local, "drinks secret tea", visibility="private")
    query = "who drinks green tea"
    given = [str(one["id"]) for one in local("recall", query=query)["facts"]]
    for id in (tea, rows, old):
        told = local("why", id=id, query=query)["recall"]
        assert told["rank"] == (given.index(id) + 1 if id in given else None)
        assert told["of"] == len(given)
    assert (
        "too few of the query's words" in local("why", id=rows, query="who drinks green tea in Porto")["recall"]["says"]
    )
    assert "it is forgotten" in local("why", id=old, query=query)["recall"]["says"]
    assert local("why", id=tea)["recall"] is None
    # An agent's place counts what it may see, and nothing else.
    assert (local("why", id=tea, query=query)["recall"]["of"], remote("why", id=tea, query=query)["recall"]["of"]) == (
        2,
        1,
    )
