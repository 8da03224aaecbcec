"""Pages that are found by their dates: their own, and those of their timelines."""

from typing import Any

import pytest

from clocks import Clock
from unit.ops.conftest import Asker

JUNE = {"meetings/pilot-review", "notes/anchor", "notes/buoy", "notes/fog", "companies/acme"}
DAY = "what happened on 3 June 2030?"


@pytest.fixture
def diary(local: Asker) -> Asker:
    """Pages of several days whose texts hold no date."""
    pages = {
        "meetings/pilot-review": "---\ntype: meeting\ndate: 2030-06-03\n---\nThe pilot keeps a lantern.\n",
        "notes/anchor": "---\ndate: 2030-06-03\n---\nThe anchor was painted.\n",
        "notes/buoy": "---\ndate: 2030-06-04\n---\nThe buoy came loose.\n",
        "notes/fog": "---\ndate: 2030-06\n---\nFog for long.\n",
        "notes/ropes": "---\ndate: 2031-03-12\n---\nThe ropes were replaced.\n",
        "notes/broken": "---\ndate: 2031-04-23\n---\nA crane broke.\n",
        "notes/undated": "Nobody knows when the bell rang.\n",
        "companies/acme": "Acme builds cranes.\n",
    }
    for slug, content in pages.items():
        local("put_page", slug=slug, content=content)
    local("add_timeline_entry", slug="companies/acme", date="2030-06-03", summary="Acme bought the quay")
    return local


def slugs(asker: Asker, query: str, **more: Any) -> list[str]:
    return [row["slug"] for row in asker("search", query=query, **more)]


@pytest.mark.parametrize("query", [DAY, "2030-06-03", "June 3rd, 2030"])
def test_a_day_finds_its_pages_and_no_others(diary: Asker, query: str) -> None:
    reply = diary.reply("search", query=query)
    assert {row["slug"] for row in reply.value} == {"meetings/pilot-review", "notes/anchor", "companies/acme"}
    assert {row["evidence"] for row in reply.value} == {"date_match"}
    assert {row["create_safety"] for row in reply.value} == {"unknown"}
    assert "date" in reply.meta["retrieval"]["arms"]


def test_an_entry_is_the_passage_and_its_page_the_hit(diary: Asker) -> None:
    row = next(row for row in diary("search", query=DAY, explain=True) if row["slug"] == "companies/acme")
    assert (row["chunk_text"], row["chunk_source"]) == ("2030-06-03: Acme bought the quay", "timeline")
    assert row["explain"]["arm"] == "date"
    assert row["explain"]["why"].startswith("the page, or an entry of its timeline, is of the time")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("in March", {"notes/ropes"}),
        ("what did we do last week?", {"notes/broken"}),
        ("what happened in June 2030?", JUNE),
        ("last summer", JUNE),
        ("what happened this spring?", {"notes/ropes", "notes/broken"}),
        ("news since March 2031", {"notes/ropes", "notes/broken"}),
        ("between 4 June 2030 and March 2031", {"notes/buoy", "notes/ropes"}),
        ("去年夏天发生了什么？", JUNE),
        ("before 2030", set()),
        ("what happened in May 1999?", set()),
    ],
)  # fmt: skip
def test_a_stretch_finds_the_pages_in_it(diary: Asker, query: str, found: set[str]) -> None:
    assert set(slugs(diary, query)) == found


def test_the_clock_of_the_call_decides(diary: Asker, clock: Clock) -> None:
    assert slugs(diary, "last month") == ["notes/broken"]
    clock.set("2030-07-09T08:00:00Z")
    assert "notes/buoy" in slugs(diary, "last month")
    assert "notes/broken" not in slugs(diary, "last month")


def test_the_kind_that_is_asked_for_comes_first(diary: Asker) -> None:
    assert slugs(diary, "meetings of 2030-06-03")[0] == "meetings/pilot-review"
    assert slugs(diary, "meetings of June 2030")[0] == "meetings/pilot-review"


def test_words_beside_a_date_still_decide(diary: Asker) -> None:
    diary(
        "put_page", slug="notes/crane", content="---\ndate: 2029-01-01\n---\nThe crane of the north quay is yellow.\n"
    )
    found = slugs(diary, "which crane is yellow, last week?")
    assert set(found) == {"notes/crane", "notes/broken"}
    assert slugs(diary, "lantern 3 June 2030")[0] == "meetings/pilot-review"


def test_what_says_the_date_in_its_text_is_found_too(diary: Asker) -> None:
    diary("put_page", slug="notes/said", content="On 3 June 2030 the harbour froze.\n")
    assert "notes/said" in slugs(diary, DAY)


@pytest.mark.parametrize("query", ["May Chen", "spring framework", "March of Dimes", "summer intern"])
def test_a_name_is_no_date(diary: Asker, query: str) -> None:
    reply = diary.reply("search", query=query)
    assert reply.value == []
    assert "date" not in reply.meta["retrieval"]["arms"]


def test_filters_and_walls_hold(diary: Asker, remote: Asker) -> None:
    diary("put_page", slug="notes/hidden", content="---\ndate: 2030-06-03\nvisibility: private\n---\nA secret lamp.\n")
    diary("put_page", slug="notes/gone", content="---\ndate: 2030-06-03\n---\nGone.\n")
    diary("delete_page", slug="notes/gone")
    assert "notes/hidden" in slugs(diary, DAY)
    assert set(slugs(remote, DAY)) == {"meetings/pilot-review", "notes/anchor", "companies/acme"}
    assert slugs(diary, DAY, types=["meeting"]) == ["meetings/pilot-review"]
    assert slugs(diary, DAY, until="2029") == []


def test_a_missing_page_is_told_about_its_date(diary: Asker) -> None:
    told = diary("search_diagnose", query=DAY, target="notes/anchor")
    stages = {stage["stage"]: stage for stage in told["stages"]}
    assert stages["arm date"]["outcome"] == "passed"
    assert "its own date, 2030-06-03" in stages["arm date"]["says"]
    told = diary("search_diagnose", query=DAY, target="notes/buoy")
    assert {stage["stage"]: stage["outcome"] for stage in told["stages"]}["arm date"] == "noted"


def test_query_trusts_a_page_of_the_time(diary: Asker) -> None:
    assert diary.reply("query", query=DAY).meta["crag"]["confidence"] == "strong"
