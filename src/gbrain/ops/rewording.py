"""A question in other words, by the model that the settings name for it; off without one."""

import json

from gbrain.domain.ranking.expansion import WAYS
from gbrain.domain.text import collapse
from gbrain.models.chat import Ask, ChatFailed
from gbrain.registry import Context

OFF, RAN, MALFORMED = "off", "ran", "malformed"
SECONDS = 5.0
"""How long a search waits for a model: the local way is nearly as good, and there at once."""
WORDS = 40
"""A longer way of asking is no question any more."""


def reworded(ctx: Context, text: str) -> tuple[list[str] | None, str]:
    """Other ways to ask the same, and `ran`; or None, and `off` or the reason why there are none."""
    lacking = ctx.models.lacking("expand")
    if lacking is not None:
        return None, OFF if lacking.reason == "no_model" else lacking.reason
    # Prompts are files, which a search without a model never reads.
    from gbrain.models.prompts import prompt

    question = f"<question>\n{collapse(text).replace('<', ' ')}\n</question>"
    try:
        answer = ctx.models.ask(
            Ask("expand", prompt("expand").text, question, want_json=True, session=ctx.session, seconds=SECONDS)
        )
    except ChatFailed as failed:
        return None, failed.reason
    ways = _ways(answer.text)
    return (None, MALFORMED) if ways is None else (_others(ways, text), RAN)


def _ways(said: str) -> list[str] | None:
    try:
        found = json.loads(said)
    except (ValueError, RecursionError):
        return None
    ways = found.get("ways") if isinstance(found, dict) else None
    return [collapse(way) for way in ways if isinstance(way, str)] if isinstance(ways, list) else None


def _others(ways: list[str], text: str) -> list[str]:
    kept = (way for way in ways if way and len(way.split()) <= WORDS and way.casefold() != collapse(text).casefold())
    return list(dict.fromkeys(kept))[:WAYS]
