"""Whether a recall hook can ask the brain of a home at all: one that lies in a database is asked by way of a server."""

import os
import time

from gbrain import neighbour
from gbrain.ambient.recalling import ADDRESS

WAIT = 0.5
FIX = "gbrain serve --http"


def unheard(home: str) -> str:
    """Why recall hooks bring nothing just now, "" where nothing of this kind stands in their way."""
    if not os.path.lexists(os.path.join(home, ADDRESS)):
        return ""
    try:
        with neighbour.Line(home, time.monotonic() + WAIT):
            return ""
    except neighbour.Unanswered:
        return (
            "the brain lies elsewhere and none of its servers runs here, so its hooks bring nothing until an agent or"
            f" `{FIX}` starts one"
        )
