"""Plain files of this user, opened so that nothing else in their place does harm, on systems that differ in how.

Hooks load this, so it imports nothing that takes time.
"""

import os
import stat
import time

CLOEXEC: int = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
"""Kept from programs that are started, and every byte as it is."""
NOFOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
READ: int = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | CLOEXEC
"""For reading, and a pipe in its place is not waited for."""
READ_ITSELF: int = READ | NOFOLLOW
"""The same, and a link is not followed."""


def trusted(seen: os.stat_result) -> bool:
    """Whether a plain file is this user's and not for everybody to write, as far as the system knows such a thing."""
    if not stat.S_ISREG(seen.st_mode):
        return False
    # A file that others may write could have come from anybody.
    return os.name != "posix" or (seen.st_uid == os.getuid() and not seen.st_mode & stat.S_IWOTH)


def others_may_read(seen: os.stat_result) -> bool:
    """Whether other users of the machine may look into a file, as far as its mode says so."""
    return os.name == "posix" and bool(stat.S_IMODE(seen.st_mode) & 0o077)


def put(path: str, data: bytes, *, lasting: bool = True) -> None:
    """Put a file in place whole, for its owner alone; `lasting`, its bytes are on the disk before it bears its name.

    Raises OSError, with what was there as it was and nothing beside it.
    """
    # With the time too: in a container one process after the other may have the same id.
    partial = f"{path}.tmp-{os.getpid()}-{time.monotonic_ns()}"
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | CLOEXEC, 0o600)
    try:
        try:
            # A disk that is nearly full takes a part, and says so only at the next write.
            while data:
                data = data[os.write(handle, data) :]
            if lasting:
                os.fsync(handle)
        finally:
            os.close(handle)
        # Whoever lists the folder, or reads the file at this moment, must never meet half of it.
        os.replace(partial, path)
    except BaseException:
        os.unlink(partial)
        raise


def sync_folder(folder: str) -> None:
    """Make sure that the names in a folder are on the disk, where a folder can be opened for that. Raises OSError."""
    # Windows opens no folders, and keeps names safe by itself.
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
