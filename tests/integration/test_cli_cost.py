"""What one command costs: the modules it loads and its processor time, beside the bare interpreter of the same run."""

import re
import resource
import statistics
import subprocess
import sys
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
MOST_RATIO, MOST_SECONDS, MOST_INIT = 12.0, 0.15, 0.3
ROUNDS = 9


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


def cpu(gbrain: Gbrain, *command: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], env=gbrain.environment(), capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def bars(most: float, base: float) -> float:
    """A ceiling in seconds, raised as far as the machine is slower than the one it was set on."""
    return most * max(1.0, base / 0.011)


@pytest.mark.parametrize("name", FAST)
def test_the_processor_time_of_a_fast_command(gbrain: Gbrain, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Medians of alternating rounds, so that a busy machine slows both alike."""
    bare, whole = [], []
    for _ in range(ROUNDS):
        bare.append(cpu(gbrain, "-c", "pass"))
        whole.append(cpu(gbrain, "-m", "gbrain", *FAST[name]))
    base, cost = statistics.median(bare), statistics.median(whole)
    with capsys.disabled():
        print(f"\ngbrain {name}: {cost * 1000:.0f} ms CPU, {cost / base:.1f} x `python -c pass`")
    assert cost <= MOST_RATIO * base
    assert cost <= bars(MOST_SECONDS, base)


def test_the_processor_time_of_init(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = [Gbrain(tmp_path / str(number)) for number in range(5)]
    made[0]("init", "--json")
    costs = [cpu(gbrain, "-m", "gbrain", "init") for gbrain in made[1:]]
    base = statistics.median(cpu(made[0], "-c", "pass") for _ in range(5))
    sizes = [sum(path.stat().st_size for path in gbrain.home.rglob("*")) for gbrain in made]
    with capsys.disabled():
        print(f"\ngbrain init: {statistics.median(costs) * 1000:.0f} ms CPU, {max(sizes) / 1024:.0f} KB on disk")
    assert statistics.median(costs) <= bars(MOST_INIT, base)
    assert max(sizes) <= 1024 * 1024
