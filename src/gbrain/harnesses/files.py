"""Files of other programs: read whole, written whole or not at all, with links followed and modes kept."""

import contextlib
import hashlib
import os
import secrets
import stat
from collections.abc import Iterable
from typing import NamedTuple

from gbrain import plain
from gbrain.errors import InvalidParams, Unavailable

LARGEST = 64_000_000
PARTIAL = ".gbrain-partial"
"""How the name of a file ends that is being written."""


class Held(NamedTuple):
    """What a file holds now; `text` is None where there is none. `data` is the same as it is on the disk."""

    path: str
    text: str | None
    data: bytes | None


def sha(text: str) -> str:
    """What tells one text from another."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def read(path: str) -> Held:
    """A file as it is. Raises InvalidParams for one that is no plain UTF-8 file, Unavailable for one out of reach."""
    try:
        # A pipe in its place must not hold the command up.
        handle = os.open(path, plain.READ)
    except FileNotFoundError:
        return Held(path, None, None)
    except OSError as error:
        raise unreachable(path, error) from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise InvalidParams(f"{path} is no file, so nothing was changed", "move it away, then run the command again")
    with open(handle, "rb") as file:
        try:
            data = file.read(LARGEST + 1)
        except OSError as error:
            raise unreachable(path, error) from None
    if len(data) > LARGEST:
        raise InvalidParams(f"{path} is larger than {LARGEST // 1_000_000} MB", "make it smaller, then try again")
    try:
        return Held(path, data.decode("utf-8"), data)
    except UnicodeDecodeError as error:
        raise InvalidParams(
            f"{path} is not UTF-8 (byte {error.start}), so nothing was changed",
            "save it as UTF-8, then run the command again",
            detail={"reason": "not_utf8", "path": path},
        ) from None


def refuse_unwritable(path: str) -> None:
    """Raise Unavailable where a file is marked as read-only, or its folder cannot be written."""
    real = os.path.realpath(path)
    try:
        mode = os.stat(real).st_mode
    except FileNotFoundError:
        mode = stat.S_IWUSR
    except OSError as error:
        raise unreachable(path, error) from None
    folder = os.path.dirname(real)
    while not os.path.lexists(folder):
        folder = os.path.dirname(folder)
    if not mode & stat.S_IWUSR or not os.access(folder, os.W_OK | os.X_OK):
        raise Unavailable(
            f"{path} is read-only, so nothing was changed",
            f"make it writable (chmod u+w {path}), then run the command again",
            detail={"reason": "read_only", "path": path},
        )


def missing_folders(path: str) -> list[str]:
    """The folders that must be made for a file, from the inside out."""
    made, folder = [], os.path.dirname(os.path.realpath(path))
    while not os.path.lexists(folder):
        made.append(folder)
        folder = os.path.dirname(folder)
    return made


def write(held: Held, text: str | None) -> None:
    """Put a text in the place of what was read, None: take the file away.

    Raises Unavailable where that cannot be done, or where someone else has changed the file since.
    """
    real = os.path.realpath(held.path)
    try:
        # Agents rewrite their settings while they run; what they wrote since would be lost.
        if read(held.path).data != held.data:
            raise Unavailable(
                f"{held.path} was changed by another program just now, so it was left alone",
                "run the command again",
                detail={"reason": "changed_meanwhile", "path": held.path},
            )
        if text is None:
            os.unlink(real)
        else:
            _replace(real, text.encode("utf-8"))
    except OSError as error:
        raise unreachable(held.path, error) from None


def drop_partials(path: str) -> None:
    """Take away what a run that was killed left beside a file: it may hold a token."""
    real = os.path.realpath(path)
    folder, name = os.path.split(real)
    try:
        left = [one for one in os.listdir(folder) if one.startswith(f"{name}.") and one.endswith(PARTIAL)]
    except OSError:
        return
    for one in left:
        # The number of the process is in the name, so that a write that is under way is left alone.
        process = one[len(name) + 1 :].partition("-")[0]
        if not process.isdigit() or not _runs(int(process)):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(folder, one))


def drop_folders(folders: Iterable[str]) -> None:
    """Take away folders that were made for a file, as far as nothing is in them."""
    for folder in folders:
        try:
            os.rmdir(folder)
        except FileNotFoundError:
            # A run that was killed had not come to make it.
            pass
        except OSError:
            return


def unreachable(path: str, error: OSError) -> Unavailable:
    """The error for a file that the system does not let us read or write."""
    return Unavailable(
        f"{path} cannot be read or written: {error.strerror or error}; it was left as it is",
        "check its permissions, then run the command again",
        detail={"reason": "harness_file", "path": path},
    )


def _runs(process: int) -> bool:
    """Whether a process of this number is there, or may be where asking would interrupt it."""
    if os.name != "posix":
        return process != os.getpid()
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return process != os.getpid()


def _replace(real: str, data: bytes) -> None:
    folder = os.path.dirname(real)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    try:
        before = os.stat(real)
    except FileNotFoundError:
        before = None
    partial = f"{real}.{os.getpid()}-{secrets.token_hex(6)}{PARTIAL}"
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | plain.CLOEXEC, 0o600)
    try:
        with open(handle, "wb") as file:
            if before is not None and os.name == "posix":
                # On the open file, before it has any content: it may hold a token.
                os.fchmod(handle, stat.S_IMODE(before.st_mode))
                if (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
                    with contextlib.suppress(PermissionError):
                        os.fchown(handle, before.st_uid, before.st_gid)
            file.write(data)
            file.flush()
            os.fsync(handle)
        os.replace(partial, real)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(partial)
        raise
    plain.sync_folder(folder)
