"""Conversations that other programs export, each as one page: who said what, in order; and what Claude remembers.

Shapes, as the programs write them: Claude's `conversations.json` has `chat_messages` with `sender`; ChatGPT's has a
`mapping` of messages, of which those on the way to `current_node` were seen; Codex keeps a `rollout-*.jsonl` a session.
Claude's `memories.json` has a text in `conversations_memory` and one a project in `project_memories`, or has items
with a `text`
(https://portable-ai-memory.org/providers/anthropic).
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

TITLE_LENGTH, SLUG_LENGTH = 120, 60
SPEAKERS = {"human": "You", "user": "You", "assistant": "Assistant"}
UNSAID = ("<environment_context>", "<user_instructions>", "# AGENTS.md", "<turn_aborted>")
"""How a text begins that Codex itself puts before a question."""


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


def files(place: str) -> list[str]:
    """The paths of exported conversations: the file itself, a folder's `conversations*.json` and `memories.json`, and
    `rollout-*.jsonl` anywhere below it."""
    if os.path.isfile(place):
        return [place] if place.endswith((".json", ".jsonl")) else []
    beginnings = ("conversations", "memories.json")
    lists = (name for name in os.listdir(place) if name.startswith(beginnings) and name.endswith(".json"))
    return [*(os.path.join(place, name) for name in sorted(lists)), *_sessions(place)]


def conversations(place: str, now: datetime) -> Iterator[tuple[str, Draft | Trouble]]:
    """For each conversation of a path where it stands, and its page or why it has none."""
    for path in files(place):
        name = os.path.basename(path) if path == place else os.path.relpath(path, place)
        if path.endswith(".json"):
            yield from _listed(path, name, now)
            continue
        try:
            yield name, _page(name, _codex(path), now)
        except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
            yield name, Trouble(name, None, f"it is no session: {type(error).__name__}", "keep it where it is")


def _listed(path: str, name: str, now: datetime) -> Iterator[tuple[str, Draft | Trouble]]:
    try:
        with open(path, encoding="utf-8-sig") as file:
            rows = json.load(file)
        assert isinstance(rows, list)
    except (OSError, ValueError, AssertionError):
        yield name, Trouble(name, None, "it is no list of conversations", "export them again from the program")
        return
    if rows and all(_is_remembered(row) for row in rows):
        for slug, title, text in _remembered(rows):
            yield name, _made(name, slug, {"type": "note", "title": title}, text, now)
        return
    for number, row in enumerate(rows, 1):
        place = f"{name}#{number}"
        try:
            yield place, _page(place, _chatgpt(row) if "mapping" in row else _claude(row), now)
        except (ValueError, KeyError, TypeError, AttributeError, OSError, OverflowError) as error:
            yield place, Trouble(place, None, f"it is no conversation: {type(error).__name__}", "keep the export")


def _page(place: str, talk: Talk, now: datetime) -> Draft | Trouble:
    said = [one for one in talk.said if one.text.strip()]
    if not said:
        return Trouble(place, None, "nothing was said in it", "leave it out")
    title = clip(collapse(talk.title) or collapse(said[0].text), TITLE_LENGTH)
    end = slugify(clip(title, SLUG_LENGTH).replace("/", " ")) or "untitled"
    mark = slugify(talk.id.replace("-", "")[-8:]) or "0"
    slug = f"conversations/{talk.program}/{talk.began[:10]}-{end}-{mark}"
    body = "\n\n".join(f"**{SPEAKERS[one.by]}:**\n\n{one.text.strip()}" for one in said)
    header = {"type": "conversation", "title": title, "date": talk.began[:10], "conversation": talk.id}
    return _made(place, slug, header, body, now)


def _made(place: str, slug: str, header: dict[str, str], body: str, now: datetime) -> Draft | Trouble:
    try:
        return read(slug, with_header(f"---\n---\n\n{body}\n", header), now).draft
    except BrainError as error:
        return Trouble(place, None, error.message, error.suggestion)


_REMEMBERED = frozenset({"conversations_memory", "project_memories", "text", "content"})


def _is_remembered(row: Any) -> bool:
    talk = isinstance(row, dict) and ("chat_messages" in row or "mapping" in row)
    return isinstance(row, dict) and not talk and bool(_REMEMBERED.intersection(row))


def _remembered(rows: list[dict[str, Any]]) -> Iterator[tuple[str, str, str]]:
    """The slug, title and text of each page of what Claude remembers."""
    texts = [row["conversations_memory"] for row in rows if isinstance(row.get("conversations_memory"), str)]
    items = (row.get("text") or row.get("content") for row in rows)
    texts += ["\n".join(f"- {collapse(item)}" for item in items if isinstance(item, str))]
    if body := "\n\n".join(text.strip() for text in texts if text.strip()):
        yield "memories/claude", "What Claude remembers", body
    for row in rows:
        projects = row.get("project_memories")
        for id, text in projects.items() if isinstance(projects, dict) else ():
            if isinstance(text, str) and text.strip():
                title = f"What Claude remembers of the project {id[:8]}"
                yield f"memories/claude/{slugify(id) or 'project'}", title, text.strip()


def _claude(row: dict[str, Any]) -> Talk:
    said = []
    for message in row["chat_messages"]:
        parts = [part.get("text") or "" for part in message.get("content") or [] if part.get("type") == "text"]
        text = "\n\n".join(part for part in parts if part) or message.get("text") or ""
        named = {
            str(file["file_name"]): 1
            for file in [*(message.get("attachments") or []), *(message.get("files") or [])]
            if file.get("file_name")
        }
        if message["sender"] in SPEAKERS:
            said.append(Said(message["sender"], "\n\n".join([text, *(f"[file: {name}]" for name in named)])))
    return Talk("claude", str(row["uuid"]), row.get("name") or "", _moment(row["created_at"]), tuple(said))


def _chatgpt(row: dict[str, Any]) -> Talk:
    nodes = row["mapping"]
    at = row.get("current_node") or _last(nodes)
    way: list[dict[str, Any]] = []
    while at is not None and at in nodes and len(way) <= len(nodes):
        way.append(nodes[at])
        at = nodes[at].get("parent")
    said, moments = [], [row.get("create_time")]
    for node in reversed(way):
        message = node.get("message") or {}
        role = (message.get("author") or {}).get("role")
        hidden = (message.get("metadata") or {}).get("is_visually_hidden_from_conversation")
        # What goes to another recipient is a call of a tool, which a person does not see.
        if role in SPEAKERS and not hidden and message.get("recipient", "all") == "all":
            parts = (message.get("content") or {}).get("parts") or []
            said.append(Said(role, "\n\n".join(map(_part, parts))))
            moments.append(message.get("create_time"))
    id = row.get("conversation_id") or row.get("id") or row["create_time"]
    began = next(moment for moment in [*moments, row.get("update_time"), ""] if moment is not None)
    return Talk("chatgpt", str(id), row.get("title") or "", _moment(began), tuple(said))


def _last(nodes: dict[str, Any]) -> str | None:
    """The end of the branch that was said last, for an export that does not say which one was seen."""
    ends = [id for id, node in nodes.items() if not node.get("children")]
    return max(ends, key=lambda id: (nodes[id].get("message") or {}).get("create_time") or 0, default=None)


def _part(part: object) -> str:
    """One part of a message of ChatGPT as text: an image or a recording leaves a mark of itself."""
    if isinstance(part, dict):
        kind = str(part.get("content_type") or "part").partition("_")[0]
        return str(part.get("text") or f"[{kind}]")
    return part if isinstance(part, str) else ""


def _codex(path: str) -> Talk:
    said: list[Said] = []
    id = began = ""
    for row in _lines(path):
        payload = row.get("payload") or row
        if row.get("type") == "session_meta" or ("type" not in row and "timestamp" in row and "id" in row):
            id, began = str(payload["id"]), str(payload.get("timestamp") or row.get("timestamp"))
        elif payload.get("type") == "message" and payload.get("role") in SPEAKERS:
            parts = payload.get("content") or []
            texts = (part.get("text") or ("[image]" if part.get("type") == "input_image" else "") for part in parts)
            kept = [text for text in texts if text and not text.lstrip().startswith(UNSAID)]
            said.append(Said(payload["role"], "\n\n".join(kept)))
    return Talk("codex", id or os.path.basename(path), "", _moment(began), tuple(said))


def _lines(path: str) -> Iterator[dict[str, Any]]:
    """The rows of a session; a last line that was cut off while it was written is none."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.strip():
                continue
            try:
                yield json.loads(line)
            except ValueError:
                if line.endswith("\n"):
                    raise
                return


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
