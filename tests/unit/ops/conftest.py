"""A fresh brain whose clock stands where a test puts it, and its two usual callers."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import databases
from clocks import Clock
from gbrain import Brain, Caller, home as homes, open_brain, registry
from gbrain.registry import Reply

Write = Callable[..., dict[str, Any]]


class Asker:
    """Asks as one caller: the value of an operation, or its whole reply."""

    def __init__(self, brain: Brain, caller: Caller) -> None:
        self.brain = brain
        self.caller = caller

    def __call__(self, name: str, /, **arguments: Any) -> Any:
        return self.reply(name, **arguments).value

    def reply(self, name: str, /, **arguments: Any) -> Reply:
        return registry.call(self.brain, self.caller, name, arguments)

    def link(self, start: str, end: str, link_type: str = "", **more: Any) -> Any:
        return self("add_link", **{"from": start, "to": end, "link_type": link_type, **more})


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", "postgres"])
def brain(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Brain]:
    home = tmp_path / "home"
    if request.param == "postgres":
        home.mkdir(0o700)
        homes.set_database_url(str(home), databases.emptied())
    with open_brain(str(home), create=True, clock=clock) as brain:
        yield brain


@pytest.fixture
def local(brain: Brain) -> Asker:
    """The person at this machine."""
    return Asker(brain, Caller.local())


@pytest.fixture
def remote(brain: Brain) -> Asker:
    """An agent over the pipe."""
    return Asker(brain, Caller.stdio(client="agent-example"))


@pytest.fixture
def page(local: Asker) -> Write:
    """Write a page from a body and front matter lines."""

    def write(slug: str, body: str = "Some text.\n", *header: str) -> dict[str, Any]:
        head = "".join(f"{line}\n" for line in header)
        value: dict[str, Any] = local("put_page", slug=slug, content=f"---\n{head}---\n{body}" if head else body)
        return value

    return write
