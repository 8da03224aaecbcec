"""From a function to an endpoint: off the event loop, forms checked, errors as pages."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from gbrain.entry.web.doors import FORM_TOKEN, Doors, same_token
from gbrain.entry.web.frame import Frame
from gbrain.errors import BrainError, ScopeDenied

Form = Mapping[str, str]
Answer = Callable[[], Response]
Page = Callable[[Request], Response]
Move = Callable[[Request, Form], Response]
Endpoint = Callable[[Request], Awaitable[Response]]
LARGEST_FORM = 64 * 1024
T = TypeVar("T")


class Run(Protocol):
    """A way to have something made in a thread."""

    def __call__(self, made: Callable[[], T], /) -> Awaitable[T]:
        """What `made` returns; raises what it raises, and Unavailable when it takes too long."""


class Shown:
    """Makes endpoints of the functions that show a page (`page`) or change something (`move`).

    `reads` and `writes` are the threads in which the one and the other run.
    """

    def __init__(self, frame: Frame, doors: Doors, reads: Run, writes: Run) -> None:
        self._frame = frame
        self._doors = doors
        self._reads = reads
        self._writes = writes

    def page(self, show: Page) -> Endpoint:
        """An endpoint that shows a page."""

        async def endpoint(request: Request) -> Response:
            return await self._answered(request, self._reads, lambda: show(request))

        return endpoint

    def move(self, change: Move) -> Endpoint:
        """An endpoint that takes a form, and only one that a page of this session sent."""

        async def endpoint(request: Request) -> Response:
            try:
                form = await read_form(request)
                # Beside the origin, which the `Guard` compared: only the token ties a form to one session.
                if not same_token(request.state.session, form.get(FORM_TOKEN)):
                    raise ScopeDenied("the form is not of this session", "load the page again and repeat it")
            except BrainError as error:
                return self._frame.failed(request, error)
            return await self._answered(request, self._writes, lambda: change(request, form))

        return endpoint

    async def _answered(self, request: Request, run: Run, answer: Answer) -> Response:
        def made() -> Response:
            # A page is for a person's eyes: better an error than what a damaged store said before.
            self._frame.brain.store.engine.afresh()
            # Asked anew for each page: a token may have been revoked after the browser came in.
            return answer() if self._doors.holds(request.state.session.caller) else self._doors.leave(request)

        try:
            return await run(made)
        except BrainError as error:
            return self._frame.failed(request, error)
        # The web server would log the trace, and with it the words of a person.
        except Exception as error:
            return self._frame.failed(request, self._frame.noted(request, error))


async def read_form(request: Request) -> Form:
    """The fields of a form; raises ScopeDenied for one that is too large or no form, or broke off."""
    length = request.headers.get("content-length", "")
    # Without a length (a chunked body) nothing bounds what would be read. `isdigit` alone lets through digits of other
    # scripts.
    if not length.isascii() or not length.isdigit() or int(length) > LARGEST_FORM:
        raise ScopeDenied("the form is too large", "use the command line for a text of this size")
    try:
        # A file would be spooled to disk before anybody looked at it.
        fields = await request.form(max_files=0, max_fields=40)
    except ClientDisconnect:
        raise ScopeDenied("the form broke off", "send it again") from None
    return {name: value for name, value in fields.items() if isinstance(value, str)}
