"""What gbrain knows of an agent's program: where its files lie, what goes into them, what it can and cannot do."""

import os
import shlex
import shutil
from collections.abc import Callable
from typing import NamedTuple

from gbrain.harnesses import jsontext
from gbrain.harnesses.parts import Part


class Launch(NamedTuple):
    """How a client starts the server: command with arguments, and variables that it sets for it."""

    command: tuple[str, ...]
    env: dict[str, str]


class Wanted(NamedTuple):
    """What is to stand in the files of every harness. `name` is that of the server in them.

    `home`: the brain's. `tools`: those that may run without a question. `base`: the contract for agents that are not
    given the server's own words. `section`: what asks them to save unasked, None while memory is off. `hook`: the
    command line of the capture hook without its lane and harness, with what comes after them in `hook_options`; empty
    where none is wanted.
    """

    name: str
    home: str
    server: Launch
    tools: tuple[str, ...]
    base: str
    section: str | None = None
    hook: tuple[str, ...] = ()
    hook_options: tuple[str, ...] = ()

    def hook_line(self, lane: str, harness: str) -> str:
        """The command line of the hook for a shell."""
        return shlex.join([*self.hook, lane, harness, *self.hook_options])


class Facts(NamedTuple):
    """One harness.

    `folder` is its configuration's, now; `parts` are the pieces for what is wanted, `launch` what a piece of the kind
    `registration` makes the client start, as its file says it. `notes` say what its person has to know, such
    as what it cannot do.
    """

    name: str
    title: str
    program: str
    folder: Callable[[], str]
    parts: Callable[[Wanted], list[Part]]
    launch: Callable[[str, str], Launch | None]
    notes: Callable[[Wanted], list[str]] = lambda wanted: []

    @property
    def is_here(self) -> bool:
        """Whether this machine has it: its folder, or its program on the path."""
        return os.path.isdir(self.folder()) or shutil.which(self.program) is not None


def json_launch(*keys: str) -> Callable[[str, str], Launch | None]:
    """Reads a registration below these keys of a JSON document: `command`, `args`, `env`. Raises ValueError."""

    def launch(text: str, name: str) -> Launch | None:
        held = jsontext.find(jsontext.parse(text), (*keys, name))
        if held is None or not isinstance(held.value, dict) or "command" not in held.value:
            return None
        return Launch((held.value["command"], *held.value.get("args", ())), held.value.get("env", {}))

    return launch


def below_home(*parts: str, variable: str = "") -> Callable[[], str]:
    """A folder below the person's own, unless an environment variable names another."""

    def folder() -> str:
        said = os.environ.get(variable) if variable else None
        return os.path.abspath(said or os.path.join(os.path.expanduser("~"), *parts))

    return folder
