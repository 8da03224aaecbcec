"""The viewer's pages and their addresses, as one ASGI application."""

import os
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from gbrain.brain import Brain
from gbrain.entry.web import facts, graph, health, pages, places, today
from gbrain.entry.web.doors import Doors, Guard
from gbrain.entry.web.entering import Way
from gbrain.entry.web.frame import HERE, PLACES, Frame
from gbrain.entry.web.showing import Run, Shown

HEADS = frozenset({*(path for path, _ in PLACES), "/login", "/logout", "/static", "/conflicts", "/versions"})
"""The first parts of every address."""


def application(
    brain: Brain, doors: Doors, way: Way, knows: Callable[[str], bool], *, reads: Run, writes: Run
) -> Guard:
    """The viewer of a brain, for browsers that come in by `way` and ask for a host that the server knows."""
    frame = Frame(brain)
    shown = Shown(frame, doors, reads, writes)

    async def logout(request: Request) -> Response:
        return doors.leave(request)

    async def nowhere(request: Request) -> Response:
        return frame.page(request, "failed.html", status=404, error={"message": "There is no such page.", "fix": ""})

    routes: list[BaseRoute] = [
        *way(frame, doors),
        Route("/logout", logout, methods=["POST"]),
        # Pages stay as they are: what is packed together with a secret can be guessed from its size.
        Mount("/static", GZipMiddleware(StaticFiles(directory=os.path.join(HERE, "static")))),
    ]
    for subject in (today, facts, pages, graph, places, health):
        routes += subject.routes(frame, shown)
    routes.append(Route("/{rest:path}", nowhere))
    return Guard(Starlette(routes=routes), doors, knows)
