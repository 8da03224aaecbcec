"""Who calls over HTTP: from the `Authorization` header to a Caller, or to one and the same refusal.

Formats: RFC 6750 (bearer tokens), RFC 9728 section 5.1 (`resource_metadata`).
"""

from datetime import timedelta
from typing import TYPE_CHECKING

from gbrain.domain.times import store_time
from gbrain.errors import BrainError, InvalidToken
from gbrain.types import Caller

if TYPE_CHECKING:
    from gbrain.brain import Brain

SCOPES = ("read", "write")
"""What a program should ask for when it does not know better; `admin` is asked for by name."""

LONGEST = 512
USED_EVERY = timedelta(minutes=1)

_ACCESS_PREFIX = "gbrain_at_"


class Unauthorized(InvalidToken):
    """No identity, or none that holds. Whatever is wrong with a token, the refusal is the same."""

    def __init__(self) -> None:
        super().__init__(
            "the request has no valid access token", "the owner of the brain can run: gbrain auth create NAME"
        )
        self.error = self.code
        self.description = self.message

    def body(self) -> dict[str, str]:
        """The JSON body of the response."""
        return {"error": self.error, "error_description": self.description}

    def challenge(self, metadata: str) -> str:
        """The value of `WWW-Authenticate`; `metadata` is the URL of the protected resource's metadata."""
        parts = {
            "error": self.error,
            "error_description": self.description,
            "scope": " ".join(SCOPES),
            "resource_metadata": metadata,
        }
        return "Bearer " + ", ".join(f'{key}="{value}"' for key, value in parts.items())


def required(brain: "Brain") -> bool:
    """Whether callers on this machine need a token too; all others always do."""
    return brain.settings.get("auth.required") != "off"


def authenticate(brain: "Brain", authorization: str | None, resource: str | None = None) -> Caller:
    """The caller of a request by its `Authorization` header.

    `resource` is the URL of the MCP endpoint that was asked, as the metadata names it: an access token of OAuth holds
    for the one it was issued for. Raises Unauthorized, and Unavailable when the store cannot answer.
    """
    token = _bearer(authorization)
    now = brain.clock()
    text = store_time(now)
    if token.startswith(_ACCESS_PREFIX):
        held = brain.store.oauth.access_token(token)
        # RFC 8707: a token that was issued for another server is none here, however valid.
        bound = held is not None and (resource is None or held.resource == resource)
        client = held.client if held is not None and bound and held.expires_at > text else None
    else:
        held, client = None, brain.store.clients.by_token(token)
    if client is None or not client.live(text):
        raise Unauthorized
    grant = client.grant
    # The owner may have narrowed the client since its token was issued; the narrower of the two holds.
    scopes = [scope for scope in grant.scopes if held is None or scope in held.scopes]
    # A read that wrote each time would queue with the writers.
    earliest = store_time(now - USED_EVERY)
    if client.last_used_at is None or client.last_used_at < earliest:
        try:
            brain.store.clients.touch(client.id, text, earliest)
        except BrainError:
            # A store that takes no writes now still answers reads.
            pass
    return Caller.http(client.id, frozenset(scopes), grant.sources, grant.surface, grant.slugs)


def _bearer(authorization: str | None) -> str:
    scheme, _, token = (authorization or "").strip().partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not 0 < len(token) <= LONGEST or not token.isascii():
        raise Unauthorized
    return token
