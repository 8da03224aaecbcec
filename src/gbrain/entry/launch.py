"""`gbrain serve`: joins the brain that was chosen to the server of its choice."""

from typing import TYPE_CHECKING

from gbrain import home as homes
from gbrain.brain import Brain, RemoteBrain, chosen_brain, open_brain, open_home
from gbrain.entry import place, stdio
from gbrain.errors import Unavailable

if TYPE_CHECKING:
    from gbrain.entry.http.server import Options


def serve(
    surface: str | None = None, source: str | None = None, brain: str | None = None, *, guarded: bool = False
) -> int:
    """Serve MCP on stdin and stdout until the client leaves; returns the exit code.

    Raises InvalidParams for a brain that is not mounted, Unavailable where that cannot be told. What is asked of a
    brain that a server keeps is handed on to it.
    """
    chosen = chosen_brain(brain=brain)

    def opener() -> Brain:
        return open_home(chosen, source=place.selected(source, guarded=guarded))

    try:
        is_remote = homes.kind(chosen.home) == "remote"
    except Unavailable:
        # Each call then tells the agent, as with any store that cannot be opened.
        is_remote = False
    if not is_remote:
        return stdio.serve(opener, surface, source)
    # Only windows on a brain elsewhere need it.
    from gbrain.entry import relay

    reached = open_brain(chosen, source=place.selected(source))
    assert isinstance(reached, RemoteBrain)
    return relay.serve(reached, surface)


def serve_http(options: "Options", source: str | None = None, brain: str | None = None) -> int:
    """Serve MCP over HTTP until a signal comes; returns the exit code."""
    # Costs half a second of processor time, which agent windows on stdio do not pay.
    from gbrain.entry.http.server import serve

    chosen = chosen_brain(brain=brain)
    return serve(lambda: open_home(chosen, source=place.network(source)), options)
