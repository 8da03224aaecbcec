"""Settings as rows, the brain's id, the version that opened it, and its sources."""

from collections.abc import Callable

import pytest

from gbrain.store.store import Store


class TestSettings:
    def test_nobody_set_anything_in_an_empty_brain(self, store: Store) -> None:
        assert store.config.all() == {}
        assert store.config.get("search.mode") is None
        assert not store.config.unset("search.mode")

    def test_a_value_is_stored_replaced_and_removed(self, store: Store, another_store: Store) -> None:
        store.config.set("b", "1")
        store.config.set("a", "灯塔 '")
        store.config.set("b", "2")
        assert another_store.config.all() == {"a": "灯塔 '", "b": "2"}
        assert another_store.config.get("b") == "2"
        assert another_store.config.unset("b")
        assert store.config.get("b") is None


class TestIdentity:
    def test_a_brain_keeps_the_id_it_was_given(self, store: Store, another_store: Store) -> None:
        id = store.config.brain_id()
        assert len(id) == 32
        store.prepare("2.0")
        assert another_store.config.brain_id() == id


class TestUpgradeNotice:
    def test_a_new_brain_has_none(self, store: Store) -> None:
        assert store.config.opened_by() == "1.0"
        assert store.config.take_notice() is None

    def test_opening_again_makes_none(self, store: Store, another_store: Store) -> None:
        store.prepare("1.0")
        assert another_store.config.take_notice() is None

    def test_nor_does_a_second_process_that_made_the_brain_at_the_same_time(self, store: Store) -> None:
        with store.transaction():
            store.config.note_opened("1.0")
        assert store.config.take_notice() is None

    def test_a_newer_version_leaves_one_and_it_is_taken_once(self, store: Store, another_store: Store) -> None:
        store.prepare("1.1")
        store.prepare("1.1")
        assert store.config.opened_by() == "1.1"
        assert another_store.config.take_notice() == "1.0"
        assert store.config.take_notice() is None

    def test_one_that_nobody_took_names_the_oldest_version(self, store: Store) -> None:
        for version in ("1.1", "1.2"):
            store.prepare(version)
        assert store.config.take_notice() == "1.0"
        store.prepare("1.3")
        assert store.config.take_notice() == "1.2"

    def test_a_downgrade_is_no_upgrade(self, store: Store) -> None:
        with store.transaction():
            store.config.note_opened("9.9")
        store.config.take_notice()
        with store.transaction():
            store.config.note_opened("9.8")
        assert store.config.opened_by() == "9.9"
        assert store.config.take_notice() is None


class TestSources:
    def test_the_default_source_is_always_there(self, store: Store) -> None:
        assert store.sources.ids() == ["default", "other"]
        store.prepare("2.0")
        store.sources.ensure("other", store.config.now())
        store.sources.ensure("a", store.config.now())
        assert store.sources.ids() == ["a", "default", "other"]


def test_a_fact_of_an_unknown_source_is_refused(store: Store, say: Callable[..., int]) -> None:
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        say("lost", source_id="nowhere")
    assert store.engine.rows("select id from facts") == []
