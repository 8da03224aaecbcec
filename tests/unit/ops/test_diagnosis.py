"""Why a page was found, or was not: the explanation of a hit, and one page traced through a search."""

from typing import Any

import pytest

from gbrain.errors import NotFound


@pytest.fixture
def harbour(page: Any) -> None:
    page("notes/all", "The harbour pilot keeps a lantern for the budget review.\n", "tags: [water]")
    page("notes/half", "The harbour pilot sleeps.\n", "type: meeting")
    page("notes/one", "A pilot flies.\n", "title: The flight")


def trace(caller: Any, query: str, target: str, **more: Any) -> Any:
    return caller("search_diagnose", query=query, target=target, **more)


def outcome(traced: Any) -> dict[str, str]:
    return {row["stage"]: row["outcome"] for row in traced["stages"]}


def test_a_hit_says_why_it_was_found(local: Any, harbour: Any) -> None:
    first, second = local("search", query="harbour pilot lantern budget", explain=True)
    why = first["explain"]
    assert (why["arm"], why["ranks"]["keyword"], why["share"]) == ("all_words", 1, 1.0)
    assert why["parts"]["unit"] > second["explain"]["parts"]["unit"] > 0
    assert "every word" in why["why"]
    assert "explain" not in local("search", query="harbour")[0]
    named = local("query", query="The flight", explain=True)[0]["explain"]
    assert (named["arm"], named["parts"]) == ("title", {})
    assert "title" in named["why"]


def test_a_page_that_is_returned_is_traced_to_its_place(local: Any, harbour: Any) -> None:
    told = trace(local, "harbour pilot lantern budget", "notes/half")
    assert (told["returned"], told["rank"]) == (True, 2)
    assert outcome(told)["arm keyword"] == outcome(told)["limit"] == outcome(told)["budget"] == "passed"
    assert [word["word"] for word in told["words"] if word["in_page"]] == ["harbour", "pilot"]
    rows = local("search", query="harbour pilot lantern budget", explain=True)
    assert told["explain"] == rows[1]["explain"]


@pytest.mark.parametrize(
    ("query", "target", "more", "stage"),
    [
        ("zebra kettle harbour quay sock drum", "notes/one", {}, "answers"),
        ("harbour", "notes/all", {"types": ["meeting"]}, "filter"),
        ("harbour", "notes/half", {"tags": ["water"]}, "filter"),
        ("harbour pilot lantern budget", "notes/half", {"limit": 1}, "limit"),
    ],
)
def test_it_says_where_a_page_falls_out(
    local: Any, harbour: Any, query: str, target: str, more: Any, stage: str
) -> None:
    told = trace(local, query, target, **more)
    assert told["returned"] is False
    assert outcome(told)[stage] == "failed"
    assert told["verdict"].startswith("not returned: ")
    assert target not in [row["slug"] for row in local("search", query=query, **more)]


def test_the_budget_is_a_stage(local: Any, page: Any) -> None:
    for number in range(30):
        page(f"long/{number:02}", f"harbour {number} " + "and the long quay with its boats " * 40 + "\n")
    rows = local("search", query="harbour", limit=30)
    assert len(rows) < 30
    every = [
        told for number in range(30) if not (told := trace(local, "harbour", f"long/{number:02}", limit=30))["returned"]
    ]
    assert len(every) == 30 - len(rows)
    assert {outcome(told)["budget"] for told in every} == {"failed"}


def test_an_empty_question_is_told(local: Any, harbour: Any) -> None:
    for query in ("", "???", "\u0007"):
        told = trace(local, query, "notes/one")
        assert (told["returned"], told["words"]) == (False, [])


def test_a_page_that_may_not_be_seen_is_not_found(local: Any, remote: Any, page: Any) -> None:
    page("notes/secret", "The zebra sleeps.\n", "visibility: private")
    with pytest.raises(NotFound) as hidden:
        trace(remote, "zebra", "notes/secret")
    with pytest.raises(NotFound) as missing:
        trace(remote, "zebra", "notes/secrex")
    assert hidden.value.message.replace("secret", "secrex") == missing.value.message
    assert hidden.value.suggestion == missing.value.suggestion
    assert trace(local, "zebra", "notes/secret")["rank"] == 1


def test_a_deleted_page_is_told_as_deleted(local: Any, harbour: Any) -> None:
    local("delete_page", slug="notes/one")
    with pytest.raises(NotFound, match="was deleted"):
        trace(local, "pilot", "notes/one")
