"""`gbrain serve`: joins the brain of this machine to the stdio server."""

from gbrain.brain import Brain, open_brain
from gbrain.entry import stdio


def serve(surface: str | None = None, source: str | None = None) -> int:
    """Serve MCP on stdin and stdout until the client leaves; returns the exit code."""

    def opener() -> Brain:
        return open_brain(source=source)

    return stdio.serve(opener, surface, source)
