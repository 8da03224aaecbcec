"""The harvest: banked turns become facts, under the gate, each once, whoever sweeps and however often.

A turn is done with when its `.ingested` stands beside it; that is written last, so whatever is broken off before it
is tried again, and the claim of `extract_turn` in the store keeps a second try from asking a model twice.
"""

import json
import os
from datetime import UTC, datetime, timedelta
from typing import Any

from gbrain import mirror
from gbrain.ambient import bank
from gbrain.ambient.capture import LOG, OWN_PROCESS
from gbrain.ambient.gate import Bundle, Lane, decide, resolve
from gbrain.domain.times import store_time
from gbrain.errors import BrainError
from gbrain.journal import Journal
from gbrain.mounts import HOST
from gbrain.ops.extraction import Outcome, extract_turn
from gbrain.ops.sweeping import Sweep
from gbrain.registry import Context

PROVENANCE = "hook:writeback"
EVENT = "writeback"
RETENTION = timedelta(days=30)
FINAL = ("malformed_output", "refusal", "content_filter")
"""What a model does to a turn that it would do again."""
LARGEST = 64 * 1024
"""Bytes of a banked turn: 8,000 characters and room."""


class Harvest:
    """One harvest of the bank in a brain's home, as a pass of a sweep."""

    def __init__(self, ctx: Context, sweep: Sweep) -> None:
        self._ctx = ctx
        self._sweep = sweep
        self._folder = bank.folder(ctx.home)
        self._journal = Journal(ctx.home)

    def run(self) -> int:
        """Every waiting turn, the oldest first, while there is time; how many are left to the next sweep."""
        waiting = self._waiting()
        if waiting:
            ctx = self._ctx
            file = mirror.read(ctx.home) if ctx.chosen.name == HOST else None
            bundle = resolve(ctx.store.engine, ctx.store.config.all, file, gate=True)
            sources = ctx.store.sources.ids()
            for _ in self._sweep.steps("turns"):
                self._file(waiting.pop(0), bundle, sources)
                if not waiting:
                    break
        if not waiting:
            # What is too old goes only after it had its chance, also when the clock has leapt.
            self._retain()
        return len(waiting)

    def _waiting(self) -> list[str]:
        names = self._names()
        done = {name.removesuffix(bank.INGESTED) for name in names if name.endswith(bank.INGESTED)}
        found = [name for name in names if name not in done and bank.parse(name) is not None]
        held = sum(1 for name in names if name in done)
        if held:
            self._sweep.skip("already_ingested", held)
        return sorted(found, key=lambda name: (self._banked(name), name))

    def _names(self) -> list[str]:
        try:
            return sorted(os.listdir(self._folder))
        except FileNotFoundError:
            return []
        except OSError:
            self._sweep.skip("corpus_unreadable")
            return []

    def _banked(self, name: str) -> datetime:
        """When a file was written; now for one that is gone, and for one of the future."""
        try:
            at = datetime.fromtimestamp(os.lstat(os.path.join(self._folder, name)).st_mtime, UTC)
        except (OSError, OverflowError, ValueError):
            return self._ctx.now
        return min(at, self._ctx.now)

    def _file(self, name: str, bundle: Bundle, sources: list[str]) -> None:
        parsed = bank.parse(name)
        assert parsed is not None
        session, why, _, named = parsed
        if OWN_PROCESS in session:
            self._retire(name, "self_capture")
            return
        lane: Lane = "writeback" if why == bank.WRITEBACK else "session_end"
        act, reason = decide(bundle, lane)
        if act != "extract":
            self._retire(name, reason) if act == "retire" else self._sweep.skip(reason)
            return
        source = named or bank.DEFAULT_SOURCE
        if source not in sources:
            # Another source has other readers than the one that was meant.
            self._sweep.skip("unknown_source")
            return
        try:
            text = self._read(name)
            outcome = extract_turn(
                self._ctx,
                text,
                when=self._banked(name),
                provenance=PROVENANCE,
                session=session,
                source=source,
                admission="all" if bundle.mode == "all" else "salient",
            )
            self._settle(name, outcome)
        except FileNotFoundError:
            self._sweep.skip("corpus_file_gone")
        except OSError as error:
            self._left("corpus_file_error", type(error).__name__)
        except BrainError as error:
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
            self._sweep.skip("keyless")
            if outcome.facts:
                self._done(name, {**told, "skipped": "keyless"}, "keyless")
        elif outcome.skip == "secret_found":
            self._retire(name, "secret_found")
            os.unlink(os.path.join(self._folder, name))
        elif outcome.skip == "nothing_said" or (outcome.skip == "extraction_failed" and outcome.reason in FINAL):
            reason = f"extract_skipped_{outcome.reason or outcome.skip}"
            self._sweep.skip(reason)
            self._done(name, {**told, "skipped": outcome.reason or outcome.skip}, reason)
        elif outcome.skip == "extraction_failed":
            self._left(f"extract_skipped_{outcome.reason}")
        else:
            self._sweep.skip("corpus_in_progress" if outcome.skip == "held" else outcome.skip)

    def _retire(self, name: str, reason: str) -> None:
        """Nothing will be made of this turn, ever."""
        try:
            self._mark(name, {"skipped": reason})
        except OSError as error:
            self._left("corpus_file_error", type(error).__name__)
            return
        self._sweep.skip(reason)
        self._tell("ok", reason)

    def _done(self, name: str, told: dict[str, Any], reason: str | None) -> None:
        self._mark(name, told)
        self._sweep.ingested()
        counts = {key: told[f"facts_{key}"] for key in ("inserted", "duplicate", "superseded")}
        self._tell("ok", reason, **counts)

    def _left(self, reason: str, cause: str | None = None) -> None:
        self._sweep.skip(reason)
        self._tell("degraded", f"{reason}:{cause}" if cause else reason)

    def _read(self, name: str) -> str:
        handle = os.open(os.path.join(self._folder, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(handle, "rb") as file:
            return file.read(LARGEST).decode("utf-8", "replace").removesuffix("\n")

    def _mark(self, name: str, told: dict[str, Any]) -> None:
        """Put the sidecar beside a turn, whole or not at all. Raises OSError."""
        path = os.path.join(self._folder, name + bank.INGESTED)
        partial = f"{path}.tmp-{os.getpid()}"
        line = json.dumps({"ingested_at": store_time(self._ctx.now), **told}) + "\n"
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(handle, "wb") as file:
            file.write(line.encode())
            file.flush()
            os.fsync(handle)
        os.replace(partial, path)

    def _tell(self, outcome: str, reason: str | None, **counts: int) -> None:
        line: dict[str, Any] = {"ts": self._ctx.now.isoformat(), "event": EVENT, "outcome": outcome}
        self._journal.append(LOG, {**line, **({"reason": reason} if reason else {}), **counts})

    def _retain(self) -> None:
        """Delete turns 30 days after they were banked, done with or not, and what was left behind beside them."""
        names = self._names()
        for name in names:
            turn = name.partition(bank.INGESTED)[0].partition(".txt.tmp-")[0]
            turn = turn if turn.endswith(".txt") else f"{turn}.txt"
            if bank.parse(turn) is None or self._ctx.now - self._banked(name) <= RETENTION:
                continue
            if name.endswith(bank.INGESTED) and turn in names and self._ctx.now - self._banked(turn) <= RETENTION:
                continue
            try:
                os.unlink(os.path.join(self._folder, name))
            except OSError:
                continue
            if name == turn and name + bank.INGESTED not in names:
                self._sweep.skip("retention")
                self._tell("degraded", "retention")
