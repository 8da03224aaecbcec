"""The one question (table E, 8 to 11): put once, to the person of a brain that is theirs alone, and never decided."""

from collections.abc import Callable

import pytest

from clocks import Clock
from gbrain import Brain
from gbrain.ambient.asking import ask
from gbrain.mirror_writing import edit
from unit.ops.test_audience import without

MODE = "memory.auto_writeback"
SHOWN = f"{MODE}_notice_shown"


@pytest.fixture
def asked(brain: Brain, clock: Clock) -> Callable[[], str]:
    """What is said when the question may be put; nothing where it is not."""

    def put() -> str:
        said: list[str] = []
        ask(brain.store, brain.chosen, clock.now, said.append)
        return "\n".join(said)

    return put


def test_e8_it_is_put_once_and_decides_nothing(brain: Brain, asked: Callable[[], str]) -> None:
    told = asked()
    agent = [line for line in told.splitlines() if line.startswith("[AGENT] ")]
    assert "gbrain config set memory.auto_writeback salient" in agent[1]
    assert "gbrain bootstrap harness --yes" in agent[2]
    assert "salient" in agent[0]
    for part in ("3d", "Greetings, questions, tool output", "no expiry", "not by the internet", f"{MODE} off"):
        assert part in told
    assert brain.store.config.all() == {SHOWN: "true"}
    assert asked() == ""


def test_e9_a_shared_brain_is_not_asked_and_may_be_later(brain: Brain, asked: Callable[[], str]) -> None:
    brain.store.config.set("brain.audience", "shared")
    assert asked() == ""
    assert brain.store.config.get(SHOWN) is None
    brain.store.config.set("brain.audience", "personal")
    assert asked() != ""


@pytest.mark.parametrize("mode", ["off", "salient", "always"])
def test_e10_who_has_decided_is_not_asked(brain: Brain, asked: Callable[[], str], mode: str) -> None:
    brain.store.config.set(MODE, mode)
    assert asked() == ""
    brain.store.config.unset(MODE)
    edit(brain.home, {MODE: mode})
    assert asked() == ""
    assert brain.store.config.get(SHOWN) is None


def test_e11_nothing_is_asked_where_that_is_unwanted_or_cannot_be(
    brain: Brain, clock: Clock, asked: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setenv("GBRAIN_NO_ONBOARD_NUDGE", "1")
    assert asked() == ""
    monkeypatch.delenv("GBRAIN_NO_ONBOARD_NUDGE")
    assert not ask(brain.store, brain.chosen._replace(name="team"), clock.now, said.append)
    with without(brain, "config"):
        assert asked() == ""
    assert (brain.store.config.get(SHOWN), said) == (None, [])


def test_what_could_not_be_said_is_said_the_next_time(brain: Brain, clock: Clock, asked: Callable[[], str]) -> None:
    def closed(text: str) -> None:
        raise BrokenPipeError

    assert not ask(brain.store, brain.chosen, clock.now, closed)
    assert asked() != ""
