"""What a hook is given: JSON on stdin or as its last argument, and an environment."""

import json
import os
import sys

# Not from typing, which takes as long to load as the rest of a hook.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Payload = dict[str, Any]

FIRST_BYTE_SECONDS, IDLE_SECONDS = 1.0, 0.3
MOST_INPUT = 4 * 1024 * 1024
OWN_PROCESS = "gbrain-claude-cli-cwd-"
"""Part of the working folder of the models that gbrain itself runs as agents."""
ENV_SWITCH, ENV_HOME, ENV_SOURCE = "GBRAIN_HOOKS", "GBRAIN_HOME", "GBRAIN_SOURCE"


def home_of(env: "Mapping[str, str]") -> "str | None":
    """The home that the environment names; None for one that cannot be."""
    base = env.get(ENV_HOME, "")
    # A hook runs in whatever folder its agent is in: a relative home would be another one each time.
    if base and (not os.path.isabs(base) or ".." in base.split(os.sep)):
        return None
    return os.path.join(base or os.path.expanduser("~"), ".gbrain")


def read_input(first: float = FIRST_BYTE_SECONDS, idle: float = IDLE_SECONDS) -> "tuple[bytes, bool]":
    """What stands on stdin, until it ends or nothing more comes, and whether that is all of it."""
    if sys.stdin is None or os.isatty(0):
        return b"", True
    # Only here is anything waited for.
    import select

    parts: list[bytes] = []
    size, patience = 0, first
    while True:
        if os.name == "posix" and not select.select([0], [], [], patience)[0]:
            break
        part = os.read(0, 1 << 18)
        if not part:
            break
        size, patience = size + len(part), idle
        # What is too long is read to its end all the same: whoever writes it must not meet a closed pipe.
        if size <= MOST_INPUT:
            parts.append(part)
    return b"".join(parts), size <= MOST_INPUT


def payload_of(data: bytes) -> "Payload":
    """The JSON object in these bytes, in UTF-8 or UTF-16; empty for anything else."""
    # PowerShell pipes UTF-16 with a mark.
    wide = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}.get(data[:2], "utf-8")
    try:
        said = json.loads(data.decode(wide, "replace").lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def session_of(payload: "Payload") -> object:
    """The session, wherever an agent puts it."""
    for holder in (payload, payload.get("input"), payload.get("ctx")):
        if isinstance(holder, dict):
            for key in ("session_id", "sessionID", "sessionId", "thread-id"):
                if holder.get(key):
                    return holder[key]
    return None
