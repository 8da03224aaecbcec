"""Whether a registered server works: started or called as the client would, in both eras of the protocol."""

import json
import os
import secrets
import select
import shlex
import subprocess
import sys
import tempfile
import time
from typing import Any

from gbrain.domain import eras
from gbrain.errors import InvalidToken, Unavailable
from gbrain.harnesses.facts import Launch, Online, Server
from gbrain.remote import Remote

PATIENCE = 30.0
"""Seconds for all answers of one process."""
HANDED_DOWN = ("HOME", "PATH", "LANG", "TERM", "TMPDIR", "USER", "LOGNAME", "SHELL")
"""The variables that the strictest client hands to a server."""

_CLIENT = "gbrain-bootstrap"


def test(server: Server) -> None:
    """Try a server as a client would. Raises Unavailable or InvalidToken with what failed."""
    if isinstance(server, Online):
        _call(server)
    else:
        _start(server)


def _call(server: Online) -> None:
    """Ask a server who we are: first with a token that it must refuse, for one that takes any guards nothing."""
    renew = "gbrain auth create NAME"
    canary = Remote(server.url, f"canary-{secrets.token_hex(24)}", renew)
    try:
        canary.call("whoami", {})
    except InvalidToken:
        pass
    else:
        raise Unavailable(
            f"{server.url} takes any token, so nothing was registered",
            "serve the brain with tokens: gbrain serve --http",
            detail={"reason": "smoke", "url": server.url},
        )
    finally:
        canary.close()
    remote = Remote(server.url, server.token, renew)
    try:
        remote.request("tools/list")
        remote.call("whoami", {})
    finally:
        remote.close()


def _start(launch: Launch) -> None:
    """Shake hands in both eras, list the tools and ask the brain for something."""
    with _Process(launch) as server:
        server.ask("initialize", eras.hello(_CLIENT))
        server.tell("notifications/initialized")
        tools = {tool["name"] for tool in server.ask("tools/list", {})["tools"]}
        if "recall" not in tools:
            raise server.failed("it offers no `recall`")
        tool, arguments = ("whoami", {}) if "whoami" in tools else ("recall", {"limit": 1})
        reply = server.ask("tools/call", {"name": tool, "arguments": arguments})
        if reply.get("isError"):
            raise server.failed(f"{tool} answers: {reply['content'][0]['text'][:300]}")
    with _Process(launch) as server:
        server.ask("server/discover", {"_meta": eras.envelope(_CLIENT)})


class _Process:
    """A server on pipes; every wait ends."""

    def __init__(self, launch: Launch) -> None:
        self.line = shlex.join(launch.command)
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the server runs
        self.buffer = b""
        self.last = 0
        self.end = time.monotonic() + PATIENCE
        env = {name: os.environ[name] for name in HANDED_DOWN if name in os.environ} | launch.env
        try:
            self.process = subprocess.Popen(
                launch.command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors
            )
        except OSError as error:
            self.errors.close()
            raise self.refused(f"it cannot be started: {error.strerror or error}") from None

    def __enter__(self) -> "_Process":
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.errors.close()

    def tell(self, method: str, **more: Any) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "method": method, **more}).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise self.failed("it ended") from None

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of one request; Unavailable for an error, silence or an end."""
        self.last += 1
        self.tell(method, id=self.last, params=params)
        while True:
            try:
                answer = json.loads(self._line(method))
            except ValueError:
                raise self.failed("it writes what is no protocol") from None
            if answer.get("id") != self.last:
                continue
            if "error" in answer:
                raise self.failed(f"{method} answers: {answer['error'].get('message', '')[:300]}")
            return dict(answer["result"])

    def _line(self, method: str) -> bytes:
        assert self.process.stdout is not None
        while b"\n" not in self.buffer:
            left = max(0.0, self.end - time.monotonic())
            if sys.platform != "win32" and not select.select([self.process.stdout], [], [], left)[0]:
                raise self.failed(f"no answer to {method} in {PATIENCE:.0f} seconds")
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise self.failed("it ended")
            self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line

    def failed(self, why: str) -> Unavailable:
        """The error, with the end of what the server said of it."""
        # Where nothing reads beside the place at which the server writes on, its words are left.
        told = os.pread(self.errors.fileno(), 65536, 0) if sys.platform != "win32" else b""
        said = told[-600:].decode("utf-8", "replace").strip()
        return self.refused(f"{why}: {said}" if said else why)

    def refused(self, why: str) -> Unavailable:
        return Unavailable(
            f"the server does not work as a client starts it ({self.line}): {why}",
            "run: gbrain doctor; with no brain yet: gbrain init",
            detail={"reason": "smoke", "command": self.line},
        )
