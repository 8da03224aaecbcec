"""The endpoints of the authorization server: metadata, /authorize, /consent, /token, /register, /revoke."""

import base64
import binascii
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_plus, urlencode

from mcp.server.auth.handlers.authorize import AuthorizationHandler
from mcp.server.auth.handlers.register import RegistrationHandler
from mcp.server.auth.handlers.token import TokenHandler
from mcp.server.auth.middleware.client_auth import AuthenticationError, ClientAuthenticator
from mcp.server.auth.settings import ClientRegistrationOptions
from mcp.server.transport_security import RequestBodyLimitMiddleware
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, request_response
from starlette.types import Message

from gbrain.domain.times import store_time
from gbrain.entry.identity import SCOPES
from gbrain.entry.limits import Buckets
from gbrain.entry.oauth import page
from gbrain.entry.oauth.consent import Consent, with_query
from gbrain.entry.oauth.provider import ALL_SCOPES, CONSENT_PATH, GRANT_TYPES, App, Provider
from gbrain.entry.oauth.site import MCP_PATH, METADATA_PATH, Site, peer, resource_of
from gbrain.errors import BrainError

if TYPE_CHECKING:
    from gbrain.brain import Brain

BODY_LIMIT = 64 * 1024
MOST_STRANGERS = 100
"""Applications that registered themselves and wait to be let in; those that waited an hour make room."""

STRANGER_STAYS = timedelta(hours=1)
_NO_STORE = {"Cache-Control": "no-store", "Pragma": "no-cache"}
_METHODS = ["none", "client_secret_post", "client_secret_basic"]

Endpoint = Callable[[Request], Awaitable[Response]]


class Endpoints:
    """The routes of one brain. Settings are read at every request."""

    def __init__(self, brain: "Brain", base_url: str | None) -> None:
        self._site = Site(brain, base_url)
        self._consent = Consent(self._site)
        # A person registers a program now and then; ten thousand registrations are somebody's attempt.
        self._registrations = Buckets(1 / 10, 20)
        self._registrations_of_one = Buckets(1 / 60, 5)

    def routes(self) -> list[Route]:
        """See `gbrain.entry.oauth.routes`."""
        table: list[tuple[str, str, Endpoint]] = [
            ("GET", METADATA_PATH, self._resource),
            ("GET", METADATA_PATH + MCP_PATH, self._resource),
            ("GET", "/.well-known/oauth-authorization-server", self._server),
            ("GET", "/authorize", self._authorize),
            ("POST", "/authorize", self._authorize),
            ("GET", CONSENT_PATH, self._consent.show),
            ("POST", CONSENT_PATH, self._consent.answer),
            ("POST", "/token", self._token),
            ("POST", "/revoke", self._revoke),
            ("POST", "/register", self._register),
        ]
        return [Route(path, _bounded(endpoint), methods=[method]) for method, path, endpoint in table]

    async def _resource(self, request: Request) -> Response:
        """RFC 9728."""
        base = self._site.base(request)
        return _json(
            {
                "resource": resource_of(base),
                "authorization_servers": [base],
                "scopes_supported": list(SCOPES),
                "bearer_methods_supported": ["header"],
                "resource_name": "gbrain",
            }
        )

    async def _server(self, request: Request) -> Response:
        """RFC 8414."""
        base = self._site.base(request)
        told: dict[str, Any] = {
            "issuer": base,
            "authorization_endpoint": f"{base}/authorize",
            "token_endpoint": f"{base}/token",
            "revocation_endpoint": f"{base}/revoke",
            "scopes_supported": list(ALL_SCOPES),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": list(GRANT_TYPES),
            "token_endpoint_auth_methods_supported": _METHODS,
            "revocation_endpoint_auth_methods_supported": _METHODS,
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
        }
        if await self._open():
            told["registration_endpoint"] = f"{base}/register"
        return _json(told)

    async def _authorize(self, request: Request) -> Response:
        base = self._site.base(request)
        if request.method == "POST":
            # What is no form would be a defect to the SDK; read here, it finds the form where it looks for it.
            await request.form(max_files=0)
        response = await AuthorizationHandler(Provider(self._site, base)).handle(request)
        target = response.headers.get("location")
        if target is None:
            # The SDK answers a request that names no place to go back to with JSON; a person sees it.
            text = "The program asked in a way that cannot be answered. Nothing was granted; you can close this page."
            return page.error_page("That did not work", text, response.status_code)
        if not target.startswith(f"{base}{CONSENT_PATH}?"):
            MutableHeaders(raw=response.raw_headers)["location"] = with_query(target, {"iss": base})
        return response

    async def _token(self, request: Request) -> Response:
        base = self._site.base(request)
        fields = await _single_fields(request)
        if fields is None:
            return _refused("invalid_request", "a field stands more than once")
        resource = fields.get("resource")
        if resource is not None and resource.rstrip("/") != resource_of(base):
            return _refused("invalid_target", f"the resource is {resource_of(base)}")
        provider = Provider(self._site, base)
        response: Response = await TokenHandler(provider, Secrets(provider)).handle(_with_fields(request, fields))
        return response

    async def _revoke(self, request: Request) -> Response:
        """RFC 7009. The SDK's own endpoint asks public clients for a secret they do not have."""
        provider = Provider(self._site, self._site.base(request))
        try:
            app = await Secrets(provider).authenticate_request(request)
        except AuthenticationError as error:
            return _refused("invalid_client", error.message, 401)
        token = (await request.form()).get("token")
        if not isinstance(token, str):
            return _refused("invalid_request", "token is missing")
        held = await provider.load_access_token(token) or await provider.load_refresh_token(app, token)
        # RFC 7009, 2.1: a token of another application is answered alike, so that nobody learns that it holds.
        if held is not None and held.client_id == app.client_id:
            await provider.revoke_token(held)
        return Response(status_code=200, headers=_NO_STORE)

    async def _register(self, request: Request) -> Response:
        """RFC 7591, behind the setting `auth.registration`."""
        if not await self._open():
            told = "programs do not register themselves here; the owner can run: gbrain auth register NAME"
            return _refused("access_denied", told, 403)
        wait = self._registrations_of_one.take(peer(request)) or self._registrations.take("")
        if wait:
            return _refused("temporarily_unavailable", "too many registrations", 429, {"Retry-After": str(wait)})
        brain = self._site.brain
        since = store_time(brain.clock() - STRANGER_STAYS)
        if await self._site.run(lambda: brain.store.oauth.strangers(since)) >= MOST_STRANGERS:
            told = "too many programs wait to be let in"
            return _refused("temporarily_unavailable", told, 503, {"Retry-After": "600"})
        provider = Provider(self._site, self._site.base(request))
        options = ClientRegistrationOptions(enabled=True, default_scopes=list(SCOPES))
        response = await RegistrationHandler(provider, options).handle(request)
        response.headers.update(_NO_STORE)
        return response

    async def _open(self) -> bool:
        settings = self._site.brain.settings
        return await self._site.run(lambda: settings.get("auth.registration")) == "on"


class Secrets(ClientAuthenticator):
    """Checks who asks for tokens; every refusal reads the same."""

    def __init__(self, provider: Provider) -> None:
        super().__init__(provider)
        self._provider = provider

    async def authenticate_request(self, request: Request) -> App:
        """See the SDK. The secret may come in the form or as Basic authentication."""
        form = await request.form(max_files=0)
        id, secret = form.get("client_id"), form.get("client_secret")
        basic = _basic(request)
        if basic is not None:
            id, secret = id or basic[0], basic[1] if id in (None, basic[0]) else None
        app = await self._provider.get_client(id) if isinstance(id, str) else None
        if app is None or (app.confidential and not await self._provider.knows(app, secret)):
            raise AuthenticationError("the client is not known here, or its secret is not right")
        return app


def _bounded(endpoint: Endpoint) -> Any:
    """The endpoint behind a bound on what it reads, with an answer for a store that has none."""

    async def answered(request: Request) -> Response:
        try:
            return await endpoint(request)
        except BrainError as error:
            return _refused("temporarily_unavailable", "the brain cannot answer now", error.http_status)
        except (MultiPartException, HTTPException):
            return _refused("invalid_request", "the body is not a form that can be read")

    return RequestBodyLimitMiddleware(request_response(answered), BODY_LIMIT)


def _basic(request: Request) -> tuple[str, str] | None:
    """Id and secret of HTTP Basic authentication (RFC 6749, section 2.3.1: both are form-encoded first)."""
    scheme, _, rest = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        id, colon, secret = base64.b64decode(rest.strip(), validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        return None
    return (unquote_plus(id), unquote_plus(secret)) if colon else None


async def _single_fields(request: Request) -> dict[str, str] | None:
    """The fields of a form; None when one stands twice, which no OAuth request may do."""
    form = await request.form(max_files=0)
    fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    return fields if len(fields) == len(form.multi_items()) else None


def _with_fields(request: Request, fields: dict[str, str]) -> Request:
    """The request with the form that the SDK expects: it wants the client's id there, also beside Basic."""
    basic = _basic(request)
    if basic is not None:
        fields = {"client_id": basic[0], **fields}
    body = urlencode(fields).encode()

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    kept = [
        (name, value) for name, value in request.scope["headers"] if name not in (b"content-type", b"content-length")
    ]
    headers = [*kept, (b"content-type", b"application/x-www-form-urlencoded")]
    return Request({**request.scope, "headers": headers}, receive)


def _json(told: dict[str, Any]) -> Response:
    # Settings change what is told, so nobody may keep it for long.
    return JSONResponse(told, headers={"Cache-Control": "no-cache"})


def _refused(error: str, description: str, status: int = 400, headers: dict[str, str] | None = None) -> Response:
    body = {"error": error, "error_description": description}
    return JSONResponse(body, status, {**_NO_STORE, **(headers or {})})
