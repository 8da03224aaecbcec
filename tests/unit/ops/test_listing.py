"""Facts as a person looks through them."""

from typing import Any

import pytest

from gbrain.errors import BrainError

DANA, REED = "people/dana-oakes", "people/reed-sample"


def say(ask: Any, fact: str, entity: str = DANA, **more: Any) -> str:
    id: str = ask("remember", fact=fact, entity=entity, **{"provenance": "chat", **more})["id"]
    return id


def texts(local: Any, **wanted: Any) -> list[str]:
    return [one["fact"] for one in local("list_facts", **wanted)["facts"]]


@pytest.fixture
def filled(local: Any, remote: Any, clock: Any) -> Any:
    say(local, "lives in Lisbon")
    say(local, "lives in Porto")
    say(remote, "likes 100% oat_milk", REED, kind="preference", provenance="hook:writeback, s1")
    local("forget", id=say(local, "collects stamps", visibility="private"))
    say(local, "is away", ttl="1d", visibility="private")
    clock.move(days=2)
    return local


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, ["likes 100% oat_milk", "lives in Porto"]),
        ({"state": "all"}, ["is away", "collects stamps", "likes 100% oat_milk", "lives in Porto", "lives in Lisbon"]),
        ({"state": "lapsed"}, ["is away"]),
        ({"state": "forgotten"}, ["collects stamps"]),
        ({"state": "replaced"}, ["lives in Lisbon"]),
        ({"entity": REED}, ["likes 100% oat_milk"]),
        ({"kind": "preference"}, ["likes 100% oat_milk"]),
        ({"origin": "HOOK:"}, ["likes 100% oat_milk"]),
        ({"saved_by": "agent-example"}, ["likes 100% oat_milk"]),
        ({"visibility": "private", "state": "all"}, ["is away", "collects stamps"]),
        ({"words": "100% OAT_"}, ["likes 100% oat_milk"]),
        ({"words": "100_"}, []),
        ({"words": "%", "state": "all"}, ["likes 100% oat_milk"]),
        ({"words": "porto", "entity": REED}, []),
    ],
)
def test_what_a_list_wants(filled: Any, wanted: dict[str, Any], found: list[str]) -> None:
    assert texts(filled, **wanted) == found
    assert {one["state"] for one in filled("list_facts", **wanted)["facts"]} <= {wanted.get("state", "live")} or (
        wanted.get("state") == "all"
    )


def test_a_list_goes_on_to_its_end(local: Any) -> None:
    facts = [f"knows the word {word}" for word in ("alder", "birch", "cedar", "dogwood", "elder")]
    for fact in facts:
        say(local, fact)
    seen: list[str] = []
    before = None
    while True:
        reply = local("list_facts", limit=2, **({"before": before} if before else {}))
        seen += [one["fact"] for one in reply["facts"]]
        before = reply["next"]
        if before is None:
            break
    assert seen == facts[::-1]


def test_by_consent(local: Any, remote: Any) -> None:
    say(local, "lives in Lisbon")
    local("config_set", key="memory.auto_writeback", value="all")
    say(remote, "likes tea")
    consent = local("consents")["consents"][0]["consent"]
    assert texts(local, consent=consent) == ["likes tea"]
    assert texts(local, consent="ffffffff") == []


def test_no_agent_may(remote: Any) -> None:
    with pytest.raises(BrainError) as refused:
        remote("list_facts")
    assert refused.value.code == "unknown_tool"


def test_what_was_told_of_a_page_by_its_name_in_another_source_is_listed_with_it(local: Any) -> None:
    local("sources_add", id="notes", federated=True)
    local("put_page", slug=DANA, content="---\ntitle: Dana Oakes\n---\n\nRows.\n", source_id="notes")
    say(local, "lives in Porto", "Dana Oakes")
    local("put_page", slug="people/reed", content="---\ntitle: Reed\n---\n\nSails.\n")
    say(local, "is somebody else", "people/reed")
    say(local, "rows at dawn", DANA, source_id="notes")
    about = local("list_facts", entity=f"notes:{DANA}")["facts"]
    assert [one["fact"] for one in about] == ["rows at dawn", "lives in Porto"]
    assert texts(local, entity="dana-oakes") == ["lives in Porto"]
