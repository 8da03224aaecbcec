"""Ways in for the sweep: each gives the whole answer to a request as text, without what measures or names a moment."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from gbrain import Brain, Caller
from gbrain.entry import mcp
from gbrain.entry.mcp import Refused
from http_server import HttpServer, Response
from stdio_server import ENVELOPE, HANDSHAKE, VERSION, Message, Server
from sweep.table import Call
from sweep.things import BOUND
from sweep.world import NOW

Ask = Callable[[str, Message], str]
"""From a method and its parameters to everything that came back."""
Way = AbstractContextManager[Ask]

AGENT = Caller.stdio(client="agent-example")
"""A remote caller of this machine: every source, nothing private."""
CLIENT = AGENT._replace(sources=("default",))
"""A remote caller that is granted one source of two."""
KIOSK = CLIENT._replace(slugs=BOUND)
"""A remote caller that is bound to slugs, too."""

METHODS: list[tuple[str, Message]] = [
    ("initialize", HANDSHAKE),
    ("ping", {}),
    ("tools/list", {}),
    ("resources/list", {}),
    ("resources/read", {"uri": "gbrain://page/payroll/people/paid-marker"}),
    ("resources/templates/list", {}),
    ("prompts/list", {}),
    ("completion/complete", {"ref": {"type": "ref/prompt", "name": "marker"}}),
    ("server/discover", {"_meta": ENVELOPE}),
    ("tools/list", {"_meta": ENVELOPE}),
    ("tools/call", {"name": "entity", "arguments": {"name": "Dana Marker"}, "_meta": ENVELOPE}),
    ("tools/call", {"name": "entity", "arguments": []}),
    ("tools/call", {}),
]
"""What can be asked beside tools, in both eras."""
PATHS = ("/health", "/mcp", "/", "/payroll", "/.well-known/oauth-protected-resource/mcp", "/authorize?client_id=marker")

_MEASURED = re.compile(r'(latency_ms\\?": ?)[0-9.]+')
_TIMELINE_ID = re.compile(r'("id\\?": ?)[0-9]+(, ?(\\n)? *\\?"page_id)')
_PASSING = ("date", "x-request-id", "server-timing")


def request(call: Call) -> tuple[str, Message]:
    """The method and the parameters of a call."""
    meta = {"_meta": {"session_id": call.session}} if call.session else {}
    return "tools/call", {"name": call.name, "arguments": call.arguments, **meta}


def inside(brain: Brain, caller: Caller) -> Ask:
    """In this process, as far as the message that would be sent."""

    def ask(method: str, params: Message) -> str:
        assert method == "tools/call"
        try:
            return _told(mcp.call_tool(brain, caller, params, "handshake"))
        except Refused as refused:
            return f"{refused.code} {refused.message}"

    return ask


@contextmanager
def stdio(home: Path) -> Iterator[Ask]:
    """A server of one's own, over its pipes."""
    # Its own sweep would change one of two brains between two questions.
    with Server(home, "--surface", "full", env={"GBRAIN_CLOCK": NOW, "GBRAIN_SWEEP": "0"}) as server:
        yield lambda method, params: _told(server.ask(method, params) | {"id": 1})


@contextmanager
def http(home: Path, token: str) -> Iterator[Ask]:
    """A server on loopback, as a client with a token. A method that is a path is fetched without one."""
    with HttpServer(home, "--rate", "0", env={"GBRAIN_CLOCK": NOW}) as server:

        def ask(method: str, params: Message) -> str:
            if method.startswith("/"):
                return _answered(server, server.send("GET", method, headers={"accept": "*/*"}))
            headers = {"authorization": f"Bearer {token}"}
            if "_meta" in params and params["_meta"] == ENVELOPE:
                headers |= {"mcp-protocol-version": VERSION, "mcp-method": method}
                headers |= {"mcp-name": str(params["name"])} if "name" in params else {}
            message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            return _answered(server, server.post(message, headers))

        yield ask


def told(ask: Ask, calls: Iterable[Call]) -> list[tuple[Call, str]]:
    """Each call with everything that came back."""
    return [(call, ask(*request(call))) for call in calls]


def _answered(server: HttpServer, response: Response) -> str:
    headers = {name: value for name, value in response.headers.items() if name not in _PASSING}
    said = f"{response.status} {json.dumps(headers)} {response.body.decode()}"
    return _normal(said.replace(f":{server.port}", ":PORT").replace(f"viewer_{server.port}", "viewer_PORT"))


def _told(value: object) -> str:
    return _normal(json.dumps(value, ensure_ascii=False))


def _normal(text: str) -> str:
    text = re.sub(r'"content-length": "[0-9]+"', "", text) if "latency_ms" in text else text
    return _TIMELINE_ID.sub(r"\g<1>0\2", _MEASURED.sub(r"\g<1>0", text))
