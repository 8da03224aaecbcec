"""Two names of files that change places in one step, which Python has no word for (Linux: renameat2(2))."""

import ctypes
import errno
import os
import sys

# AT_FDCWD and the flags, of linux/fcntl.h and linux/fs.h.
_HERE = -100
_NOREPLACE, _EXCHANGE = 1, 2
# A kernel before 3.15, a file system that cannot (NFS, FAT), or a sandbox that forbids the call.
_UNABLE = (errno.ENOSYS, errno.EINVAL, errno.EPERM, errno.ENOTSUP)
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def exchanged(one: str, other: str) -> bool:
    """Let two files change places; False where the system or the disk cannot. Raises OSError for any other reason."""
    return _rename(one, other, _EXCHANGE)


def moved_to_nothing(source: str, target: str) -> bool:
    """Give a file a name that no other has; False when one has it. Where that cannot be done at once, it is looked."""
    try:
        if _rename(source, target, _NOREPLACE):
            return True
    except FileExistsError:
        return False
    if os.path.lexists(target):
        return False
    os.rename(source, target)
    return True


def _rename(source: str, target: str, how: int) -> bool:
    call = getattr(_LIBC, "renameat2", None)
    if call is None:
        return False
    if call(_HERE, os.fsencode(source), _HERE, os.fsencode(target), how) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNABLE:
        return False
    raise OSError(number, os.strerror(number), target)


__all__ = ["exchanged", "moved_to_nothing"]
