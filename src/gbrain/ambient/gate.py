"""The gate of ambient memory: what the two planes say together, and what each lane then does.

The store decides. The file only shows drift, and takes back what is remembered from before a failed read.
"""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple
from weakref import WeakKeyDictionary

from gbrain import mirror
from gbrain.errors import BrainError
from gbrain.ops.planes import VISIBILITY, posture
from gbrain.settings import find

Lane = Literal["writeback", "compact", "session_end"]
Act = Literal["extract", "hold", "retire"]
TTL = find(mirror.TTL)


class Bundle(NamedTuple):
    """Everything the gate knows, read at one moment. The defaults are those of off.

    `transient_ttl` is the text to pass on, the default where the stored one is not valid. `decided` says whether the
    store has a mode at all; `off_unsynced` that only the file has one, and it is off; `plane_drift` that only the file
    has one, and it is on.
    """

    mode: str = "off"
    mode_valid: bool = True
    raw_mode: str | None = None
    transient_ttl: str = TTL.default
    ttl_valid: bool = True
    visibility: str = "world"
    visibility_explicit_private: bool = False
    decided: bool = False
    plane_drift: bool = False
    off_unsynced: bool = False
    read_error: str | None = None

    @property
    def enabled(self) -> bool:
        """Whether anything is saved unasked."""
        return self.mode != "off"


class Decision(NamedTuple):
    """What becomes of a turn: extract it, hold it for later, or retire it for good; and why."""

    act: Act
    reason: str


# Instructions are asked for while another process writes; one failed read must not tell an agent that memory is off.
_known: WeakKeyDictionary[object, Bundle] = WeakKeyDictionary()


def from_file(file: mirror.Mirror) -> Bundle:
    """What the file alone says, for readers that have no store."""
    mode = file.mode
    ttl, valid = _ttl(file.said.get(mirror.TTL))
    return Bundle(mode.mode, mode.valid, mode.raw, ttl, valid, file.posture, file.posture == "private")


def resolve(
    engine: object, stored: Callable[[], Mapping[str, str]], file: mirror.Mirror | None = None, *, gate: bool = False
) -> Bundle:
    """What holds for a brain. `stored` reads every setting of the store at once; `file` is None for a mounted brain.

    Never raises. Where the store cannot be read, the last bundle of the same `engine` holds for instructions; never
    for a `gate`, and not where the file says off.
    """
    try:
        rows = stored()
    except BrainError as error:
        known = None if gate or _vetoed(file) else _known.get(engine)
        return known or Bundle(read_error=error.code)
    except Exception as error:
        known = None if gate or _vetoed(file) else _known.get(engine)
        return known or Bundle(read_error=type(error).__name__)
    bundle = _together(rows, file)
    _known[engine] = bundle
    return bundle


def decide(bundle: Bundle, lane: Lane) -> Decision:
    """What a lane does with a banked turn. The lanes of compaction and session end were opted into by their hooks."""
    if bundle.read_error is not None:
        return Decision("hold", "writeback_gate_unreadable")
    if not bundle.mode_valid:
        return Decision("hold", "writeback_mode_invalid")
    # The file alone says on: somebody's backup or another brain's. It never turns anything on.
    if bundle.plane_drift:
        return Decision("hold", "writeback_plane_drift")
    if bundle.enabled:
        return Decision("extract", "writeback_on")
    # Turned off is meant for what waits, too: it is not to come back when memory is turned on again.
    if bundle.decided or lane == "writeback":
        return Decision("retire", "writeback_off")
    if bundle.off_unsynced:
        return Decision("hold", "writeback_off_unsynced")
    return Decision("extract", "writeback_unset")


def _together(rows: Mapping[str, str], file: mirror.Mirror | None) -> Bundle:
    mode = mirror.mode_of(rows.get(mirror.MODE))
    decided = mode.raw is not None
    ttl, valid = _ttl(rows.get(mirror.TTL))
    seen = posture(rows.get(VISIBILITY))
    alone = file is not None and not decided
    drift = alone and file is not None and file.mode.enabled
    unsynced = alone and file is not None and file.mode.raw == "off"
    return Bundle(mode.mode, mode.valid, mode.raw, ttl, valid, seen, seen == "private", decided, drift, unsynced)


def _vetoed(file: mirror.Mirror | None) -> bool:
    return file is not None and not file.silent and not file.mode.enabled


def _ttl(value: object) -> tuple[str, bool]:
    if value is None:
        return TTL.default, True
    if isinstance(value, str) and TTL.allows(value):
        return value.strip(), True
    return TTL.default, False
