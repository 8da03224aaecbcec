"""Checks of the home folder: is it there, whose is it, is there room."""

import os
import shlex
import shutil
import stat
from datetime import UTC, datetime

from gbrain import home as homes
from gbrain.doctor.frame import Finding, Patient, check
from gbrain.domain.times import parse_clock
from gbrain.errors import InvalidParams
from gbrain.mounts import ENV_BRAIN

LITTLE_ROOM = 512 * 1024 * 1024
NO_ROOM = 32 * 1024 * 1024


@check("home", "The home folder: there, this program's, and closed to other people", engine="any")
def home(patient: Patient) -> Finding:
    """The folder exists, is not the TypeScript gbrain's, and has mode 0700."""
    folder = patient.home
    details = tuple(f"{name}={os.environ[name]} is in force" for name in _SPOKEN if os.environ.get(name))
    try:
        parse_clock(os.environ.get(_CLOCK) or "+0s", lambda: datetime.now(UTC))
    except InvalidParams as error:
        return Finding("fail", f"{_CLOCK}: {error.message}; no command runs with it", f"unset {_CLOCK}", details)
    marks = homes.foreign_marks(folder)
    if marks:
        fix = f"{homes.ENV_HOME}=$HOME/gbrain-py gbrain init"
        return Finding(
            "fail",
            f"{folder} belongs to the TypeScript gbrain ({', '.join(marks)}); it is left untouched",
            fix,
            details,
        )
    if not os.path.isdir(folder):
        there = "is not a folder" if os.path.lexists(folder) else "does not exist: there is no brain yet"
        return Finding("fail", f"{folder} {there}", None if os.path.lexists(folder) else "gbrain init", details)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return Finding("fail", f"{folder} may not be read and written by this user", None, details)
    mode = stat.S_IMODE(os.stat(folder).st_mode)
    if os.name == "posix" and mode & 0o077:
        message = f"{folder} has mode {mode:04o}: other people of this machine may look into it"
        return Finding("warn", message, f"chmod 700 {shlex.quote(folder)}", details)
    return Finding("ok", f"{folder}, mode {mode:04o}", None, details)


_CLOCK = "GBRAIN_CLOCK"
_SPOKEN = (homes.ENV_HOME, _CLOCK, "GBRAIN_SOURCE", ENV_BRAIN, "GBRAIN_MCP_FORCE_SURFACE")


@check("home.space", "Room on the disk", needs=("home",))
def space(patient: Patient) -> Finding:
    """There is room for the write-ahead log and for the copy an upgrade makes."""
    free = shutil.disk_usage(patient.home).free
    held = os.path.getsize(patient.database) if os.path.isfile(patient.database) else 0
    message = f"{size(free)} free"
    if free < NO_ROOM:
        return Finding("fail", f"only {message}; writes will soon be refused")
    if free < max(LITTLE_ROOM, 2 * held):
        return Finding("warn", f"only {message}; an upgrade copies the brain ({size(held)}) first")
    return Finding("ok", message)


def size(count: int) -> str:
    """A number of bytes for a person: 512 B, 3.4 MB, 12 GB."""
    value, unit = float(count), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if value < 1000:
            break
        value, unit = value / 1000, larger
    return f"{value:.1f} {unit}" if value < 10 and unit != "B" else f"{value:.0f} {unit}"
