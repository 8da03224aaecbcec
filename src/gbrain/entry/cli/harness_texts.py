"""What `gbrain bootstrap harness` says."""

import re
from typing import Any

from gbrain.entry.cli import screen
from gbrain.harnesses import changes
from gbrain.harnesses.changes import Change
from gbrain.harnesses.facts import Wanted
from gbrain.harnesses.known import EVERY
from gbrain.harnesses.wiring import Work

OFF = "Agents save what they are asked to. To have them save unasked: gbrain config set memory.auto_writeback salient"
ELSEWHERE = "The brain of another machine has settings of its own, so no instructions and no hooks were put here."
_BEARER = re.compile(r"Bearer ([^\s\"']+)")
TITLES = {facts.name: facts.title for facts in EVERY}


def head(mode: str, serve: str) -> str:
    """The first line of a block: who keeps it."""
    return (
        f"<!-- Kept by `gbrain bootstrap harness`; mode: {mode}; serve: {serve}; run it again after a"
        " change of settings; do not edit inside -->"
    )


def kind(change: Change) -> str:
    """What becomes of a file."""
    return "remove" if change.after is None else "create" if change.held.text is None else "edit"


def secrets(change: Change) -> tuple[str, ...]:
    """Tokens in what stands in a file now and in what shall stand there; they are not shown."""
    texts = (change.held.text or "", change.after or "")
    return tuple(dict.fromkeys(found for text in texts for found in _BEARER.findall(text)))


def plan(works: list[Work]) -> list[str]:
    """Every file that would change, with the lines that go and come."""
    lines = []
    for work in works:
        if work.error is not None:
            lines.append(f"{TITLES.get(work.name, work.name)}: nothing, since {work.error.message}")
        for change in work.changes:
            if change.is_one:
                lines.append(f"{kind(change)} {change.held.path}")
                lines += [f"    {line}" for line in changes.difference(change, secrets(change))]
    return [screen.harmless(line) for line in lines]


def consent(wanted: Wanted) -> list[str]:
    """What a person agrees to beside the changes that are shown."""
    lines = []
    if wanted.section is not None:
        lines.append("The instructions ask these agents to save unasked what you tell them.")
    if wanted.hook:
        even = ", also while memory.auto_writeback is not set" if "--capture" in wanted.hook_options else ""
        lines.append(f"The hooks keep what you say in a turn that was not saved{even}; it leaves this machine only")
        lines.append("  for a language model, if you have set one.")
    if wanted.recall:
        lines.append(
            "At a session's start and before a turn, hooks bring the agent what this brain holds on it; what is"
        )
        lines.append("  private only if memory.auto_recall says so. Off: gbrain config set memory.auto_recall off")
    return lines


def outcome(works: list[Work], done: str) -> list[str]:
    """How it ended for each harness."""
    lines = []
    for work in works:
        title = TITLES.get(work.name, work.name)
        count = sum(change.is_one for change in work.changes)
        if work.error is not None:
            lines += [f"{title}: {work.error.message}", f"  {work.error.suggestion}"]
        elif count:
            lines.append(
                f"{title}: {done}, {screen.counted(count, 'file')} changed; it takes effect when it starts again"
            )
        else:
            lines.append(f"{title}: {done} already, nothing to change")
    return [screen.harmless(line) for line in lines] or ["no agent is joined to this brain"]


def status(rows: list[dict[str, Any]]) -> list[str]:
    """How each harness stands."""
    lines = []
    for row in rows:
        here = "" if row["here"] else " (not on this machine)"
        lines.append(f"{TITLES.get(row['harness'], row['harness'])}: {row['state']}{here}")
        if row["state"] != "missing":
            lines += [f"  {target['state']:<10} {target['kind']:<13} {target['path']}" for target in row["targets"]]
        if row["error"]:
            lines.append(f"  {row['error']}")
        lines += [f"  note: {note}" for note in row["notes"]]
    return [screen.harmless(line) for line in lines]
