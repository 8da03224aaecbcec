"""Turns stay for thirty days, by a clock that can be believed."""

import json
import os
from collections.abc import Callable
from typing import Any

import pytest

from clocks import Clock
from gbrain.ambient import retention
from unit.ambient.test_harvest import Bank, banked, swept  # noqa: F401
from unit.ops.conftest import Asker


@pytest.fixture
def passing(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets time pass: on the clock, and by what the machine has counted."""
    up = [1000.0]
    monkeypatch.setattr(retention, "_up", lambda: up[0])
    monkeypatch.setattr(retention, "_boot", lambda: "boot-1")

    def move(days: float = 0, hours: float = 0, *, seen: bool = True) -> None:
        clock.move(days=days, hours=hours)
        up[0] += days * 86_400 + hours * 3600 if seen else 0.0

    return move


@pytest.fixture
def path(banked: Bank) -> Any:  # noqa: F811
    banked.mode("salient", "salient")
    return banked.put()


def test_time_that_passed_counts(path: Any, local: Asker, passing: Callable[..., None]) -> None:
    for _ in range(3):
        passing(days=10)
        assert swept(local) == (0, {"keyless": 1})
    passing(hours=1)
    assert swept(local) == (0, {"keyless": 1, "retention": 1})
    assert not path.exists()


def test_a_clock_that_leaps_ahead_deletes_nothing(path: Any, local: Asker, passing: Callable[..., None]) -> None:
    swept(local)
    passing(days=400, seen=False)
    assert swept(local) == (0, {"keyless": 1})
    passing(hours=2)
    assert swept(local) == (0, {"keyless": 1})
    passing(days=-400, seen=False)
    assert swept(local) == (0, {"keyless": 1})
    assert path.exists()
    # The clock is right again: the thirty days go on, and nothing stays for ever.
    for _ in range(4):
        passing(days=10)
        swept(local)
    assert not path.exists()


def test_a_clock_that_leaps_back_deletes_nothing(path: Any, local: Asker, passing: Callable[..., None]) -> None:
    swept(local)
    passing(days=-400, seen=False)
    assert swept(local) == (0, {"keyless": 1})
    passing(days=29)
    assert swept(local) == (0, {"keyless": 1})
    passing(days=371, seen=False)
    assert swept(local) == (0, {"keyless": 1})
    assert path.exists()


def test_the_first_sweep_of_all_may_meet_a_leap(path: Any, local: Asker, passing: Callable[..., None]) -> None:
    passing(days=400, seen=False)
    assert swept(local) == (0, {"keyless": 1})
    assert path.exists()


def test_an_old_file_goes_at_the_first_sweep_of_a_clock_in_order(path: Any, local: Asker, clock: Clock) -> None:
    old = clock.now.timestamp() - 31 * 86_400
    os.utime(path, (old, old))
    assert swept(local) == (0, {"keyless": 1, "retention": 1})


@pytest.mark.parametrize("torn", ["", "[1]", '{"at": 7}', '{"at": "x", "boot": "", "up": 0, "kept_until": null}'])
def test_a_note_that_cannot_be_read_counts_as_none(path: Any, local: Asker, banked: Bank, torn: str) -> None:  # noqa: F811
    note = banked.folder.parent / "clock.json"
    note.write_text(torn)
    assert swept(local) == (0, {"keyless": 1})
    assert json.loads(note.read_text())["kept_until"] is None


def test_what_was_left_half_written_goes_after_an_hour(
    path: Any, local: Asker, clock: Clock, passing: Callable[..., None]
) -> None:
    halves = [path.with_name(f"{path.name}{kind}.tmp-12-345") for kind in ("", ".ingested")]
    other = path.with_name("notes.txt.tmp-1-2")
    for half in (*halves, other):
        half.write_text("half of")
        os.utime(half, (clock.now.timestamp(),) * 2)
    swept(local)
    assert all(half.exists() for half in halves)
    passing(hours=1.1)
    swept(local)
    assert (path.exists(), other.exists(), [half.exists() for half in halves]) == (True, True, [False, False])
