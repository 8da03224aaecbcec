"""What one agent window pays: modules, memory and processor time from spawn to the answered `tools/list`."""

import json
import re
import resource
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from stdio_server import COMMAND, HANDSHAKE, Server, environment, make_brain, request

# Each costs a window more than everything the server itself does.
HEAVY = {
    *("asyncio", "concurrent", "dataclasses", "email", "http", "importlib.metadata", "inspect", "logging", "mcp"),
    *("numpy", "pathlib", "psycopg", "pydantic", "rich", "socket", "ssl", "subprocess", "tempfile", "unittest"),
    *("urllib", "uuid", "yaml"),
}

MOST_RATIO, MOST_SECONDS, MOST_RSS = 8.0, 0.10, 40 * 1024 * 1024
ROUNDS = 9


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("cost")
    make_brain(home)
    with Server(home) as server:
        server.result("tools/list")
    return home


def loaded(server: Server) -> set[str]:
    """The modules a server imported, as `-X importtime` reports them on stderr."""
    return set(re.findall(r"^import time:.*\|\s*([\w.]+)$", server.started, re.MULTILINE))


def heavy(modules: set[str]) -> set[str]:
    return {name for name in modules if any(name == bad or name.startswith(bad + ".") for bad in HEAVY)}


def test_the_running_server_loads_nothing_heavy(home: Path) -> None:
    with Server(home, env={"PYTHONPROFILEIMPORTTIME": "1"}) as server:
        server.result("initialize", HANDSHAKE)
        server.result("tools/list")
        until_listed = loaded(server)
        server.value("remember", {"fact": "prefers tea", "provenance": "kitchen"})
        server.value("recall", {"query": "tea"})
        server.value("entity", {"name": "Dana"})
        server.finish()
        assert "gbrain.entry.stdio" in until_listed
        assert heavy(until_listed) == set()
        assert heavy(loaded(server)) == set()
        assert "click" not in until_listed, "serve starts before the command line's parser is needed"


def test_the_memory_of_a_running_server(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Server(home) as server:
        server.result("tools/list")
        for word in range(50):
            server.value("remember", {"fact": f"lantern {word} is green", "provenance": "drill"})
            server.value("recall", {"query": "lantern"})
        status = Path(f"/proc/{server.process.pid}/status").read_text()
    resident = int(re.findall(r"VmRSS:\s*(\d+)", status)[0]) * 1024
    with capsys.disabled():
        print(f"\nserve: {resident / 2**20:.1f} MB resident")
    assert resident <= MOST_RSS


def cpu(command: list[str], home: Path, data: bytes) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=data, env=environment(home), capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_the_processor_time_to_the_first_list_of_tools(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Medians of alternating rounds, so that a busy machine slows both alike."""
    messages = (request(1, "initialize", HANDSHAKE), request(2, "tools/list"))
    data = b"".join(json.dumps(message).encode() + b"\n" for message in messages)
    bare, served = [], []
    for _ in range(ROUNDS):
        bare.append(cpu([sys.executable, "-c", "pass"], home, b""))
        served.append(cpu([*COMMAND, "--surface", "verbs"], home, data))
    base, cost = statistics.median(bare), statistics.median(served)
    with capsys.disabled():
        print(f"\nserve to tools/list: {cost * 1000:.0f} ms CPU, {cost / base:.1f} x `python -c pass`")
    assert cost <= MOST_RATIO * base
    # Absolute seconds drift when the machine is busy; the bare interpreter of the same run says by how much.
    assert cost <= MOST_SECONDS * max(1.0, base / 0.011)
