"""Turns of a transcript that is still being written: text with the name of who speaks, or JSON lines of any agent."""

import json
from collections.abc import Iterator
from typing import Any

from gbrain.domain.offers.reading import Said

LONGEST = 200_000
"""Characters of a turn; what is beyond them is cut off."""
ROLES = {"user": "user", "human": "user", "assistant": "assistant", "model": "assistant", "ai": "assistant"}
_ASSISTANTS = {"assistant", "model", "ai", "gemini", "agent_message"}


class Stream:
    """Takes the lines of a transcript one after another and gives the turns that they complete.

    A line of JSON is a turn by itself, or none: what tools said, and what belongs to no conversation. In text a turn
    begins with `User: ...` or `[user]`, and ends with the next one, an empty line, or `rest`. Text that nobody is
    named for is the user's.
    """

    def __init__(self) -> None:
        self._role = "user"
        self._lines: list[str] = []
        self._size = 0

    def take(self, line: str) -> Iterator[Said]:
        """The turns that this line completes: none, one, or where JSON follows text, two."""
        line = line.rstrip("\r\n").lstrip("\ufeff")
        if line[:1] == "{":
            row = _object(line)
            if row is not None:
                yield from self.rest()
                said = of_row(row)
                if said is not None:
                    yield said
                return
        if not line.strip():
            yield from self.rest()
            return
        role, text = _headed(line)
        if role is not None:
            yield from self.rest()
            self._role = role
        if text.strip() and self._size < LONGEST:
            self._lines.append(text[: LONGEST - self._size])
            self._size += len(text)

    def rest(self) -> Iterator[Said]:
        """The turn that was begun, now that no more of it comes."""
        if self._lines:
            yield Said(self._role, "\n".join(self._lines))
        self._role, self._lines, self._size = "user", [], 0


def of_row(row: dict[str, Any]) -> Said | None:
    """The turn in one line of an agent's transcript, None where it is none: Claude Code's, Codex', Gemini's, or
    `{"role", "text"}`."""
    held = row.get("payload") if isinstance(row.get("payload"), dict) else row
    assert isinstance(held, dict)
    inner = held.get("message")
    message: dict[str, Any] = inner if isinstance(inner, dict) else held
    role = message.get("role") or held.get("role") or held.get("type")
    if row.get("isMeta") is True or row.get("isSidechain") is True or row.get("isCompactSummary") is True:
        return None
    text = _text(message.get("content", message.get("text", inner if isinstance(inner, str) else None)))
    if not isinstance(role, str) or not text.strip():
        return None
    if role in ("user", "human", "user_message"):
        return Said("user", text[:LONGEST])
    return Said("assistant", text[:LONGEST]) if role in _ASSISTANTS else None


def _text(content: object) -> str:
    """What is said in a content: a text, or blocks of which those of text count."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    blocks = [block for block in content if isinstance(block, dict)]
    # Agents write what tools said as turns of the user.
    if any(block.get("type") == "tool_result" for block in blocks):
        return ""
    return "\n".join(block["text"] for block in blocks if isinstance(block.get("text"), str))


def _object(line: str) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def _headed(line: str) -> tuple[str | None, str]:
    """Who speaks from this line on, None for whoever spoke before, and what the line says."""
    said = line.strip()
    if said[:1] == "[" and said[-1:] == "]" and said[1:-1].casefold() in ROLES:
        return ROLES[said[1:-1].casefold()], ""
    head, colon, rest = line.partition(":")
    role = ROLES.get(head.strip().strip("*#> ").casefold()) if colon else None
    return (role, rest.strip(" *")) if role is not None else (None, line)
