"""One small generated brain for all tests of a run."""

from pathlib import Path
from typing import NamedTuple

import pytest

from gbrain.bench.generate import prepared
from gbrain.bench.world import Size, World

SMALL = Size(pages=80, links=400, aliases=120, facts=160)


class Generated(NamedTuple):
    work: Path
    home: str
    world: World
    said: list[str]


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    work = tmp_path_factory.mktemp("bench")
    said: list[str] = []
    home, world = prepared(str(work), SMALL, 7, said.append)
    return Generated(work, home, world, said)
