"""Who may look: a link that works once, a cookie after it, and forms that only our own pages can send."""

import hmac
import secrets
import time
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "gbrain_viewer"
LINK_SECONDS = 600
SESSION_SECONDS = 12 * 3600
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
OPEN = ("/login", "/static/")
"""Where one may look without a session."""


class Session(NamedTuple):
    """A browser that was let in, until a time of the monotonic clock; its forms carry the token."""

    until: float
    form_token: str


class Doors:
    """The links and sessions of one viewer. They live in its memory and end with it."""

    def __init__(self, port: int) -> None:
        self.cookie = f"{COOKIE}_{port}"
        """Browsers keep cookies by host alone, and each viewer of this machine has its own."""
        self._links: dict[str, float] = {}
        self._sessions: dict[str, Session] = {}

    def link(self) -> str:
        """A new code for `/login?code=`: it works once, within ten minutes."""
        code = secrets.token_urlsafe(24)
        self._links[code] = time.monotonic() + LINK_SECONDS
        return code

    def enter(self, code: str) -> str | None:
        """The key of a new session for a code that was not used yet; None for any other."""
        known = next(
            (one for one in self._links if hmac.compare_digest(one.encode(), code.encode("utf-8", "replace"))), None
        )
        until = self._links.pop(known, 0.0) if known is not None else 0.0
        if until < time.monotonic():
            return None
        key = secrets.token_urlsafe(24)
        self._sessions[key] = Session(time.monotonic() + SESSION_SECONDS, secrets.token_urlsafe(24))
        return key

    def session(self, key: str | None) -> Session | None:
        """The session of a cookie, while it lasts."""
        found = self._sessions.get(key or "")
        if found is None or found.until < time.monotonic():
            self._sessions.pop(key or "", None)
            return None
        return found

    def leave(self, key: str | None) -> None:
        """End a session."""
        self._sessions.pop(key or "", None)


class Guard:
    """Stands before every page: the host that was asked for, the session, and where a form came from."""

    def __init__(self, app: ASGIApp, doors: Doors, hosts: frozenset[str]) -> None:
        self._app = app
        self._doors = doors
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See the ASGI specification."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        refusal = self._refusal(Request(scope))
        await (refusal or self._app)(scope, receive, sealed)

    def _refusal(self, request: Request) -> Response | None:
        headers, path = request.headers, request.url.path
        if headers.get("host", "").lower() not in self._hosts:
            return PlainTextResponse("There is nothing here for that host name.\n", 421)
        session = self._doors.session(request.cookies.get(self._doors.cookie))
        request.state.session = session
        if request.method not in ("GET", "HEAD") and not _from_here(headers, self._hosts):
            return PlainTextResponse("The form was sent from another site.\n", 403)
        if session is None and not path.startswith(OPEN):
            if "hx-request" in headers:
                return Response(status_code=401, headers={"HX-Redirect": "/login"})
            return RedirectResponse("/login", 303)
        return None


def _from_here(headers: Headers, hosts: frozenset[str]) -> bool:
    """Whether a page of this server sent a form: browsers say where from."""
    origin = headers.get("origin")
    if origin is None or urlsplit(origin).netloc.lower() not in hosts:
        return False
    return headers.get("sec-fetch-site", "same-origin") == "same-origin"


def same_token(session: Session | None, given: object) -> bool:
    """Whether a form carries the token of its session."""
    return (
        session is not None
        and isinstance(given, str)
        and hmac.compare_digest(given.encode("utf-8", "replace"), session.form_token.encode())
    )
