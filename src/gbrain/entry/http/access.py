"""The access log: one JSON line a request, without bodies, arguments, tokens or names that a client made up.

Lines are written by a thread of their own, so that a log nobody reads never holds up an answer; what it cannot
take is dropped and counted.
"""

import json
import logging
import sys
import threading
import time
from collections import deque
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, TextIO

from gbrain.errors import Unavailable

WAITING = 10_000
"""Lines that may wait to be written; further ones are dropped."""

PAUSE_SECONDS = 0.05

Fields = dict[str, Any]


class AccessLog:
    """Writes lines to a file, or to stderr when no path is given. Raises Unavailable when the file cannot be opened."""

    def __init__(self, path: str | None = None) -> None:
        try:
            self._out: TextIO = open(path, "a", encoding="utf-8") if path else sys.stderr  # noqa: SIM115
        except OSError as error:
            message = f"the log file cannot be written: {error.strerror or error}"
            raise Unavailable(message, "choose another: gbrain serve --http --log FILE") from None
        self._mine = path is not None
        self._waiting: deque[Fields] = deque()
        self._some = threading.Event()
        self._closing = threading.Event()
        self._dropped = 0
        self._writer = threading.Thread(target=self._keep_writing, name="gbrain-log", daemon=True)
        self._writer.start()

    def add(self, fields: Fields) -> None:
        """Take one line; never waits and never raises."""
        if len(self._waiting) >= WAITING:
            self._dropped += 1
            return
        self._waiting.append({"ts": time.time(), **fields})
        self._some.set()

    def close(self, seconds: float = 1.0) -> None:
        """Write what is waiting, within so many seconds."""
        self._closing.set()
        self._some.set()
        self._writer.join(seconds)
        if self._mine and not self._writer.is_alive():
            self._out.close()

    def _keep_writing(self) -> None:
        while not (self._closing.is_set() and not self._waiting):
            self._some.wait()
            # Under load, many lines are then written at once.
            self._closing.wait(PAUSE_SECONDS)
            self._some.clear()
            try:
                self._write()
            except (OSError, ValueError):
                # Whoever read the log is gone; the server goes on without it.
                return

    def _write(self) -> None:
        text = ""
        while self._waiting:
            fields = self._waiting.popleft()
            moment = datetime.fromtimestamp(fields["ts"], UTC).isoformat(timespec="milliseconds")
            text += json.dumps({**fields, "ts": moment.replace("+00:00", "Z")}, separators=(",", ":")) + "\n"
        if self._dropped:
            lost, self._dropped = self._dropped, 0
            text += json.dumps({"event": "dropped", "lines": lost}, separators=(",", ":")) + "\n"
        self._out.write(text)
        self._out.flush()


class Defects(logging.Handler):
    """Puts what the libraries below report into the same log: who, where and what kind, never the text of it."""

    def __init__(self, log: AccessLog) -> None:
        super().__init__(logging.ERROR)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """See logging.Handler.emit."""
        fields: Fields = {"event": "error", "logger": record.name, "at": f"{record.module}:{record.lineno}"}
        error = record.exc_info[1] if record.exc_info else None
        self._log.add({**fields, **(defect(error) if error is not None else {})})

    def install(self) -> None:
        """Take over the loggers of the libraries that serve HTTP."""
        # Their messages quote what was sent: only where and of what kind goes into the log.
        for name in ("uvicorn", "mcp", "asyncio", "sse_starlette"):
            logger = logging.getLogger(name)
            logger.handlers[:] = [self]
            logger.setLevel(logging.ERROR)
            logger.propagate = False


def defect(error: BaseException) -> Fields:
    """The kind of a defect and where it arose; its message may hold what a person wrote, and is not told."""
    trace: TracebackType | None = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace is not None else ""
    return {"type": type(error).__name__, "raised_at": place}
