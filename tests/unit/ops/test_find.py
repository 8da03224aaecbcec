"""Searching pages: names first, then words; nothing in a query is syntax."""

from typing import Any

import pytest

from gbrain import Brain, Caller, registry
from gbrain.domain.text import estimate_tokens
from gbrain.errors import InvalidParams, NotFound
from gbrain.ops.retrieval import find_pages


def slugs(caller: Any, query: str, **more: Any) -> list[str]:
    return [row["slug"] for row in caller("search", query=query, **more)]


def test_a_row_has_every_member_of_its_shape(local: Any, page: Any) -> None:
    page("people/a", "Keeps the lantern budget.\n", "title: Ann Example", "type: person", "date: 2031-03")
    row = local("search", query="lantern budget")[0]
    assert 0 < row.pop("score") < 1
    assert row == {
        "slug": "people/a",
        "page_id": 1,
        "title": "Ann Example",
        "type": "person",
        "chunk_text": "Keeps the lantern budget.",
        "chunk_source": "compiled_truth",
        "chunk_id": 4096,
        "chunk_index": 0,
        "base_score": 1.0,
        "stale": False,
        "source_id": "default",
        "effective_date": "2031-03",
        "effective_date_source": "date",
        "keyword_hit": True,
        "evidence": "keyword_exact",
        "create_safety": "probable",
        "id": "default:people/a",
    }


def test_what_is_of_the_stated_time_comes_first(local: Any, page: Any) -> None:
    for slug, day, text in (("a", "2030-05-03", "north"), ("b", "2030-06-03", "south"), ("c", "2029-06-03", "west")):
        page(slug, f"Camping by the {text} lake.\n", f"date: {day}")
    page("d", "On 3 June 2030: camping by the east lake.\n")
    page("e", "On 3 May 2030: camping by the long lake.\n")
    for number in range(12):
        page(f"other/{number}", f"Nothing of the kind, in {2010 + number}.\n")
    assert slugs(local, "camping by the lake on 3 June 2030")[:2] == ["d", "b"]
    assert set(slugs(local, "camping by the lake, 2030-06-03")[:2]) == {"d", "b"}
    assert set(slugs(local, "camping by the lake in May 2030")[:2]) == {"a", "e"}
    assert slugs(local, "camping by the lake in 2029")[0] == "c"
    parts = local("search", query="camping by the lake in 2029", explain=True)[0]["explain"]["parts"]
    assert parts["time"] > 0


def test_own_pages_come_before_what_others_said_and_types_are_mixed(local: Any, page: Any) -> None:
    page("a-clip", "The lantern of the harbour is lit at six.\n", "type: article")
    page("b-note", "The lantern of the harbour is lit at six!\n", "type: note")
    assert slugs(local, "when is the harbour lantern lit")[0] == "b-note"
    for number in range(6):
        page(f"c/{number}", f"The lantern, {number} of the harbour, is lit at six by Ann{number}.\n", "type: note")
    assert "a-clip" in slugs(local, "when is the harbour lantern lit")[:5]


UNSPACED = {
    "ja": "来週の火曜日に倉庫の鍵を交換する予定です",
    "zh": "林小满负责灯塔项目的预算审批",
    "ko": "김예시는 매주 수요일에 수영장에서 운동한다",
    "en": "The lantern budget is due on Wednesday",
}


@pytest.mark.parametrize(
    ("query", "slug"),
    [
        ("倉庫の鍵", "ja"),
        ("灯塔项目", "zh"),
        ("预算", "zh"),
        ("수영장", "ko"),
        ("lantern budget", "en"),
        ("鍵", "ja"),
        ("谁负责灯塔项目的预算？", "zh"),
        ("lanterns", "en"),
    ],
)
def test_words_inside_unspaced_text_are_found(local: Any, page: Any, query: str, slug: str) -> None:
    for name, text in UNSPACED.items():
        page(f"notes/{name}", text)
    assert slugs(local, query)[0] == f"notes/{slug}"
    assert slugs(local, "火星探测") == []


HARD = "lantern-example ran at 3 GB/s; bob-sample's (draft) plan: budget:2031"


@pytest.mark.parametrize("query", ["lantern-example", "budget:2031", "bob-sample's (draft) plan?", "GB/s"])
def test_marks_in_a_query_are_text(local: Any, page: Any, query: str) -> None:
    page("notes/a", HARD)
    assert slugs(local, query) == ["notes/a"]
    assert [row["slug"] for row in local("recall", query=query)["results"]] == ["notes/a"]


@pytest.mark.parametrize(
    "query",
    [
        'say "hi',
        "plan AND",
        "NEAR(",
        "*",
        " ",
        "",
        "a" * 10_000,
        "names: x",
        "-x",
        "{names}",
        "a OR",
        "^",
        "\\",
        "' or 1",
    ],
)
def test_no_query_raises(local: Any, page: Any, query: str) -> None:
    page("notes/a", HARD)
    found = slugs(local, query)
    assert found in ([], ["notes/a"])
    if query in ("*", " ", "", "NEAR(", "names: x"):
        assert found == []


def test_exact_names_come_first(local: Any, page: Any) -> None:
    page("notes/many", "Lantern Example lantern example lantern example.\n")
    page("projects/lantern", "Short.\n", "title: Lantern Example", "aliases: [Lamp Project]")
    page("lantern-work", "Nothing.\n")
    by_title = local("search", query="lantern example")[0]
    assert (by_title["slug"], by_title["evidence"], by_title["title_match"]) == (
        "projects/lantern",
        "exact_title_match",
        True,
    )
    by_alias = local("search", query="LAMP project")[0]
    assert (by_alias["slug"], by_alias["evidence"], by_alias["alias_hit"]) == ("projects/lantern", "alias_hit", True)
    assert by_alias["create_safety"] == "exists"
    by_slug = local("search", query="projects/lantern")[0]
    assert (by_slug["slug"], by_slug["exact_lookup"], by_slug["score"]) == ("projects/lantern", True, 1.0)


def test_a_part_of_a_name_comes_before_what_only_mentions_it(local: Any, remote: Any, page: Any) -> None:
    page("companies/corvid-optics", "Makes lenses.\n", "title: Corvid Optics")
    page("notes/kickoff", "They met at the harbour.\n", 'title: "Corvid: kickoff of the lenses"')
    page("notes/corvids", "Corvid, corvid and corvid.\n", "title: Corvidae of the north")
    page("notes/order", "Corvid called. Corvid wants a corvid order.\n", "title: An order")
    page("people/sujin-kim", "Leads.\n", "title: Sujin Kim")
    page("notes/call", "Kim, Kim and Kim.\n", "title: A call")
    assert slugs(local, "corvid")[:2] == ["companies/corvid-optics", "notes/kickoff"]
    assert set(slugs(local, "Corvid")[2:]) == {"notes/corvids", "notes/order"}
    best = local("search", query="Corvid", explain=True)[0]
    assert (best["explain"]["arm"], best["evidence"], best["create_safety"]) == ("part", "keyword_exact", "probable")
    assert best["keyword_hit"]
    assert slugs(local, "Corvid", types=["person"]) == []
    # A word of one name alone, which its title does not begin with.
    assert slugs(local, "Kim")[0] == "people/sujin-kim"
    # An exact name stays before.
    page("notes/corvid", "A bird.\n", "title: Corvid")
    assert slugs(local, "corvid")[:2] == ["notes/corvid", "companies/corvid-optics"]
    for number in range(6):
        page(f"meetings/{number}", "Coffee.\n", f"title: Meeting {number}")
    page("notes/advice", "A meeting is a meeting, and a long meeting is none.\n", "title: Advice")
    assert max(row["score"] for row in local("search", query="meeting", limit=10)) < 0.99
    page("people/hidden", "Secret.\n", "title: Zephyr Vale", "visibility: private")
    page("notes/wind", "The zephyr blows.\n")
    assert slugs(local, "zephyr")[0] == "people/hidden"
    assert slugs(remote, "zephyr") == ["notes/wind"]


def test_all_words_before_some_and_too_few_are_none(local: Any, page: Any) -> None:
    page("notes/all", "The harbour pilot keeps a lantern for the budget review.\n")
    page("notes/half", "The harbour pilot sleeps.\n")
    page("notes/one", "A pilot flies.\n")
    rows = local("search", query="harbour pilot lantern budget")
    assert [row["slug"] for row in rows] == ["notes/all", "notes/half"]
    assert [row["evidence"] for row in rows] == ["keyword_exact", "weak_semantic"]
    assert rows[0]["base_score"] >= 0.6 > rows[1]["base_score"] > 0
    assert slugs(local, "zzqx flurb") == slugs(local, "zzqx flurb pilot") == []


def test_many_words_need_half_of_them(local: Any, page: Any) -> None:
    page("notes/a", "alpha bravo charlie delta echo foxtrot golf hotel.\n")
    assert slugs(local, "alpha bravo charlie delta xone xtwo xthree xfour") == ["notes/a"]
    assert slugs(local, "alpha bravo charlie xzero xone xtwo xthree xfour") == []


def test_the_best_passage_is_shown(local: Any, page: Any) -> None:
    filler = "\n\n".join(f"Paragraph {number} is about nothing at all. " * 6 for number in range(12))
    page(
        "notes/long", f"{filler}\n\nThe lantern budget is 40k.\n\n<!-- timeline -->\n\n- **2031-03-30** | Quay built\n"
    )
    row = local("search", query="lantern budget")[0]
    assert "The lantern budget is 40k." in row["chunk_text"]
    assert row["chunk_index"] > 0
    assert row["chunk_source"] == "compiled_truth"
    dated = local("search", query="quay built")[0]
    assert (dated["chunk_source"], "Quay built" in dated["chunk_text"]) == ("timeline", True)
    short = local("search", query="lantern budget", snippet_chars=20)[0]["chunk_text"]
    assert "get_page notes/long" in short


def test_filters_limits_and_offsets(local: Any, page: Any) -> None:
    for number in range(15):
        kind = "person" if number % 5 == 0 else "note"
        page(f"n/{number:02}", "lantern\n", f"type: {kind}", f"tags: [t{number % 2}, all]")
    assert len(slugs(local, "lantern")) == len(slugs(local, "lantern", limit=0)) == 10
    assert len(slugs(local, "lantern", mode="balanced")) == 15
    every = slugs(local, "lantern", limit=100)
    assert slugs(local, "lantern", limit=4) + slugs(local, "lantern", limit=4, offset=4) == every[:8]
    assert sorted(slugs(local, "lantern", types=["person"])) == ["n/00", "n/05", "n/10"]
    assert sorted(slugs(local, "lantern", types=["person", "none"], tags=["t1", "all"])) == ["n/05"]
    assert slugs(local, "n/05", types=["person"])[0] == "n/05"
    assert "n/05" not in slugs(local, "n/05", types=["note"])
    for wrong in ({"limit": 101}, {"limit": -1}, {"offset": -1}, {"mode": "huge"}, {"types": "person"}):
        with pytest.raises(InvalidParams):
            local("search", query="lantern", **wrong)


def test_the_reply_says_what_ran_and_what_the_budget_dropped(local: Any, page: Any) -> None:
    for number in range(60):
        page(f"n/{number:02}", "lantern " * 90)
    reply = local.reply("search", query="lantern", limit=60)
    retrieval = reply.meta["retrieval"]
    used = sum(estimate_tokens(f"{row['title']} {row['chunk_text']}") for row in reply.value)
    assert retrieval["token_budget"] == {
        "budget": 4000,
        "used": used,
        "dropped": 60 - len(reply.value),
        "kept": len(reply.value),
    }
    assert used <= 4000
    assert (retrieval["returned_count"], retrieval["retrieved_count"]) == (len(reply.value), 60)
    assert retrieval["arms"] == ["exact", "keyword"]
    assert retrieval["degraded"] == [{"stage": "embed_unavailable", "reason": "off"}]
    assert [warning["code"] for warning in reply.warnings] == ["budget_dropped"]
    everything = local.reply("search", query="lantern", limit=60, mode="tokenmax")
    assert len(everything.value) == 60
    assert everything.meta["retrieval"]["token_budget"]["budget"] is None


def test_an_empty_answer_says_so(local: Any) -> None:
    assert [warning["code"] for warning in local.reply("search", query="lantern").warnings] == ["no_match"]
    assert not local.reply("search", query="  ").warnings


def test_a_remote_caller_may_only_narrow_the_mode(local: Any, remote: Any, page: Any) -> None:
    page("n/a", "lantern\n")
    local("config_set", key="search.mode", value="balanced")

    def budget(caller: Any, **more: Any) -> Any:
        return caller.reply("search", query="lantern", **more).meta["retrieval"]["token_budget"]["budget"]

    assert budget(remote) == budget(local) == 12_000
    assert budget(remote, mode="conservative") == 4_000
    assert budget(remote, mode="tokenmax") == 12_000
    assert remote.reply("search", query="lantern", mode="tokenmax").warnings[0]["code"] == "mode_narrowed"
    assert budget(local, mode="tokenmax") is None


def test_private_pages_are_never_found(local: Any, remote: Any, page: Any) -> None:
    page("people/hidden", "The MARKER lantern.\n", "visibility: private", "title: Shade Example", "aliases: [Shade]")
    for query in ("marker", "lantern", "shade example", "people/hidden", "shade"):
        assert slugs(local, query) == ["people/hidden"]
        assert slugs(remote, query) == []
        assert remote("recall", query=query)["results"] == []
    for partial in ("shade", "shad", "people/hid", "shaed exmple"):
        assert local("resolve_slugs", partial=partial) == ["people/hidden"]
        assert remote("resolve_slugs", partial=partial) == []


def test_many_private_hits_do_not_push_out_the_visible_ones(local: Any, remote: Any, page: Any) -> None:
    for number in range(70):
        page(f"hidden/{number}", "lantern lantern lantern\n", "visibility: private")
    page("notes/a", "A long text that says lantern only once, near its end, among many other words.\n")
    assert slugs(remote, "lantern") == ["notes/a"]


def test_a_page_is_found_by_tags_summary_and_new_names(local: Any, page: Any) -> None:
    page("notes/a", "Text.\n", "summary: All about anchors")
    assert slugs(local, "anchor") == ["notes/a"]
    local("delete_page", slug="notes/a")
    local("restore_page", slug="notes/a")
    assert slugs(local, "anchor") == ["notes/a"]
    page("notes/a", "Text.\n", "title: Beacon")
    assert slugs(local, "anchor") == []
    assert slugs(local, "beacon") == ["notes/a"]


def test_pages_without_text_show_what_is_known(local: Any, page: Any) -> None:
    page("people/a", "", "title: Ann Example")
    assert local("search", query="ann example")[0]["chunk_text"] == "Ann Example"


def test_fetch_takes_every_spelling_of_an_id(local: Any, remote: Any, page: Any) -> None:
    page("people/a", "Text.\n", "title: Ann", "tags: [x]")
    for id in ("people/a", "default:people/a", "gbrain://page/default/people/a", " People/A "):
        found = remote("fetch", id=id)
        assert found["id"] == "default:people/a"
        assert found["url"] == "gbrain://page/default/people/a"
        assert found["metadata"] == {
            "type": "person",
            "source_id": "default",
            "updated_at": "2031-05-04T22:10:00.000Z",
            "tags": ["x"],
            "version": 1,
        }
    assert local("put_page", slug="people/a", content=remote("fetch", id="people/a")["text"])["status"] == "skipped"
    for id in ("people/none", "other:people/a", "gbrain://page/other/people/a"):
        with pytest.raises(NotFound):
            remote("fetch", id=id)
    for id in ("", "gbrain://page/x", "default:"):
        with pytest.raises(InvalidParams):
            remote("fetch", id=id)


def test_slugs_resolve_from_parts_and_misspellings(local: Any, page: Any) -> None:
    page("people/alice-example", "A.\n", "title: Alice Example", "aliases: [Ali Baba]")
    page("companies/acme-harbour", "B.\n", "title: Acme Harbour")
    for partial in ("alice", "ali", "alice-ex", "alise exmple", "Ali Baba", "people/alice-example", "example ali"):
        assert local("resolve_slugs", partial=partial) == ["people/alice-example"]
    for partial in ("exmp", "exmp ali", "alise exm"):
        assert local("resolve_slugs", partial=partial, types=["person"]) == ["people/alice-example"]
    assert local("resolve_slugs", partial="harb") == ["companies/acme-harbour"]
    for nothing in ("", " ", "zzzz", "*", "x" * 300):
        assert local("resolve_slugs", partial=nothing) == []


def test_a_misspelt_name_of_words_that_many_bear_is_found_by_its_type(local: Any, page: Any) -> None:
    for number in range(201):
        page(f"notes/alice-log-{number}", "A.\n", f"title: Alice log {number}")
    page("people/zoe", "B.\n", "title: Zoe Alice")
    for partial in ("alise", "alise log", "alice"):
        assert local("resolve_slugs", partial=partial, types=["person"]) == ["people/zoe"]


def test_find_pages_is_what_recall_uses(brain: Brain, page: Any) -> None:
    page("people/a", "Keeps the lantern.\n", "title: Ann Example")
    ctx = registry.context(brain, Caller.local())
    found = find_pages(ctx, "lantern", 5).matches[0]
    page_found = found.page
    assert (
        page_found.slug,
        page_found.title,
        found.text,
        found.evidence,
        found.create_safety,
        page_found.source_id,
    ) == (
        "people/a",
        "Ann Example",
        "Keeps the lantern.",
        "keyword_exact",
        "probable",
        "default",
    )


COPIED = (
    "The harbour office moved to the north quay after the storm, and the pilots meet there every morning for tea.\n"
)


def test_pages_that_say_the_same_are_one_hit_which_names_the_others(local: Any, page: Any) -> None:
    for name in ("a", "b", "c"):
        page(f"copies/{name}", COPIED, f"title: Copy {name}")
    page("notes/other", "A harbour office.\n")
    rows = local("search", query="harbour office on the north quay")
    assert [row["slug"] for row in rows] == ["copies/a", "notes/other"]
    assert rows[0]["also"] == ["default:copies/b", "default:copies/c"]
    assert "also" not in rows[1]
    assert slugs(local, "Copy b")[0] == "copies/b"
    assert local("search", query="harbour office on the north quay", tags=["none"]) == []


def test_a_copy_that_may_not_be_seen_is_not_named(local: Any, remote: Any, page: Any) -> None:
    page("copies/a", COPIED)
    page("copies/b", COPIED, "visibility: private")
    assert remote("search", query="harbour office north quay")[0].get("also") is None
    assert len(local("search", query="harbour office north quay")[0]["also"]) == 1


def test_an_empty_answer_says_whether_there_was_anything(local: Any, page: Any) -> None:
    def empty(query: str, **more: Any) -> Any:
        return local.reply("search", query=query, **more).meta["retrieval"].get("empty")

    assert empty("lantern") == "nothing_to_search"
    page("notes/a", "The lantern.\n", "title: Alice Example")
    assert empty("lantern") is None
    assert empty("zebra") == "no_match"
    assert empty("lantern", types=["person"]) == "filtered"
    assert empty("lantern", offset=5) == "past_the_end"


def test_a_misspelt_name_is_suggested_and_no_hit(local: Any, remote: Any, page: Any) -> None:
    page("people/alice", "A pilot.\n", "title: Alice Example")
    page("people/hidden", "A pilot.\n", "title: Zorblax Example", "visibility: private")
    reply = local.reply("search", query="Alise Exmple")
    assert reply.value == []
    assert reply.warnings[0]["candidates"][0] == "people/alice"
    assert "people/alice" in reply.warnings[0]["suggestion"]
    assert "people/hidden" not in str(remote.reply("search", query="Zorblx").warnings)


def test_what_is_said_in_the_questions_words_answers_before_what_is_only_of_its_kind(local: Any, page: Any) -> None:
    page("companies/acme", "Makes lanterns.\n", "title: Acme", "type: company")
    page("people/ann", "Ann Lee sits on the board of [Acme](companies/acme).\n", "title: Ann Lee", "type: person")
    page("people/bo", "Boris Roe advises [Acme](companies/acme) on prices.\n", "title: Boris Roe", "type: person")
    kinds = {row["from_slug"]: row["link_type"] for row in local("get_backlinks", slug="companies/acme")}
    assert kinds == {"people/ann": "advises", "people/bo": "advises"}
    assert slugs(local, "Who advises Acme?")[:2] == ["people/bo", "people/ann"]


def test_where_no_page_answers_and_a_fact_does_that_is_said_to_whoever_may_see_it(local: Any, remote: Any) -> None:
    local("remember", fact="works at Corvid Optics", provenance="chat", entity="Ines Vale")
    local("remember", fact="keeps a heron called Archibald", provenance="chat", visibility="private")

    def told(asker: Any, query: str) -> tuple[str, str]:
        (warning,) = [one for one in asker.reply("query", query=query).warnings if one["code"] == "no_match"]
        return warning["message"], warning["suggestion"]

    for asker in (local, remote):
        message, suggestion = told(asker, "who works at Corvid Optics?")
        assert message.startswith("no page matched, but facts do")
        assert suggestion == 'ask for them: gbrain recall --query "who works at Corvid Optics?"'
    assert "but facts do" in told(local, "heron Archibald")[0]
    assert "but facts do" not in told(remote, "heron Archibald")[0]
    assert "but facts do" not in told(local, "zebra")[0]
