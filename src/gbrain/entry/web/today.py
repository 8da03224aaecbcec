"""Today: what was saved, by whom, why, with its undo; what lapses soon; where facts disagree."""

from datetime import date

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gbrain.entry.web import drawing
from gbrain.entry.web.frame import Frame
from gbrain.entry.web.showing import Shown
from gbrain.ops.steering import MOST_COMPARED

SHOWN = 30


def routes(frame: Frame, shown: Shown) -> list[BaseRoute]:
    """The first page."""

    def today(request: Request) -> Response:
        status = frame.ask(request, "status", limit=SHOWN)
        told = [(row["day"], (float(row["saved"]), float(row["ended"]))) for row in status["days"]]
        plot = drawing.bars(drawing.days(told, _day(frame)), "Facts by day, 28 days", ("saved", "ended"))
        review = frame.ask(request, "list_facts", unreviewed=True, limit=SHOWN, source_id="__all__")["facts"]
        events = [
            one for one in frame.ask(request, "activity", limit=40)["events"] if one["what"] in ("wrote", "hook")
        ][::-1][:8]
        shown = {"status_now": status, "plot": plot, "events": events}
        return frame.page(request, "today.html", review=review, **shown)

    def conflicts(request: Request) -> Response:
        after = request.query_params.get("after", "")
        found = frame.ask(request, "conflicts", limit=20, after=after, source_id="__all__")
        told = {"conflicts": found["conflicts"], "more": found["next"], "partly": found["partly"]}
        return frame.page(request, "conflicts.html", most=MOST_COMPARED, **told)

    return [Route("/", shown.page(today)), Route("/conflicts", shown.page(conflicts))]


def _day(frame: Frame) -> date:
    return frame.brain.clock().date()
