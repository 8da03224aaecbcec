"""The check of the seven verbs: what they declare, and what they do on a scratch brain."""

import os
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from gbrain import registry
from gbrain.brain import Brain, open_home
from gbrain.doctor.frame import Finding, Patient, check
from gbrain.errors import BrainError, InvalidParams, Unavailable
from gbrain.types import Caller

VERBS = ("remember", "recall", "entity", "synthesize", "forget", "context_pack", "delta")
"""Protocol version 1: https://github.com/garrytan/gbrain, `memory-verbs-v1`."""

_ABOUT = "Scratch Person"


@check(
    "protocol",
    "The seven verbs: their schemas, and a claim saved, read and forgotten on a scratch brain",
    category="ops",
)
def protocol(patient: Patient) -> Finding:
    """Every verb is there, answers in the shape it declares, and does what its name says."""
    if patient.fast:
        return Finding("skipped", "not run with --fast")
    problems = [problem for verb in VERBS for problem in misdeclared(verb)]
    try:
        with tempfile.TemporaryDirectory(prefix="gbrain-doctor-") as folder:
            home = os.path.join(folder, ".gbrain")
            with open_home(home, create=True, clock=lambda: datetime.now(UTC), source="default") as brain:
                problems += rehearse(brain)
    except OSError as error:
        return Finding("fail", f"no scratch brain could be made in {tempfile.gettempdir()}: {error.strerror or error}")
    except BrainError as error:
        problems.append(f"the scratch brain did not open: {error.message}")
    if problems:
        return Finding("fail", f"the verbs do not keep their protocol: {problems[0]}", None, tuple(problems[1:]))
    return Finding("ok", "the seven verbs keep version 1 of their protocol on a scratch brain")


def misdeclared(verb: str) -> list[str]:
    """What is wrong with what a verb declares."""
    found = registry.find(verb)
    if found is None or not found.verb:
        return [f"{verb} is missing"]
    given, answered = found.input_schema(), found.output_schema()
    problems = [
        f"{verb}: {name} has no description"
        for name, part in given["properties"].items()
        if not part.get("description")
    ]
    if given["type"] != "object" or answered["type"] != "object":
        problems.append(f"{verb}: a schema is not a plain object")
    if "protocol_version" not in answered["properties"]:
        problems.append(f"{verb}: its answer does not carry protocol_version")
    return problems


def rehearse(brain: Brain) -> list[str]:
    """Save, read and forget one claim as an agent would; what went otherwise than the protocol says."""
    problems: list[str] = []

    def call(verb: str, **arguments: Any) -> dict[str, Any]:
        return _called(brain, verb, arguments, problems)

    def expect(holds: bool, message: str) -> None:
        if not holds:
            problems.append(message)

    saved = call("remember", fact="prefers tea to coffee", provenance="gbrain doctor", entity=_ABOUT, kind="preference")
    expect(saved.get("status") == "inserted", "remember: a new claim was not inserted")
    held = str(saved.get("id", ""))
    expect(held in _ids(call("recall", entity=_ABOUT)), "recall: a claim just saved was not found by its entity")
    expect(held in _ids(call("recall", query="tea")), "recall: a claim just saved was not found by its words")
    expect(
        call("entity", name="Nobody Known").get("found") is False, "entity: an unknown name was taken for a known one"
    )
    call("context_pack", entities=_ABOUT)
    call("delta", since="2001-01-01")
    _expect_refusal(
        lambda: call("synthesize", question="what is known?"), Unavailable, "synthesize", problems, may_answer=True
    )
    _expect_refusal(lambda: call("remember", fact="no origin"), InvalidParams, "remember without provenance", problems)
    expect(call("forget", id=held).get("expired") is True, "forget: the claim was not ended")
    expect(held not in _ids(call("recall", entity=_ABOUT)), "recall: a forgotten claim was still found")
    return problems


def _called(brain: Brain, verb: str, arguments: dict[str, Any], problems: list[str]) -> dict[str, Any]:
    reply = registry.call(brain, Caller.stdio("verbs", "gbrain-doctor"), verb, arguments).value
    found = registry.find(verb)
    wanted = found.output_schema().get("required", []) if found is not None else []
    missing = [key for key in wanted if key not in reply]
    if missing or reply.get("protocol_version") != 1:
        problems.append(f"{verb}: its answer lacks {', '.join(missing) or 'protocol_version 1'}")
    return dict(reply)


def _expect_refusal(
    attempt: Callable[[], object], kind: type[BrainError], what: str, problems: list[str], *, may_answer: bool = False
) -> None:
    try:
        attempt()
    except kind as error:
        if not error.suggestion:
            problems.append(f"{what}: the refusal suggests nothing")
    else:
        if not may_answer:
            problems.append(f"{what} was not refused")


def _ids(reply: dict[str, Any]) -> set[str]:
    return {str(fact["fact_id"]) for fact in reply.get("facts", [])}
