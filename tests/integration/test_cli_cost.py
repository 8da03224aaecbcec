"""What one command loads, and what `init` leaves on disk; their times are figures of `gbrain bench latency`."""

import re
from pathlib import Path

import pytest

from commandline import Gbrain

# click brings inspect and uuid along; nothing may add to that.
HEAVY = {
    *("asyncio", "dataclasses", "importlib.metadata", "logging", "mcp", "numpy", "pathlib", "psycopg", "pydantic"),
    *("rapidfuzz", "rich", "shutil", "subprocess", "tempfile", "unittest", "urllib", "yaml"),
}
FAST = {
    "remember": ("remember", "prefers tea", "--provenance", "kitchen", "--entity", "Dana"),
    "recall": ("recall", "Dana"),
    "entity": ("entity", "Dana"),
}


@pytest.fixture(scope="module")
def gbrain(tmp_path_factory: pytest.TempPathFactory) -> Gbrain:
    made = Gbrain(tmp_path_factory.mktemp("cost"))
    made("init")
    made("put", "people/dana-oakes", "--content", "---\ntitle: Dana Oakes\naliases: [dana]\n---\nLeads.\n")
    for command in FAST.values():
        made(*command)
    return made


@pytest.mark.parametrize("name", FAST)
def test_a_fast_command_loads_nothing_heavy(gbrain: Gbrain, name: str) -> None:
    ran = gbrain.run(*FAST[name], env={"PYTHONPROFILEIMPORTTIME": "1"})
    loaded = set(re.findall(r"^import time:.*\|\s*([\w.]+)$", ran.err, re.MULTILINE))
    assert "gbrain.entry.cli.root" in loaded
    assert [module for module in sorted(loaded) if any(f"{module}.".startswith(f"{bad}.") for bad in HEAVY)] == []


def test_an_empty_brain_is_small(tmp_path: Path) -> None:
    gbrain = Gbrain(tmp_path)
    gbrain("init")
    assert sum(path.stat().st_size for path in gbrain.home.rglob("*")) <= 1024 * 1024
