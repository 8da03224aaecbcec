"""What one agent window pays: modules and memory of a server. Its times are figures of `gbrain bench latency`."""

import re
from pathlib import Path

import pytest

from stdio_server import HANDSHAKE, Server, make_brain

# Each costs a window more than everything the server itself does.
HEAVY = {
    *("asyncio", "concurrent", "dataclasses", "email", "http", "importlib.metadata", "inspect", "logging", "mcp"),
    *("numpy", "pathlib", "psycopg", "pydantic", "rich", "socket", "ssl", "subprocess", "tempfile", "unittest"),
    *("urllib", "uuid", "yaml"),
}

MOST_RSS = 40 * 1024 * 1024


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
