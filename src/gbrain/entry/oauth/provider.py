"""The SDK's provider interface over the store: applications, codes and tokens."""

import os
import re
import time
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode, urlsplit

from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    RegistrationError,
    TokenError,
)
from mcp.shared.auth import InvalidRedirectUriError, InvalidScopeError, OAuthClientInformationFull, OAuthToken
from pydantic import AnyUrl

from gbrain.domain import redirects
from gbrain.domain.text import collapse
from gbrain.domain.times import parse_store, store_time
from gbrain.entry.identity import SCOPES
from gbrain.entry.oauth.asked import Asked, signed
from gbrain.entry.oauth.site import Site, resource_of

ALL_SCOPES = ("read", "write", "admin")
GRANT_TYPES = ("authorization_code", "refresh_token")
ACCESS, REFRESH = timedelta(hours=1), timedelta(days=30)
CODE_KEPT = timedelta(days=1)
"""An exchanged code is known this long after its end, so that its second use can be told from a made-up one."""

CONSENT_PATH = "/consent"
STATE_LENGTH, ID_LENGTH = 2000, 100
MOST_REDIRECTS = 10
NAME_LENGTH = 80

_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")


class App(OAuthClientInformationFull):
    """An application as the SDK's endpoints see it; a confidential one has a secret, which only the store knows."""

    confidential: bool = False

    def validate_scope(self, requested_scope: str | None) -> list[str] | None:
        """Those of the scopes that exist: an application may ask for any, the owner decides."""
        if requested_scope is None:
            return None
        known = [scope for scope in ALL_SCOPES if scope in requested_scope.split()]
        if not known:
            raise InvalidScopeError(f"the scopes are {', '.join(ALL_SCOPES)}")
        return known

    def validate_redirect_uri(self, redirect_uri: AnyUrl | None) -> AnyUrl:
        """The registered URI that was asked for; on loopback with any port."""
        registered = self.redirect_uris or []
        if redirect_uri is None:
            if len(registered) == 1:
                return registered[0]
            raise InvalidRedirectUriError("redirect_uri is missing, and there is not exactly one to choose")
        if any(redirects.matches(str(known), str(redirect_uri)) for known in registered):
            return redirect_uri
        raise InvalidRedirectUriError("redirect_uri is not one that was registered")


class HeldCode(AuthorizationCode):
    """A code that can still be exchanged."""


class HeldRefresh(RefreshToken):
    """A refresh token that can still be exchanged."""


class Provider(OAuthAuthorizationServerProvider[HeldCode, HeldRefresh, AccessToken]):
    """One brain's authorization server under the issuer `base`."""

    def __init__(self, site: Site, base: str) -> None:
        self._site = site
        self._base = base

    async def get_client(self, client_id: str) -> App | None:
        """See the SDK."""
        # What cannot be one of ours is not looked up: it would go into logs and statements.
        if len(client_id) > ID_LENGTH or not (client_id.isascii() and client_id.isprintable()):
            return None
        found = await self._site.run(lambda: self._site.brain.store.oauth.app(client_id))
        return _app(found) if found is not None else None

    async def knows(self, app: App, secret: object) -> bool:
        """Whether this is the secret of a confidential application."""
        oauth = self._site.brain.store.oauth
        return isinstance(secret, str) and await self._site.run(lambda: oauth.knows(app.client_id, secret))

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """See the SDK. Raises RegistrationError for redirect URIs that could lead a code astray."""
        uris = [str(uri) for uri in client_info.redirect_uris or []]
        problem = next((found for uri in uris if (found := redirects.problem(uri)) is not None), None)
        if problem is not None or len(uris) > MOST_REDIRECTS:
            told = problem or f"is one of at most {MOST_REDIRECTS}"
            raise RegistrationError("invalid_redirect_uri", f"a redirect URI {told}")
        name = _shown(client_info.client_name)
        method = client_info.token_endpoint_auth_method or "none"
        await self._site.run(
            lambda: self._site.brain.store.oauth.add_app(
                name,
                uris,
                store_time(self._now()),
                id=client_info.client_id,
                secret=client_info.client_secret,
                auth_method=method,
                grant_types=[kind for kind in GRANT_TYPES if kind in client_info.grant_types],
                dynamic=True,
            )
        )

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """See the SDK: where the owner is asked."""
        resource = resource_of(self._base)
        if params.resource is not None and not _same_url(params.resource, resource):
            raise AuthorizeError("invalid_target", f"the resource is {resource}")
        if not _CHALLENGE.fullmatch(params.code_challenge):
            raise AuthorizeError("invalid_request", "code_challenge is a SHA-256 in base64url (S256)")
        if len(params.state or "") > STATE_LENGTH:
            raise AuthorizeError("invalid_request", f"state has at most {STATE_LENGTH} characters")
        asked = Asked(
            client.client_id,
            str(params.redirect_uri),
            params.redirect_uri_provided_explicitly,
            params.scopes or list(SCOPES),
            params.state,
            params.code_challenge,
            resource,
            int(self._now().timestamp()),
            os.urandom(12).hex(),
        )
        # Signed and not stored: whoever asks for a page of consent, and never comes back, leaves nothing behind.
        key = await self._site.run(self._site.brain.store.oauth.key)
        return f"{self._base}{CONSENT_PATH}?{urlencode({'request': signed(asked, key)})}"

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> HeldCode | None:
        """See the SDK. A code that comes a second time was stolen once: what it brought ends."""
        return await self._site.run(lambda: self._code(client.client_id, authorization_code))

    def _code(self, app_id: str, code: str) -> HeldCode | None:
        store, now = self._site.brain.store, store_time(self._now())
        held = store.oauth.code(code)
        if held is None or held.app_id != app_id:
            return None
        # RFC 6749, 4.1.2: a code is used once, and what a second use shows to be stolen is revoked.
        if held.client_id is not None:
            store.clients.revoke(held.client_id, now)
            return None
        if held.expires_at <= now:
            return None
        told = held.details
        return HeldCode(
            code=code,
            scopes=told["scopes"],
            # The store's clock has decided already; the SDK looks at the machine's.
            expires_at=time.time() + 60,
            client_id=app_id,
            code_challenge=told["challenge"],
            redirect_uri=AnyUrl(told["redirect_uri"]),
            redirect_uri_provided_explicitly=told["explicit"],
            resource=told["resource"],
        )

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: HeldCode
    ) -> OAuthToken:
        """See the SDK."""
        may_refresh = "refresh_token" in client.grant_types
        now = self._now()
        until = store_time(now + REFRESH) if may_refresh else None
        oauth = self._site.brain.store.oauth
        issued = await self._site.run(
            lambda: oauth.exchange(authorization_code.code, store_time(now), store_time(now + ACCESS), until)
        )
        if issued is None:
            raise TokenError("invalid_grant", "authorization code does not exist")
        return _tokens(issued, now)

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> HeldRefresh | None:
        """See the SDK. A token that comes a second time was stolen once: its client is shut out."""
        return await self._site.run(lambda: self._refresh(client.client_id, refresh_token))

    def _refresh(self, app_id: str, token: str) -> HeldRefresh | None:
        store, now = self._site.brain.store, store_time(self._now())
        held = store.oauth.refresh_token(token)
        if held is None or held.app_id != app_id:
            return None
        # RFC 9700, 4.14.2: with rotation a used token that comes back was copied, by its owner or by a thief.
        if held.used_at is not None:
            store.clients.revoke(held.client.id, now)
            return None
        if held.expires_at <= now or not held.client.live(now):
            return None
        # The owner may have narrowed the client since the token was given.
        scopes = [scope for scope in held.scopes if scope in held.client.grant.scopes]
        return HeldRefresh(token=token, client_id=app_id, scopes=scopes, resource=held.resource)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: HeldRefresh, scopes: list[str]
    ) -> OAuthToken:
        """See the SDK."""
        now = self._now()
        oauth = self._site.brain.store.oauth
        issued = await self._site.run(
            lambda: oauth.rotate(
                refresh_token.token, scopes, store_time(now), store_time(now + ACCESS), store_time(now + REFRESH)
            )
        )
        if issued is None:
            raise TokenError("invalid_grant", "refresh token does not exist")
        return _tokens(issued, now)

    async def load_access_token(self, token: str) -> AccessToken | None:
        """See the SDK."""
        held = await self._site.run(lambda: self._site.brain.store.oauth.access_token(token))
        if held is None:
            return None
        return AccessToken(token=token, client_id=held.app_id, scopes=list(held.scopes), resource=held.resource)

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        """See the SDK: the client of the token is shut out, with every other token it has."""
        await self._site.run(lambda: self._revoke(token.token))

    def _revoke(self, token: str) -> None:
        store = self._site.brain.store
        held = store.oauth.access_token(token) or store.oauth.refresh_token(token)
        if held is not None:
            store.clients.revoke(held.client.id, store_time(self._now()))

    def _now(self) -> datetime:
        return self._site.brain.clock()


def _app(row: Any) -> App:
    """The store's application as the SDK's."""
    fields: dict[str, Any] = {
        "client_id": row.id,
        "client_name": row.name,
        "redirect_uris": list(row.redirect_uris),
        "token_endpoint_auth_method": row.auth_method,
        "grant_types": list(row.grant_types),
        "confidential": row.secret_hash is not None,
    }
    return App.model_validate(fields)


def _tokens(issued: Any, now: datetime) -> OAuthToken:
    """The store's new tokens as the SDK's."""
    seconds = int((parse_store(issued.access_until) - now).total_seconds())
    return OAuthToken(
        access_token=issued.access,
        expires_in=max(0, seconds),
        refresh_token=issued.refresh,
        scope=" ".join(issued.scopes),
    )


def _same_url(one: str, other: str) -> bool:
    """Whether two URLs of the endpoint mean the same: the case of scheme and host, and a last slash, do not count."""
    try:
        first, second = urlsplit(one), urlsplit(other)
    except ValueError:
        return False
    places = [(split.scheme, split.netloc.lower(), split.path.rstrip("/")) for split in (first, second)]
    return places[0] == places[1] and not (first.query or first.fragment)


def _shown(name: str | None) -> str:
    """A name that a stranger chose, as one line without characters that steer the eye."""
    kept = "".join(character for character in collapse(name or "") if character.isprintable())
    return kept[:NAME_LENGTH].strip() or "a program without a name"
