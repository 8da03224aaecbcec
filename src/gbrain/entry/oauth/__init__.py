"""OAuth 2.1 for `gbrain serve --http`: the brain is its own authorization server, and its owner gives the consent.

    program -> /authorize -> /consent (a page for the owner) -> back to the program with a code -> /token

The SDK's provider interface and endpoints carry the protocol; what is granted is a client of the brain, seen and
revoked with `gbrain auth`. Formats: OAuth 2.1, RFC 7009, 7591, 7636, 8414, 8707, 9207, 9728.
"""

from typing import TYPE_CHECKING

from gbrain.entry.oauth.endpoints import Endpoints
from gbrain.entry.oauth.site import metadata_url, resource_of

if TYPE_CHECKING:
    from starlette.routing import Route

    from gbrain.brain import Brain

__all__ = ["metadata_url", "resource_of", "routes"]


def routes(brain: "Brain", base_url: str | None = None) -> "list[Route]":
    """The routes of a brain's authorization server.

    `base_url` is scheme and host as clients know them; without it they follow from the `Host` of each request, which
    the server has to have checked.
    """
    return Endpoints(brain, base_url).routes()
