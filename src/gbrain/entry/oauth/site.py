"""One brain behind one or several names: its URLs, and the threads in which OAuth asks its store."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from starlette.requests import Request

if TYPE_CHECKING:
    from gbrain.brain import Brain

MCP_PATH = "/mcp"
METADATA_PATH = "/.well-known/oauth-protected-resource"

T = TypeVar("T")


class Site:
    """The brain, as a request reaches it."""

    def __init__(self, brain: "Brain", base_url: str | None = None) -> None:
        self.brain = brain
        self._base = base_url.rstrip("/") if base_url else None
        # Kept for good, since each thread holds a connection of its own to an embedded store.
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="gbrain-oauth")

    def base(self, request: Request) -> str:
        """Scheme and host under which this request came: the issuer."""
        return self._base or f"{request.url.scheme}://{request.headers.get('host', '')}"

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns, made in a thread: the store makes its callers wait."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


def resource_of(base: str) -> str:
    """The URL of the MCP endpoint, which tokens are bound to."""
    return base + MCP_PATH


def metadata_url(base: str) -> str:
    """The URL of the endpoint's metadata, which a refusal names."""
    return base + METADATA_PATH + MCP_PATH


def peer(request: Request) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else "unknown"
