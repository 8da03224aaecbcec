"""Offers for a hook that runs alone: the brain of a home, looked into read-only, without a server."""

import os
from collections.abc import Collection, Sequence

from gbrain.domain.offers.core import Limits, Offer, offers
from gbrain.domain.offers.reading import Said
from gbrain.store.glance import Glance
from gbrain.store.offering import Offering
from gbrain.types import View

DATABASE = "brain.db"


def offers_at(
    home: str,
    turns: Sequence[Said],
    sources: Sequence[str],
    now: str,
    limits: Limits = Limits(),  # noqa: B008 - never changed
    *,
    private: bool = False,
    offered: Collection[tuple[str, str]] = (),
) -> list[Offer]:
    """What to offer after the last of these turns (oldest first) from the SQLite brain of a home.

    `sources` may be read, that of the project first; `now` is store text. `offered` holds source and slug of what
    this conversation was offered before; the caller keeps it. Private pages and facts only when `private`. Raises
    OSError where there is no brain that can be read just now.
    """
    glance = Glance(os.path.join(home, DATABASE))
    try:
        return offers(turns, Offering(glance, View(tuple(sources), private, now)), limits, offered=offered)
    finally:
        glance.close()
