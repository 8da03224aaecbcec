"""The check of the ways that offers go to agents: which make any, which never did, and which nobody makes use of."""

from datetime import UTC, datetime, timedelta

from gbrain import offered
from gbrain.ambient import reach
from gbrain.ambient.recalling import LOG
from gbrain.doctor.frame import Finding, Patient, check
from gbrain.domain.times import store_time
from gbrain.journal import Journal

DAYS = 30
TAIL = 2000
"""Lines of the hooks' journal that are looked at, from its end."""
ENOUGH = 100
"""From so many offers on, a channel of which nothing was ever opened offers what nobody needs."""


@check(
    "volunteer_channels",
    "The ways that offers go: which make any, and whether what they offer is opened",
    needs=("home",),
)
def volunteer_channels(patient: Patient) -> Finding:
    """Not every offer needs to be opened; where none of very many is, the gate lets too much through.

    Hooks that find no server of a brain in a database offer nothing."""
    since = store_time(datetime.now(UTC) - timedelta(days=DAYS))
    channels = {count.name: count for count in offered.counted(patient.home, since)[1]}
    never = [name for name in offered.CHANNELS if name not in channels]
    told = tuple(
        f"{count.name}: {count.offered} offered, {count.opened} opened, last {count.last[:10]}"
        for count in channels.values()
    )
    silent = (f"never: {', '.join(never)}",) if never else ()
    data = {
        "days": DAYS,
        "channels": {name: {"offered": one.offered, "opened": one.opened} for name, one in channels.items()},
        "never": never,
    }
    unread = [count.name for count in channels.values() if count.offered >= ENOUGH and not count.opened]
    if unread:
        message = f"{unread[0]} offered {channels[unread[0]].offered} pages in {DAYS} days, and none was opened"
        return Finding("warn", message, "gbrain config set offers.gate 0.8", (*told, *silent), data)
    runs = _runs(patient.home, since)
    lost = runs.count("no_serve")
    if lost and (why := reach.unheard(patient.home)):
        message = f"{lost} of {len(runs)} runs of recall hooks in {DAYS} days found no server: {why}"
        return Finding("warn", message, reach.FIX, (*told, *silent), {**data, "no_serve": lost, "runs": len(runs)})
    total = sum(count.offered for count in channels.values())
    message = f"{total} offered in {DAYS} days by {len(channels)} of {len(offered.CHANNELS)} channels"
    return Finding("ok", message, details=(*told, *silent) if channels else (), data=data)


def _runs(home: str, since: str) -> list[str]:
    """How the runs of recall hooks ended since then, as reasons."""
    lines = [line for line in Journal(home).read(LOG)[-TAIL:] if str(line.get("event", "")).startswith("recall-")]
    return [str(line.get("reason", "")) for line in lines if since <= str(line.get("ts", ""))]
