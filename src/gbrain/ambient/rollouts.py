"""New rollouts of Codex, read in a sweep where its hooks are in place and the person has not trusted them yet.

Only while memory is on, only our own hook's word that Codex was joined, only what was said since both, and nothing of
agents that other agents started. What the hook or `notify` banked already has the same name, and is not banked again.
"""

import json
import os
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from gbrain import home as homes, mirror, plain
from gbrain.ambient import bank, capture, given, marks
from gbrain.ambient.reading import gate_of
from gbrain.domain.times import store_time
from gbrain.harnesses.transcripts import codex as reader
from gbrain.journal import Journal
from gbrain.mounts import HOST
from gbrain.ops.sweeping import Sweep
from gbrain.registry import Context

FILE = os.path.join("transcripts", "rollouts.json")
RECENT = timedelta(days=7)
"""A rollout nobody has written to for longer is not looked at."""
MOST_FILES = 200
MOST_BYTES = 16 * 1024 * 1024
"""What is read of one rollout in one sweep; the next goes on from there."""


class Joined(NamedTuple):
    """How our hook stands in Codex's files: the source its turns go to, and since when."""

    source: str | None
    since: datetime


class Rollouts:
    """A pass of a sweep, before the banked turns are read."""

    def __init__(self, ctx: Context, sweep: Sweep) -> None:
        self._ctx = ctx
        self._sweep = sweep

    def run(self) -> int:
        """Bank what people said in rollouts since the last time; how many rollouts are left."""
        joined = self._joined()
        if joined is None:
            return 0
        places = _places(self._ctx.home)
        waiting = [path for path in _recent(self._ctx.now) if os.path.getsize(path) > places.get(path, 0)]
        if not waiting:
            return 0
        since, kept = store_time(joined.since), dict(places)
        for _ in self._sweep.steps("rollouts"):
            path = waiting.pop(0)
            try:
                kept[path] = self._read(path, places.get(path, 0), joined.source, since)
            except OSError:
                self._sweep.skip("transcript_unreadable")
            if not waiting:
                break
        _keep(self._ctx.home, {path: at for path, at in kept.items() if os.path.exists(path)})
        return len(waiting)

    def _joined(self) -> Joined | None:
        """How Codex is joined; None where that, or consent, is missing, or the hook itself does the work."""
        ctx = self._ctx
        if ctx.chosen.name != HOST or os.environ.get(given.ENV_SWITCH) == "0":
            return None
        agreed = ctx.store.consents.in_force()
        if agreed is None or not mirror.read(ctx.home).mode.enabled or not gate_of(ctx).bundle.enabled:
            return None
        # Few brains are joined to Codex, and its files take 20 ms to understand.
        from gbrain.harnesses import codex

        place = os.path.join(codex.folder(), "hooks.json")
        for line, trusted in codex.hooked() if os.path.exists(place) else ():
            words = shlex.split(line)
            home, source = (_given(words, flag) for flag in ("--home", "--source"))
            if not trusted and home is not None and os.path.realpath(home) == os.path.realpath(ctx.home):
                wired = datetime.fromtimestamp(os.path.getmtime(place), UTC)
                return Joined(source, max(wired, datetime.fromisoformat(agreed.given_at).astimezone(UTC)))
        return None

    def _read(self, path: str, start: int, source: str | None, since: str) -> int:
        """Bank the turns of a rollout from `start` on; how far it was read, which is to the end of a whole line."""
        told = reader.meta(path)
        session = bank.plain_id(told.get("id") or told.get("session_id"))
        own = given.OWN_PROCESS in str(told.get("cwd"))
        with open(os.open(path, plain.READ_ITSELF), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if session == bank.UNKNOWN or own or reader.foreign(path):
                return size
            file.seek(start)
            data = file.read(MOST_BYTES)
        # Codex may be writing its last line at this moment.
        whole = data[: data.rfind(b"\n") + 1]
        # What was put into this session by us is no word of the person's.
        ours = marks.read(self._ctx.home, session).prints
        banked = 0
        for text in _said(whole, since):
            place = (self._ctx.home, source, bank.WRITEBACK)
            reason, _ = capture.bank_one(text, session, place, ours)
            banked += reason == "wb_banked"
            if reason not in capture.OK:
                # The disk is full, or secrets cannot be looked for: the next sweep begins here again.
                self._sweep.skip(reason)
                return start
        if banked:
            now = self._ctx.now.isoformat()
            line = {"ts": now, "event": capture.EVENT, "outcome": "ok", "reason": "wb_banked", "turns": banked}
            Journal(self._ctx.home).append(capture.LOG, line)
        # A line that is longer than what is read at once would hold everything up.
        return start + (len(whole) or (len(data) if len(data) == MOST_BYTES else 0))


def _said(data: bytes, since: str) -> Iterator[str]:
    for line in data.split(b"\n"):
        # Bytes first: nearly all lines are tool output, and parsing each costs a hundred times as much.
        if not any(mark in line for mark in reader.MARKS):
            continue
        try:
            row = json.loads(line.decode("utf-8", "replace"))
            at = datetime.fromisoformat(str(row["timestamp"])).astimezone(UTC)
            text = reader.turn(row)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            continue
        if text and store_time(at) >= since:
            yield text


def _recent(now: datetime) -> list[str]:
    """The rollouts that were written to lately, the oldest first."""
    found = []
    for folder in reader.folders(os.environ):
        for place, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(place, name)
                if name.startswith("rollout-") and name.endswith(".jsonl") and not os.path.islink(path):
                    found.append((os.path.getmtime(path), path))
    oldest = (now - RECENT).timestamp()
    return [path for at, path in sorted(found)[-MOST_FILES:] if at >= oldest]


def _given(words: list[str], flag: str) -> str | None:
    return words[words.index(flag) + 1] if flag in words[:-1] else None


def _places(home: str) -> dict[str, int]:
    """How far each rollout was read."""
    try:
        with open(os.path.join(home, FILE), encoding="utf-8") as file:
            said: Any = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return {path: at for path, at in said.items() if isinstance(at, int)} if isinstance(said, dict) else {}


def _keep(home: str, places: dict[str, int]) -> None:
    try:
        os.makedirs(os.path.join(home, os.path.dirname(FILE)), mode=0o700, exist_ok=True)
        homes.write_private(os.path.join(home, FILE), json.dumps(places) + "\n")
    except OSError:
        # Then they are read once more, and what is banked already is known by its name.
        pass
