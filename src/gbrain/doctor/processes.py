"""Who else has the store's file open, and who is writing to it: from the kernel's table of locks, on Linux.

SQLite's WAL mode locks single bytes (https://www.sqlite.org/walformat.html): on the `-shm` file byte 120 is
the one writer and byte 128 is held by everyone who has it open; on the main file the bytes from 0x40000000 on
are held by everyone connected.
"""

import os
from datetime import UTC, datetime
from typing import NamedTuple

WRITER_BYTE = 120
MAIN_BYTES = 0x40000000
_WORDS, _CHARS = 4, 80


class Holder(NamedTuple):
    """A process that has the store open. `stopped` is one that was halted and cannot let go of a lock."""

    pid: int
    command: str
    writing: bool
    stopped: bool


class Lock(NamedTuple):
    """One line of /proc/locks."""

    pid: int
    exclusive: bool
    device: tuple[int, int]
    inode: int
    start: int
    end: int


def holders(database: str) -> list[Holder] | None:
    """The other processes that have this database open, by pid; None where the system does not tell."""
    try:
        with open("/proc/locks", encoding="ascii", errors="replace") as table:
            locks = [lock for line in table if (lock := parsed(line)) is not None]
    except OSError:
        return None
    writing: dict[int, bool] = {}
    for path, is_writer in ((database + "-shm", _writes_log), (database, _writes_main)):
        for lock in _on(path, locks):
            # 0 is a process of another namespace, -1 an open-file-description lock: neither can be named.
            if lock.pid not in (0, -1, os.getpid()):
                writing[lock.pid] = writing.get(lock.pid, False) or is_writer(lock)
    return [Holder(pid, command(pid), writing[pid], _stopped(pid)) for pid in sorted(writing)]


def parsed(line: str) -> Lock | None:
    """A line of /proc/locks (`1: POSIX ADVISORY WRITE 123 fe:00:456 120 120`); None for waiters and other kinds."""
    fields = line.split()
    try:
        if fields[1] not in ("POSIX", "OFDLCK"):
            return None
        major, minor, inode = fields[5].split(":")
        end = 2**63 - 1 if fields[7] == "EOF" else int(fields[7])
        # Device numbers stand in hexadecimal, the inode in decimal (proc_locks(5)).
        return Lock(
            int(fields[4]), fields[3] == "WRITE", (int(major, 16), int(minor, 16)), int(inode), int(fields[6]), end
        )
    except (IndexError, ValueError):
        return None


def command(pid: int) -> str:
    """The command of a process, without what follows a `gbrain` command: that may be what a person wrote."""
    found = words(pid)
    return spoken(found) if found else "unknown command"


def words(pid: int) -> list[str]:
    """The command line of a process; empty where the system does not tell."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return [word.decode(errors="replace") for word in file.read().split(b"\0") if word]
    except OSError:
        return []


def started(pid: int) -> datetime | None:
    """When a process began, to the hundredth of a second; None where the system does not tell.

    `/proc/PID/stat` counts ticks since the machine started (field 22), `/proc/stat` says when that was (`btime`).
    """
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            # The name of the program stands in brackets and may hold brackets and spaces itself.
            ticks = int(file.read().rpartition(")")[2].split()[19])
        with open("/proc/stat", encoding="ascii", errors="replace") as file:
            booted = next(int(line.split()[1]) for line in file if line.startswith("btime "))
    except (OSError, IndexError, ValueError, StopIteration):
        return None
    return datetime.fromtimestamp(booted + ticks / os.sysconf("SC_CLK_TCK"), UTC)


def spoken(words: list[str]) -> str:
    """A command line cut to its program and its first plain words."""
    shown: list[str] = []
    for word in words[:_WORDS]:
        if not word.isprintable() or " " in word or len(word) > _CHARS:
            break
        shown.append(os.path.basename(word) if not shown or os.path.basename(word) == "gbrain" else word)
        if len(shown) > 1 and shown[-2] == "gbrain":
            break
    return " ".join(shown) + (" …" if len(shown) < len(words) else "")


def named(holder: Holder) -> str:
    """`process 123 (gbrain serve)`."""
    return f"process {holder.pid} ({holder.command})"


def _on(path: str, locks: list[Lock]) -> list[Lock]:
    """The locks on a file, told by stat alone."""
    try:
        found = os.stat(path)
    except OSError:
        return []
    same = [lock for lock in locks if lock.inode == found.st_ino]
    exact = [lock for lock in same if lock.device == (os.major(found.st_dev), os.minor(found.st_dev))]
    # Some file systems report another device in the table of locks than in stat.
    return exact or same


def _writes_log(lock: Lock) -> bool:
    return lock.exclusive and lock.start <= WRITER_BYTE <= lock.end


def _writes_main(lock: Lock) -> bool:
    return lock.exclusive and lock.end >= MAIN_BYTES


def _stopped(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] in ("T", "t")
    except (OSError, IndexError):
        return False
