"""Every place that may ask an agent to save unasked, or keep what it was told: looked at now, not remembered."""

import os
from typing import NamedTuple

from gbrain import mirror
from gbrain.doctor.processes import holders, started, words
from gbrain.domain.times import parse_store
from gbrain.errors import BrainError, InvalidParams
from gbrain.harnesses import blocks, files, projects, receipt as receipts
from gbrain.harnesses.facts import Facts, Launch, Wanted
from gbrain.harnesses.known import EVERY
from gbrain.harnesses.parts import Part, Refused, take
from gbrain.harnesses.wiring import wired

KEEPING = ("/gbrain/ambient/hook.py", "/gbrain/ambient/notify.py")
"""Scripts that keep what a person says."""
KINDS = ("instructions", "hooks", "notify", "plugin")
"""The pieces in the files of a harness that have to do with saving unasked."""


class Asker(NamedTuple):
    """One place. `state` is absent, present, damaged, override-blocked, unreadable, or outdated for a running server.

    `asks` says whether it goes on asking or keeping by itself, whatever the settings say now; `path` is the file, or
    the process.
    """

    harness: str
    kind: str
    path: str
    state: str
    asks: bool


class Block(NamedTuple):
    """What an agent is told in a file that gbrain keeps a block in. `probe` is current, drift, missing or damaged."""

    host: str
    path: str
    receipt_state: str
    probe: str
    override_blocked: bool


def in_files(home: str) -> list[Asker]:
    """What stands in the files of every harness that gbrain knows, wired or not, and of every project joined to it."""
    silent = mirror.read(home).silent
    try:
        receipt = receipts.read(home)
    except BrainError:
        receipt = {}
    every = (*EVERY, *projects.joined(receipt, (), ()))
    return [_seen(facts.name, part, silent=silent) for facts in every for part in _pieces(facts, home)]


def told(home: str, section: str) -> list[Block]:
    """How the block of each harness that the receipt names stands beside what it should say now. Raises Unavailable."""
    receipt = receipts.read(home)
    rows = []
    for facts in (*EVERY, *projects.joined(receipt, (), ())):
        if facts.name not in wired(receipt):
            continue
        state = str(receipt["harnesses"][facts.name].get("state"))
        for part in _pieces(facts, home):
            if part.kind == "instructions":
                probe = _compared(_text(part.path), section)
                rows.append(Block(facts.name, part.path, state, probe, isinstance(part, Refused)))
    return rows


def servers(database: str, since: str | None) -> list[Asker]:
    """Servers on a local pipe that began before the settings changed, and so go by the former ones.

    Only where the system tells who has a file open, and for a brain that lies in one.
    """
    if since is None:
        return []
    rows = []
    for holder in holders(database) or ():
        spoken = words(holder.pid)
        began = started(holder.pid)
        if "serve" in spoken and "--http" not in spoken and began is not None and began < parse_store(since):
            rows.append(Asker("", "server", f"process {holder.pid}", "outdated", True))
    return rows


def _pieces(facts: Facts, home: str) -> list[Part]:
    everything = Wanted("gbrain", home, Launch(("gbrain",), {}), (), "", "-", ("python", "/gbrain/ambient/hook.py"))
    return [part for part in facts.parts(everything) if part.kind in KINDS]


def _seen(harness: str, part: Part, *, silent: bool) -> Asker:
    try:
        text = files.read(part.path).text or ""
    except BrainError:
        return Asker(harness, part.kind, part.path, "unreadable", False)
    if part.kind == "instructions":
        state = blocks.scan(text, blocks.AMBIENT).state
        asks = state != "absent"
        blocked = isinstance(part, Refused)
        return Asker(harness, part.kind, part.path, "override-blocked" if blocked and not asks else state, asks)
    try:
        there = part.is_in(text) or bool(take(text, part.memo(), part.path, final=True).splices)
    except (InvalidParams, ValueError):
        return Asker(harness, part.kind, part.path, "damaged", False)
    # The recall hook, which may stand there as well, keeps nothing.
    there = there and any(script in text for script in KEEPING)
    # Without a mode a hook keeps turns only where it was told to; off, it keeps none.
    asks = there and silent and "--capture" in text
    return Asker(harness, part.kind, part.path, "present" if there else "absent", asks)


def _compared(text: str | None, section: str) -> str:
    seen = blocks.scan(text or "", blocks.AMBIENT)
    if seen.state != "present":
        return "missing" if seen.state == "absent" else "damaged"
    # Above it stands who keeps it and names the server, and what an agent is told that does not hear the server.
    return "current" if f"\n{seen.interior}".replace("\r\n", "\n").endswith(f"\n{section}") else "drift"


def _text(path: str) -> str | None:
    try:
        return files.read(path).text
    except BrainError:
        return None


def shown(asker: Asker) -> str:
    """An asker in one line."""
    what = f"{asker.harness} {asker.kind}".strip()
    return f"{what}: {asker.state}, {os.path.abspath(asker.path) if asker.harness else asker.path}"
