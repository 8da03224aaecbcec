"""What a server says of itself to each caller (table F, 10 and 11)."""

import pytest

from gbrain import Brain, Caller
from gbrain.ambient.contract import BASE, Options, section
from gbrain.entry import mcp
from gbrain.types import Scope
from unit.ops.conftest import brain, clock
from unit.ops.test_audience import without

__all__ = ["brain", "clock"]


def on(brain: Brain) -> None:
    brain.call("config_set", {"key": "memory.auto_writeback", "value": "salient"})
    brain.call("config_set", {"key": "memory.auto_writeback_transient_ttl", "value": "12h"})
    brain.call("config_set", {"key": "facts.default_visibility", "value": "private"})


def test_f10_a_store_that_fails_for_a_moment_changes_nothing(brain: Brain) -> None:
    on(brain)
    told = mcp.instructions(brain, Caller.stdio())
    assert told == f"{BASE}\n\n{section(Options('salient', '12h', 'private', True))}"
    with without(brain, "config"):
        assert mcp.instructions(brain, Caller.stdio()) == told


@pytest.mark.parametrize(("scopes", "more"), [(("read", "write"), True), (("read",), False)])
def test_f11_who_may_not_write_is_told_the_base(brain: Brain, scopes: tuple[Scope, ...], more: bool) -> None:
    on(brain)
    caller = Caller.stdio()._replace(scopes=frozenset(scopes))
    assert (mcp.instructions(brain, caller) != BASE) == more


def test_f11_who_is_bound_to_pages_is_told_the_base(brain: Brain) -> None:
    on(brain)
    assert mcp.instructions(brain, Caller.stdio()._replace(slugs=("people/dana",))) == BASE
