"""Whose brain it is (table E), by declaration and by who called."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from gbrain import Brain
from gbrain.mirror_writing import edit
from gbrain.ops.audience import Audience, audience

TODAY = "2031-05-04"


@pytest.fixture
def asked(brain: Brain, clock: Any) -> Callable[..., Audience]:
    """The audience of this brain, as the host's or a mounted one."""
    return lambda *, mounted=False: audience(brain.store, None if mounted else brain.home, clock())


def called(brain: Brain, *rows: tuple[str, str, int, int]) -> None:
    brain.store.usage.add([(TODAY, *row) for row in rows], "2031-01-01")


@contextmanager
def without(brain: Brain, table: str) -> Iterator[None]:
    """A store in which a table cannot be read."""
    brain.store.engine.rows(f"alter table {table} rename to away")
    try:
        yield
    finally:
        # Tests on PostgreSQL share a database.
        brain.store.engine.rows(f"alter table away rename to {table}")


def test_e1_a_declaration_decides(brain: Brain, asked: Any) -> None:
    brain.store.config.set("brain.audience", "shared")
    assert asked().audience == "shared"
    brain.store.config.set("brain.audience", " Personal ")
    assert asked() == Audience("personal", ("declared personal",))


def test_e2_a_fresh_brain_is_personal(asked: Any) -> None:
    assert asked() == Audience("personal", ("0 clients called over HTTP in 30 days",))


def test_e3_three_people_make_it_shared_and_programs_do_not_count(brain: Brain, asked: Any) -> None:
    called(
        brain, ("a", "recall", 1, 0), ("b", "recall", 1, 0), ("push", "context_pack", 50, 0), ("bad", "recall", 0, 9)
    )
    assert asked().audience == "personal"
    called(brain, ("c", "remember", 1, 0), ("c", "delta", 9, 0))
    found = asked()
    assert found.audience == "shared"
    assert "gbrain config set brain.audience personal" in found.reasons[0]


def test_e3_calls_of_long_ago_do_not_count(brain: Brain, asked: Any, clock: Any) -> None:
    called(brain, *((name, "recall", 1, 0) for name in "abc"))
    assert asked().audience == "shared"
    clock.move(days=31)
    assert asked().audience == "personal"


def test_e4_an_unknown_declaration_is_named_and_passed_over(brain: Brain, asked: Any) -> None:
    brain.store.config.set("brain.audience", "team-ish")
    assert asked().audience == "personal"
    assert "unrecognized" in asked().reasons[0]


def test_e5_the_file_speaks_for_the_host_alone(brain: Brain, asked: Any) -> None:
    edit(brain.home, {"brain.audience": "shared"})
    assert asked().audience == "shared"
    assert asked(mounted=True).audience == "personal"


def test_e6_settings_that_cannot_be_read_say_nothing(brain: Brain, asked: Any) -> None:
    with without(brain, "config"):
        assert asked().audience == "unknown"


def test_e7_a_log_that_cannot_be_read_leaves_it_personal(brain: Brain, asked: Any) -> None:
    with without(brain, "usage"):
        found = asked()
    assert found.audience == "personal"
    assert "heuristic unavailable" in found.reasons[0]


def test_d5_turning_it_on_where_others_call_warns_and_goes_on(brain: Brain, local: Any) -> None:
    called(brain, *((name, "recall", 1, 0) for name in "abc"))
    reply = local.reply("config_set", key="memory.auto_writeback", value="all")
    assert [warning["code"] for warning in reply.warnings] == ["shared_brain"]
    assert reply.value["stored"] == "all"
    assert not local.reply("config_set", key="memory.auto_writeback", value="off").warnings
    local("config_set", key="memory.auto_writeback_shadow", value="on")
    reply = local.reply("config_set", key="memory.auto_writeback", value="off")
    assert [warning["code"] for warning in reply.warnings] == ["shadow_on"]
