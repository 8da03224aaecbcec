"""Runs the `gbrain` command as people do: a process of its own on a home of its own."""

import json
import os
import pty
import select
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

# Where agents look for their files: a test leaves those of this machine alone.
AGENTS = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "OPENCLAW_STATE_DIR", "OPENCLAW_CONFIG_PATH")
# Compiled once, not in every process, and not beside the sources: their reader may have said so.
_COMPILED = tempfile.TemporaryDirectory(prefix="gbrain-compiled-")


class Ran(NamedTuple):
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as one JSON document."""
        return json.loads(self.out)


class Gbrain:
    """The command with `GBRAIN_HOME` set to one folder."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.home = base / ".gbrain"

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """What the process is given; `COLUMNS` is wide so that help texts do not wrap inside an example."""
        own = {"GBRAIN_HOME": str(self.base), "COLUMNS": "100", "PYTHONPYCACHEPREFIX": _COMPILED.name}
        left_out = ("PYTHONDONTWRITEBYTECODE", *AGENTS)
        below = str(self.base)
        inherited = {name: value for name, value in os.environ.items() if name not in left_out or below in value}
        return {**inherited, **own, **(more or {})}

    def run(
        self, *arguments: str, stdin: str | bytes = b"", env: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> Ran:
        """Run one command line to its end, whatever its exit code."""
        data = stdin.encode() if isinstance(stdin, str) else stdin
        command = [sys.executable, "-m", "gbrain", *arguments]
        done = subprocess.run(command, input=data, capture_output=True, env=self.environment(env), cwd=cwd, check=False)
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    def __call__(self, *arguments: str, stdin: str | bytes = b"") -> Ran:
        """Run a command line that must succeed."""
        ran = self.run(*arguments, stdin=stdin)
        assert ran.code == 0, (arguments, ran)
        return ran

    def at_terminal(self, *arguments: str, env: Mapping[str, str] | None = None, answer: str = "") -> tuple[int, str]:
        """Run a command with a terminal for all three streams; returns exit code and everything it wrote.

        `answer` is typed ahead of the questions it will ask.
        """
        parent, child = pty.openpty()
        os.write(parent, answer.encode())
        command = [sys.executable, "-m", "gbrain", *arguments]
        given = self.environment({"TERM": "xterm", **(env or {})})
        with subprocess.Popen(command, stdin=child, stdout=child, stderr=child, env=given) as process:
            os.close(child)
            seen = b""
            while select.select([parent], [], [], 30)[0]:
                try:
                    data = os.read(parent, 65536)
                except OSError:
                    break
                if not data:
                    break
                seen += data
            code = process.wait(30)
        os.close(parent)
        return code, seen.decode().replace("\r\n", "\n")
