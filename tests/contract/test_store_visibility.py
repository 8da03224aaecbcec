"""Who may see what: every combination of source, visibility, time and reader, against the rule said in Python."""

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import pytest

from finding import found_pages
from gbrain.store import visibility
from gbrain.store.engine import Match, Terms
from gbrain.store.fact_filter import Filter
from gbrain.store.facts import NewFact
from gbrain.store.store import Store
from gbrain.types import View, Written

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY = (f"2031-05-0{day}T00:00:00.000000Z" for day in range(5, 10))
NEVER = "2030-01-01T00:00:00.000000Z"


class Saved(NamedTuple):
    """A fact of the grid, as the test means it."""

    id: int
    source: str
    visibility: str
    created: str
    until: str | None
    ended: str | None

    def holds(self, view: View) -> bool:
        """The rule: granted, readable, begun, neither ended nor lapsed; without `as_of` only what holds now counts."""
        moment = view.as_of or view.now
        if self.source not in view.sources or (self.visibility == "private" and not view.private):
            return False
        if view.as_of is None:
            return self.ended is None and (self.until is None or self.until > moment)
        begun = self.created <= moment
        return begun and all(end is None or end > moment for end in (self.ended, self.until))

    def readable(self, view: View) -> bool:
        """The rule for history: the same, however it ended."""
        granted = self.source in view.sources and (view.private or self.visibility == "world")
        return granted and (view.as_of is None or self.created <= view.as_of)


VIEWS = [
    View(sources, private, now, as_of)
    for sources, private, now, as_of in product(
        [("default",), ("other",), ("default", "other"), ()],
        [True, False],
        [WEDNESDAY, THURSDAY],
        [None, NEVER, MONDAY, TUESDAY, WEDNESDAY, FRIDAY],
    )
]


@pytest.fixture
def grid(store: Store, claim: Callable[..., NewFact]) -> list[Saved]:
    """A fact of every sort, saved on Monday or Wednesday."""
    made = []
    with store.transaction():
        for source, seen, created, until, ended in product(
            ["default", "other"], ["world", "private"], [MONDAY, WEDNESDAY], [None, TUESDAY, THURSDAY], [None, TUESDAY]
        ):
            if ended is not None and ended < created:
                continue
            new = claim(
                f"lantern {source} {seen} {created} {until} {ended}",
                "Dana Oakes",
                source_id=source,
                visibility=seen,
                valid_from=created,
                valid_until=until,
                session="s1",
            )
            id = store.facts.insert(new, created)
            if ended is not None:
                assert store.facts.expire(View((source,), True, ended), id, None)
            made.append(Saved(id, source, seen, created, until, ended))
    return made


class TestFacts:
    def test_every_read_follows_the_rule(self, store: Store, grid: list[Saved]) -> None:
        facts = store.facts
        lantern = Match(should=(Terms(("lantern",), "body"),))
        for view in VIEWS:
            expected = {fact.id for fact in grid if fact.holds(view)}
            reads = {
                "select": facts.select(view, Filter(), 100),
                "by entity": facts.select(view, Filter(entity_keys=("dana-oakes",)), 100),
                "by session": facts.select(view, Filter(session="s1"), 100),
                "search": [fact for fact, _ in facts.search(view, lantern, Filter(), 100)],
                "get": [found for fact in grid if (found := facts.get(view, fact.id, live=True)) is not None],
                "after_id": facts.after_id(view, 0, 100),
                "after_time": facts.after_time(view, NEVER, 100),
                "recent": facts.recent(view, NEVER, None, 100),
                "recent of a session": facts.recent(view, NEVER, "s1", 100),
            }
            for name, found in reads.items():
                assert {fact.id for fact in found} == expected, (name, view)
                assert len(found) == len(expected), (name, view)
            assert facts.count(view, Filter(("dana-oakes",)), 100) == len(expected), view

    def test_history_follows_the_rule(self, store: Store, grid: list[Saved]) -> None:
        facts = store.facts
        lantern = Match(should=(Terms(("lantern",), "body"),))
        for view in VIEWS:
            expected = {fact.id for fact in grid if fact.readable(view)}
            reads = {
                "select": facts.select(view, Filter(live=False), 100),
                "search": [fact for fact, _ in facts.search(view, lantern, Filter(live=False), 100)],
                "get": [found for fact in grid if (found := facts.get(view, fact.id)) is not None],
            }
            for name, found in reads.items():
                assert {fact.id for fact in found} == expected, (name, view)

    def test_counts_follow_the_rule(self, store: Store, grid: list[Saved]) -> None:
        for view in VIEWS:
            totals = store.facts.totals(view)
            assert totals["total"] == sum(fact.readable(view) for fact in grid), view
            assert totals["active"] == sum(fact.holds(view) for fact in grid), view


class TestNearFacts:
    """What takes part when a claim is compared: nothing its speaker may not see, nothing less or more visible."""

    @pytest.mark.parametrize("private", [True, False])
    @pytest.mark.parametrize("spoken", ["world", "private"])
    def test_only_what_may_be_seen_and_is_as_visible(
        self, store: Store, grid: list[Saved], claim: Callable[..., NewFact], private: bool, spoken: str
    ) -> None:
        view = View(("default",), private, WEDNESDAY)
        new = claim("lantern default", "Dana Oakes", visibility=spoken)
        expected = {
            fact.id for fact in grid if fact.holds(view) and fact.source == "default" and fact.visibility == spoken
        }
        assert {fact.id for fact in store.facts.near(view, new)} == expected
        assert {fact.id for fact in store.facts.newer(view, new, 0)} == expected

    def test_the_same_text_is_found_only_as_visible_as_it_is_said(
        self, store: Store, grid: list[Saved], claim: Callable[..., NewFact]
    ) -> None:
        for fact in grid:
            text = f"lantern {fact.source} {fact.visibility} {fact.created} {fact.until} {fact.ended}"
            for private, seen, source in product([True, False], ["world", "private"], ["default", "other"]):
                view = View((source,), private, WEDNESDAY)
                new = claim(text, "Dana Oakes", visibility=seen, source_id=source)
                found = store.facts.same(view, new)
                wanted = fact.holds(view) and fact.visibility == seen and fact.source == source
                assert (found is not None and found.id == fact.id) == wanted


PAGES = [
    ("open", {}),
    ("private", {"private": True}),
    ("deleted", {}),
    ("private-deleted", {"private": True}),
    ("expired", {"expiry": TUESDAY}),
    ("ends-now", {"expiry": WEDNESDAY}),
    ("ends-later", {"expiry": THURSDAY}),
    ("private-expired", {"private": True, "expiry": TUESDAY}),
]
SEEN = {"open", "ends-later"}


class TestPages:
    @pytest.fixture
    def pages(self, store: Store, put: Callable[..., Written], view: Callable[..., View]) -> dict[tuple[str, str], int]:
        """A page of every sort in two sources, each linked from and to the page `hub` of its source."""
        made = {}
        for source in ("default", "other"):
            hub = put("hub", source=source).page_id
            for name, fields in PAGES:
                written = put(f"lanterns/{name}", "A lantern.", title=f"Lantern {name}", source=source, **fields)
                made[source, name] = written.page_id
                with store.transaction():
                    store.links.add(source, written.page_id, hub, "", "manual", None)
                    store.links.add(source, hub, written.page_id, "", "manual", None)
                    store.timeline.add(source, written.page_id, "2031-05-05", "lit", None, None, MONDAY)
                if "deleted" in name:
                    store.pages.set_deleted(view(source), f"lanterns/{name}", deleted=True, by="tester")
        return made

    @pytest.mark.parametrize("private", [True, False])
    @pytest.mark.parametrize("sources", [("default",), ("other",), ("default", "other"), ()])
    def test_every_read_follows_the_rule(
        self, store: Store, pages: dict[tuple[str, str], int], private: bool, sources: tuple[str, ...]
    ) -> None:
        view = View(sources, private, WEDNESDAY)
        names = SEEN | ({"private"} if private else set())
        expected = {id for (source, name), id in pages.items() if source in sources and name in names}
        every = list(pages.values())
        lantern = Match(should=(Terms(("lantern",)),))
        assert {page.id for page in store.pages.by_ids(view, every)} == expected
        assert {id for id, _ in found_pages(store, view, lantern, 100)} == expected
        headers = store.pages.headers(
            view, type=None, tag=None, updated_after=None, deleted=False, order="slug", limit=100, offset=0
        )
        wanted = {(source, f"lanterns/{name}") for (source, name), id in pages.items() if id in expected}
        assert {(row["source_id"], row["slug"]) for row in headers if row["slug"] != "hub"} == wanted
        for rows in (store.pages.changed(view, NEVER, "", 100), store.pages.changed_after(view, 0, 100)):
            assert {(row["source_id"], row["slug"]) for row in rows if row["slug"] != "hub"} == wanted
        assert store.pages.count_by_type(view) == ({"note": len(expected) + len(sources)} if sources else {})
        assert {page.page_id for page in store.names.near(view, "Lantern", 40)} == expected
        assert {named.page_id for named in store.names.pages(view, every, "near")} == expected
        for name, _ in PAGES:
            ids = {pages[source, name] for source in sources} & expected
            page = store.pages.get(view, f"lanterns/{name}")
            assert (page is not None and page.id in ids) == bool(ids)
            assert {named.page_id for named in store.names.find(view, f"Lantern {name}")} == ids
            assert {named.page_id for named in store.names.find(view, name)} == ids
            assert bool(store.pages.versions(view, f"lanterns/{name}", 100)) == bool(ids)
        dated = {id for id in every if store.timeline.of(view, id)}
        assert dated == expected
        assert store.timeline.count(view) == len(expected)

    @pytest.mark.parametrize("private", [True, False])
    @pytest.mark.parametrize("sources", [("default",), ("default", "other"), ()])
    def test_links_are_seen_when_both_their_pages_are(
        self, store: Store, pages: dict[tuple[str, str], int], private: bool, sources: tuple[str, ...]
    ) -> None:
        view = View(sources, private, WEDNESDAY)
        names = SEEN | ({"private"} if private else set())
        wanted = {id for (source, name), id in pages.items() if source in sources and name in names}
        edges = store.links.edges(view, "1 = 1", {}, 1_000)
        assert {row["from_id"] for row in edges if row["to_slug"] == "hub"} == wanted
        assert {row["to_id"] for row in edges if row["from_slug"] == "hub"} == wanted
        for source in sources:
            hub = store.pages.get(View((source,), private, WEDNESDAY), "hub")
            assert hub is not None
            assert store.links.backlinks(view, hub.id) == len(store.links.of(view, hub.id, "in"))
            assert store.links.backlinks(view, hub.id) == sum(pages[source, name] in wanted for name, _ in PAGES)

    @pytest.mark.parametrize("private", [True, False])
    @pytest.mark.parametrize("sources", [("default",), ("default", "other"), ()])
    def test_links_are_counted_when_both_their_pages_are_seen(
        self, store: Store, pages: dict[tuple[str, str], int], private: bool, sources: tuple[str, ...]
    ) -> None:
        view = View(sources, private, WEDNESDAY)
        edges = store.links.edges(view, "1 = 1", {}, 1_000)
        assert store.links.count(view) == len(edges)
        assert sum(row["count"] for row in store.links.sources(view)) == len(edges)

    @pytest.mark.parametrize("private", [True, False])
    def test_the_deleted_are_shown_only_to_who_asks_and_may(
        self, store: Store, pages: dict[tuple[str, str], int], private: bool
    ) -> None:
        view = View(("default",), private, WEDNESDAY)
        assert store.pages.get(view, "lanterns/deleted", deleted=True) is not None
        assert (store.pages.get(view, "lanterns/private-deleted", deleted=True) is not None) == private
        assert (store.pages.get(view, "lanterns/private", deleted=True) is not None) == private

    def test_a_page_is_there_until_its_last_instant(
        self, store: Store, put: Callable[..., Written], view: Callable[..., View]
    ) -> None:
        put("lamp", expiry=TUESDAY)
        before = View(("default",), True, "2031-05-05T23:59:59.999999Z")
        assert store.pages.get(before, "lamp") is not None
        assert store.pages.get(before._replace(now=TUESDAY), "lamp") is None


def test_the_moment_of_a_view_is_as_of_when_that_is_set() -> None:
    view = View(("default",), True, THURSDAY)
    assert visibility.params(view)["v_now"] == THURSDAY
    assert visibility.params(view._replace(as_of=MONDAY))["v_now"] == MONDAY
