"""The check of backups: how old the newest is, and whether one has gone from where it was put."""

import os
from datetime import timedelta

from gbrain import backups as held
from gbrain.brain import environment_clock
from gbrain.doctor.frame import Finding, Patient, check
from gbrain.domain.times import parse_store
from gbrain.errors import BrainError

CREATE = "gbrain backup create"


@check("backups", "Backups: how old the newest one is", needs=("home",), category="ops")
def backups(patient: Patient) -> Finding:
    """The list of backups can be read. How old they are is for their owner to judge, so it is only said."""
    try:
        made = held.made(patient.chosen.home)
    except BrainError as error:
        return Finding("warn", error.message, error.suggestion.partition(";")[0].partition(": ")[2])
    there = [one for one in made if one.there and one.whole]
    gone = tuple(f"not there any more: {one.path}" for one in made if not one.there)
    torn = tuple(f"broken off: {one.path}; the next one made there clears it away" for one in made if not one.whole)
    if not there:
        return Finding("ok", f"none is there; make one with: {CREATE}", None, gone + torn)
    newest = there[-1]
    folder = os.path.dirname(newest.path)
    return Finding("ok", f"{len(there)} there, the newest {_age(newest.created)}, in {folder}", None, gone + torn)


def _age(created: str) -> str:
    try:
        span = environment_clock()() - parse_store(created)
    except ValueError:
        return "of an unknown time"
    days = max(span, timedelta(0)).days
    return "of today" if not days else "1 day old" if days == 1 else f"{days} days old"
