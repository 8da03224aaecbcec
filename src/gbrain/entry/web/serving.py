"""The viewer's own server: on loopback, for this machine's browser, until it is interrupted."""

import asyncio
import socket
from collections.abc import Callable

import uvicorn
from starlette.concurrency import run_in_threadpool

from gbrain.brain import Brain
from gbrain.entry.gentle import Server
from gbrain.entry.web.app import application
from gbrain.entry.web.doors import Doors, Links
from gbrain.entry.web.entering import by_link
from gbrain.errors import Unavailable

HOST = "127.0.0.1"
GRACE_SECONDS = 2


def serve(brain: Brain, port: int, ready: Callable[[str], None]) -> int:
    """Serve the viewer until a signal comes; `ready` is given the link that lets one browser in.

    `port` 0 takes a free one. Returns the exit code. Raises Unavailable when the port is taken.
    """
    listening = _listening(port)
    at = listening.getsockname()[1]
    links, hosts = Links(), frozenset({f"{HOST}:{at}", f"localhost:{at}"})
    app = application(
        brain, Doors(at), by_link(links), hosts.__contains__, reads=run_in_threadpool, writes=run_in_threadpool
    )
    config = uvicorn.Config(
        app,
        ws="none",
        loop="asyncio",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    server = Server(config, lambda: ready(f"http://{HOST}:{at}/login?code={links.link()}"), lambda: None)
    asyncio.run(server.serve(sockets=[listening]))
    return 0


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
