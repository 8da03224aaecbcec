"""The viewer, as the server over HTTP mounts it: for people with a token of their own, in the server's threads."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from starlette.requests import Request

from gbrain.entry.http.exchange import CALL_SECONDS
from gbrain.entry.http.names import Names, host_of, is_loopback
from gbrain.entry.http.threads import Overrun, Threads
from gbrain.entry.limits import Guesses
from gbrain.entry.web.app import application
from gbrain.entry.web.doors import Doors, Guard
from gbrain.entry.web.entering import Tokens
from gbrain.entry.web.showing import Run
from gbrain.errors import Unavailable

if TYPE_CHECKING:
    from gbrain.brain import Brain

T = TypeVar("T")


def mounted(
    brain: "Brain",
    names: Names,
    port: int,
    guesses: Guesses,
    *,
    readers: Threads,
    writers: Threads,
    doorkeeper: Threads,
) -> Guard:
    """The viewer of a server that goes by these names and listens on this port."""
    tokens = Tokens(brain, guesses, lambda request: unheard(names, request), within(doorkeeper))
    doors = Doors(port, tokens.holds)
    return application(brain, doors, tokens.routes, names.knows, reads=within(readers), writes=within(writers))


def within(threads: Threads) -> Run:
    """Have pages made in these threads; a page that takes longer than a call may raises Unavailable."""

    async def run(made: Callable[[], T], /) -> T:
        try:
            return await threads.run(CALL_SECONDS, made)
        except Overrun:
            raise Unavailable(
                f"the page was not made within {CALL_SECONDS:g} seconds", "ask again, or run: gbrain doctor"
            ) from None

    return run


def unheard(names: Names, request: Request) -> bool:
    """Whether nobody on the way can read what a browser sends: it stays on this machine, or TLS carries it."""
    host = host_of(request.headers.get("host", ""))
    public = urlsplit(names.public or "")
    return is_loopback(host) or (public.scheme == "https" and host == (public.hostname or "").lower())
