"""The session, the list of tools, and what holds for every tool."""

from json import dumps
from typing import Any

from gbrain.entry.conformance.probe import OWN, Case, Probe, check, declaring
from gbrain.entry.conformance.rows import VERBS

CASES: list[Case] = []
CLOSING: list[Case] = []
"""Asked last, after what the run saved was forgotten: they end the server."""

_HINTS = {
    "remember": {"idempotentHint": True},
    "forget": {"destructiveHint": True, "idempotentHint": True},
    **{verb: {"readOnlyHint": True} for verb in ("entity", "synthesize", "recall", "context_pack", "delta")},
}
_ALL_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_case, _closing = declaring(CASES), declaring(CLOSING)


@_case("session.version")
def _version(probe: Probe) -> None:
    """initialize echoes a known protocol version and names the server."""
    opened = probe.opened
    check(opened.get("protocolVersion") == "2025-06-18", "protocolVersion 2025-06-18 echoed", opened)
    check("tools" in opened["capabilities"], "the capability tools", opened["capabilities"])
    check(
        opened["serverInfo"]["name"] and opened["serverInfo"]["version"], "a name and a version", opened["serverInfo"]
    )


@_case("session.ping")
def _ping(probe: Probe) -> None:
    """ping is answered."""
    check(probe.wire.request("ping").get("result") == {}, "an empty result", probe.wire.last[1])


@_case("session.unknown-method")
def _unknown_method(probe: Probe) -> None:
    """An unknown method is the JSON-RPC error -32601."""
    for method in ("resources/list", "gbrain/no-such-method"):
        response = probe.wire.request(method)
        check(response.get("error", {}).get("code") == -32601, f"-32601 for {method}", response)


@_case("session.broken-lines")
def _broken_lines(probe: Probe) -> None:
    """Lines that are no request do not stop the server."""
    for line in ("no json {", "", "[]", '"text"', '{"jsonrpc": "2.0"}'):
        probe.wire.send(line)
    check("result" in probe.wire.request("ping"), "an answer to ping", probe.wire.last[1])


@_case("session.bad-call")
def _bad_call(probe: Probe) -> None:
    """tools/call without a name, or with arguments that are no object, is a JSON-RPC error."""
    call = {"name": "recall"}
    bad: list[dict[str, Any]] = [{"arguments": {}}, {**call, "arguments": None}, {**call, "arguments": []}]
    for params in bad:
        response = probe.wire.request("tools/call", params)
        check("error" in response, f"a JSON-RPC error for {dumps(params)}", response)
    check("result" in probe.wire.request("tools/call", {"name": "recall"}), "recall without arguments to work")


@_case("session.unknown-tool")
def _unknown_tool(probe: Probe) -> None:
    """An unknown tool is the error unknown_tool, with a suggestion."""
    answer = probe.call("gbrain_no_such_tool")
    check(answer.failed and answer.body.get("error") == "unknown_tool", "the error unknown_tool", answer.body)
    body = probe.call("recal").body
    check("recall" in str(body.get("suggestion")), "recall suggested for recal", body)
    check(answer.body.get("suggestion"), "a suggestion", answer.body)


@_case("session.structured", "better")
def _structured(probe: Probe) -> None:
    """structuredContent repeats the JSON of the text."""
    answer = probe.call("recall", entity="{slug}")
    check(answer.structured == answer.body, "structuredContent equal to the text", answer.structured)


@_case("tools.seven")
def _seven(probe: Probe) -> None:
    """All seven verbs are listed."""
    check(set(VERBS) <= set(probe.tools), "the seven verbs", sorted(probe.tools))


@_case("tools.objects")
def _objects(probe: Probe) -> None:
    """Every tool's input schema is a plain object: type, properties, no combinator at the top."""
    for name, tool in probe.tools.items():
        schema = tool["inputSchema"]
        check(
            schema.get("type") == "object" and isinstance(schema.get("properties"), dict),
            f"a plain object for {name}",
            schema,
        )
        combined = {"anyOf", "oneOf", "allOf", "not", "if", "$ref", "enum"} & set(schema)
        check(not combined, f"no combinator at the top of {name}", sorted(combined))


@_case("tools.inputs")
def _inputs(probe: Probe) -> None:
    """The verbs take the frozen parameters; what was added is optional."""
    for name, (required, params) in VERBS.items():
        schema = probe.tools[name]["inputSchema"]
        check(
            set(schema.get("required", ())) == required,
            f"{sorted(required)} required by {name}",
            schema.get("required"),
        )
        for key, kind in params.items():
            given = schema["properties"].get(key, {})
            fits = given.get("enum") == kind if isinstance(kind, list) else given.get("type") == kind
            check(fits, f"{name}.{key} to be {kind}", given)


@_case("tools.hints")
def _hints(probe: Probe) -> None:
    """The verbs carry their title and their hints."""
    for name, hints in _HINTS.items():
        given = probe.tools[name].get("annotations", {})
        check(given.get("title") or probe.tools[name].get("title"), f"a title of {name}", given)
        check(hints.items() <= given.items(), f"{hints} on {name}", given)


@_case("tools.all-hints", "better")
def _all_hints(probe: Probe) -> None:
    """Every tool states all four hints: some clients refuse a tool that leaves one unsaid."""
    for name, tool in probe.tools.items():
        unsaid = [hint for hint in _ALL_HINTS if not isinstance(tool.get("annotations", {}).get(hint), bool)]
        check(not unsaid, f"all four hints on {name}", unsaid)


@_case("tools.outputs", "better")
def _outputs(probe: Probe) -> None:
    """Every verb describes its reply."""
    for name in VERBS:
        schema = probe.tools[name].get("outputSchema", {})
        check(
            schema.get("type") == "object" and "protocol_version" in schema["properties"],
            f"an outputSchema of {name}",
            schema,
        )


@_case("tools.expensive")
def _expensive(probe: Probe) -> None:
    """synthesize warns of its cost first."""
    told = probe.tools["synthesize"].get("description", "")
    check(told.startswith("[EXPENSIVE"), "a description that starts with [EXPENSIVE", told[:60])


@_case("synthesize.keyless", needs=OWN)
def _keyless(probe: Probe) -> None:
    """Without a model synthesize is unavailable and says why."""
    body = probe.refused("unavailable", "synthesize", question="What was decided?")
    check(body.get("detail"), "a detail", body)


@_case("synthesize.bad-since", "better", OWN)
def _synthesize_since(probe: Probe) -> None:
    """A since that is no time is the caller's mistake."""
    probe.refused("invalid_params", "synthesize", question="What was decided?", since="garbage")


@_closing("session.stdout")
def _stdout(probe: Probe) -> None:
    """stdout carried nothing but JSON-RPC messages."""
    check(not probe.wire.stray, "only messages on stdout", probe.wire.stray[:3])


@_closing("session.end")
def _end(probe: Probe) -> None:
    """When its input ends the server leaves by itself, with exit code 0."""
    code = probe.wire.close()
    check(code == 0, "exit code 0 within five seconds", code)
