"""The life of the HTTP server: what it binds, how it starts, how it ends."""

import asyncio
import socket
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import uvicorn

from gbrain import __version__, registry
from gbrain.entry import mcp
from gbrain.entry.beside import Beside
from gbrain.entry.gentle import Server
from gbrain.entry.http import connections
from gbrain.entry.http.access import AccessLog, Defects
from gbrain.entry.http.connections import BoundedConnection
from gbrain.entry.http.door import Door
from gbrain.entry.http.exchange import Exchange
from gbrain.entry.http.gate import MCP_PATH, Gate
from gbrain.entry.http.names import Names
from gbrain.entry.http.replies import Receive, Scope, Send
from gbrain.entry.http.tally import Tally
from gbrain.entry.http.threads import Threads
from gbrain.entry.http.viewer import mounted
from gbrain.entry.limits import Buckets, Guesses
from gbrain.errors import InvalidParams, Unavailable

if TYPE_CHECKING:
    from gbrain.brain import Brain

HOST = "127.0.0.1"
PORT = 3131
RATE = 100.0
"""Calls a second of one client, after a burst of `BURST_SECONDS` times as many."""

BURST_SECONDS = 5.0
GUESSES, GUESS_SECONDS = 20, 6.0
"""Wrong tokens from one address: so many at once, and one more after so many seconds."""

GRACE_SECONDS = 6
"""How long a stop waits for the calls under way; with what follows it stays below the ten seconds of a container."""

READERS, WRITERS = 6, 1
"""Threads that run calls. Writers of a store queue anyway: here they do it in order, and keep no reader waiting. With
the one at the door they are as many as the database pool has connections."""

SWITCH_SECONDS = 0.001
"""How soon a thread gives the interpreter up to another: a quick call otherwise waits for slow ones at each step."""

_LAST_SECONDS = 1.0
_KEEP_ALIVE_SECONDS = 75
_BACKLOG = 512


class Options(NamedTuple):
    """How to serve. `port` 0 takes a free one; `public_url` is the one clients use, when a proxy stands in front."""

    host: str = HOST
    port: int = PORT
    surface: str | None = None
    public_url: str | None = None
    rate: float = RATE
    log: str | None = None


def serve(opener: "Callable[[], Brain]", options: Options) -> int:
    """Serve MCP over HTTP until a signal comes; returns the exit code of the process.

    Raises InvalidParams for options that do not fit, NotFound or Unavailable for a brain that cannot be opened or
    a port that is taken, before anything is served.
    """
    surface = mcp.surface_named(options.surface)
    names = Names(options.host, options.public_url)
    brain = opener()
    try:
        # Behind a proxy a caller from anywhere looks like one from here.
        door = Door(brain, surface, near=names.near and names.public is None)
        if door.is_useless():
            raise InvalidParams(
                "nobody could call: the brain has no identities yet",
                "run: gbrain auth create NAME, then start again; for this machine alone, gbrain config set"
                " auth.required off lets callers in without one",
            )
        listening = _listening(options.host, options.port)
        log = AccessLog(options.log)
    except BaseException:
        brain.close()
        raise
    return asyncio.run(_served(brain, door, names, options, listening, log))


async def _served(
    brain: "Brain", door: Door, names: Names, options: Options, listening: socket.socket, log: AccessLog
) -> int:
    Defects(log).install()
    sys.setswitchinterval(SWITCH_SECONDS)
    # Now, rather than within somebody's first call.
    registry.load_all()
    BoundedConnection.on_limit = lambda what: log.add({"event": "cut_off", "why": what})
    connections.allow_files()
    # Being let in never waits for the calls of others.
    readers, writers, doorkeeper = Threads(READERS, "read"), Threads(WRITERS, "write"), Threads(1, "door")
    tally = Tally(brain, writers, log)
    exchange = Exchange(brain, readers, writers, tally, log)
    buckets = Buckets(options.rate, options.rate * BURST_SECONDS)
    guesses = Guesses(Buckets(1 / GUESS_SECONDS, GUESSES))
    port = listening.getsockname()[1]
    viewer = mounted(brain, names, port, guesses, readers=readers, writers=writers, doorkeeper=doorkeeper)
    gate = Gate(brain, exchange, doorkeeper, door, names, buckets, guesses, viewer, log)
    config = uvicorn.Config(
        Application(gate, exchange, tally),
        http=BoundedConnection,
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        # Else anybody could claim an address, and with it another one's share of guesses.
        proxy_headers=names.public is not None,
        server_header=False,
        backlog=_BACKLOG,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    server = Server(config, lambda: _announce(names, options, listening), exchange.closing.set)
    beside = Beside(brain, sweeps=False)
    beside.start()
    await server.serve(sockets=[listening])
    beside.stop()
    # What still runs then is cut off with the process; the store rolls back what was not committed.
    drained = await asyncio.gather(*(threads.drain(_LAST_SECONDS) for threads in (readers, writers, doorkeeper)))
    # A connection that a thread is using must not be closed under it.
    if all(drained):
        brain.close()
    log.close()
    return 128 + server.number if server.number else 0


class Application:
    """The gate, and the life of what stands behind it."""

    def __init__(self, gate: Gate, exchange: Exchange, tally: Tally) -> None:
        self._gate = gate
        self._exchange = exchange
        self._tally = tally

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See the ASGI specification."""
        if scope["type"] == "http":
            await self._gate(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self._exchange.running():
            writing = asyncio.create_task(self._tally.keep_writing())
            await send({"type": "lifespan.startup.complete"})
            await receive()
            writing.cancel()
            await self._tally.write(_LAST_SECONDS)
        await send({"type": "lifespan.shutdown.complete"})


def _listening(host: str, port: int) -> socket.socket:
    """A bound socket; raises InvalidParams for an unknown host, Unavailable for a port that is taken."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError, OverflowError):
        message = f"there is no address for the host {host[:64]!r}"
        raise InvalidParams(message, "run: gbrain serve --http --host 127.0.0.1") from None
    # IPv4 first: `localhost` names both, and clients try 127.0.0.1.
    family, kind, protocol, _, address = min(found, key=lambda item: item[0] != socket.AF_INET)
    listening = socket.socket(family, kind, protocol)
    try:
        # A server that is started again takes its port back at once, while old connections fade.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        # Who hears of the server may call at once, before its loop is ready.
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        message = f"port {port} of {host[:64]} cannot be used: {error.strerror or error}"
        raise Unavailable(message, f"choose another: gbrain serve --http --port {port + 1}") from None
    return listening


def _announce(names: Names, options: Options, listening: socket.socket) -> None:
    port = listening.getsockname()[1]
    host = f"[{options.host}]" if ":" in options.host else options.host
    url = (names.public or f"http://{host}:{port}") + MCP_PATH
    where = f", listening on {host}:{port}" if names.public else ""
    lines = [f"gbrain {__version__}: MCP on {url}{where}, surface {options.surface or 'as configured'}"]
    if not names.near and not (names.public or "").startswith("https:"):
        lines.append("Tokens travel unencrypted: put a proxy with TLS in front, and name it with --public-url.")
    try:
        print("\n".join(lines), flush=True)
    except OSError:
        # Whoever started the server does not listen; that is no reason not to serve.
        sys.stdout = None
