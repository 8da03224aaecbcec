"""Local append-only counters. A line may be lost; writing one never raises and never costs an answer."""

import json
import os

# Not from typing, which takes as long to load as the rest of a hook.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

USAGE = os.path.join("integrations", "memory-verbs", "usage.jsonl")
READS = os.path.join("integrations", "memory-verbs", "reads.jsonl")
EXPORTS = os.path.join("integrations", "exports.jsonl")
"""Where exports were written to: `{"ts", "brain_id", "source", "dir"}`."""
ROTATE_BYTES = 10 * 1024 * 1024
TAIL_BYTES = 64 * 1024


class Journal:
    """Appends one JSON line an event under a home. Only codes and counts are written, never a person's text."""

    def __init__(self, home: str | None) -> None:
        self._home = home

    def append(self, name: str, line: "dict[str, Any]") -> None:
        """Append `line` to the log `name` (a path below the home); rotates at 10 MB. Never raises."""
        if self._home is None:
            return
        path = os.path.join(self._home, name)
        try:
            text = json.dumps(line, ensure_ascii=False, separators=(",", ":"), default=repr) + "\n"
            self._write(path, text.encode("utf-8", "backslashreplace"))
        except (OSError, ValueError, TypeError):
            return

    @staticmethod
    def _write(path: str, data: bytes) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        try:
            handle = os.open(path, flags, 0o600)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            handle = os.open(path, flags, 0o600)
        try:
            # One write of a whole line in append mode: lines of several processes do not mix.
            os.write(handle, data)
            full = os.fstat(handle).st_size > ROTATE_BYTES
        finally:
            os.close(handle)
        if full:
            # Two that find it full at once may rotate twice and lose a part, which a counter can bear.
            os.replace(path, path + ".1")

    def read(self, name: str) -> "list[dict[str, Any]]":
        """Every line of the log and of its rotated part, oldest first; torn lines are skipped."""
        lines: list[dict[str, Any]] = []
        if self._home is None:
            return lines
        for suffix in (".1", ""):
            try:
                with open(os.path.join(self._home, name + suffix), encoding="utf-8", errors="replace") as file:
                    for text in file:
                        try:
                            line = json.loads(text)
                        except ValueError:
                            continue
                        if isinstance(line, dict):
                            lines.append(line)
            except OSError:
                continue
        return lines

    def last(self, name: str, lines: int) -> "list[dict[str, Any]]":
        """The last lines of the log, oldest first, as far as its last 64 KB hold them; torn lines are skipped."""
        if self._home is None:
            return []
        try:
            with open(os.path.join(self._home, name), "rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL_BYTES))
                texts = file.read().decode("utf-8", "replace").splitlines()
        except OSError:
            return []
        found: list[dict[str, Any]] = []
        for text in texts[-lines:]:
            try:
                line = json.loads(text)
            except ValueError:
                continue
            if isinstance(line, dict):
                found.append(line)
        return found
