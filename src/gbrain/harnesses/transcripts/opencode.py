"""opencode keeps its sessions in a database of its own; a plugin hands on what `chat.message` gives it."""

from gbrain.harnesses.transcripts.tail import text_of
from gbrain.harnesses.transcripts.unread import ANSWERS, MARKS, answer, folders, foreign, turn

# Not from typing, which takes as long to load as the rest of a hook.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

__all__ = ["ANSWERS", "MARKS", "answer", "folders", "foreign", "said", "turn"]


def said(payload: "Mapping[str, Any]") -> list[str]:
    """The message that was sent, without the quotes that its command line puts around one."""
    output = payload.get("output")
    message = output.get("message") if isinstance(output, dict) else None
    if not isinstance(output, dict) or not isinstance(message, dict) or message.get("role") != "user":
        return []
    text = text_of([part for part in output.get("parts") or () if not part.get("synthetic")])
    if text is None:
        return []
    if len(text) > 1 and text[0] == text[-1] == '"' and '"' not in text[1:-1]:
        text = text[1:-1]
    return [text]
