"""Chunks of stored pages: what changes when a page does, and who finds them."""

from collections.abc import Callable
from typing import Any

import pytest

from gbrain.store.store import Store
from gbrain.store.terms import any_of
from gbrain.types import PageFilter, View, Written

SENTENCE = "The harbour board met on Tuesday and put the survey of the eastern pier off again. "
LONG = f"## Past\n\n{SENTENCE * 8}\n\n## Plans\n\nA new crane. {SENTENCE * 6}\n\n## Money\n\n{SENTENCE * 8}\n"

Put = Callable[..., Written]


def cut(store: Store, view: View, *pages: int) -> list[tuple[int, str, str]]:
    return [(chunk.ordinal, chunk.heading, chunk.text[:8]) for chunk in store.chunks.of_pages(view, pages)]


def ids(store: Store, view: View, *pages: int) -> list[int]:
    return [chunk.id for chunk in store.chunks.of_pages(view, pages)]


def found(store: Store, view: View, words: str, **more: Any) -> list[tuple[int, int]]:
    return [(hit.page_id, hit.ordinal) for hit in store.chunks.search(view, any_of(words), 10, **more)]


class TestPut:
    def test_a_page_is_cut_where_its_text_says(self, store: Store, local: View, put: Put) -> None:
        page = put("pier", LONG).page_id
        assert cut(store, local, page) == [(0, "Past", "## Past\n"), (1, "Plans", "## Plans"), (2, "Money", "## Money")]
        assert store.chunks.of_pages(local, [page])[1].text.startswith("## Plans\n\nA new crane. The harbour")

    def test_only_what_changed_is_made_anew(self, store: Store, local: View, put: Put) -> None:
        page = put("pier", LONG).page_id
        past, plans, money = ids(store, local, page)
        put("pier", LONG.replace("A new crane", "Sixty-two new cranes") + f"\n## Later\n\n{SENTENCE * 7}")
        same, changed, moved, later = ids(store, local, page)
        assert (same, moved) == (past, money)
        assert {changed, later}.isdisjoint((past, plans, money))
        assert cut(store, local, page)[2:] == [(2, "Money", "## Money"), (3, "Later", "## Later")]
        assert found(store, local, "cranes") == [(page, 1)]
        assert [waiting.id for waiting in store.vectors.waiting("page", None, 10)] == sorted(
            (past, money, changed, later)
        )

    def test_two_chunks_of_the_same_words_are_two(self, store: Store, local: View, put: Put) -> None:
        page = put("pier", f"{SENTENCE * 12}\n\n{SENTENCE * 12}").page_id
        first, second = ids(store, local, page)
        put("pier", f"{'Another beginning. ' * 30}\n\n{SENTENCE * 12}\n\n{SENTENCE * 12}")
        assert {first, second} < set(ids(store, local, page))

    def test_another_name_or_reader_makes_all_of_them_anew(self, store: Store, local: View, put: Put) -> None:
        page = put("pier", LONG).page_id
        for change in ({"title": "Pier"}, {"title": "Pier", "aliases": ("jetty",)}, {"title": "Pier", "private": True}):
            before = ids(store, local, page)
            put("pier", LONG, **change)
            assert set(before).isdisjoint(ids(store, local, page))

    def test_a_page_without_text_is_one_chunk(self, store: Store, local: View, put: Put) -> None:
        page = put("pier", "", title="Eastern pier").page_id
        assert cut(store, local, page) == [(0, "", "")]
        assert found(store, local, "eastern") == [(page, 0)]

    def test_deleted_and_brought_back(self, store: Store, local: View, put: Put) -> None:
        page = put("pier", LONG).page_id
        store.pages.set_deleted(local, "pier", deleted=True, by="tester")
        assert found(store, local, "crane") == ids(store, local, page) == []
        assert store.vectors.waiting("page", None, 10) == []
        store.pages.set_deleted(local, "pier", deleted=False, by="tester")
        assert found(store, local, "crane") == [(page, 1)]
        assert len(store.vectors.waiting("page", None, 10)) == 3

    def test_facts_of_a_fence_are_in_no_chunk(self, store: Store, local: View, put: Put) -> None:
        fence = "<!--- gbrain:facts:begin -->\n| zebra | row |\n<!--- gbrain:facts:end -->\n"
        put("pier", f"Above.\n\n{fence}\nBelow.\n")
        assert found(store, local, "zebra") == []
        assert "zebra" not in str(store.chunks.texts(range(1, 9)))


class TestSearch:
    def test_a_chunk_is_found_by_its_words_headings_and_names(self, store: Store, local: View, put: Put) -> None:
        page = put("docks/pier", LONG, title="Eastern landing", aliases=("jetty",)).page_id
        put("other", SENTENCE * 8)
        assert found(store, local, "crane") == [(page, 1)]
        assert found(store, local, "plans") == [(page, 1)]
        assert set(found(store, local, "landing jetty")) == {(page, 0), (page, 1), (page, 2)}

    def test_types_and_tags(self, store: Store, local: View, put: Put) -> None:
        one = put("one", "crane", type="place", tags=("harbour", "old")).page_id
        two = put("two", "crane", type="note", tags=("harbour",)).page_id
        assert found(store, local, "crane", only=PageFilter(("place",))) == [(one, 0)]
        assert found(store, local, "crane", only=PageFilter(tags=("harbour", "old"))) == [(one, 0)]
        assert {page for page, _ in found(store, local, "crane", only=PageFilter(tags=("harbour",)))} == {one, two}

    @pytest.mark.parametrize(
        ("since", "until", "wanted"),
        [
            ("2031-05-02", None, "day month moment year timeline"),
            ("2031-05-03", "2031-05-03", "day month year"),
            (None, "2031-05-02", "month old year"),
            (None, "2031-05", "day month moment old year timeline"),
            ("2031-06-01", "2031-06-30", "year timeline"),
            ("2032", None, ""),
            (None, "2029", ""),
        ],
    )
    def test_a_period_holds_dates_of_any_precision(
        self, store: Store, local: View, put: Put, clock: Any, since: str | None, until: str | None, wanted: str
    ) -> None:
        dates = {"year": "2031", "month": "2031-05", "day": "2031-05-03", "moment": "2031-05-31T23:00:00.000000Z"}
        slugs = {put(name, "crane", effective_date=date).page_id: name for name, date in dates.items()}
        old = put("old", "crane", effective_date="2030-01-01").page_id
        dated = put("timeline", "crane", effective_date=None).page_id
        slugs |= {old: "old", dated: "timeline"}
        for day in ("2031-05-31", "2031-06-30"):
            store.timeline.add("default", dated, day, "the crane stood", None, None, clock.text)
        only = PageFilter(since=since, until=until)
        assert sorted(slugs[page] for page, _ in found(store, local, "crane", only=only)) == sorted(wanted.split())
        assert {slugs[page] for page in store.pages.fitting(local, list(slugs), only)} == set(wanted.split())

    def test_nobody_finds_what_they_may_not_see(
        self, store: Store, local: View, remote: View, view: Callable[..., View], put: Put
    ) -> None:
        secret = put("secret", "crane", private=True).page_id
        put("lapsed", "crane", expiry="2031-01-01T00:00:00.000000Z")
        elsewhere = put("elsewhere", "crane", source="other").page_id
        assert found(store, local, "crane") == [(secret, 0)]
        assert found(store, remote, "crane") == []
        assert found(store, view("other", private=False), "crane") == [(elsewhere, 0)]
        hidden = ids(store, local, secret)
        assert store.chunks.by_ids(remote, hidden) == store.chunks.of_pages(remote, [secret]) == []
        assert [chunk.id for chunk in store.chunks.by_ids(local, hidden)] == hidden
        assert (store.chunks.count(remote), store.chunks.count(local)) == (0, 1)

    def test_a_caller_bound_to_slugs(self, store: Store, remote: View, put: Put) -> None:
        mine = put("mine", "crane").page_id
        put("theirs", "crane")
        assert found(store, remote._replace(slugs=("mine",)), "crane") == [(mine, 0)]


def test_a_model_reads_title_headings_and_words(store: Store, local: View, put: Put) -> None:
    page = put("pier", LONG, title="Eastern pier").page_id
    _, plans, _ = ids(store, local, page)
    assert store.chunks.texts([plans, 999]) == {
        plans: (f"Eastern pier\nPlans\nPlans\n\nA new crane. {(SENTENCE * 6).strip()}",)
    }


TALK = [f"{'Dana' if n % 2 else 'Ben'} (4 May 2031): Number {n}." for n in range(8)]


def test_it_reads_a_turn_and_then_the_turns_around_it(store: Store, local: View, put: Put) -> None:
    page = put("talk", "\n\n".join(TALK)).page_id
    turns = ids(store, local, page)
    spoken = [f"{'Dana' if n % 2 else 'Ben'}: Number {n}." for n in range(8)]
    read = store.chunks.texts(turns)
    assert read[turns[1]] == ("Dana: Number 1.", "\n".join(spoken[:3]))
    assert read[turns[4]] == ("Ben: Number 4.", "\n".join(spoken[2:6]))
    assert read[turns[7]] == ("Dana: Number 7.", "\n".join(spoken[5:]))


def test_turns_that_are_read_together_await_new_vectors_together(store: Store, local: View, put: Put) -> None:
    page = put("talk", "\n\n".join(TALK)).page_id
    before = ids(store, local, page)
    put("talk", "\n\n".join([*TALK, "Dana (4 May 2031): Number 8."]))
    after = ids(store, local, page)
    assert after[:6] == before[:6]
    assert set(after[6:]).isdisjoint(before)


def test_it_reads_whom_a_fact_is_about(store: Store, say: Callable[..., int]) -> None:
    named = say("prefers green tea", "Dana Oakes")
    told = say("Dana Oakes prefers green tea", "Dana Oakes")
    about = say("the ferry is late")
    assert store.facts.texts([named, told, about]) == {
        named: ("Dana Oakes: prefers green tea",),
        told: ("Dana Oakes prefers green tea",),
        about: ("the ferry is late",),
    }


@pytest.mark.parametrize(
    "text", ["中文" * 900, "a" * 5_000, "| a |\n" * 900, "\r\n" * 20, "🏮" * 2_000, "e\u0301" * 900]
)
def test_offsets_are_those_of_the_text(store: Store, local: View, put: Put, text: str) -> None:
    page = put("odd", f"Before.\n\n{text}\n\nAfter.\n").page_id
    joined = "".join(chunk.text for chunk in store.chunks.of_pages(local, [page]))
    assert "".join(joined.split()) == "".join(f"Before.{text}After.".split())
