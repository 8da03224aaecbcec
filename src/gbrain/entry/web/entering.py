"""The two ways in: the link that `gbrain ui` prints, and a token that was made for a person."""

from collections.abc import Callable, Iterable
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gbrain.brain import Brain
from gbrain.domain.times import store_time
from gbrain.entry import identity
from gbrain.entry.http.names import host_of, is_loopback
from gbrain.entry.limits import Guesses
from gbrain.entry.web.doors import Doors, Links
from gbrain.entry.web.frame import Frame
from gbrain.entry.web.showing import Run, read_form
from gbrain.errors import BrainError
from gbrain.types import Caller

Way = Callable[[Frame, Doors], list[BaseRoute]]

NEEDED = frozenset({"admin", "steer"})
"""The scopes of a token that opens the viewer. Programs are granted `admin`; `steer` says that a person holds it."""


def by_link(links: Links) -> Way:
    """For the browser of this machine: whoever has a link is the operator."""

    def routes(frame: Frame, doors: Doors) -> list[BaseRoute]:
        async def login(request: Request) -> Response:
            code = request.query_params.get("code")
            if code is not None and links.spend(code):
                return doors.enter(Caller.local("web"))
            return frame.page(request, "login.html", status=403 if code else 401, way="link", over=bool(code))

        return [Route("/login", login)]

    return routes


def opens(scopes: Iterable[str], sources: object, slugs: object) -> bool:
    """Whether a token with these grants opens the viewer, which shows all of a brain."""
    return set(scopes) >= NEEDED and sources is None and slugs is None


class Tokens:
    """For browsers elsewhere: a form takes a token with the scopes `NEEDED`, for every source and bound to no slugs.

    `safe` says of a request whether what it carries can be read on its way; `run` is the thread that asks the store.
    """

    def __init__(self, brain: Brain, guesses: Guesses, safe: Callable[[Request], bool], run: Run) -> None:
        self._brain = brain
        self._guesses = guesses
        self._safe = safe
        self._run = run

    def routes(self, frame: Frame, doors: Doors) -> list[BaseRoute]:
        """The page with the form, and what it leads to."""
        return [
            Route("/login", partial(self._asked, frame), methods=["GET"]),
            Route("/login", partial(self._given, frame, doors), methods=["POST"]),
        ]

    def holds(self, caller: Caller) -> bool:
        """Whether the client of a session may still look. Raises BrainError when the store cannot tell."""
        client = self._brain.store.clients.get(caller.client)
        if client is None or not client.live(store_time(self._brain.clock())):
            return False
        return opens(client.grant.scopes, client.grant.sources, client.grant.slugs)

    async def _asked(self, frame: Frame, request: Request) -> Response:
        return self._page(frame, request, 401)

    async def _given(self, frame: Frame, doors: Doors, request: Request) -> Response:
        if not self._safe(request):
            return self._page(frame, request, 403)
        peer = request.client.host if request.client else "unknown"
        try:
            bearer = "Bearer " + (await read_form(request)).get("token", "").strip()
            # Before the store is asked, so that guessing costs it nothing.
            wait = self._guesses.wait(peer, bearer)
            if wait:
                answer = self._page(frame, request, 429, wrong="many", wait=wait)
                answer.headers["retry-after"] = str(wait)
                return answer
            caller = await self._run(lambda: identity.authenticate(self._brain, bearer))
        # The same answer for a token that is unknown, ended or revoked: nothing is to be learnt from it.
        except identity.Unauthorized:
            self._guesses.wrong(peer)
            return self._page(frame, request, 403, wrong="unknown")
        except BrainError as error:
            return frame.failed(request, error)
        self._guesses.right(bearer)
        host = host_of(request.headers.get("host", ""))
        # After `right`: the token is good, it opens other doors.
        if not opens(caller.scopes, caller.sources, caller.slugs):
            return self._page(frame, request, 403, wrong="narrow", caller=caller)
        return doors.enter(Caller.person(caller.client), secure=not is_loopback(host))

    def _page(
        self,
        frame: Frame,
        request: Request,
        status: int,
        wrong: str = "",
        wait: int = 0,
        caller: Caller | None = None,
    ) -> Response:
        values = {"wrong": wrong, "wait": wait, "caller": caller, "safe": self._safe(request)}
        return frame.page(request, "login.html", status=status, way="token", **values)
