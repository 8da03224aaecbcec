"""The receipt of what gbrain put into the files of harnesses: `bootstrap/harness.json` in the home.

`{"harness_receipt_version": 1, "created_at", "created_by", "harnesses": {NAME: {"state", "files": {PATH: ...}}}}`. It
is written before the files are, so that a run which breaks off is finished, or taken back, by the next.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gbrain import locks
from gbrain.errors import Unavailable
from gbrain.home import prepare, write_private

VERSION = 1


def path(home: str) -> str:
    """Where the receipt of a home lies."""
    return os.path.join(home, "bootstrap", "harness.json")


@contextmanager
def locked(home: str) -> Iterator[None]:
    """One run at a time in a home; another waits. Raises Unavailable where the home cannot be written."""
    folder = os.path.dirname(path(home))
    prepare(home)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        handle = locks.opened(os.path.join(folder, ".lock"))
    except OSError as error:
        raise _out_of_reach(folder, error) from None
    try:
        locks.wait(handle)
        yield
    finally:
        os.close(handle)


def read(home: str) -> dict[str, Any]:
    """The receipt; an empty dict where there is none.

    Raises Unavailable for one of a later release, and for one that cannot be read.
    """
    try:
        with open(path(home), encoding="utf-8") as file:
            said = json.load(file)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise _out_of_reach(path(home), error) from None
    except ValueError:
        said = None
    version = said.get("harness_receipt_version") if isinstance(said, dict) else None
    if version == VERSION and isinstance(said["harnesses"], dict):
        return dict(said)
    later = isinstance(version, int) and version > VERSION
    raise Unavailable(
        f"{path(home)} was written by a later gbrain" if later else f"{path(home)} is damaged",
        "update gbrain" if later else "move it away, then run: gbrain bootstrap harness --yes",
        detail={"reason": "receipt_newer" if later else "receipt_invalid", "path": path(home)},
    )


def write(home: str, receipt: dict[str, Any]) -> None:
    """Put the receipt in place whole; one that names no harness is taken away. Raises Unavailable."""
    try:
        if receipt.get("harnesses"):
            write_private(path(home), json.dumps(receipt, indent=1, ensure_ascii=False) + "\n")
        elif os.path.lexists(path(home)):
            os.unlink(path(home))
    except OSError as error:
        raise _out_of_reach(path(home), error) from None


def _out_of_reach(place: str, error: OSError) -> Unavailable:
    return Unavailable(
        f"{place} cannot be read or written: {error.strerror or error}; nothing was changed",
        "check its permissions, then run: gbrain doctor",
        detail={"reason": "receipt", "path": place},
    )
