"""Joins gbrain to harnesses, and takes it out of them again: each harness whole or not at all."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal, NamedTuple

from gbrain import __version__
from gbrain.domain.times import store_time
from gbrain.errors import BrainError, Unavailable
from gbrain.harnesses import changes, files, receipt as receipts, smoke
from gbrain.harnesses.changes import Change, Record
from gbrain.harnesses.facts import Facts, Server, Wanted
from gbrain.harnesses.files import Held
from gbrain.harnesses.parts import Part, entry

Receipt = dict[str, Any]
Chosen = tuple[Facts, Wanted]
"""A harness, and what is to stand in its files."""
State = Literal["installed", "missing", "outdated", "broken"]


class Work(NamedTuple):
    """What a run would do for one harness, or why it does nothing. `name` is the harness's.

    `final` when gbrain takes its leave: then each file goes its way, and an error is that of those which stay.
    `options`: what the receipt remembers for the next run.
    """

    name: str
    changes: tuple[Change, ...] = ()
    error: BrainError | None = None
    parts: tuple[Part, ...] = ()
    final: bool = False
    options: dict[str, str | bool] | None = None

    @property
    def is_any(self) -> bool:
        """Whether there is anything to write."""
        return any(change.is_one for change in self.changes)


def plan(chosen: list[Chosen], receipt: Receipt) -> list[Work]:
    """What is to be done for each harness to have what is wanted. Nothing is written."""
    return [
        _planned(facts.name, facts.parts(wanted), receipt)._replace(options=dict(wanted.options))
        for facts, wanted in chosen
    ]


def plan_removal(names: list[str], receipt: Receipt) -> list[Work]:
    """What is to be done for each harness to have nothing of gbrain's. Nothing is written."""
    return [_planned(name, [], receipt, final=True) for name in names]


def apply(home: str, works: list[Work], chosen: list[Chosen], now: datetime) -> list[Work]:
    """Do what is planned, and try what was registered; a harness for which that fails is as it was before.

    Returns the works, with the error of each that failed. Call it with the receipt locked since the plan was made.
    """
    before = _begun(home, works, now)
    done = []
    tried: dict[str, BrainError | None] = {}
    for work, (facts, wanted) in zip(works, chosen, strict=True):
        error = work.error or _written(work) or _tried(work, facts, wanted.name, tried)
        if error is not None and work.error is None:
            error = _taken_back(work) or error
        done.append(work._replace(error=error))
    _ended(home, before, done, now)
    return done


def remove(home: str, works: list[Work], now: datetime) -> list[Work]:
    """Take gbrain out as planned; what cannot be cleaned stays on the receipt. Returns works as `apply`."""
    before = _begun(home, works, now)
    done = [work._replace(error=_written(work) or work.error) for work in works]
    _ended(home, before, done, now)
    return done


class Stands(NamedTuple):
    """How a harness stands, how each piece does, what is wrong with it if it is broken, and what is outdated."""

    state: State
    rows: list[dict[str, str]]
    why: str | None = None
    changes: tuple[Change, ...] = ()


def state(facts: Facts, wanted: Wanted, receipt: Receipt) -> Stands:
    """How a harness stands by what is in its files now. Nothing is written."""
    known = _files(receipt, facts.name)
    rows, why = [], None
    for part in facts.parts(wanted):
        try:
            seen = "installed" if part.is_in(files.read(part.path).text or "") else "missing"
        except (BrainError, ValueError) as error:
            seen = "broken"
            if isinstance(error, BrainError) and (error.detail or {}).get("reason") == "override_blocked":
                seen = "override-blocked"
            why = getattr(error, "message", f"{part.path} cannot be understood ({error})")
        rows.append({"kind": part.kind, "path": part.path, "entry": entry(part), "state": seen})
    states = {row["state"] for row in rows}
    if why is not None:
        return Stands("broken", rows, why)
    if not known and "installed" not in states:
        return Stands("missing", rows)
    work = _planned(facts.name, facts.parts(wanted), receipt)
    if work.error is not None:
        return Stands("broken", rows, work.error.message)
    stands: State = "outdated" if work.is_any or "missing" in states else "installed"
    return Stands(stands, rows, changes=tuple(change for change in work.changes if change.is_one))


def registered(facts: Facts, name: str, receipt: Receipt) -> Server | None:
    """The server that the files of a harness name now, as far as the receipt knows them; None where they name none."""
    for path in _files(receipt, facts.name):
        try:
            found = facts.server(files.read(path).text or "", name)
        except (BrainError, ValueError):
            continue
        if found is not None:
            return found
    return None


def remembered(receipt: Receipt, name: str) -> dict[str, Any]:
    """The options that a harness was wired with."""
    return dict(receipt.get("harnesses", {}).get(name, {}).get("options") or {})


def wired(receipt: Receipt) -> list[str]:
    """The harnesses that the receipt names."""
    return list(receipt.get("harnesses", {}))


def _planned(name: str, parts: list[Part], receipt: Receipt, *, final: bool = False) -> Work:
    known = _files(receipt, name)
    # A file that others lead to is the first to come and the last to go.
    paths = list(dict.fromkeys([*(part.path for part in parts), *reversed(known)]))
    made: list[Change] = []
    error = None
    for path in paths:
        here = [part for part in parts if part.path == path]
        try:
            made.append(changes.planned(path, here, known.get(path), final=final))
        except BrainError as refused:
            error = error or refused
            if not final:
                return Work(name, error=refused)
    return Work(name, tuple(made), error, tuple(parts), final)


def _files(receipt: Receipt, name: str) -> dict[str, Record]:
    known: dict[str, Record] = receipt.get("harnesses", {}).get(name, {}).get("files", {})
    return known


def _begun(home: str, works: list[Work], now: datetime) -> Receipt:
    """What the receipt said. From here on it says what may stand in the files."""
    before = receipts.read(home)
    for path in {path for work in works for path in (*_files(before, work.name), *_paths(work))}:
        files.drop_partials(path)
    if any(work.is_any for work in works):
        # Before the first file: whatever breaks off from here on, the next run knows what may stand where.
        receipts.write(home, _receipt(before, works, changes.pending, now))
    return before


def _paths(work: Work) -> list[str]:
    return [change.held.path for change in work.changes]


def _ended(home: str, before: Receipt, works: list[Work], now: datetime) -> None:
    """Write down how it ended: for each file, what goes with what stands in it now."""
    receipt = _receipt(before, works, _settled, now)
    if receipt != receipts.read(home):
        receipts.write(home, receipt)


def _receipt(
    before: Receipt, works: list[Work], record_of: Callable[[Change, Record | None], Record | None], now: datetime
) -> Receipt:
    """The receipt with the harnesses of these works as `record_of` has each of their files."""
    head = {"harness_receipt_version": receipts.VERSION, "created_at": store_time(now)}
    receipt = {**head, **before, "created_by": f"gbrain {__version__}", "harnesses": {**before.get("harnesses", {})}}
    for work in works:
        known: dict[str, Record | None] = dict(_files(before, work.name))
        known.update({change.held.path: record_of(change, known.get(change.held.path)) for change in work.changes})
        kept = {path: record for path, record in known.items() if record is not None}
        said = before.get("harnesses", {}).get(work.name, {}).get("state")
        if kept:
            same = said == "confirmed" and not work.is_any
            state = "failed" if work.error else "confirmed" if same else "unknown"
            state = "pending" if record_of is changes.pending and work.is_any else state
            options = work.options if work.options is not None else remembered(before, work.name)
            receipt["harnesses"][work.name] = {"state": state, "options": options, "files": kept}
        else:
            receipt["harnesses"].pop(work.name, None)
    return receipt


def _settled(change: Change, known: Record | None) -> Record | None:
    seen = _now(change.held.path)
    if seen == change.after:
        return change.record
    return known if seen == change.held.text else changes.pending(change, known)


def _now(path: str) -> str | None:
    try:
        return files.read(path).text
    except BrainError:
        return None


def _written(work: Work) -> BrainError | None:
    """Write every file of a harness; the first error."""
    try:
        for change in work.changes:
            if change.is_one:
                files.write(change.held, change.after)
            files.drop_folders(change.folders)
    except BrainError as error:
        return error
    return None


def _taken_back(work: Work) -> BrainError | None:
    """Put back what stood in the files before; the first error."""
    failed = None
    for change in work.changes:
        try:
            # Only what we wrote is put back: somebody may have changed the file since.
            if change.is_one and _now(change.held.path) == change.after:
                data = None if change.after is None else change.after.encode("utf-8")
                files.write(Held(change.held.path, change.after, data), change.held.text)
                if change.held.text is None and change.record is not None:
                    files.drop_folders(change.record["folders"])
        except BrainError as error:
            failed = failed or error
    return failed


def _tried(work: Work, facts: Facts, name: str, known: dict[str, BrainError | None]) -> BrainError | None:
    """What is wrong with the server as the harness's file has it; each command is tried once."""
    path = next((part.path for part in work.parts if part.kind == "registration"), None)
    if path is None:
        return None
    try:
        server = facts.server(files.read(path).text or "", name)
    except (BrainError, ValueError) as error:
        return error if isinstance(error, BrainError) else _unregistered(path, str(error))
    if server is None:
        return _unregistered(path, "it names no server")
    key = repr(server)
    if key not in known:
        try:
            smoke.test(server)
            known[key] = None
        except BrainError as error:
            known[key] = error
    return known[key]


def _unregistered(path: str, why: str) -> Unavailable:
    return Unavailable(f"what was registered in {path} cannot be read back: {why}", "run: gbrain doctor")
