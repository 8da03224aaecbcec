"""The file plane of the settings: `config.json` in a home, for readers that may not open the store.

`{"memory": {"auto_writeback", "auto_writeback_transient_ttl", "visibility_posture"}, "brain": {"audience"}}`. It never
turns anything on: the store decides. What else stands in the file is kept. Only the standard library is imported here.
"""

import json
import os
import stat
from typing import Any, NamedTuple

from gbrain import plain

FILE = "config.json"
LARGEST = 1_000_000
MODES = ("off", "salient", "all")
MODE = "memory.auto_writeback"
TTL = "memory.auto_writeback_transient_ttl"
POSTURE = "memory.visibility_posture"
AUDIENCE = "brain.audience"
SHADOW = "memory.auto_writeback_shadow"
KEYS = (MODE, TTL, AUDIENCE, SHADOW)
"""The settings that have a place in the file."""


class Mode(NamedTuple):
    """A mode as it is taken. `valid` is False for a text that is none, which counts as off; `raw` is that text."""

    mode: str
    valid: bool = True
    raw: str | None = None

    @property
    def enabled(self) -> bool:
        """Whether anything is saved unasked."""
        return self.mode != "off"


class Mirror(NamedTuple):
    """What the file says, by dotted key. `trouble` is why it says nothing: `unreadable` or `corrupt`."""

    said: dict[str, Any]
    trouble: str | None = None

    @property
    def mode(self) -> Mode:
        """The mode that the file names; off where it names none."""
        return mode_of(self.said.get(MODE))

    @property
    def silent(self) -> bool:
        """Whether the file names no mode at all."""
        return self.mode.raw is None

    @property
    def shadow(self) -> bool:
        """Whether turns are looked at without keeping anything: only while the mode is not on."""
        return self.said.get(SHADOW) == "on" and not self.mode.enabled

    @property
    def posture(self) -> str:
        """`private` only where the stamp is exactly that, else `world`."""
        return "private" if self.said.get(POSTURE) == "private" else "world"


def mode_of(value: object) -> Mode:
    """A mode in any case and with space around it; nothing and blank are off, what is unknown is off and not valid."""
    if value is None:
        return Mode("off")
    # An editor on Windows may begin the file with a mark; whatever is odd about a mode means off.
    raw = value.strip("\ufeff \t\r\n\f\v").lower() if isinstance(value, str) else str(value).lower()
    if not raw:
        return Mode("off")
    return Mode(raw, True, raw) if raw in MODES else Mode("off", False, raw)


def path(home: str) -> str:
    """The file of a home."""
    return os.path.join(home, FILE)


def read(home: str) -> Mirror:
    """What the file of a home says; one that is not there says nothing. Never raises."""
    try:
        document = load(home)
    except OSError:
        return Mirror({}, "unreadable")
    except ValueError:
        return Mirror({}, "corrupt")
    said = {}
    for key in (*KEYS, POSTURE):
        room, _, leaf = key.partition(".")
        held = document.get(room)
        if isinstance(held, dict) and held.get(leaf) is not None:
            said[key] = held[leaf]
    return Mirror(said)


def load(home: str) -> dict[str, Any]:
    """The whole document, empty where there is no file. Raises OSError, and ValueError for what is no JSON object."""
    try:
        # A pipe or a device in its place must not hold up a hook.
        handle = os.open(path(home), plain.READ)
    except FileNotFoundError:
        return {}
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("not a file")
        # A hook reads this at every turn, whatever somebody has put there.
        text = file.read(LARGEST + 1)
    if len(text) > LARGEST:
        raise ValueError("too large")
    try:
        document = json.loads(text) if text.strip() else {}
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(document, dict):
        raise ValueError("not an object")
    return document
