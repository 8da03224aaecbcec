"""Codex: rollouts of `{timestamp, type, payload}` lines under `sessions/`; `notify` gives one JSON argument."""

import os
from typing import TYPE_CHECKING

from gbrain.harnesses.transcripts.tail import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MARKS = (b"UserMessage", b"user_message")


def folders(env: "Mapping[str, str]") -> list[str]:
    """Where its transcripts lie."""
    return [os.path.join(env.get("CODEX_HOME") or os.path.join(os.path.expanduser("~"), ".codex"), "sessions")]


def turn(line: "dict[str, Any]") -> "str | None":
    """What a person said in a line. Items of the role user hold instructions and context as well, so only the event
    that a message of the user is complete counts."""
    payload = line.get("payload")
    if line.get("type") != "event_msg" or not isinstance(payload, dict):
        return None
    if payload.get("type") == "user_message":
        message = payload.get("message")
        return message if isinstance(message, str) else None
    item = payload.get("item")
    if payload.get("type") == "item_completed" and isinstance(item, dict) and item.get("type") == "UserMessage":
        return text_of(item.get("content"))
    return None


def said(payload: "Mapping[str, Any]") -> list[str]:
    """The turns that `notify` brings, the newest first; none for a hook."""
    told = payload.get("input-messages")
    return [text for text in reversed(told) if isinstance(text, str)] if isinstance(told, list) else []
