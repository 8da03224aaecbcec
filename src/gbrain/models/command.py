"""A local agent's command line as a model: `command:claude -p` runs it once a question, for who has no key.

The question goes to its standard input and the answer is its standard output; the JSON of `claude -p --output-format
json` is understood. The process is marked, so that our own hooks and servers know it and leave it alone.
"""

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
from typing import IO, Any

from gbrain.models.chat import Answer, Ask, ChatFailed
from gbrain.models.completions import count

MARK = "GBRAIN_INTERNAL"
"""The variable, set to 1, that every process below carries."""
FOLDER = "gbrain-claude-cli-cwd-model"
"""The working folder, in the home's `run`: agents write it into the paths of their transcripts, which it marks too."""
MOST_BYTES = 1024 * 1024
_OTHERS = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT")
"""Marks of an agent that this process may run in, which keep another one from starting."""


class CommandChat:
    """A command line, split as a shell would, that is run without one."""

    def __init__(self, line: str, home: str) -> None:
        try:
            self._words = shlex.split(line)
        except ValueError:
            raise ChatFailed("bad_settings", "the command line has a quote that does not end") from None
        if not self._words:
            raise ChatFailed("bad_settings", "the command line is empty")
        self._folder = os.path.join(home, "run", FOLDER)

    @property
    def name(self) -> str:
        """See Chat.name: the program without its arguments, which may hold anything."""
        return f"command:{os.path.basename(self._words[0])}"

    @property
    def where(self) -> str:
        """See Chat.where."""
        return self.name

    def complete(self, ask: Ask, seconds: float) -> Answer:
        """See Chat.complete. At the deadline, and for an answer that is too long, its process group is killed."""
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        environment = {name: value for name, value in os.environ.items() if name not in _OTHERS} | {MARK: "1"}
        asked = f"{ask.system}\n\n{ask.text}\n".encode(errors="replace")
        try:
            process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=self._folder,
                env=environment,
                # A group of its own, so that what it starts can be ended with it.
                start_new_session=True,
            )
        except OSError as error:
            raise ChatFailed(
                "unreachable",
                f"{self._words[0]} cannot be run: {error.strerror or type(error).__name__}",
                "name a command that is there: gbrain models set 'command:claude -p'",
            ) from None
        said, whole = _talked(process, asked, seconds)
        if len(said) > MOST_BYTES:
            raise ChatFailed("malformed", f"{self._words[0]} said more than {MOST_BYTES:,} bytes")
        if not whole:
            raise ChatFailed("timeout", f"{self._words[0]} took longer than {seconds:.3g} seconds")
        if process.returncode:
            raise ChatFailed("server_error", f"{self._words[0]} ended with {process.returncode}")
        return self._answer(said.decode("utf-8", "replace").strip())

    def _answer(self, text: str) -> Answer:
        said: Any = None
        if text.startswith("{"):
            try:
                said = json.loads(text)
            except (ValueError, RecursionError):
                said = None
        if not isinstance(said, dict) or not isinstance(said.get("result"), str):
            return Answer(text, self.name, None, None, None, "stop")
        usage = said["usage"] if isinstance(said.get("usage"), dict) else {}
        counts = count(usage.get("input_tokens")), count(usage.get("output_tokens"))
        if said.get("is_error"):
            raise ChatFailed("server_error", f"{self._words[0]} says that it failed")
        return Answer(said["result"], self.name, *counts, None, "stop")


def _talked(process: "subprocess.Popen[bytes]", asked: bytes, seconds: float) -> tuple[bytes, bool]:
    """What a process said to what it was asked, and whether that is all of it. It and its children are gone then."""
    assert process.stdin is not None
    assert process.stdout is not None
    heard: list[bytes] = []
    # Both at once: a program that answers before it has heard all would else wait for us, and we for it.
    writer = threading.Thread(target=_tell, args=(process.stdin, asked), daemon=True)
    reader = threading.Thread(target=_hear, args=(process.stdout, heard), daemon=True)
    writer.start()
    reader.start()
    reader.join(seconds)
    whole = not reader.is_alive() and sum(map(len, heard)) <= MOST_BYTES
    if whole:
        try:
            process.wait(max(1.0, seconds / 10))
        except subprocess.TimeoutExpired:
            whole = False
    _end(process)
    process.wait()
    for thread in (writer, reader):
        thread.join(5.0)
    process.stdout.close()
    return b"".join(heard), whole


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a process and what it started; where a system has no groups of processes, it alone."""
    if sys.platform == "win32":
        process.kill()
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def _tell(pipe: IO[bytes], text: bytes) -> None:
    try:
        with pipe:
            pipe.write(text)
    except OSError:
        # It may answer without hearing all of it.
        pass


def _hear(pipe: IO[bytes], heard: list[bytes]) -> None:
    size = 0
    while size <= MOST_BYTES:
        try:
            part = os.read(pipe.fileno(), 65_536)
        except (OSError, ValueError):
            return
        if not part:
            return
        heard.append(part)
        size += len(part)
