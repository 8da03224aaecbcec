"""Small files that say something of a folder and of all below it, such as which source its notes belong to."""

import os

from gbrain import plain

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
    handle = os.open(path, plain.READ_ITSELF)
    try:
        text = os.read(handle, _LONGEST) if plain.trusted(os.fstat(handle)) else b""
    finally:
        os.close(handle)
    lines = text.decode("utf-8", "replace").split()
    return lines[0] if lines else None
