"""Holds any memory-verbs server to the contract, over its own stdin and stdout.

A case is `must` when every server of protocol version 1 is held to it, and `better` where the first server fell
short and gbrain does not: those are reported apart, and count only against gbrain itself.
"""

import os
import shlex
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from json import dumps
from typing import Any, Literal, NamedTuple

from gbrain.brain import open_home
from gbrain.entry.conformance import memory_cases, reading_cases, rows, session_cases
from gbrain.entry.conformance.probe import ORIGIN, OWN, Case, Probe, Unmet, Wire
from gbrain.entry.stdio import ENV_SESSION
from gbrain.mounts import ENV_BRAIN, HOST

__all__ = ["CASES", "CLOSING", "Outcome", "run"]

PATIENCE = 30.0
"""Seconds to wait for one answer. The first includes the start of the server."""

CASES: tuple[Case, ...] = (
    *(*session_cases.CASES, *rows.ROWS, *memory_cases.CASES, *reading_cases.CASES, *memory_cases.LATE),
)
CLOSING: tuple[Case, ...] = tuple(session_cases.CLOSING)

Status = Literal["passed", "failed", "skipped"]

_MARKS: dict[Status, str] = {"passed": "ok  ", "failed": "FAIL", "skipped": "skip"}
_ID_WIDTH = max(len(case.id) for case in (*CASES, *CLOSING))


class Outcome(NamedTuple):
    """How one case went; for one that did not hold also why, with the last request and its response."""

    case: Case
    status: Status
    reason: str = ""
    wire: tuple[Any, Any] = (None, None)


def run(target: list[str] | None, json: bool, *, patience: float = PATIENCE) -> int:
    """Ask every case of the server that the command `target` starts, and print how each went.

    Without a target it is our own `gbrain serve`, on a brain that is thrown away. Returns 1 when a `must` case
    failed, or any case of our own server, else 0. `patience` is how many seconds an answer may take.
    """
    outcomes: list[Outcome] = []
    command = target or [sys.executable, "-m", "gbrain", "serve"]
    with tempfile.TemporaryDirectory(prefix="gbrain-conformance-") as folder:
        if target is None:
            _own_brain(os.path.join(folder, ".gbrain"))
        if not json:
            print(f"memory verbs, protocol version 1: {shlex.join(command)}\n", flush=True)
        for found in _outcomes(command, _environment(folder) if target is None else None, patience):
            outcomes.append(found)
            if not json:
                print("\n".join(_lines(found)), flush=True)
    print(_report(command, outcomes) if json else _summary(outcomes))
    counted = [found for found in outcomes if target is None or found.case.level == "must"]
    return int(any(found.status == "failed" for found in counted))


def _outcomes(command: Sequence[str], env: Mapping[str, str] | None, patience: float) -> Iterable[Outcome]:
    token = "".join(chr(ord("a") + byte % 26) for byte in os.urandom(7))
    wire = None
    try:
        wire = Wire(command, env, patience)
        probe = Probe(wire, token, own=env is not None, verbs=rows.VERBS)
        probe.open()
    except (Unmet, LookupError, TypeError, AttributeError) as error:
        if wire is not None:
            wire.close(1)
        yield from (Outcome(case, "failed", f"no session: {error}") for case in (*CASES, *CLOSING))
        return
    cleaned = False
    try:
        _seed(probe)
        yield from (_judge(case, probe) for case in CASES)
        _clean(probe)
        cleaned = True
        yield from (_judge(case, probe) for case in CLOSING)
    finally:
        if not cleaned:
            _clean(probe)
        wire.close(1)


def _judge(case: Case, probe: Probe) -> Outcome:
    if case.needs == OWN and not probe.own:
        return Outcome(case, "skipped", "only asked of gbrain itself")
    if case.needs not in ("", OWN, *probe.tools):
        return Outcome(case, "skipped", f"the server has no tool {case.needs}")
    probe.wire.last = (None, None)
    try:
        case.run(probe)
    except Unmet as error:
        return Outcome(case, "failed", str(error), probe.wire.last)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        # An answer of another shape than the contract's breaks the case's own code.
        return Outcome(case, "failed", f"an answer of another shape: {type(error).__name__}: {error}", probe.wire.last)
    return Outcome(case, "passed")


def _environment(folder: str) -> dict[str, str]:
    """Ours, without what would point our own server at another brain, clock or session, or at a model."""
    kept = {key: value for key, value in os.environ.items() if key != ENV_SESSION and not key.endswith("_API_KEY")}
    own = {"GBRAIN_HOME": folder, ENV_BRAIN: HOST}
    return {**{key: value for key, value in kept.items() if not key.startswith("GBRAIN_")}, **own}


def _own_brain(home: str) -> None:
    """A brain with what no client can put there: private text, and more pages than one delta carries."""
    world, hidden, secret = reading_cases.WORLD, reading_cases.HIDDEN, reading_cases.SECRET
    with open_home(home, create=True, source="default") as brain:
        brain.put_page(slug=world, content=_page("Gbrain Conformance World", "Open to every client."))
        content = _page("Gbrain Conformance Hidden", f"The {secret} lies here.", "visibility: private")
        brain.put_page(slug=hidden, content=content)
        # The run itself adds one more that a client can see, and the hidden one is not seen.
        for number in range(reading_cases.OWN_PAGES - 2):
            content = _page(f"Ledger {number}", "A page of the run.")
            brain.put_page(slug=f"notes/gbrain-conformance-{number}", content=content)
        brain.call("add_link", {"from": hidden, "to": world, "link_type": "related_to", "context": f"the {secret}"})
        brain.remember(
            fact=f"keeps the {secret}", provenance=ORIGIN, entity=world, kind="commitment", visibility="private"
        )


def _page(title: str, text: str, *matter: str) -> str:
    return "\n".join(["---", "type: person", f"title: {title}", *matter, "---", "", text, ""])


def _seed(probe: Probe) -> None:
    """What the cases share. What cannot be saved fails the cases that need it, not the run."""
    probe.names["start"] = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if "put_page" in probe.tools:
        aliases = f"aliases: [{probe.names['alias']}]"
        content = _page(probe.names["title"], "Keeps the lighthouse {token} in a conformance run.", aliases)
        _try(probe, "put_page", {"slug": "{slug}", "content": content})
    secret = reading_cases.SECRET
    for name, text, more in (
        ("brief", "the kettle is on", {"entity": "people/brief-{token}", "ttl": "1s"}),
        ("tea", "the keeper prefers oolong tea", {"entity": "{slug}", "kind": "preference"}),
        ("promise", "the keeper owes a letter to the harbour", {"entity": "{slug}", "kind": "commitment"}),
        (
            "private",
            f"the {secret} is due",
            {"entity": "{slug}", "kind": "commitment", "visibility": "private", "ttl": "10m"},
        ),
    ):
        claim = probe.claim(text)
        probe.names[f"{name}_text"] = claim["fact"]
        probe.names[name] = str(_try(probe, "remember", {**claim, **more}).get("id", ""))


def _try(probe: Probe, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    try:
        return probe.call(tool, **arguments).body
    except (Unmet, LookupError, TypeError, AttributeError):
        return {}


def _clean(probe: Probe) -> None:
    """Forget what was saved and delete the page. What is private is out of reach, and lapses by itself."""
    for id in probe.saved:
        _try(probe, "forget", {"id": id, "reason": "conformance run"})
    if "delete_page" in probe.tools:
        _try(probe, "delete_page", {"slug": "{slug}"})


def _counts(outcomes: Iterable[Outcome], level: str | None = None) -> dict[str, int]:
    found = [outcome.status for outcome in outcomes if level in (None, outcome.case.level)]
    return {status: found.count(status) for status in ("passed", "failed", "skipped")}


def _report(command: Sequence[str], outcomes: Sequence[Outcome]) -> str:
    cases = [
        {
            "id": found.case.id,
            "level": found.case.level,
            "title": found.case.title,
            "status": found.status,
            **({"reason": found.reason} if found.reason else {}),
            **({"request": found.wire[0], "response": found.wire[1]} if found.wire[0] else {}),
        }
        for found in outcomes
    ]
    counts = {"must": _counts(outcomes, "must"), "better": _counts(outcomes, "better")}
    return dumps(
        {"protocol_version": 1, "target": list(command), **_counts(outcomes), **counts, "cases": cases},
        indent=2,
        ensure_ascii=False,
    )


def _lines(found: Outcome) -> list[str]:
    """One line a case; under one that failed why, and the last call and its answer."""
    lines = [f"{_MARKS[found.status]}  {found.case.level:<6}  {found.case.id:<{_ID_WIDTH}}  {found.case.title}"]
    if found.reason:
        lines.append(f"      {found.reason}")
    if found.wire[0]:
        lines += [f"      {sign} {_clip(message)}" for sign, message in zip("><", found.wire, strict=True) if message]
    return lines


def _summary(outcomes: Sequence[Outcome]) -> str:
    levels = [f"{level}: {_told(_counts(outcomes, level))}" for level in ("must", "better")]
    return "\n".join(["", *levels, _told(_counts(outcomes))])


def _clip(message: Any, most: int = 300) -> str:
    text = dumps(message, ensure_ascii=False)
    return text if len(text) <= most else text[: most - 1] + "…"


def _told(counts: Mapping[str, int]) -> str:
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    return f"{counts['passed']} passed, {counts['failed']} failed{skipped}"
