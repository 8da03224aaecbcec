"""The answers about banked turns, as text. Each function is named like its operation."""

from typing import Any

from gbrain.entry.cli import screen
from gbrain.entry.cli.screen import Paint, minute

Given = dict[str, Any]


def turns_list(value: Any, given: Given, paint: Paint) -> str:
    """A line a turn with how it begins under it, and how many wait."""
    if not value["turns"]:
        return "No turns are banked."
    lines = []
    for row in value["turns"]:
        lines.append(_line(row, paint))
        lines += [f"    {row['begins']}"] if row["begins"] else []
    rest = value["total"] - len(value["turns"])
    lines += [f"and {rest:,} more: gbrain turns list --limit {min(1000, value['total'])}"] if rest else []
    count = value["waiting"]
    return "\n".join([*lines, f"{count:,} turns wait to be read" if count != 1 else "1 turn waits to be read"])


def turns_show(value: Any, given: Given, paint: Paint) -> str:
    """The line of a turn, and its words."""
    said = value["text"]
    if said and screen.on_terminal():
        # The fence is for models: a person sees where the words begin and end.
        said = "\n".join(f"  | {line}" for line in said.split("\n")[2:-1])
    return "\n".join([_line(value, paint), f"  {value['file']}", said or "  its words are gone"])


def turns_drop(value: Any, given: Given, paint: Paint) -> str:
    """What is gone."""
    return f"{'Dropped' if value['changed'] else 'Gone already:'} {value['file']}"


def turns_retry(value: Any, given: Given, paint: Paint) -> str:
    """What became of it."""
    return _line(value, paint)


def writeback_preview(value: Any, given: Given, paint: Paint) -> str:
    """Each turn that would be banked with what a model made of it, then what was passed over, then the sums."""
    lines = []
    for turn in value["turns"]:
        if turn["reason"] is None:
            lines.append(f"{minute(turn['at'])}  would be kept  {turn['text']}")
            lines += [f"    {_would(fact)}" for fact in turn["facts"] or ()] or [_unread(turn)]
    for turn in value["turns"]:
        if turn["reason"] is not None:
            lines.append(f"{minute(turn['at'])}  {turn['reason']}  {turn['text']}".rstrip())
    sums = f"In seven days {screen.counted(value['kept'], 'turn')} would have been kept: "
    sums += f"{screen.counted(value['facts_salient'], 'fact')} with salient, {value['facts_all']:,} with all"
    lines.append(f"{sums}; {sum(value['filtered'].values()):,} passed over. None of it was saved.")
    if value["cleared"]:
        lines.append(f"Cleared {screen.counted(value['cleared'], 'turn')}")
    if not value["on"]:
        lines.append("Shadow mode is off: gbrain config set memory.auto_writeback_shadow on")
    return "\n".join(lines)


def _would(fact: Any) -> str:
    notes = [fact["kind"], fact["notability"], *(["for a while"] if fact["transient"] else [])]
    return f"{'' if fact['mode'] == 'salient' else 'only with all: '}{fact['fact']} ({', '.join(notes)})"


def _unread(turn: Any) -> str:
    if turn["failed"]:
        return f"    a model failed: {turn['failed']}"
    if turn["facts"] is None:
        return "    no model has read it, and it asks to remember nothing: it would wait for one"
    return "    a model made nothing of it"


_STATES = {"waiting": "waits", "done": "done", "left": "left"}


def _line(row: Any, paint: Paint) -> str:
    state = _STATES[row["state"]]
    state += f": {row['reason']}" if row["reason"] else ""
    state += f", {screen.counted(len(row['facts']), 'fact')}" if row["facts"] else ""
    goes = f"goes in {screen.counted(row['days_left'], 'day')}"
    where = f"{row['session']}, {row['source_id']}"
    return f"{paint.name(row['id'])}  {minute(row['banked_at'])}  {state}  ({where}; {goes})"
