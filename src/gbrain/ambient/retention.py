"""How long turns stay: thirty days from when they were banked, by a clock that can be believed.

A clock that leaps makes every turn look old at once. So each sweep notes the time beside what the machine itself has
counted since it started; where the two disagree, or a brain was not swept for longer than turns stay, nothing is
deleted for as long as turns stay.
"""

import json
import os
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from gbrain import home as homes
from gbrain.ambient import bank
from gbrain.ambient.reading import banked_at
from gbrain.registry import Context

RETENTION = timedelta(days=30)
SLACK = timedelta(hours=1)
"""How far a clock may be set without being taken for one that leapt."""
HALF_WRITTEN = timedelta(hours=1)
"""How long what a killed hook left half written stays: nobody was told that it is kept."""
FILE = os.path.join("transcripts", "clock.json")
_BOOT = "/proc/sys/kernel/random/boot_id"


class Seen(NamedTuple):
    """What a sweep noted: its moment, which start of the machine it was in, and the seconds since then; `kept_until`
    is until when nothing is deleted."""

    at: datetime
    boot: str
    up: float
    kept_until: datetime | None = None


def overdue(ctx: Context, names: list[str]) -> list[str]:
    """Of all names in the bank those that may go now; and the moment is noted for the next time."""
    before, now = _noted(ctx), Seen(ctx.now, _boot(), _up())
    until = before.kept_until if before.kept_until is not None and before.kept_until > ctx.now else None
    if _leapt(before, now):
        until = ctx.now + RETENTION
    elif until is not None and until > ctx.now + RETENTION:
        # The clock is back from far ahead.
        until = ctx.now + RETENTION
    _note(ctx.home, now._replace(kept_until=until))
    return [] if until is not None else [name for name in names if _is_old(ctx, name, names)]


def _is_old(ctx: Context, name: str, names: list[str]) -> bool:
    folder = bank.folder(ctx.home)
    turn, kept = name.removesuffix(bank.INGESTED), RETENTION
    if bank.parse(turn) is None:
        turn, kept = name.rpartition(".tmp-")[0].removesuffix(bank.INGESTED), HALF_WRITTEN
    if bank.parse(turn) is None or ctx.now - banked_at(folder, name, ctx.now) <= kept:
        return False
    # A mark stays as long as its turn: without it the turn would be read again.
    held = name.endswith(bank.INGESTED) and turn in names
    return not (held and ctx.now - banked_at(folder, turn, ctx.now) <= RETENTION)


def _leapt(before: Seen, now: Seen) -> bool:
    passed = now.at - before.at
    if before.boot and before.boot == now.boot:
        return abs(passed - timedelta(seconds=now.up - before.up)) > SLACK
    # Over a restart nothing counts the time, so only a leap beyond all keeping is seen.
    return passed > RETENTION or passed < -SLACK


def _noted(ctx: Context) -> Seen:
    """What the last sweep noted; before the first the brain's beginning stands in for it."""
    try:
        with open(os.path.join(ctx.home, FILE), encoding="utf-8") as file:
            said: Any = json.loads(file.read(4096))
        until = said["kept_until"]
        kept = datetime.fromisoformat(until).astimezone(UTC) if until else None
        return Seen(datetime.fromisoformat(said["at"]).astimezone(UTC), str(said["boot"]), float(said["up"]), kept)
    except (OSError, ValueError, TypeError, KeyError):
        began = min((source.created_at for source in ctx.store.sources.all()), default=ctx.now_text)
        return Seen(datetime.fromisoformat(began).astimezone(UTC), "", 0.0)


def _note(home: str, seen: Seen) -> None:
    said = {"at": seen.at.isoformat(), "boot": seen.boot, "up": round(seen.up)}
    kept = seen.kept_until.isoformat() if seen.kept_until else None
    try:
        homes.write_private(os.path.join(home, FILE), json.dumps({**said, "kept_until": kept}) + "\n")
    except OSError:
        # Then the next sweep compares with an older moment.
        pass


def _boot() -> str:
    """A name for this start of the machine, where it has one."""
    try:
        with open(_BOOT, encoding="ascii") as file:
            return file.read(64).strip()
    except OSError:
        return ""


def _up() -> float:
    """Seconds since the machine started, those it slept included where the system counts them."""
    if sys.platform == "win32":
        return time.monotonic()
    # Not time.monotonic(): on Linux it stands still while a laptop sleeps, and each morning would look like a leap.
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
