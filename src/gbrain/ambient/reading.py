"""One banked turn read for facts, under the gate: what becomes of its file, and what is told of it.

A turn is done with when its `.ingested` stands beside it; that is written last, so whatever is broken off before it
is tried again, and the claim of `extract_turn` in the store keeps a second try from asking a model twice.
"""

import json
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple, Protocol

from gbrain import mirror, plain
from gbrain.ambient import bank
from gbrain.ambient.capture import LOG
from gbrain.ambient.gate import Bundle, Lane, decide, resolve
from gbrain.ambient.given import OWN_PROCESS
from gbrain.domain.times import store_time
from gbrain.errors import BrainError
from gbrain.journal import Journal
from gbrain.mounts import HOST
from gbrain.ops.extraction import Outcome, extract_turn
from gbrain.registry import Context

PROVENANCE = "hook:writeback"
EVENT = "writeback"
FINAL = ("malformed_output", "refusal", "content_filter")
"""What a model does to a turn that it would do again."""
LARGEST = 64 * 1024
"""Bytes of a banked turn: 8,000 characters and room."""

When = Literal["at_once", "sweep"]
"""Whether a turn is read because a hook just told of it, or in a sweep."""


class Tally(Protocol):
    """What counts the turns: a sweep, or whoever reads a turn at once."""

    def skip(self, reason: str, count: int = 1) -> None:
        """So many were left for this reason."""

    def ingested(self) -> None:
        """One is done with."""


class Gate(NamedTuple):
    """What holds for every turn of one go: the settings as both planes have them, and the sources there are."""

    bundle: Bundle
    sources: Sequence[str]


def gate_of(ctx: Context) -> Gate:
    """The gate as it stands now."""
    file = mirror.read(ctx.home) if ctx.chosen.name == HOST else None
    bundle = resolve(ctx.store.engine, ctx.store.config.all, file, gate=True)
    return Gate(bundle, () if bundle.read_error else ctx.store.sources.ids())


def banked_at(folder: str, name: str, now: datetime) -> datetime:
    """When a file was written; now for one that is gone, and for one of the future."""
    try:
        at = datetime.fromtimestamp(os.lstat(os.path.join(folder, name)).st_mtime, UTC)
    except (OSError, OverflowError, ValueError):
        return now
    # A time of the future would keep a turn for ever, and date its facts wrongly.
    return min(at, now)


def sidecar(folder: str, name: str) -> dict[str, Any] | None:
    """What stands in the `.ingested` of a turn; None where there is none, nothing for one that cannot be read."""
    try:
        with open(os.path.join(folder, name + bank.INGESTED), encoding="utf-8") as file:
            said = json.loads(file.read(LARGEST))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def mark(folder: str, name: str, told: dict[str, Any], now: datetime) -> None:
    """Put the sidecar beside a turn, whole or not at all. Raises OSError."""
    line = json.dumps({"ingested_at": store_time(now), **told}) + "\n"
    plain.put(os.path.join(folder, name + bank.INGESTED), line.encode())


def text_of(folder: str, name: str) -> str:
    """The words of a banked turn. Raises OSError."""
    # Anybody may have put a link or a pipe there; the one would lead elsewhere, the other hold up the sweep.
    handle = os.open(os.path.join(folder, name), plain.READ_ITSELF)
    with open(handle, "rb") as file:
        return file.read(LARGEST).decode("utf-8", "replace").removesuffix("\n")


class Reading:
    """Reads banked turns, in a sweep or at once; what a model answers once `ending` is true is not kept."""

    def __init__(self, ctx: Context, tally: Tally, when: When, ending: Callable[[], bool] = lambda: False) -> None:
        self._ctx = ctx
        self._tally = tally
        self._when = when
        self._ending = ending
        self._folder = bank.folder(ctx.home)
        self._journal = Journal(ctx.home)

    def file(self, name: str, gate: Gate) -> None:
        """Read one turn, or say why not. Raises Unavailable where a turn at once finds the store busy or away."""
        parsed = bank.parse(name)
        assert parsed is not None
        session, why, _, named = parsed
        told = sidecar(self._folder, name)
        # A hook may tell of a turn that was said again; then it is looked at once more, and what it says holds longer.
        if told is not None and (self._when == "sweep" or "skipped" in told or not told):
            self._known()
            return
        # gbrain's own calls of an agent's command line run that agent's hooks too: its prompts are no person's words.
        if OWN_PROCESS in session:
            self._retire(name, "self_capture")
            return
        lane: Lane = "writeback" if why == bank.WRITEBACK else "session_end"
        act, reason = decide(gate.bundle, lane)
        if act != "extract":
            self._retire(name, reason) if act == "retire" and told is None else self._hold(reason)
            return
        source = named or bank.DEFAULT_SOURCE
        if source not in gate.sources:
            # Another source has other readers than the one that was meant.
            self._hold("unknown_source")
            return
        try:
            outcome = extract_turn(
                self._ctx,
                text_of(self._folder, name),
                when=banked_at(self._folder, name, self._ctx.now),
                provenance=PROVENANCE,
                session=session,
                source=source,
                admission="all" if gate.bundle.mode == "all" else "salient",
                repeated_at=self._ctx.now if told is not None else None,
                # Memory may have been turned off while the model thought.
                wanted=lambda: not self._ending() and decide(gate_of(self._ctx).bundle, lane).act == "extract",
            )
            if told is not None and outcome.repeated:
                self._known()
            else:
                self._settle(name, outcome)
        except FileNotFoundError:
            self._tally.skip("corpus_file_gone")
        except OSError as error:
            self._left("corpus_file_error", type(error).__name__)
        except BrainError as error:
            if self._when == "at_once" and error.code == "unavailable":
                raise
            self._left("corpus_file_error", error.code)

    def _settle(self, name: str, outcome: Outcome) -> None:
        """Write down what became of a turn, or leave it as it is for another time."""
        told: dict[str, Any] = {
            "facts_inserted": outcome.inserted,
            "facts_duplicate": outcome.duplicate,
            "facts_superseded": outcome.superseded,
            "facts": list(outcome.facts),
            "lane": EVENT,
        }
        if outcome.skip is None:
            self._done(name, told, None)
        elif outcome.skip == "extraction_unavailable":
            # An earlier try saved these and was killed before the mark; without a model there is no more to come of it.
            if outcome.facts:
                self._tally.skip("keyless")
                self._done(name, {**told, "skipped": "keyless"}, "keyless")
            else:
                self._hold("keyless")
        elif outcome.skip == "secret_found":
            # The mark comes before the words go, so that the turn is known as done with however this ends.
            self._retire(name, "secret_found")
            os.unlink(os.path.join(self._folder, name))
        elif outcome.skip == "extraction_failed" and (self._when == "at_once" or outcome.reason not in FINAL):
            # What a model would do again is left to the sweep, which tries once more and then no longer.
            self._left(f"extract_skipped_{outcome.reason}")
        elif outcome.skip in ("nothing_said", "extraction_failed"):
            reason = f"extract_skipped_{outcome.reason or outcome.skip}"
            self._tally.skip(reason)
            self._done(name, {**told, "skipped": outcome.reason or outcome.skip}, reason)
        elif outcome.skip == "held":
            self._hold("claimed_elsewhere" if self._when == "at_once" else "corpus_in_progress")
        elif outcome.skip == "withdrawn":
            self._left("aborted" if self._ending() else "writeback_off_inflight")
        else:
            self._hold(outcome.skip)

    def _known(self) -> None:
        self._tally.skip("already_ingested")
        if self._when == "at_once":
            self._tell("ok", "already_ingested")

    def _hold(self, reason: str) -> None:
        """Leave a turn as it is; a sweep, which meets it again and again, does not tell of it each time."""
        self._tally.skip(reason)
        if self._when == "at_once":
            self._tell("degraded", reason)

    def _retire(self, name: str, reason: str) -> None:
        """Nothing will be made of this turn, ever."""
        try:
            mark(self._folder, name, {"skipped": reason}, self._ctx.now)
        except OSError as error:
            self._left("corpus_file_error", type(error).__name__)
            return
        self._tally.skip(reason)
        self._tell("ok", reason)

    def _done(self, name: str, told: dict[str, Any], reason: str | None) -> None:
        mark(self._folder, name, told, self._ctx.now)
        self._tally.ingested()
        counts = {key: told[f"facts_{key}"] for key in ("inserted", "duplicate", "superseded")}
        self._tell("ok", reason, **counts)

    def _left(self, reason: str, cause: str | None = None) -> None:
        self._tally.skip(reason)
        self._tell("degraded", f"{reason}:{cause}" if cause else reason)

    def _tell(self, outcome: str, reason: str | None, **counts: int) -> None:
        line: dict[str, Any] = {"ts": self._ctx.now.isoformat(), "event": EVENT, "outcome": outcome}
        self._journal.append(LOG, {**line, **({"reason": reason} if reason else {}), **counts})
