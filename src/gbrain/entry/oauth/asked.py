"""What a program asks for, on its way through the owner's browser: signed, so that nothing has to be kept for it.

Anyone may start asking; a row for each would be theirs to fill the store with.
"""

import base64
import hmac
import json
from typing import NamedTuple

SECONDS = 600


class Asked(NamedTuple):
    """One authorization request. `at` is when it came, in seconds since 1970; `nonce` tells it from all others."""

    app_id: str
    redirect_uri: str
    explicit: bool
    """Whether the request named its redirect URI, which the token request then has to repeat."""
    scopes: list[str]
    state: str | None
    challenge: str
    resource: str
    at: int
    nonce: str


def signed(asked: Asked, key: bytes) -> str:
    """The request as text for a URL."""
    body = _text(json.dumps(list(asked), separators=(",", ":")).encode())
    return f"{body}.{_text(_mark(body, key))}"


def read(text: str, key: bytes, now: int) -> Asked | None:
    """The request that `signed` wrote at most ten minutes ago; None for anything else."""
    body, _, mark = text.partition(".")
    try:
        if not hmac.compare_digest(_text(_mark(body, key)), mark):
            return None
        asked = Asked(*json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))))
    except (ValueError, TypeError):
        return None
    return asked if 0 <= now - asked.at <= SECONDS else None


def _mark(body: str, key: bytes) -> bytes:
    return hmac.digest(key, body.encode("ascii"), "sha256")


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")
