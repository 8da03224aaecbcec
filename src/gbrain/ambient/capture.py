"""What a capture hook does: find a person's turns, filter them, look for secrets, bank them, say why in the journal.

It loads the standard library and the few modules named in its test, and needs nothing of a server. It never raises,
prints nothing, and leaves within its deadline; what it could not do is a reason in the journal and never a person's
text. Reasons are those of the contract of ambient writeback, section 25.
"""

import os
import time

from gbrain import mirror
from gbrain.ambient import bank
from gbrain.ambient.given import (
    ENV_SOURCE,
    ENV_SWITCH,
    OWN_PROCESS,
    home_of,
    payload_of,
    read_input,
    session_of,
)

# Not from typing, which takes as long to load as the rest of a hook.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Payload = dict[str, Any]
    Place = tuple[str, str | None, str]
    """A home, the source that was named, and why a turn is banked (`bank.WRITEBACK`)."""

LANES = ("stop", "compact", "session-end")
LOG = os.path.join("integrations", "hooks", "heartbeat.jsonl")
EVENT, SHADOW_EVENT = "writeback-bank", "writeback-shadow"
DEADLINE_SECONDS = 1.5
ANSWER_SECONDS = 0.4
"""How long a server is waited for, which has only to write down a name."""
OK = frozenset(
    (
        *("wb_scheduled", "wb_banked", "wb_dup", "no_serve", "no_socket", "shadow_kept", "no_user_turn"),
        *("self_capture", "subagent", "secret_found", "empty", "too_short", "ack_or_greeting", "slash_command"),
        *("question_only", "quoted_or_tool_output", "bulk_paste", "chat_only", "user_skip"),
    )
)


def run(arguments: "Sequence[str]", env: "Mapping[str, str]", began: float) -> None:
    """Do what the command line `LANE HARNESS [--home FOLDER] [--source ID] [--capture]` asks for."""
    lane, harness, given, capture = _asked(arguments)
    if env.get(ENV_SWITCH) == "0":
        return
    home = given.get("home") or home_of(env)
    if home is None:
        return
    told = mirror.read(home)
    unset = told.silent and told.trouble is None
    why = bank.WRITEBACK if told.mode.enabled else bank.CAPTURE if unset and capture else bank.SHADOW
    if why == bank.SHADOW and not told.shadow:
        return
    # Before anything is read: an agent waits for its hooks, and a disk or a pipe may hang.
    _watch(home, began)
    counts: dict[str, int] = {}
    try:
        place = (home, given.get("source") or env.get(ENV_SOURCE), why)
        reason = _step(lane, harness, place, env, counts, arguments)
    except Exception as error:
        reason = f"wb_exception:{type(error).__name__}"
    _tell(home, reason, began, counts, SHADOW_EVENT if why == bank.SHADOW else EVENT)


def _asked(arguments: "Sequence[str]") -> "tuple[str, str, dict[str, str], bool]":
    words = [word for word in arguments if not word.startswith("--")]
    given: dict[str, str] = {}
    for flag in ("home", "source"):
        if f"--{flag}" in arguments[:-1]:
            given[flag] = arguments[list(arguments).index(f"--{flag}") + 1]
            words.remove(given[flag])
    lane, harness = [*words, "", ""][:2]
    return lane, harness, given, "--capture" in arguments


def _step(
    lane: str,
    harness: str,
    place: "Place",
    env: "Mapping[str, str]",
    counts: "dict[str, int]",
    arguments: "Sequence[str]",
) -> str:
    """The reason of the newest turn; a compaction and a session's end also bank what was missed before it."""
    reader = _reader(harness)
    if reader is None or lane not in LANES:
        return "bad_command"
    data, whole = (arguments[-1].encode(), True) if _is_notice(arguments) else read_input()
    if not whole:
        return "input_too_large"
    payload = payload_of(data)
    session = bank.plain_id(session_of(payload))
    if session == bank.UNKNOWN:
        return "no_session"
    # What a subagent is told was written by the agent, not by the person.
    if payload.get("agent_id"):
        return "subagent"
    told = f"{payload.get('transcript_path')}\0{payload.get('cwd')}\0{env.get('PWD')}"
    # An agent that gbrain itself runs as a model would be captured back, without end.
    if OWN_PROCESS in told:
        return "self_capture"
    turns = reader.said(payload)
    if not turns:
        found = _read(reader, payload.get("transcript_path"), env, 1 if lane == "stop" else None)
        if isinstance(found, str):
            return found
        turns = found
    return _bank_all(turns if lane != "stop" else turns[:1], session, place, counts)


def _reader(harness: str) -> "Any":
    # Only the reader of the agent that asks is loaded.
    from importlib import import_module

    from gbrain.harnesses.transcripts import HARNESSES

    if harness not in HARNESSES:
        return None
    # As said above.
    return import_module(f"gbrain.harnesses.transcripts.{harness.replace('-', '_')}")


def _is_notice(arguments: "Sequence[str]") -> bool:
    """Whether the input stands as the last argument, as `notify` of Codex gives it."""
    return bool(arguments) and arguments[-1].lstrip().startswith("{")


def _read(reader: "Any", path: object, env: "Mapping[str, str]", most: "int | None") -> "list[str] | str":
    # Only an agent with a transcript needs it.
    from gbrain.harnesses.transcripts import tail

    if path is None:
        return "no_transcript"
    refused = tail.refusal(path, reader.folders(env))
    if refused is not None:
        return f"transcript_{refused.reason}"
    try:
        if reader.foreign(str(path)):
            return "subagent"
        turns = tail.newest(str(path), reader.MARKS, reader.turn, most or tail.MOST_TURNS)
    except OSError:
        return "transcript_unreadable"
    except Exception:
        return "parse_failed"
    return turns or "no_user_turn"


def _bank_all(turns: "list[str]", session: str, place: "Place", counts: "dict[str, int]") -> str:
    """Bank turns, the newest first, and tell a server of those that are on disk; the reason of the newest."""
    # Only a turn needs to be told from what gbrain put there.
    from gbrain.ambient import marks

    first, banked, there, ours = "", 0, [], marks.read(place[0], session).prints
    for turn in turns:
        reason, name = bank_one(turn, session, place, ours)
        banked += reason == "wb_banked"
        if name:
            there.append(name)
        # A turn that could not be written is what somebody must hear of, whichever it is.
        first = reason if not first or reason not in OK else first
    counts["turns"] = banked
    told = _poke(place[0], there) if there else ""
    # One that was banked before is offered again as well: its facts may have lapsed, or nobody listened then.
    if first == "wb_banked" or (banked and first == "wb_dup"):
        return told
    return first or "no_user_turn"


def bank_one(turn: str, session: str, place: "Place", ours: "frozenset[str]") -> "tuple[str, str]":
    """Filter a turn, look for secrets, bank it: its reason, and the name of its file where it has one."""
    home, source, why = place
    # The filter's words are loaded only when there is a turn.
    from gbrain.domain import turns

    verdict = turns.judge(turn, ours)
    if verdict.reason is not None:
        return _shadow(str(verdict.reason), turn, session, place) if why == bank.SHADOW else str(verdict.reason), ""
    try:
        # As above; and where it cannot be loaded, nothing is banked.
        from gbrain.domain.secrets import secret

        # The turn as it was said too: what the filter cuts away may be one half of a secret.
        if secret(turn) is not None or secret(verdict.text) is not None:
            return _shadow("secret_found", "", session, place) if why == bank.SHADOW else "secret_found", ""
    except Exception:
        return "wb_scan_unavailable", ""
    if why == bank.SHADOW:
        return _shadow("", verdict.text, session, place), ""
    try:
        return bank.bank(home, session, verdict.hash24, source, verdict.text, why)
    except OSError as error:
        return "wb_" + _code(error), ""


def _shadow(reason: str, text: str, session: str, place: "Place") -> str:
    """Note in the spool what would have become of a turn; its reason, `shadow_kept` for one that would be banked."""
    # Only somebody who tries memory out comes here.
    from gbrain.ambient import spool

    try:
        spool.put(place[0], session, place[1], reason, text)
    except OSError as error:
        return "wb_" + _code(error)
    return reason or "shadow_kept"


def _poke(home: str, names: "list[str]") -> str:
    """Tell a server of this brain which turns to look at; what it said of the newest, or why nobody did."""
    # Only a turn that is on disk needs it.
    from gbrain import neighbour

    first = ""
    try:
        with neighbour.Line(home, time.monotonic() + ANSWER_SECONDS) as line:
            for name in names:
                said = line.ask("harvest", file=name)
                reason = said.get("reason")
                if said.get("status") == "scheduled":
                    reason = "wb_scheduled"
                else:
                    reason = f"flush_skip_{reason}" if said.get("ok") and reason else "flush_failed"
                first = first or reason
    except neighbour.Unanswered as error:
        return first or error.reason
    return first


def _code(error: OSError) -> str:
    """`enospc`, `eacces`, ...: what the system calls an error."""
    # Only a failure needs the names.
    import errno

    return errno.errorcode.get(error.errno or 0, type(error).__name__).lower()


def _watch(home: str, began: float) -> None:
    """Leave when the deadline is over, whatever is under way."""
    # The bare thread: `threading` would cost as much as the rest of the hook waits.
    import _thread

    def leave() -> None:
        time.sleep(max(0.0, DEADLINE_SECONDS - (time.monotonic() - began)))
        _tell(home, "wb_deadline", began, {})
        os._exit(0)

    _thread.start_new_thread(leave, ())


def _tell(home: str, reason: str, began: float, counts: "Mapping[str, int]", event: str = EVENT) -> None:
    # Loaded when there is something to say.
    from gbrain.journal import Journal

    now = time.time()
    line: dict[str, object] = {
        "ts": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03d}Z",
        "event": event,
        "outcome": "ok" if reason in OK or reason.startswith("flush_skip_") else "degraded",
        "reason": reason[:48],
        "duration_ms": round((time.monotonic() - began) * 1000),
        **counts,
    }
    Journal(home).append(LOG, line)
