"""The viewer's own server: on loopback, for this machine's browser, until it is interrupted."""

import asyncio
import signal
import socket
from collections.abc import Callable

import uvicorn

from gbrain.brain import Brain
from gbrain.entry.web.app import application
from gbrain.entry.web.doors import Doors
from gbrain.errors import Unavailable

HOST = "127.0.0.1"
GRACE_SECONDS = 2


def serve(brain: Brain, port: int, ready: Callable[[str], None]) -> int:
    """Serve the viewer until a signal comes; `ready` is given the link that lets one browser in.

    `port` 0 takes a free one. Returns the exit code. Raises Unavailable when the port is taken.
    """
    listening = _listening(port)
    at = listening.getsockname()[1]
    doors = Doors()
    hosts = frozenset({f"{HOST}:{at}", f"localhost:{at}"})
    config = uvicorn.Config(
        application(brain, doors, hosts),
        ws="none",
        loop="asyncio",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    server = _Server(config, lambda: ready(f"http://{HOST}:{at}/login?code={doors.link()}"))
    asyncio.run(server.serve(sockets=[listening]))
    return 0


class _Server(uvicorn.Server):
    """uvicorn's server, which says when it answers and ends without raising the signal again."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn.Server."""
        await super().startup(sockets)
        self._ready()

    def install_signal_handlers(self) -> None:
        """See uvicorn.Server."""

    def handle_exit(self, sig: int, frame: object) -> None:
        """See uvicorn.Server: a first signal ends it gently, a second at once; none is raised again."""
        self.should_exit, self.force_exit = True, self.should_exit and sig == signal.SIGINT


def _listening(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen()
    except (OSError, OverflowError) as error:
        listening.close()
        raise Unavailable(
            f"port {port} cannot be used: {error}", "run: gbrain ui --port 0, which takes a free one"
        ) from None
    return listening
