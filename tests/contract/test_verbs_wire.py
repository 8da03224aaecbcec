"""What the seven verbs take, held against the frozen listing of protocol version 1."""

import json
from typing import Any

import pytest

from gbrain import registry
from gbrain.entry import mcp
from gbrain.types import Caller

STRING, NUMBER, BOOLEAN = {"type": "string"}, {"type": "number"}, {"type": "boolean"}
KINDS = {"type": "string", "enum": ["event", "preference", "commitment", "belief", "fact"]}
VISIBILITIES = {"type": "string", "enum": ["world", "private"]}

FROZEN: dict[str, tuple[list[str], dict[str, dict[str, Any]]]] = {
    "remember": (
        ["fact", "provenance"],
        {
            "fact": STRING,
            "provenance": STRING,
            "ttl": STRING,
            "entity": STRING,
            "kind": KINDS,
            "visibility": VISIBILITIES,
        },
    ),
    "entity": (["name"], {"name": STRING}),
    "synthesize": (["question"], {"question": STRING, "since": STRING, "until": STRING}),
    "forget": (["id"], {"id": STRING, "reason": STRING}),
    "recall": (
        [],
        {
            "entity": STRING,
            "query": STRING,
            "budget_tokens": NUMBER,
            "since": STRING,
            "session_id": STRING,
            "include_expired": BOOLEAN,
            "supersessions": BOOLEAN,
            "limit": NUMBER,
            "grep": STRING,
            "include_pending": BOOLEAN,
        },
    ),
    "context_pack": (
        ["entities"],
        {
            "entities": STRING,
            "budget_tokens": NUMBER,
            "since": STRING,
            "session_id": STRING,
            "include_private": BOOLEAN,
        },
    ),
    "delta": (
        [],
        {
            "since": STRING,
            "since_slug": STRING,
            "entities": STRING,
            "budget_tokens": NUMBER,
            "session_id": STRING,
            "include_private": BOOLEAN,
        },
    ),
}
LIST: dict[str, Any] = {"type": "array"}
ADDED = {"remember": {"replaces": STRING}, "recall": {"as_of": STRING, "types": LIST, "tags": LIST},
    "entity": {"as_of": STRING}, "context_pack": {"as_of": STRING},
}  # fmt: skip
"""Optional parameters beyond the frozen listing, each declared here on purpose."""

HINTS = {
    "remember": {"idempotentHint": True, "readOnlyHint": False, "destructiveHint": False, "openWorldHint": False},
    "forget": {"idempotentHint": True, "readOnlyHint": False, "destructiveHint": True, "openWorldHint": False},
    "entity": {"readOnlyHint": True, "openWorldHint": False},
    "recall": {"readOnlyHint": True, "openWorldHint": False},
    "context_pack": {"readOnlyHint": True, "openWorldHint": False},
    "delta": {"readOnlyHint": True, "openWorldHint": False},
    "synthesize": {"readOnlyHint": True, "openWorldHint": True},
}


def listed(surface: Any = "verbs") -> dict[str, dict[str, Any]]:
    """The tools as `tools/list` gives them, after a round through JSON."""
    tools = mcp.tools_list(None, Caller.stdio(surface), "handshake")["tools"]
    return {tool["name"]: tool for tool in json.loads(json.dumps(tools))}


def test_the_verbs_surface_is_exactly_the_seven() -> None:
    assert list(listed()) == list(FROZEN)


def test_every_surface_holds_the_smaller_one() -> None:
    verbs, starter, full = (list(listed(surface)) for surface in ("verbs", "starter", "full"))
    assert set(verbs) < set(starter) < set(full)


@pytest.mark.parametrize("verb", FROZEN)
def test_input_is_the_frozen_one(verb: str) -> None:
    schema = listed()[verb]["inputSchema"]
    required, frozen = FROZEN[verb]
    told = {
        name: {key: prop[key] for key in ("type", "enum") if key in prop} for name, prop in schema["properties"].items()
    }
    assert told == frozen | ADDED.get(verb, {})
    assert schema["required"] == required
    assert set(schema) == {"type", "properties", "required"}
    assert schema["type"] == "object"


@pytest.mark.parametrize("verb", FROZEN)
def test_every_parameter_says_what_it_means(verb: str) -> None:
    assert all(prop["description"] for prop in listed()[verb]["inputSchema"]["properties"].values())


@pytest.mark.parametrize("verb", FROZEN)
def test_annotations(verb: str) -> None:
    tool = listed()[verb]
    annotations = tool["annotations"]
    assert annotations.items() >= HINTS[verb].items()
    assert annotations["title"].startswith(verb)
    assert tool["title"] == annotations["title"]


@pytest.mark.parametrize("verb", FROZEN)
def test_the_reply_is_described_and_carries_the_version(verb: str) -> None:
    output = listed()[verb]["outputSchema"]
    assert output["type"] == "object"
    assert output["properties"]["protocol_version"] == {"enum": [1]}
    assert not {"anyOf", "oneOf", "allOf"} & set(output)


def test_only_synthesize_warns_of_its_cost() -> None:
    costly = [verb for verb, tool in listed().items() if tool["description"].startswith("[EXPENSIVE")]
    assert costly == ["synthesize"]


@pytest.mark.parametrize("surface", ["starter", "full"])
def test_no_tool_has_a_combinator_at_the_top(surface: str) -> None:
    for name, tool in listed(surface).items():
        schema = tool["inputSchema"]
        assert schema["type"] == "object", name
        assert isinstance(schema["properties"], dict), name
        assert set(schema) <= {"type", "properties", "required", "additionalProperties"}, name


def test_verbs_never_grow_a_required_parameter() -> None:
    for operation in registry.visible(Caller.stdio("verbs")):
        added = ADDED.get(operation.name, {})
        assert not [param.name for param in operation.params if param.name in added and param.required]
