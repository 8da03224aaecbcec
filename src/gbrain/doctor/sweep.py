"""The check of sweeps: when the last one ran, whether sweeps fail, and whether pages wait for one."""

from datetime import timedelta
from typing import Any

from gbrain.ambient.sweeping import LOG
from gbrain.brain import environment_clock
from gbrain.doctor.frame import Finding, Patient, check
from gbrain.domain.times import parse_store
from gbrain.journal import Journal
from gbrain.store.probe import Trouble

LOOKED_AT = 100
"""Lines of the journal, from its end."""
LONG = timedelta(days=1)
SWEEP = "gbrain sweep --once"


@check("sweep", "The sweep: its last run, its failures, and pages that wait for it", needs=("home",), category="ops")
def sweep(patient: Patient) -> Finding:
    """The last sweep failed in no part, and no page waits longer for its links than a day."""
    lines = Journal(patient.chosen.home).last(LOG, LOOKED_AT)
    if not lines:
        waiting = _waiting(patient)
        if waiting:
            return Finding("warn", f"no sweep has run here yet, and {waiting:,} pages wait for their links", SWEEP)
        return Finding("ok", "no sweep has run here yet; gbrain serve sweeps by itself")
    last = lines[-1]
    failed = [line for line in lines if _failures(line)]
    data = {"last": last, "looked_at": len(lines), "failed": len(failed)}
    age = _age(last)
    ran = "the last sweep ran" if age is None else f"the last sweep ran {_spoken(age)} ago"
    if _failures(last):
        since = next((at for at in range(len(lines), 0, -1) if not _failures(lines[at - 1])), 0)
        more = f", as did the {len(lines) - since - 1} before it" if len(lines) - since > 1 else ""
        told = tuple(f"{reason}: {count}" for reason, count in sorted(_failures(last).items()))
        return Finding("warn", f"{ran} and failed in part{more}", SWEEP, told, data)
    waiting = _waiting(patient) if age is None or age > LONG else 0
    if waiting:
        return Finding("warn", f"{ran}, and {waiting:,} pages wait for their links", SWEEP, (), data)
    past = f"; {len(failed)} of the last {len(lines)} failed in part" if failed else ""
    return Finding("ok", f"{ran}{past}", None, (), data)


def _failures(line: dict[str, Any]) -> dict[str, int]:
    """The reasons of a line that are failures: what was left for lack of time, and what checks found, is none."""
    skipped = line.get("skipped")
    reasons = skipped if isinstance(skipped, dict) else {}
    bad = line.get("status") == "failed"
    return {
        str(reason): count
        for reason, count in reasons.items()
        if isinstance(count, int) and (bad or str(reason).endswith("_error") or reason == "facts_fence_page")
    } or ({"failed": 1} if bad else {})


def _waiting(patient: Patient) -> int:
    probe = patient.probe or patient.server
    if probe is None or patient.busy:
        return 0
    try:
        return probe.unwired()
    except Trouble:
        # The checks of the store say what is wrong with it.
        return 0


def _age(line: dict[str, Any]) -> timedelta | None:
    try:
        return max(timedelta(0), environment_clock()() - parse_store(str(line.get("ts", ""))))
    except (ValueError, TypeError):
        return None


def _spoken(age: timedelta) -> str:
    minutes = int(age.total_seconds() // 60)
    for size, word in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            count = minutes // size
            return f"{count} {word}{'s' if count != 1 else ''}"
    return "less than a minute"
