"""Small files that say something of a folder and of all below it, such as which source its notes belong to."""

import os
import stat

SOURCE = ".gbrain-source"
_STEPS = 50
_LONGEST = 256


def found_upward(name: str, folder: str) -> "tuple[str | None, str | None]":
    """The nearest file of this name at or above a folder, and its first line; no line from a file others can write.

    Such a file decides where text goes, so only a regular one of this user's counts.
    """
    for _ in range(_STEPS):
        path = os.path.join(folder, name)
        try:
            return path, _first_line(path)
        except FileNotFoundError:
            pass
        except OSError:
            return path, None
        above = os.path.dirname(folder)
        if above == folder:
            break
        folder = above
    return None, None


def _first_line(path: str) -> "str | None":
    # Opened once and asked then, so that what is read is what was looked at; a pipe would wait for a writer.
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        seen = os.fstat(handle)
        trusted = stat.S_ISREG(seen.st_mode) and seen.st_uid == os.getuid() and not seen.st_mode & stat.S_IWOTH
        text = os.read(handle, _LONGEST) if trusted else b""
    finally:
        os.close(handle)
    lines = text.decode("utf-8", "replace").split()
    return lines[0] if lines else None
