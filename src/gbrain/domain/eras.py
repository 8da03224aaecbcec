"""The versions of MCP, in its two eras, and how a client says which one it speaks.

In the handshake era a session opens with `initialize`; in the stateless era every request says all of it in `_meta`.
Formats: https://modelcontextprotocol.io/specification, by version.
"""

from typing import Any

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS_VERSIONS = ("2026-07-28",)

KEYS = "io.modelcontextprotocol/"
"""What the names that MCP itself puts into `_meta` begin with."""
VERSION_KEY = f"{KEYS}protocolVersion"
CLIENT_KEY = f"{KEYS}clientInfo"
CAPABILITIES_KEY = f"{KEYS}clientCapabilities"
SERVER_KEY = f"{KEYS}serverInfo"
SUBSCRIPTION_KEY = f"{KEYS}subscriptionId"


def hello(client: str, version: str = "1") -> dict[str, Any]:
    """The parameters of `initialize`: a client of this name and version, and the newest of its era."""
    info = {"name": client, "version": version}
    return {"protocolVersion": HANDSHAKE_VERSIONS[-1], "capabilities": {}, "clientInfo": info}


def envelope(client: str, version: str = "1") -> dict[str, Any]:
    """The `_meta` of a request of the stateless era: the same client there."""
    info = {"name": client, "version": version}
    return {VERSION_KEY: STATELESS_VERSIONS[-1], CLIENT_KEY: info, CAPABILITIES_KEY: {}}
