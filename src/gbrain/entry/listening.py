"""The socket of a serving process: hooks and other processes of its owner ask it, and none waits for a model.

Of the servers of a brain one listens; another takes over when it ends. A request names a verb of the table, a verb
answers with an object, and whoever is slow, loud or a stranger is let go. `gbrain.neighbour` is the other end.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from gbrain import locks, neighbour
from gbrain.errors import BrainError

if TYPE_CHECKING:
    from _socket import socket

    from gbrain.brain import Brain

Verb = Callable[[Mapping[str, Any]], dict[str, Any]]
"""Answers a request; what it returns is told beside `"ok": true`. A BrainError becomes `"ok": false` and its code."""

LOOK_SECONDS = 1.0
"""How soon a server takes over from one that ended."""
LINE_SECONDS = 2.0
"""How long a connection may take over a line, its own or ours, and stay silent between two."""
MOST_CONNECTIONS = 16
LINES = 64
"""Requests of one connection."""
_LAST_SECONDS = 1.0


class Listening:
    """A thread that listens, and as many as have connections at one time. `verbs` is asked by name."""

    def __init__(self, brain: "Brain", verbs: Mapping[str, Verb]) -> None:
        self._brain = brain
        self._verbs = verbs
        self._stopped = threading.Event()
        self._room = threading.Semaphore(MOST_CONNECTIONS)
        self._changed = threading.Condition()
        self._given: list[socket] = []
        self._free = 0
        self._listening: socket | None = None
        self._thread = threading.Thread(target=self._run, name="listening", daemon=True)

    def start(self) -> None:
        """Begin, in a thread of its own: another server of the brain may hold the socket for as long as it lives."""
        self._thread.start()

    def stop(self) -> None:
        """End, before the store is closed."""
        self._stopped.set()
        listening = self._listening
        if listening is not None:
            try:
                # What wakes a thread that waits for the next connection.
                listening.shutdown(2)
            except OSError:
                pass
        self._thread.join(_LAST_SECONDS)

    def _run(self) -> None:
        path = neighbour.socket_path(self._brain.home)
        if path is None:
            return
        try:
            self._take_turns(path)
        except OSError as error:
            # The brain is served all the same; hooks leave their turns to the sweep.
            _say(f"gbrain: nobody listens at {path}: {error.strerror or error}")

    def _take_turns(self, path: str) -> None:
        """Wait until no other server of this brain listens, then do. A lock goes with its process, however it ends."""
        folder = os.path.dirname(path)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        os.chmod(folder, 0o700)
        # Not the socket: a file that is left by a kill says nothing of whether its server lives.
        lock = locks.opened(f"{path.removesuffix('.sock')}.lock")
        try:
            while not self._stopped.is_set():
                if not locks.taken(lock):
                    self._stopped.wait(LOOK_SECONDS)
                    continue
                self._listen(path)
                return
        finally:
            os.close(lock)

    def _listen(self, path: str) -> None:
        # The part written in C: `socket` takes ten times as long to load, and some systems have neither.
        from _socket import AF_UNIX, SOCK_STREAM, socket

        listening, place = socket(AF_UNIX, SOCK_STREAM), ""
        try:
            place = neighbour.address(path)
            if os.path.lexists(path):
                # The lock says that nobody listens there any more.
                os.unlink(path)
            listening.bind(place)
            # Nobody can connect before `listen`, so nobody can before this.
            os.chmod(path, 0o600)
            self._listening = listening
            # Who is asked by all others asks nobody.
            self._brain.meaning.answer_here()
            listening.listen(MOST_CONNECTIONS)
            try:
                self._accept(listening)
            finally:
                # Somebody may have cleared the folder away meanwhile.
                if os.path.lexists(path):
                    os.unlink(path)
        finally:
            listening.close()
            neighbour.release(place)

    def _accept(self, listening: Any) -> None:
        # As above.
        from _socket import socket

        while not self._stopped.is_set():
            try:
                connection = socket(fileno=listening._accept()[0])
            except OSError:
                if not self._stopped.wait(0.05):
                    # Out of descriptors for a moment, or somebody hung up first.
                    continue
                return
            # Turned away at once: a hook that is kept waiting costs its person more than the answer is worth.
            if not self._room.acquire(blocking=False):
                connection.close()
                continue
            self._hand_over(connection)

    def _hand_over(self, connection: "socket") -> None:
        """Give a connection to a thread that is free, or to a new one: each keeps a connection to the store."""
        with self._changed:
            self._given.append(connection)
            if self._free:
                self._free -= 1
                self._changed.notify()
            else:
                threading.Thread(target=self._work, name="line", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._given:
                    self._changed.wait()
                connection = self._given.pop()
            self._converse(connection)
            with self._changed:
                self._free += 1

    def _converse(self, connection: "socket") -> None:
        rest = b""
        try:
            for _ in range(LINES if _own(connection) else 0):
                line, rest = _read(connection, rest)
                connection.settimeout(LINE_SECONDS)
                connection.sendall(self._reply(line))
        except (OSError, ValueError):
            # Whoever asked has left, was too slow, or spoke without an end.
            pass
        finally:
            connection.close()
            self._room.release()

    def _reply(self, line: bytes) -> bytes:
        said = {**self._answer(line), "protocol": neighbour.PROTOCOL}
        data = json.dumps(said, separators=(",", ":")).encode() + b"\n"
        if len(data) > neighbour.LONGEST_REPLY:
            data = json.dumps({"ok": False, "error": "too_long", "protocol": neighbour.PROTOCOL}).encode() + b"\n"
        return data

    def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            request = json.loads(line)
        except (ValueError, RecursionError):
            return {"ok": False, "error": "not_json"}
        if not isinstance(request, dict):
            return {"ok": False, "error": "not_json"}
        if request.get("protocol") != neighbour.PROTOCOL:
            return {"ok": False, "error": "unsupported_protocol"}
        named = request.get("verb")
        verb = self._verbs.get(named) if isinstance(named, str) else None
        if verb is None:
            return {"ok": False, "error": "unknown_verb"}
        try:
            return {**verb(request), "ok": True}
        except BrainError as error:
            return {"ok": False, "error": error.code}
        except Exception as error:
            return {"ok": False, "error": type(error).__name__}


def _read(connection: "socket", rest: bytes) -> tuple[bytes, bytes]:
    """The next line, and what came after it. Raises OSError, or ValueError for one that is too long or broken off."""
    until = time.monotonic() + LINE_SECONDS
    while b"\n" not in rest:
        if len(rest) > neighbour.LONGEST:
            raise ValueError("the line does not end")
        connection.settimeout(max(0.001, until - time.monotonic()))
        part = connection.recv(65_536)
        if not part:
            raise ValueError("the connection ended")
        rest += part
    line, _, rest = rest.partition(b"\n")
    return line, rest


def _own(connection: "socket") -> bool:
    """Whether the other end is a process of the same user, where the system tells; the folder's mode holds anyway."""
    # Only who was asked needs them.
    import _socket
    import struct

    if hasattr(_socket, "SO_PEERCRED"):
        told = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, struct.calcsize("3i"))
        return bool(struct.unpack("3i", told)[1] == os.geteuid())
    if sys.platform == "darwin":
        # LOCAL_PEERCRED at level SOL_LOCAL gives a struct xucred: its version, then the user.
        told = connection.getsockopt(0, 1, 76)
        return bool(struct.unpack_from("2I", told)[1] == os.geteuid())
    return True


def _say(line: str) -> None:
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        pass
