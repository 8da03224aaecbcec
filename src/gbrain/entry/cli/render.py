"""From an operation's answer to text: the text function of the operation's name, or the JSON itself."""

from importlib import import_module
from typing import Any

from gbrain.brain import Brain, RemoteBrain
from gbrain.catalogue import OPERATIONS
from gbrain.domain.times import store_time, wire_time
from gbrain.entry.cli import screen
from gbrain.registry import Reply
from gbrain.types import Caller

SUCCESSORS = 100
"""How many facts are looked through for the text of what replaced others."""

_SUBJECTS = {
    "gbrain.ops.access": "access",
    "gbrain.ambient.activity": "status",
    "gbrain.ambient.status": "status",
    "gbrain.ambient.volunteering": "offer",
    "gbrain.ambient.shadow": "turn",
    "gbrain.ambient.turns": "turn",
    "gbrain.ambient.why": "steering",
    "gbrain.ambient.why_page": "steering",
    "gbrain.ops.config": "setting",
    "gbrain.ops.extracting": "answer",
    "gbrain.ops.listing": "status",
    "gbrain.ops.languages": "source",
    "gbrain.ops.memory_pages": "memory",
    "gbrain.ops.modelling": "model",
    "gbrain.ops.sources": "source",
    "gbrain.ops.spending": "model",
    "gbrain.ops.steering": "steering",
    "gbrain.ops.thinking": "answer",
    "gbrain.ops.undoing": "setting",
}


def subject(name: str) -> str:
    """Which module `SUBJECT_texts` has the text function of an operation, if there is one."""
    entry = OPERATIONS[name]
    return "verb" if entry.surface == "verbs" else _SUBJECTS.get(entry.module, "page")


def show(name: str, value: Any, given: dict[str, Any]) -> None:
    """Write the answer of operation `name` for people; `given` holds its arguments and what rode beside the answer."""
    if isinstance(value, dict) and value.get("dry_run") is True:
        screen.write(screen.harmless(_checked(name, value)))
        return
    # Texts load by subject: the verbs' are on the fast path, all others are not.
    texts = import_module(f"gbrain.entry.cli.{subject(name)}_texts")
    text_of = getattr(texts, name, None)
    if text_of is None:
        screen.write_json(value)
        return
    if screen.on_terminal():
        value, given = screen.harmless(value), screen.harmless(given)
    screen.write(text_of(value, given, screen.paint()))


def _checked(name: str, value: dict[str, Any]) -> str:
    """What a dry run would do; its answer holds the words that say to what."""
    told = [str(word) for key, word in value.items() if key not in ("dry_run", "action", "protocol_version")]
    return " ".join(["Nothing was changed; the call is fine:", OPERATIONS[name].cli or name, *told])


def beside(
    brain: Brain | RemoteBrain, caller: Caller, name: str, arguments: dict[str, Any], reply: Reply
) -> dict[str, Any]:
    """What a text needs and the answer does not hold: the named warnings, the moment, what became of replaced facts."""
    more: dict[str, Any] = {"warned": [warning["code"] for warning in reply.warnings]}
    if name == "recall":
        more["now"] = wire_time(store_time(brain.clock()))
    if name == "recall" and arguments.get("supersessions") and reply.value["facts"]:
        wanted: dict[str, Any] = {key: arguments[key] for key in ("entity", "as_of") if key in arguments}
        wanted |= {"include_expired": True, "limit": SUCCESSORS}
        held = brain.ask(caller, "recall", wanted).value["facts"]
        more["texts"] = {fact["id"]: fact["fact"] for fact in [*held, *reply.value["facts"]]}
    return more
