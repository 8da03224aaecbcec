"""One process at a time: a lock on a file kept for nothing else, which goes with its process, however that ends."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

# Windows has no lock that waits for longer than ten seconds, so it is asked for again.
_PAUSE = 0.05

if sys.platform == "win32":
    import msvcrt

    def taken(handle: int) -> bool:
        """Take the lock on an open file, without waiting; False while another has it. It ends when `handle` closes."""
        # A lock there is on a range of bytes, from where the file stands.
        os.lseek(handle, 0, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def wait(handle: int) -> None:
        """Take the lock on an open file as soon as nobody else has it."""
        while not taken(handle):
            time.sleep(_PAUSE)

else:
    import fcntl

    def taken(handle: int) -> bool:
        """Take the lock on an open file, without waiting; False while another has it. It ends when `handle` closes."""
        try:
            # flock and not lockf: a POSIX lock goes when any descriptor of the file is closed, in whatever part of the
            # process.
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def wait(handle: int) -> None:
        """Take the lock on an open file as soon as nobody else has it."""
        fcntl.flock(handle, fcntl.LOCK_EX)


def opened(path: str) -> int:
    """The file of a lock, made for its owner alone where it is not there, and kept from programs that are started."""
    return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)


@contextmanager
def alone(path: str) -> Iterator[None]:
    """The time in which no other process has the lock of this file. Raises OSError where it cannot be made."""
    handle = opened(path)
    try:
        wait(handle)
        yield
    finally:
        os.close(handle)
