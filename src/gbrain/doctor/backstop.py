"""What ambient memory did in the last week, and what of it still waits: counts and codes out of the journals."""

import os
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from gbrain.ambient import bank
from gbrain.ambient.capture import EVENT as BANKED, LOG
from gbrain.ambient.reading import EVENT as FILED
from gbrain.ambient.retention import RETENTION
from gbrain.domain.times import store_time
from gbrain.journal import USAGE, Journal

DAYS = 7
TAIL = 2000
"""Lines of the hooks' journal that are looked at, from its end."""
WARN_AGE = timedelta(days=20)
LEAST, FAILING = 10, 0.2
"""From so many finished turns on, a larger share of failures is a warning."""
NOTE = "agents call `remember` alike when they were asked to and when they were not: this counts both"

_SAFE = ("wb_scheduled", "wb_banked", "no_serve")


class Waiting(NamedTuple):
    """Turns in the bank that nothing was made of yet; `oldest` is the age of the first."""

    turns: int = 0
    oldest: timedelta = timedelta(0)


def remembered(home: str, now: datetime) -> dict[str, Any]:
    """What agents saved by `remember` over MCP."""
    found: dict[str, Any] = dict.fromkeys(("inserted", "duplicate", "superseded", "failed"), 0)
    for line in _recent(Journal(home).read(USAGE), now):
        if line.get("verb") == "remember" and line.get("remote"):
            status = line.get("remember_status") if line.get("ok") else "failed"
            if status in found:
                found[status] += 1
    return {**found, "note": NOTE}


def filed(home: str, now: datetime) -> dict[str, Any]:
    """What became of turns: facts, turns that made none, failures, turns that were put on disk."""
    found: dict[str, Any] = dict.fromkeys(
        ("inserted", "duplicate", "superseded", "skipped", "failed", "turns_banked"), 0
    )
    found["last_ok_at"] = None
    for line in _recent(Journal(home).read(LOG)[-TAIL:], now):
        reason, outcome = str(line.get("reason") or ""), line.get("outcome")
        if line.get("event") == FILED:
            made = {key: line[key] for key in ("inserted", "duplicate", "superseded") if isinstance(line.get(key), int)}
            for key, count in made.items():
                found[key] += count
            found["skipped"] += outcome == "ok" and bool(reason) and not any(made.values())
            found["failed"] += outcome == "error" or (outcome == "degraded" and _is_failure(reason))
            found["last_ok_at"] = line.get("ts") if outcome == "ok" else found["last_ok_at"]
        elif line.get("event") == BANKED:
            safe = reason in _SAFE or reason.startswith("flush_skip_")
            turns = line.get("turns")
            found["turns_banked"] += max(1, turns if isinstance(turns, int) else 1) if safe else 0
            found["skipped"] += outcome == "degraded" and not safe
    return found


def finished(found: dict[str, Any]) -> int:
    """How many turns of a `filed` ended, well or not."""
    return sum(int(found[key]) for key in ("inserted", "duplicate", "superseded", "failed"))


def waiting(home: str, now: datetime) -> Waiting:
    """The turns that wait, and since when."""
    folder = bank.folder(home)
    try:
        names = set(os.listdir(folder))
    except OSError:
        return Waiting()
    oldest, turns = now, 0
    for name in names:
        if bank.parse(name) is None or name + bank.INGESTED in names:
            continue
        try:
            at = datetime.fromtimestamp(os.lstat(os.path.join(folder, name)).st_mtime, UTC)
        except (OSError, OverflowError, ValueError):
            continue
        turns, oldest = turns + 1, min(oldest, at)
    return Waiting(turns, now - oldest)


def left(age: timedelta) -> int:
    """In how many whole days a turn of this age is deleted."""
    return max(0, (RETENTION - age).days)


def _is_failure(reason: str) -> bool:
    """Whether a turn is tried again because something failed, and not because it has to wait."""
    return reason.startswith(("corpus_file_error", "extract_skipped_"))


def _recent(lines: list[dict[str, Any]], now: datetime) -> list[dict[str, Any]]:
    since = store_time(now - timedelta(days=DAYS))
    return [line for line in lines if since <= str(line.get("ts", ""))]
