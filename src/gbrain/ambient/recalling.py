"""What a recall hook does: see who speaks, ask a server or look into the store itself, note what is told, and tell it.

It never raises, leaves within its deadline, and prints what its agent takes into the model's context or nothing at all.
Without a server it opens the SQLite store, read-only, through `store/glance.py` alone.
"""

import json
import os
import sys
import time

from gbrain import neighbour
from gbrain.ambient import bank, marks
from gbrain.ambient.given import ENV_SOURCE, ENV_SWITCH, OWN_PROCESS, home_of, payload_of, read_input, session_of

# Not from typing, which takes as long to load as the rest of a hook.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Payload = dict[str, Any]
    Reply = tuple[str, list[str]]
    """A text for the context, and what is to be noted of it."""

LANES = {"start": 1.35, "prompt": 0.65, "before-compact": 1.35, "after-compact": 1.35}
"""What a hook can be run for, and seconds of its process after which it leaves."""
SERVER_SECONDS = {"start": 0.4, "prompt": 0.2, "before-compact": 0.4, "after-compact": 0.4}
"""How long a server is waited for, before the hook looks for itself."""
INPUT_SECONDS = (0.3, 0.1)
"""How long the first of the input is waited for, and the rest."""
TURNS = 6
LONGEST_TURN, LONGEST_PROMPT = 4_000, 16_000
"""Characters: names stand in what was written, not in what was pasted."""
LOG = os.path.join("integrations", "hooks", "heartbeat.jsonl")
DATABASE, ADDRESS = "brain.db", "brain.json"
HEADED = ("SessionStart", "UserPromptSubmit", "BeforeAgent")
"""The events of shell hooks that take a context."""
PLUGINS = ("opencode", "openclaw")
FORGETFUL = ("gemini", "openclaw")
"""These resume a session without what hooks had put into it."""
_OK = frozenset(("told", "nothing", "noted", "subagent", "self_capture", "not_said"))
_NOT_SAID = ("/", "<task-notification>", "<command-name>", "<local-command-", "!")


class Left(Exception):
    """Nothing is told, for this reason."""


def run(arguments: "Sequence[str]", env: "Mapping[str, str]", began: float) -> None:
    """Do what the command line `LANE HARNESS [--home FOLDER] [--source ID]` asks for."""
    began = min(began, _born(began))
    lane, harness, given = _asked(arguments)
    home = given.get("home") or home_of(env)
    if env.get(ENV_SWITCH) == "0" or lane not in LANES or home is None or not os.path.isdir(home):
        return
    _watch(home, lane, began)
    said = ""
    try:
        said, reason = _step(lane, harness, home, given.get("source") or env.get(ENV_SOURCE) or "", env)
    except Left as left:
        reason = str(left)
    except Exception as error:
        reason = f"exception:{type(error).__name__}"
    if said:
        sys.stdout.write(said)
        sys.stdout.flush()
    _tell(home, lane, reason, began)


def _born(now: float) -> float:
    """When this process began, on the clock of `now`: on a busy machine Python takes its time to start."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        return now - (time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError, IndexError, AttributeError):
        return now


def _asked(arguments: "Sequence[str]") -> "tuple[str, str, dict[str, str]]":
    words, given = list(arguments), dict[str, str]()
    for flag in ("home", "source"):
        if f"--{flag}" in words[:-1]:
            place = words.index(f"--{flag}")
            given[flag] = words[place + 1]
            del words[place : place + 2]
    lane, harness = [*(word for word in words if not word.startswith("--")), "", ""][:2]
    return lane, harness, given


def _step(lane: str, harness: str, home: str, source: str, env: "Mapping[str, str]") -> "tuple[str, str]":
    """What to print, and why it is that."""
    data, whole = read_input(*INPUT_SECONDS)
    if not whole:
        raise Left("input_too_large")
    payload = payload_of(data)
    if payload.get("agent_id"):
        raise Left("subagent")
    if OWN_PROCESS in f"{payload.get('transcript_path')}\0{payload.get('cwd')}\0{env.get('PWD')}":
        raise Left("self_capture")
    event = payload.get("hook_event_name")
    session = bank.plain_id(session_of(payload))
    told = marks.read(home, session)
    if lane == "start" and harness in FORGETFUL and payload.get("source") == "resume":
        # What it was offered stands in its new pack, and may be offered again.
        marks.note(home, session, ["forget offer", "forget start"])
        told = told._replace(started="", standing=told.offered[::-1])
    elif lane == "start" and (payload.get("source") == "compact" or (told.standing and not told.started)):
        lane = "after-compact"
    asked = _request(lane, session, payload, told, home)
    asked["source"], asked["channel"] = source, harness
    if lane in ("prompt", "before-compact"):
        asked["turns"] = _turns(lane, harness, payload, told, env)
    text, notes = _answered(home, asked, lane)
    if lane == "before-compact" and harness in PLUGINS:
        # Their agents may end after a compaction, and what is begun then is a start to the plugin.
        notes.append("forget start")
    try:
        marks.note(home, session, [note for note in notes if note.removeprefix("line ") not in told.prints])
        if lane == "start":
            _began(home, asked["folder"], notes)
    except OSError:
        # What is not noted could be told twice, and come back as if a person had said it.
        raise Left("unnoted") from None
    if not text or lane == "before-compact":
        return "", "noted" if lane == "before-compact" else "nothing"
    return _shaped(lane, harness, event, text), "told"


def _request(lane: str, session: str, payload: "Payload", told: "Any", home: str) -> "dict[str, Any]":
    folder = payload.get("cwd")
    where = folder if isinstance(folder, str) and os.path.isabs(folder) else ""
    resumed = lane == "start" and bool(told.started)
    since = ""
    if lane in ("start", "after-compact"):
        since = told.started or marks.last(home, where)
    return {
        "lane": lane,
        "session": session,
        "folder": where,
        "offered": list(told.offered) if lane != "start" else [],
        "standing": list(told.standing or told.offered[::-1]) if lane == "after-compact" or not told.started else [],
        "since": since,
        "resumed": resumed,
    }


def _turns(lane: str, harness: str, payload: "Payload", told: "Any", env: "Mapping[str, str]") -> "list[list[str]]":
    """The last turns, the oldest first: who speaks, and what they say, without what gbrain or the agent put there."""
    # Only what somebody says has to be told from what was put there.
    from gbrain.domain.fences import unfenced

    prompt = payload.get("prompt")
    prompt = unfenced(_cut(prompt, LONGEST_PROMPT), told.prints).strip() if isinstance(prompt, str) else ""
    if lane == "prompt" and (not prompt or prompt.startswith(_NOT_SAID)):
        raise Left("not_said")
    turns = [(role, unfenced(text, told.prints).strip()) for role, text in _before(harness, payload, env)]
    turns = [(role, text) for role, text in turns if text]
    if lane == "prompt":
        if turns and turns[-1][0] == "user" and turns[-1][1].endswith(prompt):
            turns.pop()
        turns.append(("user", prompt))
    return [list(turn) for turn in turns[-TURNS:]]


def _before(harness: str, payload: "Payload", env: "Mapping[str, str]") -> "list[tuple[str, str]]":
    """What was said before: as a plugin brings it, else at the end of the transcript, where it may be read."""
    brought = payload.get("turns")
    if isinstance(brought, list):
        held = [(turn.get("role"), turn.get("text")) for turn in brought[-TURNS:] if isinstance(turn, dict)]
        return [(role, _cut(text)) for role, text in held if isinstance(role, str) and isinstance(text, str)]
    path = payload.get("transcript_path")
    if path is None:
        return []
    # Only where there is a transcript.
    from gbrain.harnesses.transcripts import HARNESSES, tail

    if harness not in HARNESSES:
        return []
    # Only the reader of the agent that asks, and not by `importlib`, which takes longer to load than it.
    reader = __import__(f"gbrain.harnesses.transcripts.{harness.replace('-', '_')}", fromlist=["folders"])
    if tail.refusal(path, reader.folders(env)) is not None:
        return []
    try:
        return [(role, _cut(text)) for role, text in tail.conversation(str(path), reader, TURNS)]
    except OSError:
        return []


def _cut(text: str, most: int = LONGEST_TURN) -> str:
    return text if len(text) <= most else f"{text[: most // 2]}\n{text[-most // 2 :]}"


def _answered(home: str, asked: "dict[str, Any]", lane: str) -> "Reply":
    """What a server says, or what this process finds by itself where none answers in time."""
    try:
        with neighbour.Line(home, time.monotonic() + SERVER_SECONDS[lane]) as line:
            said = line.ask("recall", **asked)
    except neighbour.Unanswered:
        return _looked(home, asked)
    text, notes = said.get("text"), said.get("notes")
    if not said.get("ok") or not isinstance(text, str) or not isinstance(notes, list):
        return _looked(home, asked)
    return text, [note for note in notes if isinstance(note, str)]


def _looked(home: str, asked: "dict[str, Any]") -> "Reply":
    if os.path.lexists(os.path.join(home, ADDRESS)):
        raise Left("no_serve")
    # Only a hook that is alone looks for itself.
    from gbrain.ambient import briefing
    from gbrain.store.glance import Glance

    try:
        glance = Glance(os.path.join(home, DATABASE))
        answer = briefing.answer(glance, home, briefing.of_wire(asked), briefing.clock())
    except OSError:
        raise Left("no_store") from None
    return answer.text, list(answer.notes)


def _began(home: str, where: str, notes: "list[str]") -> None:
    moment = next((note.partition(" ")[2] for note in notes if note.startswith("start ")), "")
    if moment:
        marks.set_last(home, where, moment)
    marks.prune(home)


def _shaped(lane: str, harness: str, event: object, text: str) -> str:
    """A text in the form in which its agent takes it: a plugin as it is, a shell hook as JSON of its event."""
    if harness in PLUGINS:
        return text
    own = "BeforeAgent" if harness == "gemini" else "UserPromptSubmit"
    name = event if isinstance(event, str) else own if lane == "prompt" else "SessionStart"
    if name not in HEADED:
        return ""
    return json.dumps({"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}})


def _watch(home: str, lane: str, began: float) -> None:
    """Leave when the deadline is over, whatever is under way."""
    # The bare thread: `threading` would cost as much as the rest of the hook waits.
    import _thread

    def leave() -> None:
        time.sleep(max(0.0, LANES[lane] - (time.monotonic() - began)))
        _tell(home, lane, "deadline", began)
        os._exit(0)

    _thread.start_new_thread(leave, ())


def _tell(home: str, lane: str, reason: str, began: float) -> None:
    # Loaded when there is something to say.
    from gbrain.journal import Journal

    now = time.time()
    line = {
        "ts": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03d}Z",
        "event": f"recall-{lane}",
        "outcome": "ok" if reason in _OK else "degraded",
        "reason": reason[:48],
        "duration_ms": round((time.monotonic() - began) * 1000),
    }
    Journal(home).append(LOG, line)
