"""Shadow mode: what ambient memory would save, shown before anybody agrees to it. No fact is ever made here."""

import os
import time
from datetime import UTC, datetime
from typing import Annotated, Any, TypedDict

from gbrain import mirror
from gbrain.ambient import bank, spool
from gbrain.domain.extraction.floor import asked_to_keep
from gbrain.domain.extraction.said import said as extraction_said
from gbrain.domain.secrets import secret
from gbrain.domain.times import store_time, wire_time
from gbrain.errors import Unavailable
from gbrain.mounts import HOST
from gbrain.ops.extraction import preview_turn
from gbrain.ops.sweeping import Sweep
from gbrain.registry import Context, Param, operation

SHOWN = 200


class ShadowFact(TypedDict):
    """A fact that a model took out of a turn; `mode` is the least that would save it, salient or all."""

    fact: str
    kind: str
    notability: str
    transient: bool
    mode: str


class ShadowTurn(TypedDict):
    """A turn that would have been banked (`reason` null), or passed over.

    `facts` is null where no model has read it. Where none is set it holds what the turn asks to remember, which is
    saved without one. `failed` says why a model that was asked made nothing.
    """

    at: str | None
    session: str
    source_id: str
    reason: str | None
    text: str
    facts: list[ShadowFact] | None
    failed: str | None


class PreviewReply(TypedDict):
    """The last seven days: `kept` turns would have been banked and have become so many facts with each mode;
    `filtered` counts the others by reason. `cleared` counts what was deleted."""

    on: bool
    turns: list[ShadowTurn]
    kept: int
    facts_salient: int
    facts_all: int
    filtered: dict[str, int]
    cleared: int


class Shadow:
    """A pass of a sweep: what shadow mode noted is read by a model, where one is set, and what is too old goes."""

    def __init__(self, ctx: Context, sweep: Sweep) -> None:
        self._ctx = ctx
        self._sweep = sweep

    def run(self) -> int:
        """Read what no model has read yet, while there is time; how many are left."""
        ctx = self._ctx
        spool.prune(ctx.home, time.time())
        if not is_on(ctx) or ctx.settings.get("facts.extraction_enabled") == "off":
            return 0
        waiting = [
            (path, said)
            for path, said in spool.entries(ctx.home)
            if not said.get("reason") and said.get("facts") is None and not said.get("failed")
        ]
        if not waiting or ctx.models.lacking("extract") is not None:
            return 0
        for _ in self._sweep.steps("turns"):
            path, said = waiting.pop()
            self._read(path, said)
            if not waiting:
                break
        return len(waiting)

    def _read(self, path: str, said: dict[str, Any]) -> None:
        when = datetime.fromtimestamp(said["at"], UTC)
        text = said.get("text")
        if not isinstance(text, str) or secret(text) is not None:
            spool.write(path, {**said, "text": "", "reason": "secret_found"})
            return
        read = preview_turn(self._ctx, text, when=when, session=str(said.get("session")))
        facts = [
            {"fact": one.fact, "kind": one.kind, "notability": one.notability, "transient": one.transient}
            for one in read.told
        ]
        try:
            # It may have been cleared while the model thought.
            if os.path.exists(path):
                spool.write(path, {**said, "facts": None if read.reason else facts, "failed": read.reason})
        except OSError:
            self._sweep.skip("corpus_file_error")


def is_on(ctx: Context) -> bool:
    """Whether shadow mode holds: the store says so, and nothing is saved unasked."""
    if ctx.chosen.name == HOST and not mirror.read(ctx.home).shadow:
        return False
    modes = ctx.settings
    return modes.get(mirror.SHADOW) == "on" and modes.get(mirror.MODE) == "off"


@operation(
    scope="admin",
    surface="full",
    title="Show what would have been saved",
    cli=None,
    local_only=True,
    idempotent=True,
    examples=("gbrain writeback preview", "gbrain writeback preview --clear"),
)
def writeback_preview(
    ctx: Context,
    clear: Annotated[bool, Param("Delete all of it, after it was shown.")] = False,
    limit: Annotated[int, Param("How many turns, the latest first.", minimum=1, maximum=spool.MOST)] = SHOWN,
) -> PreviewReply:
    """Show what ambient memory would have saved in the last seven days, and what it would have passed over, and why.

    Turn it on with `gbrain config set memory.auto_writeback_shadow on`. Nothing of it is a fact, and it goes by itself.
    """
    spool.prune(ctx.home, time.time())
    keyless = ctx.models.lacking("extract") is not None
    turns = [_turn(said, keyless) for _, said in spool.entries(ctx.home)]
    filtered: dict[str, int] = {}
    for turn in turns:
        if turn["reason"]:
            filtered[turn["reason"]] = filtered.get(turn["reason"], 0) + 1
    facts = [fact for turn in turns for fact in turn["facts"] or ()]
    cleared = spool.prune(ctx.home, time.time(), -1) if clear else 0
    if clear and cleared < len(turns):
        raise Unavailable(
            f"{spool.folder(ctx.home)} cannot be cleared",
            "check its permissions, then run: gbrain writeback preview --clear",
            detail={"reason": "spool"},
        )
    return {
        "on": is_on(ctx),
        "turns": turns[: int(limit)],
        "kept": sum(turn["reason"] is None for turn in turns),
        "facts_salient": sum(fact["mode"] == "salient" for fact in facts),
        "facts_all": len(facts),
        "filtered": dict(sorted(filtered.items())),
        "cleared": cleared,
    }


def _turn(said: dict[str, Any], keyless: bool) -> ShadowTurn:
    facts = said.get("facts")
    reason, failed = said.get("reason"), said.get("failed")
    if keyless and facts is None and not reason:
        facts = [{"fact": claim} for claim in asked_to_keep(extraction_said(str(said.get("text") or "")).own)] or None
    return {
        "at": wire_time(store_time(datetime.fromtimestamp(said["at"], UTC))),
        "session": str(said.get("session") or bank.UNKNOWN),
        "source_id": str(said.get("source") or bank.DEFAULT_SOURCE),
        "reason": str(reason) if reason else None,
        "text": str(said.get("text") or ""),
        "facts": [_fact(one) for one in facts if isinstance(one, dict)] if isinstance(facts, list) else None,
        "failed": str(failed) if failed else None,
    }


def _fact(one: dict[str, Any]) -> ShadowFact:
    notability = str(one.get("notability") or "medium")
    return {
        "fact": str(one.get("fact") or ""),
        "kind": str(one.get("kind") or "fact"),
        "notability": notability,
        "transient": one.get("transient") is True,
        "mode": "all" if notability == "low" else "salient",
    }
