"""The check of ambient memory: whether it is on, what it did, and whether off is off everywhere."""

from datetime import datetime
from typing import Any, NamedTuple

from gbrain import mirror
from gbrain.ambient import contract
from gbrain.ambient.asking import DISABLE, ENABLE, INSTALL, SHOWN
from gbrain.ambient.gate import Bundle, from_file, resolve
from gbrain.brain import Brain, environment_clock, open_brain
from gbrain.doctor import askers, backstop
from gbrain.doctor.askers import Asker, Block
from gbrain.doctor.frame import Finding, Patient, check
from gbrain.errors import BrainError
from gbrain.mounts import HOST
from gbrain.ops.audience import Audience, audience, used
from gbrain.ops.planes import VISIBILITY, differ
from gbrain.store.probe import Trouble
from gbrain.types import View

AGAIN = "gbrain config set memory.auto_writeback"
NEVER = "gbrain config unset memory.auto_writeback"


class Seen(NamedTuple):
    """What the check has before it. `file` is None for a mounted brain; `stored` is the raw mode of the store."""

    home: str
    now: datetime
    bundle: Bundle
    file: mirror.Mirror | None
    stored: str | None = None
    backstop: str = "private"
    audience: Audience | None = None
    asked: bool = False
    lapsed: int | None = None
    remote_readers: bool = False
    files: tuple[Asker, ...] = ()
    servers: tuple[Asker, ...] = ()


@check("memory_writeback", "Ambient memory: on or off, on every plane, in every agent's files", engine="any")
def memory_writeback(patient: Patient) -> Finding:
    """Off is off wherever an agent could still be asked; on, each agent is told what the settings say now."""
    host = patient.chosen.name == HOST
    file = mirror.read(patient.host) if host else None
    files = tuple(askers.in_files(patient.host)) if host else ()
    seen = None if patient.engine == "remote" or patient.busy else _store(patient, file)
    if seen is None:
        return _by_file(patient, file or mirror.Mirror({}), files)
    seen = seen._replace(files=files)
    return _on(seen) if seen.bundle.enabled else _off(seen)


def _store(patient: Patient, file: mirror.Mirror | None) -> Seen | None:
    """What the store says; None where it cannot be opened, or only by bringing it up to date."""
    probe = patient.probe or patient.server
    try:
        schema = None if probe is None else probe.schema()
    except Trouble:
        return None
    if schema is None or schema.missing or schema.step != schema.newest:
        return None
    try:
        with open_brain(patient.chosen) as brain:
            if not isinstance(brain, Brain):
                return None
            now, store = environment_clock()(), brain.store
            bundle = resolve(store.engine, store.config.all, file, gate=True)
            host = patient.host if file is not None else None
            seen = Seen(patient.home, now, bundle, file, audience=audience(store, host, now))
            if bundle.read_error is not None:
                return seen
            consents = store.consents.all()
            changed = consents[0].given_at if consents else None
            return seen._replace(
                stored=mirror.mode_of(store.config.get(mirror.MODE)).raw,
                backstop="world" if brain.settings.get(VISIBILITY) == "world" else "private",
                asked=store.config.get(SHOWN) == "true",
                lapsed=int(store.facts.totals(View(tuple(store.sources.ids()), True, store.config.now()))["lapsed"]),
                remote_readers=any(row.ok for _, row in used(store, now)),
                servers=tuple(askers.servers(patient.database, changed)),
            )
    except BrainError:
        return None


def _by_file(patient: Patient, file: mirror.Mirror, files: tuple[Asker, ...]) -> Finding:
    mode = from_file(file).mode
    data = {"plane": "file-mirror-only", "file_mirror_mode": file.mode.raw or "(unset)", "askers": _rows(files)}
    return Finding("ok", f"config.json says {mode}; the store, which decides, was not read", None, (), data)


def _off(seen: Seen) -> Finding:
    bundle, data = seen.bundle, _data(seen)
    asking = [one for one in (*seen.files, *seen.servers) if one.asks]
    data["lingering_instruction_blocks"] = [one.path for one in asking if one.kind == "instructions"]
    lines = tuple(askers.shown(one) for one in asking)
    if bundle.read_error is not None:
        return Finding("warn", f"the settings cannot be read ({bundle.read_error})", "gbrain doctor", lines, data)
    if not bundle.mode_valid:
        message = f"memory.auto_writeback is {bundle.raw_mode!r:.40}, which is no mode and counts as off"
        return Finding("warn", message, DISABLE, lines, data)
    if _drifts(seen):
        return _drift(seen, lines, data)
    if any(one.harness for one in asking):
        return Finding("warn", f"off, and still asked for in {_places(asking)}", INSTALL, lines, data)
    if asking:
        return Finding("warn", f"off, and {_places(asking)} began before that: restart the agent", None, lines, data)
    data["shadow"] = seen.file is not None and seen.file.shadow
    if data["shadow"]:
        lines = ("shadow mode notes your turns for seven days and saves nothing: gbrain writeback preview",)
    if seen.stored is None:
        return Finding("ok", f"off; to have agents save unasked: {ENABLE}", None, lines, data)
    looked = f"{len(seen.files)} places in the files of agents were looked at, none asks"
    return Finding("ok", f"off; {looked}; to turn it on: {ENABLE}", None, lines, data)


def _on(seen: Seen) -> Finding:
    bundle, data = seen.bundle, _data(seen)
    saved, made = backstop.remembered(seen.home, seen.now), backstop.filed(seen.home, seen.now)
    waits = backstop.waiting(seen.home, seen.now)
    data |= {"remember_over_mcp_7d": saved, "backstop_7d": made, "counters_note": backstop.NOTE}
    data["corpus_backlog"] = {"turns": waits.turns, "oldest_days": waits.oldest.days}
    told = contract.options(bundle, remember=True, extract_facts=None)
    assert told is not None
    trouble: str | None = None
    blocks: list[Block] = []
    try:
        blocks = askers.told(seen.home, contract.section(told)) if seen.file is not None else []
    except BrainError as error:
        trouble = error.message
    data["instruction_blocks"] = [one._asdict() for one in blocks]
    lines = _lines(seen, saved, made, waits)
    for message, fix in _complaints(seen, blocks, made, waits, trouble):
        return _drift(seen, lines, data) if message == "drift" else Finding("warn", message, fix, lines, data)
    message = f"{bundle.mode}; what passes holds for {bundle.transient_ttl}; agents save {bundle.visibility}"
    message += f" facts; the brain is {_audience(seen)}"
    return Finding("ok", message, None, lines, data)


def _complaints(
    seen: Seen, blocks: list[Block], made: dict[str, Any], waits: backstop.Waiting, trouble: str | None
) -> list[tuple[str, str | None]]:
    """What is wrong while it is on, the weightiest first, each with the command that helps."""
    bundle = seen.bundle
    found: list[tuple[str, str | None]] = []
    if not bundle.ttl_valid:
        key = mirror.TTL
        found.append((f"{key} is no span from 1s to 365d, so 3d holds", f"gbrain config set {key} 3d"))
    if _drifts(seen):
        found.append(("drift", None))
    if trouble is not None:
        found.append((trouble, INSTALL))
    for block in blocks:
        where = f"the block for {block.host} in {block.path}"
        if block.override_blocked:
            found.append((f"{where} is not read: AGENTS.override.md takes its place", INSTALL))
        elif block.receipt_state == "failed":
            found.append((f"{block.host} could not be joined the last time", INSTALL))
        elif block.probe != "current":
            stale = "says something else than the settings now" if block.probe == "drift" else f"is {block.probe}"
            found.append((f"{where} {stale}", INSTALL))
    if waits.turns and waits.oldest >= backstop.WARN_AGE:
        days = f"the first since {waits.oldest.days} days; it is deleted in {backstop.left(waits.oldest)}"
        found.append((f"{waits.turns} turns wait to become facts, {days}", "gbrain sweep --once"))
    if backstop.finished(made) >= backstop.LEAST and made["failed"] > backstop.FAILING * backstop.finished(made):
        found.append((f"{made['failed']} turns of the last week could not be filed", "gbrain sweep --once"))
    if bundle.visibility_explicit_private and seen.remote_readers and _audience(seen) != "shared":
        found.append(("facts are saved private, and clients over HTTP, which call here, never see those", None))
    return found


def _lines(seen: Seen, saved: dict[str, Any], made: dict[str, Any], waits: backstop.Waiting) -> tuple[str, ...]:
    """For a person: what was saved, what waits, who can read it."""
    lines = [
        f"7 days, agents by `remember` (asked to or not): {_counts(saved)}",
        f"7 days, out of turns: {_counts(made)}; {made['turns_banked']} turns kept, {waits.turns} wait",
    ]
    note = _split(seen)
    lines += [note] if note else []
    if seen.servers:
        lines.append(f"{_places(list(seen.servers))} began before the last change: restart the agent to have it told")
    return tuple(lines)


def _split(seen: Seen) -> str | None:
    if seen.bundle.visibility == seen.backstop:
        return None
    return (
        f"agents save {seen.bundle.visibility} facts, turns become {seen.backstop} ones, which only you see at this"
        f" machine; to end that: gbrain config set {VISIBILITY} world"
    )


def _drifts(seen: Seen) -> bool:
    return seen.file is not None and differ(mirror.MODE, seen.stored, seen.file.mode.raw)


def _drift(seen: Seen, lines: tuple[str, ...], data: dict[str, Any]) -> Finding:
    assert seen.file is not None
    data["plane_drift"] = True
    here, there = seen.stored or "(unset)", seen.file.mode.raw or "(unset)"
    message = f"the brain says {here}, config.json says {there}: the brain decides, hooks go by the file"
    return Finding("warn", message, f"{AGAIN} {seen.stored}" if seen.stored else NEVER, lines, data)


def _data(seen: Seen) -> dict[str, Any]:
    bundle, found = seen.bundle, seen.audience
    data: dict[str, Any] = {
        "mode": bundle.mode,
        "mode_valid": bundle.mode_valid,
        "transient_ttl": bundle.transient_ttl,
        "ttl_valid": bundle.ttl_valid,
        "instruction_visibility": bundle.visibility,
        "backstop_visibility": seen.backstop,
        "visibility_note": _split(seen) or "agents and turns save alike",
        "audience": _audience(seen),
        "audience_reasons": list(found.reasons) if found else [],
        "nudge_shown": seen.asked,
        "validity_lapsed_facts": seen.lapsed,
        "askers": _rows((*seen.files, *seen.servers)),
        "restart_after_change": [one.path for one in seen.servers],
    }
    if seen.file is not None:
        data["file_mirror_mode"] = seen.file.mode.raw or "(unset)"
    if not bundle.mode_valid:
        data["raw_mode"] = bundle.raw_mode
    if bundle.read_error is not None:
        data["read_error"] = bundle.read_error
    return data


def _audience(seen: Seen) -> str:
    return seen.audience.audience if seen.audience else "unknown"


def _rows(found: tuple[Asker, ...]) -> list[dict[str, Any]]:
    return [one._asdict() for one in found]


def _counts(found: dict[str, Any]) -> str:
    return ", ".join(f"{found[key]} {key}" for key in ("inserted", "duplicate", "superseded", "failed"))


def _places(found: list[Asker]) -> str:
    return ", ".join(dict.fromkeys(one.path for one in found))
