"""The other places: search taken apart, ambient memory, spend, health, and who has access."""

from collections import Counter
from datetime import date
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from gbrain.ambient.capture import LOG
from gbrain.doctor.frame import report
from gbrain.entry.cli.harness import Asked, standing
from gbrain.entry.cli.harness_texts import TITLES
from gbrain.entry.cli.screen import harmless
from gbrain.entry.web import drawing
from gbrain.entry.web.frame import Frame
from gbrain.entry.web.showing import Form, Shown
from gbrain.errors import BrainError, InvalidParams
from gbrain.journal import USAGE

SHADOWS = 20
"""How many turns of shadow mode are shown."""


SAFE: dict[str, tuple[str, dict[str, Any]]] = {
    "gbrain sweep --once": ("sweep", {"budget_ms": 30_000}),
    "gbrain embed": ("embed", {}),
    "gbrain embed --stale": ("embed", {"stale": True}),
}
"""The commands of the doctor that may be had by one click: they make again what follows from what is kept, and take
nothing away. Each with its operation and arguments."""


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

    def health(request: Request) -> Response:
        return _health(frame, request)

    def fix(request: Request, form: Form) -> Response:
        command = form.get("fix", "")
        if command not in SAFE:
            raise InvalidParams("that is not done by a click", "run in a terminal the command that the check names")
        name, arguments = SAFE[command]
        value = frame.ask(request, name, **arguments)
        counts = [f"{key} {count:,}" for key, count in value.items() if isinstance(count, int) and count]
        return _health(frame, request, f"{command}: {value.get('status', 'done')}. {', '.join(counts)}")

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
        Route("/doctor", shown.page(health)),
        Route("/doctor/fix", shown.move(fix), methods=["POST"]),
        Route("/access", shown.page(access)),
        Route("/access/revoke", shown.move(revoke), methods=["POST"]),
    ]


def _health(frame: Frame, request: Request, done: str = "") -> Response:
    full = "full" in request.query_params
    try:
        told = frame.ask(request, "run_doctor", fast=not full)
    except BrainError:
        # The store cannot even say which sources there are: the doctor is for that above all.
        told = harmless(report(frame.brain.chosen, not full))
    return frame.page(request, "health.html", told=told, usage=_usage(frame), full=full, done=done, safe=SAFE)


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
    seen = [line for line in lines if line.get("event") in ("stop", "compact", "session-end")]
    banked = [line for line in seen if line.get("reason") in ("no_serve", "wb_banked", None)]
    read = [line for line in lines if "inserted" in line]
    kept = sum(int(line.get("inserted") or 0) for line in read)
    return (
        [("turns seen", len(seen)), ("banked", len(banked)), ("read", len(read)), ("facts kept", kept)] if lines else []
    )


def _reasons(frame: Frame) -> list[tuple[str, int]]:
    return Counter(str(line["reason"]) for line in _heartbeats(frame) if line.get("reason")).most_common(20)


def _checks(frame: Frame, request: Request, *names: str) -> list[Any]:
    checks = frame.ask(request, "run_doctor", fast=True)["checks"]
    return [check for check in checks if check["name"].split(".")[0] in names]


def _usage(frame: Frame) -> dict[str, Any]:
    """Verbs a day, and how long they took: percentiles of the log of calls."""
    lines = frame.brain.journal.read(USAGE)
    days: Counter[str] = Counter(str(line.get("ts"))[:10] for line in lines)
    told = [(day, (float(count),)) for day, count in sorted(days.items())]
    last: date = frame.brain.clock().date()
    times: dict[str, list[float]] = {}
    for line in lines:
        if isinstance(line.get("latency_ms"), int | float):
            times.setdefault(str(line.get("verb")), []).append(float(line["latency_ms"]))
    rows = [
        (verb, len(some), _percentile(some, 50), _percentile(some, 95), _percentile(some, 99))
        for verb, some in sorted(times.items())
    ]
    return {"plot": drawing.bars(drawing.days(told, last), "Verbs by day, 28 days", ("calls",)), "rows": rows}


def _percentile(values: list[float], share: int) -> float:
    """The value that so many of a hundred do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)]
