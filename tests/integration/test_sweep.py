"""What is hidden shapes no reply: the same calls to two brains, of which one holds hidden things, answer the same."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import get_args

import pytest

from answers import echo
from gbrain import registry
from model_server import model_server
from sweep import table, ways, world
from sweep.compare import differences, where
from sweep.table import Call

HIDDEN = 50
"""Of so many hidden rows at the least it is seen that they stay as they are."""
LENGTH = re.compile('"content-length": "[0-9]+"')
WAYS: dict[str, tuple[str, Callable[[Path, str], ways.Way]]] = {
    "stdio": ("world", lambda home, token: ways.stdio(home)),
    "http": ("own", ways.http),
}
"""Over stdio a caller is shown every source and nothing private; over HTTP a client is granted one source of two."""


@pytest.fixture(scope="module", params=get_args(world.EngineName))
def planted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[world.Planted]:
    """The brains, with a model that says again what it was shown."""
    with model_server() as model:
        model.script = echo
        yield world.planted(request.param, tmp_path_factory.mktemp("planted"), f"endpoint:echo url={model.url}")


@pytest.mark.guard
def test_every_operation_is_classified() -> None:
    found = {operation.name: operation for operation in registry.load_all()}
    assert found.keys() - table.classified() == set(), (
        "add each to tests/sweep/table.py: a read to READS, with arguments that reach for what is hidden; a write to"
        " WRITES; one that tells nothing a brain holds to PLAIN"
    )
    assert table.classified() - found.keys() == set(), "no longer there: take them out of tests/sweep/table.py"
    reading = {name for name, operation in found.items() if not operation.mutates} - table.LOCAL
    assert reading == (table.READS | table.PLAIN).keys(), "in tests/sweep/table.py a write stands with the reads"


@pytest.mark.parametrize("way", list(WAYS))
def test_what_is_hidden_shapes_no_reply(planted: world.Planted, tmp_path: Path, way: str) -> None:
    """Nor can it be changed. A sweep of refusals would find nothing, so each operation is answered at least once."""
    without, opened = WAYS[way]
    homes = [world.copied(planted, name, tmp_path) for name in ("full", without)]
    answered: set[str] = set()
    with ExitStack() as stack:
        one, other = (stack.enter_context(opened(home, planted.token)) for home in homes)
        for method, params in (*ways.METHODS, *((path, {}) for path in ways.PATHS if way == "http")):
            assert one(method, params) == other(method, params), method
        assert all("unknown_tool" in one(*ways.request(call)) for call in table.refused())
        found = differences(one, other, chain(table.reads(), table.refused(), table.near()), answered)
        hidden = world.rows(homes[0]) - world.rows(homes[1])
        found += differences(one, other, chain(table.writes(), table.questions()), answered)
        assert not found, where(found)
        assert answered - table.NEAR == table.classified() - table.LOCAL
        told = [one(*ways.request(call)) for call in table.TAKEN]
        assert len(hidden) > HIDDEN
        assert hidden - world.rows(homes[0]) == set(), "changed by who may not see it"
    alike = {LENGTH.sub("", re.sub("|".join(table.HIDDEN_SLUGS), "SLUG", text)) for text in told}
    assert len(alike) == 1, alike
    assert "scope_denied" in alike.pop()


@pytest.mark.parametrize("way", ["stdio"])
def test_vectors_of_what_is_hidden_shape_no_reply(
    planted: world.Planted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """The same with the bundled model, for everything that reads."""
    monkeypatch.setenv("GBRAIN_EMBEDDING_PROVIDER", "auto")
    without, opened = WAYS[way]
    homes = [world.copied(planted, name, tmp_path) for name in ("full", without)]
    for home in homes:
        world.embedded(home)
    with ExitStack() as stack:
        one, other = (stack.enter_context(opened(home, planted.token)) for home in homes)
        found = differences(one, other, table.reads(), set())
        told = one(*ways.request(Call("search", {"query": "who is open about things"})))
    assert not found, where(found)
    assert '"cosine' in told.replace("\\", "")


def test_all_is_all_that_may_be_read(planted: world.Planted, tmp_path: Path) -> None:
    """A source that was not granted is refused by every operation, in the words for one that never was."""
    with world.opened(world.copied(planted, "full", tmp_path)) as brain:
        ask = ways.inside(brain, ways.CLIENT)
        for name in sorted(table.classified() - table.LOCAL):
            told = [ask(*ways.request(Call(name, {"source_id": source}))) for source in ("payroll", "nowhere")]
            assert all("scope_denied" in text for text in told), name
            assert told[0].replace("payroll", "nowhere") == told[1]
        for every in ("__all__", "*"):
            told = ask(*ways.request(Call("list_pages", {"source_id": every, "limit": 1000})))
            assert "people/dana-open" in told
            assert "payroll" not in told
