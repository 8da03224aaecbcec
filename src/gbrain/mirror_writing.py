"""Changes to `config.json`, the file plane of the settings: one at a time, each whole or not at all."""

import json
import os

from gbrain import home as homes, locks, mirror
from gbrain.errors import Unavailable


def edit(home: str, leaves: dict[str, str | None]) -> bool:
    """Set leaves by dotted key, or take those away that are None; what else is in the file stays. Whether it changed.

    Raises Unavailable, with the file as it was, where it cannot be understood or written.
    """
    # A link to a file among somebody's dotfiles stays a link.
    path = os.path.realpath(mirror.path(home))
    try:
        with locks.alone(mirror.path(home) + ".lock"):
            document = mirror.load(home)
            before = json.dumps(document)
            for key, value in leaves.items():
                _place(document, key, value)
            changed = json.dumps(document) != before
            if changed:
                homes.write_private(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")
            return changed
    except OSError as error:
        raise _refused(home, f"cannot be written: {error.strerror or error}", "check its permissions") from None
    except ValueError as error:
        raise _refused(home, f"is not what gbrain writes: {error}", "mend it or move it away") from None


def _place(document: dict[str, object], key: str, value: str | None) -> None:
    room, _, leaf = key.partition(".")
    held = document.get(room)
    if held is None and value is None:
        return
    if held is None:
        held = document[room] = {}
    if not isinstance(held, dict):
        raise ValueError(f"`{room}` is not an object")
    if value is not None:
        held[leaf] = value
    else:
        held.pop(leaf, None)
        if not held or (room == "memory" and set(held) == {"visibility_posture"}):
            del document[room]


def _refused(home: str, why: str, first: str) -> Unavailable:
    return Unavailable(
        f"{mirror.path(home)} {why}; nothing was changed, in the store neither",
        f"{first}, then run: gbrain doctor",
        detail={"reason": "mirror", "path": mirror.path(home)},
    )
