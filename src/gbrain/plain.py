"""Plain files of this user, opened so that nothing else in their place does harm, on systems that differ in how.

Hooks load this, so it imports nothing that takes time.
"""

import os
import stat

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
    return os.name != "posix" or (seen.st_uid == os.getuid() and not seen.st_mode & stat.S_IWOTH)


def others_may_read(seen: os.stat_result) -> bool:
    """Whether other users of the machine may look into a file, as far as its mode says so."""
    return os.name == "posix" and bool(stat.S_IMODE(seen.st_mode) & 0o077)


def sync_folder(folder: str) -> None:
    """Make sure that the names in a folder are on the disk, where a folder can be opened for that. Raises OSError."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
