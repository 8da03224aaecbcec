"""Under which names a server may be asked: the answer to DNS rebinding.

A page on the web can make a browser send requests to a server on its visitor's machine by giving its own name the
address 127.0.0.1. Such a request carries the page's name in `Host` and `Origin`, so a server that knows its names
refuses it.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from gbrain.errors import InvalidParams

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Names:
    """The names of one server: those of the address it is bound to, and of its public URL."""

    def __init__(self, bound: str, public: str | None = None) -> None:
        self.near = is_loopback(bound)
        """Whether only this machine can reach the bound address."""
        self.public = _public(public) if public else None
        """The URL at which others reach the server, without a slash at its end; None when there is no such thing."""
        self._any_address = bound in ("0.0.0.0", "::", "")
        self._names = {*LOOPBACK, bound.lower()}
        # Other machines know this one by its own name.
        if not self.near:
            self._names.add(socket.gethostname().lower())
        if self.public:
            self._names.add((urlsplit(self.public).hostname or "").lower())

    def knows(self, host: str) -> bool:
        """Whether a `Host` header names this server; its port does not matter."""
        name = host_of(host)
        # A number cannot be made to lead elsewhere: only names can be bound anew.
        return name in self._names or (self._any_address and _is_address(name))

    def trusts(self, origin: str) -> bool:
        """Whether a page of this `Origin` may ask: one served under a name of this server."""
        scheme, _, host = origin.partition("://")
        return scheme in ("http", "https") and "/" not in host and self.knows(host)


def host_of(header: str) -> str:
    """The name in a `Host` header, lower case and without port; "" when it has no such form."""
    try:
        split = urlsplit(f"//{header.strip()}")
        split.port  # noqa: B018 - it raises for what is no port
    except ValueError:
        return ""
    plain = split.path == split.query == split.fragment == "" and split.username is None
    return (split.hostname or "").removesuffix(".") if plain else ""


def is_loopback(host: str) -> bool:
    """Whether an address or name leads to this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _public(url: str) -> str:
    split = urlsplit(url)
    plain = split.path in ("", "/") and not (split.query or split.fragment or split.username)
    if split.scheme not in ("http", "https") or not split.hostname or not plain:
        hint = "gbrain serve --http --public-url https://brain.example.com"
        raise InvalidParams("the public URL is a scheme and a host, nothing else", f"for example: {hint}")
    return f"{split.scheme}://{split.netloc}"
