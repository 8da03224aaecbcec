"""Transcripts of each agent, read from their ends."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from gbrain.harnesses.transcripts import claude_code, codex, gemini, openclaw, opencode, tail


def write(path: Path, *rows: Any, torn: str = "") -> str:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows) + torn, encoding="utf-8")
    return str(path)


def user(content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": content}, **more}


def claude(path: str, most: int = 1) -> list[str]:
    return tail.newest(path, claude_code.MARKS, claude_code.turn, most)


RESULT = user([{"type": "tool_result", "tool_use_id": "t", "content": "x" * 140_000}])
NOISE = [
    RESULT,
    user("a subagent's task", isSidechain=True),
    user("a caveat", isMeta=True),
    user("This session is being continued", isCompactSummary=True),
    user("<command-name>/compact</command-name>\n<command-args></command-args>"),
    user("<local-command-stdout>Compacted</local-command-stdout>"),
    user("<task-notification>\n<task-id>1</task-id>\n</task-notification>"),
    user("from a timer", promptSource="system"),
    user("from a queue", origin={"kind": "channel"}),
    user('<pasted_content id="1">\nall pasted\n</pasted_content id="1">'),
    {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": 'the "user" said'}]}},
    {"type": "system", "subtype": "compact_boundary"},
]


def test_only_a_persons_own_lines_of_claude_code_are_turns(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", user("the first"), user([{"type": "text", "text": "I prefer tabs"}]), *NOISE)
    assert claude(path) == ["I prefer tabs"]
    assert claude(path, 9) == ["I prefer tabs", "the first"]


def test_torn_lines_and_other_encodings_are_read(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", user("I prefer tabs"), torn='{"type":"user","message":{"role":"us')
    assert claude(path) == ["I prefer tabs"]
    wide = tmp_path / "b.jsonl"
    wide.write_text(json.dumps(user("我喜欢制表符"), ensure_ascii=False) + "\n", encoding="utf-16")
    assert claude(str(wide)) == ["我喜欢制表符"]
    assert claude(write(tmp_path / "c.jsonl")) == []


def test_a_long_way_back_is_gone_and_no_further(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", user("I prefer tabs"), *[RESULT] * 100)
    assert claude(path) == ["I prefer tabs"]
    path = write(tmp_path / "b.jsonl", user("I prefer tabs"), *[RESULT] * 130)
    assert claude(path) == []


def test_paths_outside_and_odd_ones_are_refused(tmp_path: Path) -> None:
    inside, outside = tmp_path / "projects", tmp_path / "other"
    inside.mkdir()
    outside.mkdir()
    good, bad = write(inside / "a.jsonl", user("x")), write(outside / "b.jsonl", user("x"))
    os.symlink(bad, inside / "link.jsonl")
    (inside / "folder.jsonl").mkdir()
    os.symlink(outside, inside / "way")
    folders = [str(inside)]

    def why(path: object) -> str | None:
        refused = tail.refusal(path, folders)
        return None if refused is None else str(refused.reason)

    assert why(good) is None
    assert why("") == why(None) == "missing_path"
    assert why(str(inside / "a.txt")) == "not_jsonl"
    assert why(str(inside / "none.jsonl")) == "unreadable"
    assert why(str(inside / "link.jsonl")) == "symlink"
    assert why(str(inside / "folder.jsonl")) == "not_file"
    assert why(bad) == why(f"{inside}/../other/b.jsonl") == why(f"{inside}/way/b.jsonl") == "outside_projects_dir"


def test_codex(tmp_path: Path) -> None:
    item = {"type": "item_completed", "item": {"type": "UserMessage", "content": [{"type": "text", "text": "tabs"}]}}
    injected = {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": "# AGENTS.md UserMessage"}],
    }
    rows = [{"type": "event_msg", "payload": {"type": "user_message", "message": "older"}},
            {"type": "event_msg", "payload": item}, {"type": "response_item", "payload": injected}]  # fmt: skip
    path = write(tmp_path / "rollout-1.jsonl", *rows)
    assert tail.newest(path, codex.MARKS, codex.turn, 5) == ["tabs", "older"]
    assert codex.said({"input-messages": ["first", "second"]}) == ["second", "first"]


def test_no_person_speaks_to_an_agent_that_an_agent_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    day = tmp_path / "sessions" / "2026" / "11" / "30"
    day.mkdir(parents=True)
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))

    def rollout(id: str, **more: Any) -> str:
        return write(day / f"rollout-1-{id}.jsonl", {"type": "session_meta", "payload": {"id": id, **more}})

    assert not codex.foreign(rollout("a", source="cli", thread_source="user"))
    assert codex.foreign(rollout("b", source={"subagent": "review"}))
    assert codex.foreign(rollout("c", source="cli", thread_source="subagent"))
    assert not codex.foreign(write(day / "rollout-1-d.jsonl", torn="{"))
    turns = {"input-messages": ["I prefer tabs"]}
    assert codex.said({**turns, "thread-id": "a"}) == codex.said({**turns, "thread-id": "e"}) == ["I prefer tabs"]
    assert codex.said({**turns, "thread-id": "b"}) == []
    assert claude_code.foreign("/h/.claude/projects/p/s/subagents/agent-1.jsonl")
    assert not claude_code.foreign("/h/.claude/projects/p/s.jsonl")


def test_gemini(tmp_path: Path) -> None:
    rows = [{"type": "user", "content": [{"text": "<session_context>\nToday"}]},
            {"type": "user", "content": [{"text": "I prefer tabs"}, {"text": "<hook_context>M</hook_context>"}],
             "displayContent": [{"text": "I prefer tabs"}]},
            {"type": "user", "content": [{"functionResponse": {"name": "x"}}]}]  # fmt: skip
    assert tail.newest(write(tmp_path / "s.jsonl", *rows), gemini.MARKS, gemini.turn, 5) == ["I prefer tabs"]
    assert gemini.said({"prompt": "I prefer tabs"}) == ["I prefer tabs"]


def test_plugins_hand_on_what_was_said() -> None:
    parts = [{"type": "text", "text": '"I prefer tabs"'}, {"type": "file", "url": "x"}]
    assert opencode.said({"output": {"message": {"role": "user"}, "parts": parts}}) == ["I prefer tabs"]
    assert opencode.said({"output": {"message": {"role": "assistant"}, "parts": parts}}) == []
    told = [{"role": "user", "content": [{"type": "text", "text": "[Sun 2026-11-29 20:59 UTC] I prefer tabs"}]},
            {"role": "toolResult", "content": []}]  # fmt: skip
    assert openclaw.said({"event": {"messages": told}}) == ["I prefer tabs"]


SAMPLES = Path(os.environ.get("SHARED_CLIENTS", "/nowhere")) / "samples"


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="SHARED_CLIENTS names no folder with samples")
@pytest.mark.parametrize(
    ("reader", "file"),
    [(claude_code, "claude-2.1.197/transcript.jsonl"), (codex, "codex-0.171.0/rollout.jsonl"),
     (gemini, "gemini-0.61.0/session.jsonl")],
)  # fmt: skip
def test_transcripts_of_real_agents(reader: Any, file: str) -> None:
    found = tail.newest(str(SAMPLES / file), reader.MARKS, reader.turn, 9)
    assert [text.removeprefix("<hook_context>MARK-CTX-SessionStart</hook_context>\n\n") for text in found] == [
        "and another thing",
        "REMEMBER that I prefer tabs",
    ]
