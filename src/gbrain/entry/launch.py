"""`gbrain serve`: joins the brain of this machine to the server of its choice."""

from typing import TYPE_CHECKING

from gbrain.brain import Brain, open_brain
from gbrain.entry import stdio

if TYPE_CHECKING:
    from gbrain.entry.http.server import Options


def serve(surface: str | None = None, source: str | None = None) -> int:
    """Serve MCP on stdin and stdout until the client leaves; returns the exit code."""

    def opener() -> Brain:
        return open_brain(source=source)

    return stdio.serve(opener, surface, source)


def serve_http(options: "Options", source: str | None = None) -> int:
    """Serve MCP over HTTP until a signal comes; returns the exit code."""
    # Costs half a second of processor time, which agent windows on stdio do not pay.
    from gbrain.entry.http.server import serve

    return serve(lambda: open_brain(source=source), options)
