"""Who may look: sessions behind a cookie, links that work once, and forms that only our own pages can send."""

import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gbrain.types import Caller

COOKIE = "gbrain_viewer"
LINK_SECONDS = 600
SESSION_SECONDS = 12 * 3600
MOST_SESSIONS = 1000
"""Open sessions; a further one ends the oldest."""

FORM_TOKEN = "form_token"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
STATIC = "/static/"
OPEN = ("/login", STATIC)
"""Where one may look without a session."""


class Session(NamedTuple):
    """A browser that was let in as `caller`, until a time of the monotonic clock; its forms carry the token."""

    until: float
    form_token: str
    caller: Caller


class Links:
    """Codes that let one browser in, once, within ten minutes. They live in memory and end with it."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def link(self) -> str:
        """A new code for `/login?code=`."""
        code = secrets.token_urlsafe(24)
        self._until[code] = time.monotonic() + LINK_SECONDS
        return code

    def spend(self, code: str) -> bool:
        """Whether a code holds; it does not any more after this."""
        # Each is compared in constant time: a look-up by key would take longer the more of a code is right.
        known = next((one for one in self._until if _same(one, code)), None)
        return known is not None and self._until.pop(known) >= time.monotonic()


class Doors:
    """The sessions of one viewer. They live in its memory and end with it.

    `holds` says of the caller of a session whether it may still look; it is asked for every page, and may raise
    BrainError when the store cannot tell.
    """

    def __init__(self, port: int, holds: Callable[[Caller], bool] = lambda caller: True) -> None:
        self.cookie = f"{COOKIE}_{port}"
        """Browsers keep cookies by host alone, and each viewer of this machine has its own."""
        self.holds = holds
        self._sessions: OrderedDict[str, Session] = OrderedDict()

    def enter(self, caller: Caller, *, secure: bool = False) -> Response:
        """Let a browser in: the answer that gives it the cookie of a new session."""
        key = secrets.token_urlsafe(24)
        self._sessions[key] = Session(time.monotonic() + SESSION_SECONDS, secrets.token_urlsafe(24), caller)
        if len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(
            self.cookie, key, max_age=SESSION_SECONDS, httponly=True, samesite="strict", path="/", secure=secure
        )
        return answer

    def session(self, request: Request) -> Session | None:
        """The session of a browser, while it lasts."""
        key = request.cookies.get(self.cookie, "")
        found = self._sessions.get(key)
        if found is None or found.until < time.monotonic():
            # One that ran out is dropped when its cookie comes by, so nothing sweeps them.
            self._sessions.pop(key, None)
            return None
        return found

    def leave(self, request: Request) -> Response:
        """End the session of a browser: the answer that takes its cookie away."""
        self._sessions.pop(request.cookies.get(self.cookie, ""), None)
        answer = Response(status_code=303, headers={"Location": "/login"})
        if "hx-request" in request.headers:
            # htmx would put a redirected page into the piece it asked for; this header lets it leave the page as a
            # whole.
            answer = Response(status_code=401, headers={"HX-Redirect": "/login"})
        answer.delete_cookie(self.cookie)
        return answer


class Guard:
    """Stands before every page: the host that was asked for, the session, and where a form came from.

    `knows` says whether a `Host` header names this server.
    """

    def __init__(self, app: ASGIApp, doors: Doors, knows: Callable[[str], bool]) -> None:
        self._app = app
        self._doors = doors
        self._knows = knows

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See the ASGI specification."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # What lies in our folder is asked for again only after it changed; pages are never kept.
        kept = "no-cache" if scope["path"].startswith(STATIC) else "no-store"

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", kept)
            await send(message)

        refusal = self._refusal(Request(scope))
        await (refusal or self._app)(scope, receive, sealed)

    def _refusal(self, request: Request) -> Response | None:
        headers, path = request.headers, request.url.path
        # Against DNS rebinding: a page elsewhere can point its own name at this address, but the browser then asks for
        # that name.
        if not self._knows(headers.get("host", "").lower()):
            return PlainTextResponse("There is nothing here for that host name.\n", 421)
        session = self._doors.session(request)
        request.state.session = session
        # Also without a session: a sign-in sent from another site would let somebody work in a session of the attacker.
        if request.method not in ("GET", "HEAD") and not _from_here(headers):
            return PlainTextResponse("The form was sent from another site.\n", 403)
        if session is None and not path.startswith(OPEN):
            return self._doors.leave(request)
        return None


def _from_here(headers: Headers) -> bool:
    """Whether a page of this server sent a form: browsers say where from."""
    origin = headers.get("origin")
    if origin is None or urlsplit(origin).netloc.lower() != headers.get("host", "").lower():
        return False
    # Older browsers do not send it; `origin` has been compared already.
    return headers.get("sec-fetch-site", "same-origin") == "same-origin"


def same_token(session: Session | None, given: object) -> bool:
    """Whether a form carries the token of its session."""
    return session is not None and isinstance(given, str) and _same(session.form_token, given)


def _same(known: str, given: str) -> bool:
    return hmac.compare_digest(known.encode(), given.encode("utf-8", "replace"))
