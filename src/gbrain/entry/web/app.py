"""The viewer's pages and their addresses, as one ASGI application."""

import os

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from gbrain.brain import Brain
from gbrain.entry.web import facts, graph, pages, places, today
from gbrain.entry.web.doors import SESSION_SECONDS, Doors, Guard
from gbrain.entry.web.frame import HERE, Frame
from gbrain.entry.web.showing import Shown


def application(brain: Brain, doors: Doors, hosts: frozenset[str]) -> Guard:
    """The viewer of a brain, for browsers that ask for one of these hosts (`name:port`)."""
    frame = Frame(brain)
    shown = Shown(frame)

    async def login(request: Request) -> Response:
        return _login(frame, doors, request)

    async def logout(request: Request) -> Response:
        doors.leave(request.cookies.get(doors.cookie))
        answer = RedirectResponse("/login", 303)
        answer.delete_cookie(doors.cookie)
        return answer

    async def nowhere(request: Request) -> Response:
        return frame.page(request, "failed.html", status=404, error={"message": "There is no such page.", "fix": ""})

    routes: list[BaseRoute] = [
        Route("/login", login),
        Route("/logout", logout, methods=["POST"]),
        Mount("/static", StaticFiles(directory=os.path.join(HERE, "static"))),
    ]
    for subject in (today, facts, pages, graph, places):
        routes += subject.routes(frame, shown)
    routes.append(Route("/{rest:path}", nowhere))
    return Guard(Starlette(routes=routes), doors, hosts)


def _login(frame: Frame, doors: Doors, request: Request) -> Response:
    code = request.query_params.get("code")
    key = doors.enter(code) if code else None
    if key is None:
        return frame.page(request, "login.html", status=403 if code else 401, over=bool(code))
    answer = RedirectResponse("/", 303)
    answer.set_cookie(doors.cookie, key, max_age=SESSION_SECONDS, httponly=True, samesite="strict", path="/")
    return answer
