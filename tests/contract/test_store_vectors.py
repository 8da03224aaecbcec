"""Vectors of stored texts: which rows await one, whose they are, and what lies nearest."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from gbrain.arrays import Vector
from gbrain.store import sketch
from gbrain.store.engine import Engine, Kept, Space
from gbrain.store.store import Store
from gbrain.store.vectors import TABLES, Near, What
from gbrain.types import PageFilter, View, Written

DIMENSION = 128
Put = Callable[..., Written]


@pytest.fixture(autouse=True)
def _compared(engine: Engine) -> None:
    if engine.name == "postgres":
        engine.rows("create extension if not exists vector")


def vector(*numbers: float) -> Vector:
    """A vector of length 1 that begins with these numbers."""
    made = np.zeros(DIMENSION, np.float32)
    made[: len(numbers)] = numbers
    return (made / np.linalg.norm(made)).astype(np.float32)


@pytest.fixture
def space(store: Store, clock: Any) -> Space:
    """A space of a model, begun."""
    with store.transaction():
        return store.vectors.begin("model-one", DIMENSION, np.zeros(DIMENSION, np.float32), clock.text)


def seen_rows(store: Store, kind: What) -> dict[int, int]:
    return {row["id"]: row["changed"] for row in store.engine.rows(f"select id, changed from {TABLES[kind]}")}


def embed(store: Store, kind: What, vectors: dict[int, Vector]) -> int:
    space = store.vectors.space()
    assert space is not None
    seen = seen_rows(store, kind)
    return store.vectors.keep(kind, space, [Kept(id, seen[id], vector) for id, vector in vectors.items()])


def chunk_ids(store: Store, local: View, page: int) -> list[int]:
    return [chunk.id for chunk in store.chunks.of_pages(local, [page])]


def nearest(store: Store, view: View, asked: Vector, limit: int = 10, **more: Any) -> list[Near]:
    space = store.vectors.space()
    assert space is not None
    return store.vectors.nearest(view, space, asked, limit, **more)


def pages_of(found: Sequence[Near]) -> list[int]:
    return [hit.id for hit in found]


class TestQueue:
    def test_what_is_written_awaits_a_vector_at_once(self, store: Store, put: Put, say: Callable[..., int]) -> None:
        put("pier")
        fact = say("prefers tea", "Dana")
        assert len(store.vectors.waiting("page", None, 10)) == 1
        assert [waiting.id for waiting in store.vectors.waiting("fact", None, 10)] == [fact]
        assert store.vectors.space() is None
        assert store.vectors.counts(None) == (0, 2)

    def test_a_batch_is_of_one_source_and_one_privacy(self, store: Store, space: Space, put: Put) -> None:
        for number in range(2):
            put(f"open-{number}")
            put(f"private-{number}", private=True)
            put(f"other-{number}", source="other")
        groups = []
        while waiting := store.vectors.waiting("page", space, 10):
            rows = store.engine.rows(
                "select distinct source_id, private from chunk_vectors where id in (:ids)",
                {"ids": [row.id for row in waiting]},
            )
            groups.append((len(waiting), [tuple(row.values()) for row in rows]))
            store.vectors.keep("page", space, [Kept(row.id, row.seen, vector(1)) for row in waiting])
        assert groups == [(2, [("default", 0)]), (2, [("default", 1)]), (2, [("other", 0)])]

    def test_what_has_one_waits_no_longer(self, store: Store, local: View, space: Space, put: Put) -> None:
        chunks = [chunk_ids(store, local, put(f"page-{number}").page_id)[0] for number in range(4)]
        assert embed(store, "page", {id: vector(1) for id in chunks[:3]}) == 3
        assert [waiting.id for waiting in store.vectors.waiting("page", None, 10)] == chunks[3:]
        assert store.vectors.counts(space) == (3, 1)

    def test_what_changed_meanwhile_keeps_waiting(
        self, store: Store, local: View, space: Space, put: Put, say: Callable[..., int]
    ) -> None:
        page = put("pier").page_id
        chunk = chunk_ids(store, local, page)[0]
        seen = store.vectors.waiting("page", None, 1)[0].seen
        put("pier", "Another text.")
        assert store.vectors.keep("page", space, [Kept(chunk, seen, vector(1))]) == 0
        fact = say("prefers tea", "Dana")
        seen = store.vectors.waiting("fact", None, 1)[0].seen
        store.facts.adopt("default", "people/dana", ["dana"], "world")
        assert store.vectors.keep("fact", space, [Kept(fact, seen, vector(1))]) == 0
        assert len(store.vectors.waiting("page", None, 9)) == len(store.vectors.waiting("fact", None, 9)) == 1

    def test_whether_a_reader_has_any_that_waits(
        self, store: Store, local: View, remote: View, view: Callable[..., View], space: Space, say: Callable[..., int]
    ) -> None:
        assert not store.vectors.pending(local, space)
        secret = say("prefers tea", visibility="private")
        assert store.vectors.pending(local, space)
        assert not store.vectors.pending(remote, space)
        assert not store.vectors.pending(view("other"), space)
        assert not store.vectors.pending(local, space, ["page"])
        embed(store, "fact", {secret: vector(1)})
        assert not store.vectors.pending(local, space)


class TestNearest:
    def test_the_nearest_come_first_with_their_cosine(
        self, store: Store, local: View, space: Space, put: Put, say: Callable[..., int]
    ) -> None:
        page = put("pier").page_id
        fact, far = say("prefers tea"), say("owns a boat")
        embed(store, "page", {chunk_ids(store, local, page)[0]: vector(1, 0.2)})
        embed(store, "fact", {fact: vector(1, 0.1), far: vector(0, 0, 1)})
        found = nearest(store, local, vector(1))
        assert [(hit.kind, hit.id, hit.ordinal) for hit in found] == [
            ("fact", fact, 0),
            ("page", page, 0),
            ("fact", far, 0),
        ]
        assert [hit.cosine for hit in found] == pytest.approx([1 / np.sqrt(1.01), 1 / np.sqrt(1.04), 0], abs=2e-3)
        assert pages_of(nearest(store, local, vector(1), kinds=["page"])) == [page]
        assert len(nearest(store, local, vector(1), 1)) == 1

    def test_every_chunk_is_a_hit_of_its_own(self, store: Store, local: View, space: Space, put: Put) -> None:
        page = put("pier", "# A\n\n" + "word " * 200 + "\n\n# B\n\n" + "more " * 200).page_id
        first, second = chunk_ids(store, local, page)
        embed(store, "page", {first: vector(1), second: vector(0, 1)})
        hits = nearest(store, local, vector(0, 1, 0.1))
        assert [(hit.id, hit.ordinal, hit.chunk_id) for hit in hits] == [(page, 1, second), (page, 0, first)]

    def test_another_process_sees_a_row_at_once(
        self, store: Store, another_store: Store, local: View, space: Space, say: Callable[..., int]
    ) -> None:
        first = say("prefers tea")
        embed(store, "fact", {first: vector(1)})
        assert pages_of(nearest(another_store, local, vector(1))) == [first]
        second = say("prefers coffee")
        embed(store, "fact", {second: vector(1, 0.1)})
        assert pages_of(nearest(another_store, local, vector(1))) == [first, second]

    def test_a_vector_that_was_replaced_counts_no_longer(
        self, store: Store, another_store: Store, local: View, space: Space, say: Callable[..., int]
    ) -> None:
        fact = say("prefers tea", "Dana")
        embed(store, "fact", {fact: vector(1)})
        assert nearest(another_store, local, vector(1))[0].cosine == pytest.approx(1, abs=1e-3)
        store.facts.adopt("default", "people/dana", ["dana"], "world")
        embed(store, "fact", {fact: vector(0, 1)})
        found = nearest(another_store, local, vector(1))
        assert [(hit.id, round(hit.cosine, 2)) for hit in found] == [(fact, 0.0)]

    def test_types_tags_and_ended_facts(
        self, store: Store, local: View, space: Space, put: Put, say: Callable[..., int]
    ) -> None:
        one, two = put("one", type="place", tags=("old",)).page_id, put("two").page_id
        embed(store, "page", {chunk_ids(store, local, page)[0]: vector(1) for page in (one, two)})
        old = say("prefers tea")
        new = say("prefers coffee", replaces=[old])
        embed(store, "fact", {old: vector(1), new: vector(1, 1)})
        assert pages_of(nearest(store, local, vector(1), kinds=["page"], only=PageFilter(("place",)))) == [one]
        assert pages_of(nearest(store, local, vector(1), kinds=["page"], only=PageFilter(tags=("old",)))) == [one]
        assert pages_of(nearest(store, local, vector(1), kinds=["fact"])) == [new]
        assert pages_of(nearest(store, local, vector(1), kinds=["fact"], live=False)) == [old, new]

    def test_nothing_hidden_takes_a_place(
        self,
        store: Store,
        local: View,
        remote: View,
        view: Callable[..., View],
        space: Space,
        put: Put,
        say: Callable[..., int],
    ) -> None:
        hidden = [say(f"secret {number}", visibility="private") for number in range(150)]
        elsewhere = [say(f"there {number}", source_id="other") for number in range(150)]
        ended = [say(f"once {number}") for number in range(150)]
        store.facts.supersede(ended, hidden[0], remote.now)
        seen = say("prefers tea")
        embed(store, "fact", {id: vector(1, 0.001 * id) for id in (*hidden, *elsewhere, *ended)})
        embed(store, "fact", {seen: vector(0, 0, 1)})
        assert pages_of(nearest(store, remote, vector(1), 5)) == [seen]
        assert len(nearest(store, local, vector(1), 500)) == 151
        assert len(nearest(store, view("default", "other", private=False), vector(1), 500)) == 151
        assert nearest(store, remote._replace(slugs=("x",)), vector(1)) == []
        page = put("secret-page", private=True).page_id
        embed(store, "page", {chunk_ids(store, local, page)[0]: vector(1)})
        assert nearest(store, remote, vector(1), kinds=["page"]) == []
        assert pages_of(nearest(store, local, vector(1), kinds=["page"])) == [page]

    def test_vectors_of_another_model_are_never_compared(
        self, store: Store, local: View, space: Space, clock: Any, say: Callable[..., int]
    ) -> None:
        old, new = say("prefers tea"), say("prefers coffee")
        embed(store, "fact", {old: vector(1), new: vector(1)})
        assert len(nearest(store, local, vector(1))) == 2
        with store.transaction():
            other = store.vectors.begin("model-two", 8, np.zeros(8, np.float32), clock.text)
        asked = np.eye(8, dtype=np.float32)[0]
        assert nearest(store, local, asked) == []
        assert store.vectors.counts(other) == (0, 2)
        embed(store, "fact", {new: asked})
        assert pages_of(nearest(store, local, asked)) == [new]
        assert store.vectors.counts(other) == (1, 1)


class TestMany:
    """Enough rows that not all of them are compared."""

    @pytest.fixture(autouse=True)
    def _few(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sketch, "EXACT", 200)
        monkeypatch.setattr(sketch, "HELD", 1_000)
        monkeypatch.setattr(sketch, "CLOSER", 700)
        monkeypatch.setattr(sketch, "CANDIDATES", 250)

    @pytest.fixture
    def rows(self, store: Store, space: Space) -> np.ndarray[Any, Any]:
        rng = np.random.default_rng(1)
        made = rng.normal(size=(1_500, DIMENSION)).astype(np.float32)
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        with store.transaction():
            for id in range(1, len(made) + 1):
                store.vectors.expect("fact", "default", id, private=id % 2 == 0)
        seen = seen_rows(store, "fact")
        for start in range(0, len(made), 400):
            ids = range(start + 1, min(start + 401, len(made) + 1))
            store.vectors.keep("fact", space, [Kept(id, seen[id], made[id - 1]) for id in ids])
        return made

    @pytest.mark.parametrize("held", [1_000, 2_000])
    def test_nearly_all_of_the_best_are_found(
        self, store: Store, engine: Engine, rows: np.ndarray[Any, Any], held: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sketch, "HELD", held)
        space = store.vectors.space()
        assert space is not None
        found = 0
        for place in range(40):
            asked = (rows[place] + rows[place + 300] * 0.5).astype(np.float32)
            asked /= np.linalg.norm(asked)
            best = np.argsort(-(rows @ asked))[:10] + 1
            hits = engine.nearest("fact_vectors", space, asked, 10, ["default"], private=True)
            found += len({hit.id for hit in hits} & set(best.tolist()))
            assert [hit.score for hit in hits] == pytest.approx(
                [float(rows[hit.id - 1] @ asked) for hit in hits], abs=5e-3
            )
        assert found >= 380

    def test_private_rows_are_looked_at_for_those_alone_who_may_see_them(
        self, store: Store, engine: Engine, rows: np.ndarray[Any, Any]
    ) -> None:
        space = store.vectors.space()
        assert space is not None
        shown = rows[::2]
        best = np.argsort(-(shown @ rows[1]))[:10] * 2 + 1
        hits = engine.nearest("fact_vectors", space, rows[1], 10, ["default"], private=False)
        assert all(hit.id % 2 == 1 for hit in hits)
        assert len({hit.id for hit in hits} & set(best.tolist())) >= 9
        assert engine.nearest("fact_vectors", space, rows[1], 10, ["other"], private=True) == []

    def test_rows_that_went_or_changed_are_noticed(
        self, store: Store, another_store: Store, rows: np.ndarray[Any, Any]
    ) -> None:
        space = store.vectors.space()
        assert space is not None
        other = another_store.engine

        def best() -> int:
            fresh = another_store.vectors.space()
            assert fresh is not None
            return other.nearest("fact_vectors", fresh, rows[7], 3, ["default"], private=True)[0].id

        assert best() == 8
        store.vectors.drop("fact", [8])
        assert best() != 8
        with store.transaction():
            store.vectors.expect("fact", "default", 9, private=False)
        seen = {waiting.id: waiting.seen for waiting in store.vectors.waiting("fact", None, 9)}
        store.vectors.keep("fact", space, [Kept(9, seen[9], rows[7])])
        assert best() == 9
