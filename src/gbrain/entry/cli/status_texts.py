"""The answers about the brain at a glance, as text. Each function is named like its operation."""

from datetime import date, timedelta
from typing import Any

from gbrain.entry.cli.screen import Paint, counted, minute, on_one_line

Given = dict[str, Any]
BARS = "▁▂▃▄▅▆▇█"


def status(value: Any, given: Given, paint: Paint) -> str:
    """One screen: what it holds, the mode, the last facts, what waits, what runs out."""
    size = f", {value['bytes'] / 1e6:.1f} MB" if value["bytes"] is not None else ""
    lines = [f"{paint.name(value['home'])} ({value['engine']}{size})"]
    held = [counted(value[key], key[:-1]) for key in ("pages", "facts", "sources")]
    lines.append(f"  holds      {', '.join(held)}")
    consent = f", consent {value['consent']}: gbrain consents" if value["consent"] else ""
    lines.append(f"  unasked    {value['writeback']}{consent}")
    if value["days"]:
        lines.append(
            f"  28 days    {sparkline(_by_day(value['days'], value['now']))}  facts saved a day, the last is today"
        )
    lines.append(
        "  last saved" if value["last"] else "  last saved  nothing yet: gbrain remember TEXT --provenance WHERE"
    )
    lines += [f"    {line}" for one in value["last"] for line in _saved(one, paint)]
    if value["lapsing"]:
        lines.append("  lapses soon")
        lines += [f"    #{one['id']}  {one['fact']}  ({minute(one['valid_until'])})" for one in value["lapsing"]]
    waiting = value["waiting"]
    waits = [
        f"{counted(waiting[name], noun).replace('file behind its pages', 'files behind their pages')}: {command}"
        for name, noun, command in (
            ("turns", "banked turn", "gbrain turns list"),
            ("vectors", "missing vector", "gbrain embed"),
            ("files", "file behind its page", "gbrain sync"),
        )
        if waiting[name]
    ]
    lines.append(f"  waits      {waits[0] if waits else 'nothing'}")
    lines += [f"             {wait}" for wait in waits[1:]]
    if value["unread"]:
        left = waiting["unread"] - len(value["unread"])
        lines.append(f"  unread     {counted(waiting['unread'], 'file')} that a sync could not read: gbrain sync --all")
        lines += [f"    {one['source_id']}: {one['path']}: {one['message']}" for one in on_one_line(value["unread"])]
        lines += [f"    and {left:,} more: gbrain doctor --json"] if left else []
    if "health" in value:
        lines.append(f"  health     {_health(value['health'], paint)}")
    return "\n".join(lines)


def _health(health: Any, paint: Paint) -> str:
    issues = health["issues"]
    if not issues:
        return paint.good("well") + "; all of it: gbrain doctor"
    more = f", and {len(issues) - 1} more" if issues[1:] else ""
    colour = paint.bad if health["status"] == "unhealthy" else paint.warning
    return f"{colour(issues[0]['name'])}: {issues[0]['message']}{more}; see: gbrain doctor"


def _by_day(days: Any, now: str) -> list[int]:
    """Facts saved on each of the last 28 days."""
    saved = {day["day"]: day["saved"] for day in days}
    today = date.fromisoformat(now[:10])
    return [saved.get((today - timedelta(days=back)).isoformat(), 0) for back in range(27, -1, -1)]


def _saved(one: Any, paint: Paint) -> list[str]:
    about = f" ({one['entity_slug']})" if one["entity_slug"] else ""
    ended = " [ended]" if one["ended_at"] else ""
    by = f" by {one['saved_by']}" if one["saved_by"] else ""
    return [
        f"{paint.name('#' + one['id'])}  {one['fact']}{about}{ended}",
        f"      {minute(one['saved_at'])}{by}: {one['provenance']}",
    ]


def sparkline(numbers: list[int]) -> str:
    """Numbers as bars of one line; the greatest fills its place."""
    most = max(numbers, default=0)
    return "".join(BARS[min(len(BARS) - 1, number * len(BARS) // (most + 1))] for number in numbers) if most else ""


def activity(value: Any, given: Given, paint: Paint) -> str:
    """One line an event, the earliest first."""
    return "\n".join(event(one, paint) for one in value["events"]) or "Nothing happened."


def event(one: Any, paint: Paint) -> str:
    """An event as a line."""
    who = f"  — {one['who']}" if one["who"] else ""
    return f"{one['at'][:19].replace('T', ' ')}  {one['what']:<7}  {paint.name(one['id'])}  {one['text']}{who}"


def list_facts(value: Any, given: Given, paint: Paint) -> str:
    """One line a fact, the newest first, and how the list goes on."""
    lines = []
    for one in value["facts"]:
        about = f" ({one['entity_slug']})" if one["entity_slug"] else ""
        marks = [word for word in (one["visibility"], one["state"]) if word not in ("world", "live")]
        told = f" [{', '.join(marks)}]" if marks else ""
        lines.append(f"{paint.name('#' + one['id'])}  {one['fact']}{about}{told}  — {one['provenance']}")
    if value["next"]:
        lines.append(f"There are more: gbrain facts --before {value['next']}")
    return "\n".join(lines) or "No such facts."
