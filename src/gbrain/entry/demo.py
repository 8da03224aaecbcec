"""`gbrain demo`: what one agent is told, another one knows. Two real MCP sessions on a throw-away brain.

Every step is checked as it happens, so that the story cannot be told when it is not true.
"""

import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from types import FrameType
from typing import Any, NamedTuple

from gbrain.brain import ENV_CLOCK, open_home, utc_now
from gbrain.domain.eras import hello
from gbrain.domain.times import store_time, wire_time
from gbrain.entry.conformance.probe import Silent, Wire
from gbrain.errors import BrainError
from gbrain.home import ENV_HOME
from gbrain.mounts import ENV_BRAIN, HOST
from gbrain.types import Caller

WHO, SLUG = "Dana Oakes", "people/dana-oakes"
LATER = "+4d"

_PATIENCE = 20.0
_PAGE = "---\ntitle: Dana Oakes\ntype: person\naliases: [dana]\n---\nLeads the river survey at Northwind Charts.\n"


class Claim(NamedTuple):
    """What session one is asked to save."""

    fact: str
    kind: str
    extra: dict[str, str]

    @property
    def private(self) -> bool:
        """Whether only the person at this machine may read it."""
        return self.extra.get("visibility") == "private"


PREFERENCE = Claim("prefers green tea to coffee", "preference", {})
COMMITMENT = Claim("owes Sam the signed lease by Friday", "commitment", {})
TRANSIENT = Claim("is in Lisbon for the survey", "fact", {"ttl": "3d"})
PRIVATE = Claim("is looking for another job", "fact", {"visibility": "private"})
CLAIMS = (PREFERENCE, COMMITMENT, TRANSIENT, PRIVATE)


class Broken(Exception):
    """A step of the story did not hold."""


class Agent:
    """One agent's MCP session, over a wire of its own."""

    def __init__(self, wire: Wire, client: str) -> None:
        self._wire = wire
        answer = wire.request("initialize", hello(client)).get("result", {})
        _expect(answer.get("serverInfo", {}).get("name") == "gbrain", f"{client}: the server did not greet")
        wire.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The answer of a tool; raises Broken when it is an error."""
        answer = self._wire.request("tools/call", {"name": tool, "arguments": arguments})
        result: dict[str, Any] = answer.get("result") or {"isError": True, "error": answer.get("error")}
        _expect(not result.get("isError"), f"{tool} was refused: {str(result)[:200]}")
        body: dict[str, Any] = result["structuredContent"]
        return body


class Told:
    """Where the story goes: printed as it happens, or kept for `--json`."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self.steps: list[str] = []

    def step(self, title: str) -> None:
        """A step begins; it holds unless the next thing that happens is a failure."""
        self.steps.append(title)
        self.say(("" if len(self.steps) == 1 else "\n") + title)

    def say(self, line: str) -> None:
        """One line of the story."""
        if not self._quiet:
            print(line, flush=True)


def run(as_json: bool = False) -> int:
    """Play the story and leave nothing behind; returns 0, or 1 naming the step that failed.

    With `as_json` the one thing printed is an object: `ok`, the `steps` that were reached, and `failure`.
    """
    told = Told(quiet=as_json)
    failure: str | None = None
    with _ended_by_signal(), tempfile.TemporaryDirectory(prefix="gbrain-demo-") as base:
        try:
            _play(os.path.realpath(base), told)
        except (Broken, Silent, BrainError, OSError) as error:
            failure = str(error)
    if as_json:
        print(json.dumps({"ok": failure is None, "steps": told.steps, "failure": failure}, indent=2))
    elif failure is not None:
        print(f"\nThe demo failed at this step: {told.steps[-1]}\n  {failure}\n  Fix: gbrain doctor", file=sys.stderr)
    else:
        told.say("\nThe brain of this demo is gone again; yours was not touched. To keep one: gbrain init")
    return 0 if failure is None else 1


def _play(base: str, told: Told) -> None:
    told.step(f"A throw-away brain in {base}")
    home = os.path.join(base, ".gbrain")
    open_home(home, create=True, clock=utc_now, source="default").close()
    saved_at = _session_one(base, told)
    _session_two(base, told)
    _at_this_machine(home, told)
    _four_days_later(base, saved_at, told)


def _session_one(base: str, told: Told) -> str:
    """An agent is told things and saves them; the moment after the last one, as text."""
    told.step(f"Session one: an agent is told about {WHO}, and saves it over MCP")
    with _agent(base, "first-agent") as agent:
        agent.call("put_page", slug=SLUG, content=_PAGE)
        told.say(f"  put_page   {SLUG}: one page to hang it on")
        for claim in CLAIMS:
            arguments = {
                "fact": claim.fact,
                "kind": claim.kind,
                "entity": WHO,
                "provenance": "gbrain demo, session one",
            }
            reply = agent.call("remember", **arguments, **claim.extra)
            _expect(reply["status"] == "inserted", f"{claim.fact!r} came back as {reply['status']}")
            _expect(reply["entity_slug"] == SLUG, f"{claim.fact!r} was not tied to {SLUG}")
            until = f", holds until {reply['valid_until'][:16]}Z" if reply["valid_until"] else ""
            private = ", private" if claim.private else ""
            told.say(f'  remember   "{claim.fact}" ({claim.kind}{until}{private})')
    return wire_time(store_time(utc_now())) or ""


def _session_two(base: str, told: Told) -> None:
    told.step("Session two: another agent, in a new process, that was told nothing")
    with _agent(base, "second-agent") as agent:
        facts = _facts(agent.call("recall", entity=WHO))
        for claim in (PREFERENCE, COMMITMENT, TRANSIENT):
            _expect(claim.fact in facts, f"session two did not recall {claim.fact!r}")
            told.say(f'  recall     "{claim.fact}", from: {facts[claim.fact]}')
        found = agent.call("entity", name="dana")
        _expect(found["found"] and found["card"]["entity"]["slug"] == SLUG, "there is no card under the alias 'dana'")
        card = found["card"]
        threads = [thread["text"] for thread in card["open_threads"]]
        _expect(COMMITMENT.fact in threads, "the card does not show the commitment as an open thread")
        told.say(f"  entity     dana is {card['entity']['title']}: {card['summary']}")
        told.say(f"             open: {threads[0]}; {card['active_fact_count']} facts")
        everything = [*facts, *_facts(agent.call("recall", query="job")), json.dumps(found)]
        _expect(not any(PRIVATE.fact in text for text in everything), "session two saw the private fact")
        told.say("  the private fact is not shown to any agent")


def _at_this_machine(home: str, told: Told) -> None:
    told.step("You, at this machine, see everything")
    with open_home(home, clock=utc_now, source="default") as brain:
        facts = _facts(brain.call("recall", {"entity": WHO}, caller=Caller.local()))
    _expect(sorted(facts) == sorted(claim.fact for claim in CLAIMS), f"the operator sees {sorted(facts)}")
    told.say(f'  recall     all {len(facts)} facts, with "{PRIVATE.fact}"')


def _four_days_later(base: str, saved_at: str, told: Told) -> None:
    day = (utc_now() + timedelta(days=4)).date().isoformat()
    told.step(f"Four days later ({day}: the clock of a third server is moved)")
    with _agent(base, "third-agent", LATER) as agent:
        now = _facts(agent.call("recall", entity=WHO))
        _expect(TRANSIENT.fact not in now, "the transient fact is still recalled after its time")
        _expect({PREFERENCE.fact, COMMITMENT.fact} == set(now), f"four days later the brain recalls {sorted(now)}")
        told.say(f'  recall     {len(now)} facts; "{TRANSIENT.fact}" held for three days and is gone')
        then = _facts(agent.call("recall", entity=WHO, as_of=saved_at))
        _expect(TRANSIENT.fact in then, f"as of {saved_at} the transient fact is not shown")
        told.say(f'  recall     as of {saved_at[:16]}Z: "{TRANSIENT.fact}", as it was known then')


def _facts(reply: Mapping[str, Any]) -> dict[str, str]:
    """The facts of a recall: text and provenance."""
    return {fact["fact"]: fact["provenance"] for fact in reply["facts"]}


def _expect(holds: object, failure: str) -> None:
    if not holds:
        raise Broken(failure)


@contextmanager
def _agent(base: str, client: str, clock: str | None = None) -> Iterator[Agent]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GBRAIN_", "CLAUDE_CODE_"))}
    moved = {ENV_CLOCK: clock} if clock else {}
    given = {**kept, ENV_HOME: base, ENV_BRAIN: HOST, **moved}
    wire = Wire([sys.executable, "-m", "gbrain", "serve"], given, _PATIENCE)
    try:
        yield Agent(wire, client)
    finally:
        wire.close()


@contextmanager
def _ended_by_signal() -> Iterator[None]:
    """SIGTERM ends the demo as Ctrl-C does, so that its folder and its servers go with it."""

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    # A shell that starts it in the background has it ignore the interrupt.
    ends = {signal.SIGTERM: end, signal.SIGINT: signal.default_int_handler}
    before = {number: signal.signal(number, action) for number, action in ends.items()}
    try:
        yield
    finally:
        for number, action in before.items():
            signal.signal(number, action)
