"""The check of which brain is looked at: its name, what chose it, and the names of other brains."""

import os
import shlex

from gbrain import home as homes, mounts, plain
from gbrain.doctor.frame import Finding, Patient, check
from gbrain.errors import BrainError


@check("brain", "The brain in use: its name, how it is kept, where, and what chose it", engine="any")
def brain(patient: Patient) -> Finding:
    """The brain that was meant is the one that is looked at, and every other name leads to a brain."""
    if patient.unchosen is not None:
        return Finding("fail", patient.unchosen.message, patient.unchosen.suggestion.removeprefix("run: "))
    chosen = patient.chosen
    try:
        shown = f"{chosen.name}: {homes.kind(chosen.home)}, {homes.place(chosen.home)}"
    except BrainError as error:
        return Finding("fail", error.message, error.suggestion.rpartition(": ")[2])
    message = f"{shown}; {mounts.reason(chosen.by, chosen.said_in)}"
    try:
        others = mounts.mounted(patient.host)
    except BrainError as error:
        return Finding("warn", f"{message}; {error.message}", "gbrain mounts list", (error.suggestion,))
    open_files = [path for path in _secrets(patient.host, others) if _is_open(path)]
    if open_files:
        fix = f"chmod 600 {shlex.quote(open_files[0])}"
        return Finding("warn", f"{message}; {open_files[0]} can be read by other people of this machine", fix)
    lost = [name for name, mount in others.items() if not _leads_somewhere(mount.home)]
    if lost:
        details = tuple(f"{name}: no brain in {others[name].home}" for name in lost)
        return Finding(
            "warn", f"{message}; {lost[0]} names no brain any more", f"gbrain mounts remove {lost[0]}", details
        )
    return Finding("ok", message)


def _secrets(host: str, others: "dict[str, mounts.Mount]") -> list[str]:
    """The files that may hold a token or a password."""
    return [os.path.join(home, homes.ADDRESS) for home in (host, *(mount.home for mount in others.values()))]


def _is_open(path: str) -> bool:
    try:
        return plain.others_may_read(os.stat(path))
    except OSError:
        return False


def _leads_somewhere(home: str) -> bool:
    try:
        return homes.has_brain(home)
    except BrainError:
        return False
