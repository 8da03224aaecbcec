"""What gbrain knows of an agent's program: where its files lie, what goes into them, what it can and cannot do."""

import os
import shlex
import shutil
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gbrain.harnesses import jsontext
from gbrain.harnesses.parts import Part

CAPTURE_SECONDS = 10
RECALL_SECONDS = {"start": 5, "prompt": 3, "before-compact": 5}
"""Seconds after which an agent is to end a hook; each leaves by itself well before."""


class Launch(NamedTuple):
    """How a client starts the server: command with arguments, and variables that it sets for it."""

    command: tuple[str, ...]
    env: dict[str, str]


class Online(NamedTuple):
    """A server that runs already: its address, and the token that it is shown."""

    url: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        """What a client sends with each request."""
        return {"Authorization": f"Bearer {self.token}"}


Server = Launch | Online


class Wanted(NamedTuple):
    """What is to stand in the files of every harness. `name` is that of the server in them.

    `home`: the brain's. `tools`: those that may run without a question. `contract`: the base contract, for agents that
    are not given the server's own words. `section`: what asks them to save unasked, None while memory is off.
    `hook`: the command line of the capture hook without its lane and harness, with what comes after them in
    `hook_options`; empty where none is wanted. `options`: what the receipt is to remember for the next run.
    `recall` and `recall_options` are as `hook` and `hook_options`, for the recall hook.
    """

    name: str
    home: str
    server: Server
    tools: tuple[str, ...]
    contract: str
    section: str | None = None
    hook: tuple[str, ...] = ()
    hook_options: tuple[str, ...] = ()
    options: tuple[tuple[str, str | bool], ...] = ()
    recall: tuple[str, ...] = ()
    recall_options: tuple[str, ...] = ()

    @property
    def base(self) -> str | None:
        """`GBRAIN_HOME` as the server is given it."""
        return self.server.env.get("GBRAIN_HOME") if isinstance(self.server, Launch) else None

    def events(self, harness: str, capture: Mapping[str, str], recall: Mapping[str, str]) -> dict[str, tuple[Any, ...]]:
        """What runs at each event of a harness that has shell hooks: command lines, each with its seconds.

        `capture` and `recall` say which lane of these hooks belongs to which event.
        """
        made: dict[str, tuple[Any, ...]] = {}
        for event, lane in capture.items() if self.hook else ():
            made[event] = ((self.hook_line(lane, harness), CAPTURE_SECONDS),)
        for event, lane in recall.items() if self.recall else ():
            line = shlex.join([*self.recall, lane, harness, *self.recall_options])
            made[event] = (*made.get(event, ()), (line, RECALL_SECONDS[lane]))
        return made

    def hook_line(self, lane: str, harness: str) -> str:
        """The command line of the hook for a shell."""
        return shlex.join([*self.hook, lane, harness, *self.hook_options])


class Facts(NamedTuple):
    """One harness.

    `folder` is its configuration's, now; `parts` are the pieces for what is wanted, `server` is what a piece of the
    kind `registration` makes the client start or call, as its file says it. `notes` say what its person has to know,
    such as what it cannot do. `in_project` are the pieces in the files of a project with this root, None for one that
    reads nothing there. A project itself has the names of its `agents`; see `projects`.
    """

    name: str
    title: str
    program: str
    folder: Callable[[], str]
    parts: Callable[[Wanted], list[Part]]
    server: Callable[[str, str], Server | None]
    notes: Callable[[Wanted], list[str]] = lambda wanted: []
    in_project: Callable[[str, Wanted], list[Part]] | None = None
    agents: tuple[str, ...] = ()

    @property
    def is_here(self) -> bool:
        """Whether this machine has it: its folder, or its program on the path."""
        return os.path.isdir(self.folder()) or shutil.which(self.program) is not None


def json_server(*keys: str) -> Callable[[str, str], Server | None]:
    """Reads a registration below these keys of a JSON document; see `server_of`. Raises ValueError."""

    def server(text: str, name: str) -> Server | None:
        held = jsontext.find(jsontext.parse(text), (*keys, name))
        return server_of(held.value) if held is not None else None

    return server


def server_of(entry: Any) -> Server | None:
    """What a registration says in the words that most clients share; None for one that says nothing."""
    if not isinstance(entry, dict):
        return None
    url = entry.get("url") or entry.get("httpUrl")
    if url:
        headers = entry.get("headers") or entry.get("http_headers") or {}
        return Online(url, headers.get("Authorization", "").removeprefix("Bearer "))
    command, arguments = entry.get("command"), entry.get("args", [])
    env = entry.get("env") or entry.get("environment") or {}
    return Launch((*(command if isinstance(command, list) else [command]), *arguments), env) if command else None


def first_of(place: str, *names: str) -> str:
    """The file of these names that is there in a folder, else the first."""
    paths = [os.path.join(place, name) for name in names]
    return next((path for path in paths if os.path.lexists(path)), paths[0])


def below_home(*parts: str, variable: str = "") -> Callable[[], str]:
    """A folder below the person's own, unless an environment variable names another."""

    def folder() -> str:
        said = os.environ.get(variable) if variable else None
        return os.path.abspath(said or os.path.join(os.path.expanduser("~"), *parts))

    return folder
