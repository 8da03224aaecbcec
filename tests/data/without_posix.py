"""Runs gbrain in a process from which it is taken what Windows lacks, or macOS.

    without_posix.py windows|macos '[["init"], ["recall"]]'

The standard library and the packages that gbrain needs are loaded before, since they are at home on both systems; then
gbrain's own modules are loaded anew, every one of them, and the command lines are run. After each a line with its exit
code goes to stderr.
"""

import _socket
import builtins
import ctypes
import fcntl
import importlib
import json
import os
import pkgutil
import shutil
import signal
import socket
import sys
import time
import types
from typing import Any

UNIX_ONLY = {
    os: (
        *("getuid", "geteuid", "getgid", "getegid", "getpgid", "setsid", "fork", "killpg", "fchmod", "fchown", "chown"),
        *("statvfs", "sysconf", "getloadavg", "uname", "mkfifo", "pread", "pwrite", "wait4", "major", "minor"),
        *("posix_spawn", "posix_spawnp", "POSIX_SPAWN_DUP2", "set_blocking", "register_at_fork"),
        *("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_DIRECTORY"),
    ),
    signal: ("pthread_kill", "SIGKILL", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGALRM", "alarm", "setitimer"),
    time: ("clock_gettime", "CLOCK_BOOTTIME", "CLOCK_MONOTONIC", "tzset"),
    socket: ("AF_UNIX",),
    _socket: ("AF_UNIX", "SO_PEERCRED"),
}
HIDDEN = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty")
NO_PROC = "/proc"


def modules() -> list[str]:
    """Every module of gbrain that is no program."""
    import gbrain

    found = pkgutil.walk_packages(gbrain.__path__, "gbrain.")
    return [one.name for one in found if not one.name.endswith(("__main__", ".hook", ".recall_hook", ".notify"))]


def load() -> None:
    for name in modules():
        importlib.import_module(name)


def windows() -> None:
    """Take away what Windows lacks; its locks are stood in for by those of this system."""
    lock, exclusive, at_once = fcntl.lockf, fcntl.LOCK_EX, fcntl.LOCK_NB

    def locking(handle: int, mode: int, length: int) -> None:
        lock(handle, exclusive | at_once, length)

    stand_in: Any = types.ModuleType("msvcrt")
    stand_in.locking, stand_in.LK_NBLCK, stand_in.LK_LOCK = locking, 2, 1
    sys.modules["msvcrt"] = stand_in
    for name in HIDDEN:
        sys.modules[name] = None  # type: ignore[assignment]
    without_proc()
    # There it asks the system in another way.
    asked = os.statvfs

    def disk_usage(path: str) -> Any:
        told = asked(path)
        return types.SimpleNamespace(free=told.f_bavail * told.f_frsize)

    shutil.disk_usage = disk_usage  # type: ignore[assignment]
    for module, names in UNIX_ONLY.items():
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    library = ctypes.CDLL

    def loaded(name: Any, *more: Any, **given: Any) -> Any:
        if name is None:
            raise TypeError("this system has no library of its own name")
        return library(name, *more, **given)

    ctypes.CDLL = loaded  # type: ignore[assignment, misc]
    sys.platform = "win32"


def without_proc() -> None:
    """Take away `/proc`."""
    opened, is_folder, is_there = builtins.open, os.path.isdir, os.path.exists

    def open_(file: Any, *more: Any, **given: Any) -> Any:
        if isinstance(file, str) and file.startswith(NO_PROC):
            raise FileNotFoundError(2, "No such file or directory", file)
        return opened(file, *more, **given)

    builtins.open = open_  # type: ignore[assignment]
    os.path.isdir = lambda path: not str(path).startswith(NO_PROC) and is_folder(path)  # type: ignore[assignment]
    os.path.exists = lambda path: not str(path).startswith(NO_PROC) and is_there(path)  # type: ignore[assignment]


def macos() -> None:
    """Take away what only Linux has."""
    without_proc()
    del time.CLOCK_BOOTTIME
    del _socket.SO_PEERCRED
    sys.platform = "darwin"


def main() -> int:
    load()
    for name in [name for name in sys.modules if name == "gbrain" or name.startswith("gbrain.")]:
        if name != "gbrain_minilm":
            del sys.modules[name]
    {"windows": windows, "macos": macos}[sys.argv[1]]()
    load()
    outcome = importlib.import_module("gbrain.entry.main").outcome
    for line in json.loads(sys.argv[2]):
        code = outcome(line)
        print(f"code {code}: {' '.join(line)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
