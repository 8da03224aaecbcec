"""Health: what the doctor found, with a click for what is safe to do, and how long calls took."""

from collections import Counter
from datetime import date
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gbrain.doctor.frame import report
from gbrain.entry.cli.screen import harmless
from gbrain.entry.web import drawing
from gbrain.entry.web.frame import Frame
from gbrain.entry.web.showing import Form, Shown
from gbrain.errors import BrainError, InvalidParams
from gbrain.journal import USAGE

URGENT = ("fail", "warn", "skipped", "ok")
"""The order in which a person wants to read what checks found."""

SAFE: dict[str, tuple[str, dict[str, Any]]] = {
    "gbrain sweep --once": ("sweep", {"budget_ms": 30_000}),
    "gbrain embed": ("embed", {}),
    "gbrain embed --stale": ("embed", {"stale": True}),
}
"""The commands of the doctor that may be had by one click: they make again what follows from what is kept, and take
nothing away. Each with its operation and arguments."""


def routes(frame: Frame, shown: Shown) -> list[BaseRoute]:
    """The page, and what its buttons do."""

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

    return [
        Route("/doctor", shown.page(health)),
        Route("/doctor/fix", shown.move(fix), methods=["POST"]),
    ]


def _health(frame: Frame, request: Request, done: str = "") -> Response:
    full = "full" in request.query_params
    try:
        told = frame.ask(request, "run_doctor", fast=not full)
    except BrainError:
        # The store cannot even say which sources there are: the doctor is for that above all.
        told = harmless(report(frame.brain.chosen, not full))
    checks = sorted(told["checks"], key=lambda check: URGENT.index(check["status"]))
    return frame.page(
        request, "health.html", told=told, checks=checks, usage=_usage(frame), full=full, done=done, safe=SAFE
    )


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
