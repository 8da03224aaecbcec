"""One HTTP request to a model's server: no redirect is followed, and the deadline holds for the last byte too."""

import http.client
import socket
import time
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from gbrain import __version__

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Place(NamedTuple):
    """Where a server listens, and the path that the names of its methods are added to."""

    secure: bool
    host: str
    port: int | None
    path: str


class Said(NamedTuple):
    """A reply: `body` is whole. Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class WireFailed(Exception):
    """No reply. `reason` is `timeout`, `unreachable` or `too_long`; `message` names the host and no text."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason, self.message = reason, message


def place(url: str) -> Place | None:
    """Where a URL leads, None where it is no address of a server."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    return Place(parts.scheme == "https", parts.hostname, port, parts.path.rstrip("/"))


def keeps_keys(at: Place) -> bool:
    """Whether a key may be sent there: over TLS, or not beyond this machine."""
    return at.secure or at.host in LOOPBACK


def post(at: Place, method: str, body: bytes, key: str | None, seconds: float, most_bytes: int) -> Said:
    """The reply to JSON that is posted to a method, whatever its status. Raises WireFailed.

    `key` is sent as a bearer token; nobody but this host ever gets it, as a redirect is a reply like any other.
    """
    headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": f"gbrain/{__version__}"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    kind = http.client.HTTPSConnection if at.secure else http.client.HTTPConnection
    # The timeout of a socket is that of one read: a server that sends a byte a second would never end.
    until = time.monotonic() + seconds
    connection = kind(at.host, at.port, timeout=seconds)
    reply: http.client.HTTPResponse | None = None
    try:
        connection.request("POST", at.path + method, body, headers)
        # Kept, as the connection lets go of it where the server says that it closes.
        sock = connection.sock
        reply = connection.getresponse()
        text = _read(reply, sock, until, most_bytes)
        return Said(reply.status, {name.lower(): value for name, value in reply.getheaders()}, text)
    except TimeoutError:
        raise WireFailed("timeout", f"{at.host} did not answer within {seconds:.3g} seconds") from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise WireFailed("unreachable", f"{at.host} cannot be reached: {type(error).__name__}") from None
    finally:
        connection.close()
        if reply is not None:
            # It may have taken the socket over.
            reply.close()


def retry_after(value: str) -> float | None:
    """The seconds of a Retry-After header, which is a number or a date (RFC 9110, 10.2.3); None where it is neither."""
    if value.strip().isascii() and value.strip().isdigit():
        return float(value.strip()[:9])
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError):
        return None
    moment = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
    return max(0.0, moment.timestamp() - time.time())


def _read(reply: http.client.HTTPResponse, sock: socket.socket, until: float, most: int) -> bytes:
    """The whole body. A server that sends a little at a time is held to the same end. Raises TimeoutError."""
    parts: list[bytes] = []
    size = 0
    while True:
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        sock.settimeout(left)
        part = reply.read1(65_536)
        if not part:
            if reply.length:
                raise http.client.IncompleteRead(b"")
            return b"".join(parts)
        parts.append(part)
        size += len(part)
        if size > most:
            raise WireFailed("too_long", f"the reply is longer than {most:,} bytes")
