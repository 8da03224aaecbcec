"""OpenClaw keeps its sessions in a database of its own; a plugin hands on what `agent_end` gives it."""

import re

from gbrain.domain.fences import unfenced
from gbrain.harnesses.transcripts.tail import text_of
from gbrain.harnesses.transcripts.unread import ANSWERS, MARKS, answer, folders, foreign, turn

# Not from typing, which takes as long to load as the rest of a hook.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

__all__ = ["ANSWERS", "MARKS", "answer", "folders", "foreign", "said", "turn"]


def said(payload: "Mapping[str, Any]") -> list[str]:
    """The person's messages of the run, the newest first, without the stamp of time and the line of the runtime."""
    event = payload.get("event")
    messages = event.get("messages") if isinstance(event, dict) else None
    found = [
        text_of(message.get("content"))
        for message in reversed(messages if isinstance(messages, list) else [])
        if isinstance(message, dict) and message.get("role") == "user"
    ]
    return [_plain(text) for text in found if text is not None]


def _plain(text: str) -> str:
    # What a plugin puts in front stands before the stamp.
    text = unfenced(text)
    text = re.sub(r"\A\s*\[[^\]\n]{0,30}[0-9]{1,2}:[0-9]{2}[^\]\n]{0,30}\]\s*", "", text)
    return re.sub(r"(?m)^Runtime:[^\n]*\n?", "", text)
