"""MCP over standard input and output for a brain that a server keeps: the handshake is ours, the tools are its.

An agent of this machine so uses a team's brain without a token of its own, and goes on while the server restarts.
"""

from typing import Any

from gbrain import __version__
from gbrain.brain import RemoteBrain
from gbrain.catalogue import OPERATIONS
from gbrain.domain.eras import KEYS, hello
from gbrain.entry import mcp
from gbrain.entry.mcp import Era, Message
from gbrain.entry.stdio import Session, converse
from gbrain.errors import BrainError, UnknownTool
from gbrain.types import SURFACES, Caller

GREETING_SECONDS = 2.0
"""How long a handshake waits for the server's instructions; clients drop a server that is late."""

LIST_SECONDS = 5.0


def serve(brain: RemoteBrain, surface: str | None = None) -> int:
    """Serve MCP until stdin ends, a signal comes or the parent dies; returns the exit code of the process.

    `surface` can only narrow what the server offers. Raises InvalidParams for one that does not exist.
    """
    return converse(Relay(brain, surface))


class Relay(Session):
    """One client's conversation, whose lists of tools and calls are answered by the server."""

    def __init__(self, brain: RemoteBrain, surface: str | None) -> None:
        narrowed = mcp.surface_named(surface) or mcp.narrowed("full")
        super().__init__(_no_store, narrowed)
        self._width = SURFACES.index(narrowed)
        self._reached = brain

    def close(self) -> None:
        """Let the connection go."""
        self._reached.close()

    def _initialize(self, params: Message, era: Era) -> Message:
        return self._instructed(super()._initialize(params, era))

    def _discover(self, params: Message, era: Era) -> Message:
        return self._instructed(super()._discover(params, era))

    def _instructed(self, result: Message) -> Message:
        """The greeting with the instructions of the server, where it gives them in time."""
        greeting = hello("gbrain", __version__)
        try:
            told = self._reached.remote.request("initialize", greeting, GREETING_SECONDS).get("instructions")
        except BrainError:
            told = None
        return {**result, "instructions": told} if isinstance(told, str) else result

    def _tools_list(self, params: Message, era: Era) -> Message:
        try:
            tools = self._reached.remote.request("tools/list", None, LIST_SECONDS).get("tools")
        except BrainError:
            # Clients drop a server whose list is late: the usual tools, whose calls then say what is wrong.
            usual = Caller.http("", frozenset({"read", "write"}), None, self.surface or "full")
            return mcp.tools_list(None, usual, era)
        listed = [tool for tool in tools if self._offers(tool)] if isinstance(tools, list) else []
        return mcp.listed(listed, era)

    def _tools_call(self, params: Message, era: Era) -> Message:
        name = mcp.check_call(params)
        try:
            if not self._offers(params):
                raise UnknownTool(f"Unknown tool: {name[:64]}", "run: gbrain protocol to list the operations")
            given = dict(params.get("arguments") or {})
            self._reached.place(name, given)
            result = self._reached.remote.request(
                "tools/call", {**params, "arguments": given, "_meta": self._meta(params)}
            )
        except BrainError as error:
            return mcp.failure(error, name, era)
        return mcp.complete({key: item for key, item in result.items() if key != "resultType"}, era)

    def _offers(self, tool: Any) -> bool:
        name = tool.get("name") if isinstance(tool, dict) else None
        entry = OPERATIONS.get(name) if isinstance(name, str) else None
        # A tool that only a newer server knows is in its widest set.
        return SURFACES.index(entry.surface if entry is not None else "full") <= self._width

    def _meta(self, params: Message) -> Message:
        """What rides with a call: what the client said of itself, but not the envelope of this connection's era."""
        given = params.get("_meta")
        kept = {key: item for key, item in given.items() if not key.startswith(KEYS)} if isinstance(given, dict) else {}
        session = mcp.session_of(params) or self._session
        return {**kept, "session_id": session} if session else kept


def _no_store() -> Any:
    raise AssertionError("a relay opens no store")
