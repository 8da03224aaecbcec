"""What gbrain says over MCP, whatever carries it: eras, tools, results, instructions.

The handshake era (2024-11-05 to 2025-11-25) opens with `initialize`. In the stateless era (2026-07-28) every
request names its version and client in `_meta`, and every result says what kind it is. Formats:
https://modelcontextprotocol.io/specification.
"""

import json
import os
from typing import TYPE_CHECKING, Any, Literal, cast

from gbrain import __version__, catalogue, mirror, registry, sent
from gbrain.ambient import contract
from gbrain.ambient.gate import resolve
from gbrain.domain.eras import CAPABILITIES_KEY, HANDSHAKE_VERSIONS, SERVER_KEY, STATELESS_VERSIONS, VERSION_KEY
from gbrain.domain.jsontext import pretty
from gbrain.errors import BrainError, InvalidParams
from gbrain.mounts import HOST
from gbrain.ops.hot import WITHOUT_HOT_MEMORY, hot_memory
from gbrain.types import SURFACES, Caller, Surface

if TYPE_CHECKING:
    from gbrain.brain import Brain

Era = Literal["handshake", "stateless"]
Message = dict[str, Any]

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
UNSUPPORTED_VERSION = -32022

ENV_FORCE_SURFACE = "GBRAIN_MCP_FORCE_SURFACE"
ENV_IDENTITY = "GBRAIN_MCP_INSTRUCTIONS"

# A list of tools belongs to one surface and one setting, both of which may change at any time.
_CACHE = {"ttlMs": 0, "cacheScope": "private"}
_NAME_CHARS = 256
_DESCRIPTION_CHARS = 1000


class Refused(Exception):
    """A request that is answered with a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


def instructions(brain: "Brain | None", caller: Caller) -> str:
    """What a client shows its model: the base contract; for a caller who may save, what to save unasked while on.

    Without a brain it is the base. Never raises.
    """
    identity = os.environ.get(ENV_IDENTITY)
    if brain is None:
        return contract.instructions(None, identity)
    file = mirror.read(brain.home) if brain.chosen.name == HOST else None
    try:
        bundle = resolve(brain.store.engine, brain.store.config.all, file)
    except BrainError:
        return contract.instructions(None, identity)
    may = {name: _may(name, caller) for name in ("remember", "extract_facts")}
    return contract.instructions(contract.options(bundle, **may), identity)


def _may(name: str, caller: Caller) -> bool:
    if caller.slugs is not None:
        # What a person says is about more than one page, and this caller may save nothing else.
        return False
    entry = catalogue.OPERATIONS.get(name)
    return entry is not None and registry.allowed(entry, caller) and entry.scope in caller.scopes


def server_info() -> Message:
    """Who is serving, as both eras name it."""
    return {"name": "gbrain", "version": __version__}


def era_of(method: str, params: Message) -> Era:
    """The era of one request, told by its `_meta`; raises Refused when that names a version wrongly."""
    meta = params.get("_meta")
    if method == "initialize":
        return "handshake"
    if not isinstance(meta, dict) or VERSION_KEY not in meta:
        if method in ("server/discover", "subscriptions/listen"):
            raise Refused(INVALID_PARAMS, f"{method} needs {VERSION_KEY} in params._meta")
        return "handshake"
    version = meta[VERSION_KEY]
    if not isinstance(version, str) or not isinstance(meta.get(CAPABILITIES_KEY), dict):
        raise Refused(INVALID_PARAMS, f"params._meta needs {VERSION_KEY} and {CAPABILITIES_KEY}")
    if version not in STATELESS_VERSIONS:
        # The older versions are named too: only then does a client of a later era fall back to the handshake.
        served = [*STATELESS_VERSIONS, *reversed(HANDSHAKE_VERSIONS)]
        data = {"supported": served, "requested": version}
        raise Refused(UNSUPPORTED_VERSION, "Unsupported protocol version", data)
    return "stateless"


def initialize(params: Message, told: str) -> Message:
    """The answer to the handshake: a known version is echoed, any other met with the newest of the era.

    `told` are the instructions.
    """
    asked = params.get("protocolVersion", "")
    if not isinstance(asked, str):
        raise Refused(INVALID_PARAMS, "protocolVersion is a string")
    return {
        "protocolVersion": asked if asked in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
        "capabilities": {"tools": {}},
        "serverInfo": server_info(),
        "instructions": told,
    }


def discover(told: str) -> Message:
    """The answer to `server/discover`: the versions a request may name, capabilities, instructions (`told`)."""
    result = {
        "supportedVersions": list(STATELESS_VERSIONS),
        "capabilities": {"tools": {}},
        "instructions": told,
        **_CACHE,
    }
    return complete(result, "stateless")


def complete(result: Message, era: Era) -> Message:
    """`result` with what its era requires of each: in the stateless one, its kind and the server's name."""
    if era == "handshake":
        return result
    meta = {**result.get("_meta", {}), SERVER_KEY: server_info()}
    return {"resultType": "complete", **result, "_meta": meta}


TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools.json")
"""Each tool by its name, as `tools/list` tells it. Generated: run `make docs`."""


def tools_list(brain: "Brain | None", caller: Caller, era: Era) -> Message:
    """Every tool this caller may see, in catalogue order. Without a brain the default settings hold."""
    names = [
        name
        for name, entry in catalogue.OPERATIONS.items()
        if registry.allowed(entry, caller) and entry.scope in caller.scopes
    ]
    # Read from a file: to declare every tool anew is most of what the start of a server would cost.
    with open(TOOLS, encoding="utf-8") as file:
        known: dict[str, Message] = json.load(file)
    tools = [known[name] for name in names]
    if brain is not None and _strict(brain):
        tools = [{**tool, "inputSchema": _closed(tool["inputSchema"])} for tool in tools]
    return listed(tools, era)


def listed(tools: list[Message], era: Era) -> Message:
    """The answer to `tools/list` with these tools."""
    return complete({"tools": tools, **(_CACHE if era == "stateless" else {})}, era)


def call_tool(brain: "Brain", caller: Caller, params: Message, era: Era) -> Message:
    """Run one tool; `params` are those of `tools/call`. A typed error is a result too, marked `isError`.

    Raises Refused when there is no name or the arguments are not an object.
    """
    name = check_call(params)
    try:
        reply = registry.call(brain, caller, name, params.get("arguments"), session=session_of(params))
    except BrainError as error:
        return failure(error, name, era)
    notes = [str(warning["message"]) for warning in reply.warnings]
    value = reply.value if isinstance(reply.value, dict) else {"result": reply.value}
    # Clients that show their model the structured value alone would otherwise hide an ignored argument.
    structured = {**value, "warnings": [*value.get("warnings", ()), *notes]} if notes else value
    content = [_text(reply.value), *({"type": "text", "text": note} for note in notes)]
    result = {"content": content, "structuredContent": structured, "isError": False}
    meta = {**reply.meta, **_hot(brain, caller, name, params)}
    if notes:
        meta["warnings"] = reply.warnings
    return complete({**result, "_meta": meta} if meta else result, era)


def _hot(brain: "Brain", caller: Caller, name: str, params: Message) -> Message:
    """The recent facts of the sources a call was about, read after the operation so that they are never stale; none
    beside an answer of an earlier moment."""
    if name in WITHOUT_HOT_MEMORY or params.get("arguments", {}).get("as_of"):
        return {}
    source = params.get("arguments", {}).get("source_id") or None
    try:
        with registry.within_reach(brain, caller):
            facts = hot_memory(registry.context(brain, caller, source=source, session=session_of(params)))
    except BrainError:
        # The operation is done and its answer stands, even where the store was lost a moment later.
        return {}
    if facts:
        held = {"facts": [row["id"] for row in facts["facts"]]}
        sent.note(brain.journal, brain.id, caller, "hot_memory", held, brain.clock())
    return {"brain_hot_memory": facts} if facts else {}


def check_call(params: Message) -> str:
    """The name of the tool that `tools/call` names; raises Refused when the call has no proper shape."""
    name = params.get("name")
    if not isinstance(name, str):
        raise Refused(INVALID_PARAMS, "tools/call needs the name of a tool")
    if not isinstance(params.get("arguments", {}), dict):
        raise Refused(INVALID_PARAMS, "the arguments of tools/call are an object")
    return name


def failure(error: BrainError, name: str, era: Era) -> Message:
    """An error as the result of the tool `name`: its envelope as text, so that a model can correct itself."""
    operation = registry.find(name)
    verb = operation is not None and operation.verb and error.code != "unknown_tool"
    return complete({"content": [_text(error.envelope(verb=verb))], "isError": True}, era)


def session_of(params: Message) -> str | None:
    """The conversation a request belongs to, as far as its client tells; at most 256 characters."""
    meta = params.get("_meta")
    arguments = params.get("arguments")
    inner = arguments.get("_meta") if isinstance(arguments, dict) else None
    turn = meta.get("x-codex-turn-metadata") if isinstance(meta, dict) else None
    # No client agrees with another on where this stands or how it is called.
    for holder in (meta, inner, turn):
        for key in ("session_id", "sessionId", "thread_id", "threadId"):
            value = holder.get(key) if isinstance(holder, dict) else None
            if isinstance(value, str) and value.strip():
                return value.strip()[:_NAME_CHARS]
    return None


def client_of(info: object) -> str | None:
    """The name in a `clientInfo`; None when there is none, or it is the one kept for this machine's owner."""
    name = info.get("name") if isinstance(info, dict) else None
    name = name.strip()[:_NAME_CHARS] if isinstance(name, str) else ""
    return name if name and name != "local" else None


def surface_named(name: str | None) -> Surface | None:
    """The surface of this name, narrowed; None leaves it to the settings. Raises InvalidParams."""
    for value in (name, os.environ.get(ENV_FORCE_SURFACE)):
        if value and value not in SURFACES:
            message = f"there is no surface {value[:64]!r}"
            raise InvalidParams(message, f"run: gbrain serve --surface {' | '.join(SURFACES)}")
    return narrowed(cast(Surface, name)) if name else None


def narrowed(surface: Surface) -> Surface:
    """The smaller of `surface` and the one the environment forces; nothing can widen it."""
    forced = os.environ.get(ENV_FORCE_SURFACE) or surface
    return min(surface, cast(Surface, forced), key=SURFACES.index)


def _strict(brain: "Brain") -> bool:
    try:
        return brain.settings.get("mcp.strict_params") == "reject"
    except BrainError:
        return False


def tool(operation: registry.Operation) -> Message:
    """An operation as `tools/list` tells it; `make docs` keeps these in the file TOOLS."""
    told: Message = {
        "name": operation.name,
        "title": operation.title,
        "description": _description(operation),
        "inputSchema": operation.input_schema(),
        "outputSchema": _output_schema(operation),
        "annotations": operation.annotations(),
    }
    if operation.verb:
        # Claude Code otherwise shows its model the bare names of the tools until it searches for them.
        told["_meta"] = {"anthropic/alwaysLoad": True}
    return told


def _description(operation: registry.Operation) -> str:
    more = (operation.function.__doc__ or "").split("\n\n")[1:]
    text = "\n\n".join([operation.summary, *(_unwrapped(paragraph) for paragraph in more)]).strip()
    # Clients cut longer ones in the middle of a word, or drop the tool.
    if len(text) < _DESCRIPTION_CHARS:
        return text
    cut = text[: _DESCRIPTION_CHARS - 2]
    return cut[: cut.rfind(" ")].rstrip() + "…"


def _unwrapped(paragraph: str) -> str:
    lines = [line.strip() for line in paragraph.strip().split("\n")]
    return "".join(("\n" if line.startswith("- ") else " ") + line for line in lines).strip()


def _closed(schema: Message) -> Message:
    """An input schema that takes nothing it does not name."""
    # With `additionalProperties: false` a client would refuse to send what every tool takes.
    reserved = {"_meta": {"type": "object"}, "dry_run": {"type": "boolean"}}
    return {**schema, "properties": {**reserved, **schema["properties"]}, "additionalProperties": False}


def _output_schema(operation: registry.Operation) -> Message:
    schema = operation.output_schema()
    if not operation.mutates:
        return schema
    # A dry run answers with less than the real thing, and clients refuse a result that misses a required key.
    return {key: value for key, value in schema.items() if key != "required"}


def _text(value: Any) -> Message:
    return {"type": "text", "text": pretty(value)}
