"""Asking a process of the same home that serves, over its socket: it has the model and the vectors in memory.

One request a connection, one line of JSON each way. The socket stands in the home, for its owner alone.
"""

import json
import os
import socket
import time
from collections.abc import Mapping
from typing import Any

from gbrain import __version__
from gbrain.models.meaning import SOCKET

LOCK = "serve.lock"
LONGEST = 4 * 1024 * 1024
_PATH_LIMIT = 100
"""Bytes of a socket's path that every system takes."""


def address(home: str) -> str:
    """What to connect or bind to: the socket's path, or a shorter way to it where there is one."""
    path = os.path.join(home, SOCKET)
    if len(os.fsencode(path)) <= _PATH_LIMIT or not os.path.isdir("/proc/self/fd"):
        return path
    return f"/proc/self/fd/{os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)}/{SOCKET}"


def release(place: str) -> None:
    """Close what `address` opened."""
    if place.startswith("/proc/self/fd/"):
        os.close(int(place.split("/")[4]))


def ask(home: str, request: Mapping[str, Any], seconds: float) -> Any:
    """The reply of a serving process; None when there is none, or it does not answer in time or as agreed."""
    if not hasattr(socket, "AF_UNIX") or not os.path.exists(os.path.join(home, SOCKET)):
        return None
    until = time.monotonic() + seconds
    place = ""
    try:
        place = address(home)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(seconds)
            connection.connect(place)
            connection.sendall(json.dumps({"version": __version__, **request}).encode() + b"\n")
            said = json.loads(read_line(connection, until))
    except (OSError, ValueError, RecursionError):
        return None
    finally:
        release(place)
    return said if isinstance(said, dict) and "error" not in said else None


def read_line(connection: socket.socket, until: float) -> bytes:
    """One line. Raises TimeoutError past `until`, ValueError for one that is too long or broken off."""
    parts: list[bytes] = []
    size = 0
    while True:
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        connection.settimeout(left)
        part = connection.recv(65_536)
        size += len(part)
        parts.append(part)
        if part.endswith(b"\n"):
            return b"".join(parts)
        if not part or size > LONGEST:
            raise ValueError("no whole line")
