"""Made-up input for every door that reads what others wrote: the wire, transcripts, times, pages, files.

Forty examples of each in a run of the tests, always the same; `FUZZ_EXAMPLES=20000` looks further (`make fuzz`).
"""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from gbrain.brain import Brain, open_brain
from gbrain.catalogue import OPERATIONS
from gbrain.domain.times import parse_ttl
from gbrain.entry.stdio import Session
from gbrain.errors import BrainError, InvalidParams
from gbrain.harnesses.transcripts import claude_code, codex, gemini, openclaw, opencode, tail
from gbrain.registry import call, find
from gbrain.sources.pages import read_draft
from gbrain.types import Caller
from made_up import fuzz, helpful, json_values, scalars
from stdio_server import ENVELOPE

NOW = datetime(2031, 5, 4, 22, 10, tzinfo=UTC)
INTERNAL = -32603

METHODS = (
    *("initialize", "ping", "server/discover", "tools/list", "tools/call", "subscriptions/listen"),
    *("notifications/cancelled", "notifications/initialized", "resources/list"),
)
TOOLS = ("remember", "recall", "entity", "search", "get_page", "delta", "context_pack", "forget", "nothing")
WORDS = (
    "fact",
    "query",
    "name",
    "slug",
    "since",
    "entities",
    "provenance",
    "ttl",
    "entity",
    "id",
    "limit",
    "source_id",
)
arguments = st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=8), json_values, max_size=5)
calls = st.fixed_dictionaries({"name": st.sampled_from(TOOLS) | json_values, "arguments": arguments | json_values})
metas = st.sampled_from([ENVELOPE, {}, None]) | json_values
params = json_values | calls | st.builds(lambda told, meta: {**told, "_meta": meta}, calls, metas)
messages = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.sampled_from(["2.0", "1.0"]) | json_values,
        "id": st.integers() | st.text(max_size=8) | json_values,
        "method": st.sampled_from(METHODS) | json_values,
        "params": params,
        "result": json_values,
    },
)


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    made = open_brain(str(tmp_path_factory.mktemp("fuzz") / ".gbrain"), create=True)
    with made:
        assert isinstance(made, Brain)
        made.put_page(slug="people/dana-oakes", content="# Dana Oakes\n\nRows.\n")
        yield made


class Standing(Session):
    """A session whose brain is open already and is not closed with it."""

    def __init__(self, brain: Brain) -> None:
        super().__init__(lambda: brain, "full")
        self._brain = brain


@fuzz
@given(line=st.binary(max_size=200) | messages.map(lambda message: json.dumps(message).encode()))
def test_every_line_is_answered_by_the_protocol(brain: Brain, line: bytes) -> None:
    for answer in Standing(brain).answer(line):
        assert answer["jsonrpc"] == "2.0"
        assert answer.get("error", {}).get("code") != INTERNAL, answer
        json.dumps(answer, allow_nan=False)


STRINGS = (
    "people/dana-oakes drill/made-up Dana 1 2 2031 2031-05-04 2031-02-30 0001-01-01T00:00:00+14:00 default __all__ rows"
    " 9999-12-31T23:59:59-14:00 10000-01-01 1h 99999d yesterday P1D ../../x NEAR( * world private search.mode 1e400"
)
OF_KIND: dict[str, st.SearchStrategy[Any]] = {
    "string": st.sampled_from(STRINGS.split()) | st.text(max_size=30),
    "integer": st.sampled_from([0, 1, 2, -1, 100, 2**31, 2**63, 10**30]),
    "number": st.sampled_from([0, 0.5, -1, 1e308, 10**400]) | st.floats(),
    "boolean": st.booleans(),
    "array": st.lists(st.sampled_from(["people/dana-oakes", "", "1"]) | json_values, max_size=4),
    "object": st.dictionaries(st.text(max_size=8), json_values, max_size=4),
}


def called(name: str) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """Calls of an operation whose arguments have mostly the right kind."""
    found = find(name)
    params = found.params if found is not None else ()
    fitting = {param.name: OF_KIND[param.kind] | st.sampled_from([*param.choices, None]) | scalars for param in params}
    needed = {param.name: fitting.pop(param.name) for param in params if param.required}
    return st.tuples(st.just(name), st.fixed_dictionaries(needed, optional=fitting))


@fuzz
@given(told=st.sampled_from(sorted(OPERATIONS)).flatmap(called) | st.tuples(st.sampled_from(TOOLS), arguments))
def test_every_call_is_answered_or_refused_by_name(brain: Brain, told: tuple[str, dict[str, Any]]) -> None:
    try:
        reply = call(brain, Caller.stdio(), *told)
    except BrainError as error:
        helpful(error)
        json.dumps(error.envelope(), allow_nan=False).encode()
    else:
        json.dumps(reply.value, allow_nan=False).encode()


@fuzz
@given(value=json_values | st.from_regex(r"-?[0-9]{1,12} ?[smhdwyMo]{1,2}|P[0-9YMDTHS.]{1,12}", fullmatch=True))
def test_a_ttl_ends_later_or_is_refused(value: Any) -> None:
    try:
        until = parse_ttl(value, NOW)
    except InvalidParams as error:
        helpful(error)
    else:
        assert until is None or until > NOW


WORD = st.sampled_from(
    ["user", "assistant", "text", "message", "system", "tool_result", "item_completed", "UserMessage"]
)
KEY = st.sampled_from(
    ["type", "message", "role", "content", "text", "payload", "item", "origin", "isMeta", "id", "kind"]
)
rows = st.recursive(
    WORD | scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY, inner, max_size=5),
    max_leaves=14,
)


@pytest.mark.parametrize("reader", [claude_code, codex, gemini, openclaw, opencode], ids=lambda one: one.__name__[-8:])
@fuzz
@given(held=st.lists(rows | st.text(max_size=40), max_size=6), cut=st.integers(0, 40), wide=st.booleans())
def test_a_transcript_is_read_as_far_as_it_is_one(
    reader: Any, held: list[Any], cut: int, wide: bool, tmp_path: Path
) -> None:
    path = tmp_path / "s.jsonl"
    text = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in held)
    data = text.encode("utf-16" if wide else "utf-8", "replace")
    path.write_bytes(data[: max(0, len(data) - cut)])
    turns = tail.newest(str(path), reader.MARKS, reader.turn, 5)
    assert all(isinstance(turn, str) for turn in turns)
    assert all(isinstance(said, tuple) for said in tail.conversation(str(path), reader, 5))


PIECES = (
    *("---\n", "title: Dana\n", "tags: [a, b\n", "aliases:\n  - x\n", "```\n", "## Facts\n", "<!-- gbrain:facts -->\n"),
    *("| fact | kind |\n|---|---|\n", "| rows | trait |\n", "[[people/dana-oakes]]", "![[x#y|z]]", "[a](b.md)", "~~"),
    *("## Timeline\n", "- **2031-05-04** | Met\n", "[Source: chat, 2031-05-04]", "\r\n", "﻿", "‮", "$$"),
)
pages = st.lists(st.sampled_from(PIECES) | st.text(max_size=20), max_size=14).map("".join)


@fuzz
@given(text=pages)
def test_a_page_comes_back_as_it_was_put(brain: Brain, text: str) -> None:
    put: Callable[..., Any] = brain.call
    try:
        told = put("put_page", {"slug": "drill/made-up", "content": text})
    except InvalidParams as error:
        helpful(error)
        return
    (version, *_) = put("get_versions", {"slug": "drill/made-up", "include_content": True, "limit": 1})
    assert version["version"] == told["version"]
    text = text.replace("\x00", "")
    # Another spelling of the same page is no change: the first one stays.
    if told["status"] == "skipped":
        assert read_draft("drill/made-up", text, NOW).content_hash == version["content_hash"]
    else:
        assert version["content"] == text


@fuzz
@given(data=st.binary(max_size=120) | pages.map(lambda text: text.encode("utf-8", "replace")))
def test_a_strange_file_holds_back_no_other(tmp_path: Path, data: bytes) -> None:
    folder = tmp_path / "notes"
    folder.mkdir(exist_ok=True)
    (folder / "strange.md").write_bytes(data)
    (folder / "sound.md").write_text("# Sound\n\nIt rows.\n")
    with open_brain(str(tmp_path / ".gbrain"), create=True) as brain:
        known = [source["id"] for source in brain.call("sources_list")["sources"]]
        if "notes" not in known:
            brain.call("sources_add", {"id": "notes", "path": str(folder)})
        told = brain.call("sync_brain", {"source_id": "notes"})
        assert "rows" in brain.call("get_page", {"slug": "sound", "source_id": "notes"})["compiled_truth"]
        assert (folder / "strange.md").read_bytes() == data
        assert told
