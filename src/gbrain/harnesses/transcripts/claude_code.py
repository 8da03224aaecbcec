"""Claude Code: one JSON object a line under `projects/`; results of tools are lines of the user too."""

import os
import re

from gbrain.harnesses.transcripts.tail import text_of

# Not from typing, which takes as long to load as the rest of a hook.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MARKS = (b'"user"',)
ANSWERS = (b'"assistant"',)
_BOOKKEEPING = ("local-command-stdout", "local-command-stderr", "local-command-caveat", "command-name",
                "command-message", "command-args", "task-notification")  # fmt: skip


def folders(env: "Mapping[str, str]") -> list[str]:
    """Where its transcripts lie."""
    base = env.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")
    return [os.path.join(base, "projects")]


def foreign(path: str) -> bool:
    """Whether a transcript is a subagent's, which lies in a folder of its own."""
    return f"{os.sep}subagents{os.sep}" in path


def turn(line: "dict[str, Any]") -> "str | None":
    """What a person said in a line; None for tools, subagents, summaries, notices and commands."""
    message = line.get("message")
    if line.get("type") != "user" or not isinstance(message, dict) or message.get("role", "user") != "user":
        return None
    if any(line.get(key) is True for key in ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")):
        return None
    origin = line.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else origin
    if (isinstance(kind, str) and kind and kind != "human") or line.get("promptSource", "") in ("system", None):
        return None
    text = text_of(message.get("content"))
    if text is None:
        return None
    return _own(text)


def answer(line: "dict[str, Any]") -> "str | None":
    """What the agent said in a line; None for tools, thoughts and subagents."""
    message = line.get("message")
    if line.get("type") != "assistant" or line.get("isSidechain") is True or not isinstance(message, dict):
        return None
    return text_of(message.get("content"))


def said(payload: "Mapping[str, Any]") -> list[str]:
    """What the hook's input brings itself: nothing, the transcript has it."""
    return []


def _own(text: str) -> "str | None":
    for tag in _BOOKKEEPING:
        if f"<{tag}>" in text:
            text = re.sub(rf"(?s)<{tag}>.*?(?:</{tag}>|\Z)", "", text)
    if "<pasted_content" in text:
        rest = re.sub(r"(?s)<pasted_content[ \t>][^\n]{0,256}?>?.*?</pasted_content(?:[ \t][^>\n]{0,256})?>", "", text)
        rest = re.sub(r"(?s)<pasted_content id=\"[^\"\n]{1,200}\">.*\Z", "", rest)
        return text if rest.strip() else None
    return text if text.strip() else None
