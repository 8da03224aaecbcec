"""Gemini CLI: one JSON object a line under `tmp/PROJECT/chats/`; what hooks injected stands inside the user's text."""

import os

from gbrain.harnesses.transcripts.tail import text_of

# Not from typing, which takes as long to load as the rest of a hook.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MARKS = (b'"user"',)
ANSWERS = (b'"gemini"',)


def folders(env: "Mapping[str, str]") -> list[str]:
    """Where its transcripts lie."""
    return [os.path.join(os.path.expanduser("~"), ".gemini", "tmp")]


def foreign(path: str) -> bool:
    """Never: there is no telling."""
    return False


def turn(line: "dict[str, Any]") -> "str | None":
    """What a person said in a line; answers of functions and the context of the session are none."""
    if line.get("type") != "user":
        return None
    text = text_of(line.get("displayContent")) or text_of(line.get("content"))
    return None if text is None or text.lstrip().startswith("<session_context>") else text


def answer(line: "dict[str, Any]") -> "str | None":
    """What the agent said in a line."""
    return text_of(line.get("content")) if line.get("type") == "gemini" else None


def said(payload: "Mapping[str, Any]") -> list[str]:
    """The prompt that AfterAgent brings."""
    prompt = payload.get("prompt")
    return [prompt] if isinstance(prompt, str) and prompt.strip() else []
