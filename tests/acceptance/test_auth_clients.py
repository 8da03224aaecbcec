"""The conformance suite for authorization servers, with the brain's owner at its browser.

Where it lives, and how it is skipped where it is missing: see clients.py.
"""

import os
import socket
import subprocess
import threading
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from acceptance.clients import NODE, binary, needed
from http_server import HttpServer
from oauth_client import Page, Program, owner

pytestmark = pytest.mark.clients


class Suite:
    """The conformance suite, with the owner at its browser."""

    def __init__(self, server: HttpServer, port: int, program: Program) -> None:
        self.program = program
        suite = binary("conf2", "conformance")
        needed(NODE, "node 24")
        command = [str(suite), "authorization", "--url", program.base, "--client-id", program.id]
        self.process = subprocess.Popen(
            [*command, "--resource", server.url, "-p", str(port)],
            env={"PATH": f"{NODE}:{os.environ['PATH']}", "HOME": str(server.home)},
            cwd=server.home,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def lines(self) -> Iterator[str]:
        """What the suite says; where it names the page, the owner lets it in."""
        assert self.process.stdout is not None
        with self.process.stdout as said:
            for line in said:
                yield line
                if line.startswith(self.program.base + "/authorize?"):
                    self._let_in(line.strip())

    def _let_in(self, url: str) -> None:
        program = self.program
        answer = program.server.send("GET", url.removeprefix(program.base), headers=program.host)
        where = answer.headers["location"].removeprefix(program.base)
        page = Page.of(program.server.send("GET", where, headers=program.host))
        back = program.submit(program.prove(page)).headers["location"]
        assert urllib.parse.urlsplit(back).hostname == "127.0.0.1"
        with urllib.request.urlopen(back, timeout=20) as told:
            told.read()


def test_the_conformance_suite_for_authorization_servers(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    owner(home, "config_set", key="auth.registration", value="on")
    with HttpServer(home) as server:
        suite = Suite(server, port, Program.registered(server, "conformance", f"http://127.0.0.1:{port}/callback"))
        alarm = threading.Timer(120, suite.process.kill)
        alarm.start()
        said = "".join(suite.lines())
        alarm.cancel()
        assert suite.process.wait(20) == 0, said
    assert "2 passed, 0 failed" in said
