"""Checks of the store: one file that many processes share."""

import glob
import os
import shlex

from gbrain.doctor.frame import Finding, Patient, check
from gbrain.doctor.home import size
from gbrain.doctor.processes import Holder, holders, named
from gbrain.store.probe import Probe, Trouble


@check("store.file", "The store's file: there, this program's, and readable", needs=("home",), engine="sqlite")
def file(patient: Patient) -> Finding:
    """The header and the schema can be read within a second."""
    try:
        probe = Probe(patient.database)
        patient.probe = probe
        probe.identify()
    except Trouble as trouble:
        _drop(patient)
        return _unread(patient, trouble)
    # What was committed and not yet copied into the file; a large one means that a reader has been in the way of the
    # copying.
    log = patient.database + "-wal"
    waiting = f", {size(os.path.getsize(log))} in the write-ahead log" if os.path.exists(log) else ""
    return Finding("ok", f"{patient.database}, {size(os.path.getsize(patient.database))}{waiting}")


@check(
    "store.integrity",
    "Every page of the file, and every index against its table",
    needs=("store.file",),
    engine="sqlite",
)
def integrity(patient: Patient) -> Finding:
    """SQLite's own check finds nothing; with --fast its quick form, which does not compare indexes with tables."""
    if patient.probe is None:
        return _not_read()
    try:
        # The full form compares every index with its table, so its time grows with the whole brain.
        found = patient.probe.problems(full=not patient.fast)
    except Trouble as trouble:
        return _unread(patient, trouble)
    if found:
        return _damaged(patient, found)
    return Finding("ok", "quick check passed" if patient.fast else "every page, index and reference is sound")


@check("store.schema", "The schema step of the store", needs=("store.file", "store.integrity"), engine="sqlite")
def schema(patient: Patient) -> Finding:
    """The store has the schema that this version of gbrain makes."""
    if patient.probe is None:
        return _not_read()
    try:
        found = patient.probe.schema()
        patient.born = patient.probe.born() if not found.missing else None
    except Trouble as trouble:
        return _unread(patient, trouble)
    if found.step > found.newest:
        message = f"written by a newer gbrain: schema {found.step}, this one knows {found.newest}"
        return Finding("fail", message, "pip install --upgrade gbrain")
    if found.missing:
        return Finding(
            "fail",
            f"schema {found.step} lacks {len(found.missing)} of its tables, columns and indexes",
            _copy(patient),
            (
                "A brain that another build of gbrain made comes over with that build's `gbrain export --dir FOLDER",
                "--include-private`, and with `gbrain import FOLDER` in another home.",
                *(f"missing: {name}" for name in found.missing),
            ),
        )
    if found.step < found.newest:
        return Finding(
            "warn",
            f"schema {found.step} is older than {found.newest}; the next command brings it up to date",
            "gbrain stats",
        )
    return Finding("ok", f"schema {found.step}, the newest")


@check(
    "store.writable",
    "A write transaction, begun and rolled back",
    needs=("store.file", "store.integrity", "store.schema"),
    engine="sqlite",
)
def writable(patient: Patient) -> Finding:
    """A write gets its turn within a second."""
    if patient.probe is None:
        return _not_read()
    try:
        patient.probe.write()
    except Trouble as trouble:
        return _unread(patient, trouble)
    return Finding("ok", "a transaction was begun and rolled back")


@check(
    "store.in_use",
    "Which other processes have the store open, and which one is writing",
    needs=("store.file",),
    engine="sqlite",
)
def in_use(patient: Patient) -> Finding:
    """Many processes may share the store; only one that keeps the write lock is in the way."""
    found = holders(patient.database)
    if found is None:
        if patient.busy:
            return Finding("warn", "in use: another process keeps a lock; this system does not say which")
        return Finding("ok", "nothing is in the way; this system does not say who else has it open")
    details = tuple(_line(holder) for holder in found)
    if patient.busy:
        return _in_use(found)
    count = f"{len(found)} other process{'es' if len(found) != 1 else ''}"
    return Finding("ok", f"open in {count}, which share it" if found else "no other process has it open", None, details)


def _unread(patient: Patient, trouble: Trouble) -> Finding:
    """What to say when a read or write met trouble: the cause is told, never guessed."""
    where = shlex.quote(patient.database)
    if trouble.reason == "busy":
        patient.busy = True
        return _in_use(holders(patient.database) or [])
    if trouble.reason == "damaged":
        return _damaged(patient, [trouble.words])
    if trouble.reason in ("missing", "empty"):
        there = "is empty" if trouble.reason == "empty" else "does not exist"
        return Finding("fail", f"{patient.database} {there}: there is no brain yet", "gbrain init")
    if trouble.reason == "foreign":
        message = f"{patient.database} is a SQLite file of another program; it is left untouched"
        return Finding("fail", message, "GBRAIN_HOME=$HOME/gbrain-py gbrain init")
    if trouble.reason == "full":
        return Finding("fail", "the disk is full; nothing can be written", f"df -h {shlex.quote(patient.home)}")
    if trouble.reason == "read_only":
        return Finding("fail", f"{patient.database} may be read but not written by this user", f"chmod u+rw {where}")
    return Finding(
        "fail",
        f"{patient.database} could not be opened ({trouble.words})",
        f"ls -ld {shlex.quote(patient.home)} {where}",
    )


def _in_use(found: list[Holder]) -> Finding:
    writers = [holder for holder in found if holder.writing]
    details = [_line(holder) for holder in found]
    if not writers:
        return Finding(
            "warn",
            "in use: another process kept a lock for as long as the doctor waited, a second",
            None,
            tuple(details),
        )
    writer = writers[0]
    message = f"in use: {named(writer)} holds the write lock, and others wait for it"
    # A process stopped with Ctrl-Z keeps its lock for ever, and waiting helps nobody.
    if writer.stopped:
        details.insert(0, "That process is stopped and cannot let go; it goes on with the command below.")
        return Finding("warn", message, f"kill -CONT {writer.pid}", tuple(details))
    details.insert(0, "Nothing is lost: writes go on once it has finished or ended.")
    return Finding("warn", message, None, tuple(details))


def _line(holder: Holder) -> str:
    doing = "stopped" if holder.stopped else "writing" if holder.writing else "open"
    return f"pid {holder.pid}: {holder.command} ({doing})"


def _damaged(patient: Patient, found: list[str]) -> Finding:
    """The way back: everything is kept, moved aside as a whole, and an upgrade's backup put in its place."""
    # The home's own path may hold brackets.
    backups = sorted(glob.glob(glob.escape(patient.database) + ".before-*"))
    advice = [
        "Keep brain.db, brain.db-wal and brain.db-shm together and change nothing in them: end every process",
        "that uses them, then copy the folder aside with the command below.",
    ]
    if backups:
        advice.append(f"Before the last upgrade the brain was copied to {backups[-1]}.")
        advice.append("To go back to that copy, move the three files to another folder, then copy it to brain.db.")
    else:
        advice.append("No upgrade left a copy here: put back your own backup of the folder, or open an issue that")
        advice.append("quotes `gbrain doctor --json`.")
    return Finding("fail", f"damaged: {found[0]}", _copy(patient), (*advice, *found[1:]))


def _copy(patient: Patient) -> str:
    """A command that copies the whole home beside itself, under a name that is free."""
    number, target = 1, f"{patient.home}.damaged"
    while os.path.lexists(target):
        number += 1
        target = f"{patient.home}.damaged-{number}"
    return f"cp -Rp {shlex.quote(patient.home)} {shlex.quote(target)}"


def _not_read() -> Finding:
    return Finding("skipped", "not run: the store could not be read while it is in use")


def _drop(patient: Patient) -> None:
    if patient.probe is not None:
        patient.probe.close()
        patient.probe = None
