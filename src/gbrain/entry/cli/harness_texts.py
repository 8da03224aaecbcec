"""What `gbrain bootstrap harness` says."""

import re
from typing import Any

from gbrain.entry.cli import screen
from gbrain.harnesses import changes
from gbrain.harnesses.changes import Change
from gbrain.harnesses.facts import Wanted
from gbrain.harnesses.known import EVERY
from gbrain.harnesses.parts import Part, Whole, entry
from gbrain.harnesses.wiring import Work

OFF = "Agents save what they are asked to. To have them save unasked: gbrain config set memory.auto_writeback salient"
ELSEWHERE = "The brain of another machine has settings of its own, so no instructions and no hooks were put here."
DIFFERING = 8
"""So many lines of a file that differs are shown with how it stands."""
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
    """Every file that would change, by agent: of a person's own file the lines that go and come, of one that is all
    ours what is in it and how long it is."""
    lines = []
    shortened = False
    for work in works:
        if not work.is_any and work.error is None:
            continue
        why = f" nothing, since {work.error.message}" if work.error is not None else ""
        lines.append(f"{TITLES.get(work.name, work.name)}:{why}")
        for change in work.changes:
            if change.is_one:
                here = [part for part in work.parts if part.path == change.held.path]
                lines.append(f"  {kind(change)} {change.held.path}{_inside(here)}{_length(change)}")
                if _all_ours(change, here):
                    shortened = True
                else:
                    lines += [f"      {line}" for line in changes.difference(change, secrets(change))]
    if shortened:
        lines.append("Every line, also of the files that are all ours: the same command with --diff")
    return [screen.harmless(line) for line in lines]


def _all_ours(change: Change, here: list[Part]) -> bool:
    """Whether nothing in a file is its person's: one that comes or goes, or a piece that is a file of its own."""
    return kind(change) != "edit" or (bool(here) and all(isinstance(part, Whole) for part in here))


def _inside(here: list[Part]) -> str:
    """What of ours a file has: the kinds of its pieces, with the name of each."""
    named: dict[str, list[str]] = {}
    for part in here:
        named.setdefault(part.kind, []).append("" if entry(part) == part.kind else entry(part))
    told = [" ".join([what, ", ".join(filter(None, names))]).strip() for what, names in named.items()]
    return f": {'; '.join(told)}" if told else ""


def _length(change: Change) -> str:
    """How long a file is that comes, or that goes."""
    if kind(change) == "edit":
        return ""
    text = change.after if change.after is not None else change.held.text or ""
    return f" ({screen.counted(len(text.splitlines()), 'line')}, {len(text.encode()):,} bytes)"


def whole_plan(works: list[Work]) -> list[str]:
    """Every file that would change, with all the lines that go and come."""
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
            lines += _pieces(row["targets"])
        if row["state"] == "outdated":
            lines += [line for file in row["differs"] for line in _differing(file)]
        if row["error"]:
            lines.append(f"  {row['error']}")
        lines += [f"  note: {note}" for note in row["notes"]]
    return [screen.harmless(line) for line in lines]


def _pieces(targets: list[dict[str, str]]) -> list[str]:
    """A line for the pieces of one sort in one file that stand alike, with their names."""
    named: dict[tuple[str, str, str], list[str]] = {}
    for target in targets:
        named.setdefault((target["state"], target["kind"], target["path"]), []).append(target["entry"])
    return [
        f"  {state:<10} {kind:<13} {path}{': ' if any(names) else ''}{', '.join(filter(None, names))}"
        for (state, kind, path), names in named.items()
    ]


def _differing(file: dict[str, Any]) -> list[str]:
    """What a run would change in a file, its first lines."""
    lines = file["difference"]
    shown = [f"      {line}" for line in lines[:DIFFERING]]
    if len(lines) > DIFFERING:
        more = screen.counted(len(lines) - DIFFERING, "more line")
        shown.append(f"      and {more}: gbrain bootstrap harness --diff")
    return [f"  differs    {file['path']}; the next run would {file['change']} it:", *shown]
