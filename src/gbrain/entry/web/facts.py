"""Facts: looked through, one by one with their whole story, and set right."""

from datetime import datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from gbrain.entry.web import drawing
from gbrain.entry.web.frame import Frame, number
from gbrain.entry.web.showing import Form, Shown
from gbrain.errors import InvalidParams

FILTERS = ("entity", "kind", "state", "origin", "saved_by", "consent", "visibility", "words", "before")
STATES = ("live", "lapsed", "replaced", "forgotten", "all")
KINDS = ("fact", "event", "preference", "commitment", "belief")
MOVES = {
    "forget": ("forget", ("reason",)),
    "restore": ("restore_fact", ("reason",)),
    "invalidate": ("invalidate", ("reason", "until")),
    "correct": ("correct", ("fact", "reason")),
    "move": ("move_fact", ("entity", "reason")),
}
"""The move of a form: its operation, and the fields that go with it."""


def routes(frame: Frame, shown: Shown) -> list[BaseRoute]:
    """The list, one fact, and what is done to it."""

    def listed(request: Request) -> Response:
        wanted = {name: request.query_params[name] for name in FILTERS if request.query_params.get(name)}
        found = frame.ask(request, "list_facts", source_id="__all__", **wanted)
        template = "facts_rows.html" if wanted.get("before") and "hx-request" in request.headers else "facts.html"
        return frame.page(
            request, template, facts=found["facts"], next=found["next"], wanted=wanted, states=STATES, kinds=KINDS
        )

    def one(request: Request) -> Response:
        told = frame.ask(request, "why", id=str(request.path_params["id"]), source_id="__all__")
        instead = str(number(request.query_params.get("instead")) or "")
        return frame.page(request, "fact.html", told=told, plot=_history(frame, told), instead=instead)

    def change(request: Request, form: Form) -> Response:
        id, name = str(request.path_params["id"]), request.path_params["move"]
        if name not in MOVES:
            raise InvalidParams("there is no such move", "forget, restore, invalidate, correct, move")
        operation, fields = MOVES[name]
        source = frame.ask(request, "why", id=id, source_id="__all__")["source_id"]
        given = {field: form.get(field) for field in fields}
        reply = frame.ask(request, operation, id=id, source_id=source, **given)
        if name == "forget" and form.get("prove"):
            return RedirectResponse(f"/facts/{id}/proof", 303)
        return _after(frame, request, id, reply, back=name == "restore")

    def proof(request: Request) -> Response:
        id = str(request.path_params["id"])
        told = frame.ask(request, "prove_forgotten", id=id)
        return frame.page(request, "proof.html", told=told)

    def merge(request: Request, form: Form) -> Response:
        source = frame.ask(request, "why", id=form.get("keep", ""), source_id="__all__")["source_id"]
        reply = frame.ask(request, "merge_facts", keep=form.get("keep"), drop=form.get("drop"), source_id=source)
        return _after(frame, request, str(form.get("drop")), reply)

    def accept(request: Request, form: Form) -> Response:
        id = str(request.path_params["id"])
        source = frame.ask(request, "why", id=id, source_id="__all__")["source_id"]
        reply = frame.ask(request, "accept_facts", ids=[id], source_id=source)
        return _after(frame, request, id, {"id": id, **reply})

    return [
        Route("/facts/{id}/accept", shown.move(accept), methods=["POST"]),
        Route("/facts", shown.page(listed)),
        Route("/facts/merge", shown.move(merge), methods=["POST"]),
        Route("/facts/{id}", shown.page(one)),
        Route("/facts/{id}/proof", shown.page(proof), methods=["GET"]),
        Route("/facts/{id}/{move}", shown.move(change), methods=["POST"]),
    ]


def _after(frame: Frame, request: Request, id: str, reply: Any, *, back: bool = False) -> Response:
    """For htmx the row as it is now, with its undo; for a plain form the page of the fact that holds now.

    `back`: a fact holds again, under an id of its own where it had ended.
    """
    now = str(reply.get("id") or id)
    if "hx-request" in request.headers:
        told = frame.ask(request, "why", id=id, source_id="__all__")
        return frame.page(request, "fact_done.html", told=told, again=now if back and now != id else "")
    return RedirectResponse(f"/facts/{now}" + (f"?instead={id}" if now != id and not back else ""), 303)


def _history(frame: Frame, told: Any) -> Any:
    chain = [*told["replaced"], _own(told), *told["replaced_by"]]
    spans = [
        drawing.Span(
            one["fact"], _moment(one["since"]), _moment(one["until"]) if one["until"] else None,
            one["ended_as"] or "live", f"/facts/{one['id']}",
        )
        for one in chain if one["since"]
    ]  # fmt: skip
    return drawing.intervals(spans, "When each of these held", frame.brain.clock()) if len(spans) > 1 else ""


def _own(told: Any) -> dict[str, Any]:
    until = told["ended_at"] or told["valid_until"]
    live = told["state"] == "live"
    return {
        "id": told["id"], "fact": told["fact"], "since": told["valid_from"], "until": None if live else until,
        "ended_as": None if live else told["state"],
    }  # fmt: skip


def _moment(wire: str) -> datetime:
    return datetime.fromisoformat(wire.replace("Z", "+00:00"))
