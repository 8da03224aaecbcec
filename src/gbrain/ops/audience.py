"""Whose brain this is: what its owner declared, else what the clients that called of late suggest.

It never turns anything on; it only says whether asking makes sense, and whether to warn.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from gbrain import mirror
from gbrain.store.store import Store
from gbrain.store.usage import Usage

SHARED_CLIENTS = 3
"""From this many clients on a brain counts as shared."""
DAYS = 30
PUSHED = ("context_pack", "delta")
AUTOMATED = 0.9
"""A client whose share of PUSHED calls is above this is a program, not somebody's agent."""


class Audience(NamedTuple):
    """Whose brain it is, and why that is thought, the weightiest first."""

    audience: Literal["personal", "shared", "unknown"]
    reasons: tuple[str, ...]


def classify(declared: str | None, used: Callable[[], Iterable[tuple[str, Usage]]]) -> Audience:
    """The audience by a declaration, or by the calls of DAYS days, each with the name of its client. Never raises."""
    said, reasons = (declared or "").strip().lower(), []
    if said == "shared":
        return Audience("shared", ("declared shared",))
    if said == "personal":
        return Audience("personal", ("declared personal",))
    if said:
        reasons.append(f"unrecognized declaration {said[:40]!r}: neither personal nor shared")
    try:
        count = people(used())
    except Exception as error:
        # A log that cannot be read is no reason to take a brain for that of many.
        return Audience("personal", (*reasons, f"heuristic unavailable ({type(error).__name__})"))
    what = f"{count} client{'' if count == 1 else 's'} called over HTTP in {DAYS} days"
    if count >= SHARED_CLIENTS:
        fix = "yours alone? gbrain config set brain.audience personal"
        return Audience("shared", (*reasons, f"{what}, {SHARED_CLIENTS} or more count as shared; {fix}"))
    return Audience("personal", (*reasons, what))


def people(rows: Iterable[tuple[str, Usage]]) -> int:
    """How many names of clients had an answer, without those that only fetch what is pushed to agents."""
    calls: dict[str, list[int]] = {}
    for name, row in rows:
        if row.ok > 0:
            held = calls.setdefault(name, [0, 0])
            held[0] += row.ok
            held[1] += row.ok if row.operation in PUSHED else 0
    return sum(1 for every, pushed in calls.values() if pushed / every <= AUTOMATED)


def declared(stored: Mapping[str, str], file: mirror.Mirror | None) -> str | None:
    """The declaration in force: the store's, else that of the file, which is None for a mounted brain."""
    told = stored.get(mirror.AUDIENCE)
    if told is None and file is not None:
        held = file.said.get(mirror.AUDIENCE)
        told = held if isinstance(held, str) else None
    return told


def audience(store: Store, host: str | None, now: datetime) -> Audience:
    """The audience of a brain; `host` is the home whose file declares too, None for a mounted brain. Never raises."""
    try:
        said = declared(store.config.all(), None if host is None else mirror.read(host))
    except Exception as error:
        # Whoever asks goes on without an answer.
        return Audience("unknown", (f"the settings cannot be read ({type(error).__name__})",))
    return classify(said, lambda: used(store, now))


def used(store: Store, now: datetime) -> list[tuple[str, Usage]]:
    """The calls over HTTP of the last DAYS days, each with the name of its client."""
    names = {client.id: client.name for client in store.clients.all()}
    since = (now - timedelta(days=DAYS)).strftime("%Y-%m-%d")
    return [(names.get(row.client_id, row.client_id), row) for row in store.usage.since(since)]
