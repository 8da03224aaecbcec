"""The history of an entity: what holds and what was replaced, nothing that was forgotten."""

from collections.abc import Callable

from gbrain.store.store import Store
from gbrain.types import View


def test_the_history_is_what_holds_and_what_was_replaced(
    store: Store, say: Callable[..., int], view: Callable[..., View]
) -> None:
    first = say("ARR is 1M", "acme", metric="arr", value=1e6, unit="usd", period="2031-01")
    second = say("ARR is 2M", "acme", replaces=[first])
    hidden = say("ARR is 3M", "acme", visibility="private")
    gone = say("ARR is 9M", "acme")
    say("ARR is 4M", "other")
    assert store.facts.expire(view("default"), gone, "wrong")
    told = store.trajectories.of(view("default", private=True), ("acme",))
    assert [(one.id, one.superseded_by) for one in told] == [(first, second), (second, None), (hidden, None)]
    assert (told[0].metric, told[0].value, told[0].period) == ("arr", 1e6, "2031-01")
    assert [one.id for one in store.trajectories.of(view("default", private=False), ("acme",))] == [first, second]
