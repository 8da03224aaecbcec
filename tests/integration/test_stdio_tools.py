"""What `gbrain serve` offers: tools on each surface, their schemas, results, refusals and instructions."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from stdio_server import ENVELOPE, HANDSHAKE, Message, Server, local_brain, make_brain

VERBS = ["context_pack", "delta", "entity", "forget", "recall", "remember", "synthesize"]
HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
DANA, HARBOR = "people/dana-oakes-example", "companies/harbor-example"
COMBINATORS = {"anyOf", "oneOf", "allOf", "not", "if", "$ref", "enum"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("tools")
    make_brain(home)
    with local_brain(home) as brain:
        brain.put_page(slug=DANA, content="---\ntype: person\ntags: [friend]\n---\nDana.\n")
        brain.put_page(slug=HARBOR, content="---\ntype: company\n---\nHarbor.\n")
    return home


@pytest.fixture(scope="module")
def shared(home: Path) -> Iterator[Server]:
    with Server(home, "--surface", "full") as server:
        yield server


def listed(server: Server) -> dict[str, Message]:
    return {tool["name"]: tool for tool in server.result("tools/list")["tools"]}


def test_surfaces_are_a_ladder(home: Path) -> None:
    names = {}
    for surface in ("verbs", "starter", "full"):
        with Server(home, "--surface", surface) as server:
            names[surface] = list(listed(server))
            assert names[surface] == list(listed(server)), "the order changes from call to call"
    assert sorted(names["verbs"]) == VERBS
    assert set(names["verbs"]) < set(names["starter"]) < set(names["full"])


def test_every_schema_is_a_plain_object(shared: Server) -> None:
    for name, tool in listed(shared).items():
        for key in ("inputSchema", "outputSchema"):
            schema = tool[key]
            Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object", (name, key)
            assert not COMBINATORS & schema.keys(), (name, key)
        assert isinstance(tool["inputSchema"]["properties"], dict), name
        assert set(tool["inputSchema"].get("required", [])) <= set(tool["inputSchema"]["properties"]), name


def test_every_tool_states_its_title_description_and_all_hints(shared: Server) -> None:
    for name, tool in listed(shared).items():
        assert tool["title"] == tool["annotations"]["title"] != "", name
        assert 0 < len(tool["description"]) < 1000, name
        assert all(isinstance(tool["annotations"][hint], bool) for hint in HINTS), name
        assert tool.get("_meta") == ({"anthropic/alwaysLoad": True} if name in VERBS else None), name


def test_the_hints_clients_decide_on(shared: Server) -> None:
    """Codex runs an unapproved call only when it is read-only, or neither destructive nor open to the world."""
    hints = {name: tuple(tool["annotations"][hint] for hint in HINTS) for name, tool in listed(shared).items()}
    assert hints["recall"] == hints["entity"] == (True, False, True, False)
    assert hints["remember"] == (False, False, True, False)
    assert hints["forget"] == (False, True, True, False)


def test_instructions_are_short_and_ask_for_nothing_unasked(shared: Server) -> None:
    text = shared.result("initialize", HANDSHAKE)["instructions"]
    assert text == shared.result("server/discover", {"_meta": ENVELOPE})["instructions"]
    assert len(text) <= 700
    first = text.split(". ")[0]
    assert "long-term memory" in first
    assert all(f"`{verb}`" in text for verb in ("recall", "entity", "remember", "forget", "provenance"))
    assert "Save only what they ask for" in text


def test_a_result_is_pretty_text_and_the_same_value_structured(shared: Server) -> None:
    result = shared.tool("remember", {"fact": "灯塔项目 ships in May", "provenance": "Dana, 2031-03-30"})
    (block,) = result["content"]
    value = json.loads(block["text"])
    assert block["type"] == "text"
    assert block["text"] == json.dumps(value, indent=2, ensure_ascii=False)
    assert result["structuredContent"] == value
    assert value["status"] == "inserted"
    assert value["protocol_version"] == 1


def test_a_list_is_wrapped_in_the_structured_value_only(shared: Server) -> None:
    result = shared.tool("get_tags", {"slug": DANA})
    assert json.loads(result["content"][0]["text"]) == ["friend"]
    assert result["structuredContent"] == {"result": ["friend"]}


CALLS: list[tuple[str, Message]] = [
    ("remember", {"fact": "Dana moved the review to Thursday", "provenance": "mail", "kind": "event"}),
    ("recall", {"query": "review"}),
    ("recall", {"entity": DANA, "budget_tokens": 200}),
    ("entity", {"name": "Dana Oakes Example"}),
    ("entity", {"name": "nobody at all"}),
    ("context_pack", {"entities": "Dana Oakes Example"}),
    ("delta", {"session_id": "s1"}),
    ("get_page", {"slug": DANA}),
    ("list_pages", {}),
    ("search", {"query": "Dana"}),
    (
        "add_link",
        {"from": DANA, "to": HARBOR, "link_type": "works_at"},
    ),
    ("get_links", {"slug": DANA}),
    ("get_backlinks", {"slug": HARBOR}),
    ("traverse_graph", {"slug": DANA}),
    ("add_timeline_entry", {"slug": DANA, "date": "2031-03-30", "summary": "moved"}),
    ("get_timeline", {"slug": DANA}),
    ("put_page", {"slug": DANA, "content": "Dana again.", "expected_version": 1}),
    ("put_page", {"slug": "notes/new", "content": "A note."}),
    ("capture", {"content": "A thought about lanterns."}),
    ("resolve_slugs", {"partial": "dana"}),
    ("whoami", {}),
    ("request_tools", {}),
    ("get_stats", {}),
    ("get_health", {}),
    ("get_brain_identity", {}),
    ("get_versions", {"slug": DANA}),
]


def assert_fits(tool: Message, result: Message) -> None:
    errors = [
        error.message for error in Draft202012Validator(tool["outputSchema"]).iter_errors(result["structuredContent"])
    ]
    assert errors == []


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_every_answer_fits_its_output_schema(shared: Server, name: str, arguments: Message) -> None:
    result = shared.tool(name, arguments)
    assert result["isError"] is False, result
    assert_fits(listed(shared)[name], result)


def test_a_dry_run_of_every_writing_tool_fits_its_schema(shared: Server) -> None:
    samples = {
        "string": DANA,
        "number": 1,
        "integer": 1,
        "boolean": True,
        "array": [],
        "object": {},
    }
    tried = 0
    for name, tool in listed(shared).items():
        if tool["annotations"]["readOnlyHint"]:
            continue
        schema = tool["inputSchema"]
        kinds = {key: schema["properties"][key] for key in schema["required"]}
        arguments = {key: kind.get("enum", [samples[kind["type"]]])[0] for key, kind in kinds.items()}
        result = shared.tool(name, {**arguments, "dry_run": True})
        assert result["isError"] is False, (name, result)
        assert result["structuredContent"]["dry_run"] is True
        assert result["structuredContent"]["action"] == name
        assert_fits(tool, result)
        tried += 1
    assert tried >= 8


def test_a_refusal_is_an_envelope_the_model_can_act_on(shared: Server) -> None:
    result = shared.tool("remember", {"fact": "prefers tea"})
    assert result["isError"] is True
    assert "structuredContent" not in result
    (block,) = result["content"]
    envelope = json.loads(block["text"])
    assert envelope["error"] == "invalid_params"
    assert envelope["suggestion"]
    assert envelope["protocol_version"] == 1


def test_unknown_and_hidden_tools(home: Path) -> None:
    with Server(home, "--surface", "verbs") as server:
        near, hidden, strange = server.error("recal"), server.error("get_page"), server.error("灯塔" * 400)
        for envelope in (near, hidden, strange):
            assert envelope["error"] == "unknown_tool"
            assert envelope["suggestion"]
            assert "protocol_version" not in envelope
            assert len(json.dumps(envelope)) < 1000
        assert "recall" in near["suggestion"]
        assert "get_page" not in hidden["suggestion"]


def test_the_environment_can_only_narrow_the_surface(home: Path) -> None:
    with Server(home, "--surface", "full", env={"GBRAIN_MCP_FORCE_SURFACE": "verbs"}) as server:
        assert sorted(listed(server)) == VERBS
        assert server.error("get_page", {"slug": DANA})["error"] == "unknown_tool"
    with Server(home, "--surface", "verbs", env={"GBRAIN_MCP_FORCE_SURFACE": "full"}) as server:
        assert sorted(listed(server)) == VERBS


def test_the_surface_of_the_settings_holds_when_none_is_named(home: Path) -> None:
    with Server(home) as server:
        assert len(listed(server)) > 20
    with local_brain(home) as brain:
        brain.store.config.set("mcp_surface", "verbs")
    try:
        with Server(home) as server:
            assert sorted(listed(server)) == VERBS
        with Server(home, "--surface", "starter") as server:
            assert len(listed(server)) > 7
    finally:
        with local_brain(home) as brain:
            brain.store.config.unset("mcp_surface")


def test_an_unknown_argument_is_ignored_aloud_by_default(shared: Server) -> None:
    result = shared.tool("remember", {"fact": "Reed prefers tea", "provenance": "Reed", "entitty": "Reed"})
    assert result["isError"] is False
    value, notice = result["content"]
    assert "entitty" not in json.loads(value["text"])
    assert "'entitty'" in notice["text"]
    assert "'entity'" in notice["text"]
    assert result["structuredContent"]["warnings"] == [notice["text"]]
    (warning,) = result["_meta"]["warnings"]
    assert warning["code"] == "unknown_param"
    assert warning["param"] == "entitty"
    assert warning["suggestion"] == "entity"
    assert "additionalProperties" not in listed(shared)["remember"]["inputSchema"]


def test_a_strict_brain_refuses_it_and_says_so_in_its_schemas(home: Path, shared: Server) -> None:
    with local_brain(home) as brain:
        brain.store.config.set("mcp.strict_params", "reject")
    try:
        claim = {"fact": "Reed likes rye", "provenance": "Reed"}
        envelope = shared.error("remember", {**claim, "entitty": "Reed"})
        assert envelope["error"] == "invalid_params"
        assert "entitty" not in envelope["message"]
        assert "entitty" in envelope["suggestion"]
        for name, tool in listed(shared).items():
            schema = tool["inputSchema"]
            assert schema["additionalProperties"] is False, name
            assert {"_meta", "dry_run"} <= schema["properties"].keys(), name
        assert shared.value("remember", {**claim, "dry_run": True, "_meta": {"a": 1}})["dry_run"] is True
    finally:
        with local_brain(home) as brain:
            brain.store.config.unset("mcp.strict_params")
    assert "additionalProperties" not in listed(shared)["remember"]["inputSchema"]


def test_hot_memory_is_as_new_as_the_last_write_and_small(home: Path) -> None:
    def hot() -> list[str]:
        beside = server.tool("list_pages")["_meta"].get("brain_hot_memory", {"facts": []})
        return [row["fact"] for row in beside["facts"]]

    claim = {"provenance": "Reed", "entity": DANA}
    with Server(home, "--surface", "full") as server:
        saved = server.value("remember", {"fact": "Dana's boat is the Lark", **claim})
        assert "Dana's boat is the Lark" in hot()
        server.value("remember", {"fact": "Dana's boat is the Heron", "replaces": saved["id"], **claim})
        assert "Dana's boat is the Heron" in hot()
        assert "Dana's boat is the Lark" not in hot()
        gone = server.value("remember", {"fact": "Dana keeps bees", **claim})
        server.value("forget", {"id": gone["id"]})
        assert "Dana keeps bees" not in hot()
        for letter in "abcd":
            server.value("remember", {"fact": f"{letter} " * 4_000, "provenance": "Reed"})
        assert "Dana's boat is the Heron" in hot()
        assert sum(map(len, hot())) < 2_000
