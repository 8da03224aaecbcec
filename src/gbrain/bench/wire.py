"""A server process as a client sees it, and what it costs."""

import json
import os
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from typing import Any

from gbrain.bench.machine import Cost, Failed, gbrain_command, memory
from gbrain.domain.eras import hello


class Server:
    """One `gbrain serve` and its pipes. It is waited for with its processor time."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._began = time.perf_counter()
        self._ids = count(1)
        self._process = subprocess.Popen(
            [*gbrain_command(), "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(env),
        )

    def request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """The result of one request; raises Failed when there is none."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        message = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        try:
            stdin.write(json.dumps(message).encode() + b"\n")
            stdin.flush()
            answer = json.loads(stdout.readline() or b"{}")
        except (OSError, ValueError) as error:
            raise Failed(f"{method}: the server does not answer ({type(error).__name__})") from None
        result = answer.get("result")
        if not isinstance(result, dict) or result.get("isError"):
            raise Failed(f"{method} {params.get('name', '')}: {str(answer)[:300]}")
        return result

    def greet(self) -> None:
        """The handshake of a client."""
        self.request("initialize", hello("bench"))

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result of one tool."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def age(self) -> float:
        """Seconds since the process was spawned."""
        return time.perf_counter() - self._began

    def memory(self) -> tuple[float, float]:
        """Resident memory in MB, now and at its peak."""
        return memory(self._process.pid)

    def close(self) -> Cost:
        """End the input and wait; the processor time of the whole life of the process."""
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        return Cost(usage.ru_utime + usage.ru_stime, self.age())
