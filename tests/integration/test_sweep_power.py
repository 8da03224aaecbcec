"""The sweep can fail, and each wall holds without the other."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import get_args

import pytest

from answers import echo
from gbrain import Brain, Caller
from gbrain.store import visibility
from gbrain.store.postgres import PostgresEngine
from model_server import model_server
from sweep import table, ways, world
from sweep.compare import differences, where
from sweep.table import Call

LACKS = {ways.AGENT: "world", ways.CLIENT: "own", ways.KIOSK: "bound"}
"""The brain in which nothing hidden from the caller ever was."""


@pytest.fixture(scope="module", params=get_args(world.EngineName))
def planted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[world.Planted]:
    """The brains, with a model that says again what it was shown."""
    with model_server() as model:
        model.script = echo
        yield world.planted(request.param, tmp_path_factory.mktemp("planted"), f"endpoint:echo url={model.url}")


@pytest.fixture
def no_first_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store with a predicate that lets everything through."""
    monkeypatch.setattr(visibility, "pages", lambda *, deleted=False: "1 = 1")
    monkeypatch.setattr(visibility, "facts", lambda view, *, live=True: "1 = 1")
    monkeypatch.setattr(visibility, "links_in", lambda view=None: "1 = 1")


@contextmanager
def pair(planted: world.Planted, folder: Path, caller: Caller) -> Iterator[tuple[Brain, Brain]]:
    """The brain with everything, and the one without what is hidden from the caller."""
    with ExitStack() as stack:
        homes = [world.copied(planted, name, folder) for name in ("full", LACKS[caller])]
        one, other = (stack.enter_context(world.opened(home)) for home in homes)
        yield one, other


@pytest.mark.usefixtures("no_first_wall")
@pytest.mark.parametrize("caller", [ways.AGENT, ways.CLIENT], ids=["agent", "client"])
def test_without_the_predicate_every_read_is_caught(planted: world.Planted, tmp_path: Path, caller: Caller) -> None:
    with pair(planted, tmp_path, caller) as brains:
        asks = [ways.inside(brain, caller) for brain in brains]
        riding = differences(*asks, [Call(name, questions[0]) for name, questions in table.PLAIN.items()])
        assert {found.call.name for found in riding} == table.PLAIN.keys() - {"synthesize"}, "hot memory is not caught"
        for brain in brains:
            brain.config_set(key="mcp.hot_memory", value="off")
        caught = {found.call.name for found in differences(*asks, table.reads())}
    assert caught == table.READS.keys()


def test_a_client_bound_to_slugs_is_told_of_nothing_else(planted: world.Planted, tmp_path: Path) -> None:
    caller = ways.KIOSK
    with pair(planted, tmp_path, caller) as brains:
        asks = [ways.inside(brain, caller) for brain in brains]
        found = differences(*asks, chain(table.questions(), table.refused(), table.writes()))
        assert not found, where(found)


@pytest.mark.usefixtures("no_first_wall")
@pytest.mark.parametrize("planted", ["postgres"], indirect=True)
def test_row_security_holds_alone(planted: world.Planted, tmp_path: Path) -> None:
    caller = ways.CLIENT
    with pair(planted, tmp_path, caller) as brains:
        for brain in brains:
            assert isinstance(brain.store.engine, PostgresEngine)
            brain.store.engine.wall()
        asks = [ways.inside(brain, caller) for brain in brains]
        found = differences(*asks, chain(table.questions(), table.refused(), table.writes()))
        assert not found, where(found)
