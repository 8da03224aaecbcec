"""Asking a process that serves the brain of a home, over its socket `run/<h>.sock`, which is for the owner alone.

A connection carries lines: one JSON object a request, `{"protocol": 1, "verb": ..., ...}`, and one a reply,
`{"protocol": 1, "ok": ..., ...}`. `h` is made of where the brain lies, so a home that was given another brain has
another socket. Capture hooks load this, so it imports nothing that takes time.
"""

import json
import os
import time

from gbrain.digests import sha256

# Not from typing, which takes as long to load as the rest of a hook.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, Self

FOLDER = "run"
PROTOCOL = 1
LONGEST, LONGEST_REPLY = 256 * 1024, 4 * 1024 * 1024
"""Bytes of the longest request, and of the longest reply."""
_SHORT_PATH = 100
"""Bytes of a socket's path that every system takes."""
_DATABASE, _ADDRESS = "brain.db", "brain.json"


class Unanswered(Exception):
    """Nobody answered. `reason` is `no_socket` (there can be none here), `no_serve` (nobody listens), `ipc_unavailable`
    (no whole reply in time) or `stale_serve` (a server of another version)."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def socket_path(home: str) -> "str | None":
    """Where a server of the brain of a home listens; None where there can be none: a brain kept elsewhere, or a system
    without such sockets."""
    try:
        # The part written in C: `socket` takes ten times as long to load.
        from _socket import AF_UNIX  # noqa: F401
    except ImportError:
        return None
    place = _DATABASE
    try:
        with open(os.path.join(home, _ADDRESS), encoding="utf-8") as file:
            said = json.loads(file.read(65_536))
        if not isinstance(said, dict) or said.get("engine") != "postgres" or not isinstance(said.get("url"), str):
            return None
        place = said["url"]
    except FileNotFoundError:
        pass
    except (OSError, ValueError):
        return None
    # A home that was given another brain gets another socket, so its old server is never asked by mistake.
    digest = sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return os.path.join(home, FOLDER, f"{digest}.sock")


def is_heard(home: str) -> bool:
    """Whether a server of the brain of a home seems to listen."""
    path = socket_path(home)
    return path is not None and os.path.exists(path)


def address(path: str) -> str:
    """What to connect or bind to: the path itself, or a shorter way to it where it is too long and there is one."""
    # `sun_path` holds 108 bytes on Linux and 104 on macOS, and homes of tests and containers lie deep.
    if len(os.fsencode(path)) <= _SHORT_PATH or not os.path.isdir("/proc/self/fd"):
        return path
    folder, name = os.path.split(path)
    return f"/proc/self/fd/{os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)}/{name}"


def release(place: str) -> None:
    """Close what `address` opened."""
    if place.startswith("/proc/self/fd/"):
        os.close(int(place.split("/")[4]))


class Line:
    """A connection to the server of a home's brain, held in a `with`; every wait on it ends at `until` (monotonic)."""

    def __init__(self, home: str, until: float) -> None:
        self._until = until
        path = socket_path(home)
        if path is None:
            raise Unanswered("no_socket")
        # As in `socket_path`.
        from _socket import AF_UNIX, SOCK_STREAM, socket

        self._socket = socket(AF_UNIX, SOCK_STREAM)
        place = ""
        try:
            place = address(path)
            self._socket.settimeout(self._left())
            self._socket.connect(place)
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            self._socket.close()
            raise Unanswered("no_serve") from None
        except OSError:
            self._socket.close()
            raise Unanswered("ipc_unavailable") from None
        finally:
            release(place)

    def __enter__(self) -> "Self":
        return self

    def __exit__(
        self, kind: "type[BaseException] | None", error: "BaseException | None", trace: "TracebackType | None"
    ) -> None:
        self._socket.close()

    def ask(self, verb: str, **given: object) -> "dict[str, Any]":
        """The reply to one request. Raises Unanswered."""
        data = json.dumps({**given, "protocol": PROTOCOL, "verb": verb}).encode() + b"\n"
        try:
            self._socket.settimeout(self._left())
            self._socket.sendall(data)
            said = json.loads(self._line())
        except (OSError, ValueError, RecursionError):
            raise Unanswered("ipc_unavailable") from None
        if not isinstance(said, dict) or said.get("protocol") != PROTOCOL:
            raise Unanswered("stale_serve")
        return said

    def _line(self) -> bytes:
        parts: list[bytes] = []
        size = 0
        while size <= LONGEST_REPLY:
            self._socket.settimeout(self._left())
            part = self._socket.recv(65_536)
            parts.append(part)
            size += len(part)
            if not part:
                break
            # One request is answered at a time, so nothing can stand behind the end of a line.
            if part.endswith(b"\n"):
                return b"".join(parts)
        raise ValueError("no whole line")

    def _left(self) -> float:
        left = self._until - time.monotonic()
        if left <= 0:
            raise Unanswered("ipc_unavailable")
        return left
