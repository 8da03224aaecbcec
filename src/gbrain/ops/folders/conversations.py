"""Conversations that other programs export, each as one page: who said what, in order.

Shapes, as the programs write them: Claude's `conversations.json` has `chat_messages` with `sender`; ChatGPT's has a
`mapping` of messages, of which those on the way to `current_node` were seen; Codex keeps a `rollout-*.jsonl` a session.
"""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from gbrain.domain.slugs import slugify
from gbrain.domain.text import clip, collapse
from gbrain.errors import BrainError
from gbrain.sources.editing import with_header
from gbrain.sources.folder import Trouble
from gbrain.sources.pages import read
from gbrain.types import Draft

LIST = "conversations.json"
TITLE_LENGTH, SLUG_LENGTH = 120, 60
SPEAKERS = {"human": "You", "user": "You", "assistant": "Assistant"}


class Said(NamedTuple):
    """One message: who, and what."""

    by: str
    text: str


class Talk(NamedTuple):
    """One conversation: of which program, its id there, title, moment of its beginning (ISO), and what was said."""

    program: str
    id: str
    title: str
    began: str
    said: tuple[Said, ...]


def is_export_of_conversations(place: str) -> bool:
    """Whether a path is such an export: its file, a folder with the list, or one of sessions."""
    if os.path.isfile(place):
        return place.endswith((".json", ".jsonl"))
    return os.path.isfile(os.path.join(place, LIST)) or next(_sessions(place), None) is not None


def conversations(place: str, now: datetime) -> Iterator[Draft | Trouble]:
    """The page of each conversation, or why it has none."""
    listed = os.path.join(place, LIST) if os.path.isdir(place) else place
    if os.path.isfile(listed) and listed.endswith(".json"):
        yield from _listed(listed, now)
        return
    for path in [place] if os.path.isfile(place) else _sessions(place):
        try:
            yield _page(_codex(path), now)
        except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
            yield Trouble(path, None, f"it is no session: {type(error).__name__}", "keep it where it is")


def _listed(path: str, now: datetime) -> Iterator[Draft | Trouble]:
    try:
        with open(path, encoding="utf-8") as file:
            rows = json.load(file)
        assert isinstance(rows, list)
    except (OSError, ValueError, AssertionError):
        yield Trouble(path, None, "it is no list of conversations", "export them again from the program")
        return
    for number, row in enumerate(rows, 1):
        place = f"{os.path.basename(path)}#{number}"
        try:
            yield _page(_chatgpt(row) if "mapping" in row else _claude(row), now)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            yield Trouble(place, None, f"it is no conversation: {type(error).__name__}", "keep the export")


def _page(talk: Talk, now: datetime) -> Draft | Trouble:
    said = [one for one in talk.said if one.text.strip()]
    name = f"{talk.program}: {talk.title or talk.id}"
    if not said:
        return Trouble(name, None, "nothing was said in it", "leave it out")
    title = clip(collapse(talk.title) or collapse(said[0].text), TITLE_LENGTH)
    end = slugify(clip(title, SLUG_LENGTH).replace("/", " ")) or "untitled"
    mark = slugify(talk.id.replace("-", "")[-8:]) or "0"
    slug = f"conversations/{talk.program}/{talk.began[:10]}-{end}-{mark}"
    body = "\n\n".join(f"**{SPEAKERS[one.by]}:**\n\n{one.text.strip()}" for one in said)
    header = {"type": "conversation", "title": title, "date": talk.began[:10], "conversation": talk.id}
    try:
        return read(slug, with_header(f"---\n---\n\n{body}\n", header), now).draft
    except BrainError as error:
        return Trouble(name, None, error.message, error.suggestion)


def _claude(row: dict[str, Any]) -> Talk:
    said = []
    for message in row["chat_messages"]:
        parts = [part.get("text") or "" for part in message.get("content") or [] if part.get("type") == "text"]
        if message["sender"] in SPEAKERS:
            said.append(Said(message["sender"], "\n\n".join(parts) or message.get("text") or ""))
    return Talk("claude", str(row["uuid"]), row.get("name") or "", _moment(row["created_at"]), tuple(said))


def _chatgpt(row: dict[str, Any]) -> Talk:
    nodes, at = row["mapping"], row.get("current_node")
    way: list[dict[str, Any]] = []
    while at is not None and at in nodes and len(way) <= len(nodes):
        way.append(nodes[at])
        at = nodes[at].get("parent")
    said = []
    for node in reversed(way):
        message = node.get("message") or {}
        role = (message.get("author") or {}).get("role")
        parts = (message.get("content") or {}).get("parts") or []
        if role in SPEAKERS:
            said.append(Said(role, "\n\n".join(part for part in parts if isinstance(part, str))))
    id = str(row.get("conversation_id") or row.get("id") or row["create_time"])
    return Talk("chatgpt", id, row.get("title") or "", _moment(row["create_time"]), tuple(said))


def _codex(path: str) -> Talk:
    said: list[Said] = []
    id = began = ""
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            payload = row.get("payload") or row
            if row.get("type") == "session_meta":
                id, began = str(payload["id"]), str(payload.get("timestamp") or row.get("timestamp"))
            elif payload.get("type") == "message" and payload.get("role") in SPEAKERS:
                texts = [part.get("text") or "" for part in payload.get("content") or []]
                text = "\n\n".join(texts)
                # What the program itself puts before a question stands in tags, and nobody said it.
                if not text.lstrip().startswith(("<environment_context>", "<user_instructions>", "# AGENTS.md")):
                    said.append(Said(payload["role"], text))
    return Talk("codex", id or os.path.basename(path), "", _moment(began), tuple(said))


def _moment(value: object) -> str:
    """A moment as ISO text, from ISO text or seconds; raises ValueError for anything else."""
    if isinstance(value, int | float):
        return datetime.fromtimestamp(value, UTC).isoformat()
    return datetime.fromisoformat(str(value)).astimezone(UTC).isoformat()


def _sessions(place: str) -> Iterator[str]:
    for folder, folders, names in os.walk(place):
        folders.sort()
        for name in sorted(names):
            if name.startswith("rollout-") and name.endswith(".jsonl"):
                yield os.path.join(folder, name)
