"""Codex: rollouts of `{timestamp, type, payload}` lines under `sessions/`; `notify` gives one JSON argument."""

import json
import os

from gbrain.harnesses.transcripts.tail import text_of

# Not from typing, which takes as long to load as the rest of a hook.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MARKS = (b"UserMessage", b"user_message")
ANSWERS = (b"AgentMessage", b"agent_message")
_LONGEST_META = 4 * 1024 * 1024


def folders(env: "Mapping[str, str]") -> list[str]:
    """Where its transcripts lie."""
    return [os.path.join(env.get("CODEX_HOME") or os.path.join(os.path.expanduser("~"), ".codex"), "sessions")]


def meta(path: str) -> "dict[str, Any]":
    """What a rollout says of itself in its first line; nothing where that cannot be read. Raises OSError."""
    with open(path, "rb") as file:
        try:
            line = json.loads(file.readline(_LONGEST_META))
            told = line["payload"] if line["type"] == "session_meta" else None
        except (ValueError, TypeError, KeyError, RecursionError):
            return {}
    return told if isinstance(told, dict) else {}


def foreign(path: str) -> bool:
    """Whether a rollout is of an agent that another agent started: what its user says no person said."""
    told = meta(path)
    source = told.get("source")
    return isinstance(source, dict) or source == "subagent" or told.get("thread_source", "user") not in ("user", None)


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


def answer(line: "dict[str, Any]") -> "str | None":
    """What the agent said in a line."""
    payload = line.get("payload")
    if line.get("type") != "event_msg" or not isinstance(payload, dict):
        return None
    if payload.get("type") == "agent_message":
        message = payload.get("message")
        return message if isinstance(message, str) else None
    item = payload.get("item")
    if payload.get("type") == "item_completed" and isinstance(item, dict) and item.get("type") == "AgentMessage":
        return text_of(item.get("content"), ("text", "Text"))
    return None


def said(payload: "Mapping[str, Any]") -> list[str]:
    """The turns that `notify` brings, the newest first; none for a hook."""
    told = payload.get("input-messages")
    if _of_a_subagent(payload.get("thread-id")):
        return []
    return [text for text in reversed(told) if isinstance(text, str)] if isinstance(told, list) else []


def _of_a_subagent(thread: object) -> bool:
    """Whether the rollout of a thread, one of the latest day, is an agent's that another agent started."""
    for folder in folders(os.environ) if isinstance(thread, str) and thread else ():
        # The year, the month and the day.
        for _ in range(3):
            folder = os.path.join(folder, max(_names(folder), default=""))
        for name in _names(folder):
            if name.endswith(f"{thread}.jsonl"):
                return foreign(os.path.join(folder, name))
    return False


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
