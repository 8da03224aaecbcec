"""The answers about banked turns, as text. Each function is named like its operation."""

from typing import Any

from gbrain.entry.cli import screen
from gbrain.entry.cli.screen import Paint, minute

Given = dict[str, Any]


def turns_list(value: Any, given: Given, paint: Paint) -> str:
    """A line a turn, and how many wait."""
    if not value["turns"]:
        return "No turns are banked."
    lines = [_line(row, paint) for row in value["turns"]]
    rest = value["total"] - len(lines)
    lines += [f"and {rest:,} more: gbrain turns list --limit {min(1000, value['total'])}"] if rest else []
    return "\n".join([*lines, f"{screen.counted(value['waiting'], 'turn')} of all wait to be read"])


def turns_show(value: Any, given: Given, paint: Paint) -> str:
    """The line of a turn, and its words."""
    return "\n".join([_line(value, paint), f"  {value['file']}", value["text"] or "  its words are gone"])


def turns_drop(value: Any, given: Given, paint: Paint) -> str:
    """What is gone."""
    return f"{'Dropped' if value['changed'] else 'Gone already:'} {value['file']}"


def turns_retry(value: Any, given: Given, paint: Paint) -> str:
    """What became of it."""
    return _line(value, paint)


_STATES = {"waiting": "waits", "done": "done", "left": "left"}


def _line(row: Any, paint: Paint) -> str:
    state = _STATES[row["state"]]
    state += f": {row['reason']}" if row["reason"] else ""
    state += f", {screen.counted(len(row['facts']), 'fact')}" if row["facts"] else ""
    goes = f"goes in {screen.counted(row['days_left'], 'day')}"
    where = f"{row['session']}, {row['source_id']}"
    return f"{paint.name(row['id'])}  {minute(row['banked_at'])}  {state}  ({where}; {goes})"
