"""A plain client for one memory-verbs server, and what a case may ask of its answers.

It is our own and knows only newline-delimited JSON-RPC, so that a server is judged by what it writes and not by
what an SDK makes of it.
"""

import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from json import dumps, loads
from typing import Any, Literal, NamedTuple

from gbrain import __version__

Check = Any
"""What a place must hold: a value, a type, a function that judges it, or `...` when the place must not exist."""

Level = Literal["must", "better"]

OWN, PAGES = "own", "put_page"
"""What a case may need: the server that conformance started itself, or the tool to seed a page with."""

ORIGIN = "gbrain protocol conformance"
"""The provenance of everything a run saves."""

_LONGEST_REPORT = 65536


class Unmet(Exception):
    """A case does not hold; the text says what was wanted and what came."""


class Silent(Unmet):
    """The server ended, or did not answer in time."""


class Wire:
    """A server as a child process: requests go out, responses are matched by id, anything else is kept as stray.

    `patience` is how many seconds one answer may take. After the first silence nothing more is asked.
    """

    def __init__(self, command: Sequence[str], env: Mapping[str, str] | None, patience: float) -> None:
        self.stray: list[str] = []
        """Lines on stdout that are no JSON-RPC 2.0 message."""
        self.last: tuple[Any, Any] = (None, None)
        """The latest request and its response, for the report."""
        self._patience = patience
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the server runs
        self._ids = count(1)
        self._buffer = b""
        self._silent = ""
        try:
            # In a session of its own, Ctrl-C leaves it there to have what was saved taken back.
            self._process = subprocess.Popen(
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, env=env, bufsize=0,
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            self._errors.close()
            raise Silent(f"the server could not be started: {error.strerror or error}") from None

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The whole response to one request. Raises Silent."""
        message = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params or {}}
        self.last = (message, None)
        self.send(dumps(message))
        deadline = time.monotonic() + self._patience
        while True:
            response = self._message(deadline)
            if response is not None and response.get("id") == message["id"] and "method" not in response:
                self.last = (message, response)
                return response

    def send(self, line: str) -> None:
        """Write one line. Raises Silent."""
        if self._silent:
            raise Silent(self._silent)
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(line.encode() + b"\n")
        except OSError:
            self._give_up("the server closed its stdin")

    def close(self, seconds: float = 5.0) -> int | None:
        """End the server's input; its exit code, or None when it had to be killed."""
        try:
            self._process.communicate(timeout=seconds)
            code: int | None = self._process.returncode
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            code = None
        self._errors.close()
        return code

    def _message(self, deadline: float) -> dict[str, Any] | None:
        while b"\n" not in self._buffer:
            self._fill(deadline)
        raw, self._buffer = self._buffer.split(b"\n", 1)
        try:
            message = loads(raw)
        except ValueError:
            message = None
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            self.stray.append(raw[:200].decode(errors="replace"))
            return None
        return message

    def _fill(self, deadline: float) -> None:
        stream = self._process.stdout
        assert stream is not None
        left = deadline - time.monotonic()
        if left <= 0 or (sys.platform != "win32" and not select.select([stream], [], [], left)[0]):
            self._give_up(f"no answer within {self._patience:g} s")
        chunk = os.read(stream.fileno(), 65536)
        if not chunk:
            self._give_up("the server ended its output")
        self._buffer += chunk

    def _give_up(self, reason: str) -> None:
        self._errors.seek(0)
        words = self._errors.read(_LONGEST_REPORT).decode(errors="replace").strip().splitlines()
        self._silent = reason + (f"; its last line on stderr: {words[-1][:200]}" if words else "")
        raise Silent(self._silent)


class Answer(NamedTuple):
    """A tool's result: its JSON body, the text blocks after it, and what rides beside them."""

    body: dict[str, Any]
    notes: list[str]
    meta: dict[str, Any]
    structured: Any
    failed: bool


def check(holds: Any, wanted: str, got: Any = "") -> None:
    """Raise Unmet unless it holds."""
    if not holds:
        shown = dumps(got, ensure_ascii=False, default=str)
        raise Unmet(f"wanted {wanted}" + (f", got {shown[:240]}" if got != "" else ""))


class Probe:
    """One run against one server: calls its tools, and keeps the names and ids that the cases share."""

    def __init__(self, wire: Wire, token: str, *, own: bool, verbs: Iterable[str]) -> None:
        self.wire = wire
        self.verbs = frozenset(verbs)
        self.own = own
        self.opened: dict[str, Any] = {}
        """The result of `initialize`."""
        self.tools: dict[str, dict[str, Any]] = {}
        self.saved: list[str] = []
        self.names = {
            "token": token,
            "slug": f"people/gbrain-conformance-{token}",
            "title": f"Gbrain Conformance {token.capitalize()}",
            "alias": f"gbc-{token}",
            "tea": "",
        }
        self._count = 0

    def open(self) -> None:
        """Shake hands and list the tools. Raises Unmet when the server does neither."""
        client = {"name": "gbrain-conformance", "version": __version__}
        params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        response = self.wire.request("initialize", params)
        check(isinstance(response.get("result"), dict), "a result of initialize", response)
        self.opened = response["result"]
        self.wire.send(dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        page: dict[str, Any] = {}
        while True:
            listed = self.wire.request("tools/list", page).get("result") or {}
            self.tools.update({tool["name"]: tool for tool in listed.get("tools", ())})
            page = {"cursor": listed.get("nextCursor")}
            if not page["cursor"]:
                return

    def fill(self, value: Any) -> Any:
        """`value` with every `{name}` in its texts replaced, and what is given as `...` left out."""
        if isinstance(value, str) and "{" in value:
            return value.format_map(self.names)
        if isinstance(value, dict):
            return {key: self.fill(item) for key, item in value.items() if item is not ...}
        return [self.fill(item) for item in value] if isinstance(value, list) else value

    def call(self, tool: str, /, **arguments: Any) -> Answer:
        """The result of one call, good or bad."""
        params = {"name": tool, "arguments": self.fill(arguments)}
        response = self.wire.request("tools/call", params)
        result = response.get("result")
        if not isinstance(result, dict):
            raise Unmet(f"wanted a tool result, got {dumps(response)[:240]}")
        texts = [part["text"] for part in result["content"] if part.get("type") == "text"]
        try:
            body = loads(texts[0])
        except ValueError:
            raise Unmet(f"wanted JSON in the first text block, got {texts[0][:120]!r}") from None
        failed = result.get("isError", False)
        answer = Answer(body, texts[1:], result.get("_meta") or {}, result.get("structuredContent"), failed)
        if tool == "remember" and not failed and "id" in body and arguments.get("visibility") != "private":
            self.saved.append(body["id"])
        return answer

    def ok(self, verb: str, /, **arguments: Any) -> dict[str, Any]:
        """The body of a verb's success; raises Unmet when it is an error or does not name the protocol."""
        answer = self.call(verb, **arguments)
        check(not answer.failed, "a success", answer.body)
        if verb in self.verbs:
            check(answer.body.get("protocol_version") == 1, "protocol_version 1", answer.body)
        return answer.body

    def refused(self, code: str, verb: str, /, **arguments: Any) -> dict[str, Any]:
        """The body of a verb's error; raises Unmet unless it has this code, a message and a suggestion."""
        answer = self.call(verb, **arguments)
        check(answer.failed, f"an error {code} (isError)", answer.body)
        check(answer.body.get("error") == code, f"the error {code}", answer.body)
        check(answer.body.get("protocol_version") == 1, "protocol_version 1 in the error", answer.body)
        for key in ("message", "suggestion"):
            text = answer.body.get(key)
            check(isinstance(text, str) and text.strip(), f"a {key} in the error", answer.body)
        return answer.body

    def save(self, text: str = "", /, **arguments: Any) -> dict[str, Any]:
        """Remember something of this run; each text is unlike the others, so that nothing takes its place."""
        return self.ok("remember", **{**self.claim(text), **arguments})

    def claim(self, text: str = "") -> dict[str, Any]:
        """A fact and its provenance; numbered when no text is given."""
        self._count += 1
        text = text or f"checkpoint {self._count} was passed"
        return {"fact": f"gbrain conformance {self.names['token']}: {text}", "provenance": ORIGIN}

    def facts(self, **arguments: Any) -> list[dict[str, Any]]:
        """The facts that `recall` gives."""
        found = self.ok("recall", **arguments)["facts"]
        check(isinstance(found, list), "facts as a list", found)
        return found  # type: ignore[no-any-return]

    def about(self, **arguments: Any) -> list[str]:
        """The texts of the facts about this run's entity."""
        return [fact["fact"] for fact in self.facts(entity="{slug}", **arguments)]


def place(body: Any, path: str) -> Any:
    """What stands at a dotted path of keys and list positions; `...` when nothing does."""
    for part in path.split("."):
        try:
            body = body[int(part)] if isinstance(body, list) else body[part]
        except (LookupError, TypeError, ValueError):
            return ...
    return body


def meets(value: Any, wanted: Check) -> bool:
    """Whether a place holds what a row wants of it."""
    if wanted is ... or value is ...:
        return value is wanted
    if isinstance(wanted, type):
        return isinstance(value, wanted)
    if callable(wanted):
        return bool(wanted(value))
    return bool(value == wanted) and isinstance(value, bool) == isinstance(wanted, bool)


Run = Callable[[Probe], None]


class Case(NamedTuple):
    """One thing the contract says. `needs` is OWN, the name of a tool, or nothing."""

    id: str
    level: Level
    title: str
    run: "Run"
    needs: str = ""


def declaring(cases: list[Case]) -> Callable[..., Callable[[Run], Run]]:
    """A decorator that makes a function a case of this list; its docstring is the title."""

    def case(id: str, level: Level = "must", needs: str = "") -> Callable[[Run], Run]:
        def declare(run: Run) -> Run:
            cases.append(Case(id, level, (run.__doc__ or "").rstrip("."), run, needs))
            return run

        return declare

    return case
