"""What other programs keep, in the shapes they keep it: whatever went in came out, or is listed with the reason."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

BASIC_MEMORY = {
    "coffee/Coffee Brewing.md": """---
title: Coffee Brewing
type: note
permalink: coffee/coffee-brewing
tags:
- coffee
- brewing
---

# Coffee Brewing

## Observations
- [method] Pour over gives more clarity #brewing (learned in March)
- [decision] Use the flat burrs

## Relations
- relates_to [[Tea Notes]]
- requires [[Grind Theory]] (for an even bed)
- part_of [[Kitchen Project]]
""",
    "Tea Notes.md": "---\ntitle: Tea Notes\npermalink: tea-notes\n---\n\n- contrasts with [[Coffee Brewing]]\n",
    "theory/Grind Theory.md": "---\ntitle: Grind Theory\ntype: guide\npermalink: theory/grind-theory\n---\n\nFines.\n",
}
CLAUDE_CODE = {
    "CLAUDE.md": "# House rules\n\n- Run the tests first\n\n@docs/style.md\n",
    "projects/-home-u-app/memory/MEMORY.md": "# Memory index\n\n- [Tabs](user_tabs.md) — how I indent\n",
    "projects/-home-u-app/memory/user_tabs.md": (
        "---\nname: user-tabs\ndescription: Tabs over spaces\ntype: user\n---\n\nTabs, see [[project-deploy]].\n"
    ),
    "projects/-home-u-app/memory/project-deploy.md": "---\nname: deploy\nmetadata:\n  type: project\n---\nShips.\n",
    "projects/-home-u-app/0b1f.jsonl": '{"type":"user"}\n',
    "settings.json": "{}",
    ".credentials.json": "{}",
}
OPENCLAW = {
    "MEMORY.md": "# Long-term memory\n\n- Dana likes green tea\n",
    "memory/2031-03-01.md": "# 2031-03-01\n\n- Met Dana at the pier\n",
    "memory/2031-03-02.md": "- no heading here\n",
    "memory/heartbeat-state.json": "{}",
}
OBSIDIAN = {
    "People/Dana Oakes.md": (
        "---\naliases:\n  - Dana\n  - D. Oakes\ntags: [rower]\n---\n# Dana Oakes\n\n"
        "At [[Northwind#History|the firm]]. ![[pier.png]] ![[Northwind#History]]\n"
    ),
    "Northwind.md": "# Northwind\n\n## History\n\nFounded by [[Dana#Work]]. %% [[Hidden]] %%\n",
    "Daily/2031-05-04.md": "Met [[D. Oakes]] and [[Nobody Yet|someone]].\n",
    "Board.canvas": "{}",
    "pier.png": "png",
    ".obsidian/app.json": "{}",
    ".obsidian/plugins/x/README.md": "# A plugin\n",
    ".trash/Old.md": "Thrown away.\n",
}


def lay(folder: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def links(local: Any, slug: str) -> list[tuple[str, str]]:
    return sorted((row["to_slug"], row["link_type"]) for row in local("get_links", slug=slug))


@pytest.mark.parametrize("files", [BASIC_MEMORY, CLAUDE_CODE, OPENCLAW, OBSIDIAN])
def test_everything_came_in_byte_for_byte_or_is_listed(files: dict[str, str], local: Any, tmp_path: Path) -> None:
    seen = {path: text for path, text in files.items() if not any(part.startswith(".") for part in path.split("/"))}
    texts = sorted(text for path, text in seen.items() if path.endswith(".md"))
    came = local("import_brain", dir=str(lay(tmp_path / "in", files)))
    assert (came["status"], came["pages"]) == ("ok", len(texts))
    assert sorted(row["path"] for row in came["skipped_files"]) == sorted(p for p in seen if not p.endswith(".md"))
    local("export_brain", dir=str(tmp_path / "out"))
    assert sorted(path.read_text() for path in (tmp_path / "out" / "pages").rglob("*.md")) == texts
    again = local("import_brain", dir=str(tmp_path / "in"))
    assert (again["pages"], again["unchanged"], again["skipped"]) == (0, came["pages"], came["skipped"])


@pytest.mark.parametrize("alone", [True, False])
def test_what_claude_remembers_comes_in(alone: bool, local: Any, tmp_path: Path) -> None:
    project = "0198c1de-1111-7000-8000-000000000001"
    rows = [
        {
            "account_uuid": "x",
            "conversations_memory": "**Work**\n\nRows at dawn.",
            "project_memories": {project: "Ships lenses."},
        },
        {"content": "prefers\ngreen tea"},
        {"text": "lives in Porto"},
    ]
    place = lay(tmp_path / "in", {"memories.json": json.dumps(rows)})
    came = local("import_brain", dir=str(place / "memories.json" if alone else place))
    assert (came["pages"], came["skipped_files"]) == (2, [])
    text = local("get_page", slug="memories/claude")["compiled_truth"]
    assert text == "**Work**\n\nRows at dawn.\n\n- prefers green tea\n- lives in Porto"
    assert local("get_page", slug=f"memories/claude/{project}")["compiled_truth"] == "Ships lenses."
    (place / "memories.json").write_text('[{"other": 1}]')
    (skipped,) = local("import_brain", dir=str(place))["skipped_files"]
    assert skipped["path"] == "memories.json#1"


class TestMeaning:
    def test_basic_memory(self, local: Any, tmp_path: Path) -> None:
        local("import_brain", dir=str(lay(tmp_path / "in", BASIC_MEMORY)))
        page = local("get_page", slug="coffee/coffee-brewing")
        assert (page["title"], page["tags"]) == ("Coffee Brewing", ["brewing", "coffee"])
        assert "- [method] Pour over gives more clarity #brewing (learned in March)" in page["compiled_truth"]
        assert links(local, "coffee/coffee-brewing") == [
            ("tea-notes", "related_to"),
            ("theory/grind-theory", "requires"),
        ]
        assert links(local, "tea-notes") == [("coffee/coffee-brewing", "contrasts_with")]
        local("put_page", slug="kitchen-project", content="# Kitchen Project\n")
        assert ("kitchen-project", "part_of") in links(local, "coffee/coffee-brewing")

    def test_a_relation_line_is_a_sentence_on_any_other_page(self, local: Any, tmp_path: Path) -> None:
        local("import_brain", dir=str(lay(tmp_path / "in", {"a.md": "- requires [[b]]\n", "b.md": "B.\n"})))
        assert links(local, "a") == [("b", "mentions")]

    def test_claude_code(self, local: Any, tmp_path: Path) -> None:
        local("import_brain", dir=str(lay(tmp_path / "in", CLAUDE_CODE)))
        memory = "projects/home-u-app/memory"
        assert local("get_page", slug="claude")["title"] == "House rules"
        assert links(local, f"{memory}/memory") == [(f"{memory}/user_tabs", "mentions")]
        assert local("get_page", slug=f"{memory}/user_tabs")["type"] == "user"
        assert links(local, f"{memory}/user_tabs") == [(f"{memory}/project-deploy", "mentions")]

    def test_pages_are_led_to_by_the_names_other_programs_give_them(self, local: Any, tmp_path: Path) -> None:
        files = {
            "old/Notes (2).md": "---\ntitle: 'Tea: a start'\npermalink: tea/first-steps\n---\n\nLeaves.\n",
            "memory/user_tabs.md": "---\nname: wide-tabs\ndescription: Tabs over spaces\n---\n\nTabs.\n",
            "a/O'Brien, J. Smith & Söhne.md": "# The firm\n",
            "z.md": "[[Tea: a start]] [[tea/first-steps]]\n\n- [[wide-tabs]]\n",
            "y.md": "[[O'Brien, J. Smith & Söhne]]\n",
            "b/x.md": "[it](<a/O'Brien, J. Smith & Söhne.md>) [[a/O'Brien, J. Smith & Söhne|firm]]\n",
        }
        local("import_brain", dir=str(lay(tmp_path / "in", files)))
        assert local("list_unresolved_links") == []
        assert [to for to, _ in links(local, "z")] == ["memory/user_tabs", "old/notes-2"]
        assert [links(local, slug)[0][0] for slug in ("y", "b/x")] == ["a/obrien-j.-smith-sohne"] * 2
        assert local("get_page", slug="tea/first-steps")["slug"] == "old/notes-2"
        assert local("get_page", slug="a/O'Brien, J. Smith & Söhne")["slug"] == "a/obrien-j.-smith-sohne"

    def test_openclaw(self, local: Any, tmp_path: Path) -> None:
        local("import_brain", dir=str(lay(tmp_path / "in", OPENCLAW)))
        slugs = [page["slug"] for page in local("list_pages", sort="slug")]
        assert slugs == ["memory", "memory/2031-03-01", "memory/2031-03-02"]

    def test_obsidian(self, local: Any, tmp_path: Path) -> None:
        local("import_brain", dir=str(lay(tmp_path / "in", OBSIDIAN)))
        assert [to for to, _ in links(local, "people/dana-oakes")] == ["northwind"]
        assert [to for to, _ in links(local, "northwind")] == ["people/dana-oakes"]
        assert [to for to, _ in links(local, "daily/2031-05-04")] == ["people/dana-oakes"]


CHATGPT = {
    "title": "Pier photos",
    "create_time": 1935694200.5,
    "update_time": 1935694300.0,
    "conversation_id": "68a1-77",
    "current_node": "e",
    "mapping": {
        "r": {"id": "r", "message": None, "parent": None, "children": ["s"]},
        "s": {
            "id": "s",
            "parent": "r",
            "children": ["a"],
            "message": {
                "author": {"role": "system"},
                "content": {"content_type": "text", "parts": [""]},
                "metadata": {"is_visually_hidden_from_conversation": True},
            },
        },
        "a": {
            "id": "a",
            "parent": "s",
            "children": ["b", "c"],
            "message": {
                "author": {"role": "user"},
                "create_time": 1935694201.0,
                "recipient": "all",
                "content": {
                    "content_type": "multimodal_text",
                    "parts": [{"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}, "Where?"],
                },
            },
        },
        "b": {
            "id": "b",
            "parent": "a",
            "children": [],
            "message": {"author": {"role": "assistant"}, "content": {"content_type": "text", "parts": ["Unseen."]}},
        },
        "c": {
            "id": "c",
            "parent": "a",
            "children": ["d"],
            "message": {
                "author": {"role": "assistant"},
                "recipient": "python",
                "content": {"content_type": "code", "language": "python", "text": "print(1)"},
            },
        },
        "d": {
            "id": "d",
            "parent": "c",
            "children": ["e"],
            "message": {
                "author": {"role": "tool", "name": "python"},
                "content": {"content_type": "execution_output", "text": "1"},
            },
        },
        "e": {
            "id": "e",
            "parent": "d",
            "children": [],
            "message": {
                "author": {"role": "assistant"},
                "recipient": "all",
                "create_time": 1935694209.0,
                "content": {"content_type": "text", "parts": ["At the pier."]},
            },
        },
    },
}
CLAUDE = {
    "uuid": "0b5c1c0e-1111-2222-3333-444444444444",
    "name": "Rope",
    "summary": "",
    "created_at": "2031-05-04T22:10:00.123456Z",
    "updated_at": "2031-05-04T22:12:00.123456Z",
    "account": {"uuid": "a"},
    "chat_messages": [
        {
            "uuid": "m1",
            "text": "Which rope?",
            "content": [{"type": "text", "text": "Which rope?", "citations": []}],
            "sender": "human",
            "created_at": "2031-05-04T22:10:00.123456Z",
            "attachments": [{"file_name": "list.txt", "file_size": 3, "file_type": "txt", "extracted_content": "a"}],
            "files": [{"file_name": "list.txt"}],
        },
        {
            "uuid": "m2",
            "text": "Green.",
            "content": [
                {"type": "thinking", "thinking": "Hm."},
                {"type": "tool_use", "name": "web_search", "input": {}},
                {"type": "tool_result", "name": "web_search", "content": []},
                {"type": "text", "text": "Green.", "citations": []},
            ],
            "sender": "assistant",
            "created_at": "2031-05-04T22:10:09.123456Z",
            "attachments": [],
            "files": [],
        },
    ],
}


def _item(role: str, *texts: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text} for text in texts]
    payload = {"type": "message", "id": "msg_1", "role": role, "content": content}
    return {"timestamp": "2031-05-04T22:10:01.000Z", "ordinal": 2, "type": "response_item", "payload": payload}


CODEX: list[dict[str, Any]] = [
    {
        "timestamp": "2031-05-04T22:10:00.952Z",
        "ordinal": 0,
        "type": "session_meta",
        "payload": {
            "id": "01a2-8631b0",
            "timestamp": "2031-05-04T22:09:59.769Z",
            "cwd": "/w",
            "cli_version": "0.171.0",
        },
    },
    {"type": "event_msg", "payload": {"type": "task_started", "turn_id": "t"}},
    _item("developer", "<skills_instructions>…</skills_instructions>"),
    _item("user", "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>x</INSTRUCTIONS>", "<environment_context>x"),
    {"type": "world_state", "payload": {"full": True, "state": {}}},
    {"type": "turn_context", "payload": {"approval_policy": "never", "cwd": "/w", "model": "m"}},
    _item("user", "<environment_context>x</environment_context>", "Remember that I prefer tabs"),
    _item("assistant", "Saving."),
    {"type": "response_item", "payload": {"type": "function_call", "name": "remember", "arguments": "{}"}},
    {"type": "response_item", "payload": {"type": "function_call_output", "call_id": "c", "output": "ok"}},
    {"type": "token_usage_record", "payload": {"usage": {}}},
    {"type": "event_msg", "payload": {"type": "item_completed", "item": {}}},
    _item("assistant", "Saved."),
]


def only_page(local: Any) -> str:
    [found] = local("list_pages")
    text: str = local("get_page", slug=found["slug"])["compiled_truth"]
    return text


class TestConversations:
    def test_chatgpt(self, local: Any, tmp_path: Path) -> None:
        bare = {"title": "Empty", "create_time": 1935694200.5, "mapping": {}, "current_node": None, "id": "x"}
        files = {"conversations.json": json.dumps([CHATGPT, bare]), "chat.html": "<p>", "user.json": "{}"}
        came = local("import_brain", dir=str(lay(tmp_path / "in", files)))
        assert (came["pages"], came["skipped"]) == (1, 3)
        assert {row["path"] for row in came["skipped_files"]} == {"conversations.json#2", "chat.html", "user.json"}
        assert only_page(local) == "**You:**\n\n[image]\n\nWhere?\n\n**Assistant:**\n\nAt the pier."

    def test_chatgpt_that_does_not_say_what_was_seen_or_when(self, local: Any, tmp_path: Path) -> None:
        row = {**CHATGPT, "current_node": None, "create_time": None}
        came = local("import_brain", dir=str(lay(tmp_path / "in", {"conversations-000.json": json.dumps([row])})))
        assert (came["pages"], came["skipped"]) == (1, 0)
        assert only_page(local).endswith("At the pier.")

    def test_claude(self, local: Any, tmp_path: Path) -> None:
        files = {"conversations.json": json.dumps([CLAUDE]), "users.json": "[]", "projects.json": "[]"}
        came = local("import_brain", dir=str(lay(tmp_path / "in", files)))
        assert (came["status"], came["pages"], came["skipped"]) == ("ok", 1, 2)
        assert only_page(local) == "**You:**\n\nWhich rope?\n\n[file: list.txt]\n\n**Assistant:**\n\nGreen."

    def test_codex(self, local: Any, tmp_path: Path) -> None:
        rows = "".join(json.dumps(row) + "\n" for row in CODEX)
        cut = "sessions/2031/05/04/rollout-2031-05-04T22-09-59-01a2.jsonl"
        came = local("import_brain", dir=str(lay(tmp_path / "in", {cut: rows + '{"timestamp": "2031-'})))
        assert (came["pages"], came["skipped"]) == (1, 0)
        said = "**You:**\n\nRemember that I prefer tabs\n\n**Assistant:**\n\nSaving.\n\n**Assistant:**\n\nSaved."
        assert only_page(local) == said

    def test_a_folder_of_pages_and_conversations_gives_both(self, local: Any, tmp_path: Path) -> None:
        files = {"conversations.json": json.dumps([CLAUDE]), "AGENTS.md": "# Rules\n", "memories/a.md": "A.\n"}
        came = local("import_brain", dir=str(lay(tmp_path / "in", files)))
        assert (came["status"], came["pages"], came["skipped"]) == ("ok", 3, 0)
