"""What a server does for search by meaning: vectors follow what is written, and other processes are answered."""

import json
import os
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from gbrain import __version__
from gbrain.errors import BrainError, Unavailable
from gbrain.models.meaning import SOCKET

if TYPE_CHECKING:
    from socket import socket

    from gbrain.brain import Brain

FIRST_SECONDS = 1.0
"""A server first answers those who wait for it."""
LOOK_SECONDS = 2.0
RETRY_SECONDS = 30.0
LEASE, LEASE_SECONDS = "embedding", 60.0
REQUEST_SECONDS = 1.0
_LAST_SECONDS = 1.0


class Embedding:
    """Two threads of a server: one embeds what awaits it, when no other process does; one answers over the socket."""

    def __init__(self, brain: "Brain") -> None:
        self._brain = brain
        self._stopped = threading.Event()
        self._holder = f"{os.getpid()}-{os.urandom(4).hex()}"
        self._told = ""
        self._listening: socket | None = None
        self._threads = [
            threading.Thread(target=target, name=name, daemon=True)
            for name, target in (("embedding", self._follow), ("meaning", self._listen))
        ]

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End, before the store is closed; a batch under way is finished or lost, and made again by whoever is next."""
        self._stopped.set()
        if self._listening is not None:
            import socket  # it is loaded: the other thread uses it

            try:
                # What wakes a thread that waits for the next one to ask.
                self._listening.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        for thread in self._threads:
            thread.join(_LAST_SECONDS)

    def _follow(self) -> None:
        _step_back()
        self._stopped.wait(FIRST_SECONDS)
        while not self._stopped.is_set():
            pause = LOOK_SECONDS
            try:
                self._embed()
            except Unavailable as failed:
                pause = RETRY_SECONDS
                self._say(failed)
            except BrainError:
                pause = RETRY_SECONDS
            except Exception:
                # A batch that outlasts the wait for it finds the store closed.
                if not self._stopped.is_set():
                    raise
            self._stopped.wait(pause)

    def _embed(self) -> None:
        """Embed until nothing is left. The lease is taken only when there is something to do, since it is a write."""
        store, meaning = self._brain.store, self._brain.meaning
        space = store.vectors.space()
        if not any(store.vectors.waiting(kind, space, 1) for kind in ("page", "fact")):
            return
        meaning.embedder()
        try:
            while not self._stopped.is_set() and store.leases.take(LEASE, self._holder, LEASE_SECONDS):
                if not meaning.embed_some(meaning.begin(anew=False)):
                    return
        finally:
            store.leases.give_back(LEASE, self._holder)

    def _say(self, failed: Unavailable) -> None:
        """Tell the log once why nothing is embedded; a brain without a model is in order."""
        reason = failed.detail.get("reason") if isinstance(failed.detail, dict) else None
        if reason in ("no_provider", "off") or failed.message == self._told:
            return
        self._told = failed.message
        try:
            print(f"gbrain: texts wait for their vectors: {failed.message}", file=sys.stderr, flush=True)
        except OSError:
            pass

    def _listen(self) -> None:
        """Answer others for as long as this is the process of the home that does; the next one steps in."""
        while not self._has_model():
            if self._stopped.wait(RETRY_SECONDS):
                return
        # Sockets take 4 ms to load, which nobody waits for here.
        import fcntl
        import socket

        from gbrain.models import neighbour

        if not hasattr(socket, "AF_UNIX"):
            return
        path = os.path.join(self._brain.home, SOCKET)
        try:
            lock = os.open(os.path.join(self._brain.home, neighbour.LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            return
        place = ""
        try:
            while not _locked(fcntl, lock):
                if self._stopped.wait(LOOK_SECONDS):
                    return
            place = neighbour.address(self._brain.home)
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
                if os.path.lexists(path):
                    # The lock says that nobody listens there any more.
                    os.unlink(path)
                listening.bind(place)
                os.chmod(path, 0o600)
                listening.listen(16)
                self._listening = listening
                self._brain.meaning.answer_here()
                try:
                    while not self._stopped.is_set():
                        connection, _ = listening.accept()
                        with connection:
                            self._reply(connection)
                finally:
                    os.unlink(path)
        except OSError:
            # Then nobody is answered here; others load the model themselves.
            pass
        finally:
            neighbour.release(place)
            os.close(lock)

    def _has_model(self) -> bool:
        try:
            self._brain.meaning.embedder()
        except BrainError:
            return False
        return True

    def _reply(self, connection: "socket") -> None:
        # As above: it is loaded by now.
        from gbrain.models import neighbour

        if not _own(connection):
            return
        try:
            request = json.loads(neighbour.read_line(connection, time.monotonic() + REQUEST_SECONDS))
            if not isinstance(request, dict) or request.get("version") != __version__:
                said: dict[str, Any] = {"error": "version"}
            else:
                said = self._brain.meaning.answer(request)
        except (OSError, ValueError, RecursionError):
            return
        except Exception as error:
            said = {"error": type(error).__name__}
        try:
            connection.settimeout(REQUEST_SECONDS)
            connection.sendall(json.dumps(said).encode() + b"\n")
        except OSError:
            # Whoever asked has given up.
            pass


def _locked(fcntl: Any, lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _own(connection: "socket") -> bool:
    """Whether the other end is a process of the same user, where the system says so; the socket's mode holds anyway."""
    # As above: only who was asked needs them.
    import socket
    import struct

    if not hasattr(socket, "SO_PEERCRED"):
        return True
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return bool(struct.unpack("3i", told)[1] == os.geteuid())


def _step_back() -> None:
    """Let this thread run when others have nothing to do, where threads have a priority of their own."""
    if sys.platform == "linux":
        try:
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
        except OSError:
            pass
