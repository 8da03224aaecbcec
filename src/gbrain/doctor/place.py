"""The check of where the home folder lies: will it still be there after an update or a restart?"""

import os
import sys
import tempfile
from datetime import UTC, datetime, timedelta

from gbrain.doctor.frame import Finding, Patient, check
from gbrain.domain.times import parse_store

GRACE = timedelta(days=1)
"""A brain younger than this may live where nothing lasts: it is a rehearsal."""

_PACKAGE_FOLDERS = ("site-packages", "dist-packages", "node_modules")
_NETWORKS = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "afs", "ceph")
_GONE_ON_RESTART = {"tmpfs": "in memory", "ramfs": "in memory", "overlay": "in a container's own layer"}


@check(
    "home.place",
    "A folder that lasts: not of a package, a temporary one, a container's or another machine's",
    needs=("home",),
)
def place(patient: Patient) -> Finding:
    """An update, a restart or a new container does not take the brain away."""
    folder = os.path.realpath(patient.home)
    owner = package_around(folder)
    if owner is not None:
        return Finding("warn", f"{folder} lies inside {owner}, which an update may replace", details=_MOVE)
    kind = filesystem(folder, _mounts())
    if kind in _NETWORKS:
        message = f"{folder} lies on a network drive ({kind}), where SQLite cannot keep processes apart"
        return Finding("warn", message, details=_MOVE)
    gone = lost_on_restart(folder, kind)
    if gone is None:
        return Finding("ok", f"{folder} lasts")
    if _young(patient):
        return Finding("ok", f"{folder} lies {gone}; fit for a rehearsal, since it may be gone after a restart")
    return Finding("warn", f"{folder} lies {gone} and may be gone after a restart", details=_MOVE)


_MOVE = (
    "To move it: stop every process that uses it, then move the whole folder to where it shall stay",
    "and set GBRAIN_HOME to the folder that holds it.",
)


def package_around(folder: str) -> str | None:
    """The package or environment that a folder lies in, None for most."""
    named = next((name for name in _PACKAGE_FOLDERS if name in folder.split(os.sep)), None)
    if named is not None:
        return named
    own = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    environment = os.path.realpath(sys.prefix) if sys.prefix != sys.base_prefix else own
    return next((inside for inside in (own, environment) if _within(folder, inside)), None)


def lost_on_restart(folder: str, kind: str) -> str | None:
    """Where a folder lies that does not last, None when it does; `kind` is the type of its file system."""
    places = {tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm", "/run", "/var/folders"}
    temporary = any(_within(folder, os.path.realpath(place)) for place in places)
    return _GONE_ON_RESTART.get(kind) or ("in a temporary folder" if temporary else None)


def filesystem(folder: str, mounts: str) -> str:
    """The type of the file system a folder lies on, from the text of Linux's mount table; empty where there is none."""
    best, kind = "", ""
    for line in mounts.splitlines():
        fields = line.split()
        if len(fields) > 2:
            point = fields[1].replace("\\040", " ")
            if _within(folder, point) and len(point) >= len(best):
                best, kind = point, fields[2]
    return kind


def _mounts() -> str:
    try:
        with open("/proc/self/mounts", encoding="utf-8", errors="replace") as table:
            return table.read()
    except OSError:
        return ""


def _within(folder: str, place: str) -> bool:
    return folder == place or folder.startswith(place.rstrip(os.sep) + os.sep)


def _young(patient: Patient) -> bool:
    """Whether the brain is known to have been made within the grace."""
    born = patient.born
    return born is not None and datetime.now(UTC) - parse_store(born) < GRACE
