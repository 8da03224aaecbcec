"""The other places: search taken apart, ambient memory, spend, and who has access."""

from collections import Counter
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from gbrain.ambient.capture import EVENT, LOG
from gbrain.ambient.reading import EVENT as READ
from gbrain.entry.cli.harness import Asked, standing
from gbrain.entry.cli.harness_texts import TITLES
from gbrain.entry.cli.screen import harmless
from gbrain.entry.web import drawing
from gbrain.entry.web.frame import Frame
from gbrain.entry.web.showing import Form, Shown
from gbrain.errors import BrainError

BANKED = ("wb_banked", "wb_scheduled", "no_serve", "no_socket")
"""Reasons of the capture hook that say that a turn was kept."""
SHADOWS = 20
"""How many turns of shadow mode are shown."""


def routes(frame: Frame, shown: Shown) -> list[BaseRoute]:
    """Each place with its page."""

    def search(request: Request) -> Response:
        query, target = (request.query_params.get(name, "").strip() for name in ("q", "target"))
        hits = frame.ask(request, "search", query=query, explain=True, limit=20, source_id="__all__") if query else []
        facts = frame.ask(request, "recall", query=query, limit=20, source_id="__all__")["facts"] if query else []
        traced = (
            frame.ask(request, "search_diagnose", query=query, target=target, source_id="__all__")
            if query and target
            else None
        )
        return frame.page(request, "search.html", q=query, target=target, hits=hits, facts=facts, traced=traced)

    def ambient(request: Request) -> Response:
        consents = frame.ask(request, "consents")["consents"]
        mode = frame.ask(request, "status", limit=1)["writeback"]
        steps = _funnel(frame)
        plot = drawing.funnel(steps, "Turns in the hook's log, to the facts that were kept") if steps else ""
        checks = _checks(frame, request, "memory_writeback", "volunteer_channels")
        shown = {"consents": consents, "mode": mode, "plot": plot, "reasons": _reasons(frame), "checks": checks}
        shadow = frame.ask(request, "writeback_preview", limit=SHADOWS)
        return frame.page(request, "ambient.html", shadow=shadow, **_harnesses(frame), **shown)

    def spend(request: Request) -> Response:
        told = frame.ask(request, "spend")
        days = [drawing.Bar(day["day"], (float(day["tokens"]),)) for day in told["days"]]
        plot = drawing.bars(days, "Tokens by day", ("tokens",)) if days else ""
        return frame.page(request, "spend.html", told=told, plot=plot)

    def access(request: Request) -> Response:
        return frame.page(
            request,
            "access.html",
            told=frame.ask(request, "auth_list"),
            sources=frame.ask(request, "sources_list")["sources"],
        )

    def revoke(request: Request, form: Form) -> Response:
        frame.ask(request, "auth_revoke", id=form.get("id"))
        return RedirectResponse("/access", 303)

    return [
        Route("/search", shown.page(search)),
        Route("/ambient", shown.page(ambient)),
        Route("/spend", shown.page(spend)),
        Route("/access", shown.page(access)),
        Route("/access/revoke", shown.move(revoke), methods=["POST"]),
    ]


def _harnesses(frame: Frame) -> dict[str, Any]:
    """The agents of this machine: those that are here or were joined, and how each stands."""
    try:
        found = standing(Asked(frame.brain.home, (), (), None, False, None))
    except BrainError as error:
        return {"harnesses": [], "titles": TITLES, "unread": harmless(f"{error.message}; {error.suggestion}")}
    rows = [row for row in found.rows if row["here"] or row["harness"] in found.wired]
    return {"harnesses": harmless(rows), "titles": TITLES, "unread": ""}


def _heartbeats(frame: Frame) -> list[dict[str, Any]]:
    return frame.brain.journal.read(LOG)[-20_000:]


def _funnel(frame: Frame) -> list[tuple[str, int]]:
    """How many turns the hooks saw, how many were banked, read, and what became of them."""
    lines = _heartbeats(frame)
    # A turn is looked at after it and again at the session's end; the second time is no turn more.
    seen = [line for line in lines if line.get("event") == EVENT and line.get("reason") != "wb_dup"]
    banked = [line for line in seen if line.get("reason") in BANKED]
    read = [line for line in lines if "inserted" in line]
    kept = sum(int(line.get("inserted") or 0) for line in read)
    return (
        [("turns seen", len(seen)), ("banked", len(banked)), ("read", len(read)), ("facts kept", kept)] if lines else []
    )


def _reasons(frame: Frame) -> list[tuple[str, int]]:
    """Why the capture hook left or put off a turn; what the recall hook had to say is of no turn."""
    told = (str(line.get("reason") or "") for line in _heartbeats(frame) if line.get("event") in (EVENT, READ))
    return Counter(reason for reason in told if reason not in ("", "wb_dup", *BANKED)).most_common(20)


def _checks(frame: Frame, request: Request, *names: str) -> list[Any]:
    checks = frame.ask(request, "run_doctor", fast=True)["checks"]
    return [check for check in checks if check["name"].split(".")[0] in names]
